"""Comments: what names or headings call so, and signed records side by side, beside the main container.

On an article the parts that are called comments leave the text before anything else is decided.
"""

from collections.abc import Callable
from typing import Final

import numpy as np
import numpy.typing as npt

from pagestrata.landmarks import Floats, Landmarks
from pagestrata.landmarks.comments import comment_regions_of
from pagestrata.page.nodes import Bools

SIGNED: Final = 0.6
"""Share of signed ones from which records side by side are comments."""

MIN_TEXT_OUTSIDE: Final = 100.0
"""Expected words of main text outside the comment regions from which on the regions are dropped: with fewer, the region
may be all there is. On sitesets, l3s-gn1 and cleanportaleval 50 and 100 are alike, 200 is worse by .002 to .008."""

Records = npt.NDArray[np.intp]
OtherRecords = Callable[[Records], tuple[float, float]]
"""Returns how many such records the other pages of the site have, and how many of them are signed."""


def comments_to_drop(scores: Floats, words: Floats, landmarks: Landmarks) -> Bools:
    """Whether each block is in a comment region of an article; none is, if too little text is expected outside."""
    is_inside = comment_regions_of(landmarks).is_inside
    outside = float((scores * words)[~is_inside].sum())
    return is_inside if outside >= MIN_TEXT_OUTSIDE else np.zeros_like(is_inside)


def comment_blocks(landmarks: Landmarks, core: int, others: OtherRecords = lambda records: (0.0, 0.0)) -> Bools:
    """Whether each block is in a comment."""
    page, records = landmarks.page, landmarks.records
    found = np.zeros(len(landmarks.blocks), np.bool_)
    if not landmarks.is_signed.any():
        return found
    ends, parents = page.nodes.end, page.nodes.parent[records]
    for parent in np.unique(parents).tolist():
        is_member = parents == parent
        members = records[is_member]
        in_core = core <= members[0] < ends[core]
        around_core = bool(((members <= core) & (core < ends[members])).any())
        if in_core or around_core:
            continue
        count, signed = others(members)
        if landmarks.is_signed[is_member].sum() + signed >= SIGNED * (len(members) + count):
            for first, last in zip(*landmarks.blocks_of(members), strict=True):
                found[first:last] = True
    return found
