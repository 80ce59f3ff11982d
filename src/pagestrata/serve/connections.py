"""Connections that end, and end well.

uvicorn waits for ever for the head of a request, and for someone who does not read. And when it closes a connection
whose request it has not read to the end, the system throws the answer away with the rest.
"""

import asyncio
import resource
from contextlib import suppress
from typing import Any, Final, cast

from uvicorn.protocols.http.h11_impl import H11Protocol

TICK: Final = 10.0
"""Seconds between two looks at a connection: a head has at least one of them, and at most two."""
LONGEST: Final = 30
"""Looks that one request may last: the slowest body that is allowed takes 21."""
LINGER: Final = 2.0
"""Seconds for the other side to read the last answer and hang up; what it sends is dropped."""


class TimedProtocol(H11Protocol):
    """HTTP/1.1 as uvicorn speaks it, for clients that must not take for ever."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to look."""
        self._polite = _PoliteTransport(transport, self.loop)
        super().connection_made(cast(asyncio.Transport, self._polite))
        self._seen: tuple[Any, ...] = ()
        self._looks = 0
        self._timer = self.loop.call_later(TICK, self._look)

    def connection_lost(self, exc: Exception | None) -> None:
        """Look no more."""
        self._timer.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Drop what comes after our last word."""
        if not self._polite.is_leaving:
            super().data_received(data)

    def _look(self) -> None:
        """Hang up where nothing has happened since the last look and the next move is theirs."""
        under_way = self.cycle is not None and not self.cycle.response_complete
        seen = (id(self.cycle), under_way, self.transport.get_write_buffer_size())
        self._looks = self._looks + 1 if seen == self._seen else 0
        self._seen = seen
        if self._looks >= (LONGEST if under_way else 1):
            self.transport.abort()
        else:
            self._timer = self.loop.call_later(TICK, self._look)


class _PoliteTransport:
    """A transport that, when it is to close, says so first and listens on for a moment."""

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport, self._loop = transport, loop
        self.is_leaving = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def is_closing(self) -> bool:
        return self.is_leaving or self._transport.is_closing()

    def close(self) -> None:
        if self.is_closing():
            return
        self.is_leaving = True
        with suppress(OSError):  # they may be gone already
            self._transport.write_eof()
        self._transport.resume_reading()
        self._loop.call_later(LINGER, self._transport.close)


def allow_many_files() -> None:
    """Use all open files that the system gives: by default a thousand idle connections would be all."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    with suppress(ValueError, OSError):  # macOS says "unlimited" and means less
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
