"""Attributes and short texts read in bulk: what the readers share.

Going through the arrays of a page one number at a time is slow, so these read whole columns at once.
"""

import numpy as np

from pagestrata.page import tags
from pagestrata.page.page import Page

_NAMED_BY = ("name", "property", "http-equiv")
_NAME, _NAME_START, _VALUE_START, _VALUE_END = range(4)


def elements(page: Page, tag: str) -> list[dict[str, str]]:
    """The attributes of each element with this tag, in document order."""
    nodes = np.flatnonzero(page.nodes.tag == tags.TAG[tag])
    return [dict(page.attributes_of(node)) for node in nodes.tolist()]


def named_metas(page: Page) -> dict[str, list[str]]:
    """The contents of all metas by their name in lower case."""
    said: dict[str, list[str]] = {}
    for meta in elements(page, "meta"):
        content = meta.get("content", "").strip()
        for kind in _NAMED_BY:
            name = meta.get(kind)
            if name and content:
                said.setdefault(name.strip().lower(), []).append(content)
    return said


def values_of(page: Page, attribute: str) -> list[tuple[int, str]]:
    """Each element with this attribute and what the attribute says, still escaped as in the markup."""
    places = np.flatnonzero(page.attributes[_NAME] == tags.ATTRIBUTE[attribute])
    nodes = np.searchsorted(page.nodes.attribute_end, places, side="right").tolist()
    starts = page.attributes[_VALUE_START, places].tolist()
    ends = page.attributes[_VALUE_END, places].tolist()
    return [(node, page.markup[start:end]) for node, start, end in zip(nodes, starts, ends, strict=True)]


def short_text(page: Page, node: int, limit: int) -> str:
    """The text of a subtree, cut at the limit so that nested elements cannot make us copy the page over and over."""
    start = int(page.nodes.text_start[node])
    return page.text[start : min(int(page.nodes.text_end[node]), start + limit)]
