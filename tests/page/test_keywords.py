"""Keywords from links to a page, and from the form that it answers."""

from pagestrata import RawPage, parse
from pagestrata.page.feed import FeedItem
from pagestrata.page.keywords import anchor_feed, form_keywords


def test_texts_of_links_to_one_address_are_one_item() -> None:
    one = parse(
        "<a href=/tea>Green tea</a><a href=/tea#top>Green tea</a><a href='mailto:x@y'></a>", "https://a.example/"
    )
    two = parse("<a href=https://www.a.example/tea/>Steeping times</a>", "https://a.example/two")
    assert (FeedItem("https://a.example/tea", "Green tea Steeping times"),) == anchor_feed([one, two]).items


def test_a_link_of_a_page_to_itself_says_nothing() -> None:
    assert () == anchor_feed([parse("<a href=#top>Back to the top</a>", "https://a.example/tea")]).items


def test_only_fields_for_words_are_keywords() -> None:
    page = parse("<input type=hidden value=token><input type=checkbox value=on><input TYPE=SEARCH value=' tea  pot '>")
    assert "tea pot" == form_keywords(page)


def test_an_address_that_cannot_be_read_has_no_keywords() -> None:
    assert "" == form_keywords(parse(RawPage("<p>", url="http://[/?q=tea")))
