"""The fetcher against real servers on the loopback, most of them hostile; every one must end soon and in our errors."""

import gzip
import shutil
import socket
import ssl
import struct
import subprocess
import sys
import time
import tracemalloc
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Thread

import pytest

from pagestrata.errors import AddressRefused, FetchError
from pagestrata.inputs import http
from pagestrata.inputs.addresses import AddressPolicy, refusal
from pagestrata.inputs.http import DEFAULT_LIMITS, FetchLimits, fetch, resolve_host
from pagestrata.page.raw import RawPage

PAGE = b"<!doctype html><title>Page</title><p>A page."
QUICK = FetchLimits(first_byte_seconds=0.4, total_seconds=0.5)
LATE = 15  # seconds: far more than any limit here, as the machine may be busy; without limits it would never end

Handler = Callable[[socket.socket], None]

connected: list[object] = []


def note_connections(event: str, arguments: tuple[object, ...]) -> None:
    """Every attempt of this process to connect, whatever becomes of it."""
    if event == "socket.connect":
        connected.append(arguments[1])


sys.addaudithook(note_connections)


@dataclass
class Server:
    port: int
    requests: list[bytes] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    @property
    def policy(self) -> AddressPolicy:
        """Exactly this server is allowed."""
        return AddressPolicy((f"127.0.0.1:{self.port}",))

    def fetch(self, limits: FetchLimits = DEFAULT_LIMITS) -> RawPage:
        return fetch(self.url, self.policy, limits)


