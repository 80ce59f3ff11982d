"""What each client may have here at a time: requests, bytes, and bodies that are being read.

A request that has to wait is not read meanwhile, so that it costs its sender and not us.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Final

from pagestrata.serve.problems import Refused
from pagestrata.serve.settings import ServeLimits

FIRST_SECONDS: Final = 10.0
SLOWEST: Final = 100_000
"""Bytes a second that keep a slow body alive after that; 20 MB may take 210 seconds, and a trickle takes ten."""
CLIENT_SHARE: Final = 4
"""One client may hold the fourth part of all memory for bodies."""
READ_AT_ONCE: Final = 4
"""Bodies of one client that are read at the same time; so many of its pages may be fetched, too."""
FETCHED_AT_ONCE: Final = 16
"""Pages of all clients."""
REFUSAL_SECONDS: Final = 1.0
"""Before a client hears that it has too many requests here: who comes back at once cannot do so more often."""


@dataclass(slots=True)
class _Client:
    requests: int = 0
    size: int = 0
    reading: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(READ_AT_ONCE))
    fetching: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(READ_AT_ONCE))


class Shares:
    """All clients that have a request here."""

    def __init__(self, limits: ServeLimits) -> None:
        self._limits = limits
        self._clients: dict[str, _Client] = {}
        self.fetching = asyncio.Semaphore(FETCHED_AT_ONCE)
        self.held = 0
        """Bytes of all bodies."""

    @asynccontextmanager
    async def enter(self, client: str) -> AsyncIterator["Share"]:
        """Let a request in until it is answered."""
        state = self._clients.setdefault(client, _Client())
        if state.requests >= self._limits.client_requests:
            await asyncio.sleep(REFUSAL_SECONDS)
            raise Refused("too-many-requests")
        state.requests += 1
        share = Share(state, self, self._limits)
        try:
            yield share
        finally:
            share.give_back()
            state.requests -= 1
            if not state.requests:
                self._clients.pop(client, None)


class Share:
    """The part of one request."""

    def __init__(self, client: _Client, shares: Shares, limits: ServeLimits) -> None:
        self._client, self._shares, self._limits = client, shares, limits
        self._size = 0
        self.patience = limits.wait_seconds
        """Seconds that are left to wait, here for its turn and then in the queue."""

    async def read(self, headers: Mapping[str, str], pieces: AsyncIterator[bytes]) -> bytes:
        """The whole body, when its turn comes."""
        _check_kind(headers)
        if _declared(headers) > self._limits.body_bytes:
            raise Refused("body-too-large", f"at most {self._limits.body_bytes:,} bytes")
        async with self._turn(self._client.reading):
            self._check_room(_declared(headers))  # a body that will not fit is not begun
            return await self._read(pieces)

    @asynccontextmanager
    async def fetching(self) -> AsyncIterator[None]:
        """While a page is fetched for this request, when its turn comes."""
        async with self._turn(self._client.fetching), self._turn(self._shares.fetching):
            yield

    def hold(self, size: int) -> None:
        """Make room, or refuse."""
        self._check_room(size)
        self._size += size
        self._client.size += size
        self._shares.held += size

    def _check_room(self, size: int) -> None:
        if self._client.size + size > self._limits.held_bytes // CLIENT_SHARE:
            raise Refused("too-many-requests", "your requests are too large to be held at the same time")
        if self._shares.held + size > self._limits.held_bytes:
            raise Refused("busy")

    def give_back(self) -> None:
        """At the end of the request."""
        self._shares.held -= self._size
        self._client.size -= self._size

    @asynccontextmanager
    async def _turn(self, places: asyncio.Semaphore) -> AsyncIterator[None]:
        clock = asyncio.get_running_loop().time
        started = clock()
        try:
            async with asyncio.timeout(self.patience):
                await places.acquire()
        except TimeoutError:
            raise Refused("too-many-requests", "others are still being read") from None
        self.patience -= clock() - started
        try:
            yield
        finally:
            places.release()

    async def _read(self, pieces: AsyncIterator[bytes]) -> bytes:
        body, started = bytearray(), asyncio.get_running_loop().time()
        try:
            async with asyncio.timeout(FIRST_SECONDS) as patience:
                async for piece in pieces:
                    if len(body) + len(piece) > self._limits.body_bytes:
                        raise Refused("body-too-large", f"at most {self._limits.body_bytes:,} bytes")
                    self.hold(len(piece))
                    body += piece
                    patience.reschedule(started + FIRST_SECONDS + len(body) / SLOWEST)
        except TimeoutError:
            raise Refused("body-too-slow") from None
        return bytes(body)


def _check_kind(headers: Mapping[str, str]) -> None:
    """Only what a page of another site cannot send without asking, and what cannot unpack to something larger."""
    media_type = headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type != "application/json" or headers.get("content-encoding", "identity").lower() != "identity":
        raise Refused("wrong-media-type")


def _declared(headers: Mapping[str, str]) -> int:
    length = headers.get("content-length", "")
    return int(length) if length.isdecimal() and len(length) < 20 else 0
