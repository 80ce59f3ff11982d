"""Sections of a page by its template: lists where the template repeats, then the layout, each with its importance."""

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Final

import numpy as np
import numpy.typing as npt

from pagestrata.algorithms.base import Part, biased, section_tree
from pagestrata.algorithms.template.frozen import FrozenTree
from pagestrata.algorithms.template.match import Match
from pagestrata.algorithms.template.noise import leaf_noise, leaf_sizes
from pagestrata.landmarks import running_sum
from pagestrata.options import Options
from pagestrata.page import tags
from pagestrata.page.box_estimates import CHARACTER_WIDTH, FONT_SIZE, LINE_HEIGHT, PAGE_WIDTH, SIZES
from pagestrata.page.nodes import Ints, cover
from pagestrata.page.page import Page
from pagestrata.results import SectionTree, Segmentation

MIN_AREA_SHARE: Final = 0.15
"""The share of the page's area above which a node may be several sections (Cond1). From the paper."""
NOISE_THRESHOLD: Final = 0.25
"""Sections of less importance are noise. From the paper."""
MIN_USUAL_NOISE: Final = 0.5
"""A leaf is usual if at least half of the pages that have its node show the same; lines are judged by their share."""
LINE_CHARACTERS: Final = PAGE_WIDTH / (FONT_SIZE * CHARACTER_WIDTH)
"""Characters on a line, if there are no boxes from a browser."""
IMAGE_LINES: Final = SIZES["img"][0] * SIZES["img"][1] / (PAGE_WIDTH * FONT_SIZE * LINE_HEIGHT)
"""The area of an image of unknown size, in lines."""
MAX_DISTANCE: Final = 0.5
"""A page at a larger distance does not fit: more than half of its nodes match nothing."""

_SECTIONING = frozenset(tags.numbers_of("table div section article main aside nav header footer form ul ol"))
"""Tags of Cond2; the paper names table and div."""
_SEPARATING = tags.numbers_of("hr frameset")
"""Tags of Cond3."""
_IMAGES = tags.numbers_of("img video")
_TEXT_LEVEL = frozenset(
    number for number, flags in enumerate(tags.BEHAVIOUR) if not flags & tags.BLOCK and not flags & tags.SILENT
)
"""Text, and what formats it: contiguous ones are one section."""

Range = tuple[int, int]


def segment(template: FrozenTree, page: Page, options: Options) -> Segmentation:
    """Cut a page and compute the importance of each section."""
    match = template.match(page)
    plan = _Plan(template, page, match)
    parts = list(plan.parts())
    if template.cut_mixed:
        parts += list(plan.cuts(parts))
    notes = tuple(_notes(template, match))
    sections = section_tree(page, parts, None, options, keep_from=biased(NOISE_THRESHOLD, options))
    return SectionTree(sections, confidence=_confidence(template, match), notes=notes)


def _confidence(template: FrozenTree, match: Match) -> float:
    """Return how well the page fits, reduced for few sample pages: one page gives no evidence of noise."""
    return round((1.0 - match.distance) * max(0.0, 1.0 - 1.0 / max(template.pages, 1)), 4)


def _notes(template: FrozenTree, match: Match) -> Iterator[str]:
    if template.pages < 2:
        yield "learned from fewer than two pages, so it is not known what repeats"
    if match.distance > MAX_DISTANCE:
        yield f"does not fit the template: distance {match.distance:.2f}"
    if template.cut:
        yield f"the template was cut at its size limit: it lacks {template.cut:,} nodes of the sample"


@dataclass(frozen=True, slots=True)
class _Section:
    """A run of nodes that becomes a part."""

    start: int
    end: int
    why: str
    """Empty while the section is still to be divided."""


