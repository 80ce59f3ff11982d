"""Duplicates: a text that the page has several times is returned once, from where it is most important."""

import numpy as np

from pagestrata.engine.decide.quotes import answered_quotes
from pagestrata.landmarks import Floats, Landmarks
from pagestrata.native import kernel
from pagestrata.native.arrays import as_column, zeros
from pagestrata.page.nodes import Ints

_loops = kernel("decide")


def suppress_duplicates(importance: Floats, landmarks: Landmarks) -> Floats:
    """Importance with all but the best copy of a repeated text set to 0.

    Lines of eight words or more are copies; those in lists and tables stay, those side by side, and quotes that are
    answered.
    """
    columns = landmarks.columns
    _, parent, _, _ = columns.nodes
    _, _, holder, word_count, _, _ = columns.blocks
    _, _, group, _, first_copy = columns.of_blocks
    stays = as_column(_with_quotes(landmarks, np.asarray(group)))
    unique = as_column(importance.copy())
    best = zeros(len(importance), np.int32)
    _loops.suppress_duplicates(unique, stays, word_count, first_copy, holder, parent, best)
    return np.asarray(unique, np.float64)


def _with_quotes(landmarks: Landmarks, group: Ints) -> Ints:
    """The list or table of each block, -1 for none, and 0 for quotes that are answered: none of these is a copy."""
    quotes = list(answered_quotes(landmarks))
    group = group.copy() if quotes else group
    for first, last in quotes:
        group[first:last] = np.maximum(group[first:last], 0)
    return group
