"""Anchors: the names by which an address leads to a place on a page, `#usage`."""

from typing import Final

from pagestrata.page import tags
from pagestrata.page.page import Page

CLIMB: Final = 3
"""The number of elements around a heading that may have its name, as in `<section id>`."""
_TEXT, _A = tags.TEXT, tags.TAG["a"]


def anchor_of(page: Page, heading: int) -> str | None:
    """Return the name of a heading: its own, of what is in it, of a box that begins with it, or of what is before it.

    >>> from pagestrata import parse
    >>> page = parse("<section id=tea><h2>Tea</h2><p>Warm the pot.</section><h2><a name=mud></a>Mud</h2>")
    >>> [anchor_of(page, int(node)) for node in page.nodes_tagged("h2")]
    ['tea', 'mud']
    """
    return (
        _name(page, heading)
        or _name_inside(page, heading)
        or _name_around(page, heading)
        or _name_before(page, heading)
    )


def _name(page: Page, node: int) -> str | None:
    name = page.attribute(node, "id")
    return name or (page.attribute(node, "name") if page.nodes.tag[node] == _A else None)


def _name_inside(page: Page, heading: int) -> str | None:
    nodes = range(heading + 1, int(page.nodes.end[heading]))
    return next((name for node in nodes if (name := _name(page, node))), None)


def _name_around(page: Page, heading: int) -> str | None:
    """Return the name of an element whose text begins with the heading."""
    nodes, node = page.nodes, heading
    for _ in range(CLIMB):
        node = int(nodes.parent[node])
        if node < 0 or nodes.text_start[node] != nodes.text_start[heading]:
            return None
        if name := _name(page, node):
            return name
    return None


def _name_before(page: Page, heading: int) -> str | None:
    """Return the name of an empty element right before the heading, as on old pages."""
    before = heading - 1
    while before > 0 and page.nodes.tag[before] == _TEXT and not page.text_of(before).strip():
        before -= 1
    return _name(page, before) if page.nodes.end[before] == before + 1 else None
