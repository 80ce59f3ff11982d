"""A page may be asked for by its URL only where that is turned on, and only at public addresses."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import httpx
import pytest

from tests.serve.running import TEA, running


class Pages(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200 if self.path == "/tea" else 404)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(TEA.encode())

    def log_message(self, *_: object) -> None: ...


@pytest.fixture(scope="module")
def web() -> Iterator[int]:
    with HTTPServer(("127.0.0.1", 0), Pages) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def client(web: int, tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    folder = tmp_path_factory.mktemp("fetch")
    allowed = ("--fetch", "--allow-address", f"127.0.0.1:{web}")
    with running(str(folder / "sites.db"), folder / "log", *allowed) as service, service.client() as found:
        yield found


def test_a_page_is_fetched_and_read(client: httpx.Client, web: int) -> None:
    address = f"http://127.0.0.1:{web}/tea"
    answer = client.post("/extract", json={"url": address}).json()
    assert ("Tea", address) == (answer["title"], answer["url"])
    call = {"name": "extract", "arguments": {"url": address}}
    told = client.post("/mcp", json={"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}).json()
    assert "Tea" == told["result"]["structuredContent"]["title"]


def test_refusals_tell_nothing_of_the_network(client: httpx.Client, service_port: int) -> None:
    addresses = (
        f"http://127.0.0.1:{service_port}/health",
        "http://127.0.0.1:1/",
        "http://10.0.0.1/",
        "http://169.254.169.254/latest/meta-data/",
        "http://[::ffff:127.0.0.1]/",
        "http://nothing.invalid/",
    )
    answers = [client.post("/extract", json={"url": address}) for address in addresses]
    assert {502} == {answer.status_code for answer in answers}
    assert 1 == len({answer.json()["detail"] for answer in answers})


@pytest.fixture
def service_port(client: httpx.Client) -> int:
    assert client.base_url.port is not None
    return client.base_url.port


@pytest.mark.parametrize("address", ["file:///etc/passwd", "gopher://127.0.0.1/", "no address", "http://"])
def test_what_is_no_address_of_the_web_is_refused(client: httpx.Client, address: str) -> None:
    assert client.post("/extract", json={"url": address}).status_code in (422, 502)


def test_a_page_that_is_not_there_says_so(client: httpx.Client, web: int) -> None:
    answer = client.post("/extract", json={"url": f"http://127.0.0.1:{web}/mud"})
    assert (502, "HTTP status 404") == (answer.status_code, answer.json()["detail"])
