"""Input made to cost time: each page is of a size that anything worse than linear would not finish in seconds."""

import time

import pytest
from tests.metadata.helpers import URL, script

from pagestrata import Options, parse
from pagestrata.metadata.merge import read_metadata

SECONDS = 5.0
"""Far above what the slowest takes on a small machine (1 s), far below what a quadratic reader would."""
CASES = {
    "metas": '<meta name="author" content="A B">' * 100_000,
    "metas with names of their own": "".join(f'<meta name="n{i}-author" content="1">' for i in range(50_000)),
    "metas without dates": '<meta name="date" content="soon, maybe in 2024">' * 50_000,
    "one long description": f'<meta name="description" content="{"&amp;amp;" * 500_000}">',
    "many keywords": f'<meta name="keywords" content="{"a," * 500_000}">',
    "open brackets": script("[" * 1_990_000),
    "open and closed brackets": script("[" * 900_000 + "]" * 900_000),
    "many lists": script("[" + ",".join(["[]"] * 600_000) + "]"),
    "many articles": script("[" + ",".join(['{"@type":"Article","name":"x"}'] * 60_000) + "]"),
    "many scripts": script('{"@type":"Article"}') * 5_000,
    "values without brackets around": script('{"a":1},' * 200_000),
    "blanks after a comma": script('{"a":1,' + " " * 1_900_000),
    "blanks after a comment": script("/*" + " " * 1_900_000),
    "backslashes": script('{"a":"' + "\\" * 1_900_000),
    "a long number": script('{"a":' + "1" * 1_900_000 + "}"),
    "a long type": script('{"@type":"' + "A" * 1_900_000 + '"}'),
    "a long headline": script('{"@type":"Article","headline":"' + "A | " * 400_000 + '"}'),
    "many authors": script('{"@type":"Article","author":[' + '"A B",' * 300_000 + '"C"]}'),
    "properties": '<i itemprop="name">a' * 300_000,
    "items": '<p itemscope itemtype="https://schema.org/Article"><b itemprop="name">a</b>' * 50_000,
    "nested items": '<div itemscope itemprop="author">' * 200_000 + "x" * 500_000,
    "a text in nested properties": '<div itemprop="description">' * 500 + "x " * 1_000_000,
    "times": "<h1>a</h1>" + "<time>x</time>" * 200_000,
    "headings": "<title>a b</title>" + "<h1>a</h1>" * 200_000,
    "bylines without a name": "<h1>a</h1>" + '<b class="author"></b>' * 200_000,
    "nested bylines": "<h1>a</h1>" + '<div class="author">' * 200_000 + "x",
    "canonical links": '<link rel="canonical" href="a">' * 200_000,
    "a long relation": f'<a rel="{"a " * 2_000_000}">',
    "a long title": f"<title>{'a | b - ' * 500_000}</title><h1>a</h1>",
    "a line without end": f"<h1>a</h1><p>{'By 2024 ' * 500_000}",
}


@pytest.mark.parametrize("name", CASES)
def test_no_input_costs_more_than_its_length(name: str) -> None:
    page = parse(CASES[name], url=URL)
    start = time.perf_counter()
    read_metadata(page, Options())
    assert time.perf_counter() - start < SECONDS


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
        found = read_metadata(parse(markup, url=url), Options())
        assert found.as_dict() is not None


def test_the_same_page_gives_the_same_answer() -> None:
    page = parse("".join(CASES[name] for name in ("many scripts", "headings", "items")), url=URL)
    assert read_metadata(page, Options()) == read_metadata(page, Options())
