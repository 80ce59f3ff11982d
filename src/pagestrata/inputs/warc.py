"""Web archives (WARC, plain or gzip): every intact record is read, whatever lies between them.

FastWARC reads the records; it stops at the first that is damaged. Then we look for the next place where a record begins
(or a gzip member, each of which holds one) and let it go on there.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO, Final

from pagestrata.errors import FetchError, MissingExtra
from pagestrata.inputs.http import FetchLimits, read_stored
from pagestrata.page.raw import RawPage
from pagestrata.page.text import without_controls

if TYPE_CHECKING:
    from fastwarc.warc import WarcRecord

MOST_BYTES: Final = 64_000_000
"""Of a record: the rest of a longer one is not read. Pages are cut at 20 MB later."""
STORED_LIMITS: Final = FetchLimits(max_bytes=MOST_BYTES)

_PAGE_TYPES = re.compile(r"\s*(?:text/html|application/xhtml\+xml)\b", re.IGNORECASE)
_NEWER_HTTP = re.compile(rb"\AHTTP/[23](?:\.0)?(?= )")
_GZIP_MEMBER = b"\x1f\x8b\x08"
_RECORD_START = b"WARC/1."
_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class Damage:
    """A record, or what lies between two, that cannot be read."""

    detail: str
    url: str | None = None


@dataclass(frozen=True, slots=True)
class NoPage:
    """A record that is as it should be, but no page: a request, an image, an error of the server."""


Found = RawPage | Damage | NoPage


class _Broken(Exception):
    """The record at hand does not end where it says."""


def read_warc(file: BinaryIO) -> Iterator[Found]:
    """All records in their order; what cannot be read between two good ones is one `Damage`."""
    return _once(_read(file))


def _once(found: Iterator[Found | None]) -> Iterator[Found]:
    """Leave out the damage that follows on damage (None): it is the same that is told of again."""
    told = False
    for each in found:
        if each is not None:
            yield each
            told = isinstance(each, Damage)
        elif not told:
            yield Damage("the archive is damaged here")
            told = True


def _read(file: BinaryIO) -> Iterator[Found | None]:
    """The records from each place on where one begins, and None after those that end in damage."""
    mark = _GZIP_MEMBER if file.read(2) == _GZIP_MEMBER[:2] else _RECORD_START
    size = file.seek(0, 2)
    start: int | None = 0
    while start is not None and start < size:
        place, held = start, None
        try:
            for record in _records(file, start):
                if held is not None:
                    yield held
                place, held = record.stream_pos, None
                if mark == _RECORD_START and place + record.content_length > size:
                    raise _Broken
                held = _look_into(record)
                length = record.content_length
            if held is not None:
                yield held
            return
        except (OSError, _Broken):
            start = _find(file, mark, place + 1)
            if held is not None:
                # A plain record that claims the beginning of the next one was cut off; a page cannot make it seem so,
                # as what follows its record is not its own.
                is_cut = mark == _RECORD_START and start is not None and start < _head_end(file, place) + length
                yield Damage("the record is cut off") if is_cut else held
            yield None


def _records(file: BinaryIO, start: int) -> "Iterator[WarcRecord]":
    try:
        from fastwarc.warc import ArchiveIterator
    except ImportError as error:
        raise MissingExtra("FastWARC", "warc") from error
    file.seek(start)
    return iter(ArchiveIterator(file, parse_http=False))


def _head_end(file: BinaryIO, place: int) -> int:
    end = _find(file, b"\r\n\r\n", place)
    return place if end is None else end + 4


def _find(file: BinaryIO, mark: bytes, start: int) -> int | None:
    """Where something next begins, from there on."""
    tail = b""
    file.seek(start)
    while block := file.read(_BLOCK):
        place = (tail + block).find(mark)
        if place >= 0:
            return start - len(tail) + place
        start += len(block)
        tail = (tail + block)[1 - len(mark) :]
    return None


def _look_into(record: "WarcRecord") -> Found:
    """The page in a record, if it is one."""
    kind = str(record.record_type).rpartition(".")[2]
    if kind not in ("response", "resource"):
        return NoPage()
    content = record.reader.read(min(record.content_length, MOST_BYTES))
    if len(content) < min(record.content_length, MOST_BYTES):
        raise _Broken
    said = record.headers.get("WARC-Target-URI") or ""
    url = without_controls(said.strip("<> ")) if said.lower().lstrip("< ").startswith(("http://", "https://")) else None
    time = record.headers.get("WARC-Date")
    if kind == "resource":
        media = record.headers.get("Content-Type") or ""
        return RawPage(content, url, media, time=time) if _PAGE_TYPES.match(media) else NoPage()
    return _of_response(content, url, time)


def _of_response(content: bytes, url: str | None, time: str | None) -> Found:
    try:
        head, page = read_stored(_NEWER_HTTP.sub(b"HTTP/1.1", content), STORED_LIMITS)
        media = head.headers.get("content-type")
        if not 200 <= head.status < 300 or not _PAGE_TYPES.match(media or "text/html"):
            return NoPage()
        return RawPage(page(), url, media, head.headers, time=time)
    except FetchError as error:
        return Damage(str(error), url)
