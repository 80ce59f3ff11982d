"""Pages inside other files: compressed HTML, MHTML and webarchives that browsers save, and zipped folders.

Sizes are checked before anything is unpacked: a few kilobytes can hold gigabytes.
"""

import binascii
import gzip
import os
import plistlib
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from email.message import Message
from email.parser import BytesHeaderParser
from io import BytesIO
from pathlib import Path, PurePath
from typing import BinaryIO, Final

from pagestrata.errors import InputError
from pagestrata.inputs.addresses import is_address
from pagestrata.page.raw import RawPage
from pagestrata.page.text import without_controls

MAX_PAGE_BYTES: Final = 64_000_000
"""The limit for an unpacked page, as for a record of a web archive; pages are cut at 20 MB later."""
MAX_FILE_BYTES: Final = 256_000_000
"""The limit for a packed file; MHTML and webarchives also hold the images of the page."""
MAX_RATIO: Final = 200
"""The ratio of unpacked to packed bytes in a zipped folder larger than one page; HTML is rarely packed beyond 20."""

_PAGE_TYPES = ("text/html", "application/xhtml+xml")
_MAX_LAYERS = 2
"""A saved page may be compressed, as in `page.mhtml.gz`; more layers only cost time."""
_HEAD_BYTES = 1 << 16
_BLANK_LINE = re.compile(rb"\r?\n\r?\n")


def read_packed(path: Path) -> RawPage:
    """Read the page in a packed file."""
    with path.open("rb") as file:
        if os.fstat(file.fileno()).st_size > MAX_FILE_BYTES:
            raise InputError(f"cannot read {path}: it is larger than {MAX_FILE_BYTES:,} bytes")
        return unpack(str(path), file.read())


def unpack(name: str, data: bytes) -> RawPage:
    """The page in the contents of a file; the ending of its name says how it is packed.

    >>> unpack("tea.html.gz", gzip.compress(b"<p>Tea")).markup
    b'<p>Tea'
    """
    page, rest = RawPage(data, source=name), PurePath(name.lower())
    try:
        for _ in range(_MAX_LAYERS):
            if rest.suffix in _READERS:
                page = _READERS[rest.suffix](page)
                rest = rest.with_suffix("")
    except (EOFError, OSError, ValueError, KeyError, TypeError, RecursionError, zlib.error) as error:
        raise InputError(f"cannot unpack {name}: {error}") from error
    return page


# ------------------------------------------------------------------------------------------------------- compressed


def _gunzip(page: RawPage) -> RawPage:
    with gzip.GzipFile(fileobj=BytesIO(page.data)) as file:
        return replace(page, markup=_within_limit(file.read(MAX_PAGE_BYTES + 1)))


def _unbrotli(page: RawPage) -> RawPage:
    try:
        import brotli
    except ImportError as error:
        raise InputError("brotli is not installed: pip install 'brotli>=1.2'") from error
    decompressor, pieces, size = brotli.Decompressor(), list[bytes](), 0
    try:
        piece = decompressor.process(page.data, output_buffer_limit=MAX_PAGE_BYTES)
        while piece and size <= MAX_PAGE_BYTES:
            pieces.append(piece)
            size += len(piece)
            piece = decompressor.process(b"", output_buffer_limit=MAX_PAGE_BYTES)
        if not decompressor.is_finished() and size <= MAX_PAGE_BYTES:
            raise ValueError("the compressed data end early")
    except brotli.error as error:
        raise ValueError(str(error)) from error
    return replace(page, markup=_within_limit(b"".join(pieces)))


def _within_limit(data: bytes) -> bytes:
    if len(data) > MAX_PAGE_BYTES:
        raise ValueError(f"it holds more than {MAX_PAGE_BYTES:,} bytes")
    return data


# ---------------------------------------------------------------------------------------------- saved by a browser


