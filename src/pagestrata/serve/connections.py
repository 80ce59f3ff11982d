"""Connections that end: uvicorn waits for ever for the head of a request, and for someone who does not read."""

import asyncio
import resource
from contextlib import suppress
from typing import Any, Final

from uvicorn.protocols.http.h11_impl import H11Protocol

TICK: Final = 10.0
"""Seconds between two looks at a connection: a head has at least one of them, and less than two."""
LONGEST: Final = 30
"""Looks that one request may last: the slowest body that is allowed takes 21."""


class TimedProtocol(H11Protocol):
    """HTTP/1.1 as uvicorn speaks it, for clients that must not take for ever."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to look."""
        super().connection_made(transport)
        self._seen: tuple[Any, ...] = ()
        self._looks = 0
        self._timer = self.loop.call_later(TICK, self._look)

    def connection_lost(self, exc: Exception | None) -> None:
        """Look no more."""
        self._timer.cancel()
        super().connection_lost(exc)

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


def allow_many_files() -> None:
    """Use all open files that the system gives: by default a thousand idle connections would be all."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    with suppress(ValueError, OSError):  # macOS says "unlimited" and means less
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
