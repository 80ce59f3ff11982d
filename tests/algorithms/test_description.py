import pytest

from pagestrata import parse
from pagestrata.algorithms.description import Description, Descriptions
from pagestrata.page.feed import Feed, FeedItem

FEED = Feed("Notes", (FeedItem("https://a.example/tea", "Tea on the fjord", "A pot of tea, a heron and a larch ..."),))
MARKUP = (
    "<title>Tea</title><h1>Tea</h1><p>A pot of tea, a heron and a larch. More of it than one would want.</p><p>Mud</p>"
)


def learned(feed: Feed | None = FEED) -> Descriptions:
    return Description().learn([], feed)


def test_title_and_description_are_taken_as_they_are() -> None:
    page = parse(MARKUP, "https://a.example/tea")
    assert "Tea on the fjord\nA pot of tea, a heron and a larch ..." == learned().text_of(page)


def test_the_blocks_that_the_item_quotes_are_kept() -> None:
    sections = learned().segment(parse(MARKUP, "https://a.example/tea")).sections
    kept = [leaf.text for leaf in sections[0].leaves() if leaf.kept and leaf.role == "main"]
    assert ["A pot of tea, a heron and a larch. More of it than one would want."] == kept


@pytest.mark.parametrize(
    ("feed", "note"), [(None, "there is no feed"), (FEED, "no item of the feed leads to this page")]
)
def test_without_an_item_the_answer_says_why_it_is_empty(feed: Feed | None, note: str) -> None:
    page = parse("<title>Mud</title><p>Mud", "https://a.example/mud")
    assert ("", (note,)) == (learned(feed).text_of(page), learned(feed).segment(page).notes)
