"""Lines that have a role by themselves: the title, bylines, lines about cookies and about copyright."""

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from pagestrata.engine.roles.keyword_marks import keyword_marks
from pagestrata.engine.roles.words import role_words
from pagestrata.landmarks import Landmarks, texts_of
from pagestrata.native.keywords import PERSON_NAME
from pagestrata.page.nodes import Bools
from pagestrata.page.page import Page
from pagestrata.page.text import collapse

MAX_BYLINE_WORDS: Final = 16
"""A line of more words is no byline."""
MIN_TITLE_WORDS: Final = 3
"""A shorter line that is part of `<title>` is as likely the name of the site."""
NEAR_TITLE: Final = (2, 4)
"""Blocks before and after the title among which a byline is looked for."""

# Parts of words, which are found in either case of the first letter, and much faster than by a pattern.
COPYRIGHT: Final = (
    "©",
    "opyright",
    "ights reserved",
    "ights Reserved",
    "RIGHTS RESERVED",
    "Rechte vorbehalten",
    "版权所有",
)


def title_blocks(landmarks: Landmarks) -> Bools:
    """Whether each block is the title: the line that is the longest part of `<title>`, or else the title heading."""
    page, first_block = landmarks.page, landmarks.first_block
    is_title = np.zeros(len(page.blocks), np.bool_)
    line, node = _title_line(landmarks), page.title_heading
    if line is not None:
        is_title[line] = True
    elif node is not None:
        is_title[first_block[node] : first_block[page.nodes.end[node]]] = True
    return is_title


def _title_line(landmarks: Landmarks) -> int | None:
    """Return the longest line of some words, no link, that is part of `<title>`; of equal ones a heading."""
    page, levels = landmarks.page, landmarks.heading_level
    title, blocks = collapse(page.title).casefold(), page.blocks
    may_be = (blocks.characters <= len(title)) & (blocks.normalised_words >= MIN_TITLE_WORDS)
    may_be &= 2 * blocks.link_characters < blocks.characters
    candidates = np.flatnonzero(may_be)
    matches = [
        (len(text), bool(levels[block]), -block)
        for block, line in zip(candidates.tolist(), texts_of(page, candidates), strict=True)
        if (text := collapse(line).casefold()) in title
    ]
    return -max(matches)[2] if matches else None


def bylines(landmarks: Landmarks, is_title: Bools) -> Bools:
    """Whether each block is a short line that says who wrote the page, or when: in markup, or near the title."""
    page = landmarks.page
    marks, is_byline = keyword_marks(page), np.zeros(len(page.blocks) + 1, np.bool_)
    values = [*marks.values(page, "rel", PERSON_NAME), *marks.values(page, "itemprop", PERSON_NAME)]
    authors = [node for node, value in values if "author" in value.lower().split()]
    is_byline[np.searchsorted(page.blocks.node_end, authors, side="right")] = True
    titles = np.flatnonzero(is_title)
    if len(titles):
        start, end = max(0, titles[0] - NEAR_TITLE[0]), min(titles[-1] + 1 + NEAR_TITLE[1], len(page.blocks))
        near, first_words = np.arange(start, end), role_words().bylines
        is_byline[near] |= landmarks.tells_time[near]
        is_byline[near] |= [_first_word(text) in first_words for text in texts_of(page, near)]
    return np.asarray(is_byline[:-1] & (page.blocks.normalised_words <= MAX_BYLINE_WORDS))


def _first_word(text: str) -> str:
    return text[:40].replace(":", " ").lower().partition(" ")[0]


def blocks_with(page: Page, pieces: Sequence[str], first: int = 0) -> Bools:
    """Whether each block, from the first one asked for on, has one of these pieces in it."""
    has_piece = np.zeros(len(page.blocks) + 1, np.bool_)
    if first < len(page.blocks):
        start = int(page.blocks.text_start[first])
        places = [place for piece in pieces for place in _places(page.text, piece, start)]
        has_piece[np.searchsorted(page.blocks.text_start, places, side="right") - 1] = True
    return has_piece[:-1]


def _places(text: str, piece: str, start: int) -> Iterator[int]:
    place = text.find(piece, start)
    while place >= 0:
        yield place
        place = text.find(piece, place + 1)
