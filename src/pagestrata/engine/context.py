"""The second look at a page: a block is judged again by how likely the text around it is main text.

The first scores see a block, its containers and its neighbours, but not what became of these. A second, smaller
ensemble of trees sees only the first scores: of the block and its neighbours, their means over containers, tag path,
records and comment region, and where the block stands on the curve of the expected F1. What it returns is added to the
log odds. So equal cards of a listing are judged alike, and a line amid text that is sure is surer. The loops are in
`native.context`.
"""

from typing import Final

import numpy as np

from pagestrata.landmarks import Floats, Landmarks
from pagestrata.landmarks.comments import comment_regions_of
from pagestrata.native import kernel
from pagestrata.native.arrays import as_column, zero_columns, zeros
from pagestrata.native.context import COLUMNS as COLUMNS
from pagestrata.native.context import WIDTHS
from pagestrata.trees import Table

_loops = kernel("context")
_WIDTHS: Final = as_column(np.array(WIDTHS, np.int32))


def chances(log_odds: Floats, landmarks: Landmarks) -> Floats:
    """Return the probability of main text for each block that a page shows; 0 for what is part of a form."""
    return np.asarray(1 / (1 + np.exp(-log_odds)) * landmarks.shown.is_usable, np.float64)


def context_of(landmarks: Landmarks, log_odds: Floats) -> Table:
    """Measure the context of the blocks that a page shows by their first scores: a row for each of `COLUMNS`."""
    landmarks = landmarks.shown
    columns, count = landmarks.columns, len(log_odds)
    table = zeros(len(COLUMNS) * count, np.float32)
    # Single precision is what the trees see, and it is the same for compiled and interpreted loops.
    single = np.asarray(log_odds, np.float32).astype(np.float64)
    chance = chances(single, landmarks)
    loops = _loops.ContextLoops(
        columns.nodes,
        columns.blocks,
        columns.of_nodes,
        columns.of_blocks[1],
        as_column(single),
        as_column(chance),
        zero_columns(2, count + 1, np.float64),
        table,
    )
    loops.sum_up()
    loops.own()
    loops.means(_WIDTHS, *comment_regions_of(landmarks).columns)
    loops.same_path(zeros(count, np.int32), zeros(2 * count, np.float64))
    loops.curve(as_column(np.argsort(-chance, kind="stable")))
    return np.asarray(table, np.float32).reshape(len(COLUMNS), count)
