"""The XPath of the best wrapper, run by another parser on pages as they came."""

import os
from pathlib import Path

import lxml.etree
import lxml.html
import pytest

from pagestrata import Page, parse
from pagestrata.algorithms.forest import Forest
from pagestrata.page.element_types import ElementTypes


def words_of(text: str) -> str:
    return "".join(text.split())


def test_xpaths_lead_to_the_article_on_pages_of_real_sites() -> None:
    folder = Path(os.environ.get("PAGESTRATA_DATA", ""), "sitesets")
    if not os.environ.get("PAGESTRATA_DATA") or not folder.is_dir():
        pytest.skip("real pages are not here: set PAGESTRATA_DATA to a folder that holds sitesets/")
    files = {site.name: sorted(site.glob("*.html"))[:6] for site in sorted(folder.iterdir()) if site.is_dir()}
    reached = {
        name: is_reached([path.read_bytes() for path in paths]) for name, paths in files.items() if len(paths) > 5
    }
    assert [] == [name for name, is_there in reached.items() if not is_there]


def is_reached(markups: list[bytes]) -> bool:
    """Whether the XPath learned from all pages but the last leads, on the last, to what the wrapper does."""
    *learned, page = [parse(markup) for markup in markups]
    wrapper = Forest().learn(learned).ranked[0]
    tree = lxml.html.document_fromstring(markups[-1], parser=lxml.html.HTMLParser(encoding="utf-8"))
    elements = tree.xpath(wrapper.xpath)
    lxml.etree.strip_elements(tree, "script", "style", with_tail=False)  # only for the comparison of texts
    found = [words_of(element.text_content()) for element in elements]
    return all(any(start_of(page, node) in text for text in found) for node in ElementTypes(page).find(wrapper))


def start_of(page: Page, node: int) -> str:
    return words_of(page.text_of(node))[:20]
