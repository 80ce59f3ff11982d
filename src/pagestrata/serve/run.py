"""Listens, and stops when it is told to: what is under way is finished first."""

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
"""How long the thread of a worker waits for the one that reads bodies: Python's 5 ms, several times for each page,
would be longer than the page takes."""


def run(settings: ServeSettings, port: int, tell: Callable[[str], None]) -> None:
    """Serve until a signal comes."""
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
            proxy_headers=False,  # anyone could say who they are
            server_header=False,
            backlog=BACKLOG,
            timeout_graceful_shutdown=round(settings.limits.wait_seconds + settings.limits.seconds),
        )
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: None)  # uvicorn sends itself the signal again once it has stopped
        where = listener.getsockname()
        tell(f"listening on http://{_bracketed(where[0])}:{where[1]}")
        uvicorn.Server(config).run(sockets=[listener])


def listen(host: str, port: int) -> socket.socket:
    """A socket at that address. It says that it is TCP: else asyncio leaves Nagle's algorithm on, which costs 40 ms."""
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(BACKLOG)  # who comes before the workers are ready waits
    except OSError as error:
        listener.close()
        raise UsageError(f"cannot listen on {host}:{port}: {error.strerror or error}") from error
    return listener


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host
