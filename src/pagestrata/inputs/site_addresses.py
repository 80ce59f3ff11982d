"""The addresses of pages that a site lists itself: in sitemaps, which robots.txt names, and in feeds."""

import re
from collections import deque
from collections.abc import Iterable, Iterator
from typing import Final
from urllib.parse import urljoin, urlsplit

from pagestrata.errors import FetchError
from pagestrata.inputs.feeds import is_feed, read_feed
from pagestrata.inputs.http import FetchLimits
from pagestrata.inputs.polite import PoliteFetcher
from pagestrata.inputs.sitemaps import MAX_BYTES, read_sitemap
from pagestrata.page.raw import RawPage

MOST_SITEMAPS: Final = 1_000
"""Sitemaps that are read for one index."""
LARGE: Final = FetchLimits(max_bytes=MAX_BYTES)
_SITEMAP_LINE = re.compile(rb"(?im)^[ \t]*sitemap[ \t]*:[ \t]*(\S+)")
_WELL_KNOWN: Final = "/sitemap.xml"


def addresses_in(data: bytes, fetcher: PoliteFetcher) -> list[str] | None:
    """The addresses of pages in a sitemap or feed, each once; None if the data are neither."""
    sitemap = read_sitemap(data)
    if sitemap is not None:
        return [*dict.fromkeys((*sitemap.pages, *_follow(sitemap.sitemaps, fetcher)))]
    if is_feed(data):
        return [*dict.fromkeys(item.link for item in read_feed(data).items if is_address(item.link))]
    return None


def sitemaps_of(url: str, fetcher: PoliteFetcher) -> list[str]:
    """The sitemaps of a site: those that its robots.txt names, or the usual place."""
    try:
        robots = bytes_of(fetcher.fetch(urljoin(url, "/robots.txt")))
    except FetchError:
        robots = b""
    named = [urljoin(url, line.decode("utf-8", "replace")) for line in _SITEMAP_LINE.findall(robots)]
    return [*dict.fromkeys(filter(is_address, named))] or [urljoin(url, _WELL_KNOWN)]


def _follow(sitemaps: Iterable[str], fetcher: PoliteFetcher) -> Iterator[str]:
    """The pages of all sitemaps below an index; one that cannot be read is yielded itself, and fails as a page."""
    waiting = deque(sitemaps)
    seen: set[str] = set()
    while waiting:
        url = waiting.popleft()
        if url in seen or len(seen) >= MOST_SITEMAPS:
            continue
        seen.add(url)
        try:
            sitemap = read_sitemap(bytes_of(fetcher.fetch(url, LARGE)))
        except FetchError:
            sitemap = None
        if sitemap is None:
            yield url
        else:
            waiting.extend(sitemap.sitemaps)
            yield from sitemap.pages


def is_address(text: str) -> bool:
    """Whether a text is an address to fetch."""
    return text.lower().startswith(("http://", "https://"))


def is_home(url: str) -> bool:
    """Whether an address is that of a site, and not of a page or file in it.

    >>> is_home("https://tea.example"), is_home("https://tea.example/sitemap.xml")
    (True, False)
    """
    return urlsplit(url).path in ("", "/")


def bytes_of(raw: RawPage) -> bytes:
    """The contents of a page as bytes."""
    return raw.markup.encode() if isinstance(raw.markup, str) else raw.markup
