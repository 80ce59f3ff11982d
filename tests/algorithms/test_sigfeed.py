import pytest

from pagestrata import Page, parse
from pagestrata.algorithms.sigfeed import SigFeed
from pagestrata.page.feed import Feed, FeedItem

FEED = Feed(
    "Notes",
    (
        FeedItem("http://a.example/mud?utm_source=rss", "Mud", "Mud and peat."),
        FeedItem("https://www.a.example/tea/", "Tea on the fjord", "A pot of tea, a heron and a larch."),
    ),
)
MARKUP = """<title>Tea on the fjord - Notes</title><div>Notes tea</div><div><h1>Tea on the fjord</h1>
<div><p>A pot of tea.</p><p>A <b>heron</b> and a larch.</p></div><div>Mud next week</div></div>"""


def read(
    markup: str = MARKUP, url: str | None = "https://a.example/tea", feed: Feed | None = FEED
) -> tuple[list[str], list[str]]:
    page: Page = parse(markup, url)
    segmentation = SigFeed().learn([page], feed).segment(page)
    leaves = [leaf for section in segmentation.sections for leaf in section.leaves()]
    return [leaf.text for leaf in leaves if leaf.kept and leaf.role != "title"], list(segmentation.notes)


def test_the_div_that_holds_most_keywords_itself_is_the_article() -> None:
    assert (["A pot of tea.\nA heron and a larch."], []) == read()


def test_an_item_that_is_found_by_its_title_is_said_to_be() -> None:
    assert (["A pot of tea.\nA heron and a larch."], ["the feed item was found by its title"]) == read(url=None)


def test_of_equal_ones_the_smallest_is_taken() -> None:
    markup = "<title>Mud</title><div>mud <i></i><i></i></div><div>mud</div>"
    assert ["mud"] == read(markup, "https://a.example/mud")[0]


@pytest.mark.parametrize(
    ("markup", "url", "feed", "note"),
    [
        (MARKUP, "https://a.example/tea", None, "there is no feed"),
        ("<title>Rain</title><p>Rain", "https://a.example/rain", FEED, "no item of the feed leads to this page"),
        ("<p>Rain", "https://a.example/tea", FEED, "the page has no word of its feed item"),
        ("", "https://a.example/tea", FEED, "the page has no word of its feed item"),
    ],
)
def test_without_an_item_the_answer_says_why_it_is_empty(markup: str, url: str, feed: Feed | None, note: str) -> None:
    assert ([], [note]) == read(markup, url, feed)
