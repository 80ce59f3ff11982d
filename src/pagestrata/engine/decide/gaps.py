"""Gaps: a few blocks that are missing amid kept text of the same container belong to it."""

import numpy as np

from pagestrata.engine.decide.smooth import joinable_blocks
from pagestrata.engine.decide.threshold import THRESHOLD_MARGIN
from pagestrata.landmarks import Floats, Landmarks
from pagestrata.native import kernel
from pagestrata.native.arrays import as_column
from pagestrata.page.nodes import Bools

_loops = kernel("decide")


def fill_gaps(importance: Floats, landmarks: Landmarks, threshold: float, recurs: Bools | None = None) -> Floats:
    """Importance with the few blocks raised above the threshold that are missing amid kept text.

    What is known to recur over the site is not missing there.

    In cross-validation on wcxb this cost 0.0006 of F1, before lists and tables went uncounted; who reads the text
    misses them.
    """
    columns = landmarks.columns
    _, parent, _, _ = columns.nodes
    group, joinable = columns.of_blocks[2], joinable_blocks(landmarks, recurs)
    filled = as_column(importance.copy())
    _loops.fill_gaps(filled, group, columns.blocks, joinable, parent, threshold, threshold + THRESHOLD_MARGIN)
    return np.asarray(filled, np.float64)
