"""The protocols of all methods, and the construction of a tree of sections from the parts that a method returns.

A method returns runs of nodes (`Part`) with their importance and the reasons for it. `section_tree` builds the sections
of every method in the same way: nodes that no part covers become sections too, so that the leaves partition the page;
the title is a section of its own; selectors win over scores; the options decide whether comments are kept.
"""

import heapq
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Final, NamedTuple, Protocol, runtime_checkable

import numpy as np

from pagestrata.errors import UsageError
from pagestrata.landmarks.outline import Outline
from pagestrata.options import Options
from pagestrata.page import tags
from pagestrata.page.feed import Feed
from pagestrata.page.page import Page
from pagestrata.results import (
    NO_EXPLANATION,
    Explanation,
    Item,
    Role,
    Section,
    SectionContext,
    SectionTree,
    Segmentation,
)

DEFAULTS: Final = Options()
DROPPED: Final = "matched by a drop selector"
PINNED: Final = "matched by a keep selector"
EDITED: Final = "edited by hand"
"""The beginning of the reason for a section whose role was set by a person."""

KEEP_THRESHOLD: Final = 0.5
"""Sections from this importance on are kept, at bias 0, unless the method's paper has another threshold."""
MAX_BIAS_SHIFT: Final = 0.45
"""The shift of the threshold at a bias of ±1."""
MAX_DEPTH: Final = 128
"""The limit on nested parts; parts below are ignored. The deepest page of the wcxb set has 54 nested elements."""

_MEDIA = tags.numbers_of("img picture video audio svg math object embed canvas")


class Override(NamedTuple):
    """A decision that holds for all of a part, whatever its score."""

    kept: bool
    reason: str


DROP: Final = Override(kept=False, reason=DROPPED)
PIN: Final = Override(kept=True, reason=PINNED)


@dataclass(frozen=True, slots=True)
class Part:
    """A run of sibling nodes with their subtrees, found by a method. Parts may contain each other, but not cross."""

    start: int
    end: int
    """One past its last node."""
    importance: float
    role: Role | None = None
    """With None, the role is main if the section is kept, and other if not."""
    reasons: tuple[str, ...] = ()
    signals: Mapping[str, float] = field(default_factory=dict)
    item: Item | None = None
    """Its title, author, date and link, if it is a post of a thread or a card of a listing."""
    explainer: "Explainer | None" = None
    """Explains the sections that are made from the part, when their reasons are read."""
    override: Override | None = None
    """The decision of a person on the whole part, which is not cut further."""


class Explainer(Protocol):
    """Explains a run of blocks of a part: a part that holds the title or an item becomes several sections."""

    def explain(self, first: int, last: int) -> Explanation:
        """Return the reasons and signals of the blocks from `first` up to `last`."""


class Segmenter(Protocol):
    """Cuts a page into sections."""

    def segment(self, page: Page, options: Options = DEFAULTS) -> Segmentation:
        """Return the sections of a page."""


@runtime_checkable
class Learner(Protocol):
    """Learns from pages of one site."""

    def learn(self, pages: Sequence[Page], feed: Feed | None = None) -> Segmenter:
        """Return a segmenter for further pages of that site."""


def section_tree(
    page: Page,
    parts: Iterable[Part],
    rest: Part | None = None,
    options: Options = DEFAULTS,
    keep_from: float | None = None,
    outline: Outline | None = None,
) -> tuple[Section, ...]:
    """Turn the parts of a method into sections whose leaves partition the page; `rest` describes the uncovered nodes.

    Leaves with an importance of at least `keep_from` are kept; the default is `KEEP_THRESHOLD`, moved by the bias.
    `outline` is that of what is kept, if the method knows it.
    """
    if len(page.nodes) == 0:
        return ()
    root = replace(rest or Part(0, 0, 0.0, reasons=("outside of all parts of the method",)), start=0)
    root = replace(root, end=len(page.nodes))
    pieces = _with_gaps(page, list(_nest(_all_parts(page, root, parts, options))))
    threshold = biased(KEEP_THRESHOLD, options) if keep_from is None else keep_from
    return (_Builder(page, pieces, SectionContext(options, outline), threshold).root(),)


