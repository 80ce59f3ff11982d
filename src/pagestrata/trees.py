"""An ensemble of oblivious decision trees as flat arrays: no boosting library is needed to run it.

All nodes of one level of an oblivious tree ask the same question, so that the answers of a row, read as bits, are the
number of its leaf. There is nothing to branch on, and many rows go down at once.

Leaves hold whole numbers, millionths of a unit unless the trees say otherwise, so that sums are exact whatever their
order: the kernel and the numpy way below it give the same bits.
"""

import os
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int32]
Table = npt.NDArray[np.float32]
"""One row a feature, so that a question is asked of neighbouring numbers."""

UNIT: Final = 1_000_000
"""Parts of one in a leaf."""
DEEPEST: Final = 8
"""Levels of a tree: the number of a leaf fits in a byte."""
RUN: Final = 512
"""Columns at a time, without the kernel."""
STEPS_RUN: Final = 4096
"""Columns whose steps are summed up at a time: whole numbers of all of them would take as much room as the result."""


@dataclass(frozen=True, slots=True, eq=False)
class Trees:
    """Trees of one depth, one row each."""

    feature: Ints
    """Trees × depth: the row of the table that a level looks at."""
    threshold: Floats
    """Trees × depth: the answer is yes if the value is above this."""
    leaf: Ints
    """Trees × 2 ** depth, in units; the first question is the lowest bit. A third axis holds several outputs a leaf."""
    unit: int = UNIT
    """Parts of one in a leaf."""

    def score(self, table: Table) -> npt.NDArray[np.float64]:
        """Return the sum over all trees for each column of the table: one number, or one per output."""
        sums = _sum_leaves if self.leaf.ndim == 2 else sum_leaves  # the kernel has one output
        return np.asarray(sums(self, np.ascontiguousarray(table, np.float32)), np.float64) / self.unit


def leaves_reached(trees: Trees, table: Table) -> npt.NDArray[np.uint8]:
    """Trees × columns of the table: the number of the leaf that each column reaches in each tree."""
    reached = np.zeros((len(trees.leaf), table.shape[1]), np.uint8)
    for level in range(trees.feature.shape[1]):
        yes = table[trees.feature[:, level]] > trees.threshold[:, level, None]
        reached |= yes.view(np.uint8) << level
    return reached


def sum_leaves(trees: Trees, table: Table) -> npt.NDArray[np.int64]:
    """The sum over all trees in units, some columns at a time: what lies in between takes room for every tree."""
    first_leaf = (np.arange(len(trees.leaf)) * trees.leaf.shape[1])[:, None]
    outputs = trees.leaf.shape[2:]
    leaves = trees.leaf.reshape(-1, *outputs)
    sums = np.zeros((table.shape[1], *outputs), np.int64)
    for start in range(0, table.shape[1], RUN):
        columns = slice(start, start + RUN)
        found = leaves.take(first_leaf + leaves_reached(trees, table[:, columns]), axis=0)
        sums[columns] = found.sum(axis=0, dtype=np.int64)
    return sums


def sum_steps(trees: Trees, group: Ints, groups: int, table: Table) -> npt.NDArray[np.float64]:
    """Groups × columns of the table: how far the questions of each group move the sum over all trees.

    A question moves a tree from the mean of the leaves that were in reach before it to that of those still in reach.
    `group` (trees × depth) says which one a question belongs to.
    """
    moved = np.empty((groups, table.shape[1]), np.float64)
    for start in range(0, table.shape[1], STEPS_RUN):
        some = np.ascontiguousarray(table[:, start : start + STEPS_RUN], np.float32)
        found = np.zeros((groups, some.shape[1]), np.int64)
        _add_steps(trees, group, some, found)
        np.divide(found, UNIT * trees.leaf.shape[1], out=moved[:, start : start + STEPS_RUN])
    return moved


@lru_cache(maxsize=4)
def steps_of(trees: Trees) -> npt.NDArray[np.int64]:
    """Trees × all beginnings of a way down, level by level: what its last answer adds, times the number of leaves."""
    count, depth = trees.feature.shape
    before = trees.leaf.sum(axis=1, dtype=np.int64, keepdims=True)
    steps = []
    for level in range(depth):
        in_reach = 2 ** (level + 1)
        after = trees.leaf.reshape(count, -1, in_reach).sum(axis=1, dtype=np.int64) * in_reach
        steps.append(after - np.tile(before, 2))
        before = after
    return np.ascontiguousarray(np.concatenate(steps, axis=1))


def add_steps(trees: Trees, group: Ints, table: Table, found: npt.NDArray[np.int64]) -> None:
    """Add to the row of each group what its questions add to each column, some columns at a time."""
    steps, rows = steps_of(trees), np.arange(len(trees.leaf))[:, None]
    for start in range(0, table.shape[1], RUN):
        reached = leaves_reached(trees, table[:, start : start + RUN])
        for level in range(trees.feature.shape[1]):
            in_reach = 2 ** (level + 1)
            taken = steps[rows, in_reach - 2 + reached % in_reach]
            is_of = group[:, level] == np.arange(len(found))[:, None]
            # Whole numbers below 2 ** 53: the product is exact in any order.
            found[:, start : start + RUN] += (is_of.astype(np.float64) @ taken.astype(np.float64)).astype(np.int64)


def _kernel_sums(trees: Trees, table: Table) -> npt.NDArray[np.int64]:
    from pagestrata.engine import _trees

    sums = np.zeros(table.shape[1], np.int64)
    _trees.sum_leaves(trees.feature, trees.threshold, trees.leaf, table, sums)
    return sums


def _kernel_steps(trees: Trees, group: Ints, table: Table, found: npt.NDArray[np.int64]) -> None:
    from pagestrata.engine import _trees

    _trees.add_steps(trees.feature, trees.threshold, group, steps_of(trees), table, found)


def _has_kernel() -> bool:
    try:
        from pagestrata.engine import _trees  # noqa: F401
    except ImportError:
        return False
    return not os.environ.get("PAGESTRATA_PURE")


_sum_leaves, _add_steps = (_kernel_sums, _kernel_steps) if _has_kernel() else (sum_leaves, add_steps)
