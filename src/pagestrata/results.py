"""What comes out: plain data. Every section, kept or not, has a score, a path and a reason."""

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
from pagestrata.page.text import collapse
from pagestrata.registry import section_renderer


class Role(StrEnum):
    """What a section is for."""

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
    """What kind of page it is."""

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
    """Where a section stands when a browser drew the page, in CSS pixels."""

    x: float
    y: float
    width: float
    height: float


class ItemKind(StrEnum):
    """What an item is."""

    POST = "post"
    CARD = "card"


@dataclass(frozen=True, slots=True)
class Item:
    """A range of nodes, and what it says of itself; None where it says nothing."""

    start: int
    end: int
    """One past its last node."""
    kind: ItemKind
    author: str | None = None
    time: str | None = None
    """As the page has it: the `datetime` of a `<time>`, or the line."""
    title: str | None = None
    link: str | None = None
    """Made absolute, as far as the address of the page is known."""


class Explanation(Protocol):
    """Reasons and signals of a section; a method may compute them when they are read."""

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
    """Nothing beyond what a section states."""

    reasons: tuple[str, ...] = ()
    signals: Mapping[str, float] = field(default_factory=dict)


NO_EXPLANATION: Final = NoExplanation()


@dataclass(frozen=True, slots=True)
class SectionContext:
    """What all sections of one answer share."""

    options: Options = field(default_factory=Options)
    outline: Outline | None = None
    """The outline of what is kept; None for that of the whole page."""