def segmentation(
    page: Page,
    parts: Iterable[Part],
    options: Options,
    confidence: float = 0.0,
    notes: Iterable[str] = (),
    rest: Part | None = None,
) -> SectionTree:
    """Return the answer of a method that keeps parts by their importance alone."""
    return SectionTree(section_tree(page, parts, rest, options), confidence, notes=tuple(notes))


def uncut(page: Page) -> tuple[Section, ...]:
    """Return the page as one kept section, for a page whose time budget is spent."""
    return section_tree(page, [], Part(0, 0, 1.0, Role.MAIN, ("not judged: the time budget was spent",)))


def biased(keep_from: float, options: Options) -> float:
    """Move a threshold by the bias: lower for recall, higher for precision."""
    return keep_from - MAX_BIAS_SHIFT * options.bias


@dataclass(slots=True)
class _Piece:
    """A part with its parent in the tree, or a gap between the parts inside another."""

    part: Part
    start: int
    end: int
    parent: int
    override: Override | None = None
    """The decision that holds whatever its score is; None if the score decides."""
    is_leaf: bool = True


def _all_parts(page: Page, root: Part, parts: Iterable[Part], options: Options) -> list[tuple[Part, Override | None]]:
    """List the method's parts, the title, and the matches of selectors, each with its override if it has one."""
    listed: list[tuple[Part, Override | None]] = [(root, None)]
    parts = [part for part in _snap_to_blocks(page, parts) if part.start < part.end]
    listed += [(part, part.override) for part in parts]
    edited = {part.start: part.override.kept for part in parts if part.override}
    ends = page.nodes.end
    title = page.title_heading
    if title is not None:
        listed.append((Part(title, int(ends[title]), 1.0, Role.TITLE), None))
    for node, override in selector_overrides(page, options).items():
        if edited.get(node) is not override.kept and (override.kept or not is_in_line(page, node)):
            listed.append((Part(node, int(ends[node]), float(override.kept)), override))
    return listed


def is_in_line(page: Page, node: int) -> bool:
    """Whether an element holds a part of a line, and not all of it; the renderers leave such matches out."""
    starts, block_ends, end = page.blocks.node_start, page.blocks.node_end, int(page.nodes.end[node])
    first = int(np.searchsorted(block_ends, node, side="right"))
    last = int(np.searchsorted(starts, end)) - 1
    return first <= last and bool(starts[first] < node or block_ends[last] > end)


def _snap_to_blocks(page: Page, parts: Iterable[Part]) -> Iterator[Part]:
    """Move edges that lie inside a block, so that no line is split: it belongs to the part that it begins in."""
    starts: list[int] = page.blocks.node_start.tolist()
    ends: list[int] = page.blocks.node_end.tolist()

    def snap(node: int, begun_from: int) -> int:
        block = bisect_right(starts, node) - 1
        if block < 0 or not starts[block] < node < ends[block]:
            return node
        return ends[block] if starts[block] >= begun_from else starts[block]

    for part in parts:
        start, end = snap(part.start, part.start), snap(part.end, part.start)
        yield part if (start, end) == (part.start, part.end) else replace(part, start=start, end=end)


