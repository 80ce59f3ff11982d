"""Fetches one page over HTTP, and trusts nobody on the way.

Each hop is resolved once, checked, and connected to at the checked address; see `addresses`. Every read gets only the
time that is left, every byte is counted before it is kept, and what goes wrong is a `FetchError`.
HTTP/1.1 is spoken by hand: `http.client` would read a chunk of size -1 to the end of memory, allows 100 header lines
of 64 KB each, and takes a 103 for the answer. No proxies, no cookies, no credentials.
"""

import io
import math
import re
import socket
import ssl
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from importlib import metadata
from itertools import takewhile
from threading import Thread
from time import monotonic
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from pagestrata.errors import FetchError
from pagestrata.inputs.addresses import PUBLIC_ONLY, AddressPolicy, Resolve, Target, pin, refusal, split_url
from pagestrata.page.raw import RawPage

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

_BLOCK = 65536
_LONGEST_CHUNK_LINE = 4096
_REDIRECTS = {301, 302, 303, 307, 308}
_GZIP, _ZLIB, _RAW_DEFLATE = 31, 15, -15
_STATUS_LINE = re.compile(r"HTTP/1\.[01] ([1-9][0-9]{2})(?: .*)?")
_CHUNK_LINE = re.compile(rb"([0-9a-fA-F]{1,15})[ \t]*(?:;.*)?\r?\n")


@dataclass(frozen=True, slots=True)
class FetchLimits:
    """What one fetch may cost; goals S6 and S7 of our reliability study set the defaults."""

    max_bytes: int = 20_000_000
    """Of the page, decompressed."""
    max_ratio: int = 200
    """Of decompressed to received bytes, once the page is larger than `ratio_free_bytes`."""
    ratio_free_bytes: int = 1_000_000
    max_encodings: int = 2
    first_byte_seconds: float = 10.0
    """For each hop, from the lookup of its name to the first byte of its answer."""
    total_seconds: float = 30.0
    max_redirects: int = 5
    max_header_bytes: int = 65_536
    max_header_lines: int = 200


DEFAULT_LIMITS = FetchLimits()


def resolve_host(host: str) -> list[str]:
    """All addresses of a name, as this system resolves it."""
    return [str(found[4][0]) for found in socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)]


def fetch(
    url: str,
    policy: AddressPolicy = PUBLIC_ONLY,
    limits: FetchLimits = DEFAULT_LIMITS,
    resolve: Resolve = resolve_host,
) -> RawPage:
    """Fetch a page, following redirects; of whatever type, the caller decides what to do with it."""
    whole = monotonic() + limits.total_seconds
    return follow(url, limits, lambda target: _visit_safely(target, policy, limits, resolve, whole))


def follow(url: str, limits: FetchLimits, hop: Callable[[Target], RawPage | Target]) -> RawPage:
    """Go from hop to hop until there is a page."""
    target = split_url(url)
    for _ in range(limits.max_redirects + 1):
        answer = hop(target)
        if isinstance(answer, RawPage):
            return answer
        target = answer
    raise FetchError(f"more than {limits.max_redirects} redirects")


def fetch_hop(target: Target, policy: AddressPolicy, limits: FetchLimits) -> RawPage | Target:
    """The page, or where to go instead, for someone who has to ask there first."""
    return _visit_safely(target, policy, limits, resolve_host, monotonic() + limits.total_seconds)


def _visit_safely(
    target: Target, policy: AddressPolicy, limits: FetchLimits, resolve: Resolve, whole: float
) -> RawPage | Target:
    try:
        return _visit(target, policy, limits, resolve, whole)
    except TimeoutError:
        raise FetchError("the server took too long") from None
    except OSError as error:
        raise FetchError(f"the connection failed: {error}") from error
    except zlib.error as error:
        raise FetchError(f"the compressed page cannot be read: {error}") from error


def read_stored(response: bytes, limits: FetchLimits = DEFAULT_LIMITS) -> tuple["Head", Callable[[], bytes]]:
    """Take apart a response that somebody kept, as archives do: the head, and a function that reads the page.

    Where the body ends is where the response does: what its head says of that is often no longer true.

    >>> head, page = read_stored(b"HTTP/1.1 200 OK\\r\\nContent-Length: 9\\r\\n\\r\\n<p>Tea")
    >>> head.status, page()
    (200, b'<p>Tea')
    """
    reader: io.BufferedReader = io.BufferedReader(io.BytesIO(response), _BLOCK)
    head = _read_head(reader, limits)

    def page() -> bytes:
        chunked = head.headers.get("transfer-encoding", "").lower() == "chunked"
        still = chunked and _CHUNK_LINE.match(reader.peek(_LONGEST_CHUNK_LINE)[:_LONGEST_CHUNK_LINE])
        pieces = _chunks(reader) if still else iter(lambda: reader.read1(_BLOCK), b"")
        try:
            return _unpacked(pieces, head, _Kept(len(response)), limits)
        except zlib.error as error:
            raise FetchError(f"the compressed page cannot be read: {error}") from error

    return head, page


