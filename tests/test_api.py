"""The doors: everything that may be given, and that the answer is always there."""

import asyncio
import dataclasses
import io
import pickle
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import lxml.etree
import lxml.html
import pytest
import requests
from bs4 import BeautifulSoup

import pagestrata
from pagestrata import (
    Extraction,
    Image,
    Link,
    Options,
    RawPage,
    aextract,
    afetch,
    diff,
    extract,
    fetch,
    guarded,
    learn,
    parse,
    read_file,
    segment,
)
from pagestrata.errors import AddressRefused, FetchError, InputError, UsageError
from pagestrata.options import OptionValues
from tests.build import EXAMPLES, NO_WEB_ADDRESSES, ROOT, WEB_ADDRESSES

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
def test_a_page_comes_in_many_forms(source: Any) -> None:
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
def test_what_is_no_page_is_a_usage_error(source: Any) -> None:
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


@pytest.mark.parametrize("name", ["page.html", "pages/a b.HTM", "page.html.gz", "pages/"])
def test_the_path_of_a_page_is_no_page(name: str) -> None:
    with pytest.raises(UsageError, match="is a path, not a page: give read_file\\(path\\)"):
        extract(name)


def test_the_address_of_a_page_is_no_page() -> None:
    with pytest.raises(UsageError, match="is an address, not a page: give fetch\\(address\\)"):
        extract(" https://tea.example/a ")


def test_text_that_only_ends_like_a_path_is_a_page() -> None:
    assert "Read index.html" == parse("<p>Read index.html").text
    assert "Read\nindex.html" in parse("Read\nindex.html").text.replace(" ", "\n")


def test_a_path_object_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(HTML)
    assert TEXT == extract(tmp_path / "a.html").text


def test_a_site_is_learned_from_a_folder_and_never_from_a_name() -> None:
    folder = EXAMPLES[0].parent
    assert learn(folder).site == learn([read_file(path) for path in sorted(folder.glob("*.html"))]).site
    for wrong in ("pages/", ["a.html", "b.html"], folder / "none"):
        with pytest.raises(UsageError, match=r"Path\(|read_file|not a folder"):
            learn(wrong)


def test_options_may_be_given_by_their_names() -> None:
    page = f"<article>{HTML}<aside>Aside of many words, more than one would think.</aside></article>"
    assert extract(page, options=Options(keep=("aside",))).json == extract(page, keep="aside").json
    assert extract(page, options=Options(bias=1.0), keep=["aside"]).options == Options(bias=1.0, keep=("aside",))
    assert segment(page, drop="h1")
    assert parse(page, keep="p").marks.keys() == {"p"}
    with pytest.raises(UsageError, match="there is no option 'coments'; did you mean comments"):
        extract(page, coments="on")  # type: ignore[call-arg]
    with pytest.raises(UsageError, match="keep is 'article', but must be a tuple of selectors"):
        Options(keep="article")  # type: ignore[arg-type]


def test_every_option_is_a_keyword() -> None:
    assert [field.name for field in dataclasses.fields(Options)] == [*OptionValues.__annotations__]


def test_an_extraction_is_a_dictionary_too() -> None:
    answer = extract(HTML).as_dict()
    assert ("Tea", 1) == (answer["metadata"]["title"], answer["schema_version"])


def test_an_extraction_is_short_in_a_console() -> None:
    shown = repr(extract(HTML))
    assert re.fullmatch(r"<Extraction 'Tea': \d+ of \d+ sections kept, [\d,]+ characters, method engine>", shown), shown
    assert "<Extraction '': 0 of 1 sections kept, 0 characters, method engine>" == repr(extract(""))


