"""Visual blocks with a degree of coherence (VIPS: Cai, Yu, Wen and Ma, 2003), from boxes or from estimated ones.

A page is divided from the top down: a block that is not coherent enough is cut at the separators between the things in
it, until each block is. The degree of coherence grows as blocks get smaller and never falls from parent to child; the
permitted degree says how fine the cut is.

The original gets fonts, colours and gaps from a browser, and has rules for each. We have fonts and colours where a
browser drew the page, and else only estimated boxes, so these are ours:

- Coherence is 1 - the block's share of the page's area; 1 for what cannot be divided: lists, paragraphs, data tables.
- The first cut is the frame of the page: we go into the element that holds most of the text until something
  comes before it (a header) and something after it (a footer), or until its tag marks it as the main part.
- Separators are the edges of blocks of more than one line, and `<hr>`. Small things between two separators are one
  block; a heading belongs to what follows it. On a page that a browser drew, there is also a separator where the
  background or the colour of the text changes, and before what is larger or bolder than the thing before it; a heading
  is known by its font.
- VIPS has no importance. We use the share of text that is no link, reduced for blocks of few words.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from pagestrata.algorithms.base import DEFAULTS, Part, segmentation
from pagestrata.options import Options
from pagestrata.page import tags
from pagestrata.page.box_estimates import boxes_of
from pagestrata.page.drawn import Drawn
from pagestrata.page.nodes import Bools, Ints
from pagestrata.page.page import Page
from pagestrata.results import SectionTree, Segmentation

CONFIDENCE: Final = 0.3
"""The confidence with estimated boxes."""
CONFIDENCE_MEASURED: Final = 0.5
"""The confidence with boxes that a browser measured."""
MAIN_SHARE: Final = 0.5
"""The share of the page's text from which an element may hold the main part. 0.4 and 0.5 score the same (kreuzer-seg,
its popular pages), 0.6 and more score worse."""
HALF_WEIGHT_WORDS: Final = 20.0
"""The number of words at which a block has half the importance of a long one."""
MIN_LAYOUT_RUNS: Final = 3
"""A table with a cell of at least this many runs of text is layout."""
MIN_IMAGE_SIZE: Final = 16.0
"""In pixels; smaller images are tracking pixels or bullets, and are ignored."""

MIN_SIZE_RATIO: Final = 1.15
"""Text is larger than other text from this ratio of font sizes on: browsers draw `h3` at 1.17, `h4` at 1."""
MIN_WEIGHT_STEP: Final = 200.0
"""Text is bolder from this difference on: 400 is normal, 600 and 700 are bold."""
MIN_COLOUR_STEP: Final = 64.0
"""Text has another colour if red, green or blue differ by this, a quarter of the range: `#000` and `#333` are alike."""

_ATOMIC: Final = frozenset(
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
        visible = _VisiblePage(page)
        confidence = CONFIDENCE if visible.estimated else CONFIDENCE_MEASURED
        return segmentation(page, self._parts(visible), options, confidence, rest=visible.part([0], 0.0))

    def _parts(self, visible: "_VisiblePage") -> Iterator[Part]:
        """Yield the blocks, each before those inside it."""
        waiting = [(piece, 0.0) for piece in frame(visible)]
        while waiting:
            piece, around = waiting.pop()
            part = visible.part(piece, around)
            yield part
            coherence = part.signals["coherence"]
            if coherence < self.permitted_coherence:
                waiting.extend((inner, coherence) for inner in divide(visible, piece))


def frame(visible: "_VisiblePage") -> list[list[int]]:
    """Return the large parts of a page in order: those before the main part, the main part, those after it."""
    steps: list[tuple[list[int], int]] = []
    frame_depth, has_before, has_after, node = 0, False, False, visible.body
    while not (has_before and has_after) and visible.may_hold_main(node):
        children = visible.children(node)
        if not children:
            break
        place = max(range(len(children)), key=lambda i: visible.characters_in(children[i]))
        steps.append((children, place))
        has_earlier, has_later = place > 0, place + 1 < len(children)
        if (has_earlier and not has_before) or (has_later and not has_after):
            frame_depth = len(steps)
        has_before, has_after = has_before or has_earlier, has_after or has_later
        node = children[place]
    before = [child for children, place in steps[:frame_depth] for child in children[:place]]
    after = [child for children, place in reversed(steps[:frame_depth]) for child in children[place + 1 :]]
    main = steps[frame_depth - 1][0][steps[frame_depth - 1][1]] if frame_depth else visible.body
    return _separated(visible, [*before, main, *after])


def divide(visible: "_VisiblePage", piece: Sequence[int]) -> list[list[int]]:
    """Cut a block at its separators; return an empty list if there are none."""
    *headings, node = piece
    children = [node]
    while len(children) == 1 and visible.is_dividable(children[0]):
        children = visible.children(children[0])
    pieces = _separated(visible, children)
    if len(pieces) == 1:
        return []
    return [headings, *pieces] if headings else pieces


def _separated(visible: "_VisiblePage", neighbours: Sequence[int]) -> list[list[int]]:
    """Group neighbours between separators; a heading joins the block that follows it."""
    pieces = [[neighbours[0]]]
    for node in neighbours[1:]:
        if visible.is_separated(pieces[-1][-1], node):
            pieces.append([node])
        else:
            pieces[-1].append(node)
    for piece, following in pairwise(pieces):
        if visible.is_block(following[-1]) and visible.is_heading(piece[-1], following[-1]):
            following.insert(0, piece.pop())
    return [piece for piece in pieces if piece]


class _VisiblePage:
    """The visible nodes of a page. Sums over a subtree are differences of running sums."""

    def __init__(self, page: Page) -> None:
        nodes, runs, boxes = page.nodes, page.blocks, boxes_of(page)
        self.tag: list[int] = nodes.tag.tolist()
        self.end: list[int] = nodes.end.tolist()
        self.area, self.estimated = boxes.area.tolist(), boxes.estimated
        is_visible = ~nodes.is_unseen
        is_large = (boxes.width > MIN_IMAGE_SIZE) & (boxes.height > MIN_IMAGE_SIZE)
        is_thing = nodes.is_text | (np.isin(nodes.tag, _IMAGES) & is_large)
        self.things = _running(is_thing & is_visible)
        visible_runs = np.flatnonzero(is_visible[runs.node_start])
        starts = runs.node_start[visible_runs]
        self.runs = _running(np.bincount(starts, minlength=len(nodes)))
        self.words = _running(_at(len(nodes), starts, runs.words[visible_runs]))
        self.characters = _running(_at(len(nodes), starts, runs.characters[visible_runs]))
        self.link_characters = _running(_at(len(nodes), starts, runs.link_characters[visible_runs]))
        self.rules = page.nodes_tagged("hr").tolist()
        self.layout_tables = self._layout_tables(page)
        self.body = next(iter(page.nodes_tagged("body").tolist()), 0)
        self.looks = None if page.drawn is None else _Looks(page, page.drawn, is_visible)

    def children(self, node: int) -> list[int]:
        """Return the children that are visible."""
        children, child = [], node + 1
        while child < self.end[node]:
            if self.things[self.end[child]] > self.things[child]:
                children.append(child)
            child = self.end[child]
        return children

    def characters_in(self, node: int) -> int:
        """Return the number of visible characters in an element."""
        return self.characters[self.end[node]] - self.characters[node]

    def may_hold_main(self, node: int) -> bool:
        """Return whether the main part of the page may be inside an element, and not the element itself."""
        is_open = self.is_dividable(node) and self.tag[node] not in _MAIN
        return is_open and self.characters_in(node) >= MAIN_SHARE * self.characters[-1]

    def is_dividable(self, node: int) -> bool:
        """Return whether an element is a container, and not a unit such as a list or a paragraph."""
        return self.tag[node] not in _ATOMIC or node in self.layout_tables

    def is_block(self, node: int) -> bool:
        """Return whether an element is a container of more than one line."""
        return self.is_dividable(node) and self.runs[self.end[node]] - self.runs[node] > 1

    def is_separated(self, node: int, following: int) -> bool:
        """Return whether there is a separator between two neighbours: the edge of a block, a rule, another look."""
        has_rule = bisect_left(self.rules, following) > bisect_left(self.rules, self.end[node])
        return has_rule or self.is_block(node) or self.is_block(following) or self.looks_apart(node, following)

    def looks_apart(self, node: int, following: int) -> bool:
        """Return whether a browser drew two neighbours apart; a heading may have another colour than what follows."""
        if self.looks is None:
            return False
        is_recoloured = self.looks.is_recoloured(node, following) and not self.is_heading(node, following)
        return is_recoloured or self.looks.is_apart(node, following)

    def is_heading(self, node: int, following: int) -> bool:
        """Return whether an element is the heading of what follows: by its tag, or by its font if that was drawn."""
        is_prominent = self.looks is not None and self.looks.is_prominent(node, following)
        return self.tag[node] in _HEADINGS or (is_prominent and not self.is_block(node))

    def part(self, piece: Sequence[int], around: float) -> Part:
        """Build the part of a run of siblings; its degree of coherence is at least that of the block around it."""
        start, end = piece[0], self.end[piece[-1]]
        share = min(1.0, sum(self.area[node] for node in piece) / max(self.area[0], 1.0))
        coherence = max(around, 1 - share) if self.is_block(piece[-1]) else 1.0
        words = self.words[end] - self.words[start]
        characters = self.characters[end] - self.characters[start]
        links = (self.link_characters[end] - self.link_characters[start]) / max(characters, 1)
        return Part(
            start,
            end,
            (1 - links) * words / (words + HALF_WEIGHT_WORDS),
            reasons=(f"{words:,} words", f"{links:.0%} of its text is links", f"{share:.0%} of the page's area"),
            signals={"coherence": coherence, "area share": share},
        )

    def _layout_tables(self, page: Page) -> set[int]:
        """Return the tables with a cell that holds more than a few lines."""
        parents, ancestors = page.nodes.parent.tolist(), set[int]()
        for cell in page.nodes_tagged("td", "th").tolist():
            if self.runs[self.end[cell]] - self.runs[cell] >= MIN_LAYOUT_RUNS:
                ancestors.update(_ancestors(parents, cell, 3))
        return {node for node in ancestors if self.tag[node] == _TABLE}


class _Looks:
    """Fonts and colours of the elements of a page that a browser drew; those of text are means by characters."""

    def __init__(self, page: Page, drawn: Drawn, is_visible: Bools) -> None:
        nodes = page.nodes
        sizes = np.where(nodes.is_text & is_visible, nodes.text_end - nodes.text_start, 0)
        self.end = nodes.end.tolist()
        self.characters = _running(sizes)
        self.font_sizes, self.weights = _running(sizes * drawn.font_size), _running(sizes * drawn.font_weight)
        self.backgrounds = drawn.background.tolist()
        unlinked = np.where(nodes.in_link, 0, sizes).astype(np.int64)  # browsers give links a colour of their own
        self.unlinked_characters = _running(unlinked)
        self.colours = [_running(unlinked * channel) for channel in drawn.colour.T]

    def is_apart(self, node: int, following: int) -> bool:
        """Return whether the background changes between two neighbours, or the second is larger or bolder."""
        return self.backgrounds[node] != self.backgrounds[following] or self.is_prominent(following, node)

    def is_prominent(self, node: int, other: int) -> bool:
        """Return whether the text of an element is larger or bolder than that of another."""
        characters, other_characters = self._sum(self.characters, node), self._sum(self.characters, other)
        if not characters or not other_characters:
            return False
        size, other_size = self._sum(self.font_sizes, node), self._sum(self.font_sizes, other)
        weight, other_weight = self._sum(self.weights, node), self._sum(self.weights, other)
        is_larger = size / characters >= MIN_SIZE_RATIO * other_size / other_characters
        return is_larger or weight / characters >= other_weight / other_characters + MIN_WEIGHT_STEP

    def is_recoloured(self, node: int, other: int) -> bool:
        """Return whether the text of two elements has different colours; links do not count."""
        characters = self._sum(self.unlinked_characters, node)
        other_characters = self._sum(self.unlinked_characters, other)
        if not characters or not other_characters:
            return False
        channels = ((self._sum(sums, node), self._sum(sums, other)) for sums in self.colours)
        return any(abs(one / characters - two / other_characters) >= MIN_COLOUR_STEP for one, two in channels)

    def _sum(self, sums: Sequence[float], node: int) -> float:
        return float(sums[self.end[node]] - sums[node])


def _ancestors(parents: list[int], node: int, count: int) -> Iterator[int]:
    """Yield the nearest `count` elements around a node; a table is the third around its cell."""
    for _ in range(count):
        node = parents[node]
        if node < 0:
            return
        yield node


def _at(count: int, places: Ints, values: Ints) -> Ints:
    """Return a column with these values at these places and 0 elsewhere."""
    column = np.zeros(count, np.int32)
    column[places] = values
    return column


def _running(column: npt.NDArray[Any]) -> list[int]:
    """Return the sums up to each place, so that the sum over a range is one subtraction."""
    return [0, *np.cumsum(column).tolist()]