@contextmanager
def serving(*handlers: Handler, tls: ssl.SSLContext | None = None) -> Iterator[Server]:
    """A server whose n-th connection is answered by the n-th handler, and all later ones by the last."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = Server(listener.getsockname()[1])

        def answer(connection: socket.socket, handler: Handler) -> None:
            with suppress(OSError), connection:
                stream = tls.wrap_socket(connection, server_side=True) if tls else connection
                with stream:
                    server.requests.append(stream.recv(65536))
                    handler(stream)

        def serve() -> None:
            with suppress(OSError):
                for number in range(1000):
                    connection, _ = listener.accept()
                    handler = handlers[min(number, len(handlers) - 1)]
                    Thread(target=answer, args=(connection, handler), daemon=True).start()

        Thread(target=serve, daemon=True).start()
        yield server
        listener.shutdown(socket.SHUT_RDWR)


def reply(body: bytes = PAGE, *headers: str, status: str = "200 OK", sized: bool = True) -> bytes:
    lines = [f"HTTP/1.1 {status}", *headers, *([f"Content-Length: {len(body)}"] if sized else [])]
    return "".join(f"{line}\r\n" for line in (*lines, "")).encode() + body


def send(data: bytes) -> Handler:
    return lambda connection: connection.sendall(data)


def redirect(location: str, status: int = 302) -> Handler:
    return send(reply(b"", f"Location: {location}", status=f"{status} Found"))


def repeat(start: bytes, again: bytes, pause: float = 0.0) -> Handler:
    """Send the start, then the same again and again for as long as the other side listens."""

    def handler(connection: socket.socket) -> None:
        connection.sendall(start)
        while True:
            connection.sendall(again)
            time.sleep(pause)

    return handler


def hang(start: bytes = b"") -> Handler:
    def handler(connection: socket.socket) -> None:
        connection.sendall(start)
        connection.recv(1)

    return handler


def reset(start: bytes) -> Handler:
    def handler(connection: socket.socket) -> None:
        connection.sendall(start)
        time.sleep(0.05)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

    return handler


CHUNKS = reply(b"", "Transfer-Encoding: chunked", sized=False)


def chunked(*chunks: bytes) -> bytes:
    return CHUNKS + b"".join(b"%x;note=1\r\n%s\r\n" % (len(chunk), chunk) for chunk in (*chunks, b""))


def bomb(size: int) -> bytes:
    return gzip.compress(bytes(size), mtime=0)


def raw_deflate(data: bytes) -> bytes:
    return zlib.compress(data, wbits=-15)


def test_a_page_comes_with_its_url_headers_and_time() -> None:
    with serving(send(reply(PAGE, "Content-Type: text/html; charset=utf-8", "X-One: 1", "x-one: 2"))) as server:
        page = fetch(f"{server.url}a?b=ü#c", server.policy)
    assert page.markup == PAGE
    assert page.url == f"{server.url}a?b=%C3%BC"
    assert page.content_type == "text/html; charset=utf-8"
    assert page.headers["x-one"] == "1, 2"
    assert page.time is not None
    assert page.time.endswith("+00:00")


def test_the_request_is_polite_and_carries_no_secrets() -> None:
    with serving(send(reply(PAGE, "Set-Cookie: a=b", "Location: /", status="302 Found")), send(reply())) as server:
        server.fetch()
    first, second = server.requests
    assert first == second
    assert first.startswith(b"GET / HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nUser-Agent: pagestrata/" % server.port)
    assert b"\r\nAccept-Encoding: gzip, deflate\r\n" in first
    assert b"cookie" not in first.lower()


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(reply(), id="length"),
        pytest.param(reply(PAGE, f"Content-Length: {len(PAGE)}"), id="length twice"),
        pytest.param(reply(sized=False), id="until the end"),
        pytest.param(reply().replace(b"\r\n", b"\n"), id="bare newlines"),
        pytest.param(chunked(PAGE[:5], PAGE[5:]), id="chunks"),
        pytest.param(reply() + b"more than the length", id="rubbish after the end"),
        pytest.param(reply(gzip.compress(PAGE), "Content-Encoding: gzip"), id="gzip"),
        pytest.param(reply(gzip.compress(PAGE) + b"\0\0", "Content-Encoding: X-GZIP"), id="padded gzip"),
        pytest.param(reply(gzip.compress(PAGE[:9]) + gzip.compress(PAGE[9:]), "Content-Encoding: gzip"), id="members"),
        pytest.param(reply(zlib.compress(PAGE), "Content-Encoding: deflate"), id="deflate"),
        pytest.param(reply(raw_deflate(PAGE), "Content-Encoding: deflate"), id="raw deflate"),
        pytest.param(reply(gzip.compress(zlib.compress(PAGE)), "Content-Encoding: deflate, gzip"), id="two encodings"),
        pytest.param(reply(gzip.compress(gzip.compress(PAGE)), *["Content-Encoding: gzip"] * 2), id="double gzip"),
        pytest.param(reply(PAGE, *["X-A: b"] * 199), id="200 headers"),
        pytest.param(reply(b"", status="103 Early Hints", sized=False) * 3 + reply(), id="three 1xx before"),
    ],
)
def test_pages_arrive_however_they_are_framed(answer: bytes) -> None:
    with serving(send(answer)) as server:
        assert server.fetch().markup == PAGE


def test_large_compressed_pages_arrive_whole() -> None:
    text = "".join(f"<p>Paragraph {number} of the page.</p>" for number in range(60_000)).encode()
    for encoding, body in (("gzip", gzip.compress(text)), ("deflate", raw_deflate(text))):
        with serving(send(reply(body, f"Content-Encoding: {encoding}"))) as server:
            assert server.fetch().markup == text


def test_any_type_of_content_is_given_to_the_caller() -> None:
    with serving(send(reply(b"%PDF", "Content-Type: application/pdf"))) as server:
        assert server.fetch().content_type == "application/pdf"


def test_no_content_is_an_empty_page_even_when_the_server_never_closes() -> None:
    with serving(hang(reply(b"", status="204 No Content", sized=False))) as server:
        assert server.fetch().markup == b""


def test_proxies_of_the_environment_are_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(send(reply())) as server, serving(send(reply(b"proxied"))) as proxy:
        for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, proxy.url)
        assert server.fetch().markup == PAGE
    assert proxy.requests == []


# --- what may go wrong

BROKEN = {
    "404": (send(reply(status="404 Not Found")), "HTTP status 404"),
    "500": (send(reply(status="500 Oops")), "HTTP status 500"),
    "304": (send(reply(status="304 Not Modified")), "HTTP status 304"),
    "redirect without location": (send(reply(status="302 Found")), "HTTP status 302"),
    "not HTTP": (send(b"SSH-2.0-OpenSSH_9.6\r\n\r\n"), "not HTTP"),
    "no answer": (send(b""), "ends early"),
    "early end of head": (send(b"HTTP/1.1 200 OK\r\nA: b"), "ends early"),
    "early end of page": (send(reply()[:-1]), "ends early"),
    "early end of chunk": (send(chunked(PAGE)[:-20]), "ends early"),
    "early end of chunks": (send(chunked(PAGE)[:-14]), "ends early"),
    "early end of gzip": (send(reply(gzip.compress(PAGE)[:-9], "Content-Encoding: gzip")), "ends early"),
    "not gzip": (send(reply(PAGE, "Content-Encoding: gzip")), "compressed page cannot be read"),
    "triple gzip": (send(reply(PAGE, "Content-Encoding: gzip, gzip, gzip")), "encoding is not supported"),
    "brotli": (send(reply(PAGE, "Content-Encoding: br")), "encoding is not supported"),
    "gzip as transfer encoding": (send(reply(PAGE, "Transfer-Encoding: gzip, chunked")), "not supported"),
    "two lengths": (send(reply(PAGE, "Content-Length: 3")), "content length"),
    "negative length": (send(reply(PAGE, "Content-Length: -1", sized=False)), "content length"),
    "chunk of size -1": (send(CHUNKS + b"-1\r\n" + PAGE), "size of a chunk"),
    "chunk longer than it says": (send(CHUNKS + b"1\r\n" + PAGE), "chunk is longer"),
    "endless chunk line": (repeat(CHUNKS + b"1;", b"x" * 999), "size of a chunk"),
    "huge header": (send(reply(PAGE, "A: " + "b" * 70_000)), "too large"),
    "endless header": (repeat(b"HTTP/1.1 200 OK\r\nA: ", b"b" * 999), "too large"),
    "201 headers": (send(reply(PAGE, *["X-A: b"] * 200)), "too many lines"),
    "endless headers": (repeat(b"HTTP/1.1 200 OK\r\n", b"A: b\r\n"), "too many lines"),
    "endless 1xx": (repeat(b"", b"HTTP/1.1 100 Continue\r\n\r\n"), "too many lines"),
    "reset in the head": (reset(b"HTTP/1.1 200 OK\r\n"), "connection failed"),
    "reset in the page": (reset(reply()[:-1]), "connection failed"),
    "never answers": (hang(), "too long"),
    "never ends the page": (hang(reply(sized=False)), "too long"),
    "slow 1xx": (repeat(b"", b"HTTP/1.1 100 Continue\r\n\r\n", pause=0.05), "too long"),
    "slow header": (repeat(b"HTTP/1.1 200 OK\r\nA: ", b"b", pause=0.05), "too long"),
    "slow page": (repeat(reply(b"", "Content-Length: 9999", sized=False), b"b", pause=0.05), "too long"),
    "slow chunks": (repeat(CHUNKS, b"1\r\na\r\n", pause=0.05), "too long"),
    "slow chunk line": (repeat(CHUNKS, b"0", pause=0.05), "too long"),
}


@pytest.mark.parametrize(("handler", "message"), BROKEN.values(), ids=BROKEN)
def test_broken_and_hostile_servers_end_in_a_fetch_error_in_time(handler: Handler, message: str) -> None:
    start = time.monotonic()
    with serving(handler) as server, pytest.raises(FetchError, match=message):
        server.fetch(QUICK)
    assert time.monotonic() - start < LATE


LIMITED = {
    "long page": send(reply(bytes(300_000))),
    "endless page": repeat(reply(sized=False), bytes(9999)),
    "endless chunks": repeat(CHUNKS, b"270f\r\n%s\r\n" % bytes(9999)),
    "gzip bomb": send(reply(bomb(20_000_000), "Content-Encoding: gzip")),
    "bomb of members": send(reply(bomb(20_000) * 1000, "Content-Encoding: gzip")),
    "deflate bomb": send(reply(zlib.compress(bytes(20_000_000)), "Content-Encoding: deflate")),
    "double bomb": send(reply(gzip.compress(bomb(20_000_000)), "Content-Encoding: gzip, gzip")),
    "bomb of empty members": send(reply(gzip.compress(bomb(0) * 50_000), "Content-Encoding: gzip, gzip")),
}


@pytest.mark.parametrize("handler", LIMITED.values(), ids=LIMITED)
def test_large_pages_and_bombs_end_soon_and_small(handler: Handler) -> None:
    limits = FetchLimits(max_bytes=200_000, total_seconds=5)
    with serving(handler) as server:
        tracemalloc.start()
        start = time.monotonic()
        with pytest.raises(FetchError, match="larger than allowed"):
            server.fetch(limits)
        elapsed, peak = time.monotonic() - start, tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert elapsed < LATE
    assert peak < 4_000_000


def test_the_ratio_counts_only_past_the_free_bytes() -> None:
    small, large = (reply(bomb(size), "Content-Encoding: gzip") for size in (1_000_000, 1_000_001))
    with serving(send(small), send(large)) as server:
        assert len(server.fetch().markup) == 1_000_000
        with pytest.raises(FetchError, match="larger than allowed"):
            server.fetch()


# --- redirects


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirects_are_followed_to_the_final_url(status: int) -> None:
    with serving(redirect("/ä?q#x", status), redirect("../b", 302), send(reply())) as server:
        page = server.fetch()
    assert page.url == f"{server.url}b"
    assert page.markup == PAGE
    assert server.requests[1].startswith(b"GET /%C3%A4?q HTTP/1.1\r\n")


def test_as_many_redirects_as_allowed_and_no_more() -> None:
    with serving(*[redirect("/")] * 5, send(reply())) as server:
        assert server.fetch().markup == PAGE
    with serving(redirect("/")) as server, pytest.raises(FetchError, match="more than 5 redirects"):
        server.fetch()
    assert len(server.requests) == 6


def test_the_body_of_a_redirect_is_never_read() -> None:
    bombs = reply(bomb(20_000_000), "Content-Encoding: gzip, gzip, gzip", "Location: /", status="302 Found")
    with serving(
        send(bombs), hang(reply(b"", "Location: /", "Content-Length: 9", status="301")), send(reply())
    ) as server:
        assert server.fetch().markup == PAGE


@pytest.mark.parametrize(
    "location",
    [
        *("http://169.254.169.254/latest/meta-data/", "http://10.0.0.1/", "http://[::1]/", "http://localhost/", "//0/"),
        *("http://127.0.0.1:8999/", "https://127.0.0.1/", "http://2130706433/", "http://user@127.0.0.1/"),
        *("file:///etc/passwd", "gopher://127.0.0.1/", "http://[", "javascript:alert(1)", "http:\\\\10.0.0.1\\"),
    ],
)
def test_redirects_to_refused_addresses_end_before_a_connection(location: str) -> None:
    with serving(redirect("/"), redirect(location)) as server:
        connected.clear()
        with pytest.raises(AddressRefused, match=str(refusal())):
            fetch(server.url, server.policy, resolve=lambda host: ["127.0.0.1"])
    assert set(connected) == {("127.0.0.1", server.port)}


def test_an_allowed_address_opens_no_way_to_its_neighbours() -> None:
    for neighbour in ("169.254.169.254", "10.0.0.1", "127.0.0.2", "[::1]", "[::ffff:127.0.0.1]"):
        with serving(redirect(f"http://{neighbour}/")) as server:
            policy = AddressPolicy(("127.0.0.1", *server.policy.allow))
            connected.clear()
            with pytest.raises(AddressRefused):
                fetch(server.url, policy)
        assert connected == [("127.0.0.1", server.port)]


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirects_to_another_local_server_never_reach_it(status: int) -> None:
    with (
        serving(send(reply())) as internal,
        serving(redirect(internal.url, status)) as server,
        pytest.raises(AddressRefused),
    ):
        server.fetch()
    assert internal.requests == []


def test_other_ways_to_point_elsewhere_are_not_followed() -> None:
    with serving(send(reply())) as internal:
        elsewhere = (
            f"Refresh: 0; url={internal.url}",
            f'Alt-Svc: h2="127.0.0.1:{internal.port}"',
            "Link: </>; rel=next",
        )
        with serving(send(reply(PAGE, *elsewhere))) as server:
            assert server.fetch().markup == PAGE
    assert internal.requests == []


def test_the_time_of_a_fetch_is_shared_by_its_redirects() -> None:
    def slow(connection: socket.socket) -> None:
        time.sleep(0.2)
        redirect("/")(connection)

    start = time.monotonic()
    with serving(slow) as server, pytest.raises(FetchError, match="too long"):
        server.fetch(QUICK)
    assert time.monotonic() - start < LATE


# --- names and addresses


def test_by_default_the_loopback_is_refused_before_a_connection() -> None:
    with serving(send(reply())) as server:
        connected.clear()
        for host in ("127.0.0.1", "localhost", "2130706433", "[::ffff:127.0.0.1]"):
            with pytest.raises(AddressRefused):
                fetch(f"http://{host}:{server.port}/")
    assert connected == []


@pytest.mark.parametrize("private", ["127.0.0.1", "::1", "10.0.0.1"])
def test_a_name_with_one_private_address_is_refused(private: str) -> None:
    connected.clear()
    with pytest.raises(AddressRefused):
        fetch("http://example.com/", resolve=lambda host: ["93.184.216.34", private])
    assert connected == []


def test_a_name_is_resolved_once_so_it_cannot_be_rebound() -> None:
    asked: list[str] = []

    def rebinding(host: str) -> list[str]:
        asked.append(host)
        return ["127.0.0.1"] if len(asked) == 1 else ["10.0.0.1"]

    with serving(send(reply())) as server:
        connected.clear()
        page = fetch(f"http://page.example:{server.port}/", server.policy, resolve=rebinding)
    assert page.url == f"http://page.example:{server.port}/"
    assert b"Host: page.example:%d\r\n" % server.port in server.requests[0]
    assert (asked, connected) == (["page.example"], [("127.0.0.1", server.port)])


def test_each_hop_is_resolved_and_checked_anew() -> None:
    answers = iter([["127.0.0.1"], ["10.0.0.1"]])
    with serving(redirect("/again")) as server:
        connected.clear()
        with pytest.raises(AddressRefused):
            fetch(f"http://page.example:{server.port}/", server.policy, resolve=lambda host: next(answers))
    assert connected == [("127.0.0.1", server.port)]


def test_the_next_address_is_tried_when_one_is_closed() -> None:
    with serving(send(reply())) as server:
        policy = AddressPolicy((f"127.0.0.0/8:{server.port}",))
        page = fetch(f"http://page.example:{server.port}/", policy, resolve=lambda host: ["127.0.0.2", "127.0.0.1"])
    assert page.markup == PAGE


def test_closed_unknown_slow_and_private_look_the_same() -> None:
    def unknown(host: str) -> list[str]:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    def slow(host: str) -> list[str]:
        time.sleep(2 * LATE)
        return ["127.0.0.1"]

    with serving(send(reply())) as server:
        closed = server
    for resolve in (unknown, slow, lambda host: ["127.0.0.1"], lambda host: ["10.0.0.1"]):
        start = time.monotonic()
        with pytest.raises(AddressRefused) as caught:
            fetch(f"http://page.example:{closed.port}/", closed.policy, QUICK, resolve)
        assert time.monotonic() - start < LATE
        assert str(caught.value) == str(refusal())


def test_the_system_resolves_names() -> None:
    assert "127.0.0.1" in resolve_host("127.0.0.1")


# --- TLS


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A self-signed certificate of page.example with its key, in one file."""
    if not shutil.which("openssl"):
        pytest.skip("no openssl command to make a certificate with")
    path = tmp_path_factory.mktemp("tls") / "page.pem"
    key, names = (
        "ec -pkeyopt ec_paramgen_curve:prime256v1",
        "-subj /CN=page.example -addext subjectAltName=DNS:page.example",
    )
    command = f"openssl req -x509 -nodes -days 2 -newkey {key} {names} -keyout {path} -out {path}.cert"
    subprocess.run(command.split(), check=True, capture_output=True)
    path.write_text(path.read_text() + path.with_suffix(".pem.cert").read_text())
    return path


