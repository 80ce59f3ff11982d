"""Smoothing: blocks that belong together get one importance, their mean by words."""

import numpy as np

from pagestrata.landmarks import Floats, Landmarks
from pagestrata.native import kernel
from pagestrata.native.arrays import Column, as_column, zeros
from pagestrata.page.nodes import Bools

_loops = kernel("decide")


def smooth_groups(scores: Floats, landmarks: Landmarks, recurs: Bools | None = None) -> Floats:
    """The scores, with one for each plain list, each data table and each run of paragraphs side by side.

    A paragraph that is known to recur over the site does not belong to those beside it.
    """
    columns, count = landmarks.columns, len(scores)
    tag, parent, _, _ = columns.nodes
    group, word_count = columns.of_blocks[2], columns.blocks[3]
    smoothed = as_column(scores.copy())
    _loops.smooth_groups(smoothed, group, word_count, len(parent), zeros(2 * len(parent), np.float64))
    numbers, sums = zeros(count, np.int32), zeros(3 * count, np.float64)
    joinable = joinable_blocks(landmarks, recurs)
    _loops.smooth_paragraphs(smoothed, group, columns.blocks, joinable, parent, tag, numbers, sums)
    return np.asarray(smoothed, np.float64)


def joinable_blocks(landmarks: Landmarks, recurs: Bools | None) -> Column:
    """Whether each block may belong to the text beside it: it is usable, and not known to recur over the site."""
    if recurs is None:
        return landmarks.columns.of_blocks[1]
    return as_column((landmarks.is_usable & ~recurs).astype(np.int32))
