"""A stand-in until the engine exists: running text is content, lists of links are not.

This is not the engine. It knows how many words a section has and how many of them are links, and a few tags that say
what they are for. It is honest, linear and replaceable: `api.extract` is its only caller.
"""

import math
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from pagestrata.algorithms.base import BIAS_REACH, DEFAULTS, KEEP_FROM, PINNED, Segmentation, told_by_selectors
from pagestrata.options import Options
from pagestrata.page import tags
from pagestrata.page.nodes import Ints
from pagestrata.page.page import Page
from pagestrata.page.titles import find_title
from pagestrata.results import Role, Section

NAME: Final = "stand-in"
CONFIDENCE: Final = 0.3
"""Of every answer: it is a guess, and says so."""

SETTLED_WORDS: Final = 15.0
"""Words after which length alone says text with 1 - 1/e. A guess, good enough to hold the engine's place."""
NEIGHBOUR_SHARE: Final = 0.5
"""What the words of the other sections in the same container count."""
MARGINAL: Final = 0.2
"""What is left of the importance in navigation, footers and the like."""
LINK_LIST: Final = 0.5
"""A list with a larger share of link text is a section of its own."""
LAYOUT_CELL_WORDS: Final = 60
"""A table with a block of more words is layout, and is cut like a container."""

DEEPEST_CUT: Final = 128
"""Elements this deep are not cut further, so that paths stay short; the deepest page of the wcxb set has 54."""

# Elements that belong to the run of their siblings; all others are containers that hold sections.
_GRAINS = frozenset(
    tags.TAG[name]
    for name in "p h1 h2 h3 h4 h5 h6 ul ol dl li dt dd pre blockquote figure figcaption table caption "
    "button select input textarea hr address summary listing xmp plaintext details".split()
)
_TABLE, _ARTICLE, _MAIN, _H1 = (tags.TAG[name] for name in ("table", "article", "main", "h1"))
_ROLES = {
    tags.TAG["nav"]: Role.NAVIGATION,
    tags.TAG["footer"]: Role.FOOTER,
    tags.TAG["aside"]: Role.SIDEBAR,
    tags.TAG["header"]: Role.HEADER,
}
_COMMENT_NAMES = frozenset(("comments", "comment-list", "commentlist", "comments-area", "disqus_thread"))


@dataclass(slots=True)
class _Cut:
    """A section while it is made: its element, its first node, the section around it, what its tags say it is."""

    node: int
    start: int
    parent: int
    role: Role | None
    is_leaf: bool
    told: str = ""
    """Why it is kept or dropped whatever its score."""


class StandIn:
    """Holds the place of the engine."""

    def segment(self, page: Page, options: Options = DEFAULTS) -> Segmentation:
        """Cut the page into a tree of sections, score each and choose."""
        if len(page.nodes) == 0:
            return Segmentation((), CONFIDENCE)
        cuts = _Cutter(page, options).cuts()
        return Segmentation((_Judge(page, options, cuts).root(),), CONFIDENCE)


def whole(page: Page) -> tuple[Section, ...]:
    """The page as one kept section: what is left to give when there is no time to cut it."""
    return (
        Section(
            page=page,
            role=Role.MAIN,
            importance=0.0,
            kept=True,
            node=0,
            node_start=0,
            node_end=len(page.nodes),
            block_start=0,
            block_end=len(page.blocks),
            reasons=("not judged: the time budget was spent",),
        ),
    )


