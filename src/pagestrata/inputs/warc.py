"""Web archives (WARC, plain or gzipped): every intact record is read, even behind damaged ones.

FastWARC reads the records and stops at the first damaged one. This module then finds the next start of a record (or of
a gzip member, each of which holds one record) and continues there.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO, Final

from pagestrata.errors import FetchError, needs
from pagestrata.inputs.addresses import is_address
from pagestrata.inputs.http import FetchLimits, read_stored
from pagestrata.page.raw import RawPage
from pagestrata.page.text import without_controls

if TYPE_CHECKING:
    from fastwarc.warc import WarcRecord

MAX_BYTES: Final = 64_000_000
"""The limit for a record; the rest of a longer one is not read. Pages are cut at 20 MB later."""
STORED_LIMITS: Final = FetchLimits(max_bytes=MAX_BYTES)

_PAGE_TYPES = re.compile(r"\s*(?:text/html|application/xhtml\+xml)\b", re.IGNORECASE)
_NEWER_HTTP = re.compile(rb"\AHTTP/[23](?:\.0)?(?= )")
_GZIP_MEMBER = b"\x1f\x8b\x08"
_RECORD_START = b"WARC/1."
_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class Damage:
    """A record, or data between two records, that cannot be read."""

    detail: str
    url: str | None = None


@dataclass(frozen=True, slots=True)
class NoPage:
    """An intact record that is not a page: a request, an image, an error of the server."""


ArchiveItem = RawPage | Damage | NoPage
"""The result of reading one record."""


class _Broken(Exception):
    """The current record does not end where its header states."""


def read_warc(file: BinaryIO) -> Iterator[ArchiveItem]:
    """Read all records in order; what cannot be read between two intact ones is one `Damage`."""
    return _merge_damage(_read(file))


def _merge_damage(records: Iterator[ArchiveItem | None]) -> Iterator[ArchiveItem]:
    """Report damage (None) that follows on other damage only once."""
    is_reported = False
    for record in records:
        if record is not None:
            yield record
            is_reported = isinstance(record, Damage)
        elif not is_reported:
            yield Damage("the archive is damaged here")
            is_reported = True


def _read(file: BinaryIO) -> Iterator[ArchiveItem | None]:
    """The records of each undamaged stretch, and None at the end of a stretch that ends in damage."""
    mark = _GZIP_MEMBER if file.read(2) == _GZIP_MEMBER[:2] else _RECORD_START
    size = file.seek(0, 2)
    start: int | None = 0
    while start is not None and start < size:
        place, pending = start, None
        try:
            for record in _records(file, start):
                if pending is not None:
                    yield pending
                place, pending = record.stream_pos, None
                if mark == _RECORD_START and place + record.content_length > size:
                    raise _Broken
                pending = _read_record(record)
                length = record.content_length
            if pending is not None:
                yield pending
            return
        except (OSError, _Broken):
            start = _find(file, mark, place + 1)
            if pending is not None:
                # A plain record whose length reaches into the next one was cut off. A page cannot fake this, as it
                # does not control what follows its record.
                is_cut = mark == _RECORD_START and start is not None and start < _head_end(file, place) + length
                yield Damage("the record is cut off") if is_cut else pending
            yield None


def _records(file: BinaryIO, start: int) -> "Iterator[WarcRecord]":
    with needs("FastWARC", "warc"):
        from fastwarc.warc import ArchiveIterator
    file.seek(start)
    return iter(ArchiveIterator(file, parse_http=False))


def _head_end(file: BinaryIO, place: int) -> int:
    end = _find(file, b"\r\n\r\n", place)
    return place if end is None else end + 4


def _find(file: BinaryIO, mark: bytes, start: int) -> int | None:
    """The position of the next occurrence, from a start on."""
    tail = b""
    file.seek(start)
    while block := file.read(_BLOCK):
        place = (tail + block).find(mark)
        if place >= 0:
            return start - len(tail) + place
        start += len(block)
        tail = (tail + block)[1 - len(mark) :]
    return None


def _read_record(record: "WarcRecord") -> ArchiveItem:
    """The page in a record, if it holds one."""
    kind = str(record.record_type).rpartition(".")[2]
    if kind not in ("response", "resource"):
        return NoPage()
    content = record.reader.read(min(record.content_length, MAX_BYTES))
    if len(content) < min(record.content_length, MAX_BYTES):
        raise _Broken
    target = record.headers.get("WARC-Target-URI") or ""
    url = without_controls(target.strip("<> ")) if is_address(target.lstrip("< ")) else None
    time = record.headers.get("WARC-Date")
    if kind == "resource":
        media = record.headers.get("Content-Type") or ""
        return RawPage(content, url, media, time=time) if _PAGE_TYPES.match(media) else NoPage()
    return _read_response(content, url, time)


def _read_response(content: bytes, url: str | None, time: str | None) -> ArchiveItem:
    try:
        head, page = read_stored(_NEWER_HTTP.sub(b"HTTP/1.1", content), STORED_LIMITS)
        media = head.headers.get("content-type")
        if not 200 <= head.status < 300 or not _PAGE_TYPES.match(media or "text/html"):
            return NoPage()
        return RawPage(page(), url, media, head.headers, time=time)
    except FetchError as error:
        return Damage(str(error), url)
