"""Links, images, tables and items of a page, as plain data for programs."""

import csv
import io
import re
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from pagestrata.errors import UsageError

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

P = TypeVar("P", bound="DataclassInstance")

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
_NUMBER = re.compile(r"[+-]?[\d.,\u00a0\u202f ]*\d ?%?")


@dataclass(frozen=True, slots=True)
class Link:
    """A link in the kept content."""

    url: str
    """Absolute, if the address of the page is known."""
    text: str


@dataclass(frozen=True, slots=True)
class Image:
    """An image in the kept content."""

    url: str
    """Absolute, if the address of the page is known; for an image that scripts load later, the real address."""
    alt: str


@dataclass(frozen=True, slots=True)
class Table:
    """A data table in the kept content; a cell that spans several rows or columns is repeated in each."""

    rows: tuple[tuple[str, ...], ...]
    """All rows, headers included; a row may be shorter than others."""
    header_rows: int = 0
    """The number of header rows at the top."""
    caption: str = ""

    @property
    def header(self) -> tuple[str, ...]:
        """The names of the columns; several header rows are joined, and equal texts appear once."""
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
        header, *body = _padded([self.header, *self.body])
        return _data_frame(body, columns=header if self.header_rows else None)


@dataclass(frozen=True, slots=True)
class PageItem:
    """A post of a thread, a comment, or a card of a listing; None where the page does not say."""

    kind: str
    """`post`, also for a comment, or `card`."""
    author: str | None
    time: str | None
    """In ISO 8601 where the page states a date; otherwise as on the page, such as "3 days ago"."""
    title: str | None
    link: str | None
    """Absolute, as far as the address of the page is known."""
    price: str | None
    """As on the page; the current price of a card on sale."""
    image: str | None
    """The address of the first image of a card; None for posts, where it shows the author."""
    votes: int | None
    """Votes, points or likes."""
    reply_to: int | None
    """The index of the post that it replies to, if the page shows that."""
    text: str
    """The kept text without author, time and title, one line per block; replies are items of their own."""


class Parts(tuple[P, ...]):
    """All parts of one kind in the order of the page, which are the rows of a table."""

    __slots__ = ()
    kind: ClassVar[type]

    def to_csv(self) -> str:
        """Write a header and a row for each part as CSV that is safe to open in a spreadsheet."""
        return to_csv([self._columns(), *self.rows()])

    def rows(self) -> list[tuple[str, ...]]:
        """Return the values of each part as texts, empty where the page does not say."""
        return [tuple("" if value is None else str(value) for value in asdict(part).values()) for part in self]

    def to_pandas(self) -> Any:
        """Return a `pandas.DataFrame` with a row for each part; pandas must be installed."""
        return _data_frame([asdict(part) for part in self], columns=self._columns())

    @classmethod
    def _columns(cls) -> tuple[str, ...]:
        return tuple(field.name for field in fields(cls.kind))


class Links(Parts[Link]):
    """The links in the kept content."""

    __slots__ = ()
    kind = Link


class Images(Parts[Image]):
    """The images in the kept content."""

    __slots__ = ()
    kind = Image


class Items(Parts[PageItem]):
    """The items of a page."""

    __slots__ = ()
    kind = PageItem


ITEM_COLUMNS = tuple(field.name for field in fields(PageItem))


def _data_frame(rows: Any, columns: Any) -> Any:
    try:
        from pandas import DataFrame
    except ImportError as error:
        raise UsageError("pandas is not installed: pip install pandas") from error
    return DataFrame(rows, columns=columns)


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
