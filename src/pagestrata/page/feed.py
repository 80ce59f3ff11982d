"""Feed: what a site says of its own pages, as data."""

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
    """As plain text; often the first lines only."""
    categories: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Feed:
    """An RSS or Atom feed, read."""

    title: str
    items: tuple[FeedItem, ...]


def find_item(feed: Feed, page: Page) -> FeedItem | None:
    """The item that leads to a page: by its address, or else by its title."""
    return item_by_link(feed, page) or item_by_title(feed, page)


def item_by_link(feed: Feed, page: Page) -> FeedItem | None:
    """The item whose link is the page's address."""
    wanted = comparable(page.url or "")
    return next((item for item in feed.items if wanted and comparable(item.link) == wanted), None)


def item_by_title(feed: Feed, page: Page) -> FeedItem | None:
    """The only item whose title the page has as its heading or in its `<title>`."""
    heading = page.title_heading
    shown = {_spelled(page.title), _spelled(page.text_of(heading)) if heading is not None else ""}
    named = [item for item in feed.items if _spelled(item.title) and _is_shown(_spelled(item.title), shown)]
    return named[0] if len(named) == 1 else None


def _is_shown(title: str, shown: set[str]) -> bool:
    return any(title == text or f" {title} " in f" {text} " for text in shown)


def _spelled(title: str) -> str:
    return " ".join(words(title.lower()))


def comparable(link: str) -> str:
    """What of an address tells one page of a site from another.

    >>> comparable("https://www.tidewater.example/mud/index.html?utm_source=feed#top")
    'tidewater.example/mud'
    >>> comparable("http://tidewater.example/?p=12&utm_medium=rss")
    'tidewater.example?p=12'
    """
    try:
        parts = urlsplit(link.strip())
    except ValueError:
        return ""
    query = "&".join(part for part in parts.query.split("&") if part and not _TRACKING.match(part.partition("=")[0]))
    path = _INDEX.sub("", unquote(parts.path))
    return parts.netloc.lower().removeprefix("www.") + path + (f"?{query}" if query else "")
