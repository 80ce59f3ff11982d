"""Headings that tell the role of what stands below them."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np

from pagestrata.engine.roles.keyword_marks import Places, lines_with_role_words
from pagestrata.engine.roles.votes import NO_ROLE, NUMBER_OF_ROLE
from pagestrata.engine.roles.words import role_words
from pagestrata.landmarks import Landmarks

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
    headings, page = list(_headings(landmarks)), landmarks.page
    numbers = np.full(len(page.blocks), NO_ROLE, np.intp)
    # Those of one level do not overlap, and there are seven levels, so that this is linear.
    for heading, following in zip(headings, _following(headings), strict=True):
        if heading.role_number != NO_ROLE:
            numbers[heading.block : min(following, _scope(landmarks, heading.block))] = heading.role_number
    return numbers


def _headings(landmarks: Landmarks) -> Iterator[_Heading]:
    """Yield headings by tag, and short lines that consist of a phrase of the table, in document order."""
    table, page, levels = role_words(), landmarks.page, landmarks.heading_level
    blocks = page.blocks
    is_heading = levels > 0
    is_label = (blocks.text_end - blocks.text_start <= LABEL_LENGTH) & (2 * blocks.link_characters < blocks.characters)
    is_marked = np.zeros(len(blocks), np.bool_)
    is_marked[lines_with_role_words(page, is_heading | is_label)] = True
    candidates = np.flatnonzero(is_heading | is_marked)
    columns = (candidates, levels[candidates], is_marked[candidates])
    spans = (blocks.text_start[candidates], blocks.text_end[candidates])
    for block, level, marked, start, end in zip(*(column.tolist() for column in (*columns, *spans)), strict=True):
        role = None
        if marked and level:
            role = table.role_of_heading(page.text[start : min(end, start + 2 * LABEL_LENGTH)])
        elif marked:
            role = table.role_of_line(page.text[start:end])
        if level or role is not None:
            yield _Heading(block, level or _LABEL_LEVEL, NO_ROLE if role is None else NUMBER_OF_ROLE[role])


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