NO_CONTEXT: Final = SectionContext()


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the page: a range of nodes, and so a span of text and a run of blocks.

    Sections form a tree. Its leaves follow each other without gap, so that each block is in exactly one leaf.
    """

    page: Page = field(repr=False, compare=False)
    role: Role
    importance: float
    """In [0, 1]: how likely its text is main text, as the method sees it."""
    kept: bool
    """Whether it is given back; a section with children is kept if one of them is."""
    node: int
    """The smallest element that holds all of it: where the paths lead."""
    node_start: int
    node_end: int
    block_start: int
    block_end: int
    children: tuple["Section", ...] = ()
    stated: tuple[str, ...] = field(default=(), repr=False)
    """The reasons that are known without computing anything; the first one is the decision."""
    numbers: Mapping[str, float] = field(default_factory=dict, repr=False)
    """The signals that are known without computing anything."""
    explanation: Explanation = field(default=NO_EXPLANATION, repr=False, compare=False)
    """Further reasons and signals, computed when they are read."""
    item: Item | None = None
    """What it says of itself, if it is a post of a thread or a card of a listing."""
    context: SectionContext = field(default=NO_CONTEXT, repr=False, compare=False)
    """What it shares with all sections of its page."""

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why it has this score and was kept or not: the decision first, then what led to it."""
        return (*self.stated, *self.explanation.reasons)

    @property
    def signals(self) -> Mapping[str, float]:
        """The numbers behind the reasons."""
        return self.numbers or self.explanation.signals

    @property
    def box(self) -> Box | None:
        """The room that all which is wholly in it takes together; None unless a browser drew the page."""
        if self.page.boxes is None:
            return None
        ends = self.page.nodes.end[self.node_start : self.node_end]
        return Box(*self.page.boxes.around(self.node_start + np.flatnonzero(ends <= self.node_end)))

    @property
    def text_start(self) -> int:
        """Where its text begins in `Page.text`, in code points."""
        return int(self.page.blocks.text_start[self.block_start]) if self.has_blocks else 0

    @property
    def text_end(self) -> int:
        """Where its text ends."""
        return int(self.page.blocks.text_end[self.block_end - 1]) if self.has_blocks else 0

    @property
    def has_blocks(self) -> bool:
        """Whether there is text in it."""
        return self.block_end > self.block_start

    @property
    def text(self) -> str:
        """Its text as it stands on the page, one line a block."""
        return self.page.text[self.text_start : self.text_end]

    @property
    def words(self) -> int:
        """How many words it has."""
        return int(self.page.blocks.words[self.block_start : self.block_end].sum())

    @property
    def visible(self) -> bool:
        """Whether visitors see its text: False if all of it is hidden, or if some counts as seen only for scripts."""
        span = slice(self.node_start, self.node_end)
        reasons = self.page.nodes.hidden_by[span][self.page.nodes.tag[span] == tags.TEXT]
        is_seen = not len(reasons) or not columns.IS_UNSEEN[reasons].all()
        return bool(is_seen and not columns.IS_SHOWN_BY_SCRIPTS[reasons].any())

    @property
    def outline(self) -> Outline:
        """The outline that it is part of: that of what is kept, or else that of the whole page."""
        return (self.context.outline if self.kept else None) or landmarks_of(self.page).outline

    @property
    def heading_node(self) -> int | None:
        """The heading element that it begins with; None if it begins with something else, or reaches further."""
        if not self.has_blocks or self.outline.heading[self.block_start] != self.block_start:
            return None
        is_headed = self.block_end <= self.outline.scope_end[self.block_start]
        return int(self.page.blocks.container[self.block_start]) if is_headed else None

    @property
    def heading(self) -> str | None:
        """The text of the heading that it begins with, if that heads all of it."""
        return None if self.heading_node is None else heading_text(self.page, self.heading_node)

    @property
    def level(self) -> int:
        """The level of that heading, 1 to 6; 0 if there is none."""
        return 0 if self.heading_node is None else int(self.outline.level[self.block_start])

    @property
    def anchor(self) -> str | None:
        """The name by which an address leads to that heading; None if the page gives it none."""
        return None if self.heading_node is None else anchor_of(self.page, self.heading_node)

    @property
    def heading_path(self) -> tuple[str, ...]:
        """The headings that it stands under, the outermost first and its own last; the title is not one of them."""
        headings = self.outline.path(self.block_start) if self.has_blocks else ()
        return tuple(heading_text(self.page, int(self.page.blocks.container[block])) for block in headings)

    @property
    def markdown(self) -> str:
        """What is kept of it as Markdown, or all of it if nothing is."""
        return section_renderer("md")(self)

    @property
    def html(self) -> str:
        """What is kept of it as safe HTML, or all of it if nothing is."""
        return section_renderer("html")(self)

    @property
    def xpath(self) -> str:
        """The XPath of its element in the page as a browser has it."""
        return self.page.paths.xpath(self.node)

    @property
    def css_path(self) -> str:
        """The same as a CSS selector."""
        return self.page.paths.css_path(self.node)

    @property
    def path_is_exact(self) -> bool:
        """False inside a shadow root or below the depth limit: then the paths end at the element around it."""
        return paths.is_exact(self.page.nodes, self.node)

    def walk(self) -> Iterator["Section"]:
        """This section and all below it, parents first."""
        waiting = [self]
        while waiting:
            section = waiting.pop()
            yield section
            waiting.extend(reversed(section.children))

    def leaves(self) -> Iterator["Section"]:
        """The sections that are not cut further."""
        return (section for section in self.walk() if not section.children)


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of the kept content of a page that can be read, embedded and cited by itself."""

    markdown: str
    words: int
    tokens: int | None
    """As the caller counts them; None if no counter was given."""
    title: str
    """The title of the page."""
    heading_path: tuple[str, ...]
    """The headings that all of it stands under, the outermost first."""
    url: str | None
    """The address of the page, with the anchor of the first heading of the chunk or the nearest one above it."""
    role: Role
    importance: float
    """The mean importance of its sections, by words."""
    author: str | None
    """Who wrote it, if it is a post, and the only one in the chunk."""
    time: str | None
    """When, as the page has it."""
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
    """What a method answers for a page. `SectionTree` is the plain form; a method may also compute its parts lazily."""

    @property
    def sections(self) -> tuple[Section, ...]:
        """The roots of the section tree; its leaves partition the blocks of the page."""
        ...

    @property
    def leaves(self) -> Leaves:
        """The leaves of that tree; known without its roles and reasons."""
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
        """In [0, 1]: how sure the method is of the whole."""
        ...

    @property
    def page_type(self) -> PageType:
        """The type of the page, if the method determines it."""
        ...

    @property
    def notes(self) -> tuple[str, ...]:
        """What a careful reader should know: learned from one page only, fits no template, and so on."""
        ...


@dataclass(frozen=True, eq=False)
class SectionTree:
    """A `Segmentation` whose sections are there."""

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
        """Not known apart from the sections."""
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
