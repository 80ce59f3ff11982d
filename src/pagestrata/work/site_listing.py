"""A sample of the pages that a site lists itself, by sitemap or feed: a dozen of each form of address."""

from collections import defaultdict
from collections.abc import Iterable
from itertools import chain, zip_longest
from typing import Final
from urllib.parse import urlsplit

from pagestrata.api import parse
from pagestrata.errors import FetchError, InputError
from pagestrata.inputs.polite import PoliteFetcher
from pagestrata.inputs.site_addresses import LARGE, addresses_in, sitemaps_of, spread
from pagestrata.page.page import Page
from pagestrata.page.raw import RawPage
from pagestrata.render.links import WEB_SCHEMES, safe_link
from pagestrata.sites.layouts import url_shape
from pagestrata.sites.learn import host_of

PER_SHAPE: Final = 12
"""Eight to ten pages give nearly all that can be learned of a layout; some cannot be fetched."""
MAX_SHAPES: Final = 5
"""Forms of address that pages are taken of, the most frequent ones."""
MAX_SITEMAPS: Final = 8
"""Sitemaps that are read of one site: a sample needs no more, and each one is a request."""
_FEED_TYPES: Final = ("application/rss+xml", "application/atom+xml", "application/rdf+xml")
_NO_PAGE: Final = tuple(
    ".pdf .jpg .jpeg .png .gif .webp .svg .mp3 .mp4 .zip .gz .xml .rss .atom .json .txt .js".split()
)


def sample_of_site(home: RawPage, fetcher: PoliteFetcher, most: int | None = None) -> list[str]:
    """Return addresses of pages of a site, of each form in turn: `most` in all, or a dozen of each form."""
    url = home.url or ""
    listed = list(_in_sitemaps(url, fetcher)) or list(_in_feeds(home, fetcher))
    if not listed:
        raise InputError(f"{url} has neither a sitemap nor a feed that may be fetched: name some of its pages instead")
    sample = sample_by_shape(_of_host(listed, host_of(url)), most)
    if not sample:
        hosts = ", ".join(sorted({host_of(address) for address in listed})[:3])
        raise InputError(f"{url} lists pages of other sites only: {hosts}")
    return sample


def sample_by_shape(addresses: Iterable[str], most: int | None = None) -> list[str]:
    """Return addresses of each form in turn, spread evenly over all of that form; a form of one page shows nothing.

    >>> sample_by_shape([f"https://a.example/{name}" for name in ("x/1", "x/2", "y/1", "y/2", "about")], most=2)
    ['https://a.example/x/1', 'https://a.example/y/1']
    """
    shapes = defaultdict[str, list[str]](list)
    for address in dict.fromkeys(addresses):
        shapes[url_shape(address)].append(address)
    recurring = [members for members in shapes.values() if len(members) > 1] or [*shapes.values()]
    frequent = sorted(recurring, key=len, reverse=True)[:MAX_SHAPES]
    columns = [spread(members, most or PER_SHAPE) for members in frequent]
    sample = [address for address in chain.from_iterable(zip_longest(*columns)) if address is not None]
    return sample[:most]


def feeds_of(page: Page) -> list[str]:
    """Return the feeds that a page names in its `<link rel=alternate>` elements."""
    addresses = []
    for node in page.nodes_tagged("link").tolist():
        media = (page.attribute(node, "type") or "").partition(";")[0].strip().lower()
        rel = (page.attribute(node, "rel") or "").lower().split()
        if media in _FEED_TYPES and "alternate" in rel:
            addresses.append(safe_link(page, page.attribute(node, "href"), WEB_SCHEMES))
    return [*dict.fromkeys(filter(None, addresses))]


def _in_sitemaps(url: str, fetcher: PoliteFetcher) -> Iterable[str]:
    for sitemap in sitemaps_of(url, fetcher)[:MAX_SITEMAPS]:
        yield from _listed_in(sitemap, fetcher)


def _in_feeds(home: RawPage, fetcher: PoliteFetcher) -> Iterable[str]:
    for feed in feeds_of(parse(home)):
        yield from _listed_in(feed, fetcher)


def _listed_in(source: str, fetcher: PoliteFetcher) -> list[str]:
    """Return the addresses in a sitemap or feed; none if it cannot be read."""
    try:
        return addresses_in(fetcher.fetch(source, LARGE).data, fetcher, MAX_SITEMAPS) or []
    except FetchError:
        return []


def _of_host(addresses: Iterable[str], host: str) -> list[str]:
    """Return the addresses of pages of a host or a host below it."""
    return [
        address
        for address in addresses
        if f".{host_of(address)}".endswith(f".{host}") and not urlsplit(address).path.lower().endswith(_NO_PAGE)
    ]
