"""Pages in JSON lines: one object per line with the fields `html` and, optionally, `url`."""

import gzip
import zlib
from collections.abc import Iterator
from typing import BinaryIO, Final, cast

import msgspec

from pagestrata.page.json_text import decode_json
from pagestrata.page.raw import RawPage

MAX_BYTES: Final = 128_000_000
"""Longer lines are skipped. JSON may need six bytes for one (`\\u0000`), and pages are cut at 20 MB."""
_BLOCK = 1 << 20


class _Line(msgspec.Struct):
    html: str
    url: str | None = None


def read_json_lines(file: BinaryIO) -> Iterator[RawPage | str]:
    """The page of each line, or the reason why it cannot be read; empty lines are skipped. The file may be gzipped."""
    is_gzipped = file.read(2) == b"\x1f\x8b"
    file.seek(0)
    lines = cast(BinaryIO, gzip.GzipFile(fileobj=file)) if is_gzipped else file
    try:
        while line := lines.readline(MAX_BYTES):
            if not line.endswith(b"\n") and len(line) == MAX_BYTES:
                _skip_line(lines)
                yield f"the line is longer than {MAX_BYTES:,} bytes"
            elif line.strip():
                yield _page_of(line)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        yield f"the rest of the file cannot be read: {error}"


def _page_of(line: bytes) -> RawPage | str:
    try:
        fields = decode_json(line, _Line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        return f"the line is no object with html: {error}"
    return RawPage(fields.html, fields.url)


def _skip_line(file: BinaryIO) -> None:
    while (piece := file.readline(_BLOCK)) and not piece.endswith(b"\n"):
        pass
