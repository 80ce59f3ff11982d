"""Links, images and tables of a page, as plain data for programs."""

import csv
import io
import re
from dataclasses import dataclass
from typing import Any

from pagestrata.errors import UsageError

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
_NUMBER = re.compile(r"[+-]?[\d.,\u00a0\u202f ]*\d ?%?")


@dataclass(frozen=True, slots=True)
class Link:
    """A link in the kept content."""

    url: str
    """Absolute, as far as the address of the page is known."""
    text: str


@dataclass(frozen=True, slots=True)
class Image:
    """An image in the kept content."""

    url: str
    """Absolute, as far as the address of the page is known; of an image that is loaded late, the real one."""
    alt: str


@dataclass(frozen=True, slots=True)
class Table:
    """A table of data in the kept content; a cell that spans several places is repeated in each."""

    rows: tuple[tuple[str, ...], ...]
    """All rows, headers included; a row may be shorter than others."""
    header_rows: int = 0
    """How many of the first rows name the columns."""
    caption: str = ""

    @property
    def header(self) -> tuple[str, ...]:
        """The names of the columns; several header rows are joined, a text that they share stands once."""
        columns = zip(*_padded(self.rows[: self.header_rows]), strict=True)
        return tuple(" ".join(dict.fromkeys(filter(None, names))) for names in columns)

    @property
    def body(self) -> tuple[tuple[str, ...], ...]:
        """The rows below the headers."""
        return self.rows[self.header_rows :]

    def to_csv(self) -> str:
        """Write the table as CSV that is safe to open in a spreadsheet."""
        return to_csv([*([self.header] if self.header_rows else []), *self.body])

    def to_pandas(self) -> Any:
        """Return the table as a `pandas.DataFrame` of texts; pandas must be installed."""
        try:
            from pandas import DataFrame
        except ImportError as error:
            raise UsageError("pandas is not installed: pip install pandas") from error
        header, *body = _padded([self.header, *self.body])
        return DataFrame(body, columns=header if self.header_rows else None)


def _padded(rows: "list[tuple[str, ...]] | tuple[tuple[str, ...], ...]") -> list[tuple[str, ...]]:
    width = max(map(len, rows), default=0)
    return [row + ("",) * (width - len(row)) for row in rows]


def to_csv(rows: "list[tuple[str, ...]]") -> str:
    """Write rows as CSV (RFC 4180, with plain line feeds)."""
    written = io.StringIO()
    csv.writer(written, lineterminator="\n").writerows([csv_cell(text) for text in row] for row in rows)
    return written.getvalue()


def csv_cell(text: str) -> str:
    """Put an apostrophe before a text that a spreadsheet would run as a formula; numbers stay as they are.

    >>> csv_cell("=HYPERLINK(A1)"), csv_cell("-5.2 %"), csv_cell("tea")
    ("'=HYPERLINK(A1)", '-5.2 %', 'tea')
    """
    return f"'{text}" if text.startswith(_FORMULA_STARTS) and not _NUMBER.fullmatch(text) else text
