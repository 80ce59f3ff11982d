"""Draws pages in Chromium, several at once, each in a Chromium of its own.

What a page does to its browser ends with it: after a failure the browser is killed, and the next page gets a new one.
All of it runs in one thread of our own, since Playwright wants a loop and our callers have none.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine, Iterable, Iterator
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Thread
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, Self, TypeVar
from urllib.parse import urljoin

from pagestrata.errors import AddressRefused, DrawError, PagestrataError, UsageError
from pagestrata.inputs.addresses import PUBLIC_ONLY, AddressPolicy, Resolve, split_url
from pagestrata.inputs.browser.launch import Launch, Running
from pagestrata.inputs.browser.requests import Answers, Budget, Web
from pagestrata.inputs.browser.snapshot import REQUEST, read_snapshot
from pagestrata.inputs.http import resolve_host
from pagestrata.page.decode import choose_encoding
from pagestrata.page.page import Limit
from pagestrata.page.raw import RawPage

if TYPE_CHECKING:
    from playwright.async_api import CDPSession
    from playwright.async_api import Page as Tab

WIDTH: Final = 1280
HEIGHT: Final = 800
"""The window, in CSS pixels; above the fold is what is above its lower edge."""
TALLEST_PICTURE: Final = 16_384
"""Pixels: what Chromium can paint at once."""
_NOWHERE: Final = "http://saved.invalid/"
"""Where a saved page is from that does not say; RFC 2606 keeps the name from ever being one."""
_LOAD_SHARE: Final = 0.6
"""Of the seconds: how long a page may load; the rest is to stop it and look at what is there."""
_SETTLE_SECONDS: Final = 5.0
"""How long after it has loaded a page of the web may go on fetching before we look."""
_OUTSIDE: Final = ("http:*", "https:*", "ws:*", "wss:*", "ftp:*", "file:*")
"""What is not in the page itself, as `data:` and `blob:` are."""
_WATCH_SECONDS: Final = 0.25
_LEAVE_SECONDS: Final = 3.0
_PAGES: Final = 100
"""In the life of a browser: it keeps a little of each."""

Item = TypeVar("Item")
Result = TypeVar("Result")
Place = str | RawPage
"""An address of the web, or a page that is here."""


@dataclass(frozen=True, slots=True)
class DrawLimits:
    """What drawing one page may cost. Those of requests are named in the result when they bite, the others end it."""

    seconds: float = 30.0
    requests: int = 500
    size: int = 50_000_000
    """Bytes of all answers together."""
    memory: int = 1 << 30
    """Bytes that the browser has for itself, with its driver; Linux only."""
    nodes: int = 500_000
    """Of the page once drawn."""
    markup: int = 20_000_000
    """Characters of the page once drawn."""


@dataclass(frozen=True, slots=True)
class Visit:
    """What came of looking at a page."""

    page: RawPage
    """With its snapshot."""
    picture: bytes = b""
    """A PNG, if it was asked for."""


class Browser:
    """Draws pages: a context manager that starts browsers as they are needed and leaves none behind.

    `parse` or `extract` read what `draw` gives; the page then has `boxes` and `drawn`.
    """

    def __init__(
        self,
        launch: Launch = Launch(),  # noqa: B008 (it is frozen)
        limits: DrawLimits = DrawLimits(),  # noqa: B008 (it is frozen)
        policy: AddressPolicy = PUBLIC_ONLY,
        scripts: bool = True,
        at_once: int = 1,
        resolve: Resolve = resolve_host,
    ) -> None:
        self.launch, self.limits, self.scripts, self.at_once = launch, limits, scripts, at_once
        self._web = Web(policy, resolve)
        self._idle: list[Running] = []
        self._all: set[Running] = set()
        self._visits: set[asyncio.Task[Visit]] = set()
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, name="pagestrata browser", daemon=True)
        self._starting, self._room = asyncio.Lock(), asyncio.Semaphore(at_once)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End all browsers, whatever they are doing."""
        self._begin(self._end()).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def draw(self, place: Place, folder: Path | None = None) -> RawPage:
        """Draw a page; a saved one may take style sheets, images and fonts from its folder, and nothing else."""
        return self._begin(self._visit(place, folder)).result().page

    def photograph(self, place: Place, folder: Path | None = None) -> Visit:
        """Draw a page, and take a picture of all of it."""
        return self._begin(self._visit(place, folder, with_picture=True)).result()

    def draw_many(
        self, items: Iterable[Item], place_of: Callable[[Item], tuple[Place, Path | None]]
    ) -> Iterator[tuple[Item, RawPage | PagestrataError]]:
        """Draw pages, several at once, and give them in their order; one that could not be drawn is its error.

        `place_of` says where an item is: the page or its address, and the folder that it may use.
        """
        waiting: deque[tuple[Item, Future[Visit]]] = deque()
        for item in items:
            waiting.append((item, self._begin(self._visit_item(item, place_of))))
            if len(waiting) > self.at_once:
                yield _outcome(*waiting.popleft())
        while waiting:
            yield _outcome(*waiting.popleft())

    async def _visit_item(self, item: Item, place_of: Callable[[Item], tuple[Place, Path | None]]) -> Visit:
        return await self._visit(*place_of(item))

    def _begin(self, work: Coroutine[Any, Any, Result]) -> "Future[Result]":
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    async def _end(self) -> None:
        for visit in self._visits:
            visit.cancel()
        await asyncio.gather(*self._visits, return_exceptions=True)
        await asyncio.gather(*(running.close() for running in self._all))

    # ------------------------------------------------------------------------------------------------- one page

    async def _visit(self, place: Place, folder: Path | None, with_picture: bool = False) -> Visit:
        """Wait for room, then draw."""
        async with self._room:
            visit = asyncio.ensure_future(self._draw(place, folder, with_picture))
            self._visits.add(visit)
            visit.add_done_callback(self._visits.discard)
            return await visit

    async def _draw(self, place: Place, folder: Path | None, with_picture: bool) -> Visit:
        """Draw a page in a browser that is free, and let go of it; one that failed is killed."""
        running = self._idle.pop() if self._idle else await self._start()
        from playwright.async_api import Error  # only now: a missing one is told by the start

        is_well = False
        try:
            async with asyncio.timeout(self.limits.seconds):
                visit = await self._watched(running, self._look(running, place, folder, with_picture))
            is_well = True
            return visit
        except TimeoutError:
            raise DrawError(f"the page was not drawn within {self.limits.seconds:g} seconds") from None
        except Error as error:
            raise DrawError(f"the browser could not draw the page: {str(error).splitlines()[0]}") from error
        finally:
            await self._leave(running, is_well)

    async def _start(self) -> Running:
        running = await Running.start(self.launch, self._starting)
        self._all.add(running)
        return running

    async def _leave(self, running: Running, is_well: bool) -> None:
        running.pages += 1
        if is_well and running.pages < _PAGES:
            self._idle.append(running)
            return
        self._all.discard(running)
        await (running.close() if is_well else running.kill())

    async def _watched(self, running: Running, work: Coroutine[Any, Any, Result]) -> Result:
        """Await the work as long as the browser stays small enough."""
        task = asyncio.ensure_future(work)
        try:
            while not task.done():
                if running.memory() > self.limits.memory:
                    raise DrawError(f"the page takes more than {self.limits.memory >> 20:,} MiB to draw")
                await asyncio.wait({task}, timeout=_WATCH_SECONDS)
            return await task
        finally:
            task.cancel()

    async def _look(self, running: Running, place: Place, folder: Path | None, with_picture: bool) -> Visit:
        deadline = monotonic() + self.limits.seconds
        web = self._web if isinstance(place, str) else None
        raw = await self._web.fetch(place, self.limits.markup, deadline) if isinstance(place, str) else place
        budget = Budget(self.limits.requests, self.limits.size, deadline)
        answers = Answers(*_served(raw), _address(raw), budget, web, folder)
        context = await running.chromium.new_context(
            viewport={"width": WIDTH, "height": HEIGHT},
            java_script_enabled=self.scripts,
            service_workers="block",
            accept_downloads=False,
        )
        await context.route("**/*", lambda route, request: answers.answer(route, request))
        tab = await context.new_page()
        session = await context.new_cdp_session(tab)
        if web is None:
            await _keep_in(session, urljoin(answers.address, ".") if folder is not None else None)
        limits = await self._load(tab, session, answers)
        await self._measure(session)
        snapshot = read_snapshot(await session.send("DOMSnapshot.captureSnapshot", REQUEST), (*limits, *_spent(budget)))
        url = tab.url if web is not None and tab.url.startswith("http") else raw.url
        picture = await _picture(tab, session) if with_picture else b""
        async with asyncio.timeout(_LEAVE_SECONDS):
            await context.close()
        return Visit(replace(raw, url=url, snapshot=snapshot), picture)

    async def _load(self, tab: "Tab", session: "CDPSession", answers: Answers) -> list[Limit]:
        """Go there and wait until it stands still, or else stop it."""
        from playwright.async_api import Error

        seconds = self.limits.seconds * _LOAD_SHARE
        try:
            async with asyncio.timeout(seconds):
                await _first(tab.goto(answers.address, wait_until="load", timeout=0), answers.held.wait())
                if answers.web is not None:
                    with suppress(Error):
                        await tab.wait_for_load_state("networkidle", timeout=_SETTLE_SECONDS * 1000)
        except TimeoutError:
            await asyncio.gather(
                session.send("Runtime.terminateExecution"),
                session.send("Emulation.setScriptExecutionDisabled", {"value": True}),
                session.send("Page.stopLoading"),
                return_exceptions=True,  # it may be on its way elsewhere: then looking at it will tell
            )
            return [Limit("seconds to load", round(seconds), round(seconds), "it was stopped, and taken as it was")]
        return []

    async def _measure(self, session: "CDPSession") -> None:
        """Refuse what would be too much to take over: scripts can make pages of any size."""
        nodes = (await session.send("Memory.getDOMCounters"))["nodes"]
        if nodes > self.limits.nodes:
            raise DrawError(f"the page has {nodes:,} nodes where {self.limits.nodes:,} are allowed")
        length = await _evaluate(session, "document.documentElement ? document.documentElement.outerHTML.length : 0")
        if length > self.limits.markup:
            raise DrawError(f"the page has {length:,} characters where {self.limits.markup:,} are allowed")


