"""Sitemaps and sitemap indexes, read by searching for `<loc>`, without an XML parser."""

import re
import zlib
from html import unescape
from typing import Final, NamedTuple

from pagestrata.inputs.addresses import is_address
from pagestrata.page.text import without_controls

MAX_BYTES: Final = 52_428_800
"""The limit of the protocol for a decompressed sitemap (sitemaps.org)."""
_HEAD = 4096
_KIND = re.compile(rb"<(?:\w+:)?(urlset|sitemapindex)[\s>]")
_LOCATION = re.compile(r"<(?!image:|video:)(?:\w+:)?loc>([^<]{1,4096})</", re.IGNORECASE)
_CDATA = re.compile(r"<!\[CDATA\[([^]<]{0,4096})\]\]>")
_GZIP = 31


class Sitemap(NamedTuple):
    """The addresses in a sitemap or in an index of sitemaps."""

    pages: tuple[str, ...] = ()
    sitemaps: tuple[str, ...] = ()


def read_sitemap(data: bytes) -> Sitemap | None:
    """Read a sitemap or an index of sitemaps, gzipped or not; None for other data.

    >>> read_sitemap(b"<urlset><url><loc> https://a.example/?x=1&amp;y=2 </loc></url></urlset>")
    Sitemap(pages=('https://a.example/?x=1&y=2',), sitemaps=())
    """
    if data.startswith(b"\x1f\x8b"):
        try:
            data = zlib.decompressobj(_GZIP).decompress(data, MAX_BYTES)
        except zlib.error:
            return None
    kind = _KIND.search(data[:_HEAD])
    if kind is None:
        return None
    text = _CDATA.sub(r"\1", data[:MAX_BYTES].decode("utf-8", "replace"))
    locations = (without_controls(unescape(location)).strip() for location in _LOCATION.findall(text))
    urls = tuple(dict.fromkeys(url for url in locations if is_address(url)))
    return Sitemap(urls) if kind[1] == b"urlset" else Sitemap(sitemaps=urls)