class _Plan:
    """The sections of one page."""

    def __init__(self, template: FrozenTree, page: Page, match: Match) -> None:
        self.page = page
        self.lists = list(list_ranges(template, page, match))
        self.list_starts = {start for start, _ in self.lists}
        self.sizes = leaf_sizes(page, match)
        self.noise = leaf_noise(template, match, inside=False)
        in_list = cover(len(page.nodes), self.lists)
        self.inside = _Sums(self.sizes, self.noise)
        self.outside = _Sums(np.where(in_list, 0.0, self.sizes), self.noise)
        self.usual = _Sums(
            np.where(page.nodes.is_text, self.sizes, 0.0), (self.noise >= MIN_USUAL_NOISE).astype(np.float64)
        )
        self.end, self.tag = page.nodes.end.tolist(), page.nodes.tag.tolist()
        self.separated = set(page.nodes.parent[page.nodes.is_one_of(_SEPARATING)].tolist())
        self.has_content = (self.outside.sizes[page.nodes.end] > self.outside.sizes[:-1]).tolist()

    def parts(self) -> Iterator[Part]:
        """Yield the lists, and the sections of the layout outside of them."""
        for start, end in self.lists:
            yield self.inside.part(_Section(start, end, "a list of similar items"))
        for section in self.layout():
            if self.outside.sizes[section.end] > self.outside.sizes[section.start]:
                yield self.outside.part(section)

    def layout(self) -> Iterator[_Section]:
        """Divide nodes that are big and have big children."""
        area = areas(self.page)
        big = area > MIN_AREA_SHARE * area[:1]
        is_big, in_list = big.tolist(), dict(self.lists)
        body = next(iter(self.page.nodes_tagged("body").tolist()), 0)
        stack = [_Section(body, self.end[body], "")] if self.end else []
        while stack:
            section = stack.pop()
            node = section.start
            if section.why:
                yield section
                continue
            children = list(self.children(node, in_list))
            recursed = {child for child in children if is_big[child] and self.tag[child] in _SECTIONING}
            separated = any(self.tag[child] in _SEPARATING for child in children)
            if is_big[node] and recursed:
                stack += reversed(list(self.split(children, recursed, separated)))
            elif separated:
                yield from self.split(children, set(), separated)
            else:
                yield _Section(node, self.end[node], "no big part inside")

    def children(self, node: int, in_list: dict[int, int]) -> Iterator[int]:
        """Yield the children outside of lists that have content, and separators."""
        child = node + 1
        while child < self.end[node]:
            if child in in_list:
                child = in_list[child]
                continue
            if self.tag[child] in _SEPARATING or self.has_content[child]:
                yield child
            child = self.end[child]

    def split(self, children: list[int], recursed: set[int], separated: bool) -> Iterator[_Section]:
        """Yield children to divide, big or with separators inside; runs of the others, or each alone, are sections."""
        run: list[int] = []
        for child in children:
            is_text = self.tag[child] in _TEXT_LEVEL
            if child in recursed:
                yield from self.run(run, separated)
                run = []
                yield _Section(child, self.end[child], "")
            elif self.tag[child] in _SEPARATING:
                yield from self.run(run, separated)
                run = []
            elif separated or is_text:
                run.append(child)
            else:
                yield from self.run(run, separated)
                run = []
                yield _Section(child, self.end[child], "" if child in self.separated else "a part of the layout")
        yield from self.run(run, separated)

    def run(self, children: list[int], separated: bool) -> Iterator[_Section]:
        if children:
            why = "between separators" if separated else "a run of text"
            yield _Section(children[0], self.end[children[-1]], why)

    # ------------------------------------------------------------------------------------------ mixed sections

    def cuts(self, parts: list[Part]) -> Iterator[Part]:
        """Cut out runs of lines that repeat from sections that do not, and the other way round."""
        starts, ends = self.page.blocks.node_start.tolist(), self.page.blocks.node_end.tolist()
        is_usual = (
            self.usual.noises(self.page.blocks.node_start, self.page.blocks.node_end) > 1 - NOISE_THRESHOLD
        ).tolist()
        owners = [-1, *_innermost(parts, starts), -1]
        runs = groupby(range(len(starts)), key=lambda line: (owners[line + 1], is_usual[line]))
        for (owner, usual), lines in runs:
            first, *_, last = (run := list(lines)) * 2
            if owner < 0 or usual == (parts[owner].importance < NOISE_THRESHOLD):
                continue
            is_lone = len(run) == 1 and owners[first] == owner == owners[last + 2]
            if not (is_lone and usual and parts[owner].start in self.list_starts):
                why = "repeats in a section that does not" if usual else "is new in a section that repeats"
                yield self.usual.part(_Section(starts[first], ends[last], why))


