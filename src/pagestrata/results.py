"""What comes out: plain data. Every section, kept or not, has a score, a path and a reason."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from pagestrata.options import Options
from pagestrata.page import paths
from pagestrata.page.nodes import Bools
from pagestrata.page.page import Limit, Page
from pagestrata.page.text import invisible_characters

if TYPE_CHECKING:
    from pagestrata.engine.items import Item
    from pagestrata.metadata.merge import Metadata

SCHEMA_VERSION = 1
"""Of the JSON that `Extraction` turns into; see docs/schema.md."""


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


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the page: a range of nodes, and so a span of text and a run of blocks.

    Sections form a tree. Its leaves follow each other without gap, so that each block is in exactly one leaf.
    """

    page: Page = field(repr=False, compare=False)
    role: Role
    importance: float
    """In [0, 1], the method's own number. For the stand-in: how much it looks like running text."""
    kept: bool
    """Whether it is given back; a section with children is kept if one of them is."""
    node: int
    """The smallest element that holds all of it: where the paths lead."""
    node_start: int
    node_end: int
    block_start: int
    block_end: int
    children: tuple["Section", ...] = ()
    reasons: tuple[str, ...] = ()
    """Why it has this score and was kept or not, most telling first."""
    signals: Mapping[str, float] = field(default_factory=dict)
    """The numbers behind the reasons."""
    item: "Item | None" = None
    """What it says of itself, if it is a post of a thread or a card of a listing."""

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


@dataclass(frozen=True, eq=False)
class Segmentation:
    """What a method says of a page."""

    found: tuple[Section, ...] | Callable[[], tuple[Section, ...]]
    """The roots of the section tree, or what makes them when they are asked for."""
    confidence: float = 0.0
    """In [0, 1]: how sure the method is of the whole."""
    page_type: PageType = PageType.UNKNOWN
    notes: tuple[str, ...] = ()
    """What a careful reader should know: learned from one page only, fits no template, and so on."""
    kept: Bools | None = None
    """Which blocks are given back, the title aside, if the method knows before it cuts; else the sections tell."""

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        """The roots; their leaves partition the blocks."""
        return self.found() if callable(self.found) else self.found

    def __reduce__(self) -> tuple[Any, ...]:
        return Segmentation, (self.sections, self.confidence, self.page_type, self.notes, self.kept)


@dataclass(frozen=True, slots=True)
class TraceEntry:
    """One decision, told to a person."""

    path: str
    role: Role
    importance: float
    kept: bool
    reasons: tuple[str, ...]
    start: str
    """Its first words."""


@dataclass(frozen=True, eq=False)
class Extraction:
    """The answer to a page. Always there: an empty page is an answer too, and `reason` says why it is empty."""

    page: Page = field(repr=False)
    options: Options
    segmentation: Segmentation
    """What the method said of the page."""
    method: str = ""
    """What chose the sections."""
    limits: tuple[Limit, ...] = ()
    """The limits that bit; the answer is partial if there are any."""

    @property
    def sections(self) -> tuple[Section, ...]:
        """The roots of the section tree; none for a page without elements. They are made when first asked for."""
        return self.segmentation.sections

    @property
    def page_type(self) -> PageType:
        """What kind of page it is: as the method says, or the likeliest type."""
        told = self.segmentation.page_type
        return next(iter(self.page_types), told) if told is PageType.UNKNOWN else told

    @cached_property
    def page_types(self) -> Mapping[PageType, float]:
        """How likely each type is, likeliest first; worked out when first asked for, and empty without text."""
        from pagestrata.engine.page_type import probabilities_of

        return probabilities_of(self.page)

    @property
    def confidence(self) -> float:
        """In [0, 1]: how sure the method is of the whole."""
        return self.segmentation.confidence

    @cached_property
    def warnings(self) -> tuple[str, ...]:
        """What a careful reader should know."""
        found = [*self.page.warnings, *self.segmentation.notes]
        broken = self.page.text.count("\ufffd")
        if broken:
            found.append(f"{broken:,} characters could not be read as {self.page.encoding.name}")
        invisible = invisible_characters(self.page.text)
        if invisible:
            found.append(f"{invisible:,} invisible or direction-changing characters in the text")
        return tuple(found)

    @property
    def reason(self) -> str:
        """Why nothing is given back; empty when something is."""
        if any(leaf.kept for leaf in self.leaves()):
            return ""
        if self.page.warnings:
            return self.page.warnings[0]
        if not self.page.text:
            return "the page has no text"
        return "no section looks like content: see their reasons"

    @cached_property
    def metadata(self) -> "Metadata":
        """Title, author, dates and the like, each with its source; read when first asked for."""
        from pagestrata.metadata.merge import read_metadata

        return read_metadata(self.page, self.options, self.title_section)

    @property
    def title_section(self) -> Section | None:
        """The section with the role title, if the page shows one."""
        return next((leaf for leaf in self.leaves() if leaf.role is Role.TITLE), None)

    @property
    def title(self) -> str | None:
        """What the page is called: what its title section says, or else what its metadata say."""
        from pagestrata.render.permalinks import title_text

        section = self.title_section
        return title_text(self.page, section) if section is not None else self.metadata.title

    @property
    def trace(self) -> tuple[TraceEntry, ...]:
        """Every leaf section with what decided it, in the order of the page."""
        return tuple(
            TraceEntry(leaf.xpath, leaf.role, leaf.importance, leaf.kept, leaf.reasons, leaf.text[:60])
            for leaf in self.leaves()
        )

    def leaves(self) -> Iterator[Section]:
        """The leaf sections in the order of the page."""
        for section in self.sections:
            yield from section.leaves()

    @cached_property
    def text(self) -> str:
        """The kept sections as plain text."""
        return self.render("text")

    @property
    def markdown(self) -> str:
        """The kept sections as Markdown."""
        return self.render("md")

    @property
    def html(self) -> str:
        """The kept sections as safe HTML."""
        return self.render("html")

    @property
    def json(self) -> str:
        """Everything as JSON; see docs/schema.md."""
        return self.render("json")

    @property
    def xml(self) -> str:
        """The kept sections as XML; see docs/guide/formats.md."""
        return self.render("xml")

    def render(self, name: str) -> str:
        """Write the kept sections in one of the formats: text, md, html, json, jsonl, xml."""
        from pagestrata.registry import renderer

        return renderer(name)(self)
