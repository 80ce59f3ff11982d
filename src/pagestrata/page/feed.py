"""Feed: the titles and descriptions that a site publishes of its own pages."""

import re
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from pagestrata.page.page import Page
from pagestrata.page.text import words

_INDEX = re.compile(r"/(?:index\.\w+)?\Z")
_TRACKING = re.compile(r"(?:utm_|at_|fbclid|gclid|from$|source$|ref$|rss$)")


@dataclass(frozen=True, slots=True)
class FeedItem:
    """One entry of a feed."""

    link: str
    title: str
    description: str = ""
    """Plain text; often only the first lines of the page."""
    categories: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Feed:
    """The content of an RSS or Atom feed."""

    title: str
    items: tuple[FeedItem, ...]


def find_item(feed: Feed, page: Page) -> FeedItem | None:
    """Return the item that links to a page: by its address, or else by its title."""
    return item_by_link(feed, page) or item_by_title(feed, page)


def item_by_link(feed: Feed, page: Page) -> FeedItem | None:
    """Return the item whose link is the page's address."""
    page_key = address_key(page.url or "")
    return next((item for item in feed.items if page_key and address_key(item.link) == page_key), None)


def item_by_title(feed: Feed, page: Page) -> FeedItem | None:
    """Return the only item whose title is in the heading or the `<title>` of the page; None if there are several."""
    heading = page.title_heading
    page_titles = {_normalised(page.title), _normalised(page.text_of(heading)) if heading is not None else ""}
    matches = [item for item in feed.items if _normalised(item.title) and _is_in(_normalised(item.title), page_titles)]
    return matches[0] if len(matches) == 1 else None


def _is_in(title: str, page_titles: set[str]) -> bool:
    return any(title == text or f" {title} " in f" {text} " for text in page_titles)


def _normalised(title: str) -> str:
    return " ".join(words(title.lower()))


def address_key(link: str) -> str:
    """Return the part of an address that distinguishes the pages of a site.

    >>> address_key("https://www.tidewater.example/mud/index.html?utm_source=feed#top")
    'tidewater.example/mud'
    >>> address_key("http://tidewater.example/?p=12&utm_medium=rss")
    'tidewater.example?p=12'
    """
    try:
        parts = urlsplit(link.strip())
    except ValueError:
        return ""
    query = "&".join(part for part in parts.query.split("&") if part and not _TRACKING.match(part.partition("=")[0]))
    path = _INDEX.sub("", unquote(parts.path))
    return parts.netloc.lower().removeprefix("www.") + path + (f"?{query}" if query else "")