def _left(deadline: float) -> float:
    """Seconds left until this moment of `monotonic`, more than none."""
    left = deadline - monotonic()
    if left <= 0:
        raise TimeoutError
    return left


def _visit(
    target: Target, policy: AddressPolicy, limits: FetchLimits, resolve: Resolve, whole: float
) -> RawPage | Target:
    """One hop: the page, or where to go instead."""
    first_byte = min(whole, monotonic() + limits.first_byte_seconds)
    addresses = pin(target, policy, _in_time(resolve, first_byte))
    with _connect(target, addresses, first_byte) as plain, _secure(plain, target, first_byte) as connection:
        connection.sendall(_request(target))
        wire = _Wire(connection, first_byte, whole)
        reader: io.BufferedReader = io.BufferedReader(wire, _BLOCK)
        head = _read_head(reader, limits)
        if head.status in _REDIRECTS and "location" in head.headers:
            return _redirected(target, head.headers["location"])
        if not 200 <= head.status < 300:
            raise FetchError(f"HTTP status {head.status}", head.status)
        markup = _read_body(reader, head, wire, limits)
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return RawPage(markup, target.url, head.headers.get("content-type"), head.headers, time=now)


def _redirected(target: Target, location: str) -> Target:
    try:
        return split_url(urljoin(target.url, location))
    except ValueError:
        raise refusal() from None


def _in_time(resolve: Resolve, deadline: float) -> Resolve:
    """The same resolver with an end: `getaddrinfo` has no time limit, so it gets a thread that we can leave behind."""

    def resolve_in_time(host: str) -> list[str]:
        answer: list[str] = []

        def ask() -> None:
            with suppress(OSError):
                answer.extend(resolve(host))

        thread = Thread(target=ask, daemon=True)
        thread.start()
        thread.join(_left(deadline))
        return [] if thread.is_alive() else answer

    return resolve_in_time


def _connect(target: Target, addresses: tuple[str, ...], deadline: float) -> socket.socket:
    """Connect to the first checked address that answers; a dead one must not use up the time of the others."""
    for position, address in enumerate(addresses):
        with suppress(OSError):
            share = _left(deadline) / (len(addresses) - position)
            return socket.create_connection((address, target.port), timeout=share)
    raise refusal()


def _secure(connection: socket.socket, target: Target, deadline: float) -> socket.socket:
    """For https, TLS with the name in the URL, though the connection was made to an address."""
    connection.settimeout(_left(deadline))
    if target.scheme == "http":
        return connection
    return _tls().wrap_socket(connection, server_hostname=target.host)


@cache
def _tls() -> ssl.SSLContext:
    """Kept, because reading the certificates of the system takes 40 ms."""
    context = ssl.create_default_context()
    context.set_alpn_protocols(["http/1.1"])
    return context


def _request(target: Target) -> bytes:
    lines = (
        f"GET {target.path} HTTP/1.1",
        f"Host: {target.authority}",
        f"User-Agent: pagestrata/{_version()}",
        "Accept: text/html, application/xhtml+xml, */*;q=0.8",
        "Accept-Encoding: gzip, deflate",
        "Connection: close",
    )
    return "".join(f"{line}\r\n" for line in (*lines, "")).encode("ascii")


def _version() -> str:
    try:
        return metadata.version("pagestrata")
    except metadata.PackageNotFoundError:  # run from a checkout
        return "0"


class _Wire(io.RawIOBase):
    """The connection as a file of which every single read gets only the time that is left."""

    def __init__(self, connection: socket.socket, first_byte: float, whole: float) -> None:
        self._connection = connection
        self._whole = whole
        self.deadline = first_byte
        self.received = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer", /) -> int:
        self._connection.settimeout(_left(self.deadline))
        count = self._connection.recv_into(buffer)
        self.deadline = self._whole
        self.received += count
        return count


@dataclass(frozen=True, slots=True)
class _Kept:
    """What stands in for the connection when a response is here already."""

    received: int
    deadline: float = math.inf


@dataclass(frozen=True, slots=True)
class Head:
    """What stands before the body of a response."""

    status: int
    headers: Mapping[str, str]
    """Names in lower case; values of a repeated header joined by commas."""


def _read_head(reader: io.BufferedReader, limits: FetchLimits) -> Head:
    """The head of the answer; those of 1xx before it are skipped, out of the same budget."""
    lines = _head_lines(reader, limits)
    while (head := _parse_head(list(takewhile(bool, lines)))).status < 200:
        pass
    return head


def _head_lines(reader: io.BufferedReader, limits: FetchLimits) -> Iterator[str]:
    budget = limits.max_header_bytes
    for _ in range(limits.max_header_lines + 2):  # and the status line and the empty one
        line = reader.readline(budget)
        budget -= len(line)
        if not line.endswith(b"\n"):
            raise FetchError("the response head ends early or is too large")
        # Servers that put a bare `Location: /ä` on the wire mean UTF-8, as browsers do.
        yield line.rstrip(b"\r\n").decode("utf-8", "replace")
    raise FetchError("the response head has too many lines")


