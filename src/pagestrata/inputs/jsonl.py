"""Pages in JSON lines: an object a line with the fields `html` and, if known, `url`."""

import gzip
import zlib
from collections.abc import Iterator
from typing import BinaryIO, Final, cast

import msgspec

from pagestrata.page.raw import RawPage

MOST_BYTES: Final = 128_000_000
"""Of a line: a longer one is not read. JSON may write a byte as six (`\\u0000`), and pages are cut at 20 MB."""
_BLOCK = 1 << 20


class _Line(msgspec.Struct):
    html: str
    url: str | None = None


def read_json_lines(file: BinaryIO) -> Iterator[RawPage | str]:
    """The page of each line, or why there is none; empty lines are passed over. The file may be packed with gzip."""
    decoder = msgspec.json.Decoder(_Line)
    is_packed = file.read(2) == b"\x1f\x8b"
    file.seek(0)
    lines = cast(BinaryIO, gzip.GzipFile(fileobj=file)) if is_packed else file
    try:
        while line := lines.readline(MOST_BYTES):
            if not line.endswith(b"\n") and len(line) == MOST_BYTES:
                _skip_line(lines)
                yield f"the line is longer than {MOST_BYTES:,} bytes"
            elif line.strip():
                yield _page_of(line, decoder)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        yield f"the rest of the file cannot be read: {error}"


def _page_of(line: bytes, decoder: msgspec.json.Decoder[_Line]) -> RawPage | str:
    try:
        found = decoder.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        return f"the line is no object with html: {error}"
    return RawPage(found.html, found.url)


def _skip_line(file: BinaryIO) -> None:
    while (piece := file.readline(_BLOCK)) and not piece.endswith(b"\n"):
        pass