@pytest.fixture
def server_tls(certificate: Path) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    return context


@pytest.fixture
def trusted(certificate: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As if the system trusted the certificate."""
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    http._tls.cache_clear()
    yield
    http._tls.cache_clear()


def fetch_tls(server: Server, host: str) -> RawPage:
    return fetch(f"https://{host}:{server.port}/", server.policy, resolve=lambda host: ["127.0.0.1"])


def test_a_certificate_that_nobody_signed_is_refused(server_tls: ssl.SSLContext) -> None:
    with serving(send(reply()), tls=server_tls) as server, pytest.raises(FetchError, match="certificate verify failed"):
        fetch_tls(server, "page.example")
    assert server.requests == []


@pytest.mark.usefixtures("trusted")
def test_the_certificate_is_checked_for_the_name_not_the_address(server_tls: ssl.SSLContext) -> None:
    names: list[str | None] = []
    server_tls.sni_callback = lambda connection, name, context: names.append(name)
    with serving(send(reply()), tls=server_tls) as server:
        assert fetch_tls(server, "page.example").markup == PAGE
        for other in ("other.example", "127.0.0.1"):
            with pytest.raises(FetchError, match="certificate verify failed"):
                fetch_tls(server, other)
    assert names == ["page.example", "other.example", None]


@pytest.mark.usefixtures("trusted")
def test_redirects_between_https_and_http_are_checked_alike(server_tls: ssl.SSLContext) -> None:
    with serving(send(reply())) as plain, serving(redirect(plain.url), tls=server_tls) as secure:
        both = AddressPolicy(plain.policy.allow + secure.policy.allow)
        url = f"https://page.example:{secure.port}/"
        assert fetch(url, both, resolve=lambda host: ["127.0.0.1"]).url == plain.url
        with pytest.raises(AddressRefused):
            fetch_tls(secure, "page.example")
    assert len(plain.requests) == 1


def test_a_server_that_never_shakes_hands_ends_in_time() -> None:
    start = time.monotonic()
    for handler in (hang(), repeat(b"\x16\x03\x03\x40\x00", b"\x02", pause=0.05)):
        with serving(handler) as server, pytest.raises(FetchError, match="too long"):
            fetch(f"https://127.0.0.1:{server.port}/", server.policy, replace(QUICK, first_byte_seconds=0.3))
    assert time.monotonic() - start < LATE


def test_plain_http_behind_https_is_a_fetch_error() -> None:
    with serving(send(reply())) as server, pytest.raises(FetchError, match="connection failed"):
        fetch_tls(server, "page.example")
