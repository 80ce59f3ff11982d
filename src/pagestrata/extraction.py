"""Extraction: the result for a page. Its parts are computed on request, each once.

The code for metadata and page types is imported on first use, so that `import pagestrata` is fast.
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
from pagestrata.page.text import invisible_characters, shortened
from pagestrata.page.web_address import address_problem
from pagestrata.parts import Images, Items, Links, Table
from pagestrata.registry import bytes_renderer, chunker, part, renderer
from pagestrata.results import Chunk, PageType, Role, Section, Segmentation

if TYPE_CHECKING:
    from pagestrata.metadata.entities import Entity
    from pagestrata.metadata.merge import Metadata

SCHEMA_VERSION = 1
"""The version of the JSON of an `Extraction`; see docs/schema.md."""


@dataclass(frozen=True, slots=True)
class TraceEntry:
    """The decision on one section, for people."""

    path: str
    role: Role
    importance: float
    kept: bool
    reasons: tuple[str, ...]
    start: str
    """The first words of the section."""


@dataclass(frozen=True, eq=False, repr=False)
class Extraction:
    """The result for a page. Every page has one: if nothing is kept, `reason` says why."""

    page: Page
    options: Options
    segmentation: Segmentation
    """The result of the method: sections, leaves, confidence."""
    method: str = ""
    """The name of the method that chose the sections."""
    limits: tuple[Limit, ...] = ()
    """The limits that were hit; if there are any, the result is partial."""
    notes: tuple[str, ...] = ()
    """Notes of the caller, added to those of the method."""

    @property
    def sections(self) -> tuple[Section, ...]:
        """The roots of the section tree, computed on first use; none for a page without elements."""
        return self.segmentation.sections

    @property
    def page_type(self) -> PageType:
        """The type of the page: from the method if it determines one, otherwise the most probable type."""
        told = self.segmentation.page_type
        return next(iter(self.page_types), told) if told is PageType.UNKNOWN else told

    @cached_property
    def page_types(self) -> Mapping[PageType, float]:
        """The probability of each type, the largest first; computed on first use, empty for a page without text."""
        from pagestrata.page_type import probabilities_of

        return probabilities_of(self.page)

    @property
    def confidence(self) -> float:
        """How certain the method is of its result, in [0, 1]."""
        return self.segmentation.confidence

    @cached_property
    def warnings(self) -> tuple[str, ...]:
        """Facts that may make the result less reliable, such as unreadable characters or hidden text."""
        found = [*self.page.warnings, *self.segmentation.notes, *self.notes]
        if self.page.refused_url:
            found.append(f"{address_problem(self.page.refused_url)}: the page was read without it")
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
        """The share of the returned words that are hidden until scripts run, in [0, 1]."""
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
        """Why nothing is kept; empty if something is."""
        if self.segmentation.leaves.kept.any():
            return ""
        if self.page.warnings:
            return self.page.warnings[0]
        if not self.page.text:
            return "the page has no text"
        if not landmarks_of(self.page).is_shown.any():
            return "all text of the page is hidden, or lies over it, like a dialog"
        return "no section looks like content: see their reasons"

    @cached_property
    def metadata(self) -> "Metadata":
        """Title, authors, dates and more, each with its source; read on first use."""
        from pagestrata.metadata.merge import read_metadata

        return read_metadata(self.page, self.options)

    @cached_property
    def stated_address(self) -> str | None:
        """The address in the metadata, which is quick to find without the rest of them."""
        from pagestrata.metadata.merge import read_address

        return self.metadata.url if "metadata" in self.__dict__ else read_address(self.page, self.options)

    @cached_property
    def entities(self) -> "tuple[Entity, ...]":
        """The products, recipes, events and jobs in the structured data; or else the product that the page shows."""
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
        """The title of the page: the text of its title heading, otherwise the title in its metadata."""
        return self.shown_title or self.metadata.title

    @property
    def shown_title(self) -> str:
        """The text of the title heading; empty if there is none, or if a drop selector removes it."""
        node, page = self.page.title_heading, self.page
        marks = (mark for selector in self.options.drop for mark in page.marks[selector])
        if node is None or any(mark <= node < page.nodes.end[mark] for mark in marks):
            return ""
        return title_text(page, node)

    @property
    def trace(self) -> tuple[TraceEntry, ...]:
        """The decision on every leaf section, in the order of the page."""
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
        """All results as JSON; see docs/schema.md."""
        return self.render("json")

    @property
    def xml(self) -> str:
        """The kept sections as XML; see docs/guide/formats.md."""
        return self.render("xml")

    @cached_property
    def links(self) -> Links:
        """The links in the kept content, in the order of the page."""
        return part("links")(self)  # type: ignore[no-any-return]

    @cached_property
    def images(self) -> Images:
        """The images in the kept content, in the order of the page."""
        return part("images")(self)  # type: ignore[no-any-return]

    @cached_property
    def tables(self) -> tuple[Table, ...]:
        """The data tables in the kept content, in the order of the page."""
        return part("tables")(self)  # type: ignore[no-any-return]

    @cached_property
    def items(self) -> Items:
        """The posts of a thread, the comments (if they are kept), or the cards of a listing."""
        return part("items")(self)  # type: ignore[no-any-return]

    def as_dict(self) -> dict[str, Any]:
        """Return all results as a dictionary with the fields of the JSON; see docs/schema.md."""
        import json  # here, as few callers want it

        return json.loads(self.json)  # type: ignore[no-any-return]

    def __repr__(self) -> str:
        kept = self.segmentation.leaves.kept
        sections = f"{int(kept.sum()):,} of {len(kept):,} sections kept"
        title = self.shown_title or self.page.title
        return f"<Extraction {shortened(title)!r}: {sections}, {len(self.text):,} characters, method {self.method}>"

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

        A chunk has at most `max_words` words (by default `Options.chunk_words`), unless it cannot be cut. A chunk with
        fewer than `min_words` (by default half of the maximum) is joined with its neighbour. Where a section had to be
        cut, the last `overlap` words of the chunk before are repeated. With `count_tokens`, all three numbers are
        tokens of the Markdown instead of words.
        """
        chunks: list[Chunk] = chunker()(self, max_words or self.options.chunk_words, min_words, overlap, count_tokens)
        return chunks

    def render(self, name: str) -> str:
        """Write the kept sections as text, md, html, document, json, jsonl, xml, tei, csv or chunks."""
        return renderer(name)(self)

    def render_bytes(self, name: str) -> bytes:
        """Write the kept sections as `epub`, or in a format of `render` as UTF-8."""
        return bytes_renderer(name)(self)
