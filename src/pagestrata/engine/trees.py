"""An ensemble of decision trees as flat arrays: no boosting library is needed to run it.

Leaves hold whole numbers, millionths of a unit, so that sums are exact whatever their order: the kernel and the numpy
way below it give the same bits.
"""

import os
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int32]

UNIT: Final = 1_000_000
"""Parts of one in a leaf."""


@dataclass(frozen=True, slots=True, eq=False)
class Trees:
    """Trees one after another; a node is told by its number in all of them."""

    feature: Ints
    """The column that a node looks at."""
    threshold: Floats
    """A row goes left if its value is at most this."""
    left: Ints
    """The next node, or a leaf: `-1 - number`."""
    right: Ints
    root: Ints
    """The first node of each tree; a leaf if it has no other."""
    leaf: Ints
    """In units."""

    def score(self, table: Floats) -> npt.NDArray[np.float64]:
        """The sum over all trees for each row."""
        rows = np.ascontiguousarray(table, np.float32)
        return np.asarray(_sum_leaves(self, rows), np.float64) / UNIT


def sum_leaves(trees: Trees, table: Floats) -> npt.NDArray[np.int64]:
    """All rows and trees a level deeper at each step, until all have reached a leaf."""
    node = np.broadcast_to(trees.root, (len(table), len(trees.root))).copy()
    rows = np.arange(len(table))[:, None]
    inner = node >= 0
    while inner.any():
        at = np.where(inner, node, 0)
        goes_left = table[rows, trees.feature[at]] <= trees.threshold[at]
        node = np.where(inner, np.where(goes_left, trees.left[at], trees.right[at]), node)
        inner = node >= 0
    leaves: npt.NDArray[np.int64] = trees.leaf[-1 - node].sum(axis=1, dtype=np.int64)
    return leaves


def _kernel(trees: Trees, table: Floats) -> npt.NDArray[np.int64]:
    from pagestrata.engine import _trees

    sums = np.zeros(len(table), np.int64)
    _trees.sum_leaves(trees.feature, trees.threshold, trees.left, trees.right, trees.root, trees.leaf, table, sums)
    return sums


def _has_kernel() -> bool:
    try:
        from pagestrata.engine import _trees  # noqa: F401
    except ImportError:
        return False
    return not os.environ.get("PAGESTRATA_PURE")


_sum_leaves = _kernel if _has_kernel() else sum_leaves
