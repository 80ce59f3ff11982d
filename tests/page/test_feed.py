import pytest

from pagestrata import parse
from pagestrata.page.feed import Feed, FeedItem, address_key, find_item, item_by_link, item_by_title

TEA, MUD, MORE_MUD = (
    FeedItem("https://a.example/2026/tea/", "Tea & pots"),
    FeedItem("https://a.example/?p=7", "Mud"),
    FeedItem("https://a.example/?p=8", "Mud"),
)
FEED = Feed("Notes", (TEA, MUD, MORE_MUD))


@pytest.mark.parametrize(
    "url",
    [
        "http://www.a.example/2026/tea",
        "https://a.example/2026/tea/index.html#more",
        "https://A.EXAMPLE/2026/t%65a/?utm_source=x&utm_medium=y",
    ],
)
def test_an_address_may_be_spelled_in_many_ways(url: str) -> None:
    assert TEA == item_by_link(FEED, parse("<p>", url))


def test_a_query_tells_pages_apart() -> None:
    assert MORE_MUD == item_by_link(FEED, parse("<p>", "https://a.example/?p=8"))


def test_a_title_that_two_items_have_leads_to_neither() -> None:
    assert item_by_title(FEED, parse("<title>Mud</title>")) is None


def test_a_page_without_an_address_is_known_by_its_title() -> None:
    assert TEA == find_item(FEED, parse("<title>Tea &amp; pots | Notes</title><p>text"))


def test_part_of_a_word_is_no_title() -> None:
    assert item_by_title(Feed("", (FeedItem("", "Tea"),)), parse("<title>Teapots</title>")) is None


def test_an_address_that_cannot_be_read_is_like_no_other() -> None:
    assert "" == address_key("http://[")
