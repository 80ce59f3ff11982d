"""Quotes that a text answers: `<blockquote>` right above text of the same element that the page has only once.

A forum repeats a post in each reply that quotes it; a slider repeats its slides, but all that is in them.
"""

from collections.abc import Iterator
from typing import Final

import numpy as np

from pagestrata.landmarks import Landmarks
from pagestrata.page import tags
from pagestrata.page.scan import places_of

CLIMB: Final = 2
"""Elements around a quote that may hold it and a line above it: who is quoted."""
_BLOCKQUOTE: Final = tags.TAG["blockquote"]


def answered_quotes(landmarks: Landmarks) -> Iterator[tuple[int, int]]:
    """Yield the first block of each such quote, and one past its last: the block of the text below it."""
    quotes = places_of(landmarks.page.nodes.tag, _BLOCKQUOTE)
    if not quotes:
        return
    copies, count = np.bincount(landmarks.first_copy, minlength=1), len(landmarks.blocks)
    for quote in quotes:
        first, last = landmarks.range_of(quote)
        if first < last < count and copies[landmarks.first_copy[last]] == 1:
            outer = _box_beside(landmarks, quote, last)
            if outer >= 0:
                yield landmarks.range_of(outer)[0], last


def _box_beside(landmarks: Landmarks, quote: int, below: int) -> int:
    """Return the quote, or the box that ends with it, which stands beside the block below; -1 if neither does."""
    parent, container = landmarks.page.nodes.parent, int(landmarks.blocks.container[below])
    box, (first, last) = quote, landmarks.range_of(quote)
    for _ in range(CLIMB + 1):
        if parent[box] in (container, parent[container]):
            return box
        box = int(parent[box])
        if box < 0 or landmarks.range_of(box)[0] < first - 1 or landmarks.range_of(box)[1] > last:
            return -1
    return -1
