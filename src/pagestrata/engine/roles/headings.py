"""Headings that state the role of the blocks below them."""

from typing import Final

import numpy as np

from pagestrata.engine.nesting import Places
from pagestrata.engine.roles.keyword_marks import lines_with_role_words
from pagestrata.engine.roles.votes import NO_ROLE, NUMBER_OF_ROLE
from pagestrata.engine.roles.words import role_words
from pagestrata.landmarks import Landmarks, find_outline, texts_of
from pagestrata.landmarks.outline import Outline
from pagestrata.native.landmarks import LABEL

LABEL_LENGTH: Final = 60
"""Characters up to which a line without a heading's tag may still be one."""


def roles_of_headings(landmarks: Landmarks) -> Places:
    """Return the role that the nearest heading above each block states; intp, one per block."""
    numbers, roles = np.full(len(landmarks.page.blocks), NO_ROLE, np.intp), _role_headings(landmarks)
    outline = _outline(landmarks, list(roles))
    # Scopes of one level do not overlap, and there are seven levels, so that this is linear.
    for block, number in roles.items():
        numbers[block : outline.scope_end[block]] = number
    return numbers


def _role_headings(landmarks: Landmarks) -> dict[int, int]:
    """Return the numbers of the roles of headings, and of short lines that are a phrase of the table, by block."""
    page, levels, table, numbers = landmarks.page, landmarks.heading_level, role_words(), dict[int, int]()
    blocks = page.blocks
    is_label = (blocks.text_end - blocks.text_start <= LABEL_LENGTH) & (2 * blocks.link_characters < blocks.characters)
    marked = lines_with_role_words(page, is_label | (levels > 0))
    for block, line in zip(marked.tolist(), texts_of(page, marked), strict=True):
        is_heading = levels[block] > 0
        role = table.role_of_heading(line[: 2 * LABEL_LENGTH]) if is_heading else table.role_of_line(line)
        if role is not None:
            numbers[block] = NUMBER_OF_ROLE[role]
    return numbers


def _outline(landmarks: Landmarks, blocks: list[int]) -> Outline:
    """Return the outline of the page in which these blocks, too, are headings."""
    labels = [block for block in blocks if not landmarks.heading_level[block]]
    if not labels:
        return landmarks.outline
    levels = landmarks.heading_level.copy()
    levels[labels] = LABEL
    return find_outline(landmarks, levels)
