"""From a decision to sections: the page is cut where the decision changes and at kept headings.

Roles and reasons come on request.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Final, Protocol

import numpy as np

from pagestrata.algorithms.base import Part, section_tree
from pagestrata.engine.decide.decision import NOISE, Decision
from pagestrata.engine.explain import PageExplanation, PartExplainer, Ranges, mean_over
from pagestrata.engine.items import find_items, find_posts
from pagestrata.engine.model import EngineModel
from pagestrata.engine.roles import RoleReader, RoleVerdict
from pagestrata.landmarks import covered, find_outline
from pagestrata.landmarks.outline import Outline
from pagestrata.native import kernel
from pagestrata.native.arrays import as_column, zero_columns, zeros
from pagestrata.options import Options
from pagestrata.page.nodes import Bools, Ints, cover
from pagestrata.page.page import Page
from pagestrata.results import Item, ItemKind, Leaves, PageType, Role, Section, kept_leaves, leaf_columns

LINK_LIST: Final = 0.5
"""From this share of links on, a section is there to lead elsewhere."""
MAX_ITEMS: Final = 10_000
"""Items and headings that are sections of their own. Where there are more, they stay in one section: each section has a
path, reasons and signals, and of 70,000 links in 4 MB these made 108 MB of JSON."""
NOT_VOTED: Final = RoleVerdict(Role.OTHER, "")
REST: Final = Part(0, 0, 0.0, reasons=("outside of all sections",))

_loops = kernel("cut")


@dataclass(frozen=True, slots=True, eq=False)
class Cut:
    """The parts of a page, in document order; int32, one entry per part."""

    start: Ints
    """Its first node."""
    end: Ints
    """One past its last node."""
    first: Ints
    """Its first block."""
    last: Ints
    """One past its last block."""

    @property
    def ranges(self) -> Ranges:
        """Parts × 2: the blocks of each."""
        return np.stack((self.first, self.last), axis=1).astype(np.intp)


class Decider(Protocol):
    """Decides on a page: the engine, alone or with the model of a site."""

    def decide(self, page: Page, options: Options) -> Decision:
        """Decide which blocks of a page are kept."""


@dataclass(frozen=True, eq=False)
class DecidedSections:
    """The answer of a method that decides block by block; each part of it is computed on request, once."""

    page: Page
    options: Options
    decider: Decider
    model: EngineModel | None = None
    """The model that explains the scores; None if they are not from trees."""
    edits: tuple[Part, ...] = ()
    """Roles that a person gave to elements of the site."""
    trust: float = 1.0
    """The factor of the confidence of the decision."""
    notes: tuple[str, ...] = ()
    page_type: PageType = field(default=PageType.UNKNOWN, init=False)

    @cached_property
    def decision(self) -> Decision:
        """The decision on the page."""
        return self.decider.decide(self.page, self.options)

    @property
    def confidence(self) -> float:
        """How certain the method is of its result, in [0, 1]."""
        return self.trust * self.decision.confidence

    @property
    def is_plain(self) -> bool:
        """Whether the decision alone determines what is returned: no selectors, no comments, no edits."""
        options = self.options
        return not (options.keep or options.drop or options.comments != "off" or self.edits)

    @cached_property
    def kept_blocks(self) -> Bools | None:
        """Which blocks are returned, without the title; None if the sections are needed for that."""
        return without_title(self.page, self.decision.keep) if self.is_plain else None

    @cached_property
    def cut(self) -> Cut:
        """The parts that the page is cut into."""
        return cut(self.decision)

    @cached_property
    def leaves(self) -> Leaves:
        """The leaves as columns. Cuts at headings are not among them: on both sides the same is decided."""
        return cut_leaves(self.decision, self.cut) if self.is_plain else leaf_columns(self.tree(self.parts))

    @cached_property
    def items(self) -> list[Item]:
        """The posts of a thread or the cards of a listing, and the comments if they are returned."""
        return _merged(find_items(self.page, self.decision.keep), self.comments)

    @cached_property
    def posts(self) -> list[Item]:
        """The posts of a thread, and the comments if they are returned."""
        if "items" in self.__dict__:  # found already
            return [item for item in self.items if item.kind is ItemKind.POST]
        return _merged(find_posts(self.page, self.decision.keep), self.comments)

    @cached_property
    def comments(self) -> list[Item]:
        """The comments, if they are returned; each is a post."""
        return [] if self.options.comments == "off" else find_posts(self.page, self.decision.is_comment)

    @cached_property
    def parts(self) -> list[Part]:
        """The parts of the cut with their roles, and the items among them."""
        verdicts = read_roles(self.decision, self.cut)
        return explained_parts(self.decision, self.cut, self.items, self.explanation, verdicts)

    @cached_property
    def explanation(self) -> PageExplanation:
        """The reasons of all sections, computed when they are read."""
        return PageExplanation(self.decision, self.model)

    @cached_property
    def outline(self) -> Outline:
        """The outline of what is returned. The headings of items are their titles, and not part of it."""
        landmarks, kept = self.decision.landmarks, self.kept_blocks
        if kept is None:
            kept = self.leaves.kept[np.searchsorted(self.leaves.node_start, self.page.blocks.node_start, "right") - 1]
        return find_outline(landmarks, landmarks.heading_level * (kept & ~in_items(self.page, self.items)), kept)

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        """The section tree, cut at headings, with roles and items; reasons are computed when they are read."""
        headed = headed_parts(self.decision, self.cut, self.outline, self.explanation)
        return self.tree([*self.parts, *_outside(self.page, self.edits, headed)], self.outline)

    @cached_property
    def kept_leaves(self) -> list[Section]:
        """The leaves that are returned. What is returned is main text, so that no roles have to be voted for.

        That takes a third of the time that all sections take.
        """
        if not self.is_plain or "sections" in self.__dict__:
            return kept_leaves(self.sections)
        explanation = PageExplanation(self.decision, self.model)
        parts = explained_parts(self.decision, self.cut, self.items, explanation, [NOT_VOTED] * len(self.cut.start))
        headed = headed_parts(self.decision, self.cut, self.outline, explanation)
        return kept_leaves(self.tree([*parts, *headed], self.outline))

    def tree(self, parts: Iterable[Part], outline: Outline | None = None) -> tuple[Section, ...]:
        """The section tree that these parts and the edits make."""
        return section_tree(self.page, [*parts, *self.edits], REST, self.options, self.decision.threshold, outline)


def _merged(items: list[Item], comments: list[Item]) -> list[Item]:
    """Items and comments in document order; what holds comments is no item beside them."""
    starts = [comment.start for comment in comments]
    alone = (item for item in items if bisect_left(starts, item.start) == bisect_left(starts, item.end))
    return sorted((*alone, *comments), key=lambda item: item.start)


def without_title(page: Page, keep: Bools) -> Bools:
    """The kept blocks without the title, which is written apart."""
    if page.title_heading is None:
        return keep
    kept = keep.copy()
    first, last = page.blocks_of(page.title_heading)
    kept[first:last] = False
    return kept


def cut(decision: Decision) -> Cut:
    """Cut a page into the largest elements whose blocks are judged alike, and runs of small ones."""
    columns, size = decision.landmarks.columns, len(decision.landmarks.page.nodes)
    if not len(decision.keep):
        return Cut(*np.zeros((4, 0), np.int32))
    _, _, end, container = columns.nodes
    first_block, node_end = columns.of_nodes[1], columns.blocks[1]
    starts, ends = room = zero_columns(2, size, np.int32)
    changes = zeros(len(decision.keep), np.int32)
    count = _loops.cut(
        end, container, first_block, node_end, as_column(block_kinds(decision)), changes, zeros(size, np.int32), *room
    )
    start, stop = np.asarray(starts[:count], np.int32), np.asarray(ends[:count], np.int32)
    order = np.argsort(start, kind="stable")
    start, stop = start[order], stop[order]
    first, last = np.searchsorted(decision.landmarks.page.blocks.node_start, (start, stop)).astype(np.int32)
    return Cut(start, stop, first, last)


def block_kinds(decision: Decision) -> Ints:
    """A number for each block, equal for blocks that are judged alike; a list or table is never cut."""
    landmarks, site = decision.landmarks, decision.site
    bits = [decision.keep, decision.is_comment, decision.in_core, decision.is_copy]
    if site is not None:
        bits.append((site.noise >= NOISE) & ~decision.keep)
    kinds = np.zeros(len(decision.keep), np.int32)
    for place, bit in enumerate(bits):
        kinds |= bit.astype(np.int32) << place
    grouped = np.flatnonzero(landmarks.group >= 0)
    kinds[grouped] = kinds[landmarks.first_block[landmarks.group[grouped]]]
    return kinds


def cut_leaves(decision: Decision, parts: Cut) -> Leaves:
    """The leaves that the parts and the title make."""
    page = decision.landmarks.page
    starts, kept = parts.start, decision.keep[parts.first]
    title = page.title_heading
    if title is not None:
        starts, kept = _with_title(page, parts, kept, title)
    if len(starts):
        starts = starts.copy()
        starts[0] = 0  # each leaf goes up to the next one, so that no node is in none
    elif len(page.nodes):
        starts, kept = np.zeros(1, np.int32), np.zeros(1, np.bool_)
    return Leaves(starts, kept)


def _with_title(page: Page, parts: Cut, kept: Bools, title: int) -> tuple[Ints, Bools]:
    """The starts of the leaves and whether they are kept, the title a leaf of its own."""
    end = int(page.nodes.end[title])
    rows: list[tuple[int, bool]] = []
    columns = (column.tolist() for column in (parts.start, parts.end, kept))
    for start, stop, is_kept in zip(*columns, strict=True):
        if not start <= title < stop:
            rows.append((start, is_kept and not title <= start < end))
            continue
        if _has_blocks(page, start, title):
            rows.append((start, is_kept))
        rows.append((title, False))
        if _has_blocks(page, end, stop):
            rows.append((end, is_kept))
    return np.array([start for start, _ in rows], np.int32), np.array([keep for _, keep in rows], np.bool_)


def _has_blocks(page: Page, start: int, end: int) -> bool:
    first, last = np.searchsorted(page.blocks.node_start, (start, end))
    return bool(last > first)


# --------------------------------------------------------------------------------------------------- roles and reasons


def read_roles(decision: Decision, parts: Cut) -> list[RoleVerdict]:
    """The role of each part as all that can be seen of it votes."""
    if not len(parts.start):
        return []
    noise = decision.site.noise if decision.site else None
    reader = RoleReader(decision.landmarks.page, decision.keep, decision.is_comment, noise)
    return reader.roles(parts.start.astype(np.intp), parts.end.astype(np.intp))


def explained_parts(
    decision: Decision,
    parts: Cut,
    items: Sequence[Item],
    explanation: PageExplanation,
    verdicts: Sequence[RoleVerdict],
) -> list[Part]:
    """The parts with importance and roles, the items among them as parts of their own, all with their reasons."""
    page = decision.landmarks.page
    shown = _uncrossed(parts, items) if len(items) <= MAX_ITEMS else []
    item_ranges = _item_ranges(page, shown)
    importance = _importance(decision, np.concatenate((parts.ranges, item_ranges)))
    item_roles = [Role.COMMENTS if decision.is_comment[first:last].any() else None for first, last in item_ranges]
    roles = _roles(decision, parts, verdicts)
    stated = [*_stated(parts, roles, verdicts, items), *([(f"one of {len(items)} items",)] * len(shown))]
    spans = [*zip(parts.start.tolist(), parts.end.tolist(), strict=True), *((item.start, item.end) for item in shown)]
    all_roles, all_items = [*roles, *item_roles], [*[None] * len(roles), *shown]
    return [
        Part(start, end, value, role, item=item, explainer=PartExplainer(explanation, known))
        for (start, end), value, role, item, known in zip(spans, importance, all_roles, all_items, stated, strict=True)
    ]


def _importance(decision: Decision, ranges: Ranges) -> list[float]:
    """The mean importance of ranges of blocks, by words."""
    means: list[float] = mean_over([decision.importance], decision.landmarks.page.blocks.words + 1.0, ranges)[
        :, 0
    ].tolist()
    return means


def _roles(decision: Decision, parts: Cut, verdicts: Sequence[RoleVerdict]) -> list[Role | None]:
    """The role of each part: what the site says, or else what the votes say; None is main if it is kept, else other."""
    kept = decision.keep[parts.first].tolist()
    related = _are_related(decision, parts) & ~decision.keep[parts.first]
    rows = zip(verdicts, kept, related.tolist(), strict=True)
    return [Role.RELATED if is_related else _voted_role(verdict.role, is_kept) for verdict, is_kept, is_related in rows]


def _are_related(decision: Decision, parts: Cut) -> Bools:
    """Whether most of each part leads to other pages of the site, and does not recur on them."""
    if decision.site is None:
        return np.zeros(len(parts.start), np.bool_)
    sizes = decision.landmarks.page.blocks.characters + 1.0
    related, noise = mean_over([decision.site.is_related, decision.site.noise], sizes, parts.ranges).T
    return np.asarray((related > LINK_LIST) & (noise < NOISE))


def _voted_role(role: Role, is_kept: bool) -> Role | None:
    """The role that was voted for, if it agrees with what was decided."""
    disagrees = role is Role.TITLE or (role is Role.COMMENTS and is_kept) or (role is Role.MAIN) != is_kept
    return None if disagrees else role


def _stated(
    parts: Cut, roles: Sequence[Role | None], verdicts: Sequence[RoleVerdict], items: Sequence[Item]
) -> Iterator[tuple[str, ...]]:
    """For each part what its role rests on, and how many items it holds where they are too many to be sections."""
    starts = [item.start for item in items] if len(items) > MAX_ITEMS else []
    rows = zip(roles, verdicts, parts.start.tolist(), parts.end.tolist(), strict=True)
    for role, verdict, start, end in rows:
        reasons = [verdict.reason] if role is verdict.role else []
        count = bisect_left(starts, end) - bisect_left(starts, start)
        if count:
            reasons.append(f"{count:,} items; not cut apart, as the page has more than {MAX_ITEMS:,}")
        yield tuple(reasons)


def _uncrossed(parts: Cut, items: Iterable[Item]) -> list[Item]:
    """The items that hold blocks and whose edges do not lie inside a part that reaches out of the item."""
    ranges = list(zip(parts.start.tolist(), parts.end.tolist(), strict=True))

    def crosses(place: int, item: Item) -> bool:
        at = bisect_right(ranges, (place, 0)) - 1
        start, end = ranges[at] if at >= 0 else (0, 0)
        return start < place < end and not (start <= item.start and item.end <= end)

    return [item for item in items if not (crosses(item.start, item) or crosses(item.end, item))]


def _item_ranges(page: Page, items: Sequence[Item]) -> Ranges:
    edges = np.array([(item.start, item.end) for item in items], np.intp).reshape(-1, 2)
    return np.searchsorted(page.blocks.node_start, edges).reshape(-1, 2)


# ------------------------------------------------------------------------------------------------------------ headings


def headed_parts(decision: Decision, parts: Cut, outline: Outline, explanation: PageExplanation) -> list[Part]:
    """The parts that the headings in kept parts make: what each heading heads, and the runs of text under one."""
    headings = outline.headings[decision.keep[outline.headings]]
    part_of = np.searchsorted(parts.first, headings, side="right") - 1
    if not 0 < len(headings) <= MAX_ITEMS:
        return []
    blocks = decision.landmarks.page.blocks
    scope_ends = np.minimum(outline.scope_end[headings], parts.last[part_of])
    scopes = zip(headings.tolist(), scope_ends.tolist(), strict=True)
    runs = _runs(_behind_title(decision.landmarks.page, parts.ranges[np.unique(part_of)]), outline)
    ranges = sorted({*scopes, *runs})
    importance = _importance(decision, np.array(ranges, np.intp).reshape(-1, 2))
    explainer = PartExplainer(explanation, ())
    starts = np.where(decision.landmarks.heading_level > 0, blocks.container, blocks.node_start).tolist()
    ends = blocks.node_end.tolist()
    return [
        Part(starts[first], ends[last - 1], value, explainer=explainer)
        for (first, last), value in zip(ranges, importance, strict=True)
    ]


def _runs(ranges: Ranges, outline: Outline) -> Iterator[tuple[int, int]]:
    """Yield the runs of blocks under one heading, in each of these ranges."""
    for first, last in ranges.tolist():
        changes = np.flatnonzero(np.diff(outline.heading[first:last])) + first + 1
        yield from pairwise([first, *changes.tolist(), last])


def _behind_title(page: Page, ranges: Ranges) -> Ranges:
    """Return ranges of blocks of which none begins with the title, which is a section of its own."""
    if page.title_heading is not None:
        first, last = page.blocks_of(page.title_heading)
        ranges[(ranges[:, 0] == first) & (ranges[:, 1] > last), 0] = last
    return ranges


def in_items(page: Page, items: Sequence[Item]) -> Bools:
    """Whether each block is in an item."""
    return cover(len(page.blocks), _item_ranges(page, items).tolist())


def _outside(page: Page, edits: Sequence[Part], parts: Sequence[Part]) -> list[Part]:
    """The parts that no edit of a person reaches into: what a person named is not cut further."""
    if not edits:
        return list(parts)
    is_edited = covered(page, np.unique([edit.start for edit in edits])) > 0
    edited_before = [0, *np.cumsum(is_edited).tolist()]
    return [part for part in parts if edited_before[part.end] == edited_before[part.start]]
