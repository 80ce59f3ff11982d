"""Keywords that lead to a page or were asked for: texts of links to it, and what was typed into its form."""

from collections.abc import Iterable, Iterator
from typing import Final
from urllib.parse import parse_qsl, urlsplit

from pagestrata.page.feed import Feed, FeedItem, address_key
from pagestrata.page.page import Page
from pagestrata.page.text import collapse

MAX_ANCHORS: Final = 2_048
"""The limit on the addresses whose anchor texts are kept."""
_TYPED: Final = frozenset(("", "text", "search"))
"""The types of fields that hold words; the default of `<input>` is `text`."""


def anchor_feed(pages: Iterable[Page]) -> Feed:
    """Return the texts of all links on some pages as a feed: one item per address, with each different text once."""
    texts: dict[str, dict[str, None]] = {}
    links: dict[str, str] = {}
    for page in pages:
        for node, target in page.links:
            link, text = page.resolve(target), collapse(page.text_of(node))
            key = address_key(link)
            if text and key and key != address_key(page.url or "") and (key in texts or len(texts) < MAX_ANCHORS):
                texts.setdefault(key, {})[text] = None
                links.setdefault(key, link)
    return Feed("anchor texts", tuple(FeedItem(links[key], " ".join(own)) for key, own in texts.items()))


def form_keywords(page: Page) -> str:
    """Return what was typed into the form that a page answers: the values of its text fields, or else of its address.

    >>> from pagestrata import parse
    >>> form_keywords(parse("<input name=q value='sea mud'><input type=submit value=Go>"))
    'sea mud'
    >>> form_keywords(parse("<p>", url="https://a.example/find?q=sea+mud&page=2"))
    'sea mud'
    """
    return " ".join(_typed_values(page)) or " ".join(_address_values(page.url or ""))


def _typed_values(page: Page) -> Iterator[str]:
    for node in page.nodes_tagged("input").tolist():
        value = collapse(page.attribute(node, "value") or "")
        if value and (page.attribute(node, "type") or "").strip().lower() in _TYPED:
            yield value


def _address_values(address: str) -> Iterator[str]:
    """Yield the values in the query of an address that have letters in them: others are numbers of pages."""
    try:
        query = urlsplit(address).query
    except ValueError:
        return
    yield from (value for _, value in parse_qsl(query) if any(map(str.isalpha, value)))
