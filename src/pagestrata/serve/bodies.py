"""Reading bodies: counted while they come, with a share of memory for each client, and not for ever."""

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from typing import Final

from pagestrata.serve.problems import Refused
from pagestrata.serve.settings import ServeLimits

FIRST_SECONDS: Final = 10.0
SLOWEST: Final = 100_000
"""Bytes a second that keep a slow body alive after that; 20 MB may take 210 seconds, and a trickle takes ten."""
CLIENT_SHARE: Final = 4
"""One client may hold the fourth part of all memory for bodies."""


class Held:
    """How many bytes of bodies are in memory, by client."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._by_client: Counter[str] = Counter()
        self.total = 0

    def take(self, client: str, size: int) -> None:
        """Make room, or refuse."""
        if self._by_client[client] + size > self._most // CLIENT_SHARE:
            raise Refused("too-many-requests", "your requests are too large to be held at the same time")
        if self.total + size > self._most:
            raise Refused("busy")
        self._by_client[client] += size
        self.total += size

    def give_back(self, client: str, size: int) -> None:
        """The end of a request."""
        self.total -= size
        self._by_client[client] -= size
        if not self._by_client[client]:
            del self._by_client[client]


class Body:
    """The body of one request; it holds its room until the end of a `with`."""

    def __init__(self, client: str, held: Held, limits: ServeLimits) -> None:
        self._client, self._held, self._limits = client, held, limits
        self._size = 0

    def __enter__(self) -> "Body":
        return self

    def __exit__(self, *_: object) -> None:
        self._held.give_back(self._client, self._size)

    async def read(self, headers: Mapping[str, str], pieces: AsyncIterator[bytes]) -> bytes:
        """All of it."""
        _check_kind(headers)
        if _declared(headers) > self._limits.body_bytes:
            raise Refused("body-too-large", self._limit)
        started, body = time.monotonic(), bytearray()
        try:
            while piece := await asyncio.wait_for(anext(pieces, b""), _patience(started, len(body))):
                self._grow(len(piece))
                body += piece
        except TimeoutError:
            raise Refused("body-too-slow") from None
        return bytes(body)

    @property
    def _limit(self) -> str:
        return f"at most {self._limits.body_bytes:,} bytes"

    def _grow(self, size: int) -> None:
        if self._size + size > self._limits.body_bytes:
            raise Refused("body-too-large", self._limit)
        self._held.take(self._client, size)
        self._size += size


def _patience(started: float, size: int) -> float:
    return max(0.0, started + FIRST_SECONDS + size / SLOWEST - time.monotonic())


def _check_kind(headers: Mapping[str, str]) -> None:
    """Only what a page of another site cannot send without asking, and what cannot unpack to something larger."""
    media_type = headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type != "application/json" or headers.get("content-encoding", "identity").lower() != "identity":
        raise Refused("wrong-media-type")


def _declared(headers: Mapping[str, str]) -> int:
    length = headers.get("content-length", "")
    return int(length) if length.isdecimal() and len(length) < 20 else 0
