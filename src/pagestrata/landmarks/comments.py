"""Comment regions: runs of blocks that the names of elements or a heading say are comments of readers.

A landmark, not a decision: in a forum the region may be the page's content. The loops are in `native.comments`.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from pagestrata.landmarks import PROSE, Landmarks, tag_bits
from pagestrata.landmarks.words import (
    Words,
    group_of_bucket,
    is_comment_heading,
    line_words,
    name_groups,
    name_words,
)
from pagestrata.native import kernel
from pagestrata.native.arrays import Column, as_column, zero_columns, zeros
from pagestrata.page.nodes import Bools

_loops = kernel("comments")

COMMENT_GROUP: Final = name_groups().index("comment") + 1
_NEVER: Final = tag_bits("html body main article") > 0
"""Tags of the page with its comments rather than of the comments."""


@dataclass(frozen=True, eq=False)
class CommentRegions:
    """Per block that a page shows, its comment region: the first block, one past the last, and how it was found."""

    columns: tuple[Column, Column, Column]
    """In the form of the loops; found by 0 means that the block is in no region."""

    @cached_property
    def is_inside(self) -> Bools:
        """Per block, whether it is in a comment region."""
        return np.asarray(self.columns[2], np.int32) > 0


def comment_regions_of(landmarks: Landmarks) -> CommentRegions:
    """Return the comment regions among the blocks that a page shows; they are found at the first call."""
    return landmarks.shown.once(_find)


def _find(landmarks: Landmarks) -> CommentRegions:
    page = landmarks.page
    names, lines = page.once(name_words), landmarks.once(line_words_of)
    regions = zero_columns(3, len(landmarks.blocks), np.int32)
    columns = landmarks.columns
    _, parent, end, _ = columns.nodes
    first_block = columns.of_nodes[1]
    may_be_region = as_column((~_NEVER).take(page.nodes.tag, mode="clip").view(np.uint8))
    _loops.find_named_regions(
        (names.place, names.bucket, names.count),
        group_of_bucket(),
        COMMENT_GROUP,
        end,
        first_block,
        may_be_region,
        title_block(landmarks),
        zeros(len(page.nodes), np.uint8),
        regions,
    )
    level = as_column(landmarks.heading_level)
    words = (lines.place, lines.bucket, lines.count)
    _loops.find_headed_regions(
        words, is_comment_heading(), level, columns.blocks, columns.sums[PROSE], parent, end, first_block, regions
    )
    return CommentRegions(regions)


def line_words_of(landmarks: Landmarks) -> Words:
    """Return the words at the start of each block of these landmarks."""
    return line_words(landmarks.page.text, landmarks.blocks)


def title_block(landmarks: Landmarks) -> int:
    """Return the first block of the heading that is the title among those that a page shows; -1 without one."""
    title = landmarks.page.title_heading
    return -1 if title is None else landmarks.shown.range_of(title)[0]
