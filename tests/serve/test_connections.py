"""Connections that are slow or silent end by themselves, and every answer arrives."""

import contextlib
import socket
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
import uvicorn

from pagestrata.serve import connections
from pagestrata.serve.run import listen

LARGE = b"a" * 30_000_000


async def app(scope: Any, receive: Any, send: Any) -> None:
    """Answers without reading; `/large` with more than a socket holds."""
    body = LARGE if scope["path"] == "/large" else b"hello"
    length = str(len(body)).encode()
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", length)]})
    await send({"type": "http.response.body", "body": body})


@pytest.fixture
def port(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    monkeypatch.setattr(connections, "CHECK_SECONDS", 0.25)
    config = uvicorn.Config(app, http=connections.TimedProtocol, ws="none", lifespan="off", log_config=None)
    server = uvicorn.Server(config)
    with listen("127.0.0.1", 0) as listener:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            yield listener.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join(20)


def seconds_until_closed(connection: socket.socket, trickle: bytes = b"") -> float:
    started = time.monotonic()
    connection.settimeout(0.05)
    with contextlib.suppress(ConnectionError):
        while time.monotonic() - started < 10:
            with contextlib.suppress(TimeoutError):
                connection.sendall(trickle)
                if not connection.recv(65536):
                    break
    return time.monotonic() - started


@pytest.mark.parametrize(("first", "trickle"), [(b"", b""), (b"GET / HTTP/1.1\r\nX-Slow: ", b"a")])
def test_a_head_that_does_not_come_is_not_waited_for(port: int, first: bytes, trickle: bytes) -> None:
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(first)
        assert 0.2 < seconds_until_closed(connection, trickle) < 5


def test_who_does_not_read_the_answer_is_left(port: int) -> None:
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.connect(("127.0.0.1", port))
        connection.sendall(b"GET /large HTTP/1.1\r\nHost: x\r\n\r\n")
        time.sleep(3)
        connection.settimeout(5)
        received = 0
        with contextlib.suppress(ConnectionResetError):
            while piece := connection.recv(1 << 20):
                received += len(piece)
        assert received < len(LARGE)


def test_who_reads_slowly_but_steadily_gets_it_all(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(b"GET /large HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        received = 0
        connection.settimeout(5)
        while piece := connection.recv(1 << 20):
            received += len(piece)
            time.sleep(0.02)
        assert received > len(LARGE)


def test_an_answer_before_the_end_of_the_body_arrives(port: int) -> None:
    body = b"a" * 5_000_000
    with socket.create_connection(("127.0.0.1", port)) as connection:
        head = f"POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: {len(body)}\r\n\r\n"
        connection.settimeout(10)
        connection.sendall(head.encode() + body)
        answer = b""
        while piece := connection.recv(65536):
            answer += piece
        assert answer.endswith(b"\r\n\r\nhello")


def test_an_answer_waits_for_a_client_that_is_slow_to_send(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the connection were closed before the rest arrives, the system would discard the answer."""
    monkeypatch.setattr(connections, "CHECK_SECONDS", 10.0)
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.settimeout(20)
        connection.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 300000\r\n\r\n")
        for _ in range(3):
            time.sleep(1)
            connection.sendall(b"a" * 100_000)
        assert connection.recv(65536).endswith(b"\r\n\r\nhello")
