"""Paths that lead to a node in the page as a browser has it: XPath and CSS, by position among siblings of one tag.

Positions count before anything is dropped: scripts and templates keep their place in our arrays, and the elements we
put in ourselves have names of their own. Inside a shadow root, or below the depth we keep, no path can lead: it ends
at the last element that has one, and `is_exact` says so.
"""

import re

import numpy as np

from pagestrata.page import columns
from pagestrata.page.nodes import Ints, Nodes

_SIMPLE_NAME = re.compile(r"[a-z][a-z0-9-]*\Z")
_CSS_SPECIAL = re.compile(r"[^A-Za-z0-9_\u0080-\U0010ffff-]")


def sibling_positions(nodes: Nodes) -> Ints:
    """The position of each node among the siblings of its tag, from 1; int32, one per node."""
    order = np.lexsort((nodes.tag, nodes.parent))
    groups = np.stack((nodes.parent[order], nodes.tag[order]))
    begins = np.ones(len(nodes), np.bool_)
    begins[1:] = (groups[:, 1:] != groups[:, :-1]).any(axis=0)
    places = np.arange(len(nodes))
    firsts = np.maximum.accumulate(np.where(begins, places, 0))
    positions = np.empty(len(nodes), np.int32)
    positions[order] = places - firsts + 1
    return positions


def is_exact(nodes: Nodes, node: int) -> bool:
    """Whether a path can lead to this very element (for a text, to its parent)."""
    return not nodes.flags[node] & columns.UNREACHABLE


def steps(nodes: Nodes, positions: Ints, node: int) -> list[tuple[str, int]]:
    """The way from the root to the node, or to its last ancestor that a path can reach: (tag, position)."""
    way = [
        (nodes.tag_name(step).lower(), int(positions[step]))
        for step in (node, *nodes.ancestors(node))
        if nodes.tag[step] and is_exact(nodes, step)
    ]
    return way[::-1]


def xpath(way: list[tuple[str, int]]) -> str:
    """The steps as XPath.

    >>> xpath([("html", 1), ("body", 1), ("div", 3)])
    '/html[1]/body[1]/div[3]'
    >>> xpath([("o:p", 2)])
    "/*[name()='o:p'][2]"
    """
    return "".join(
        f"/{tag}[{place}]" if _SIMPLE_NAME.match(tag) else f"/*[name()='{tag}'][{place}]" for tag, place in way
    )


def css_path(way: list[tuple[str, int]]) -> str:
    r"""The steps as a CSS selector.

    >>> css_path([("html", 1), ("body", 1), ("div", 3)])
    'html > body:nth-of-type(1) > div:nth-of-type(3)'
    >>> css_path([("o:p", 2)])
    'o\\:p:nth-of-type(2)'
    """
    names = [_CSS_SPECIAL.sub(r"\\\g<0>", tag) for tag, _ in way]
    places = ["" if tag == "html" else f":nth-of-type({place})" for tag, place in way]
    return " > ".join(map("".join, zip(names, places, strict=True)))