def _parse_head(lines: list[str]) -> Head:
    """Read a status line and headers.

    >>> _parse_head(["HTTP/1.1 200 OK", "Vary: a", "VARY:b"])
    Head(status=200, headers={'vary': 'a, b'})
    """
    status_line = _STATUS_LINE.fullmatch(lines[0]) if lines else None
    if not status_line:
        raise FetchError("the answer is not HTTP")
    headers: dict[str, str] = {}
    for line in lines[1:]:
        name, _, value = line.partition(":")
        name, value = name.lower(), value.strip()
        headers[name] = f"{headers[name]}, {value}" if name in headers else value
    return Head(int(status_line[1]), headers)


def _read_body(reader: io.BufferedReader, head: Head, wire: _Wire, limits: FetchLimits) -> bytes:
    """The whole page, decompressed; each encoding is undone under the limits, so none can hide behind the next."""
    return _unpacked(_framed(reader, head), head, wire, limits)


def _unpacked(pieces: Iterator[bytes], head: Head, wire: "_Wire | _Kept", limits: FetchLimits) -> bytes:
    pieces = _bounded(pieces, wire, limits)
    for encoding in reversed(_encodings(head, limits)):
        pieces = _bounded(_inflated(pieces, encoding), wire, limits)
    page = io.BytesIO()
    page.writelines(pieces)
    return page.getvalue()


def _bounded(pieces: Iterator[bytes], wire: "_Wire | _Kept", limits: FetchLimits) -> Iterator[bytes]:
    size = 0
    for piece in pieces:
        size += len(piece)
        if size > min(limits.max_bytes, max(limits.ratio_free_bytes, limits.max_ratio * wire.received)):
            raise FetchError("the page is larger than allowed")
        _left(wire.deadline)
        yield piece


def _framed(reader: io.BufferedReader, head: Head) -> Iterator[bytes]:
    """The body as it was sent: in chunks, of a known length, or until the connection ends."""
    transfer = head.headers.get("transfer-encoding", "identity").lower()
    if transfer == "chunked":
        return _chunks(reader)
    if transfer != "identity":
        raise FetchError("the transfer encoding is not supported")
    if head.status == 204:
        return iter(())
    if "content-length" in head.headers:
        return _exactly(reader, _content_length(head))
    return iter(lambda: reader.read1(_BLOCK), b"")


def _content_length(head: Head) -> int:
    lengths = {length.strip() for length in head.headers["content-length"].split(",")}
    length = lengths.pop()
    if lengths or not re.fullmatch("[0-9]{1,15}", length):
        raise FetchError("the content length cannot be read")
    return int(length)


def _exactly(reader: io.BufferedReader, size: int) -> Iterator[bytes]:
    while size:
        piece = reader.read1(min(size, _BLOCK))
        if not piece:
            raise FetchError("the page ends early")
        size -= len(piece)
        yield piece


def _chunks(reader: io.BufferedReader) -> Iterator[bytes]:
    """The content of all chunks; trailers after the last are left unread."""
    while size := _chunk_size(reader.readline(_LONGEST_CHUNK_LINE)):
        yield from _exactly(reader, size)
        if reader.readline(2).strip(b"\r\n"):
            raise FetchError("a chunk is longer than it says")


def _chunk_size(line: bytes) -> int:
    chunk = _CHUNK_LINE.fullmatch(line)
    if not chunk:
        raise FetchError("the size of a chunk cannot be read, or the page ends early")
    return int(chunk[1], 16)


def _encodings(head: Head, limits: FetchLimits) -> list[str]:
    names = [name.strip().lower() for name in head.headers.get("content-encoding", "").split(",")]
    encodings = [name.removeprefix("x-") for name in names if name not in ("", "identity")]
    if len(encodings) > limits.max_encodings or not {"gzip", "deflate"}.issuperset(encodings):
        raise FetchError("the content encoding is not supported")
    return encodings


def _inflated(pieces: Iterator[bytes], encoding: str) -> Iterator[bytes]:
    """Decompress block by block; gzip may have many members, and rubbish after the end is ignored, as browsers do."""
    inflater = None
    for piece in pieces:
        while piece:
            if inflater is None or inflater.eof:
                if inflater and not piece.startswith(b"\x1f"):
                    return
                inflater = zlib.decompressobj(_window(encoding, piece))
            yield inflater.decompress(piece, _BLOCK)
            piece = inflater.unconsumed_tail or inflater.unused_data
    if inflater:
        yield inflater.flush()
        if not inflater.eof:
            raise FetchError("the compressed page ends early")


def _window(encoding: str, start: bytes) -> int:
    """What zlib calls the format; `deflate` should have a zlib header (first byte ends in 8), but some send none."""
    if encoding == "gzip":
        return _GZIP
    return _ZLIB if start[0] & 0x0F == 8 else _RAW_DEFLATE
