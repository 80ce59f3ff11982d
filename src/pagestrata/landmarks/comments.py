"""Comment regions: runs of blocks that the names of elements or a heading say are comments of readers.

A landmark, not a decision: in a forum the region may be the page's content. The loops are in `native.comments`.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from pagestrata.landmarks import PROSE, Landmarks, landmarks_of, tag_bits
from pagestrata.landmarks.words import group_of_bucket, is_comment_heading, line_words, name_groups, name_words
from pagestrata.native import kernel
from pagestrata.native.arrays import Column, as_column, zero_columns, zeros
from pagestrata.page.nodes import Bools
from pagestrata.page.page import Page

_loops = kernel("comments")

COMMENT_GROUP: Final = name_groups().index("comment") + 1
_NEVER: Final = tag_bits("html body main article") > 0
"""Tags of the page with its comments rather than of the comments."""


@dataclass(frozen=True, eq=False)
class CommentRegions:
    """Per block, the comment region that contains it: its first block, one past its last, and how it was found."""

    columns: tuple[Column, Column, Column]
    """In the form of the loops; found by 0 means that the block is in no region."""

    @cached_property
    def is_inside(self) -> Bools:
        """Per block, whether it is in a comment region."""
        return np.asarray(self.columns[2], np.int32) > 0


def comment_regions_of(page: Page) -> CommentRegions:
    """Return the comment regions of a page; they are found at the first call."""
    return page.once(_find)


def _find(page: Page) -> CommentRegions:
    landmarks = landmarks_of(page)
    names, lines = page.once(name_words), page.once(line_words)
    regions = zero_columns(3, len(page.blocks), np.int32)
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


def title_block(landmarks: Landmarks) -> int:
    """Return the first block of the heading that is the title; -1 without one."""
    page = landmarks.page
    return -1 if page.title_heading is None else int(page.blocks_of(page.title_heading)[0])
