"""Connections with time limits, closed so that the client still receives the last response.

uvicorn waits without limit for the head of a request and for clients that do not read. And when it closes a connection
with unread data, the system resets it and discards the response.
"""

import asyncio
import resource
from contextlib import suppress
from typing import Any, Final, cast

from uvicorn.protocols.http.h11_impl import H11Protocol

CHECK_SECONDS: Final = 10.0
"""The interval between two checks of a connection; the head of a request may take one to two intervals."""
MAX_CHECKS: Final = 30
"""Checks without change after which a request is aborted; the slowest body that is allowed takes 21."""
LINGER_SECONDS: Final = 10.0
"""Time for the client to send the rest of its body, read the last response and close; the data is dropped. With 2
seconds a client on a machine with much other work lost its answer."""


class TimedProtocol(H11Protocol):
    """The HTTP/1.1 protocol of uvicorn with time limits."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the checks."""
        self._lingering = _LingeringTransport(transport, self.loop)
        super().connection_made(cast(asyncio.Transport, self._lingering))
        self._last_state: tuple[Any, ...] = ()
        self._unchanged = 0
        self._timer = self.loop.call_later(CHECK_SECONDS, self._check)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the checks."""
        self._timer.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Drop data that arrives after the last response."""
        if not self._lingering.is_lingering:
            super().data_received(data)

    def _check(self) -> None:
        """Abort the connection if nothing has changed since the last check and the client has to act."""
        is_active = self.cycle is not None and not self.cycle.response_complete
        state = (id(self.cycle), is_active, self.transport.get_write_buffer_size())
        self._unchanged = self._unchanged + 1 if state == self._last_state else 0
        self._last_state = state
        if self._unchanged >= (MAX_CHECKS if is_active else 1):
            self.transport.abort()
        else:
            self._timer = self.loop.call_later(CHECK_SECONDS, self._check)


class _LingeringTransport:
    """A transport that first closes its sending side and closes completely a moment later."""

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport, self._loop = transport, loop
        self.is_lingering = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def is_closing(self) -> bool:
        return self.is_lingering or self._transport.is_closing()

    def close(self) -> None:
        if self.is_closing():
            return
        self.is_lingering = True
        with suppress(OSError):  # the client may have disconnected already
            self._transport.write_eof()
        self._transport.resume_reading()
        self._loop.call_later(LINGER_SECONDS, self._transport.close)


def allow_many_files() -> None:
    """Raise the limit of open files to its maximum: the usual default allows only about a thousand connections."""
    maximum = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    with suppress(ValueError, OSError):  # macOS reports "unlimited" but accepts less
        resource.setrlimit(resource.RLIMIT_NOFILE, (maximum, maximum))
