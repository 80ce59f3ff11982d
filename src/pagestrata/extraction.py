"""Extraction: the answer to a page. All that is computed on request is computed here, each part once.

What reads metadata and page types is imported when it is first asked for, so that importing pagestrata stays quick.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from pagestrata.landmarks import landmarks_of
from pagestrata.options import Options
from pagestrata.page import columns
from pagestrata.page.limits import Limit
from pagestrata.page.page import Page
from pagestrata.page.permalinks import title_text
from pagestrata.page.text import invisible_characters
from pagestrata.parts import Image, Items, Link, Table
from pagestrata.registry import bytes_renderer, chunker, part, renderer
from pagestrata.results import Chunk, PageType, Role, Section, Segmentation

if TYPE_CHECKING:
    from pagestrata.metadata.entities import Entity
    from pagestrata.metadata.merge import Metadata

SCHEMA_VERSION = 1
"""Of the JSON that `Extraction` turns into; see docs/schema.md."""
_REPR_TITLE = 60


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


@dataclass(frozen=True, eq=False, repr=False)
class Extraction:
    """The answer to a page. Always there: an empty page is an answer too, and `reason` says why it is empty."""

    page: Page
    options: Options
    segmentation: Segmentation
    """What the method said of the page."""
    method: str = ""
    """What chose the sections."""
    limits: tuple[Limit, ...] = ()
    """The limits that were hit; the answer is partial if there are any."""
    notes: tuple[str, ...] = ()
    """What whoever called the method has to add to its notes."""

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
        from pagestrata.page_type import probabilities_of

        return probabilities_of(self.page)

    @property
    def confidence(self) -> float:
        """In [0, 1]: how sure the method is of the whole."""
        return self.segmentation.confidence

    @cached_property
    def warnings(self) -> tuple[str, ...]:
        """What a careful reader should know."""
        found = [*self.page.warnings, *self.segmentation.notes, *self.notes]
        encoding = self.page.encoding
        if encoding.overruled:
            found.append(f"the page declares {encoding.overruled}, but its bytes are {encoding.name}")
        hidden = self.hidden_share
        if hidden:
            found.append(f"{hidden:.0%} of the returned words are hidden until scripts run")
        broken = self.page.text.count("\ufffd")
        if broken:
            found.append(f"{broken:,} characters could not be read as {encoding.name}")
        invisible = invisible_characters(self.page.text)
        if invisible:
            found.append(f"{invisible:,} invisible or direction-changing characters in the text")
        return tuple(found)

    @cached_property
    def hidden_share(self) -> float:
        """In [0, 1]: how many of the returned words visitors do not see before scripts run."""
        nodes, leaves = self.page.nodes, self.segmentation.leaves
        reasons = nodes.hidden_by
        is_shown = columns.IS_SHOWN_BY_SCRIPTS[reasons]
        if not is_shown.any() or not len(leaves.node_start):
            return 0.0
        leaf = np.searchsorted(leaves.node_start, np.arange(len(nodes)), side="right") - 1
        returned = np.where(leaves.kept[leaf] & ~columns.IS_UNSEEN[reasons], nodes.words, 0)
        return float(returned[is_shown].sum() / max(1, returned.sum()))

    @property
    def reason(self) -> str:
        """Why nothing is given back; empty when something is."""
        if self.segmentation.leaves.kept.any():
            return ""
        if self.page.warnings:
            return self.page.warnings[0]
        if not self.page.text:
            return "the page has no text"
        if not landmarks_of(self.page).is_shown.any():
            return "all text of the page is hidden, or lies over it, as a dialog does"
        return "no section looks like content: see their reasons"

    @cached_property
    def metadata(self) -> "Metadata":
        """Title, author, dates and the like, each with its source; read when first asked for."""
        from pagestrata.metadata.merge import read_metadata

        return read_metadata(self.page, self.options)

    @cached_property
    def stated_address(self) -> str | None:
        """The address in the metadata, which is quick to find without the rest of them."""
        from pagestrata.metadata.merge import read_address

        return self.metadata.url if "metadata" in self.__dict__ else read_address(self.page, self.options)

    @cached_property
    def entities(self) -> "tuple[Entity, ...]":
        """The products, recipes, events and jobs in the page's structured data, or else the product that it shows."""
        from pagestrata.metadata.entities import read_entities
        from pagestrata.metadata.shown_product import shown_products

        found = read_entities(self.page, self.options)
        return found if found or self.page_type is not PageType.PRODUCT else shown_products(self.page)

    @property
    def title_section(self) -> Section | None:
        """The section with the role title, if the page shows one."""
        return next((leaf for leaf in self.leaves() if leaf.role is Role.TITLE), None)

    @property
    def title(self) -> str | None:
        """The title of the page: what its title heading says, or else what its metadata say."""
        return self.shown_title or self.metadata.title

    @property
    def shown_title(self) -> str:
        """What the heading says that is the title; empty if there is none, or if a drop selector removes it."""
        node, page = self.page.title_heading, self.page
        marks = (mark for selector in self.options.drop for mark in page.marks[selector])
        if node is None or any(mark <= node < page.nodes.end[mark] for mark in marks):
            return ""
        return title_text(page, node)

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

    @cached_property
    def links(self) -> tuple[Link, ...]:
        """The links in the kept content, in the order of the page."""
        return part("links")(self)  # type: ignore[no-any-return]

    @cached_property
    def images(self) -> tuple[Image, ...]:
        """The images in the kept content, in the order of the page."""
        return part("images")(self)  # type: ignore[no-any-return]

    @cached_property
    def tables(self) -> tuple[Table, ...]:
        """The tables of data in the kept content, in the order of the page."""
        return part("tables")(self)  # type: ignore[no-any-return]

    @cached_property
    def items(self) -> Items:
        """The posts of a thread, the comments if they are returned, or the cards of a listing."""
        return part("items")(self)  # type: ignore[no-any-return]

    def as_dict(self) -> dict[str, Any]:
        """Everything as a dictionary with the fields of the JSON; see docs/schema.md."""
        import json  # here, as few callers want it

        return json.loads(self.json)  # type: ignore[no-any-return]

    def __repr__(self) -> str:
        kept = self.segmentation.leaves.kept
        sections = f"{int(kept.sum()):,} of {len(kept):,} sections kept"
        title = self.shown_title or self.page.title
        return f"<Extraction {title[:_REPR_TITLE]!r}: {sections}, {len(self.text):,} characters, method {self.method}>"

    def _repr_html_(self) -> str:
        """The sections of the page for notebooks, coloured by importance."""
        return part("notebook")(self)  # type: ignore[no-any-return]

    def chunks(
        self,
        max_words: int | None = None,
        min_words: int | None = None,
        overlap: int = 0,
        count_tokens: Callable[[str], int] | None = None,
    ) -> list[Chunk]:
        """Cut the kept content into chunks for search and language models, at headings and between blocks.

        No chunk has more than `max_words` (by default those of the options) unless it cannot be cut. Neighbours join
        where one of them has fewer than `min_words`, by default half of the maximum. `overlap` is how many words of the
        chunk before are repeated where a section had to be cut. With `count_tokens`, all three count tokens of the
        Markdown instead of words.
        """
        chunks: list[Chunk] = chunker()(self, max_words or self.options.chunk_words, min_words, overlap, count_tokens)
        return chunks

    def render(self, name: str) -> str:
        """Write the kept sections as text, md, html, document, json, jsonl, xml, tei, csv or chunks."""
        return renderer(name)(self)

    def render_bytes(self, name: str) -> bytes:
        """Write the kept sections in one of the formats of `render`, as UTF-8, or as `epub`."""
        return bytes_renderer(name)(self)
