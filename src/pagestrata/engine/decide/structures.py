"""Structures that belong to kept text: figures amid it, lists it announces, glossaries in it, headings above it."""

from collections import Counter
from collections.abc import Iterator
from itertools import chain
from typing import Final

import numpy as np

from pagestrata.engine.decide.smooth import joinable_blocks
from pagestrata.engine.decide.threshold import THRESHOLD_MARGIN
from pagestrata.landmarks import Floats, Landmarks
from pagestrata.page import tags
from pagestrata.page.nodes import Bools, Ints

MAX_GAP: Final = 3
"""Blocks that may be missing between a figure and the kept text before it, or behind it."""
LINKED: Final = 0.3
"""A figure or heading with a larger share of links leads to other pages."""
TEXT_LINE: Final = 8
"""Words from which a line counts as a sentence; a shorter one is a label, as "Read more:" is."""
MIN_SECTIONS: Final = 2
"""Kept sections side by side from which on another one with a definition list is of the same text."""
_COLONS: Final = (":", "\uff1a")
_IMG: Final = tags.TAG["img"]

Range = tuple[int, int]
"""The first of some blocks, and one past their last."""


def keep_structures(
    importance: Floats, landmarks: Landmarks, threshold: float, recurs: Bools | None = None, is_strict: bool = False
) -> Floats:
    """Importance with the structures raised above the threshold that belong to kept text.

    Where only the body of an article is wanted (`is_strict`), an announced list may be one of addresses to write to.
    What is known to recur over the site does not, nor does a suppressed copy, which has importance 0.
    """
    keep = importance >= threshold
    if not keep.any():
        return importance
    may_join = (np.asarray(joinable_blocks(landmarks, recurs)) > 0) & (importance > 0)
    structures = (_figures, _definition_lists) if is_strict else (_figures, _definition_lists, _announced_lists)
    for first, last in chain.from_iterable(find(landmarks, keep) for find in structures):
        keep[first:last] |= may_join[first:last].all()
    headings = _headings(landmarks, keep)
    keep[headings] = may_join[headings]
    return np.where(keep, np.maximum(importance, threshold + THRESHOLD_MARGIN), importance)


def _figures(landmarks: Landmarks, keep: Bools) -> Iterator[Range]:
    """The figures with a picture and a caption that stand between kept text of one element."""
    page = landmarks.page
    for figure in page.nodes_tagged("figure").tolist():
        first, last = page.blocks_of(figure)
        has_picture = (page.nodes.tag[figure : page.nodes.end[figure]] == _IMG).any()
        if first < last and has_picture and not keep[first:last].all() and _link_share(landmarks, first, last) < LINKED:
            around = _element_with_more(landmarks, figure)
            before, behind = max(first - MAX_GAP - 1, around[0]), min(last + MAX_GAP + 1, around[1])
            if keep[before:first].any() and keep[last:behind].any():
                yield first, last


def _element_with_more(landmarks: Landmarks, node: int) -> Range:
    """The blocks of the innermost element around a node that holds more than the node does."""
    page = landmarks.page
    inside = around = page.blocks_of(node)
    while around == inside and page.nodes.parent[node] >= 0:
        node = int(page.nodes.parent[node])
        around = page.blocks_of(node)
    return around


def _announced_lists(landmarks: Landmarks, keep: Bools) -> Iterator[Range]:
    """The lists right behind a kept sentence with a colon at its end; what they link to is what it speaks of."""
    page = landmarks.page
    lists = page.nodes_tagged("ul", "ol")
    if not len(lists):
        return
    first, last = landmarks.blocks_of(lists)
    announcing = np.maximum(first - 1, 0)
    words, container = page.blocks.words[announcing], page.blocks.container[announcing]
    may_announce = (first > 0) & (first < last) & (words >= TEXT_LINE) & (landmarks.link_share[announcing] < LINKED)
    may_announce &= keep[announcing] & (page.nodes.parent[container] == page.nodes.parent[lists])
    for start, end in zip(first[may_announce].tolist(), last[may_announce].tolist(), strict=True):
        if page.text[page.blocks.text_end[start - 1] - 1] in _COLONS:
            yield start, end


def _definition_lists(landmarks: Landmarks, keep: Bools) -> Iterator[Range]:
    """The glossaries, each with the heading right above it: it is kept, or is like those of kept sections beside it.

    Of a glossary links lead to other entries on the page; a list with links to other pages may be one of headlines.
    """
    page = landmarks.page
    lists = page.nodes_tagged("dl")
    first, last = landmarks.blocks_of(lists)
    is_missing = (first > 0) & (first < last) & ~keep[np.minimum(first, len(keep) - 1)]
    if not is_missing.any():
        return
    outline = landmarks.outline
    kinds = np.stack((outline.level, outline.above, landmarks.tag_path[page.blocks.container]), axis=1)
    headings = outline.headings[outline.headings + 1 < len(keep)]
    kept_sections = Counter(map(tuple, kinds[headings[keep[headings + 1]]].tolist()))
    for node, heading, end in zip(*(row[is_missing].tolist() for row in (lists, first - 1, last)), strict=True):
        is_like_kept = kept_sections[tuple(kinds[heading].tolist())] >= MIN_SECTIONS
        if outline.heading[heading] == heading and (keep[heading] or is_like_kept) and _links_within(landmarks, node):
            yield heading, end


def _links_within(landmarks: Landmarks, node: int) -> bool:
    """Whether all links in an element lead to other places of the page."""
    page = landmarks.page
    inside = range(node + 1, int(page.nodes.end[node]))
    return all(target.startswith("#") for _, target in page.values_of("href", among=inside))


def _headings(landmarks: Landmarks, keep: Bools) -> Ints:
    """The headings between kept text, right above text of the same element."""
    nodes, container, group = landmarks.page.nodes, landmarks.page.blocks.container, landmarks.group
    between = np.flatnonzero(keep[:-2] & ~keep[1:-1] & keep[2:]) + 1
    if not len(between):
        return np.zeros(0, np.int32)
    missing = between[(landmarks.heading_level[between] > 0) & (landmarks.link_share[between] < LINKED)]
    below = np.where(group[missing + 1] >= 0, group[missing + 1], container[missing + 1])
    return np.asarray(missing[nodes.parent[below] == nodes.parent[container[missing]]], np.int32)


def _link_share(landmarks: Landmarks, first: int, last: int) -> float:
    blocks = landmarks.page.blocks
    return float(blocks.link_characters[first:last].sum() / max(1, blocks.characters[first:last].sum()))
