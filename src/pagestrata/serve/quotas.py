"""Quotas of each client: concurrent requests, bytes in memory, and bodies that are being read.

The body of a request that has to wait is not read meanwhile, so that waiting costs the client and not the service.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Final

from pagestrata.serve.problems import Refused
from pagestrata.serve.raw_body import is_raw, media_type_of
from pagestrata.serve.settings import ServeLimits

FIRST_SECONDS: Final = 10.0
MIN_BYTES_PER_SECOND: Final = 100_000
"""Bytes per second that a body must reach after `FIRST_SECONDS`; 20 MB may take 210 seconds."""
CLIENT_FRACTION: Final = 4
"""One client may use this fraction (one fourth) of the memory for bodies."""
MAX_CLIENT_READS: Final = 4
"""Bodies of one client that are read concurrently; also the limit for its pages that are fetched."""
MAX_FETCHES: Final = 16
"""Pages of all clients that are fetched concurrently."""
REFUSAL_SECONDS: Final = 1.0
"""Delay before a client is told that it has too many requests, which slows down immediate retries."""


@dataclass(slots=True)
class _Client:
    requests: int = 0
    size: int = 0
    reading: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(MAX_CLIENT_READS))
    fetching: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(MAX_CLIENT_READS))


class Quotas:
    """The clients with requests in progress, and what they use."""

    def __init__(self, limits: ServeLimits) -> None:
        self._limits = limits
        self._clients: dict[str, _Client] = {}
        self.fetching = asyncio.Semaphore(MAX_FETCHES)
        self.held = 0
        """Bytes of all bodies."""

    @asynccontextmanager
    async def enter(self, client: str) -> AsyncIterator["Quota"]:
        """Admit a request until it is answered."""
        state = self._clients.setdefault(client, _Client())
        if state.requests >= self._limits.client_requests:
            await asyncio.sleep(REFUSAL_SECONDS)
            raise Refused("too-many-requests")
        state.requests += 1
        quota = Quota(state, self, self._limits)
        try:
            yield quota
        finally:
            quota.release()
            state.requests -= 1
            if not state.requests:
                self._clients.pop(client, None)


class Quota:
    """What one request uses of the quota of its client."""

    def __init__(self, client: _Client, quotas: Quotas, limits: ServeLimits) -> None:
        self._client, self._quotas, self._limits = client, quotas, limits
        self._size = 0
        self.patience = limits.wait_seconds
        """Remaining seconds that the request may wait, first here and then in the queue."""

    async def read(self, headers: Mapping[str, str], chunks: AsyncIterator[bytes]) -> bytes:
        """Read the body once the client has a free slot."""
        _check_media_type(headers)
        if _declared_length(headers) > self._limits.body_bytes:
            raise Refused("body-too-large", f"at most {self._limits.body_bytes:,} bytes")
        async with self._slot(self._client.reading):
            self._check_room(_declared_length(headers))  # a body that will not fit is not begun
            return await self._read(chunks)

    @asynccontextmanager
    async def fetching(self) -> AsyncIterator[None]:
        """Wait for a free slot to fetch a page, and hold it."""
        async with self._slot(self._client.fetching), self._slot(self._quotas.fetching):
            yield

    def hold(self, size: int) -> None:
        """Reserve memory, or refuse the request."""
        self._check_room(size)
        self._size += size
        self._client.size += size
        self._quotas.held += size

    def _check_room(self, size: int) -> None:
        if self._client.size + size > self._limits.held_bytes // CLIENT_FRACTION:
            raise Refused("too-many-requests", "your requests are too large to be held at the same time")
        if self._quotas.held + size > self._limits.held_bytes:
            raise Refused("busy")

    def release(self) -> None:
        """Release the memory at the end of the request."""
        self._quotas.held -= self._size
        self._client.size -= self._size

    @asynccontextmanager
    async def _slot(self, slots: asyncio.Semaphore) -> AsyncIterator[None]:
        clock = asyncio.get_running_loop().time
        started = clock()
        try:
            async with asyncio.timeout(self.patience):
                await slots.acquire()
        except TimeoutError:
            raise Refused("too-many-requests", "others are still being read") from None
        self.patience -= clock() - started
        try:
            yield
        finally:
            slots.release()

    async def _read(self, chunks: AsyncIterator[bytes]) -> bytes:
        body, started = bytearray(), asyncio.get_running_loop().time()
        try:
            async with asyncio.timeout(FIRST_SECONDS) as patience:
                async for chunk in chunks:
                    if len(body) + len(chunk) > self._limits.body_bytes:
                        raise Refused("body-too-large", f"at most {self._limits.body_bytes:,} bytes")
                    self.hold(len(chunk))
                    body += chunk
                    patience.reschedule(started + FIRST_SECONDS + len(body) / MIN_BYTES_PER_SECOND)
        except TimeoutError:
            raise Refused("body-too-slow") from None
        return bytes(body)


def _check_media_type(headers: Mapping[str, str]) -> None:
    """Accept only media types that other sites cannot send without a CORS preflight, and no compression."""
    is_known = media_type_of(headers) == "application/json" or is_raw(headers)
    if not is_known or headers.get("content-encoding", "identity").lower() != "identity":
        raise Refused("wrong-media-type")


def _declared_length(headers: Mapping[str, str]) -> int:
    length = headers.get("content-length", "")
    return int(length) if length.isdecimal() and len(length) < 20 else 0
