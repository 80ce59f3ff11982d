"""Posts and cards of known platforms, and how many of them are found."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from pagestrata.cli.main import app, with_command
from pagestrata.errors import UsageError
from pagestrata.evaluate.datasets import Truth, samples_of
from pagestrata.evaluate.item_scores import ALL, match_posts, score_items
from pagestrata.evaluate.item_truth import TrueItem, true_items
from pagestrata.parts import PageItem

NAMES = ("nessa", "bran", "olwen", "idris")


def post(name: str, day: int) -> str:
    head = f"<span class=post-author>{name}</span> <span class=post-date>2024-05-0{day} 10:1{day}</span>"
    body = f"{name} says that the mud is deep here, and that nobody should walk on it before the tide."
    return f"<article class=post><div class=post-head>{head}</div><div class=post-body>{body}</div></article>"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    page = f"<title>Mud</title><main><h1>Mud</h1>{''.join(map(post, NAMES, range(1, 5)))}</main>"
    (tmp_path / "html").mkdir()
    (tmp_path / "html" / "a.html").write_text(page, encoding="utf-8")
    (tmp_path / "truth").mkdir()
    (tmp_path / "truth" / "a.txt").write_text("nessa says", encoding="utf-8")
    (tmp_path / "pages.tsv").write_text("name\tlabeller\na\topendcl\n", encoding="utf-8")
    return tmp_path


def item(text: str) -> PageItem:
    return PageItem("post", None, None, None, None, None, None, None, None, text)


def test_items_of_a_platform_are_read_by_its_class_names(folder: Path) -> None:
    (sample,) = samples_of(folder)
    truth = sample.truth()
    assert truth
    found = true_items(sample.read(), truth)
    assert list(NAMES) == [each.author for each in found]
    assert ("2024-05-01 10:11", True) == (found[0].time, found[0].body.startswith("nessa says"))


def test_cards_that_are_not_in_the_truth_do_not_count() -> None:
    cards = "".join(f"<article class=hentry><h2 class=entry-title>{name}</h2></article>" for name in NAMES)
    truth = Truth("a", "posts by Nessa and Bran", labeller="wp-listing")
    assert ["nessa", "bran"] == [each.title for each in true_items(cards.encode(), truth)]


def test_a_post_may_be_returned_without_its_quote(folder: Path) -> None:
    page = (folder / "html" / "a.html").read_text(encoding="utf-8")
    quote = "<blockquote>And so they say that one should wait for the ferry, and have a cup of tea.</blockquote>"
    (folder / "html" / "a.html").write_text(page.replace("olwen says", f"{quote}olwen says"), encoding="utf-8")
    (sample,) = samples_of(folder)
    truth = sample.truth()
    assert truth
    (quoted,) = (each for each in true_items(sample.read(), truth) if each.optional)
    assert quoted.body.startswith("And so they say that")
    answers = [quoted.body.partition("tea. ")[2], quoted.body, "And so they"]
    assert [1, 1, 0] == [len(match_posts([item(text)], [quoted])) for text in answers]


def test_each_post_is_matched_once() -> None:
    items = [item("the tide is in"), item("the tide is in"), item("mud")]
    true = [TrueItem(body="the tide is in"), TrueItem(body="quite another text")]
    assert [(items[0], true[0])] == match_posts(items, true)


def test_a_platform_and_all_are_scored(folder: Path) -> None:
    scores = score_items(samples_of(folder))
    assert ["opendcl", ALL] == list(scores)
    fields = scores[ALL].fields
    assert (1, 4, 4, 4) == (scores[ALL].pages, fields["found"].true, fields["author"].true, fields["time"].true)
    done = CliRunner().invoke(app, with_command(["evaluate", str(folder), "--items"]))
    assert done.exit_code == 0
    assert "opendcl" in done.output


def test_a_folder_without_known_platforms_is_refused(folder: Path) -> None:
    (folder / "pages.tsv").write_text("name\tlabeller\na\tunknown\n", encoding="utf-8")
    with pytest.raises(UsageError, match="no pages of a platform"):
        score_items(samples_of(folder))
