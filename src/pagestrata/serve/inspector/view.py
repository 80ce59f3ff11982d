"""What the inspector shows of a page, as plain records; columns where there is one value a section."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import msgspec

from pagestrata.algorithms.base import DROPPED, PINNED
from pagestrata.extraction import Extraction
from pagestrata.page.page import Page
from pagestrata.page.raw import RawPage
from pagestrata.render.json import LimitRecord
from pagestrata.results import Role, Section, SectionTree
from pagestrata.serve.inspector.neutral import neutral_copy

_DECISION = re.compile(r"importance [\d.]+ is (?:at least|below) (-?[\d.]+)")


class PageCopy(msgspec.Struct, frozen=True):
    """The page itself, the same for all methods."""

    html: str
    """The neutral copy; empty if the page is too large to be shown."""
    nodes: int
    blocks: list[str]
    """The text of each block."""
    words: list[int]


class Sections(msgspec.Struct, frozen=True):
    """The section tree, parents first: one row a section in each list."""

    parent: list[int]
    """-1 for a root."""
    role: list[str]
    importance: list[float]
    kept: list[bool]
    fixed: list[bool]
    """Whether something else than its importance decides: a selector, or that it is the title, or a comment."""
    block_start: list[int]
    block_end: list[int]
    words: list[int]
    cover: list[list[int]]
    """Of leaves: the largest nodes that lie wholly in it."""
    xpath: list[str]
    css: list[str]
    reasons: list[list[str]]
    signals: list[dict[str, float]]


class View(msgspec.Struct, frozen=True):
    """What a method says of a page."""

    method: str
    learned_from: str
    """For methods that learn: what from."""
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
    """The importance from which the method keeps, if that is what decides."""
    rendered: dict[str, str]
    """What is kept, by format."""


def copy_of(raw: RawPage, page: Page) -> PageCopy:
    """The page to be shown."""
    spans = zip(page.blocks.text_start.tolist(), page.blocks.text_end.tolist(), strict=True)
    blocks = [page.text[start:end] for start, end in spans]
    return PageCopy(neutral_copy(raw, page), len(page.nodes), blocks, page.blocks.words.tolist())


def view_of(found: Extraction, learned_from: str = "", formats: Sequence[str] = ()) -> View:
    """An extraction to be shown."""
    page = found.page
    return View(
        method=found.method,
        learned_from=learned_from,
        page_type=found.page_type.value,
        confidence=found.confidence,
        title=found.title,
        url=page.url,
        source=page.source,
        encoding=f"{page.encoding.name}, says {page.encoding.source}",
        reason=found.reason,
        warnings=[*found.warnings, *found.metadata.warnings],
        metadata=found.metadata.as_dict(),
        metadata_sources=dict(found.metadata.sources),
        limits=[LimitRecord(limit.name, limit.allowed, limit.found, limit.effect) for limit in found.limits],
        sections=sections_of(found),
        keep_from=keep_from(found),
        rendered={name: found.render(name) for name in formats},
    )


def sections_of(found: Extraction) -> Sections:
    """The tree as columns."""
    rows = [section for root in found.sections for section in root.walk()]
    place = {id(section): number for number, section in enumerate(rows)}
    parent = [-1] * len(rows)
    for number, section in enumerate(rows):
        for child in section.children:
            parent[place[id(child)]] = number
    leaves = covers(found.page, [section for section in rows if not section.children])
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


def covers(page: Page, leaves: Sequence[Section]) -> Iterator[list[int]]:
    """For each leaf the largest subtrees that lie wholly in it; a text without siblings stands for its element."""
    ends, parents, kids = (page.nodes.end.tolist(), page.nodes.parent.tolist(), page.nodes.child_count.tolist())
    is_text = page.nodes.is_text.tolist()
    for leaf in leaves:
        found, node = [], leaf.node_start
        while node < leaf.node_end:
            if ends[node] > leaf.node_end:
                node += 1
                continue
            found.append(parents[node] if is_text[node] and kids[parents[node]] == 1 else node)
            node = ends[node]
        yield found


def keep_from(found: Extraction) -> float | None:
    """The threshold that the reasons of the leaves name."""
    said = (_DECISION.fullmatch(leaf.reasons[0]) for leaf in found.leaves() if leaf.reasons)
    return next((float(match[1]) for match in said if match), None)


def is_fixed(section: Section) -> bool:
    """Whether no threshold changes that it is kept, or not."""
    told = section.reasons[:1] in ((DROPPED,), (PINNED,))
    return told or not section.has_blocks or section.role in (Role.TITLE, Role.COMMENTS)


def with_threshold(found: Extraction, keep_from: float) -> Extraction:
    """The same sections, those kept that are at least so important."""
    made: dict[int, Section] = {}
    for root in found.sections:
        for section in reversed(list(root.walk())):
            children = tuple(made[id(child)] for child in section.children)
            kept = any(child.kept for child in children) if children else _kept(section, keep_from)
            made[id(section)] = replace(section, children=children, kept=kept)
    roots = tuple(made[id(root)] for root in found.sections)
    old = found.segmentation
    return replace(found, segmentation=SectionTree(roots, old.confidence, old.page_type, old.notes))


def _kept(leaf: Section, keep_from: float) -> bool:
    return leaf.kept if is_fixed(leaf) else leaf.importance >= keep_from
