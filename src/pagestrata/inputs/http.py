"""Fetches one page over HTTP from servers that are not trusted.

Each hop is resolved once, checked, and connected to at the checked address; see `addresses`. Every read is limited to
the remaining time, every byte is counted before it is stored, and every failure is a `FetchError`.
HTTP/1.1 is implemented here: `http.client` would read a chunk of size -1 until memory is exhausted, allows 100 header
lines of 64 KB each, and takes a 103 for the final response. No proxies, no cookies, no credentials.
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

from pagestrata.errors import AddressRefused, FetchError
from pagestrata.inputs.addresses import PUBLIC_ONLY, AddressPolicy, Resolve, Target, pin, refusal, split_url
from pagestrata.page.raw import RawPage

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

_BLOCK = 65536
_MAX_CHUNK_LINE = 4096
_REDIRECTS = {301, 302, 303, 307, 308}
_GZIP, _ZLIB, _RAW_DEFLATE = 31, 15, -15
_STATUS_LINE = re.compile(r"HTTP/1\.[01] ([1-9][0-9]{2})(?: .*)?")
_CHUNK_LINE = re.compile(rb"([0-9a-fA-F]{1,15})[ \t]*(?:;.*)?\r?\n")


@dataclass(frozen=True, slots=True)
class FetchLimits:
    """Limits of one fetch; the defaults come from goals S6 and S7 of our reliability study."""

    max_bytes: int = 20_000_000
    """The size of the decompressed page."""
    max_ratio: int = 200
    """The ratio of decompressed to received bytes, once the page is larger than `ratio_free_bytes`."""
    ratio_free_bytes: int = 1_000_000
    max_encodings: int = 2
    first_byte_seconds: float = 10.0
    """For each hop, from the name lookup to the first byte of the response."""
    total_seconds: float = 30.0
    max_redirects: int = 5
    max_header_bytes: int = 65_536
    max_header_lines: int = 200


DEFAULT_LIMITS = FetchLimits()


def resolve_host(host: str) -> list[str]:
    """All addresses of a host name, from the resolver of the system."""
    return [str(entry[4][0]) for entry in socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)]


def fetch(
    url: str,
    policy: AddressPolicy = PUBLIC_ONLY,
    limits: FetchLimits = DEFAULT_LIMITS,
    resolve: Resolve = resolve_host,
) -> RawPage:
    """Fetch a page of any media type, following redirects."""
    end = monotonic() + limits.total_seconds
    return follow(url, limits, lambda target: _fetch_hop(target, policy, limits, resolve, end))


def fetch_explained(url: str, policy: AddressPolicy = PUBLIC_ONLY) -> RawPage:
    """Fetch a page for the person who runs us, who may know why an address could not be reached; errors have it."""
    try:
        return fetch(url, policy)
    except AddressRefused as error:
        if error.cause:
            raise FetchError(error.cause, url=url) from error
        raise AddressRefused(f"the address {url} is refused") from error
    except FetchError as error:
        error.url = url
        raise


def follow(url: str, limits: FetchLimits, hop: Callable[[Target], RawPage | Target]) -> RawPage:
    """Follow redirects until a hop returns a page."""
    target = split_url(url)
    for _ in range(limits.max_redirects + 1):
        answer = hop(target)
        if isinstance(answer, RawPage):
            return answer
        target = answer
    raise FetchError(f"more than {limits.max_redirects} redirects")


def fetch_hop(target: Target, policy: AddressPolicy, limits: FetchLimits) -> RawPage | Target:
    """Fetch one hop: the page, or the target of a redirect, which the caller may have to check first."""
    return _fetch_hop(target, policy, limits, resolve_host, monotonic() + limits.total_seconds)


def _fetch_hop(
    target: Target, policy: AddressPolicy, limits: FetchLimits, resolve: Resolve, end: float
) -> RawPage | Target:
    try:
        return _request_hop(target, policy, limits, resolve, end)
    except TimeoutError:
        raise FetchError("the server took too long") from None
    except OSError as error:
        raise FetchError(f"the connection failed: {error}") from error
    except zlib.error as error:
        raise FetchError(f"the compressed page cannot be read: {error}") from error


def read_stored(response: bytes, limits: FetchLimits = DEFAULT_LIMITS) -> tuple["Head", Callable[[], bytes]]:
    """Parse a stored response, as in archives: return the head, and a function that reads the page.

    The body extends to the end of the data, as the length in the head is often no longer correct.

    >>> head, page = read_stored(b"HTTP/1.1 200 OK\\r\\nContent-Length: 9\\r\\n\\r\\n<p>Tea")
    >>> head.status, page()
    (200, b'<p>Tea')
    """
    reader: io.BufferedReader = io.BufferedReader(io.BytesIO(response), _BLOCK)
    head = _read_head(reader, limits)

    def page() -> bytes:
        chunked = head.headers.get("transfer-encoding", "").lower() == "chunked"
        is_chunked = chunked and _CHUNK_LINE.match(reader.peek(_MAX_CHUNK_LINE)[:_MAX_CHUNK_LINE])
        pieces = _chunks(reader) if is_chunked else iter(lambda: reader.read1(_BLOCK), b"")
        try:
            return _decompress(pieces, head, _StoredResponse(len(response)), limits)
        except zlib.error as error:
            raise FetchError(f"the compressed page cannot be read: {error}") from error

    return head, page


def _seconds_left(deadline: float) -> float:
    """Seconds until a deadline on the `monotonic` clock; raises `TimeoutError` if it has passed."""
    left = deadline - monotonic()
    if left <= 0:
        raise TimeoutError
    return left


def _request_hop(
    target: Target, policy: AddressPolicy, limits: FetchLimits, resolve: Resolve, end: float
) -> RawPage | Target:
    """Fetch one hop: the page, or the target of a redirect."""
    first_byte = min(end, monotonic() + limits.first_byte_seconds)
    addresses = pin(target, policy, _with_deadline(resolve, first_byte))
    with _connect(target, addresses, first_byte) as plain, _secure(plain, target, first_byte) as connection:
        connection.sendall(_request(target))
        wire = _Wire(connection, first_byte, end)
        reader: io.BufferedReader = io.BufferedReader(wire, _BLOCK)
        head = _read_head(reader, limits)
        if head.status in _REDIRECTS and "location" in head.headers:
            return _redirect_target(target, head.headers["location"])
        if not 200 <= head.status < 300:
            raise FetchError(f"HTTP status {head.status}", head.status)
        markup = _decompress(_framed(reader, head), head, wire, limits)
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return RawPage(markup, target.url, head.headers.get("content-type"), head.headers, time=now)


def _redirect_target(target: Target, location: str) -> Target:
    try:
        return split_url(urljoin(target.url, location))
    except ValueError:
        raise refusal() from None


def _with_deadline(resolve: Resolve, deadline: float) -> Resolve:
    """Add a deadline to a resolver: `getaddrinfo` has no time limit, so it runs in a thread that can be abandoned."""

    def resolve_in_time(host: str) -> list[str]:
        answer: list[str] = []

        def ask() -> None:
            with suppress(OSError):
                answer.extend(resolve(host))

        thread = Thread(target=ask, daemon=True)
        thread.start()
        thread.join(_seconds_left(deadline))
        return [] if thread.is_alive() else answer

    return resolve_in_time


def _connect(target: Target, addresses: tuple[str, ...], deadline: float) -> socket.socket:
    """Connect to the first checked address that responds; each gets its share of the remaining time."""
    for position, address in enumerate(addresses):
        with suppress(OSError):
            share = _seconds_left(deadline) / (len(addresses) - position)
            return socket.create_connection((address, target.port), timeout=share)
    raise refusal(f"{target.authority} does not answer")


def _secure(connection: socket.socket, target: Target, deadline: float) -> socket.socket:
    """Start TLS for https with the host name of the URL, though the connection was made to an address."""
    connection.settimeout(_seconds_left(deadline))
    if target.scheme == "http":
        return connection
    return _tls().wrap_socket(connection, server_hostname=target.host)


@cache
def _tls() -> ssl.SSLContext:
    """The TLS context; cached, because loading the certificates of the system takes 40 ms."""
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
    """The connection as a file; every read is limited to the remaining time."""

    def __init__(self, connection: socket.socket, first_byte: float, end: float) -> None:
        self._connection = connection
        self._end = end
        self.deadline = first_byte
        self.received = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer", /) -> int:
        self._connection.settimeout(_seconds_left(self.deadline))
        count = self._connection.recv_into(buffer)
        self.deadline = self._end
        self.received += count
        return count


@dataclass(frozen=True, slots=True)
class _StoredResponse:
    """Replaces the connection for a stored response."""

    received: int
    deadline: float = math.inf


@dataclass(frozen=True, slots=True)
class Head:
    """The status and the headers of a response."""

    status: int
    headers: Mapping[str, str]
    """Names in lower case; values of a repeated header joined by commas."""


def _read_head(reader: io.BufferedReader, limits: FetchLimits) -> Head:
    """Read the head of the final response; 1xx responses before it are skipped and use the same budget."""
    lines = _head_lines(reader, limits)
    while (head := _parse_head(list(takewhile(bool, lines)))).status < 200:
        pass
    return head


def _head_lines(reader: io.BufferedReader, limits: FetchLimits) -> Iterator[str]:
    budget = limits.max_header_bytes
    for _ in range(limits.max_header_lines + 2):  # plus the status line and the empty line
        line = reader.readline(budget)
        budget -= len(line)
        if not line.endswith(b"\n"):
            raise FetchError("the response head ends early or is too large")
        # Servers that send an unescaped `Location: /ä` mean UTF-8, as browsers assume.
        yield line.rstrip(b"\r\n").decode("utf-8", "replace")
    raise FetchError("the response head has too many lines")


def _parse_head(lines: list[str]) -> Head:
    """Parse a status line and headers.

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


