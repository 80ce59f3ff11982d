"""Record → row, without side effects: equal records, options and models give equal bytes on every machine.

Batches on one machine and jobs on a cluster both call `read_record`, so their rows are equal by construction.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import msgspec
import numpy as np

from pagestrata.api import DEFAULTS
from pagestrata.extraction import Extraction
from pagestrata.options import Options
from pagestrata.page.page import Page
from pagestrata.page.text import clean_line
from pagestrata.results import Section
from pagestrata.sites.choice import AttachedModel, StoredModel
from pagestrata.sites.learn import host_of
from pagestrata.work.guard import Failure
from pagestrata.work.job import Job, page_digest
from pagestrata.work.near_duplicates import keys_of
from pagestrata.work.page_filter import is_in
from pagestrata.work.read_page import read_page

ROW_VERSION: Final = 1
"""Incremented when a field of a row is removed or changes its meaning."""

Outcome = Literal["row", "quarantined", "filtered"]
Form = Literal["jsonl", "parquet"]


@dataclass(frozen=True, slots=True)
class Record:
    """One record of an input, with a name that is the same at every reading of the input."""

    name: str
    job: Job | None = None
    """The page; None if it could not be read, for the reason in `problem`."""
    stage: str = ""
    problem: str = ""
    url: str | None = None
    attached_model: AttachedModel | None = None
    """The model of its site, if that is sent with the record."""

    def __post_init__(self) -> None:
        """Clean what is written to rows and to the terminal."""
        object.__setattr__(self, "name", clean_line(self.name))
        object.__setattr__(self, "url", clean_line(self.url))


class SectionRow(msgspec.Struct, frozen=True):
    """A section of the page; parents come before their children and have one less depth."""

    depth: int
    role: str
    importance: float
    kept: bool
    xpath: str
    words: int
    text: str | None
    """Leaves only: together they contain all text of the page, each piece once."""
    near_duplicate: str | None
    """Leaves only."""
    reasons: list[str]


class PageRow(msgspec.Struct, frozen=True):
    """The row of one page."""

    row_version: int
    source: str
    url: str | None
    site: str
    digest: str
    language: str | None
    title: str | None
    text: str
    page_type: str
    confidence: float
    method: str
    encoding: str
    near_duplicate: str | None
    reason: str
    metadata: dict[str, Any] | str
    """An object in JSON lines; a JSON text in Parquet."""
    sections: list[SectionRow]
    limits: list[str]
    warnings: list[str]


class Quarantined(msgspec.Struct, frozen=True):
    """A record without a row, and the reason."""

    row_version: int
    source: str
    url: str | None
    digest: str
    stage: str
    reason: str
    limit: str
    detail: str


class RecordResult(msgspec.Struct, array_like=True, frozen=True):
    """What a worker sends back for a record: its outcome and its row."""

    outcome: Outcome
    line: bytes = b""
    """The row as one line of JSON."""
    key: str = ""
    """The near-duplicate key of the page, if it became a row."""


@dataclass(frozen=True, slots=True)
class Reading:
    """How records become rows: everything a row depends on apart from the record and the version."""

    options: Options = DEFAULTS
    choice: StoredModel | None = None
    languages: tuple[str, ...] = ()
    """Only pages in one of these languages become rows; all pages if it is empty."""
    form: Form = "jsonl"


def read_record(record: Record, reading: Reading) -> bytes:
    """Read a record; returns a `RecordResult` in MessagePack. A crash or a hang is reported by the guard."""
    if record.job is None:
        return msgspec.msgpack.encode(RecordResult("quarantined", line_of(unreadable(record))))
    raw = record.job.read()
    extraction, _ = read_page(raw, reading.options, record.attached_model or reading.choice)
    if not is_in(reading.languages, extraction.metadata.language):
        return msgspec.msgpack.encode(RecordResult("filtered"))
    row = row_of(record.name, page_digest(raw), extraction)
    if reading.form == "parquet":
        row = msgspec.structs.replace(row, metadata=msgspec.json.encode(row.metadata).decode())
    return msgspec.msgpack.encode(RecordResult("row", line_of(row), row.near_duplicate or ""))


def row_of(source: str, digest: str, extraction: Extraction) -> PageRow:
    """Everything that a corpus needs to know about a page."""
    page, metadata = extraction.page, extraction.metadata
    sections, page_key = _section_rows(extraction)
    return PageRow(
        row_version=ROW_VERSION,
        source=source,
        url=page.url,
        site=host_of(page.url or metadata.url),
        digest=digest,
        language=metadata.language,
        title=extraction.title,
        text=extraction.text,
        page_type=extraction.page_type.value,
        confidence=extraction.confidence,
        method=extraction.method,
        encoding=page.encoding.name,
        near_duplicate=page_key or None,
        reason=extraction.reason,
        metadata=metadata.as_dict(),
        sections=sections,
        limits=[str(limit) for limit in extraction.limits],
        warnings=[*extraction.warnings, *metadata.warnings],
    )


def _section_rows(extraction: Extraction) -> tuple[list[SectionRow], str]:
    """All sections, and the near-duplicate key of those leaves that are kept."""
    sections = list(_with_depths(extraction.sections))
    leaves = [section for _, section in sections if not section.children]
    texts = _texts_of(leaves, extraction.page)
    keys, page_key = keys_of(texts, [leaf.kept for leaf in leaves])
    text_and_key = zip(texts, keys, strict=True)
    words_before = np.concatenate(((0,), np.cumsum(extraction.page.blocks.words))).tolist()
    rows = []
    for depth, section in sections:
        text, key = (None, None) if section.children else next(text_and_key)
        rows.append(
            SectionRow(
                depth=depth,
                role=section.role.value,
                importance=section.importance,
                kept=section.kept,
                xpath=section.xpath,
                words=words_before[section.block_end] - words_before[section.block_start],
                text=text,
                near_duplicate=key or None,
                reasons=list(section.reasons),
            )
        )
    return rows, page_key


def _texts_of(leaves: Sequence[Section], page: Page) -> list[str]:
    """The text of each leaf; single entries are read several times faster from a memoryview than from an array."""
    start, end, text = page.blocks.text_start.data, page.blocks.text_end.data, page.text
    return [text[start[leaf.block_start] : end[leaf.block_end - 1]] if leaf.has_blocks else "" for leaf in leaves]


def _with_depths(roots: tuple[Section, ...]) -> Iterator[tuple[int, Section]]:
    """All sections with their depth in the tree, parents first."""
    waiting = [(0, root) for root in reversed(roots)]
    while waiting:
        depth, section = waiting.pop()
        yield depth, section
        waiting.extend((depth + 1, child) for child in reversed(section.children))


def line_of(row: PageRow | Quarantined) -> bytes:
    """A row as one line of JSON."""
    return msgspec.json.encode(row) + b"\n"


def unreadable(record: Record) -> Quarantined:
    """The quarantine row of a record without a page."""
    return Quarantined(ROW_VERSION, record.name, record.url, "", record.stage, "unreadable", "", record.problem)


def failed(record: Record, failure: Failure) -> Quarantined:
    """The quarantine row of a page whose worker failed."""
    return Quarantined(
        ROW_VERSION,
        record.name,
        record.url,
        failure.digest,
        failure.stage,
        failure.reason,
        failure.limit,
        failure.detail,
    )
