"""Sitemaps, in the forms that sites write them."""

import gzip
import time

import pytest

from pagestrata.inputs.sitemaps import Sitemap, read_sitemap

MAP = b'<?xml version="1.0"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">%s</urlset>'


def test_packed_prefixed_doubled_and_in_sections() -> None:
    entries = (
        b"<url><loc>\n https://a.example/1 </loc><lastmod>2026-11-15</lastmod></url>"
        b"<sm:url><sm:loc>https://a.example/2</sm:loc></sm:url>"
        b"<url><loc><![CDATA[https://a.example/3?a=1&b=2]]></loc></url>"
        b"<url><loc>https://a.example/1</loc></url><url><loc>file:///etc/passwd</loc></url>"
        b"<image:image><image:loc>https://a.example/tea.png</image:loc></image:image>"
    )
    expected = ("https://a.example/1", "https://a.example/2", "https://a.example/3?a=1&b=2")
    assert Sitemap(expected) == read_sitemap(gzip.compress(MAP % entries))


def test_an_index_names_sitemaps() -> None:
    index = b"<sitemapindex><sitemap><loc>https://a.example/1.xml.gz</loc></sitemap></sitemapindex>"
    assert Sitemap(sitemaps=("https://a.example/1.xml.gz",)) == read_sitemap(index)


@pytest.mark.parametrize(
    "data", [b"", b"<html><p>no urlset here", b"\x1f\x8bbroken", b"<rss><channel></channel></rss>"]
)
def test_what_is_no_sitemap(data: bytes) -> None:
    assert read_sitemap(data) is None


@pytest.mark.parametrize("piece", [b"<loc>", b"<![CDATA[", b"<a:loc>x", b"<loc>" + b"x" * 5000])
def test_hostile_ones_take_no_longer_than_long_ones(piece: bytes) -> None:
    started = time.process_time()
    assert Sitemap() == read_sitemap(MAP % (piece * (2_000_000 // len(piece))))
    assert time.process_time() - started < 2
