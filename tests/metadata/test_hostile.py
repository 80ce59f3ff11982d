"""Input made to cost time: the work must not grow faster than the page."""

import sys
from collections.abc import Callable
from types import FrameType

import pytest
from tests.growth import assert_linear
from tests.metadata.helpers import URL, script

from pagestrata import Options, parse
from pagestrata.metadata.merge import read_metadata
from pagestrata.page.raw import RawPage

SMALL = 400
"""Repetitions from which growth is measured; the numbers in `CASES` are those of a page that would not be finished
if the work grew faster than the page."""
CASES: dict[str, tuple[Callable[[int], str], int]] = {
    "metas": (lambda n: '<meta name="author" content="A B">' * n, 100_000),
    "metas with different names": (
        lambda n: "".join(f'<meta name="n{i}-author" content="1">' for i in range(n)),
        50_000,
    ),
    "metas without dates": (lambda n: '<meta name="date" content="soon, maybe in 2024">' * n, 50_000),
    "one long description": (lambda n: f'<meta name="description" content="{"&amp;amp;" * n}">', 500_000),
    "many keywords": (lambda n: f'<meta name="keywords" content="{"a," * n}">', 500_000),
    "open brackets": (lambda n: script("[" * n), 1_990_000),
    "open and closed brackets": (lambda n: script("[" * n + "]" * n), 900_000),
    "many lists": (lambda n: script("[" + ",".join(["[]"] * n) + "]"), 600_000),
    "many articles": (lambda n: script("[" + ",".join(['{"@type":"Article","name":"x"}'] * n) + "]"), 60_000),
    "many scripts": (lambda n: script('{"@type":"Article"}') * n, 5_000),
    "values without brackets around": (lambda n: script('{"a":1},' * n), 200_000),
    "blanks after a comma": (lambda n: script('{"a":1,' + " " * n), 1_900_000),
    "blanks after a comment": (lambda n: script("/*" + " " * n), 1_900_000),
    "backslashes": (lambda n: script('{"a":"' + "\\" * n), 1_900_000),
    "a long number": (lambda n: script('{"a":' + "1" * n + "}"), 1_900_000),
    "a long type": (lambda n: script('{"@type":"' + "A" * n + '"}'), 1_900_000),
    "a long headline": (lambda n: script('{"@type":"Article","headline":"' + "A | " * n + '"}'), 400_000),
    "many authors": (lambda n: script('{"@type":"Article","author":[' + '"A B",' * n + '"C"]}'), 300_000),
    "properties": (lambda n: '<i itemprop="name">a' * n, 300_000),
    "items": (
        lambda n: '<p itemscope itemtype="https://schema.org/Article"><b itemprop="name">a</b>' * n,
        50_000,
    ),
    "nested items": (lambda n: '<div itemscope itemprop="author">' * n + "x" * 2 * n, 200_000),
    "a text in nested properties": (lambda n: '<div itemprop="description">' * 500 + "x " * n, 1_000_000),
    "times": (lambda n: "<h1>a</h1>" + "<time>x</time>" * n, 200_000),
    "headings": (lambda n: "<title>a b</title>" + "<h1>a</h1>" * n, 200_000),
    "bylines without a name": (lambda n: "<h1>a</h1>" + '<b class="author"></b>' * n, 200_000),
    "nested bylines": (lambda n: "<h1>a</h1>" + '<div class="author">' * n + "x", 200_000),
    "canonical links": (lambda n: '<link rel="canonical" href="a">' * n, 200_000),
    "a long relation": (lambda n: f'<a rel="{"a " * n}">', 2_000_000),
    "a long title": (lambda n: f"<title>{'a | b - ' * n}</title><h1>a</h1>", 500_000),
    "marked dates": (lambda n: "<h1>a</h1>" + '<b class="date">5 May 2024</b>' * n, 100_000),
    "nested dates": (lambda n: "<h1>a</h1>" + '<div class="date">' * n + "x", 200_000),
    "publications": (lambda n: "<h1>a</h1>" + "<p>Published, posted, veröffentlicht 2024</p>" * n, 50_000),
    "authorship in lines": (lambda n: "<h1>a</h1>" + "<p>Written by</p>" * n, 100_000),
    "years in lines": (lambda n: "<h1>a</h1>" + "<p>x 2024</p>" * n, 100_000),
    "lower headings": (lambda n: "<title>a b | c</title>" + "<h2>a b</h2>" * n, 200_000),
    "nested headings": (lambda n: "<title>a b | c</title>" + "<h1><div>" * n + "x", 100_000),
    "organisations": (
        lambda n: script("[" + ",".join(f'{{"@type":"Organization","name":"o{i} x"}}' for i in range(n)) + "]"),
        60_000,
    ),
    "a line without end": (lambda n: f"<h1>a</h1><p>{'By 2024 ' * n}", 500_000),
}


def reading(markup: str) -> Callable[[], object]:
    """Reads the metadata of a page that is parsed beforehand."""
    page = parse(markup, url=URL)
    return lambda: read_metadata(page, Options())


def characters_returned(act: Callable[[], object]) -> int:
    """How many characters the functions of pagestrata hand to each other: what copying text over and over shows in."""
    count = 0

    def profile(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        if event == "return" and isinstance(argument, str) and "pagestrata" in frame.f_code.co_filename:
            count += len(argument)

    before = sys.getprofile()
    sys.setprofile(profile)
    try:
        act()
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.parametrize("name", CASES)
def test_work_grows_no_faster_than_the_page(name: str) -> None:
    make, _ = CASES[name]
    assert_linear(lambda size: reading(make(size)), SMALL)


@pytest.mark.parametrize("name", CASES)
def test_no_text_is_copied_over_and_over(name: str) -> None:
    markup = CASES[name][0](4 * SMALL)
    assert characters_returned(reading(markup)) < 20 * len(markup) + 10_000


@pytest.mark.parametrize("name", CASES)
def test_a_very_large_page_is_answered(name: str) -> None:
    make, size = CASES[name]
    assert read_metadata(parse(make(size), url=URL), Options()).as_dict() is not None


@pytest.mark.parametrize(
    "markup",
    [
        '<base href="http://["><link rel=canonical href="http://[">',
        '<html lang="&#0;"><meta name=author content="&#xD800;"><title>\x00</title>',
        script(
            '{"@type":{"a":1},"author":{"author":[null,true,1.5]},"url":7,"@id":[],"@graph":"x","image":{"url":{}}}'
        ),
        script('{"@type":"Article","headline":["a",["b"]],"author":{"name":null},"keywords":{"a":"b"},"publisher":3}'),
        script('{"@type":["Article",7,null],"datePublished":20240517,"inLanguage":["xx","\\ud800"]}'),
        "<meta name><meta content><meta name=date content><link rel><link href><time><time datetime><h1><p itemprop>",
        '<p itemscope itemprop="author author"><b itemprop="name name">x',
    ],
)
def test_nothing_wrong_with_a_page_raises(markup: str) -> None:
    for url in (None, "", "http://[", "not a url", URL):
        found = read_metadata(parse(RawPage(markup, url)), Options())
        assert found.as_dict() is not None


def test_the_same_page_gives_the_same_answer() -> None:
    markup = "".join(CASES[name][0](5_000) for name in ("many scripts", "headings", "items"))
    page = parse(markup, url=URL)
    assert read_metadata(page, Options()) == read_metadata(page, Options())