class _Cutter:
    """Walks from the root down, and stops where the text begins."""

    def __init__(self, page: Page, options: Options) -> None:
        self.page, self.nodes = page, page.nodes
        self.tag, self.end = page.nodes.tag.tolist(), page.nodes.end.tolist()
        self.first_block = np.searchsorted(page.blocks.node_start, np.arange(len(page.nodes) + 1)).tolist()
        self.characters = _running(page.blocks.characters)
        self.link_characters = _running(page.blocks.link_characters)
        self.told = told_by_selectors(page, options)
        self.title = find_title(page)
        self.special = sorted({*self.told, *([] if self.title is None else [self.title])})
        self.comment_nodes = _comment_nodes(page)
        self.result: list[_Cut] = []

    def cuts(self) -> list[_Cut]:
        """All sections; a parent stands before its children."""
        self.result = [_Cut(0, 0, -1, None, False, self.told.get(0, ""))]
        waiting = [0]
        while waiting:
            parent = waiting.pop()
            made = len(self.result)
            self.split(parent)
            waiting.extend(i for i in range(made, len(self.result)) if not self.result[i].is_leaf)
        return self.result

    def split(self, parent: int) -> None:
        """Cut one container into runs of small things and the containers between them."""
        around, before = self.result[parent], len(self.result)
        start: int | None = around.start  # of the next section; None while a run is open
        for child in self.nodes.children(around.node):
            if self.block_count(child) == 0 and not self.has_special(child):
                continue  # nothing to read: it goes with what stands before it
            if self.is_alone(child):
                self.add(child, child if start is None else start, parent)
                start = self.end[child]
            elif start is not None:
                self.result.append(_Cut(around.node, start, parent, around.role, True, around.told))
                start = None
        if len(self.result) == before:
            around.is_leaf = True

    def is_alone(self, child: int) -> bool:
        """Whether a child is a section of its own, and not part of the run of its siblings."""
        if self.has_special(child):
            return True
        if self.tag[child] == tags.TEXT:
            return False
        if self.tag[child] == _TABLE:
            return self.is_layout(child)
        if self.tag[child] in _GRAINS:
            return self.is_link_list(child)
        if self.block_count(child) == 1 and self.tag[child] not in _ROLES and child not in self.comment_nodes:
            return self.is_linked(child) or self.is_hidden(child)  # or else it is a line like a paragraph
        return bool(self.page.nodes.container[child] == child) or self.block_count(child) > 1

    def add(self, child: int, start: int, parent: int) -> None:
        around = self.result[parent]
        role = Role.TITLE if child == self.title else self.role_of(child, around)
        told = self.told.get(child) or around.told
        is_leaf = (
            self.block_count(child) == 1
            or (self.tag[child] in _GRAINS and not self.is_cut_further(child))
            or self.nodes.depth[child] >= DEEPEST_CUT
        )
        self.result.append(_Cut(child, start, parent, role, is_leaf, told))

    def is_cut_further(self, grain: int) -> bool:
        return self.has_special(grain, inside=True) or (self.tag[grain] == _TABLE and self.is_layout(grain))

    def role_of(self, child: int, around: _Cut) -> Role | None:
        if child in self.comment_nodes:
            return Role.COMMENTS
        role = _ROLES.get(self.tag[child])
        if role is None or around.role is not None:
            return around.role
        in_article = any(self.tag[node] in (_ARTICLE, _MAIN) for node in self.nodes.ancestors(child))
        return None if in_article and role in (Role.HEADER, Role.FOOTER) else role

    def has_special(self, node: int, inside: bool = False) -> bool:
        place = bisect_left(self.special, node + inside)
        return place < len(self.special) and self.special[place] < self.end[node]

    def is_link_list(self, node: int) -> bool:
        return self.block_count(node) > 2 and self.is_linked(node)

    def is_linked(self, node: int) -> bool:
        first, last = self.first_block[node], self.first_block[self.end[node]]
        characters = self.characters[last] - self.characters[first]
        link_characters = self.link_characters[last] - self.link_characters[first]
        return bool(link_characters > LINK_LIST * characters)

    def is_hidden(self, node: int) -> bool:
        return self.page.blocks.hidden_by[self.first_block[node]] in tags.UNSEEN

    def is_layout(self, table: int) -> bool:
        words = self.page.blocks.words[self.first_block[table] : self.first_block[self.end[table]]]
        return bool((words > LAYOUT_CELL_WORDS).any())

    def block_count(self, node: int) -> int:
        return int(self.first_block[self.end[node]] - self.first_block[node])


