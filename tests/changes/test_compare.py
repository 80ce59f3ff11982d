"""What changed between two versions of a page."""

import json

import pytest
from tests.build import EXAMPLES, kept

from pagestrata import ChangeKind, Options, PageDiff, diff, extract, learn
from pagestrata.changes.compare import compare

FILLER = "<p>The tide comes in twice a day, and the boats lie dry in between. Most owners like it that way.</p>"
NAMES = {ChangeKind.ADDED: "+", ChangeKind.REMOVED: "-", ChangeKind.MOVED: ">", ChangeKind.CHANGED: "~"}


def lines(old: str, new: str) -> list[str]:
    """The changes between two bodies that are kept whole, a line each."""
    return summary(compare(kept(old), kept(new)))


def summary(found: PageDiff) -> list[str]:
    texts = [(each.kind, each.new or each.old) for each in found.changes]
    return [f"{NAMES[kind]} {passage.text}" for kind, passage in texts if passage]


def test_sentences_that_were_added_and_removed() -> None:
    old = "<p>Warm the pot. Pour the water.</p><p>Wait.</p>"
    new = "<p>Warm the pot. Add two spoons of leaves. Pour the water.</p>"
    assert ["+ Add two spoons of leaves.", "- Wait."] == lines(old, new)


def test_a_changed_sentence_has_its_words_in_pieces() -> None:
    [change] = compare(kept("<p>It costs 12 pounds a year."), kept("<p>It costs 15 pounds each year.")).changes
    assert ChangeKind.CHANGED is change.kind
    pieces = [(piece.kind.value, piece.text) for piece in change.pieces]
    assert ("same", "It costs") == pieces[0]
    assert [("removed", "12"), ("added", "15"), ("same", "pounds")] == pieces[1:4]
    assert [("removed", "a"), ("added", "each"), ("same", "year.")] == pieces[4:]


def test_moved_paragraphs_are_neither_added_nor_removed() -> None:
    paragraphs = [f"<p>Paragraph {name} is about {name}. It has two sentences on {name}.</p>" for name in "abcdef"]
    moved = [*paragraphs[1:5], paragraphs[0], paragraphs[5]]
    found = compare(kept("".join(paragraphs)), kept("".join(moved)))
    assert ["> Paragraph a is about a. It has two sentences on a."] == summary(found)
    assert {"same": 55, "added": 0, "removed": 0, "moved": 11} == {
        kind.value: count for kind, count in found.word_counts.items()
    }


def test_layout_is_no_change() -> None:
    old = "<h2>Tea</h2><p>Warm the <b>pot</b>. Pour the\n water.</p><p>Wait a while.</p>"
    new = "<div class=x><h3>Tea</h3><div>Warm the pot.<br>Pour the water. Wait a while.</div></div>"
    assert [] == lines(old, new)
    assert [] == lines("<p>A line without an end<p>and another one", "<p>A line without an end and another one")


def test_text_that_is_left_out_of_the_other_version_is_no_change() -> None:
    page = f"<article>{FILLER * 5}</article><aside><p>Boats for sale are listed here.</p></aside>"
    everything = extract(page, keep=("aside",))
    part = extract(page, drop=("aside",))
    assert everything.text != part.text
    assert compare(part, everything).is_same
    assert compare(everything, part).is_same


def test_titles_are_compared() -> None:
    found = diff(f"<h1>Tea</h1>{FILLER * 5}", f"<h1>Coffee</h1>{FILLER * 5}")
    assert ("Tea", "Coffee", False, ()) == (found.old_title, found.new_title, found.is_same, found.changes)
    assert [("removed", "Tea"), ("added", "Coffee")] == [(piece.kind, piece.text) for piece in found.title_pieces]


def test_places_lead_to_the_text_on_the_page() -> None:
    old, new = kept("<h2>How</h2><p>Warm it. Pour it.</p>"), kept("<h2>How</h2><p>Warm it. Then wait. Pour it.</p>")
    [change] = compare(old, new).changes
    assert change.new is not None
    assert "Then wait." == new.page.text[change.new.start : change.new.end]
    assert ("How",) == change.new.heading_path


def test_all_text_is_in_the_passages_in_the_order_of_the_new_version() -> None:
    old, new = kept("<p>One. Two. Three.</p>"), kept("<p>Three. One. Four.</p>")
    found = compare(old, new)
    written = [each.new.text for each in found.passages if each.new is not None]
    assert "Three. One. Four." == " ".join(written)


def test_plain_data_can_be_written_as_json() -> None:
    found = diff(f"<p>Warm the pot.{FILLER * 5}", f"<p>Cool the pot.{FILLER * 5}")
    data = json.loads(json.dumps(found.as_dict()))
    assert [1, "changed"] == [data["schema_version"], data["changes"][0]["kind"]]
    assert {"same", "added", "removed", "moved"} == {*data["words"]}


def test_recurring_text_of_the_site_is_ignored() -> None:
    promise = "<p>Our harbour office has sent letters like this one to its readers every week since 1954.</p>"

    def article(number: int, end: str = promise) -> str:
        text = "".join(
            f"<p>On day {number} boat {number}{line} came home with {line + 3} crates.</p>" for line in range(9)
        )
        return f"<title>Day {number}</title><nav><a href=/>Home</a></nav><article>{text}{end}</article>"

    model = learn([article(number) for number in range(6)])
    old, new = article(7, ""), article(7)
    assert ["+ " + promise[3:-4]] == summary(diff(old, new))
    assert diff(old, new, model=model).is_same


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_a_page_is_the_same_as_itself(path: object) -> None:
    assert diff(path, path).is_same  # type: ignore[arg-type]


def test_many_equal_lines_take_linear_time() -> None:
    body = "<p>Same line again.</p>" * 4000
    found = compare(kept(body), kept(body + "<p>One more.</p>"))
    assert ["+ One more."] == summary(found)


def test_options_may_be_given_by_name() -> None:
    page = f"<article>{FILLER * 5}<p class=x>Version {{}} of this.</p></article>"
    assert diff(page.format(1), page.format(2), drop=(".x",)).is_same
    assert not diff(page.format(1), page.format(2), options=Options()).is_same
