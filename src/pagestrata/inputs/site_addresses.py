"""The addresses of pages that a site lists itself: in sitemaps, which robots.txt names, and in feeds."""

import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, TypeVar
from urllib.parse import urljoin, urlsplit

from pagestrata.errors import FetchError
from pagestrata.inputs.addresses import is_address
from pagestrata.inputs.feeds import is_feed, read_feed
from pagestrata.inputs.http import FetchLimits
from pagestrata.inputs.polite import PoliteFetcher
from pagestrata.inputs.sitemaps import MAX_BYTES, read_sitemap

MOST_SITEMAPS: Final = 1_000
"""Sitemaps that are read for one index."""
LARGE: Final = FetchLimits(max_bytes=MAX_BYTES)
_SITEMAP_LINE = re.compile(rb"(?im)^[ \t]*sitemap[ \t]*:[ \t]*(\S+)")
_WELL_KNOWN: Final = "/sitemap.xml"
_Item = TypeVar("_Item")


def addresses_in(data: bytes, fetcher: PoliteFetcher, most: int = MOST_SITEMAPS) -> list[str] | None:
    """The addresses of pages in a sitemap or feed, each once; None if the data are neither.

    Of an index with more than `most` sitemaps so many are read, spread evenly.
    """
    sitemap = read_sitemap(data)
    if sitemap is not None:
        return [*dict.fromkeys((*sitemap.pages, *_follow(spread(sitemap.sitemaps, most), fetcher, most)))]
    if is_feed(data):
        return [*dict.fromkeys(item.link for item in read_feed(data).items if is_address(item.link))]
    return None


def sitemaps_of(url: str, fetcher: PoliteFetcher) -> list[str]:
    """The sitemaps of a site: those that its robots.txt names, or the usual place."""
    try:
        robots = fetcher.fetch(urljoin(url, "/robots.txt")).data
    except FetchError:
        robots = b""
    named = [urljoin(url, line.decode("utf-8", "replace")) for line in _SITEMAP_LINE.findall(robots)]
    return [*dict.fromkeys(filter(is_address, named))] or [urljoin(url, _WELL_KNOWN)]


def _follow(sitemaps: Iterable[str], fetcher: PoliteFetcher, most: int) -> Iterator[str]:
    """The pages of all sitemaps below an index; one that cannot be read is yielded itself, and fails as a page."""
    waiting = deque(sitemaps)
    seen: set[str] = set()
    while waiting:
        url = waiting.popleft()
        if url in seen or len(seen) >= most:
            continue
        seen.add(url)
        try:
            sitemap = read_sitemap(fetcher.fetch(url, LARGE).data)
        except FetchError:
            sitemap = None
        if sitemap is None:
            yield url
        else:
            waiting.extend(sitemap.sitemaps)
            yield from sitemap.pages


def spread(items: Sequence[_Item], count: int) -> list[_Item]:
    """At most `count` items, evenly spread over all: folders and sitemaps often list pages by kind or by date.

    >>> spread("abcdefgh", 3), spread("ab", 3)
    (['a', 'c', 'f'], ['a', 'b'])
    """
    count = min(count, len(items))
    return [items[place * len(items) // count] for place in range(count)]


def is_home(url: str) -> bool:
    """Whether an address is that of a site, and not of a page or file in it.

    >>> is_home("https://tea.example"), is_home("https://tea.example/sitemap.xml")
    (True, False)
    """
    return urlsplit(url).path in ("", "/")
