"""The doors: everything that may be given, and that the answer is always there."""

import io
import pickle
from pathlib import Path

import httpx
import lxml.etree
import lxml.html
import pytest
import requests
from bs4 import BeautifulSoup

import pagestrata
from pagestrata import Extraction, Options, RawPage, extract, parse, read_file, segment
from pagestrata.errors import InputError, UsageError
from tests.build import EXAMPLES

HTML = "<title>Tea</title><h1>Tea</h1><p>" + "Warm the pot, then pour and wait a while. " * 8
TEXT = ("Warm the pot, then pour and wait a while. " * 8).strip()


def response_of_requests() -> requests.Response:
    response = requests.Response()
    response._content, response.url = HTML.encode(), "https://example.org/tea"
    response.headers["Content-Type"] = "text/html; charset=utf-8"
    return response


def response_of_httpx() -> httpx.Response:
    return httpx.Response(200, html=HTML, request=httpx.Request("GET", "https://example.org/tea"))


@pytest.mark.parametrize(
    "source",
    [
        HTML,
        HTML.encode(),
        bytearray(HTML.encode()),
        memoryview(HTML.encode()),
        RawPage(HTML),
        parse(HTML),
        io.StringIO(HTML),
        io.BytesIO(HTML.encode()),
        response_of_requests(),
        response_of_httpx(),
        lxml.html.document_fromstring(HTML),
        lxml.etree.ElementTree(lxml.html.document_fromstring(HTML)),
        BeautifulSoup(HTML, "html.parser"),
    ],
    ids=lambda source: type(source).__name__,
)
def test_a_page_comes_in_many_forms(source: object) -> None:
    assert TEXT == extract(source).text


@pytest.mark.parametrize("make", [response_of_requests, response_of_httpx])
def test_a_response_knows_its_address_and_charset(make) -> None:  # type: ignore[no-untyped-def]
    page = parse(make())
    assert "https://example.org/tea" == page.url
    assert ("UTF-8", "http") == (page.encoding.name, page.encoding.source)


def test_a_path_is_read_by_an_explicit_function(tmp_path: Path) -> None:
    path = tmp_path / "tea.html"
    path.write_text(HTML)
    extraction = extract(read_file(path, url="https://example.org/tea"))
    assert (TEXT, str(path)) == (extraction.text, extraction.page.source)
    with pytest.raises(InputError, match="cannot read"):
        read_file(tmp_path / "none.html")
    with pytest.raises(InputError, match="cannot read"):
        read_file("nul\0l")


@pytest.mark.parametrize("source", [None, 7, object(), ["<p>"]])
def test_what_is_no_page_is_a_usage_error(source: object) -> None:
    with pytest.raises(UsageError, match=type(source).__name__):
        extract(source)


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("", "the page has no text"),
        ("<img src=x>", "the page has no text"),
        (b"%PDF-1.4", "not a page: the input looks like PDF"),
        ("<nav><a href=x>Home</a>", "no section looks like content: see their reasons"),
    ],
)
def test_an_empty_answer_has_a_reason(source: str | bytes, reason: str) -> None:
    extraction = extract(source)
    assert ("", reason) == (extraction.text, extraction.reason)


def test_an_answer_needs_no_reason() -> None:
    assert "" == extract(HTML).reason


def test_an_extraction_pickles() -> None:
    extraction = extract(HTML)
    assert extraction.json == pickle.loads(pickle.dumps(extraction)).json  # noqa: S301 - our own bytes


def test_segment_gives_the_roots() -> None:
    assert 1 == len(segment(HTML))


def test_a_page_over_time_is_answered_whole() -> None:
    extraction = extract(HTML, options=Options(seconds=0.0))
    assert ["seconds"] == [limit.name for limit in extraction.limits]
    assert TEXT in extraction.text


def test_the_options_that_are_refused() -> None:
    for wrong in ({"bias": 2}, {"bias": float("nan")}, {"comments": "maybe"}, {"max_bytes": 0}, {"max_depth": -1}):
        with pytest.raises(UsageError, match=next(iter(wrong))):
            Options(**wrong)


def test_a_page_must_know_the_selectors_it_is_asked_for() -> None:
    with pytest.raises(UsageError, match="parsed without the selector 'p'"):
        extract(parse(HTML), options=Options(drop=("p",)))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_leaves_partition_blocks_and_nodes(path: Path) -> None:
    assert_partition(extract(path.read_bytes()))


def assert_partition(extraction: Extraction) -> None:
    block = node = 0
    for leaf in extraction.leaves():
        assert (block, node) == (leaf.block_start, leaf.node_start)
        assert 0.0 <= leaf.importance <= 1.0
        assert leaf.reasons
        block, node = leaf.block_end, leaf.node_end
    assert (len(extraction.page.blocks), len(extraction.page.nodes)) == (block, node)


def test_warnings_tell_of_what_is_not_seen() -> None:
    warnings = extract("<p>pass\u200bword \ufffd\ufffd").warnings
    assert ["2 characters could not be read as UTF-8", "1 invisible or direction-changing characters in the text"] == [
        *warnings
    ]


def test_the_public_names_are_sorted_and_there() -> None:
    assert sorted(pagestrata.__all__) == pagestrata.__all__
    assert all(hasattr(pagestrata, name) for name in pagestrata.__all__)
