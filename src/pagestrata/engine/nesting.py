"""How elements of a page are nested."""

from typing import Any

import numpy as np
import numpy.typing as npt

from pagestrata.native import kernel
from pagestrata.page.nodes import Bools
from pagestrata.page.page import Page

Places = npt.NDArray[np.signedinteger[Any]]
"""Numbers of nodes or blocks."""
_kernel = kernel("nesting")


def are_inside(page: Page, nodes: Places, roots: Places) -> Bools:
    """Whether each node is in the subtree of one of the roots, which are in document order."""
    if not len(roots):
        return np.zeros(len(nodes), np.bool_)
    ends = np.maximum.accumulate(page.nodes.end[roots])
    before = np.searchsorted(roots, nodes, side="right")
    return np.asarray((before > 0) & (ends[before - 1] > nodes))


def nearest_around(page: Page, members: list[int]) -> dict[int, int]:
    """Return for each of these elements, in document order, the nearest other one that holds it; -1 where none does."""
    starts = np.array(members, np.int32)
    outer = np.zeros(len(starts), np.int32)
    _kernel.nest(starts, page.nodes.end[starts], outer)
    return {node: members[place] if place >= 0 else -1 for node, place in zip(members, outer.tolist(), strict=True)}


def sibling_before(page: Page, node: int) -> int:
    """Return the node right before this one in the same element, or this one if it is the first."""
    before = int(page.nodes.parent[node]) + 1
    while before < node and page.nodes.end[before] < node:
        before = int(page.nodes.end[before])
    return before
