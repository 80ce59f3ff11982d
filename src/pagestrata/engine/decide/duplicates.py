"""Duplicates: a text that the page has several times is returned once, from where it is most important."""

import numpy as np

from pagestrata.landmarks import Floats, Landmarks
from pagestrata.native import kernel
from pagestrata.native.arrays import as_column, zeros

_loops = kernel("decide")


def suppress_duplicates(importance: Floats, landmarks: Landmarks) -> Floats:
    """Importance with all but the best copy of a repeated text set to 0.

    Lines of eight words or more are copies; those in lists and tables stay, and those side by side.
    """
    columns = landmarks.columns
    _, parent, _, _ = columns.nodes
    _, _, holder, word_count, _, _ = columns.blocks
    _, _, group, _, first_copy = columns.of_blocks
    unique = as_column(importance.copy())
    best = zeros(len(importance), np.int32)
    _loops.suppress_duplicates(unique, group, word_count, first_copy, holder, parent, best)
    return np.asarray(unique, np.float64)