def _nest(parts: list[tuple[Part, Override | None]]) -> Iterator[_Piece]:
    """Arrange the parts as a tree, parents first, in document order; a part that crosses another is split."""
    waiting = [(part.start, -part.end, place, part, override) for place, (part, override) in enumerate(parts)]
    heapq.heapify(waiting)
    open_pieces: list[tuple[int, _Piece]] = []
    piece_count = 0
    while waiting:
        start, _, place, part, override = heapq.heappop(waiting)
        while open_pieces and open_pieces[-1][1].end <= start:
            open_pieces.pop()
        parent, around = open_pieces[-1] if open_pieces else (-1, None)
        end = min(part.end, around.end) if around else part.end
        if end < part.end:
            heapq.heappush(waiting, (end, -part.end, place, replace(part, start=end), override))
        outer = around.override if around else None
        if len(open_pieces) >= MAX_DEPTH or _holds_whole(outer, part, override):
            continue
        if override != DROP:  # an override holds for all inside, and drop wins
            override = outer if outer == DROP else override or outer
        piece = _Piece(part, start, end, parent, override)
        open_pieces.append((piece_count, piece))
        piece_count += 1
        yield piece


def _holds_whole(outer: Override | None, part: Part, override: Override | None) -> bool:
    """Whether the part around another is not cut: a person decided on it, and on nothing inside."""
    if outer is None or outer == DROP:
        return False
    return not outer.kept or (override is None and part.role is not Role.TITLE)


def _with_gaps(page: Page, pieces: list[_Piece]) -> list[_Piece]:
    """Add a leaf for each stretch of text between the parts inside another; parents stay before their children."""
    block_starts = page.blocks.node_start.tolist()

    def has_text(start: int, end: int) -> bool:
        return bisect_right(block_starts, end - 1) > bisect_right(block_starts, start - 1)

    covered_end = [piece.start for piece in pieces]
    gaps = []
    for place, piece in enumerate(pieces):
        if piece.parent < 0:
            continue
        around = pieces[piece.parent]
        around.is_leaf = False
        if has_text(covered_end[piece.parent], piece.start):
            gaps.append(_Piece(around.part, covered_end[piece.parent], piece.start, piece.parent, around.override))
        covered_end[piece.parent] = pieces[place].end
    for place, piece in enumerate(pieces):
        if not piece.is_leaf and has_text(covered_end[place], piece.end):
            gaps.append(_Piece(piece.part, covered_end[place], piece.end, place, piece.override))
    return pieces + gaps


