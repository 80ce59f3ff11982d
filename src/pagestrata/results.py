"""The results as plain data. Every section, kept or not, has a score, a path and reasons."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Final, Protocol

import numpy as np

from pagestrata.landmarks import landmarks_of
from pagestrata.landmarks.outline import Outline
from pagestrata.options import Options
from pagestrata.page import columns, paths, tags
from pagestrata.page.anchors import anchor_of
from pagestrata.page.nodes import Bools, Ints
from pagestrata.page.page import Page
from pagestrata.page.permalinks import title_text
from pagestrata.page.text import collapse, shortened
from pagestrata.registry import section_renderer


class Role(StrEnum):
    """The purpose of a section."""

    MAIN = "main"
    TITLE = "title"
    COMMENTS = "comments"
    NAVIGATION = "navigation"
    HEADER = "header"
    FOOTER = "footer"
    SIDEBAR = "sidebar"
    RELATED = "related"
    ADVERTISEMENT = "advertisement"
    CONSENT = "consent"
    SHARE = "share"
    AUTHOR = "author"
    CONTENTS = "contents"
    OTHER = "other"


class PageType(StrEnum):
    """The type of a page."""

    UNKNOWN = "unknown"
    ARTICLE = "article"
    FORUM = "forum"
    PRODUCT = "product"
    COLLECTION = "collection"
    LISTING = "listing"
    DOCUMENTATION = "documentation"
    SERVICE = "service"


@dataclass(frozen=True, slots=True)
class Box:
    """The place of a section on a page that a browser drew, in CSS pixels."""

    x: float
    y: float
    width: float
    height: float


class ItemKind(StrEnum):
    """The kind of an item."""

    POST = "post"
    CARD = "card"


@dataclass(frozen=True, slots=True)
class Item:
    """A post or a card as a range of nodes, with its details; None where the page does not say."""

    start: int
    end: int
    """One past its last node."""
    kind: ItemKind
    author: str | None = None
    time: str | None = None
    """As on the page: the `datetime` of a `<time>`, or the line with the time."""
    title: str | None = None
    link: str | None = None
    """Absolute, if the address of the page is known."""


class Explanation(Protocol):
    """The reasons and signals of a section; a method may compute them when they are read."""

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why the section was kept or dropped."""
        ...

    @property
    def signals(self) -> Mapping[str, float]:
        """The numbers behind the reasons."""
        ...


@dataclass(frozen=True, slots=True)
class NoExplanation:
    """An explanation without further reasons and signals."""

    reasons: tuple[str, ...] = ()
    signals: Mapping[str, float] = field(default_factory=dict)


NO_EXPLANATION: Final = NoExplanation()


@dataclass(frozen=True, slots=True)
class SectionContext:
    """What all sections of one result share."""

    options: Options = field(default_factory=Options)
    outline: Outline | None = None
    """The outline of the kept content; None for the outline of the whole page."""


