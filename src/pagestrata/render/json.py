"""JSON with a documented schema that carries a version number: docs/schema.md describes each field."""

from collections.abc import Sequence
from typing import Any

import msgspec

from pagestrata.extraction import SCHEMA_VERSION, Extraction
from pagestrata.results import Chunk, Section


class BoxRecord(msgspec.Struct, frozen=True):
    """The place of a section on a drawn page, in CSS pixels."""

    x: float
    y: float
    width: float
    height: float


class ItemRecord(msgspec.Struct, frozen=True):
    """Author, time, title and link of a post in a thread or a card in a listing."""

    kind: str
    author: str | None
    time: str | None
    title: str | None
    link: str | None


class SectionRecord(msgspec.Struct, frozen=True):
    """A section; the leaves of the tree hold all text of the page, each piece once."""

    role: str
    importance: float
    kept: bool
    visible: bool
    """False if its text is hidden until scripts run."""
    xpath: str
    css: str
    path_is_exact: bool
    node_start: int
    node_end: int
    text_start: int
    text_end: int
    words: int
    level: int
    heading: str | None
    anchor: str | None
    text: str | None
    """None for sections with children."""
    reasons: list[str]
    signals: dict[str, float]
    box: BoxRecord | None
    item: ItemRecord | None
    children: "list[SectionRecord]"


class ChunkRecord(msgspec.Struct, frozen=True):
    """A piece of the kept content that can be read by itself."""

    url: str | None
    number: int
    heading_path: list[str]
    role: str
    importance: float
    author: str | None
    time: str | None
    xpath: str
    words: int
    markdown: str


class ChunkLine(ChunkRecord, frozen=True):
    """A chunk without its page around it."""

    title: str
    source: str | None
    schema_version: int


class LimitRecord(msgspec.Struct, frozen=True):
    """A limit that was hit."""

    name: str
    allowed: int
    found: int
    effect: str


class EncodingRecord(msgspec.Struct, frozen=True):
    """The encoding of the page, and where it was declared."""

    name: str
    source: str


class BaseRecord(msgspec.Struct, frozen=True):
    """The address that relative links were resolved against, and its source."""

    url: str
    source: str


class ExtractionRecord(msgspec.Struct, frozen=True):
    """The complete result for a page."""

    schema_version: int
    url: str | None
    source: str | None
    base: BaseRecord | None
    encoding: EncodingRecord
    page_type: str
    page_types: dict[str, float]
    """The probability of each type, the largest first."""
    confidence: float
    method: str
    title: str | None
    text: str
    reason: str
    metadata: dict[str, Any]
    metadata_sources: dict[str, str]
    sections: list[SectionRecord]
    limits: list[LimitRecord]
    warnings: list[str]


def record_of(extraction: Extraction) -> ExtractionRecord:
    """Convert an extraction to plain records."""
    page = extraction.page
    return ExtractionRecord(
        schema_version=SCHEMA_VERSION,
        url=page.url,
        source=page.source,
        base=None if page.base is None else BaseRecord(page.base.url, page.base.source),
        encoding=EncodingRecord(page.encoding.name, page.encoding.source),
        page_type=extraction.page_type.value,
        page_types={kind.value: round(chance, 4) for kind, chance in extraction.page_types.items()},
        confidence=extraction.confidence,
        method=extraction.method,
        title=extraction.title,
        text=extraction.text,
        reason=extraction.reason,
        metadata=extraction.metadata.as_dict(),
        metadata_sources=dict(extraction.metadata.sources),
        sections=[section_record(section) for section in extraction.sections],
        limits=[LimitRecord(limit.name, limit.allowed, limit.found, limit.effect) for limit in extraction.limits],
        warnings=[*extraction.warnings, *extraction.metadata.warnings],
    )


def section_record(section: Section) -> SectionRecord:
    """Convert a section and all below it; children come before their parents, without recursion."""
    records: dict[int, SectionRecord] = {}
    for each in reversed(list(section.walk())):
        records[id(each)] = _record(each, [records[id(child)] for child in each.children])
    return records[id(section)]


def _record(section: Section, children: list[SectionRecord]) -> SectionRecord:
    box, item = section.box, section.item
    return SectionRecord(
        role=section.role.value,
        importance=section.importance,
        kept=section.kept,
        visible=section.visible,
        xpath=section.xpath,
        css=section.css_path,
        path_is_exact=section.path_is_exact,
        node_start=section.node_start,
        node_end=section.node_end,
        text_start=section.text_start,
        text_end=section.text_end,
        words=section.words,
        level=section.level,
        heading=section.heading,
        anchor=section.anchor,
        text=None if section.children else section.text,
        reasons=list(section.reasons),
        signals=dict(section.signals),
        box=None if box is None else BoxRecord(box.x, box.y, box.width, box.height),
        item=None if item is None else ItemRecord(item.kind.value, item.author, item.time, item.title, item.link),
        children=children,
    )


def chunk_records(chunks: Sequence[Chunk]) -> list[ChunkRecord]:
    """Convert the chunks of a page."""
    return [
        ChunkRecord(
            url=chunk.url,
            number=number,
            heading_path=list(chunk.heading_path),
            role=chunk.role.value,
            importance=chunk.importance,
            author=chunk.author,
            time=chunk.time,
            xpath=chunk.xpath,
            words=chunk.words,
            markdown=chunk.markdown,
        )
        for number, chunk in enumerate(chunks)
    ]


def schema() -> dict[str, Any]:
    """The JSON schema of what `render_json` writes."""
    return msgspec.json.schema(ExtractionRecord)


def render_json(extraction: Extraction) -> str:
    """Write all results as indented JSON."""
    return msgspec.json.format(msgspec.json.encode(record_of(extraction)), indent=2).decode() + "\n"


def render_json_line(extraction: Extraction) -> str:
    """Write all results as JSON on one line."""
    return msgspec.json.encode(record_of(extraction)).decode() + "\n"


def render_chunks(extraction: Extraction) -> str:
    """Write the chunks of a page, one line of JSON each."""
    title, source = extraction.title or "", extraction.page.source
    of_page: dict[str, Any] = {"title": title, "source": source, "schema_version": SCHEMA_VERSION}
    records = chunk_records(extraction.chunks())
    lines = [ChunkLine(**msgspec.structs.asdict(record), **of_page) for record in records]
    return "".join(msgspec.json.encode(line).decode() + "\n" for line in lines)
