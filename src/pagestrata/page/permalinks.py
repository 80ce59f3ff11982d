"""Permalinks: the marks beside headings from which readers copy a link to them. They are a tool, not text.

Documentation generators write them after headings and definitions, as a link with a single sign ("Usage¶") or without
visible text. They lead to the element that contains them; a sign that links further down is something else.
"""

from bisect import bisect_left
from collections.abc import Iterable
from typing import Final
from unicodedata import category
from urllib.parse import unquote

import numpy as np

from pagestrata.page import tags
from pagestrata.page.page import Page

MARKS: Final = ("", "#", "¶", "§", "🔗", "⚓", "∞")
"""The texts of permalinks of Sphinx, MkDocs, Docusaurus, VitePress, rustdoc and Godoc; the first is not visible."""
_INVISIBLE: Final = " \u200b\u200d\u2060\ufe0e\ufe0f\ufeff"
_MAX_LENGTH: Final = 4
"""Characters of a permalink, invisible ones included."""


def permalinks(page: Page) -> list[int]:
    """Return the links that are permalinks, in document order."""
    links = (page.nodes.tag == tags.TAG["a"]).nonzero()[0]
    lengths = page.nodes.text_end[links] - page.nodes.text_start[links]
    short_links: list[int] = links[(lengths > 0) & (lengths <= _MAX_LENGTH)].tolist()
    marks = _link_places(page, (node for node in short_links if _is_mark(page.text_of(node).strip(_INVISIBLE))))
    if not any(marks.values()):
        return []
    first_of_name = {name: node for node, name in reversed(page.values_of("id"))}
    return [node for node, name in marks.items() if name and first_of_name.get(name, node) <= node]


def heading_links(page: Page) -> frozenset[int]:
    """Return the links that are all of a heading and lead to this heading, or back to a table of contents above it.

    Generators add them for readers to copy. A link to an element around the heading is not one of them: of a post, it
    is the address.
    """
    nodes = page.nodes
    places = _link_places(page, _whole_heading_links(page))
    if not any(places.values()):
        return frozenset()
    first_of_name = {name: node for node, name in reversed(page.values_of("id"))}
    targets = {link: first_of_name.get(name) for link, name in places.items() if name}
    return frozenset(
        link
        for link, target in targets.items()
        if target is not None and (nodes.parent[link] <= target <= link or nodes.end[target] <= link)
    )


def _whole_heading_links(page: Page) -> list[int]:
    """Return the links right below a heading that hold its whole text but for a permalink."""
    nodes = page.nodes
    links = page.nodes_tagged("a")
    headings = nodes.parent[links]
    is_heading = np.isin(nodes.tag[headings], [tags.TAG[f"h{level}"] for level in range(1, 7)])
    pairs = zip(links[is_heading].tolist(), headings[is_heading].tolist(), strict=True)
    return [link for link, heading in pairs if page.text_of(link).strip() == title_text(page, heading)]


def _link_places(page: Page, links: Iterable[int]) -> dict[int, str]:
    return {link: place_on_page(page, link) for link in links}


def _is_mark(text: str) -> bool:
    """Whether a text is the sign of a permalink; fonts of icons draw theirs in the private use area (U+F0C1)."""
    return text in MARKS or (len(text) == 1 and category(text) == "Co")


def place_on_page(page: Page, node: int) -> str:
    """Return the fragment of a link to a place on this page, or an empty string if it leads elsewhere."""
    address, _, name = (page.attribute(node, "href") or "").strip().partition("#")
    if not name or (address and page.resolve(address) != (page.url or "").partition("#")[0]):
        return ""
    return unquote(name)


def title_text(page: Page, heading: int) -> str:
    """Return the text of a heading without its permalink."""
    nodes, offset, text = page.nodes, int(page.nodes.text_start[heading]), page.text_of(heading)
    links = page.once(permalinks)
    for node in reversed(links[bisect_left(links, heading) : bisect_left(links, nodes.end[heading])]):
        text = text[: nodes.text_start[node] - offset] + text[nodes.text_end[node] - offset :]
    return text.strip()
