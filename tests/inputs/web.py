"""A small web on the loopback."""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

from pagestrata.inputs.addresses import AddressPolicy


@dataclass
class Web:
    """What was asked for, and when."""

    port: int
    asked: list[tuple[str, float]] = field(default_factory=list)

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    @property
    def allowed(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def policy(self) -> AddressPolicy:
        return AddressPolicy((self.allowed,))

    @property
    def paths(self) -> list[str]:
        return [path for path, _ in self.asked]


@contextmanager
def serving_pages(pages: Mapping[str, bytes | int | str]) -> Iterator[Web]:
    """Serve these by path: a number as that status, text as an address to go to, `{here}` in a page as where it is."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            web.asked.append((self.path, time.monotonic()))
            found = pages.get(self.path, 404)
            self.send_response(found if isinstance(found, int) else 302 if isinstance(found, str) else 200)
            if isinstance(found, str):
                self.send_header("Location", found)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            if isinstance(found, bytes):
                self.wfile.write(found.replace(b"{here}", web.url("").encode()))

        def log_message(self, format: str, *arguments: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        web = Web(server.server_address[1])
        Thread(target=server.serve_forever, daemon=True).start()
        yield web
        server.shutdown()