def _outcome(item: Item, visit: "Future[Visit]") -> tuple[Item, RawPage | PagestrataError]:
    try:
        return item, visit.result().page
    except UsageError:  # there is no browser: nothing will be drawn
        raise
    except PagestrataError as error:
        return item, error


def _served(raw: RawPage) -> tuple[bytes, str]:
    """The bytes that the browser gets, and the encoding that we would read them with."""
    if isinstance(raw.markup, str):
        return raw.markup.encode("utf-8", "replace"), "UTF-8"
    name = choose_encoding(raw.markup, raw).name
    if name.startswith("UTF-32"):  # browsers know of none
        return raw.markup.decode(name.lower(), "replace").encode("utf-8", "replace"), "UTF-8"
    return raw.markup, name


def _address(raw: RawPage) -> str:
    try:
        return split_url(raw.url or "").url
    except AddressRefused:
        return _NOWHERE


def _spent(budget: Budget) -> Iterator[Limit]:
    if budget.refused:
        yield Limit("requests", budget.requests, budget.asked, "further ones, or their bytes, were not answered")


async def _keep_in(session: "CDPSession", base: str | None) -> None:
    """Have the browser itself drop what a saved page asks for, but for what may lie beside it.

    Else thousands of images would all be put to us, only to be refused.
    """
    allowed = [{"urlPattern": f"{base}*", "block": False}] if base else []
    await session.send("Network.enable")
    await session.send("Network.setBlockedURLs", {"urlPatterns": allowed, "urls": list(_OUTSIDE)})


async def _first(*works: Coroutine[Any, Any, object]) -> None:
    """Wait for the first of these to end, well or not, and leave the others."""
    tasks = [asyncio.ensure_future(work) for work in works]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _evaluate(session: "CDPSession", expression: str) -> Any:
    """What an expression gives in a world of our own, which the scripts of the page cannot change."""
    frame = (await session.send("Page.getFrameTree"))["frameTree"]["frame"]["id"]
    world = (await session.send("Page.createIsolatedWorld", {"frameId": frame}))["executionContextId"]
    told = await session.send("Runtime.evaluate", {"expression": expression, "contextId": world, "returnByValue": True})
    return told["result"].get("value")


async def _picture(tab: "Tab", session: "CDPSession") -> bytes:
    height = await _evaluate(session, "document.documentElement.scrollHeight")
    clip = {"x": 0, "y": 0, "width": WIDTH, "height": max(1, min(height, TALLEST_PICTURE))}
    return await tab.screenshot(full_page=True, clip=clip, animations="disabled", timeout=0)  # type: ignore[arg-type]
