"""Paths that lead to a node of the page in a browser: XPath and CSS, by position among siblings of the same tag.

Positions count before anything is dropped: scripts and templates keep their place in our arrays, and the elements we
put in ourselves have names of their own. No path leads into a shadow root, or below the depth that we keep: it ends at
the last element that can be reached, and `is_exact` is false.
"""

import re
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from pagestrata.page import columns
from pagestrata.page.nodes import Ints, Nodes

MAX_CACHED_PATHS: Final = 256
"""Paths that are cached: on a page of thousands of deep sections, all of them would take more memory than the page."""
_CHILD: Final = " > "
_SIMPLE_NAME = re.compile(r"[a-z][a-z0-9-]*\Z")
_CSS_SPECIAL = re.compile(r"[^A-Za-z0-9_\u0080-\U0010ffff-]")


def sibling_positions(nodes: Nodes) -> Ints:
    """Return the position of each node among its siblings of the same tag, from 1; int32, one per node."""
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
    """Return whether a path leads exactly to this element (for a text, to its parent)."""
    return not nodes.flags[node] & columns.UNREACHABLE


class Paths:
    """The paths of a page. Each is that of the parent and one more step, so some of the parents' paths are cached."""

    def __init__(self, nodes: Nodes, positions: Ints) -> None:
        self.nodes, self.positions = nodes, positions
        # Single entries are read several times faster from a memoryview than from an array.
        self._parent, self._tag, self._flags = nodes.parent.data, nodes.tag.data, nodes.flags.data
        self._position = positions.data
        self._xpaths, self._css_paths = dict[int, str](), dict[int, str]()

    def __reduce__(self) -> tuple[Any, ...]:
        return Paths, (self.nodes, self.positions)

    def xpath(self, node: int) -> str:
        """Return the XPath of a node, or of its last ancestor that a path can reach."""
        return self._path(node, self._xpaths, _xpath_step)

    def css_path(self, node: int) -> str:
        """Return the CSS selector of a node, or of its last ancestor that a path can reach."""
        return self._path(node, self._css_paths, _css_step).removeprefix(_CHILD)

    def _path(self, node: int, cache: dict[int, str], write: Callable[[str, int], str]) -> str:
        path = cache.get(node)
        if path is not None:
            return path
        parent = self._parent[node]
        parent_path = cache.get(parent)
        if parent_path is None:
            parent_path = self._path_from_cached(parent, cache, write)
        path = parent_path + self._step(node, write)
        if len(cache) >= MAX_CACHED_PATHS:
            cache.clear()
        cache[parent], cache[node] = parent_path, path
        return path

    def _path_from_cached(self, node: int, cache: dict[int, str], write: Callable[[str, int], str]) -> str:
        """Return the path of a node, step by step from the nearest ancestor whose path is cached."""
        steps, parent_path = list[str](), cache.get(node)
        while node >= 0 and parent_path is None:
            steps.append(self._step(node, write))
            node = self._parent[node]
            parent_path = cache.get(node)
        return (parent_path or "") + "".join(reversed(steps))

    def _step(self, node: int, write: Callable[[str, int], str]) -> str:
        tag = self._tag[node]
        if not tag or self._flags[node] & columns.UNREACHABLE:
            return ""
        return write(self.nodes.names[tag].lower(), self._position[node])


def _xpath_step(tag: str, place: int) -> str:
    """Return one step of an XPath.

    >>> _xpath_step("div", 3), _xpath_step("o:p", 2)
    ('/div[3]', "/*[name()='o:p'][2]")
    """
    return f"/{tag}[{place}]" if _SIMPLE_NAME.match(tag) else f"/*[name()='{tag}'][{place}]"


def _css_step(tag: str, place: int) -> str:
    r"""Return one step of a CSS selector.

    >>> _css_step("div", 3), _css_step("o:p", 2), _css_step("html", 1)
    (' > div:nth-of-type(3)', ' > o\\:p:nth-of-type(2)', ' > html')
    """
    name = _CSS_SPECIAL.sub(r"\\\g<0>", tag)
    return f"{_CHILD}{name}" if tag == "html" else f"{_CHILD}{name}:nth-of-type({place})"
