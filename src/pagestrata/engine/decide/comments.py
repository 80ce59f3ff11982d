"""Comments: signed records side by side, beside the main container and not around it."""

from collections.abc import Callable
from typing import Final

import numpy as np
import numpy.typing as npt

from pagestrata.landmarks import Landmarks
from pagestrata.page.nodes import Bools

SIGNED: Final = 0.6
"""Share of signed ones from which records side by side are comments."""

Records = npt.NDArray[np.intp]
OtherRecords = Callable[[Records], tuple[float, float]]
"""How many records like these the other pages of the site have, and how many of them are signed."""


def comment_blocks(landmarks: Landmarks, core: int, others: OtherRecords = lambda records: (0.0, 0.0)) -> Bools:
    """Whether each block is in a comment."""
    page, records = landmarks.page, landmarks.records
    found = np.zeros(len(page.blocks), np.bool_)
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