class _Builder:
    """Decides which leaves are kept and builds the tree from the leaves up."""

    def __init__(self, page: Page, pieces: list[_Piece], context: SectionContext, keep_from: float) -> None:
        self.page, self.pieces, self.context, self.keep_from = page, pieces, context, keep_from
        self.options = context.options
        leaves = sorted((i for i, piece in enumerate(pieces) if piece.is_leaf), key=lambda i: pieces[i].start)
        # Each leaf extends to the start of the next one, so that every node is in a leaf.
        edges = [0, *(pieces[i].start for i in leaves[1:]), len(page.nodes)]
        self.edges = dict(zip(leaves, pairwise(edges), strict=True))
        bounds = np.searchsorted(page.blocks.node_start, edges).tolist()
        self.blocks = dict(zip(leaves, pairwise(bounds), strict=True))
        self.words = [0, *np.cumsum(page.blocks.words).tolist()]
        # Single entries are read several times faster from a memoryview than from an array.
        self.container, self.node_end = page.blocks.container.data, page.blocks.node_end.data
        self.media = np.flatnonzero(page.nodes.is_one_of(_MEDIA)).tolist()

    def root(self) -> Section:
        children: list[list[Section]] = [[] for _ in self.pieces]
        for i in range(len(self.pieces) - 1, 0, -1):
            section = self.section(i, children[i])
            children[self.pieces[i].parent].append(section)
        return self.section(0, children[0])

    def section(self, i: int, children: list[Section]) -> Section:
        if not children:
            return self.leaf(i)
        children.sort(key=lambda section: section.node_start)
        return children[0] if len(children) == 1 else self.inner(i, children)  # a wrapper adds nothing to its content

    def leaf(self, i: int) -> Section:
        piece, part = self.pieces[i], self.pieces[i].part
        (start, end), (first, last) = self.edges[i], self.blocks[i]
        kept, decision = self.choose(piece)
        kept = kept and (last > first or piece.override == PIN or self.has_media(piece))
        return Section(
            page=self.page,
            role=part.role or (Role.MAIN if kept else Role.OTHER),
            importance=round(min(1.0, max(0.0, part.importance)), 4),
            kept=kept,
            node=self.place(piece, first, last),
            node_start=start,
            node_end=end,
            block_start=first,
            block_end=last,
            stated=(decision, *part.reasons),
            numbers=part.signals,
            explanation=_explained(part, first, last),
            item=part.item,
            context=self.context,
        )

    def place(self, piece: _Piece, first: int, last: int) -> int:
        """Return the smallest element that holds the text of a leaf, or the match itself for a selector."""
        if piece.override or last == first:
            return smallest_around(self.page, piece.start, piece.end)
        return smallest_around(self.page, self.container[first], self.node_end[last - 1])

    def choose(self, piece: _Piece) -> tuple[bool, str]:
        """Decide whether a leaf is kept; return the decision and its reason."""
        role, importance = piece.part.role, piece.part.importance
        if piece.override:
            return piece.override
        if role is Role.TITLE:
            return True, "the title of the page"
        if role is Role.COMMENTS:  # a stream of their own: they are not main text, however good they are
            kept = self.options.comments != "off"
            return kept, "comments are requested" if kept else "comments are off"
        if self.options.comments == "only":
            return False, "only comments are requested"
        kept = importance >= self.keep_from
        return kept, f"importance {importance:.2f} is {'at least' if kept else 'below'} {self.keep_from:.2f}"

    def has_media(self, piece: _Piece) -> bool:
        return bisect_right(self.media, piece.end - 1) > bisect_right(self.media, piece.start - 1)

    def inner(self, i: int, children: list[Section]) -> Section:
        piece = self.pieces[i]
        sizes = [self.words[child.block_end] - self.words[child.block_start] + 1e-9 for child in children]
        importance = sum(size * child.importance for size, child in zip(sizes, children, strict=True)) / sum(sizes)
        kept = [child for child in children if child.kept]
        return Section(
            page=self.page,
            role=piece.part.role or (Role.MAIN if kept else Role.OTHER),
            importance=round(importance, 4),
            kept=bool(kept),
            node=smallest_around(self.page, piece.start, piece.end),
            node_start=children[0].node_start,
            node_end=children[-1].node_end,
            block_start=children[0].block_start,
            block_end=children[-1].block_end,
            children=tuple(children),
            stated=(f"{len(kept)} of its {len(children)} sections are kept", *piece.part.reasons),
            numbers=piece.part.signals,
            explanation=_explained(piece.part, children[0].block_start, children[-1].block_end),
            item=piece.part.item,
            context=self.context,
        )


def _explained(part: Part, first: int, last: int) -> Explanation:
    return part.explainer.explain(first, last) if part.explainer is not None and last > first else NO_EXPLANATION


def smallest_around(page: Page, start: int, end: int) -> int:
    """Return the smallest element that holds these nodes."""
    ends, parents, tag, node = page.nodes.end.data, page.nodes.parent.data, page.nodes.tag.data, start
    while ends[node] < end or (tag[node] == tags.TEXT and parents[node] >= 0):
        node = parents[node]
    return node


def check_selectors(page: Page, options: Options) -> None:
    """Raise an error for selectors that the page was parsed without: they are matched while it is parsed."""
    missing = [selector for selector in options.selectors if selector not in page.marks]
    if missing:
        raise UsageError(f"the page was parsed without the selector {missing[0]!r}: give the same options to parse")


def selector_overrides(page: Page, options: Options) -> dict[int, Override]:
    """Map each element that a keep or drop selector matches to the decision to keep or drop it; drop wins."""
    check_selectors(page, options)
    kept = {node: PIN for selector in options.keep for node in page.marks[selector]}
    return kept | {node: DROP for selector in options.drop for node in page.marks[selector]}
