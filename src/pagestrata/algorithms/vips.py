"""Visual blocks with a degree of coherence (VIPS: Cai, Yu, Wen and Ma, 2003), from boxes or from estimated ones.

A page is divided from the top down: a block that is not coherent enough is cut at the separators between the things in
it, until each block is. The degree of coherence grows as blocks get smaller and never falls from parent to child; the
permitted degree says how fine the cut is.

The original asks a browser for fonts, colours and gaps, and has rules for each. We have boxes at most, so these are
ours:

- Coherence is 1 - the block's share of the page's area; 1 for what cannot be divided: lists, paragraphs, data tables.
- The first cut is the frame of the page: we go into the element that holds most of the text until something
  stands before it (a header) and something after it (a footer), or until it says that it is the main part.
- Separators are the edges of blocks of more than one line, and `<hr>`. Small things between two separators are one
  block; a heading belongs to what follows it.
- VIPS does not say what is important. We take the share of text that is no link, less for blocks of few words.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from pagestrata.algorithms.base import DEFAULTS, Part, section_tree
from pagestrata.options import Options
from pagestrata.page import tags
from pagestrata.page.box_estimates import boxes_of
from pagestrata.page.nodes import Ints
from pagestrata.page.page import Page
from pagestrata.results import SectionTree, Segmentation

CONFIDENCE: Final = 0.3
"""Where boxes are a guess."""
CONFIDENCE_DRAWN: Final = 0.5
"""Where a browser measured them."""
MOST: Final = 0.5
"""Share of the page's text from which an element may hold the main part. 0.4 and 0.5 do equally well (kreuzer-seg,
its popular pages), 0.6 and more worse."""
FEW_WORDS: Final = 20.0
"""A block of so many words counts half of what it would if it were long."""
LAYOUT_RUNS: Final = 3
"""A table with a cell of so many runs of text is layout."""
SMALLEST_IMAGE: Final = 16.0
"""Pixels: smaller images count visits or draw a bullet, and are not seen."""

_GRAINS: Final = frozenset(
    tags.TAG[name]
    for name in (
        "p h1 h2 h3 h4 h5 h6 ul ol dl li dt dd pre blockquote figure figcaption table caption address summary "
        "select option datalist button textarea a span b strong em i font small"
    ).split()
)
_HEADINGS: Final = frozenset(tags.TAG[name] for name in "h1 h2 h3 h4 h5 h6".split())
_IMAGES: Final = tuple(tags.TAG[name] for name in "img object embed iframe video canvas svg input".split())
_TABLE: Final = tags.TAG["table"]
_MAIN: Final = frozenset(tags.TAG[name] for name in ("main", "article"))


@dataclass(frozen=True, slots=True)
class Vips:
    """Cuts a page into visual blocks."""

    permitted_coherence: float = 0.9
    """Blocks are divided until their degree of coherence reaches this: 0.9 leaves blocks of a tenth of the page."""

    def segment(self, page: Page, options: Options = DEFAULTS) -> Segmentation:
        """Cut the page into its frame, and each part of it into blocks."""
        if len(page.nodes) == 0:
            return SectionTree((), CONFIDENCE)
        sight = _Sight(page)
        sections = section_tree(page, self._parts(sight), sight.part([0], 0.0), options)
        return SectionTree(sections, CONFIDENCE if sight.estimated else CONFIDENCE_DRAWN)

    def _parts(self, sight: "_Sight") -> Iterator[Part]:
        """The blocks, each before those inside of it."""
        waiting = [(piece, 0.0) for piece in frame(sight)]
        while waiting:
            piece, around = waiting.pop()
            part = sight.part(piece, around)
            yield part
            coherence = part.signals["coherence"]
            if coherence < self.permitted_coherence:
                waiting.extend((inner, coherence) for inner in divide(sight, piece))


def frame(sight: "_Sight") -> list[list[int]]:
    """The large parts of a page in their order: what stands before the main part, the main part, what stands after."""
    steps: list[tuple[list[int], int]] = []
    needed, has_before, has_after, node = 0, False, False, sight.body
    while not (has_before and has_after) and sight.may_hold_main(node):
        children = sight.children(node)
        if not children:
            break
        place = max(range(len(children)), key=lambda i: sight.characters_in(children[i]))
        steps.append((children, place))
        finds_before, finds_after = place > 0, place + 1 < len(children)
        if (finds_before and not has_before) or (finds_after and not has_after):
            needed = len(steps)
        has_before, has_after = has_before or finds_before, has_after or finds_after
        node = children[place]
    before = [child for children, place in steps[:needed] for child in children[:place]]
    after = [child for children, place in reversed(steps[:needed]) for child in children[place + 1 :]]
    main = steps[needed - 1][0][steps[needed - 1][1]] if needed else sight.body
    return _separated(sight, [*before, main, *after])


def divide(sight: "_Sight", piece: Sequence[int]) -> list[list[int]]:
    """Cut a block at its separators; empty if there are none."""
    *headings, node = piece
    children = [node]
    while len(children) == 1 and sight.is_dividable(children[0]):
        children = sight.children(children[0])
    pieces = _separated(sight, children)
    if len(pieces) == 1:
        return []
    return [headings, *pieces] if headings else pieces


def _separated(sight: "_Sight", neighbours: Sequence[int]) -> list[list[int]]:
    """What stands between separators. A heading goes with the block that follows it."""
    pieces = [[neighbours[0]]]
    for node in neighbours[1:]:
        if sight.is_separated(pieces[-1][-1], node):
            pieces.append([node])
        else:
            pieces[-1].append(node)
    for piece, following in pairwise(pieces):
        if sight.tag[piece[-1]] in _HEADINGS and sight.is_block(following[-1]):
            following.insert(0, piece.pop())
    return [piece for piece in pieces if piece]


class _Sight:
    """What can be seen of a page. Sums over a subtree are differences of running sums."""

    def __init__(self, page: Page) -> None:
        nodes, runs, boxes = page.nodes, page.blocks, boxes_of(page)
        self.tag: list[int] = nodes.tag.tolist()
        self.end: list[int] = nodes.end.tolist()
        self.area, self.estimated = boxes.area.tolist(), boxes.estimated
        is_seen = ~np.isin(nodes.hidden_by, tags.UNSEEN)
        is_large = (boxes.width > SMALLEST_IMAGE) & (boxes.height > SMALLEST_IMAGE)
        is_thing = nodes.is_text | (np.isin(nodes.tag, _IMAGES) & is_large)
        self.things = _running(is_thing & is_seen)
        seen = np.flatnonzero(is_seen[runs.node_start])
        starts = runs.node_start[seen]
        self.runs = _running(np.bincount(starts, minlength=len(nodes)))
        self.words = _running(_at(len(nodes), starts, runs.words[seen]))
        self.characters = _running(_at(len(nodes), starts, runs.characters[seen]))
        self.link_characters = _running(_at(len(nodes), starts, runs.link_characters[seen]))
        self.rules = page.nodes_tagged("hr").tolist()
        self.layout_tables = self._layout_tables(page)
        self.body = next(iter(page.nodes_tagged("body").tolist()), 0)

    def children(self, node: int) -> list[int]:
        """The children that are seen."""
        found, child = [], node + 1
        while child < self.end[node]:
            if self.things[self.end[child]] > self.things[child]:
                found.append(child)
            child = self.end[child]
        return found

    def characters_in(self, node: int) -> int:
        """Characters that are seen."""
        return self.characters[self.end[node]] - self.characters[node]

    def may_hold_main(self, node: int) -> bool:
        """Whether the main part of the page may lie in an element, and not be it."""
        is_open = self.is_dividable(node) and self.tag[node] not in _MAIN
        return is_open and self.characters_in(node) >= MOST * self.characters[-1]

    def is_dividable(self, node: int) -> bool:
        """Whether an element is a box for others, and not a thing like a list or a paragraph."""
        return self.tag[node] not in _GRAINS or node in self.layout_tables

    def is_block(self, node: int) -> bool:
        """Whether it is a box of more than one line."""
        return self.is_dividable(node) and self.runs[self.end[node]] - self.runs[node] > 1

    def is_separated(self, node: int, following: int) -> bool:
        """Whether there is a separator between two neighbours: the edge of a block, or a rule."""
        has_rule = bisect_left(self.rules, following) > bisect_left(self.rules, self.end[node])
        return has_rule or self.is_block(node) or self.is_block(following)

    def part(self, piece: Sequence[int], around: float) -> Part:
        """A run of siblings with its degree of coherence, at least that of the block around it."""
        start, end = piece[0], self.end[piece[-1]]
        share = min(1.0, sum(self.area[node] for node in piece) / max(self.area[0], 1.0))
        coherence = max(around, 1 - share) if self.is_block(piece[-1]) else 1.0
        words = self.words[end] - self.words[start]
        characters = self.characters[end] - self.characters[start]
        links = (self.link_characters[end] - self.link_characters[start]) / max(characters, 1)
        return Part(
            start,
            end,
            (1 - links) * words / (words + FEW_WORDS),
            reasons=(f"{words:,} words", f"{links:.0%} of its text is links", f"{share:.0%} of the page's area"),
            signals={"coherence": coherence, "area share": share},
        )

    def _layout_tables(self, page: Page) -> set[int]:
        """Tables with a cell that holds more than a few lines."""
        parents, found = page.nodes.parent.tolist(), set[int]()
        for cell in page.nodes_tagged("td", "th").tolist():
            if self.runs[self.end[cell]] - self.runs[cell] >= LAYOUT_RUNS:
                found.update(_ancestors(parents, cell, 3))
        return {node for node in found if self.tag[node] == _TABLE}


def _ancestors(parents: list[int], node: int, most: int) -> Iterator[int]:
    """The nearest elements around a node; from a cell to its table there are three."""
    for _ in range(most):
        node = parents[node]
        if node < 0:
            return
        yield node


def _at(count: int, places: Ints, values: Ints) -> Ints:
    """A column with these values at these places and 0 elsewhere."""
    column = np.zeros(count, np.int32)
    column[places] = values
    return column


def _running(column: npt.NDArray[Any]) -> list[int]:
    """Sums up to each place, so that the sum over a range is one subtraction."""
    return [0, *np.cumsum(column).tolist()]
