"""Structures that belong to kept text: figures inside it, lists after a colon, glossaries, headings above it."""

from collections import Counter
from collections.abc import Iterator
from itertools import chain
from typing import Final

import numpy as np

from pagestrata.engine.decide.smooth import joinable_blocks
from pagestrata.engine.decide.threshold import THRESHOLD_MARGIN
from pagestrata.landmarks import Floats, Landmarks
from pagestrata.page import tags
from pagestrata.page.nodes import Bools
from pagestrata.page.scan import places_of

MAX_GAP: Final = 3
"""Blocks that may be missing between a figure and the kept text before it, or behind it."""
LINKED: Final = 0.3
"""A figure or heading with a larger share of links leads to other pages."""
TEXT_LINE: Final = 8
"""Words from which a line counts as a sentence; a shorter one is a label, as "Read more:" is."""
MIN_SECTIONS: Final = 2
"""Kept sections side by side from which on another one with a definition list is of the same text."""
_COLONS: Final = (":", "\uff1a")
_IMG, _FIGURE, _UL, _OL, _DL = (tags.TAG[name] for name in ("img", "figure", "ul", "ol", "dl"))
_HEADINGS: Final = frozenset(tags.TAG[f"h{level}"] for level in range(1, 7))

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
    lists = () if is_strict else _announced_lists(landmarks, keep)
    others = (_figures(landmarks, keep), _definition_lists(landmarks, keep), _headings(landmarks, keep))
    for first, last in chain(lists, *others):  # each begins when those before have been kept
        keep[first:last] |= may_join[first:last].all()
    return np.where(keep, np.maximum(importance, threshold + THRESHOLD_MARGIN), importance)


def _figures(landmarks: Landmarks, keep: Bools) -> Iterator[Range]:
    """The figures with a picture and a caption that stand between kept text of one element."""
    page = landmarks.page
    for figure in places_of(page.nodes.tag, _FIGURE):
        first, last = landmarks.range_of(figure)
        if first == last or keep[first:last].all():
            continue
        has_picture = (page.nodes.tag[figure : page.nodes.end[figure]] == _IMG).any()
        if has_picture and _link_share(landmarks, first, last) < LINKED:
            around = _element_with_more(landmarks, figure)
            before, behind = max(first - MAX_GAP - 1, around[0]), min(last + MAX_GAP + 1, around[1])
            if keep[before:first].any() and keep[last:behind].any():
                yield first, last


def _element_with_more(landmarks: Landmarks, node: int) -> Range:
    """The blocks of the innermost element around a node that holds more than the node does."""
    parent = landmarks.page.nodes.parent
    inside = around = landmarks.range_of(node)
    while around == inside and parent[node] >= 0:
        node = int(parent[node])
        around = landmarks.range_of(node)
    return around


def _announced_lists(landmarks: Landmarks, keep: Bools) -> Iterator[Range]:
    """The lists right after a kept sentence that ends in a colon, also if they consist of links."""
    for node in _missing_lists(landmarks, keep, _UL, _OL):
        first, last = landmarks.range_of(node)
        if keep[first - 1] and _announces(landmarks, first - 1, node):
            yield first, last


def _announces(landmarks: Landmarks, block: int, node: int) -> bool:
    """Whether a block is a sentence with a colon at its end, and stands beside an element."""
    page, blocks = landmarks.page, landmarks.blocks
    is_beside = page.nodes.parent[blocks.container[block]] == page.nodes.parent[node]
    is_sentence = blocks.words[block] >= TEXT_LINE and _link_share(landmarks, block, block + 1) < LINKED
    return bool(is_beside and is_sentence and page.text[blocks.text_end[block] - 1] in _COLONS)


def _missing_lists(landmarks: Landmarks, keep: Bools, *kinds: int) -> list[int]:
    """The lists of which a block is missing, and some block stands before them."""
    page = landmarks.page
    lists = (node for kind in kinds for node in places_of(page.nodes.tag, kind))
    spans = ((node, *landmarks.range_of(node)) for node in lists)
    return [node for node, first, last in spans if 0 < first < last and not keep[first:last].all()]


def _definition_lists(landmarks: Landmarks, keep: Bools) -> Iterator[Range]:
    """The glossaries with their heading, if it is kept, below a kept heading, or like those of kept sections beside it.

    Everything on a page stands below its title, so that this heading says nothing. Of a glossary links lead to other
    entries on the page; a list with links to other pages may be one of headlines.
    """
    lists = _missing_lists(landmarks, keep, _DL)
    if not lists:
        return
    outline = landmarks.outline
    kinds = np.stack((outline.level, outline.above, landmarks.tag_path[landmarks.blocks.container]), axis=1)
    headings = outline.headings[outline.headings + 1 < len(keep)]
    kept_sections = Counter(map(tuple, kinds[headings[keep[headings + 1]]].tolist()))
    for node in lists:
        first, last = landmarks.range_of(node)
        heading = first - 1
        above = int(outline.above[heading])
        belongs = keep[heading] or (above >= 0 and keep[above] and outline.level[above] > 1)
        belongs |= kept_sections[tuple(kinds[heading].tolist())] >= MIN_SECTIONS
        if outline.heading[heading] == heading and belongs and _links_within(landmarks, node):
            yield heading, last


def _links_within(landmarks: Landmarks, node: int) -> bool:
    """Whether all links in an element lead to other places of the page."""
    page = landmarks.page
    inside = range(node + 1, int(page.nodes.end[node]))
    return all(target.startswith("#") for _, target in page.values_of("href", among=inside))


def _headings(landmarks: Landmarks, keep: Bools) -> Iterator[Range]:
    """The headings between kept text, right above text of the same element."""
    nodes, container, group = landmarks.page.nodes, landmarks.blocks.container, landmarks.group
    for heading in ((keep[:-2] & ~keep[1:-1] & keep[2:]).nonzero()[0] + 1).tolist():
        if nodes.tag[container[heading]] in _HEADINGS and _link_share(landmarks, heading, heading + 1) < LINKED:
            below = group[heading + 1] if group[heading + 1] >= 0 else container[heading + 1]
            if nodes.parent[below] == nodes.parent[container[heading]]:
                yield heading, heading + 1


def _link_share(landmarks: Landmarks, first: int, last: int) -> float:
    blocks = landmarks.blocks
    return float(blocks.link_characters[first:last].sum() / max(1, blocks.characters[first:last].sum()))
