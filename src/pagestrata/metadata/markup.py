"""Attributes and short texts read in bulk: what the readers share.

Going through the arrays of a page one number at a time is slow, so these read whole columns at once.
"""

from collections.abc import Iterator
from itertools import islice
from typing import Final

import numpy as np

from pagestrata.page import tags
from pagestrata.page.columns import unescape
from pagestrata.page.page import Page

MOST_METAS: Final = 5_000
"""The page with most in wcxb has 211."""
MOST_VALUES: Final = 20_000
"""Of one attribute on a page. The page with most in wcxb has 7,741 times `class`."""
HEADING_LENGTH: Final = 2_000
"""Of a title or heading that is looked at; four times what is kept of it, for white space."""
RELATION_LENGTH: Final = 200
MOST_OF_A_NAME: Final = 100
"""Metas of one name that are looked at, and links of one relation: more are noise, or an attack."""
_NAMED_BY = tuple(tags.ATTRIBUTE[name] for name in ("name", "property", "http-equiv"))


def title_of(page: Page) -> str:
    """What `<title>` says, as far as a title goes."""
    return page.title[:HEADING_LENGTH]


def values_of(page: Page, attribute: str, among: range | None = None) -> list[tuple[int, str]]:
    """Each element (among these) with this attribute and what the attribute says, in document order."""
    return page.values_of(attribute, among, MOST_VALUES)


def tagged(page: Page, tag: str) -> list[int]:
    """The elements with this tag, in document order."""
    places: list[int] = np.flatnonzero(page.nodes.tag == tags.TAG[tag]).tolist()
    return places


def named_metas(page: Page) -> dict[str, list[str]]:
    """The contents of the metas by their names in lower case."""
    said: dict[str, list[str]] = {}
    for attributes in _attributes_of_all(page, tagged(page, "meta")[:MOST_METAS]):
        content = attributes.get(tags.ATTRIBUTE["content"], "").strip()
        for number in _NAMED_BY:
            if content and number in attributes:
                said.setdefault(attributes[number].strip().lower(), []).append(content)
    return {name: texts[:MOST_OF_A_NAME] for name, texts in said.items()}


def _attributes_of_all(page: Page, nodes: list[int]) -> Iterator[dict[int, str]]:
    """The attributes of each of these elements, by their numbers."""
    starts, ends = page.nodes.attribute_start[nodes], page.nodes.attribute_end[nodes]
    counts = ends - starts
    firsts = np.cumsum(counts) - counts
    places = np.arange(counts.sum()) + np.repeat(starts - firsts, counts)
    rows = iter(page.attributes[:, places].T.tolist())
    for count in counts.tolist():
        yield {name: unescape(page.markup[start:end]) for name, _, start, end in islice(rows, count)}


def related(page: Page, among: range | None = None) -> dict[str, list[int]]:
    """The links (`<link>` or `<a>`) by their relations in lower case."""
    links: dict[str, list[int]] = {}
    for node, relations in values_of(page, "rel", among):
        for relation in relations[:RELATION_LENGTH].lower().split():
            links.setdefault(relation, []).append(node)
    return {relation: nodes[:MOST_OF_A_NAME] for relation, nodes in links.items()}


def short_text(page: Page, node: int, limit: int) -> str:
    """The text of a subtree, cut at the limit so that nested elements cannot make us copy the page over and over."""
    start = int(page.nodes.text_start[node])
    return page.text[start : min(int(page.nodes.text_end[node]), start + limit)]
