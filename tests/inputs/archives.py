"""Web archives in a line."""

import gzip
import io

from pagestrata.inputs.warc import ArchiveItem, read_warc

PAGE = b"<!doctype html><title>Tea</title><h1>Tea</h1><p>Warm the pot, then wait a while for the leaves to settle."


def record(
    block: bytes,
    kind: str = "response",
    url: str = "https://tea.example/",
    length: object = None,
    media: str = "application/http",
) -> bytes:
    """A record with this block; a wrong `length` makes it a damaged one."""
    head = (
        f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:uuid:1>\r\nWARC-Date: 2026-11-15T00:00:00Z\r\n"
        f"WARC-Target-URI: {url}\r\nContent-Type: {media}\r\n"
        f"Content-Length: {len(block) if length is None else length}\r\n\r\n"
    )
    return head.encode() + block + b"\r\n\r\n"


def response(body: bytes = PAGE, *headers: str, status: str = "HTTP/1.1 200 OK", media: str = "text/html") -> bytes:
    lines = (status, f"Content-Type: {media}", *headers, "")
    return "".join(f"{line}\r\n" for line in lines).encode() + body


def page(number: int) -> bytes:
    """The record of the n-th page."""
    return record(response(PAGE + b" %d" % number), url=f"https://tea.example/{number}")


def packed(*records: bytes) -> bytes:
    """A gzip member for each, as archives have it."""
    return b"".join(map(gzip.compress, records))


def found_in(data: bytes) -> list[ArchiveItem]:
    return list(read_warc(io.BytesIO(data)))
