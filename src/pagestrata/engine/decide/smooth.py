"""Smoothing: blocks that belong together get one importance, their mean by words."""

import numpy as np

from pagestrata.landmarks import Floats, Landmarks
from pagestrata.native import decide as limits
from pagestrata.native import kernel
from pagestrata.native.arrays import as_column, zeros

_loops = kernel("decide")


def smooth_groups(scores: Floats, landmarks: Landmarks) -> Floats:
    """The scores, with one for each plain list, each data table and each run of paragraphs side by side."""
    columns = landmarks.columns
    tag, parent, _, _ = columns.nodes
    _, _, holder, word_count, _, _ = columns.blocks
    group = columns.of_blocks[2]
    smoothed = as_column(scores.copy())
    _loops.smooth_groups(smoothed, group, word_count, len(parent), zeros(2 * len(parent), np.float64))
    room = zeros(4 * len(scores), np.float64)
    _loops.smooth_paragraphs(smoothed, group, word_count, as_column(_text_lines(landmarks)), holder, parent, tag, room)
    return np.asarray(smoothed, np.float64)


def _text_lines(landmarks: Landmarks) -> "np.ndarray[tuple[int], np.dtype[np.uint8]]":
    """Whether each block is a usable line of text that is not mostly links."""
    blocks = landmarks.page.blocks
    is_long = blocks.even_words >= limits.TEXT_LINE
    return (is_long & landmarks.is_usable & ~is_linked(landmarks)).view(np.uint8)


def is_linked(landmarks: Landmarks) -> "np.ndarray[tuple[int], np.dtype[np.bool_]]":
    """Whether so much of each block is link text that it is not part of the text around it."""
    blocks = landmarks.page.blocks
    return np.asarray(blocks.link_characters >= limits.LINKED * np.maximum(1, blocks.characters))
