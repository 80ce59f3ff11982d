"""The nodes of a page by depth, so that values inherited from parents are computed in one array step per level."""

from itertools import pairwise
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from pagestrata.page.nodes import Nodes

Column = npt.NDArray[Any]


class Join(Protocol):
    """Combines the value of a parent with that of a node."""

    def __call__(self, above: Column, own: Column, /) -> Column:
        """Combine two columns of equal length."""


class Levels:
    """The levels of a tree, from the children of the root on, or only down to a depth."""

    def __init__(self, nodes: Nodes, deepest: int | None = None) -> None:
        order = np.argsort(nodes.depth, kind="stable")
        last = int(nodes.depth.max(initial=0)) if deepest is None else deepest
        edges = np.searchsorted(nodes.depth[order], np.arange(1, last + 2)).tolist()
        self.levels = [(order[first:last], nodes.parent[order[first:last]]) for first, last in pairwise(edges)]

    def down(self, values: Column, join: Join) -> Column:
        """Return each value joined with the result for the parent.

        `np.bitwise_or` gives the tags above each node from sets of bits, `np.add` the sum over ancestors.
        """
        result = values.copy()
        for level, parents in self.levels:
            result[level] = join(result[parents], result[level])
        return result
