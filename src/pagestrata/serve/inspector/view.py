"""The data of a page for the inspector, as plain records; one list per property of sections."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import msgspec

from pagestrata.algorithms.base import DROPPED, EDITED, PINNED
from pagestrata.extraction import Extraction
from pagestrata.page.page import Page
from pagestrata.page.raw import RawPage
from pagestrata.render.json import LimitRecord
from pagestrata.render.md_build import blocks_by_range
from pagestrata.render.xhtml import xhtml
from pagestrata.results import Role, Section, SectionTree
from pagestrata.serve.inspector.neutral import neutral_copy

_DECISION = re.compile(r"importance [\d.]+ is (?:at least|below) (-?[\d.]+)")


class PageCopy(msgspec.Struct, frozen=True):
    """The page itself, which does not depend on the method."""

    html: str
    """The neutral copy; empty if the page is too large to show."""
    nodes: int
    blocks: list[str]
    """The text of each block."""
    words: list[int]


class Sections(msgspec.Struct, frozen=True):
    """The section tree, parents first: one row per section in each list."""

    parent: list[int]
    """-1 for a root."""
    role: list[str]
    importance: list[float]
    kept: list[bool]
    fixed: list[bool]
    """Whether it is kept or not regardless of its importance: because of a selector, or as title or comments."""
    block_start: list[int]
    block_end: list[int]
    words: list[int]
    cover: list[list[int]]
    """For leaves, the largest nodes that lie completely inside."""
    xpath: list[str]
    css: list[str]
    reasons: list[list[str]]
    signals: list[dict[str, float]]


class View(msgspec.Struct, frozen=True):
    """The result of a method for a page."""

    method: str
    learned_from: str
    """For methods that learn, a description of their training pages."""
    page_type: str
    confidence: float
    title: str | None
    url: str | None
    source: str | None
    encoding: str
    reason: str
    warnings: list[str]
    metadata: dict[str, Any]
    metadata_sources: dict[str, str]
    limits: list[LimitRecord]
    sections: Sections
    keep_from: float | None
    """The threshold of importance, if the method has one."""
    rendered: dict[str, str]
    """The kept content by format."""
    page_edits: list[str]
    """The selectors that the user kept or dropped on this page only."""


class ReaderPart(msgspec.Struct, frozen=True):
    """A kept section as the reader view shows it."""

    section: int
    """Its row in `Sections`."""
    html: str


def copy_of(raw: RawPage, page: Page) -> PageCopy:
    """Copy a page for display."""
    return PageCopy(neutral_copy(raw, page), len(page.nodes), page.block_texts(), page.blocks.words.tolist())


def view_of(
    extraction: Extraction, learned_from: str = "", formats: Sequence[str] = (), page_edits: Sequence[str] = ()
) -> View:
    """Convert an extraction for display."""
    page = extraction.page
    return View(
        method=extraction.method,
        learned_from=learned_from,
        page_type=extraction.page_type.value,
        confidence=extraction.confidence,
        title=extraction.title,
        url=page.url,
        source=page.source,
        encoding=f"{page.encoding.name}, says {page.encoding.source}",
        reason=extraction.reason,
        warnings=[*extraction.warnings, *extraction.metadata.warnings],
        metadata=extraction.metadata.as_dict(),
        metadata_sources=dict(extraction.metadata.sources),
        limits=[LimitRecord(limit.name, limit.allowed, limit.found, limit.effect) for limit in extraction.limits],
        sections=sections_of(extraction),
        keep_from=keep_from(extraction),
        rendered={name: extraction.render(name) for name in formats},
        page_edits=list(page_edits),
    )


def sections_of(extraction: Extraction) -> Sections:
    """The section tree as columns."""
    rows = [section for root in extraction.sections for section in root.walk()]
    row_of = {id(section): number for number, section in enumerate(rows)}
    parent = [-1] * len(rows)
    for number, section in enumerate(rows):
        for child in section.children:
            parent[row_of[id(child)]] = number
    leaves = covers(extraction.page, [section for section in rows if not section.children])
    return Sections(
        parent=parent,
        role=[section.role.value for section in rows],
        importance=[section.importance for section in rows],
        kept=[section.kept for section in rows],
        fixed=[is_fixed(section) for section in rows],
        block_start=[section.block_start for section in rows],
        block_end=[section.block_end for section in rows],
        words=[section.words for section in rows],
        cover=[[] if section.children else next(leaves) for section in rows],
        xpath=[section.xpath for section in rows],
        css=[section.css_path for section in rows],
        reasons=[list(section.reasons) for section in rows],
        signals=[dict(section.signals) for section in rows],
    )


def reader_parts(extraction: Extraction) -> list[ReaderPart]:
    """The kept sections as XHTML, in the order of the page."""
    rows = [section for root in extraction.sections for section in root.walk()]
    leaves = [number for number, section in enumerate(rows) if not section.children]
    contents = blocks_by_range(extraction, [rows[leaf].node_start for leaf in leaves])
    return [
        ReaderPart(leaf, xhtml(extraction.page, blocks))
        for leaf, blocks in zip(leaves, contents, strict=True)
        if blocks
    ]


def covers(page: Page, leaves: Sequence[Section]) -> Iterator[list[int]]:
    """For each leaf, the largest subtrees completely inside; a text without siblings is replaced by its element."""
    ends, parents, kids = (page.nodes.end.tolist(), page.nodes.parent.tolist(), page.nodes.child_count.tolist())
    is_text = page.nodes.is_text.tolist()
    for leaf in leaves:
        nodes, node = [], leaf.node_start
        while node < leaf.node_end:
            if ends[node] > leaf.node_end:
                node += 1
                continue
            nodes.append(parents[node] if is_text[node] and kids[parents[node]] == 1 else node)
            node = ends[node]
        yield nodes


def keep_from(extraction: Extraction) -> float | None:
    """The threshold that is named in the reasons of the leaves."""
    matches = (_DECISION.fullmatch(leaf.reasons[0]) for leaf in extraction.leaves() if leaf.reasons)
    return next((float(match[1]) for match in matches if match), None)


def is_fixed(section: Section) -> bool:
    """Whether a section is kept or not regardless of the threshold."""
    by_person = section.reasons[0].startswith((DROPPED, PINNED, EDITED)) if section.reasons else False
    return by_person or not section.has_blocks or section.role in (Role.TITLE, Role.COMMENTS)


def with_threshold(extraction: Extraction, keep_from: float) -> Extraction:
    """Apply another threshold to the sections of an extraction."""
    replaced: dict[int, Section] = {}
    for root in extraction.sections:
        for section in reversed(list(root.walk())):
            children = tuple(replaced[id(child)] for child in section.children)
            kept = any(child.kept for child in children) if children else _kept(section, keep_from)
            replaced[id(section)] = replace(section, children=children, kept=kept)
    roots = tuple(replaced[id(root)] for root in extraction.sections)
    old = extraction.segmentation
    return replace(extraction, segmentation=SectionTree(roots, old.confidence, old.page_type, old.notes))


def _kept(leaf: Section, keep_from: float) -> bool:
    return leaf.kept if is_fixed(leaf) else leaf.importance >= keep_from
