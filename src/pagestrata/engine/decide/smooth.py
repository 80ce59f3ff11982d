"""Smoothing: blocks that belong together get one importance, their mean by words."""

import numpy as np

from pagestrata.landmarks import Floats, Landmarks
from pagestrata.native import kernel
from pagestrata.native.arrays import as_column, zeros

_loops = kernel("decide")


def smooth_groups(scores: Floats, landmarks: Landmarks) -> Floats:
    """The scores, with one for each plain list, each data table and each run of paragraphs side by side."""
    columns, count = landmarks.columns, len(scores)
    tag, parent, _, _ = columns.nodes
    _, is_usable, group, _, _ = columns.of_blocks
    word_count = columns.blocks[3]
    smoothed = as_column(scores.copy())
    _loops.smooth_groups(smoothed, group, word_count, len(parent), zeros(2 * len(parent), np.float64))
    numbers, sums = zeros(count, np.int32), zeros(3 * count, np.float64)
    _loops.smooth_paragraphs(smoothed, group, columns.blocks, is_usable, parent, tag, numbers, sums)
    return np.asarray(smoothed, np.float64)
