"""The nodes of a page by depth, so that what comes down from the parents is a few array steps, one a level."""

from itertools import pairwise
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from pagestrata.page.nodes import Nodes

Column = npt.NDArray[Any]


class Join(Protocol):
    """What a node makes of its parent's value and its own."""

    def __call__(self, above: Column, own: Column, /) -> Column:
        """Columns of equal length."""
        ...


class Levels:
    """The levels of a tree, from the children of the root on, or only down to a depth."""

    def __init__(self, nodes: Nodes, deepest: int | None = None) -> None:
        order = np.argsort(nodes.depth, kind="stable")
        last = int(nodes.depth.max(initial=0)) if deepest is None else deepest
        edges = np.searchsorted(nodes.depth[order], np.arange(1, last + 2)).tolist()
        self.levels = [(order[first:last], nodes.parent[order[first:last]]) for first, last in pairwise(edges)]

    def down(self, values: Column, join: Join) -> Column:
        """Each value joined with what came down to the parent.

        To know the tags above each node, join sets of bits with `np.bitwise_or`; to sum up over ancestors, `np.add`.
        """
        found = values.copy()
        for level, parents in self.levels:
            found[level] = join(found[parents], found[level])
        return found