def _decompress(pieces: Iterator[bytes], head: Head, wire: "_Wire | _StoredResponse", limits: FetchLimits) -> bytes:
    """Read and decompress the page; the limits apply to the output of each encoding."""
    pieces = _limited(pieces, wire, limits)
    for encoding in reversed(_encodings(head, limits)):
        pieces = _limited(_inflate(pieces, encoding), wire, limits)
    page = io.BytesIO()
    page.writelines(pieces)
    return page.getvalue()


def _limited(pieces: Iterator[bytes], wire: "_Wire | _StoredResponse", limits: FetchLimits) -> Iterator[bytes]:
    size = 0
    for piece in pieces:
        size += len(piece)
        if size > min(limits.max_bytes, max(limits.ratio_free_bytes, limits.max_ratio * wire.received)):
            raise FetchError("the page is larger than allowed")
        _seconds_left(wire.deadline)
        yield piece


def _framed(reader: io.BufferedReader, head: Head) -> Iterator[bytes]:
    """The body as it was sent: in chunks, with a content length, or until the connection ends."""
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
    """The content of all chunks; trailers after the last one are not read."""
    while size := _chunk_size(reader.readline(_MAX_CHUNK_LINE)):
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


def _inflate(pieces: Iterator[bytes], encoding: str) -> Iterator[bytes]:
    """Decompress block by block; gzip may have several members, and data after the end is ignored, as in browsers."""
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
    """The zlib parameter for a format; `deflate` should have a zlib header (first byte ends in 8), but may lack it."""
    if encoding == "gzip":
        return _GZIP
    return _ZLIB if start[0] & 0x0F == 8 else _RAW_DEFLATE