NO_CONTEXT: Final = SectionContext()


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the page: a range of nodes, and therefore also of blocks and of text.

    Sections form a tree. Its leaves cover the page without gaps: each block is in exactly one leaf.
    """

    page: Page = field(repr=False, compare=False)
    role: Role
    importance: float
    """How likely its text is main text, in [0, 1]."""
    kept: bool
    """Whether it is part of the content; a section with children is kept if one of them is."""
    node: int
    """The smallest element that contains the section; `xpath` and `css_path` lead to it."""
    node_start: int
    node_end: int
    block_start: int
    block_end: int
    children: tuple["Section", ...] = ()
    stated: tuple[str, ...] = field(default=(), repr=False)
    """The reasons that need no computation; the first is the decision."""
    numbers: Mapping[str, float] = field(default_factory=dict, repr=False)
    """The signals that need no computation."""
    explanation: Explanation = field(default=NO_EXPLANATION, repr=False, compare=False)
    """Further reasons and signals, computed when they are read."""
    item: Item | None = None
    """Author, time and so on, if it is a post of a thread or a card of a listing."""
    context: SectionContext = field(default=NO_CONTEXT, repr=False, compare=False)
    """What all sections of the page share."""

    def __repr__(self) -> str:
        state = "kept" if self.kept else "dropped"
        numbers = f"importance {self.importance:.2f}, {self.words:,} words"
        return f"<Section {self.role}, {state}, {numbers}: {shortened(self.text)!r}>"

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why it was kept or not: first the decision, then the facts that led to it."""
        return (*self.stated, *self.explanation.reasons)

    @property
    def signals(self) -> Mapping[str, float]:
        """The numbers behind the reasons."""
        return self.numbers or self.explanation.signals

    @property
    def box(self) -> Box | None:
        """The box around all elements that are completely inside; None unless a browser drew the page."""
        if self.page.boxes is None:
            return None
        ends = self.page.nodes.end[self.node_start : self.node_end]
        return Box(*self.page.boxes.around(self.node_start + np.flatnonzero(ends <= self.node_end)))

    @property
    def text_start(self) -> int:
        """The position in `Page.text` where its text begins, in code points."""
        return int(self.page.blocks.text_start[self.block_start]) if self.has_blocks else 0

    @property
    def text_end(self) -> int:
        """The position in `Page.text` where its text ends."""
        return int(self.page.blocks.text_end[self.block_end - 1]) if self.has_blocks else 0

    @property
    def has_blocks(self) -> bool:
        """Whether it contains text."""
        return self.block_end > self.block_start

    @property
    def text(self) -> str:
        """Its text as on the page, one line per block."""
        return self.page.text[self.text_start : self.text_end]

    @property
    def words(self) -> int:
        """The number of its words."""
        return int(self.page.blocks.words[self.block_start : self.block_end].sum())

    @property
    def visible(self) -> bool:
        """Whether visitors see its text: False if all of it is hidden, or if part of it is hidden until scripts run."""
        span = slice(self.node_start, self.node_end)
        reasons = self.page.nodes.hidden_by[span][self.page.nodes.tag[span] == tags.TEXT]
        is_seen = not len(reasons) or not columns.IS_UNSEEN[reasons].all()
        return bool(is_seen and not columns.IS_SHOWN_BY_SCRIPTS[reasons].any())

    @property
    def outline(self) -> Outline:
        """The outline it belongs to: of the kept content if it is kept, otherwise of the whole page."""
        return (self.context.outline if self.kept else None) or landmarks_of(self.page).outline

    @property
    def heading_node(self) -> int | None:
        """The heading element it begins with; None if it does not begin with one, or is larger than its scope."""
        if not self.has_blocks or self.outline.heading[self.block_start] != self.block_start:
            return None
        is_headed = self.block_end <= self.outline.scope_end[self.block_start]
        return int(self.page.blocks.container[self.block_start]) if is_headed else None

    @property
    def heading(self) -> str | None:
        """The text of the heading it begins with, if all of it is in the scope of that heading."""
        return None if self.heading_node is None else heading_text(self.page, self.heading_node)

    @property
    def level(self) -> int:
        """The level of that heading, 1 to 6; 0 if there is none."""
        return 0 if self.heading_node is None else int(self.outline.level[self.block_start])

    @property
    def anchor(self) -> str | None:
        """The fragment (`#name`) of that heading; None if the page has none for it."""
        return None if self.heading_node is None else anchor_of(self.page, self.heading_node)

    @property
    def heading_path(self) -> tuple[str, ...]:
        """The headings above it, the outermost first and its own last, without the title."""
        headings = self.outline.path(self.block_start) if self.has_blocks else ()
        return tuple(heading_text(self.page, int(self.page.blocks.container[block])) for block in headings)

    @property
    def markdown(self) -> str:
        """The kept parts of it as Markdown; all of it if nothing is kept."""
        return section_renderer("md")(self)

    @property
    def html(self) -> str:
        """The kept parts of it as safe HTML; all of it if nothing is kept."""
        return section_renderer("html")(self)

    @property
    def xpath(self) -> str:
        """The XPath of its element in the tree that a browser builds."""
        return self.page.paths.xpath(self.node)

    @property
    def css_path(self) -> str:
        """The CSS selector of its element in the tree that a browser builds."""
        return self.page.paths.css_path(self.node)

    @property
    def path_is_exact(self) -> bool:
        """False inside a shadow root or below the depth limit, where paths end at an element around it."""
        return paths.is_exact(self.page.nodes, self.node)

    def walk(self) -> Iterator["Section"]:
        """This section and all sections below it, parents first."""
        waiting = [self]
        while waiting:
            section = waiting.pop()
            yield section
            waiting.extend(reversed(section.children))

    def leaves(self) -> Iterator["Section"]:
        """The sections without children, in the order of the page."""
        return (section for section in self.walk() if not section.children)


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of the kept content of a page that can be read, embedded and cited by itself."""

    markdown: str
    words: int
    tokens: int | None
    """The number of tokens; None without `count_tokens`."""
    title: str
    """The title of the page."""
    heading_path: tuple[str, ...]
    """The headings above all of it, the outermost first."""
    url: str | None
    """The address of the page, with the anchor of the first heading of the chunk or the nearest one above it."""
    role: Role
    importance: float
    """The mean importance of its sections, by words."""
    author: str | None
    """The author, if the chunk is a single post."""
    time: str | None
    """The time of that post, as on the page."""
    xpath: str
    """The element where it begins."""


@dataclass(frozen=True, slots=True, eq=False)
class Leaves:
    """The leaves of a section tree as columns, one entry per leaf: all that a renderer needs of the tree.

    Leaf `i` is the range of nodes from `node_start[i]` up to `node_start[i + 1]`, the last one up to the last node.
    """

    node_start: Ints
    """int32, ascending."""
    kept: Bools
    """Whether its text is returned; False for the title, which is written apart."""


class Segmentation(Protocol):
    """The result of a method for a page. `SectionTree` is the plain form; a method may also compute parts lazily."""

    @property
    def sections(self) -> tuple[Section, ...]:
        """The roots of the section tree; its leaves partition the blocks of the page."""
        ...

    @property
    def leaves(self) -> Leaves:
        """The leaves of that tree; they need neither roles nor reasons."""
        ...

    @property
    def kept_leaves(self) -> Sequence[Section]:
        """The leaves of that tree whose text is returned, in document order; their reasons may be fewer."""
        ...

    @property
    def kept_blocks(self) -> Bools | None:
        """Which blocks are returned, the title aside, if that is known without cutting the page; otherwise None."""
        ...

    @property
    def posts(self) -> Sequence[Item]:
        """The posts of a thread, in document order; replies follow their post."""
        ...

    @property
    def items(self) -> Sequence[Item]:
        """The posts of a thread or the cards of a listing, in document order."""
        ...

    @property
    def confidence(self) -> float:
        """How certain the method is of its result, in [0, 1]."""
        ...

    @property
    def page_type(self) -> PageType:
        """The type of the page, if the method determines it."""
        ...

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes on the reliability of the result: learned from one page only, fits no template, and so on."""
        ...


