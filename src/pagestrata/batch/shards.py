"""Rows → files that are complete or absent.

A shard is written under a temporary name, synced, and then renamed, so a file under its final name is always complete.
"""

import hashlib
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from io import BytesIO
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Final, Protocol, Self

import msgspec

from pagestrata.errors import UsageError, needs
from pagestrata.work.arrow import row_schema, table_of
from pagestrata.work.rows import DEFAULT_FIELDS, Form

ROW_GROUP_BYTES: Final = 16 << 20
"""JSON of the rows that become one row group of Parquet."""
QUARANTINE: Final = "quarantine"
_SUFFIX: Final = ".partial"


class FileNote(msgspec.Struct, frozen=True):
    """A complete file."""

    name: str
    """Relative to the folder of the run."""
    bytes: int
    sha256: str

    def is_intact(self, folder: Path) -> bool:
        """Whether the file still exists with the content that was written."""
        with suppress(OSError), (folder / self.name).open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest() == self.sha256
        return False


@contextmanager
def usage_errors(path: Path | None = None) -> Iterator[None]:
    """Turn errors of the operating system into a `UsageError` with advice; `path` is the file that is written."""
    try:
        yield
    except OSError as error:
        place = error.filename or path or "the output"
        raise UsageError(f"cannot write {place}: {error.strerror or error}; --resume goes on") from error


def write_whole(path: Path, data: bytes) -> None:
    """Write a file that nobody ever sees incomplete."""
    with usage_errors(path), _open_partial(path) as file:
        file.write(data)
    _put_in_place(path)


def _open_partial(path: Path) -> BinaryIO:
    path.parent.mkdir(parents=True, exist_ok=True)
    return open(f"{path}{_SUFFIX}", "wb")


def _put_in_place(path: Path) -> None:
    """Sync a file, give it its final name, and sync that name."""
    with usage_errors(path):
        partial = f"{path}{_SUFFIX}"
        _sync(partial)
        os.replace(partial, path)
        _sync(path.parent)


def _sync(path: str | Path) -> None:
    number = os.open(path, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


class RowFile(Protocol):
    """A file that takes rows as lines of JSON."""

    def write(self, line: bytes) -> None:
        """Add a row."""

    def close(self) -> None:
        """Write the buffered rows and close the file."""


class Shard:
    """The rows of consecutive records, and a second file for the records without a row."""

    def __init__(self, folder: Path, number: int, form: Form, fields: Sequence[str] = DEFAULT_FIELDS) -> None:
        self._folder = folder
        self._places = (
            folder / f"part-{number:05}.{form}",
            folder / QUARANTINE / f"part-{number:05}.jsonl",
        )
        self._rows: RowFile = _JsonLines(self._places[0]) if form == "jsonl" else _Parquet(self._places[0], fields)
        self._quarantine: RowFile | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for file in (self._rows, self._quarantine):
            if kind and file:
                with suppress(OSError, ValueError):  # a full disk fails here again, and would hide the first error
                    file.close()

    def add_row(self, line: bytes) -> None:
        """Add a row."""
        with usage_errors(self._places[0]):
            self._rows.write(line)

    def add_quarantined(self, line: bytes) -> None:
        """Add a record without a row."""
        with usage_errors(self._places[1]):
            if self._quarantine is None:
                self._quarantine = _JsonLines(self._places[1])
            self._quarantine.write(line)

    def finish(self) -> tuple[FileNote, ...]:
        """Close both files and give them their final names; returns their names, lengths and digests."""
        notes = []
        for file, place in zip((self._quarantine, self._rows), reversed(self._places), strict=True):
            partial = Path(f"{place}{_SUFFIX}")
            if file is None:
                for leftover in (place, partial):  # of an earlier attempt that was interrupted
                    leftover.unlink(missing_ok=True)
                continue
            with usage_errors(place):
                file.close()
            with partial.open("rb") as written:
                digest = hashlib.file_digest(written, "sha256").hexdigest()
            note = FileNote(place.relative_to(self._folder).as_posix(), partial.stat().st_size, digest)
            _put_in_place(place)
            notes.append(note)
        return tuple(notes)


class _JsonLines:
    def __init__(self, path: Path) -> None:
        with usage_errors():
            self._file = _open_partial(path)

    def write(self, line: bytes) -> None:
        self._file.write(line)

    def close(self) -> None:
        self._file.close()


class _Parquet:
    """Collects lines of JSON until they fill a row group."""

    def __init__(self, path: Path, fields: Sequence[str]) -> None:
        with needs("pyarrow", "parquet"):
            from pyarrow.parquet import ParquetWriter
        self._schema = row_schema(fields)
        with usage_errors():
            self._file = _open_partial(path)
        self._writer = ParquetWriter(self._file, self._schema, compression="zstd")
        self._lines = BytesIO()

    def write(self, line: bytes) -> None:
        self._lines.write(line)
        if self._lines.tell() >= ROW_GROUP_BYTES:
            self._flush()

    def close(self) -> None:
        self._flush()
        self._writer.close()
        self._file.close()

    def _flush(self) -> None:
        if self._lines.tell():
            self._writer.write_table(table_of(self._lines, self._schema))
            self._lines = BytesIO()
