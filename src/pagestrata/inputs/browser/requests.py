"""Answers all requests of the browser, within a budget.

Chromium cannot reach the network, so a request that is not answered here fails. A saved page may load the style sheets,
images and fonts in its folder. The resources of a page of the web are fetched by our own client, which connects only to
addresses that it has checked; DNS rebinding has no effect, as the browser never resolves a name.
"""

import asyncio
import mimetypes
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote, urljoin, urlsplit

from pagestrata.errors import FetchError
from pagestrata.inputs.addresses import AddressPolicy, Resolve
from pagestrata.inputs.http import DEFAULT_LIMITS, fetch
from pagestrata.page.raw import RawPage

if TYPE_CHECKING:
    from playwright.async_api import Request, Route

FETCHED_TYPES: Final = frozenset(("document", "stylesheet", "image", "font", "script", "xhr", "fetch"))
"""Types of resources that can change the appearance of a page, unlike videos, sockets and beacons."""
SAVED_TYPES: Final = frozenset(("stylesheet", "image", "font"))
"""Types of resources that are read from the folder of a saved page; none of them can add text to it."""
MAX_CONCURRENT_REQUESTS: Final = 6
"""The limit that browsers have for one host."""
MAX_RESPONSE_BYTES: Final = 8_000_000
"""The size limit of one response, so that six concurrent ones stay within the 50 MB of a page."""
MAX_NAVIGATIONS: Final = 6
"""The first address and five more, as many as the redirects that we follow."""
_CONNECTION_HEADERS: Final = frozenset(
    ("connection", "content-encoding", "content-length", "keep-alive", "set-cookie", "transfer-encoding")
)
"""Headers that apply to our own connection and are not passed on to the browser."""


@dataclass(frozen=True, slots=True)
class Web:
    """Access to the network with an address policy."""

    policy: AddressPolicy
    resolve: Resolve

    async def fetch(self, url: str, max_bytes: int, deadline: float) -> RawPage:
        """Fetch a URL with our own client, which blocks and therefore runs in a thread."""
        limits = replace(DEFAULT_LIMITS, max_bytes=max_bytes, total_seconds=max(0.0, deadline - monotonic()))
        return await asyncio.to_thread(fetch, url, self.policy, limits, self.resolve)


@dataclass(slots=True)
class Budget:
    """The remaining requests, bytes and time of a page."""

    requests: int
    """The number of requests allowed in total."""
    size: int
    """The number of bytes left."""
    deadline: float
    """A time on the `monotonic` clock."""
    started: int = 0
    """Requests so far."""
    refused: int = 0
    """Requests that exceeded the budget."""

    def take(self) -> int:
        """Start a request: reserve and return the number of bytes that its response may have; 0 refuses it."""
        self.started += 1
        share = min(self.size, MAX_RESPONSE_BYTES) if self.started <= self.requests else 0
        self.size -= share
        self.refused += share == 0
        return share

    def give_back(self, size: int) -> None:
        """Return the bytes that a request reserved but did not use."""
        self.size += size


@dataclass(slots=True)
class Answers:
    """Answers the requests of one page."""

    main: RawPage
    """The page itself, which is the response to the first request."""
    address: str
    """The address under which the browser loads the page."""
    budget: Budget
    web: Web | None = None
    """None if nothing may be fetched."""
    folder: Path | None = None
    """The folder of a saved page; None if no file in it may be used."""
    navigations: int = 0
    """How often the page itself was loaded or moved to another address."""
    navigation_refused: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when a navigation was refused; the page will then not finish loading."""
    _slots: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(MAX_CONCURRENT_REQUESTS))

    async def answer(self, route: "Route", request: "Request") -> None:
        """Answer or abort one request."""
        from playwright.async_api import Error

        with suppress(Error):  # the page may be closed already
            is_navigation = _is_navigation(request)
            self.navigations += is_navigation
            response = self.main if is_navigation and self.navigations == 1 else await self._find(request)
            if response is not None:
                await route.fulfill(body=response.data, headers=_headers(response))
            else:  # "aborted" keeps the current page; any other reason would replace it with an error page
                await route.abort("aborted" if is_navigation else "failed")
                if is_navigation:
                    self.navigation_refused.set()

    async def _find(self, request: "Request") -> RawPage | None:
        share, response = self.budget.take(), None
        if share and request.method == "GET" and self.navigations <= MAX_NAVIGATIONS:
            if self.web is not None and request.resource_type in FETCHED_TYPES:
                response = await self._fetch(self.web, request.url, share)
            elif self.folder is not None and request.resource_type in SAVED_TYPES:
                response = read_beside(self.folder, self.address, request.url, share)
        self.budget.give_back(share - (len(response.data) if response else 0))
        return response

    async def _fetch(self, web: Web, url: str, share: int) -> RawPage | None:
        async with self._slots:
            try:
                return await web.fetch(url, share, self.budget.deadline)
            except FetchError:  # as in any browser, the page is drawn without this resource
                return None


def read_beside(folder: Path, address: str, url: str, max_bytes: int) -> RawPage | None:
    """Read the file that a URL in a saved page refers to, if it is in the folder of the page or below."""
    base, target = urljoin(address, "."), urlsplit(url)._replace(query="", fragment="").geturl()
    if not target.startswith(base):
        return None
    try:
        path = (folder / unquote(target.removeprefix(base))).resolve()
        if not path.is_relative_to(folder.resolve()) or not path.is_file() or path.stat().st_size > max_bytes:
            return None
        return RawPage(path.read_bytes(), content_type=mimetypes.guess_type(path.name)[0])
    except (OSError, ValueError):
        return None


def _is_navigation(request: "Request") -> bool:
    """Whether a request loads the page itself, and not a frame or resource in it."""
    from playwright.async_api import Error

    try:
        return request.is_navigation_request() and request.frame.parent_frame is None
    except Error:  # the window does not exist yet
        return False


def _headers(page: RawPage) -> dict[str, str]:
    headers = {name: value for name, value in page.headers.items() if name not in _CONNECTION_HEADERS}
    return headers | ({"content-type": page.content_type} if page.content_type else {})
