"""Runs the service until a signal stops it; requests in progress are finished first."""

import logging
import signal
import socket
import sys
from collections.abc import Callable
from typing import Final

import uvicorn

from pagestrata.errors import UsageError
from pagestrata.serve.app import make_app
from pagestrata.serve.connections import TimedProtocol, allow_many_files
from pagestrata.serve.settings import ServeSettings

BACKLOG: Final = 2048
SWITCH_SECONDS: Final = 0.0005
"""The interval after which threads are switched: workers wait several times per page for the thread that reads bodies,
and with Python's default of 5 ms they would wait longer than the page takes."""


def run(settings: ServeSettings, port: int, report: Callable[[str], None]) -> None:
    """Serve until a signal arrives; `report` is called with the address when the workers are ready."""
    allow_many_files()
    sys.setswitchinterval(SWITCH_SECONDS)
    logging.basicConfig(format="%(asctime)s %(name)s %(message)s", level=logging.INFO)
    with listen(settings.host, port) as listener:
        config = uvicorn.Config(
            make_app(settings),
            http=TimedProtocol,
            ws="none",
            lifespan="on",
            log_config=None,
            log_level="warning",
            access_log=False,
            proxy_headers=False,  # clients could forge them
            server_header=False,
            backlog=BACKLOG,
            timeout_graceful_shutdown=round(settings.limits.wait_seconds + settings.limits.seconds),
        )
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: None)  # uvicorn raises the signal again after it has stopped
        address = listener.getsockname()
        _Server(config, lambda: report(f"listening on http://{_bracketed(address[0])}:{address[1]}")).run([listener])


class _Server(uvicorn.Server):
    """A server that says when it is ready: the connections of a service that cannot start are reset."""

    def __init__(self, config: uvicorn.Config, on_ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._on_ready = on_ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start the workers and accept connections."""
        await super().startup(sockets)
        self._on_ready()


def listen(host: str, port: int) -> socket.socket:
    """A listening socket. TCP is named explicitly: otherwise asyncio keeps Nagle's algorithm on, which costs 40 ms."""
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(BACKLOG)  # before the workers start: a port that is taken is told at once
    except OSError as error:
        listener.close()
        raise UsageError(f"cannot listen on {host}:{port}: {error.strerror or error}") from error
    return listener


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host
