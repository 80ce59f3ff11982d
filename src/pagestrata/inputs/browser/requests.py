"""Who answers the browser: we do, out of a budget, and nobody else can.

Chromium has no way to the network, so that a request that is not answered here fails. A saved page gets itself, and
the style sheets, images and fonts that lie beside it. A page of the web gets what our own fetcher brings, which
connects only to addresses that it has checked; a name that changes its address between check and connection changes
nothing, as the browser never looks it up.
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

FETCHED: Final = frozenset(("document", "stylesheet", "image", "font", "script", "xhr", "fetch"))
"""What shapes a page; films, sockets, beacons and the like do not."""
BESIDE: Final = frozenset(("stylesheet", "image", "font"))
"""What is taken from the folder of a saved page: nothing from which words could come into it."""
AT_ONCE: Final = 6
"""Requests under way, as browsers have it for one host."""
LARGEST: Final = 8_000_000
"""Bytes of one answer, so that all that are under way at once stay within the 50 MB of a page."""
MOST_MOVES: Final = 6
"""The first address, and five more: as many as we follow redirects."""
_OURS: Final = frozenset(
    ("connection", "content-encoding", "content-length", "keep-alive", "set-cookie", "transfer-encoding")
)
"""Headers that were for us."""


@dataclass(frozen=True, slots=True)
class Web:
    """The way out, through the one address check."""

    policy: AddressPolicy
    resolve: Resolve

    async def fetch(self, url: str, most: int, deadline: float) -> RawPage:
        """Fetch with our own client, in a thread, as it waits."""
        limits = replace(DEFAULT_LIMITS, max_bytes=most, total_seconds=max(0.0, deadline - monotonic()))
        return await asyncio.to_thread(fetch, url, self.policy, limits, self.resolve)


@dataclass(slots=True)
class Budget:
    """What is left to a page."""

    requests: int
    size: int
    deadline: float
    """A moment of `monotonic`."""
    asked: int = 0
    refused: int = 0
    """Requests that found nothing left."""

    def take(self) -> int:
        """Begin a request: how many bytes its answer may have, 0 when there is to be none."""
        self.asked += 1
        share = min(self.size, LARGEST) if self.asked <= self.requests else 0
        self.size -= share
        self.refused += share == 0
        return share

    def give_back(self, size: int) -> None:
        """End a request that did not need all of its share."""
        self.size += size


@dataclass(slots=True)
class Answers:
    """Answers the requests of one page."""

    main: RawPage
    """The answer to the first request."""
    address: str
    """Where the browser believes it is from."""
    budget: Budget
    web: Web | None = None
    """None lets nothing out."""
    folder: Path | None = None
    """Where a saved page lies; None if nothing beside it is to be used."""
    moves: int = 0
    """How often the page itself went to another address, the first included."""
    held: asyncio.Event = field(default_factory=asyncio.Event)
    """It wanted to go to another address, and may not: it will not finish loading."""
    _gate: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(AT_ONCE))

    async def answer(self, route: "Route", request: "Request") -> None:
        """Answer one request, or end it."""
        from playwright.async_api import Error

        with suppress(Error):  # the page may be gone by now
            is_move = _is_move(request)
            self.moves += is_move
            found = self.main if is_move and self.moves == 1 else await self._find(request)
            if found is not None:
                await route.fulfill(body=_bytes(found), headers=_headers(found))
            else:  # "aborted" leaves the page where it is; any other word would put an error page in its place
                await route.abort("aborted" if is_move else "failed")
                if is_move:
                    self.held.set()

    async def _find(self, request: "Request") -> RawPage | None:
        share, found = self.budget.take(), None
        if share and request.method == "GET" and self.moves <= MOST_MOVES:
            if self.web is not None and request.resource_type in FETCHED:
                found = await self._fetch(self.web, request.url, share)
            elif self.folder is not None and request.resource_type in BESIDE:
                found = read_beside(self.folder, self.address, request.url, share)
        self.budget.give_back(share - (len(_bytes(found)) if found else 0))
        return found

    async def _fetch(self, web: Web, url: str, share: int) -> RawPage | None:
        async with self._gate:
            try:
                return await web.fetch(url, share, self.budget.deadline)
            except FetchError:  # a page does without what cannot be had, as in any browser
                return None


def read_beside(folder: Path, address: str, url: str, most: int) -> RawPage | None:
    """The file that a saved page means, if it lies in the page's own folder or below it."""
    base, place = urljoin(address, "."), urlsplit(url)._replace(query="", fragment="").geturl()
    if not place.startswith(base):
        return None
    try:
        path = (folder / unquote(place.removeprefix(base))).resolve()
        if not path.is_relative_to(folder.resolve()) or not path.is_file() or path.stat().st_size > most:
            return None
        return RawPage(path.read_bytes(), content_type=mimetypes.guess_type(path.name)[0])
    except (OSError, ValueError):
        return None


def _is_move(request: "Request") -> bool:
    """Whether the page itself goes to an address, and not a frame in it."""
    from playwright.async_api import Error

    try:
        return request.is_navigation_request() and request.frame.parent_frame is None
    except Error:  # of a window that is not there yet
        return False


def _bytes(page: RawPage) -> bytes:
    return page.markup.encode() if isinstance(page.markup, str) else page.markup


def _headers(page: RawPage) -> dict[str, str]:
    headers = {name: value for name, value in page.headers.items() if name not in _OURS}
    return headers | ({"content-type": page.content_type} if page.content_type else {})
