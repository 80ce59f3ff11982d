"""Paths lead to the same element in the page as a browser parses it."""

import pickle
from pathlib import Path

import html5lib
import pytest
import turbohtml
from lxml.cssselect import CSSSelector
from tests.build import EXAMPLES, page_of, real_pages

from pagestrata import Options, Section, extract
from pagestrata.page.paths import MAX_CACHED_PATHS, Paths, is_exact


def words_below(element) -> str:  # type: ignore[no-untyped-def]
    return "".join("".join(element.itertext()).split())


def assert_paths_lead_back(data: bytes) -> None:
    """Both paths find one element, the same, in lxml's tree made by html5lib, and in the parser's own tree."""
    tree = html5lib.parse(data, treebuilder="lxml", namespaceHTMLElements=False)
    document = turbohtml.parse(data)
    for section in extract(data).leaves():
        by_xpath = tree.xpath(section.xpath)
        by_css = document.select(section.css_path)
        assert 1 == len(by_xpath) == len(by_css), (section.xpath, section.css_path)
        assert [section.css_path] == [path for path in [section.css_path] if CSSSelector(path)(tree) == by_xpath]
        assert by_xpath[0].tag == by_css[0].tag.lower()
        if section.path_is_exact and "<svg" not in str(data):
            for line in section.text.split("\n"):
                assert "".join(line.split()) in words_below(by_xpath[0])


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_paths_of_all_sections_of_the_examples(path: Path) -> None:
    # the TeX that we put in place of a drawing is in no tree but ours
    data = path.read_bytes()
    if b"math" not in data:
        assert_paths_lead_back(data)


def test_paths_of_all_sections_of_real_pages() -> None:
    for path in real_pages(12, seed=3):
        data = path.read_bytes()
        tree = html5lib.parse(data, treebuilder="lxml", namespaceHTMLElements=False)
        for section in extract(data).leaves():
            found = tree.xpath(section.xpath)
            assert 1 == len(found), (path.stem, section.xpath)
            assert CSSSelector(section.css_path)(tree) == found


def section_of(body: str, word: str, *keep: str) -> Section:
    extraction = extract(page_of(body, keep=keep), options=Options(keep=keep))
    return next(leaf for leaf in extraction.leaves() if word in leaf.text)


def test_positions_count_scripts_and_templates() -> None:
    inside = "<div>word here<p>and</p></div><div>x<p>y</p></div>"
    section = section_of(f"<script></script><div>a</div><template></template><div>{inside}</div>", "word", "div > div")
    assert "/html[1]/body[1]/div[2]/div[1]" == section.xpath
    assert "html > body:nth-of-type(1) > div:nth-of-type(2) > div:nth-of-type(1)" == section.css_path


def test_a_path_ends_at_the_host_of_a_shadow_root() -> None:
    section = section_of("<x-h><template shadowrootmode=open><div>word</div><div>y</div></template></x-h>", "word")
    assert ("/html[1]/body[1]/x-h[1]", False) == (section.xpath, section.path_is_exact)


def test_a_path_ends_where_no_name_can_be_spelled() -> None:
    section = section_of('<p>a</p><div><x"y><div>word</div><div>y</div></x"y></div>', "word")
    assert ("/html[1]/body[1]/div[1]", False) == (section.xpath, section.path_is_exact)


def test_a_path_ends_at_the_depth_that_is_kept() -> None:
    page = page_of("<div>" * 700 + "<div>word</div><div>y</div>")
    last = len(page.nodes) - 1
    assert 511 == page.paths.xpath(last).count("/") == page.paths.css_path(last).count(" > ") + 1
    assert not is_exact(page.nodes, len(page.nodes) - 1)


def test_names_with_colons_are_spelled_out() -> None:
    section = section_of("<o:p><div>word<p>and</p></div><div>x<p>y</p></div></o:p>", "word", "div")
    assert "/html[1]/body[1]/*[name()='o:p'][1]/div[1]" == section.xpath


def test_a_path_does_not_depend_on_what_is_remembered() -> None:
    page = page_of("<div><p>one</p><ul>" + "<li><b>x</b> y</li>" * (2 * MAX_CACHED_PATHS) + "</ul></div>")
    known, nodes = page.paths, range(len(page.nodes))
    fresh = [Paths(page.nodes, page.sibling_positions) for _ in nodes]
    assert [each.xpath(node) for node, each in zip(nodes, fresh, strict=True)] == [known.xpath(node) for node in nodes]
    assert [each.css_path(node) for node, each in zip(nodes, fresh, strict=True)] == list(map(known.css_path, nodes))


def test_paths_are_sent_along_with_a_page() -> None:
    page = page_of("<p>one</p><p>two</p>")
    last = page.paths.xpath(len(page.nodes) - 1)
    assert ("/html[1]/body[1]/p[2]", last) == (last, pickle.loads(pickle.dumps(page)).paths.xpath(len(page.nodes) - 1))  # noqa: S301 - ours
