"""An ensemble of oblivious decision trees as flat arrays: no boosting library is needed to run it.

All nodes of one level of an oblivious tree ask the same question, so that the answers of a row, read as bits, are the
number of its leaf. There is nothing to branch on, and many rows go down at once.

Leaves hold whole numbers, millionths of a unit unless the trees say otherwise, so that sums are exact whatever their
order: compiled and interpreted loops give the same bits.
"""

import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from tokenize import TokenError
from typing import Any, Final
from zipfile import BadZipFile, ZipFile

import numpy as np
import numpy.typing as npt

from pagestrata.errors import ModelError
from pagestrata.native import kernel

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int32]
Table = npt.NDArray[np.float32]
"""One row per feature, so that a question reads neighbouring numbers."""

UNIT: Final = 1_000_000
"""Parts of one in a leaf."""
DEEPEST: Final = 8
"""The most levels of a tree, so that the number of a leaf fits in a byte."""
STEPS_RUN: Final = 4096
"""Columns whose steps are summed up at a time: whole numbers of all of them would take as much room as the result."""
MAX_MODEL_BYTES: Final = 32_000_000
"""The size limit of an unpacked model file; ours have one or two megabytes."""
_DAMAGED = (
    *(ArithmeticError, AttributeError, BadZipFile, EOFError, KeyError, MemoryError, NotImplementedError, OSError),
    *(RuntimeError, SyntaxError, TokenError, TypeError, ValueError, zlib.error),
)
"""The errors of zip files and numpy for data that is not a model, or not consistent."""
_loops: Final = kernel("trees")


@contextmanager
def reading_model(data: bytes, kind: str) -> Iterator[Mapping[str, npt.NDArray[Any]]]:
    """Open the arrays of a model file; every problem with them becomes a `ModelError`."""
    try:
        with ZipFile(BytesIO(data)) as inside:
            if sum(entry.file_size for entry in inside.infolist()) > MAX_MODEL_BYTES:
                raise ModelError(f"this {kind} model unfolds to more than {MAX_MODEL_BYTES:,} bytes")
        with np.load(BytesIO(data), allow_pickle=False) as arrays:
            yield arrays
    except _DAMAGED as error:
        raise ModelError(f"this is no {kind} model: {error}") from error


@dataclass(frozen=True, slots=True, eq=False)
class Trees:
    """Trees of one depth, one row each."""

    feature: Ints
    """Trees × depth: the row of the table that the question of a level reads."""
    threshold: Floats
    """Trees × depth: the answer is yes if the value is above this."""
    leaf: Ints
    """Trees × 2 ** depth, in units; the first question is the lowest bit. Several such tables are several outputs."""
    unit: int = UNIT
    """Parts of one in a leaf."""

    def score(self, table: Table) -> npt.NDArray[np.float64]:
        """Return the sum over all trees for each column of the table, for each output if there are several."""
        columns = np.ascontiguousarray(table, np.float32)
        outputs = self.leaf if self.leaf.ndim == 3 else self.leaf[None]
        sums = np.zeros((len(outputs), columns.shape[1]), np.int64)
        for leaf, output in zip(outputs, sums, strict=True):
            _loops.sum_leaves(self.feature, self.threshold, leaf, columns, output)
        return np.asarray(sums.reshape(*self.leaf.shape[:-2], -1) / self.unit, np.float64)


def sum_steps(trees: Trees, group: Ints, groups: int, table: Table) -> Floats:
    """Groups × columns of the table: how far the questions of each group move the sum over all trees.

    A question moves a tree from the mean of the leaves that were in reach before it to that of those still in reach.
    `group` (trees × depth) says which one a question belongs to.
    """
    moved = np.empty((groups, table.shape[1]), np.float32)
    for start in range(0, table.shape[1], STEPS_RUN):
        some = np.ascontiguousarray(table[:, start : start + STEPS_RUN], np.float32)
        found = np.zeros((groups, some.shape[1]), np.int64)
        _loops.add_steps(trees.feature, trees.threshold, group, steps_of(trees), some, found)
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
