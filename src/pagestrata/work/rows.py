"""Record → row, without side effects: equal records, options and models give equal bytes on every machine.

Batches on one machine and jobs on a cluster both call `read_record`, so their rows are equal by construction.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Literal

import msgspec
import numpy as np
from msgspec import UNSET, UnsetType

from pagestrata.api import DEFAULTS
from pagestrata.errors import UsageError
from pagestrata.extraction import Extraction
from pagestrata.options import Options
from pagestrata.page.page import Page
from pagestrata.page.raw import RawPage
from pagestrata.page.text import clean_line
from pagestrata.parts import PageItem
from pagestrata.render.json import ChunkRecord, chunk_records
from pagestrata.results import Section
from pagestrata.sites.choice import AttachedModel, StoredModel
from pagestrata.sites.learn import host_of
from pagestrata.work.guard import Failure, Guard, GuardLimits
from pagestrata.work.job import Job, job_digest, page_digest
from pagestrata.work.near_duplicates import keys_of
from pagestrata.work.page_filter import is_in
from pagestrata.work.read_page import read_page

ROW_VERSION: Final = 2
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
    level: int | UnsetType = UNSET
    heading: str | UnsetType | None = UNSET
    anchor: str | UnsetType | None = UNSET
    """The last three are not in rows of version 1."""


class PageRow(msgspec.Struct, frozen=True):
    """The row of one page; it has the fields that were asked for."""

    row_version: int
    source: str
    url: str | None
    site: str
    digest: str
    language: str | UnsetType | None = UNSET
    title: str | UnsetType | None = UNSET
    text: str | UnsetType = UNSET
    markdown: str | UnsetType = UNSET
    html: str | UnsetType = UNSET
    page_type: str | UnsetType = UNSET
    confidence: float | UnsetType = UNSET
    method: str | UnsetType = UNSET
    encoding: str | UnsetType = UNSET
    near_duplicate: str | UnsetType | None = UNSET
    reason: str | UnsetType = UNSET
    metadata: dict[str, Any] | str | UnsetType = UNSET
    """An object in JSON lines; a JSON text in Parquet."""
    sections: list[SectionRow] | UnsetType = UNSET
    chunks: list[ChunkRecord] | UnsetType = UNSET
    items: list[PageItem] | UnsetType = UNSET
    limits: list[str] | UnsetType = UNSET
    warnings: list[str] | UnsetType = UNSET


IDENTITY: Final = ("row_version", "source", "url", "site", "digest")
"""The fields that every row has."""
ALL_FIELDS: Final = tuple(name for name in PageRow.__struct_fields__ if name not in IDENTITY)
_SLIM = "language title text markdown page_type confidence method near_duplicate reason metadata limits warnings"
DEFAULT_FIELDS: Final = tuple(_SLIM.split())
"""What most people need: the sections of a page are longer than all of it."""
_V1 = "language title text page_type confidence method encoding near_duplicate reason metadata sections limits warnings"
V1_FIELDS: Final = tuple(_V1.split())
"""The rows of version 1, for those who read them."""
_SETS: Final = {"default": DEFAULT_FIELDS, "all": ALL_FIELDS}


def fields_of(names: str) -> tuple[str, ...]:
    """Return the fields that are named, separated by commas, in their order in a row.

    `default` and `all` stand for several; `v1` alone for the rows of version 1.

    >>> fields_of("chunks,text")
    ('text', 'chunks')
    """
    if names.strip() == "v1":
        return V1_FIELDS
    asked = [field for name in names.split(",") for field in _SETS.get(name.strip(), (name.strip(),)) if field]
    unknown = [name for name in asked if name not in (*ALL_FIELDS, *IDENTITY)]
    if unknown or not asked:
        valid = ", ".join((*ALL_FIELDS, *_SETS, "v1"))
        raise UsageError(f"a row has no field {unknown[0]!r}; there are {valid}" if unknown else "no field is named")
    return tuple(name for name in ALL_FIELDS if name in asked)


def version_of(fields: Sequence[str]) -> int:
    """The version of the rows with these fields."""
    return 1 if tuple(fields) == V1_FIELDS else ROW_VERSION


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
    fields: tuple[str, ...] = DEFAULT_FIELDS
    """What a row holds; see `fields_of`."""


def read_record(record: Record, reading: Reading) -> bytes:
    """Read a record; returns a `RecordResult` in MessagePack. A crash or a hang is reported by the guard."""
    if record.job is None:
        return msgspec.msgpack.encode(RecordResult("quarantined", line_of(unreadable(record))))
    raw = record.job.read()
    extraction, _ = read_page(raw, reading.options, record.attached_model or reading.choice)
    if not is_in(reading.languages, extraction.metadata.language):
        return msgspec.msgpack.encode(RecordResult("filtered"))
    row = row_of(record.name, raw, extraction, reading.fields)
    if reading.form == "parquet" and row.metadata is not UNSET:
        row = msgspec.structs.replace(row, metadata=msgspec.json.encode(row.metadata).decode())
    key = "" if row.near_duplicate is UNSET else row.near_duplicate or ""
    return msgspec.msgpack.encode(RecordResult("row", line_of(row), key))


def record_guard(reading: Reading, limits: GuardLimits) -> Guard[Record]:
    """A worker that reads records and can be killed; pages are not trusted."""
    return Guard(
        partial(read_record, reading=reading), 1, limits, name=lambda record: record.name, digest=record_digest
    )


def record_digest(record: Record) -> str:
    """The SHA-256 of the page of a record in hex; empty if its bytes are not at hand."""
    return job_digest(record.job) if record.job else ""


def result_of(record: Record, outcome: bytes | Failure) -> RecordResult:
    """What became of a record that a worker has read; if the worker failed, that is the row."""
    if isinstance(outcome, Failure):
        return RecordResult("quarantined", line_of(failed(record, outcome)))
    return msgspec.msgpack.decode(outcome, type=RecordResult)


def row_of(source: str, raw: RawPage, extraction: Extraction, fields: Sequence[str] = DEFAULT_FIELDS) -> PageRow:
    """Return the row of a page with these fields; nothing else is computed.

    The URL is the one that the page came with, also if it is none of a page.
    """
    values = {name: _READERS[name](extraction) for name in fields if name != "sections"}
    if "sections" in fields:
        values["sections"] = _section_rows(extraction, version_of(fields))
    return PageRow(
        row_version=version_of(fields),
        source=source,
        url=raw.url,
        site=host_of(extraction.page.url or extraction.metadata.url),
        digest=page_digest(raw),
        **values,
    )


_READERS: Final[dict[str, Callable[[Extraction], Any]]] = {
    "language": lambda result: result.metadata.language,
    "title": lambda result: result.title,
    "text": lambda result: result.text,
    "markdown": lambda result: result.markdown,
    "html": lambda result: result.html,
    "page_type": lambda result: result.page_type.value,
    "confidence": lambda result: result.confidence,
    "method": lambda result: result.method,
    "encoding": lambda result: result.page.encoding.name,
    "near_duplicate": lambda result: keys_of([result.text], [True])[1] or None,
    "reason": lambda result: result.reason,
    "metadata": lambda result: result.metadata.as_dict(),
    "chunks": lambda result: chunk_records(result.chunks()),
    "items": lambda result: list(result.items),
    "limits": lambda result: [str(limit) for limit in result.limits],
    "warnings": lambda result: [*result.warnings, *result.metadata.warnings],
}
"""How each field is read, but for the sections, which depend on the version."""


def _section_rows(extraction: Extraction, version: int) -> list[SectionRow]:
    """All sections, parents first."""
    sections = list(_with_depths(extraction.sections))
    leaves = [section for _, section in sections if not section.children]
    texts = _texts_of(leaves, extraction.page)
    keys, _ = keys_of(texts, [leaf.kept for leaf in leaves])
    text_and_key = zip(texts, keys, strict=True)
    words_before = np.concatenate(((0,), np.cumsum(extraction.page.blocks.words))).tolist()
    rows = []
    for depth, section in sections:
        text, key = (None, None) if section.children else next(text_and_key)
        row = SectionRow(
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
        headed = {"level": section.level, "heading": section.heading, "anchor": section.anchor} if version > 1 else {}
        rows.append(msgspec.structs.replace(row, **headed))
    return rows


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
