"""From judged blocks to sections: the largest elements whose blocks are judged alike, and runs of small ones."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import numpy as np

from pagestrata.algorithms.base import KEEP_FROM, Part
from pagestrata.engine.prose import Floats, Ints, blocks_before, running_sum
from pagestrata.page import tags
from pagestrata.page.nodes import Bools
from pagestrata.page.page import Page
from pagestrata.results import Role

LINK_LIST: Final = 0.5
"""From this share of links on, something is there to lead elsewhere."""
NOISE: Final = 0.5
LAYOUT_CELL_WORDS: Final = 60
"""A table or list with a block of more words is layout, and is cut like any container."""

_LAYOUT = tuple(tags.TAG[name] for name in "table p div h1 h2 h3 h4 h5 h6 form section article".split())


@dataclass(frozen=True, slots=True, eq=False)
class Judgement:
    """What a method thinks of every block; arrays have one entry per block."""

    importance: Floats
    in_core: Bools
    noise: Floats
    links: Floats
    comments: Bools
    usable: Bools
    """False for what is not seen or belongs to a form."""
    related: Bools
    """Links to other pages of the site."""
    copied: Bools
    """Left because the page says the same elsewhere."""
    keep_from: float = KEEP_FROM
    """Blocks are judged alike when they lie on the same side of this importance."""


def parts_of(page: Page, judgement: Judgement) -> list[Part]:
    """Cut the page where the judgement changes, but not inside tables of data."""
    return list(_Cutter(page, even_in_tables(page, judgement)).parts())


def even_in_tables(page: Page, judgement: Judgement) -> Judgement:
    """The judgement with one answer for each table of data: its mean by words, and else what its first cell has."""
    tables = list(data_tables(page))
    if not tables:
        return judgement
    columns = {name: getattr(judgement, name).copy() for name in ("in_core", "comments")}
    for whole in tables:
        for column in columns.values():
            column[whole.first : whole.last] = column[whole.first]
    return replace(judgement, importance=even_importance(page, judgement.importance, tables), **columns)


class Whole(NamedTuple):
    """An element that is kept or dropped as one, and its range of blocks."""

    node: int
    first: int
    last: int


def even_importance(page: Page, importance: Floats, wholes: Iterable[Whole]) -> Floats:
    """The importance of each block; in these elements the mean by words."""
    even = importance.copy()
    for _, first, last in wholes:
        even[first:last] = np.average(importance[first:last], weights=page.blocks.words[first:last] + 1)
    return even


def data_tables(page: Page) -> Iterator[Whole]:
    """Tables that are no layout; one around another comes last."""
    return _without_long_lines(page, "table")


def _without_long_lines(page: Page, *tags_wanted: str) -> Iterator[Whole]:
    """Those that are no layout: no long lines, and none of the elements that pages are built of."""
    nodes = page.nodes_tagged(*tags_wanted)[::-1]
    if not len(nodes):
        return
    ends = page.nodes.end[nodes]
    edges = np.searchsorted(page.blocks.node_start, np.stack((nodes, ends)))
    built = running_sum(page.nodes.is_one_of(_LAYOUT))
    is_layout = (built[ends] > built[nodes + 1]).tolist()
    for node, (first, last), layout in zip(nodes.tolist(), edges.T.tolist(), is_layout, strict=True):
        if last > first and not layout and page.blocks.words[first:last].max() <= LAYOUT_CELL_WORDS:
            yield Whole(node, first, last)


class _Cutter:
    def __init__(self, page: Page, judgement: Judgement) -> None:
        self.page = page
        kind = _kinds(judgement)
        self.kind = kind.tolist()
        count = len(page.nodes)
        self.first = blocks_before(page).tolist()
        changes = np.concatenate(([0, 0], np.cumsum(kind[1:] != kind[:-1]))).tolist()
        self.changes = changes
        self.end = page.nodes.end.tolist()
        self.is_container = (page.nodes.container == np.arange(count)).tolist()
        words, sizes = page.blocks.words + 1, page.blocks.characters + 1
        self.words, self.sizes = running_sum(words).tolist(), running_sum(sizes).tolist()
        self.weighted = running_sum(words * judgement.importance).tolist()
        measured = {name: getattr(judgement, name) for name in ("noise", "links", "related", "usable", "copied")}
        self.sums = {name: running_sum(sizes * values).tolist() for name, values in measured.items()}
        self.good = (judgement.importance >= judgement.keep_from).tolist()
        self.comments, self.in_core = judgement.comments.tolist(), judgement.in_core.tolist()

    def parts(self) -> Iterator[Part]:
        """Sections, top down: an element judged alike is one, another is cut into its children and runs of them."""
        waiting = [0] if len(self.page.nodes) else []
        while waiting:
            node = waiting.pop()
            run: list[int] = []
            for child in self.children(node):
                if self.first[child] == self.first[self.end[child]]:
                    continue
                if not self.is_uniform(child):
                    yield from self.close(run)
                    waiting.append(child)
                elif self.is_small(child):
                    if run and self.kind[self.first[run[0]]] != self.kind[self.first[child]]:
                        yield from self.close(run)
                    run.append(child)
                else:
                    yield from self.close(run)
                    yield self.part(child, self.end[child])
            yield from self.close(run)

    def children(self, node: int) -> Iterator[int]:
        child, end = node + 1, self.end[node]
        while child < end:
            yield child
            child = self.end[child]

    def close(self, run: list[int]) -> Iterator[Part]:
        if run:
            yield self.part(run[0], self.end[run[-1]])
            run.clear()

    def is_uniform(self, node: int) -> bool:
        first, last = self.first[node], self.first[self.end[node]]
        return bool(self.changes[last] == self.changes[first + 1])

    def is_small(self, node: int) -> bool:
        """Whether it joins the run of its neighbours: a line, or part of one."""
        return not self.is_container[node] or self.first[self.end[node]] - self.first[node] == 1

    def part(self, start: int, end: int) -> Part:
        first, last = self.first[start], self.first[end]
        importance = (self.weighted[last] - self.weighted[first]) / (self.words[last] - self.words[first])
        return Part(start, end, importance, self.role(first, last), self.reasons(first, last))

    def mean(self, name: str, first: int, last: int) -> float:
        """The mean of a number over a range of blocks, by their characters."""
        sums = self.sums[name]
        return float((sums[last] - sums[first]) / (self.sizes[last] - self.sizes[first]))

    def role(self, first: int, last: int) -> Role | None:
        """What the site or the records of the page tell; the rest is left to others."""
        if self.comments[first] and self.mean("links", first, last) < LINK_LIST:
            return Role.COMMENTS
        is_related = self.mean("related", first, last) > LINK_LIST and self.mean("noise", first, last) < NOISE
        return Role.RELATED if is_related and not self.good[first] else None

    def reasons(self, first: int, last: int) -> tuple[str, ...]:
        found = ["in the core of the page" if self.in_core[first] else "outside the core of the page"]
        if self.comments[first]:
            found.append("a record with name and time, like others beside it")
        noise, links = self.mean("noise", first, last), self.mean("links", first, last)
        if noise >= 0.1:
            found.append(f"{noise:.0%} sure to recur over the site")
        if links >= 0.1:
            found.append(f"{links:.0%} of its text is links")
        if self.mean("related", first, last) > 0:
            found.append("leads to other pages of the site")
        if self.mean("copied", first, last) > 0:
            found.append("says what another part of the page says too")
        if self.mean("usable", first, last) == 0:
            found.append(self.why_unusable(first, last))
        return tuple(found)

    def why_unusable(self, first: int, last: int) -> str:
        codes = sorted(set(self.page.blocks.hidden_by[first:last].tolist()) & set(tags.UNSEEN))
        return f"is hidden ({', '.join(tags.HIDDEN_BY[code] for code in codes)})" if codes else "belongs to a form"


def _kinds(judgement: Judgement) -> Ints:
    """A number for each block; equal for blocks that are judged alike."""
    good = judgement.importance >= judgement.keep_from
    recurs = judgement.noise >= NOISE
    bits = (good, judgement.comments, recurs & ~good, judgement.in_core, judgement.copied)
    return np.asarray(sum(bit.astype(np.intp) << place for place, bit in enumerate(bits)), np.intp)