def _read_mhtml(page: RawPage) -> RawPage:
    """The first page among the parts of a MIME message (RFC 2557); images and style sheets are other parts."""
    head, body = _split_part(page.data)
    boundary = head.get_boundary()
    if boundary is None:
        return _page_of_part(page, head, head, body)
    for part in _parts(body, b"\n--" + boundary.encode("latin-1", "replace")):
        part_head, content = _split_part(part)
        if part_head.get_content_type() in _PAGE_TYPES and "Content-Type" in part_head:
            return _page_of_part(page, head, part_head, content)
    raise ValueError("no part of it is a page")


def _parts(body: bytes, mark: bytes) -> Iterator[bytes]:
    """The parts between boundaries at starts of lines."""
    body = b"\n" + body
    start = body.find(mark)
    while start >= 0:
        end = body.find(mark, start + len(mark))
        yield body[body.find(b"\n", start + len(mark)) + 1 : end if end >= 0 else None].removesuffix(b"\r")
        start = end


def _split_part(part: bytes) -> tuple[Message, bytes]:
    """The headers of a part and its content."""
    part = part.lstrip(b"\r\n")
    blank = _BLANK_LINE.search(part, 0, _HEAD_BYTES)
    if blank is None:
        raise ValueError("a part of it has no end of headers")
    return BytesHeaderParser().parsebytes(part[: blank.start()]), part[blank.end() :]


def _page_of_part(page: RawPage, message: Message, head: Message, content: bytes) -> RawPage:
    match str(head.get("Content-Transfer-Encoding", "")).strip().lower():
        case "quoted-printable":
            content = binascii.a2b_qp(content)
        case "base64":
            content = binascii.a2b_base64(content)
    charset = head.get_content_charset()
    media = f"{head.get_content_type()}; charset={charset}" if charset else None
    url = head.get("Content-Location") or message.get("Snapshot-Content-Location")
    return replace(page, markup=_within_limit(content), url=_address(url), content_type=media)


def _read_webarchive(page: RawPage) -> RawPage:
    """The main resource of a page that Safari saved as a property list."""
    resource = plistlib.loads(page.data)["WebMainResource"]
    data, charset = resource["WebResourceData"], resource.get("WebResourceTextEncodingName")
    if not isinstance(data, bytes):
        raise ValueError("its main resource is no data")
    media = f"text/html; charset={charset}" if isinstance(charset, str) else None
    url = _address(resource.get("WebResourceURL"))
    return replace(page, markup=_within_limit(data), url=url, content_type=media)


def _address(value: object) -> str | None:
    url = without_controls(str(value)).strip() if value is not None else ""
    return url if is_address(url) else None


_READERS: Final[dict[str, Callable[[RawPage], RawPage]]] = {
    ".gz": _gunzip,
    ".br": _unbrotli,
    ".mhtml": _read_mhtml,
    ".mht": _read_mhtml,
    ".webarchive": _read_webarchive,
}

# ---------------------------------------------------------------------------------------------------- zipped folders


def read_zip(file: BinaryIO, suffixes: tuple[str, ...]) -> Iterator[RawPage | str]:
    """The pages in a zipped folder, unpacked one at a time in the order of their names; a text says what one lacks."""
    try:
        with zipfile.ZipFile(file) as archive:
            members = [member for member in archive.infolist() if member.filename.lower().endswith(suffixes)]
            size, packed = sum(member.file_size for member in members), file.seek(0, 2)
            if size > max(MAX_PAGE_BYTES, MAX_RATIO * packed):
                raise InputError(f"its pages would take {size:,} bytes, more than {MAX_RATIO} times the file")
            for member in sorted(members, key=lambda member: member.filename):
                yield _read_member(archive, member)
    except (zipfile.BadZipFile, NotImplementedError, ValueError) as error:
        raise InputError(f"it is no zipped folder: {error}") from error


def _read_member(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> RawPage | str:
    name = without_controls(member.filename)
    if member.file_size > MAX_PAGE_BYTES:
        return f"cannot unpack {name}: it holds more than {MAX_PAGE_BYTES:,} bytes"
    try:
        return unpack(name, archive.read(member))
    except InputError as error:
        return str(error)
    except (zipfile.BadZipFile, EOFError, OSError, RuntimeError, zlib.error) as error:  # RuntimeError: encrypted
        return f"cannot unpack {name}: {error}"
