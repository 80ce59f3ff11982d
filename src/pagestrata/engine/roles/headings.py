"""Headings that tell the role of what stands below them."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from pagestrata.engine.nesting import Places
from pagestrata.engine.roles.keyword_marks import lines_with_role_words
from pagestrata.engine.roles.votes import NO_ROLE, NUMBER_OF_ROLE
from pagestrata.engine.roles.words import role_words
from pagestrata.landmarks import Landmarks, texts_of

CLIMB: Final = 4
"""Elements around a heading that may hold nothing but it."""
LABEL_LENGTH: Final = 60
"""Characters up to which a line without a heading's tag may still be one."""

_LABEL_LEVEL: Final = 7


class _Heading(NamedTuple):
    """A block that may head others."""

    block: int
    level: int
    role_number: int


def roles_of_headings(landmarks: Landmarks) -> Places:
    """Return the role that the nearest heading above each block tells; intp, one per block.

    A heading counts up to the next one of its level, and inside its element.
    """
    numbers, roles = np.full(len(landmarks.page.blocks), NO_ROLE, np.intp), _role_headings(landmarks)
    if roles:
        headings = _headings(landmarks, roles)
        # Those of one level do not overlap, and there are seven levels, so that this is linear.
        for heading, following in zip(headings, _following(headings), strict=True):
            if heading.role_number != NO_ROLE:
                numbers[heading.block : min(following, _scope(landmarks, heading.block))] = heading.role_number
    return numbers


def _role_headings(landmarks: Landmarks) -> dict[int, int]:
    """Return the numbers of the roles of headings, and of short lines that consist of a phrase of the table, by block."""
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


def _headings(landmarks: Landmarks, role_numbers: dict[int, int]) -> list[_Heading]:
    """Return all headings by tag, and the lines with a role, in document order."""
    levels = landmarks.heading_level
    by_tag = np.flatnonzero(levels)
    level_of_block = dict(zip(by_tag.tolist(), levels[by_tag].tolist(), strict=True))
    return [
        _Heading(block, level_of_block.get(block, _LABEL_LEVEL), role_numbers.get(block, NO_ROLE))
        for block in sorted({*level_of_block, *role_numbers})
    ]


def _following(headings: Sequence[_Heading]) -> list[int]:
    """Return the block of the next heading of the same level or a higher one; far away where there is none."""
    far = 1 << 62
    following, open_headings = [far] * len(headings), list[int]()
    for place, heading in enumerate(headings):
        while open_headings and headings[open_headings[-1]].level >= heading.level:
            following[open_headings.pop()] = heading.block
        open_headings.append(place)
    return following


def _scope(landmarks: Landmarks, block: int) -> int:
    """Return the end of the blocks that a heading may head: those of the smallest element that holds more than it."""
    page, first_block = landmarks.page, landmarks.first_block
    node, parent, end = int(page.blocks.container[block]), page.nodes.parent, page.nodes.end
    for _ in range(CLIMB):
        if parent[node] < 0 or first_block[end[node]] > block + 1:
            break
        node = int(parent[node])
    return int(first_block[end[node]])
