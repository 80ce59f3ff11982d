"""Job → what is written for it: a page in one of the formats, or as a row with chosen fields."""

from dataclasses import dataclass

import msgspec

from pagestrata.errors import UsageError
from pagestrata.extraction import SCHEMA_VERSION, Extraction
from pagestrata.options import Options
from pagestrata.page.raw import RawPage
from pagestrata.page.text import clean_line
from pagestrata.parts import to_csv
from pagestrata.render.csv import COLUMNS, ROWS_OF_ITEMS, render_items
from pagestrata.sites.choice import RunModel, StoredModel
from pagestrata.work.guard import Failure
from pagestrata.work.job import Job
from pagestrata.work.page_filter import EVERY_PAGE, PageFilter
from pagestrata.work.read_page import read_page


@dataclass(frozen=True, slots=True)
class PageFormat:
    """How a page is written: in one of the formats, or, if fields are named, with only these.

    That is a row in JSON, or, for the field `items` alone, CSV with a row for each item.
    """

    name: str
    fields: tuple[str, ...] = ()
    """See `rows.fields_of`."""

    def __post_init__(self) -> None:
        """Refuse fields in a format that has none."""
        is_items = self.name == "csv" and self.fields == ("items",)
        if self.fields and self.name not in ("json", "jsonl") and not is_items:
            raise UsageError("--fields chooses what JSON holds: give -f json or jsonl, or -f csv for items alone")

    @property
    def header(self) -> bytes:
        """The line before the rows of the first page, which those of other pages leave out."""
        return to_csv([ROWS_OF_ITEMS if self.fields else COLUMNS]).encode() if self.name == "csv" else b""

    def write(self, raw: RawPage, extraction: Extraction, source: str) -> bytes:
        """Write a page; only what is written is computed."""
        if not self.fields:
            return extraction.render_bytes(self.name)
        if self.name == "csv":
            return render_items(extraction, source).encode()
        from pagestrata.work.rows import line_of, row_of  # here, as most formats need no rows

        line = line_of(row_of(source, raw, extraction, self.fields))
        return line if self.name == "jsonl" else msgspec.json.format(line, indent=2) + b"\n"


class RenderedPage(msgspec.Struct, array_like=True, frozen=True):
    """What a worker sends back for a page that it wrote in a format."""

    rendered: bytes
    note: str = ""
    """Why the page was read without a site model, if one was asked for."""
    why_not: str = ""
    """Why the page is not wanted and was not written; empty if it was."""
    reason: str = ""
    """Why nothing of the page was kept; empty if something was."""


def render_page(
    job: Job,
    page_format: PageFormat,
    options: Options,
    choice: StoredModel | RunModel | None = None,
    wanted: PageFilter = EVERY_PAGE,
) -> bytes:
    """Extract a page and write it; returns a `RenderedPage` in MessagePack."""
    raw = job.read()
    extraction, note = read_page(raw, options, choice)
    why_not = wanted.why_not(extraction)
    rendered = b"" if why_not else page_format.write(raw, extraction, job.name)
    return msgspec.msgpack.encode(RenderedPage(rendered, note, why_not, extraction.reason))


def error_line(failure: Failure) -> bytes:
    """The line of JSON that takes the place of a page that could not be read."""
    error = {"stage": failure.stage, "reason": failure.reason, "limit": failure.limit, "detail": failure.detail}
    source = clean_line(failure.source)
    row = {"schema_version": SCHEMA_VERSION, "source": source, "digest": failure.digest, "error": error}
    return msgspec.json.encode(row) + b"\n"
