"""The stand-in keeps running text, drops lists of links, and says why."""

import pytest
from tests.build import page_of

from pagestrata import Options, Role, Section, extract

PROSE = "The tide turned before the boats were in, and nobody on the quay had seen it coming. " * 3
LINKS = "".join(f"<li><a href=/{n}>Another article, number {n}</a></li>" for n in range(8))
BODY = (
    f"<header><a href=/>The Almanac</a></header><nav><ul>{LINKS}</ul></nav>"
    f"<main><article><h1>The tide</h1><p>{PROSE}</p><p>{PROSE}</p><ul>{LINKS}</ul></article>"
    f"<div id=comments><p>{PROSE}</p></div></main><footer><p>All rights reserved by the Almanac, 2024.</p></footer>"
)


def leaves(body: str, **options: object) -> list[Section]:
    settings = Options(**options)  # type: ignore[arg-type]
    return list(extract(page_of(body, **options), options=settings).leaves())


def kept_roles(body: str, **options: object) -> list[str]:
    return [leaf.role.value for leaf in leaves(body, **options) if leaf.kept]


def test_text_is_kept_and_links_are_not() -> None:
    assert ["title", "main"] == kept_roles(BODY)
    assert {"header", "navigation", "other", "comments", "footer", "title", "main"} == {
        leaf.role.value for leaf in leaves(BODY)
    }


@pytest.mark.parametrize(
    ("comments", "expected"),
    [("off", ["title", "main"]), ("on", ["title", "main", "comments"]), ("only", ["title", "comments"])],
)
def test_comments_are_a_stream_of_their_own(comments: str, expected: list[str]) -> None:
    assert expected == kept_roles(BODY, comments=comments)


def test_bias_moves_the_threshold() -> None:
    words = [sum(leaf.words for leaf in leaves(BODY, bias=bias) if leaf.kept) for bias in (-1, 0, 1)]
    assert sorted(words) == words
    assert words[2] > words[0]


def test_drop_wins_over_keep_and_over_scores() -> None:
    texts = [
        leaf.text
        for leaf in leaves(
            BODY,
            keep=("footer", "nav"),
            drop=("nav", "article p"),
        )
        if leaf.kept
    ]
    assert ["The tide", "All rights reserved by the Almanac, 2024."] == texts


def test_selectors_inside_a_run_cut_it() -> None:
    dropped = [
        leaf for leaf in leaves(f"<div><p>{PROSE}<p class=ad>{PROSE}<p>{PROSE}</div>", drop=(".ad",)) if not leaf.kept
    ]
    assert [("a drop selector found it", PROSE.strip())] == [(leaf.reasons[0], leaf.text) for leaf in dropped]


def test_hidden_text_is_left_with_a_reason() -> None:
    hidden = next(leaf for leaf in leaves(f"<p>{PROSE}</p><div hidden>{PROSE}</div>") if not leaf.kept)
    assert (0.0, True) == (hidden.importance, any("hidden attribute" in reason for reason in hidden.reasons))


def test_every_section_says_why() -> None:
    assert all(leaf.reasons for leaf in leaves(BODY))
    menu = next(leaf for leaf in leaves(BODY) if leaf.role is Role.NAVIGATION)
    assert "100% of its text is links" in menu.reasons


def test_the_title_is_the_heading_that_the_title_tag_names() -> None:
    extraction = extract("<title>Mud | Almanac</title><h1>The Almanac</h1><div><h1>On mud</h1><p>x</div>")
    assert extraction.title_section is not None
    assert "On mud" == extraction.title_section.text or "The Almanac" == extraction.title_section.text
    assert extract("<title>Mud</title><h1>Site</h1><h1>On mud</h1>").title_section.text == "On mud"  # type: ignore[union-attr]
    assert extract("<h1>a</h1><h1>b</h1>").title_section is None


def test_layout_tables_are_cut_and_data_tables_are_not() -> None:
    layout = f"<table><tr><td><ul>{LINKS}</ul></td><td><p>{PROSE * 3}</p></td></tr></table>"
    assert [False, True] == [leaf.kept for leaf in leaves(layout)]
    data = f"<p>{PROSE}</p><table><tr><td>1<td>2<tr><td>3<td>4</table><p>{PROSE}</p>"
    assert 1 == len(leaves(data))