def _innermost(parts: list[Part], starts: list[int]) -> list[int]:
    """Return the innermost part that each block is in, or -1."""
    order = sorted(range(len(parts)), key=lambda i: (parts[i].start, -parts[i].end))
    owner = [-1] * len(starts)
    for i in order:
        for block in range(bisect_left(starts, parts[i].start), bisect_left(starts, parts[i].end)):
            owner[block] = i
    return owner


class _Sums:
    """Running sums of the sizes and the noise of leaves, so that a range needs one subtraction."""

    def __init__(self, sizes: npt.NDArray[np.float64], noise: npt.NDArray[np.float64]) -> None:
        self.sizes, self.noisy = running_sum(np.stack((sizes, sizes * noise)))

    def noises(self, start: Ints, end: Ints) -> npt.NDArray[np.float64]:
        size = self.sizes[end] - self.sizes[start]
        noisy = self.noisy[end] - self.noisy[start]
        means: npt.NDArray[np.float64] = np.divide(noisy, size, out=np.zeros(len(size)), where=size > 0)
        return np.clip(means, 0.0, 1.0)

    def noise(self, start: int, end: int) -> float:
        size = float(self.sizes[end] - self.sizes[start])
        return min(1.0, max(0.0, float(self.noisy[end] - self.noisy[start]) / size)) if size > 0 else 0.0

    def part(self, section: _Section) -> Part:
        noise = self.noise(section.start, section.end)
        reasons = (f"{noise:.0%} of it is on other pages too", section.why)
        return Part(section.start, section.end, 1.0 - noise, None, reasons, {"noise": round(noise, 4)})


def areas(page: Page) -> npt.NDArray[np.float64]:
    """Return the area of each node: of its box if there are boxes, else in lines that its text and images would take.

    Estimating all boxes would cost as much as parsing, and leads to the same big nodes.
    """
    if page.boxes is not None:
        return page.boxes.area.astype(np.float64)
    lines = page.nodes.is_one_of(_IMAGES) * IMAGE_LINES
    lines[page.blocks.node_start] += np.ceil(page.blocks.characters / LINE_CHARACTERS)
    total = running_sum(lines)
    sums: npt.NDArray[np.float64] = total[page.nodes.end] - total[:-1]
    return sums


def list_ranges(template: FrozenTree, page: Page, match: Match) -> Iterator[Range]:
    """Yield the runs of nodes that match an uppermost `*` of the template."""
    uppermost = np.array([*_uppermost(template), -1], np.int32)
    star = uppermost[match.template_node]
    parent = page.nodes.parent
    above = np.where(parent >= 0, star[parent], -1)
    items = np.flatnonzero((star >= 0) & (above < 0)).tolist()
    ends, parents, stars = page.nodes.end, parent[items].tolist(), star[items].tolist()
    start = 0
    for i in range(1, len(items) + 1):
        if i == len(items) or parents[i] != parents[start] or stars[i] != stars[start]:
            yield items[start], int(ends[items[i - 1]])
            start = i


def _uppermost(template: FrozenTree) -> list[int]:
    """Return for each node of the template the uppermost `*` it is in, or -1."""
    uppermost: list[int] = []
    for node, parent in enumerate(template.parent):
        above = uppermost[parent] if parent >= 0 else -1
        uppermost.append(above if above >= 0 else node if template.operator[node] == "*" else -1)
    return uppermost