def test_pages_sections_models_and_differences_are_short_in_a_console() -> None:
    folder = ROOT / "examples" / "site" / "articles"
    raw = read_file(folder / "a-glossary-of-mud.html")
    page = parse(raw)
    assert f"<RawPage {raw.name}: {len(raw.markup):,} bytes>" == repr(raw)
    assert f"<Page {page.title!r}: {len(page.nodes):,} nodes, {len(page.blocks):,} blocks>" == repr(page)
    (section,) = segment(HTML)
    numbers = f"importance {section.importance:.2f}, {len(TEXT.split()) + 1} words"
    assert f"<Section main, kept, {numbers}: 'Tea Warm the pot, then" in repr(section)
    assert re.fullmatch(r"<SiteModel tidewater.example: layouts 1, pages 10, learned \S+>", repr(learn(folder)))
    shown = repr(diff(HTML, HTML + "<p>Never boil it twice."))
    assert "<PageDiff 'Tea': 1 same, 1 added>" == shown


@pytest.mark.parametrize("read", [extract, parse, guarded.extract])
@pytest.mark.parametrize("url", NO_WEB_ADDRESSES)
def test_a_url_is_that_of_a_page_on_the_web(read: Callable[..., object], url: str) -> None:
    message = f"{url!r} is not the URL of a page, which begins like https://example.org/"
    with pytest.raises(UsageError, match=re.escape(message)):
        read(HTML, url)


@pytest.mark.parametrize("url", WEB_ADDRESSES)
def test_unusual_urls_of_pages_are_urls(url: str) -> None:
    extraction = extract(HTML, url)
    assert (url, ()) == (extraction.page.url, extraction.warnings)


@pytest.mark.parametrize("url", NO_WEB_ADDRESSES)
def test_a_page_that_came_with_another_url_is_read_without_it(url: str) -> None:
    link = "<p>" + "Warm the pot, then wait a while. " * 9 + "<a href=/pot>A pot</a>"
    extraction = extract(RawPage(HTML + link, url=url))
    assert "[A pot](/pot)" in extraction.markdown
    assert f"{url!r} is not the URL of a page, which begins like https://example.org/" in extraction.warnings[0]
    assert (None, None) == (extraction.page.url, extraction.page.base)
    assert "the page has no text" == extract(RawPage("", url=url)).reason


def test_a_url_takes_the_place_of_that_of_the_source() -> None:
    raw = RawPage(HTML, url="https://example.org/tea")
    assert "https://example.org/other" == parse(raw, "https://example.org/other").url
    assert "https://example.org/tea" == parse(raw).url


def test_a_notebook_shows_sections_and_nothing_active() -> None:
    shown = extract("<h1>Tea &lt;script&gt;</h1><p>" + "Warm &lt;b onclick=x&gt; the pot. " * 20)._repr_html_()
    assert "Warm &lt;b onclick=x&gt; the pot." in shown
    assert "<script" not in shown


def test_links_and_images_of_the_kept_content() -> None:
    page = f"""<nav><a href=/home>Home</a></nav>{HTML} <a href='/cups?a=1'>tea <b>cups</b></a>
    <a href='javascript:x'>no</a> <img src=data:, data-src=pot.jpg alt=' A pot '></p>"""
    extraction = extract(page, "https://tea.example/a/", keep="p")
    assert (Link("https://tea.example/cups?a=1", "tea cups"),) == extraction.links
    assert (Image("https://tea.example/a/pot.jpg", "A pot"),) == extraction.images


def test_waiting_for_a_page_does_not_block_the_loop() -> None:
    assert TEXT == asyncio.run(aextract(HTML, comments="on")).text
    with pytest.raises(AddressRefused):
        asyncio.run(afetch("http://10.0.0.1/"))


def test_fetching_says_why_an_address_cannot_be_reached() -> None:
    with pytest.raises(FetchError, match=r"the name no-such-host\.invalid cannot be resolved"):
        fetch("http://no-such-host.invalid/")
    with pytest.raises(UsageError, match=r"'page\.html' is not a web address.*read_file"):
        fetch("page.html")


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
    with pytest.raises(UsageError, match="must be an Options object, not dict"):
        extract(HTML, options={"comments": "on"})  # type: ignore[arg-type]


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