@dataclass(frozen=True, eq=False)
class SectionTree:
    """A `Segmentation` whose sections are already computed."""

    sections: tuple[Section, ...]
    confidence: float = 0.0
    page_type: PageType = PageType.UNKNOWN
    notes: tuple[str, ...] = ()

    @cached_property
    def leaves(self) -> Leaves:
        """The leaves as columns."""
        return leaf_columns(self.sections)

    @property
    def kept_leaves(self) -> Sequence[Section]:
        """The leaves that are kept."""
        return kept_leaves(self.sections)

    @property
    def kept_blocks(self) -> Bools | None:
        """None: only the sections contain this."""
        return None

    @cached_property
    def items(self) -> Sequence[Item]:
        """The sections that are items."""
        return items_in(self.sections)

    @property
    def posts(self) -> Sequence[Item]:
        """The items that are posts."""
        return [item for item in self.items if item.kind is ItemKind.POST]


def heading_text(page: Page, heading: int) -> str:
    """Return the text of a heading element on one line, without its permalink."""
    return collapse(title_text(page, heading))


def items_in(sections: Iterable[Section]) -> list[Item]:
    """The items of section trees, each once, in document order."""
    items = {each.item.start: each.item for root in sections for each in root.walk() if each.item is not None}
    return [items[start] for start in sorted(items)]


def kept_leaves(sections: tuple[Section, ...]) -> list[Section]:
    """The leaves of section trees that are kept."""
    return [leaf for root in sections for leaf in root.leaves() if leaf.kept]


def leaf_columns(sections: tuple[Section, ...]) -> Leaves:
    """The leaves of section trees as columns."""
    leaves = [leaf for root in sections for leaf in root.leaves()]
    return Leaves(
        np.array([leaf.node_start for leaf in leaves], np.int32),
        np.array([leaf.kept and leaf.role is not Role.TITLE for leaf in leaves], np.bool_),
    )