class _Judge:
    """Scores the sections from what they hold, and builds the tree."""

    def __init__(self, page: Page, options: Options, cuts: list[_Cut]) -> None:
        self.page, self.options, self.cuts = page, options, cuts
        self.keep_from = KEEP_FROM - BIAS_REACH * options.bias
        seen = ~np.isin(page.blocks.hidden_by, tags.UNSEEN)
        self.words = _running(page.blocks.words * seen)
        self.all_words = _running(page.blocks.words)
        self.characters = _running(page.blocks.characters)
        self.link_characters = _running(page.blocks.link_characters)
        self.ends = self.leaf_ends()
        edges = [cut.start for cut in cuts], [self.ends.get(i, 0) for i in range(len(cuts))]
        self.first, self.last = np.searchsorted(page.blocks.node_start, edges).tolist()
        self.plain_inside = [0.0] * len(cuts)
        for i in self.leaves():
            self.plain_inside[cuts[i].parent] += self.plain_words(i)

    def root(self) -> Section:
        """The whole tree, built from the leaves up."""
        made: list[Section | None] = [None] * len(self.cuts)
        children: list[list[Section]] = [[] for _ in self.cuts]
        for i in range(len(self.cuts) - 1, -1, -1):
            section = self.leaf(i) if self.cuts[i].is_leaf else self.inner(i, sorted(children[i], key=_start))
            made[i] = section
            if i:
                children[self.cuts[i].parent].append(section)
        assert made[0] is not None  # noqa: S101 - cuts[0] is the root
        return made[0]

    def leaves(self) -> Iterator[int]:
        return (i for i, cut in enumerate(self.cuts) if cut.is_leaf)

    def leaf_ends(self) -> dict[int, int]:
        """Each leaf goes on to the next one, so that no node is in none."""
        order = sorted(self.leaves(), key=lambda i: self.cuts[i].start)
        starts = [self.cuts[i].start for i in order] + [len(self.page.nodes)]
        return dict(zip(order, starts[1:], strict=True))

    def link_share(self, first: int, last: int) -> float:
        characters = self.characters[last] - self.characters[first]
        link_characters = self.link_characters[last] - self.link_characters[first]
        return link_characters / characters if characters else 0.0

    def plain_words(self, i: int) -> float:
        first, last = self.first[i], self.last[i]
        return float((self.words[last] - self.words[first]) * (1 - self.link_share(first, last)))

    def leaf(self, i: int) -> Section:
        cut = self.cuts[i]
        first, last = self.first[i], self.last[i]
        seen, link_share = self.words[last] - self.words[first], self.link_share(first, last)
        others = self.plain_inside[cut.parent] - self.plain_words(i) if cut.parent >= 0 else 0.0
        weight = seen + NEIGHBOUR_SHARE * max(0.0, others) if seen else 0.0
        importance = (1 - link_share) ** 2 * (1 - math.exp(-weight / SETTLED_WORDS))
        if cut.role not in (None, Role.TITLE, Role.COMMENTS):
            importance *= MARGINAL
        kept, decision = self.choose(cut, importance)
        return Section(
            page=self.page,
            role=cut.role or (Role.MAIN if kept else Role.OTHER),
            importance=round(min(1.0, importance), 4),
            kept=kept and (last > first or cut.told == PINNED),
            node=cut.node,
            node_start=cut.start,
            node_end=self.ends[i],
            block_start=first,
            block_end=last,
            reasons=(decision, *self.reasons(cut, first, last, seen, link_share)),
            signals={"words": float(seen), "link share": round(link_share, 4)},
        )

    def choose(self, cut: _Cut, importance: float) -> tuple[bool, str]:
        """Whether it is given back, and the decision in words."""
        if cut.told:
            return cut.told == PINNED, cut.told
        if cut.role is Role.TITLE:
            return True, "the title of the page"
        if cut.role is Role.COMMENTS and self.options.comments == "off":
            return False, "comments are off"
        if cut.role is not Role.COMMENTS and self.options.comments == "only":
            return False, "only comments were asked for"
        kept = importance >= self.keep_from
        return kept, f"importance {importance:.2f} is {'at least' if kept else 'below'} {self.keep_from:.2f}"

    def reasons(self, cut: _Cut, first: int, last: int, seen: int, link_share: float) -> Iterator[str]:
        if cut.role in _ROLES.values():
            yield f"stands in {cut.role}"
        if first == last:
            yield "has no text"
            return
        hidden = self.all_words[last] - self.all_words[first] - seen
        if hidden:
            codes = set(self.page.blocks.hidden_by[first:last].tolist()) & set(tags.UNSEEN)
            yield f"{hidden:,} words are hidden ({', '.join(tags.HIDDEN_BY[code] for code in sorted(codes))})"
        if self.page.nodes.depth[cut.node] >= DEEPEST_CUT:
            yield f"lies {DEEPEST_CUT} elements deep or more, so it was not cut further"
        yield f"{seen:,} words"
        yield f"{link_share:.0%} of its text is links"

    def inner(self, i: int, children: list[Section]) -> Section:
        if len(children) == 1:  # a wrapper says nothing that its content does not
            return children[0]
        cut = self.cuts[i]
        sizes = [child.words + 1e-9 for child in children]
        importance = sum(s * child.importance for s, child in zip(sizes, children, strict=True)) / sum(sizes)
        kept = [child for child in children if child.kept]
        return Section(
            page=self.page,
            role=cut.role or (Role.MAIN if kept else Role.OTHER),
            importance=round(importance, 4),
            kept=bool(kept),
            node=cut.node,
            node_start=children[0].node_start,
            node_end=children[-1].node_end,
            block_start=children[0].block_start,
            block_end=children[-1].block_end,
            children=tuple(children),
            reasons=(f"{len(kept)} of its {len(children)} sections are kept",),
        )


def _comment_nodes(page: Page) -> set[int]:
    named = [*page.values_of("id"), *page.values_of("class")]
    return {node for node, value in named if not _COMMENT_NAMES.isdisjoint(value.lower().split())}


def _running(column: Ints) -> list[int]:
    """Sums up to each place, so that the sum over a range is one subtraction."""
    return [0, *np.cumsum(column).tolist()]


def _start(section: Section) -> int:
    return section.node_start
