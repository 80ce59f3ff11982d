"""Draws pages in Chromium, several at once, each in its own Chromium process.

A page cannot affect the pages after it: after a failure the browser is killed, and the next page gets a new one.
Everything runs in one background thread, because Playwright requires an event loop and our callers have none.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine, Iterable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, Self, TypeVar

from pagestrata.errors import AddressRefused, DrawError, PagestrataError, UsageError
from pagestrata.inputs.addresses import PUBLIC_ONLY, AddressPolicy, Resolve, split_url
from pagestrata.inputs.browser.launch import Launch, Running, check_launch
from pagestrata.inputs.browser.requests import Answers, Budget, Web
from pagestrata.inputs.browser.visit import DrawLimits, Visit, visit
from pagestrata.inputs.http import resolve_host
from pagestrata.page.decode import choose_encoding
from pagestrata.page.parse import binary_kind
from pagestrata.page.raw import RawPage

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext

WIDTH: Final = 1280
HEIGHT: Final = 800
"""The size of the window in CSS pixels; content above its lower edge is above the fold."""
_UNKNOWN_ADDRESS: Final = "http://saved.invalid/"
"""The address of a saved page without a URL; RFC 2606 reserves the name, so that it never resolves."""
_MEMORY_CHECK_SECONDS: Final = 0.25
"""The interval between two checks of the memory of a browser."""
_CLOSE_SECONDS: Final = 3.0
"""The time in which a page must close; otherwise its browser is killed."""
_MAX_PAGES: Final = 100
"""Pages that one browser draws before it is replaced, because each page leaks a little memory."""

Item = TypeVar("Item")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Fetched:
    """A page of the web that was fetched already; the resources that it requests are still fetched by us."""

    page: RawPage


Place = str | RawPage | Fetched
"""The page to draw: an address of the web, a saved page, or a page of the web that was fetched already."""


class Browser:
    """Draws pages: a context manager that starts browsers on demand and stops all of them at the end.

    `parse` and `extract` read the result of `draw`; the page then has `boxes` and `drawn`.
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
        self._slots = asyncio.Semaphore(at_once)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def check(self) -> None:
        """Raise the errors that every page would fail with, as far as they show without starting a browser."""
        check_launch(self.launch)

    def close(self) -> None:
        """Stop all browsers, also those that are drawing."""
        self._submit(self._close()).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def draw(self, place: Place, folder: Path | None = None) -> RawPage:
        """Draw a page; a saved page may load style sheets, images and fonts from its folder, and nothing else."""
        return self._submit(self._visit(place, folder)).result().page

    def photograph(self, place: Place, folder: Path | None = None) -> Visit:
        """Draw a page and take a screenshot of its full height."""
        return self._submit(self._visit(place, folder, with_picture=True)).result()

    def draw_many(
        self, items: Iterable[Item], place_of: Callable[[Item], tuple[Place, Path | None]]
    ) -> Iterator[tuple[Item, RawPage | PagestrataError]]:
        """Draw pages, several at once, and yield them in order; a page that cannot be drawn yields its error.

        `place_of` returns the page or address of an item, and the folder that the page may read.
        """
        waiting: deque[tuple[Item, Future[Visit]]] = deque()
        for item in items:
            waiting.append((item, self._submit(self._visit_item(item, place_of))))
            if len(waiting) > self.at_once:
                yield _outcome(*waiting.popleft())
        while waiting:
            yield _outcome(*waiting.popleft())

    async def _visit_item(self, item: Item, place_of: Callable[[Item], tuple[Place, Path | None]]) -> Visit:
        return await self._visit(*place_of(item))

    def _submit(self, work: Coroutine[Any, Any, Result]) -> "Future[Result]":
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    async def _close(self) -> None:
        for task in self._visits:
            task.cancel()
        await asyncio.gather(*self._visits, return_exceptions=True)
        await asyncio.gather(*(running.close() for running in self._all))

    # ------------------------------------------------------------------------------------------------- one page

    async def _visit(self, place: Place, folder: Path | None, with_picture: bool = False) -> Visit:
        """Draw a page as soon as fewer than `at_once` others are being drawn."""
        async with self._slots:
            task = asyncio.ensure_future(self._draw(place, folder, with_picture))
            self._visits.add(task)
            task.add_done_callback(self._visits.discard)
            return await task

    async def _draw(self, place: Place, folder: Path | None, with_picture: bool) -> Visit:
        """Draw a page in an idle browser and release the browser; after a failure it is killed."""
        running = self._idle.pop() if self._idle else await self._start()
        from playwright.async_api import Error  # not earlier: `_start` reports a missing package

        is_healthy = False
        try:
            async with asyncio.timeout(self.limits.seconds):
                visited, context = await self._watch_memory(running, self._open(running, place, folder, with_picture))
            is_healthy = await _close_context(context)
            return visited
        except TimeoutError:
            raise DrawError(f"the page was not drawn within {self.limits.seconds:g} seconds") from None
        except Error as error:
            raise DrawError(f"the browser could not draw the page: {str(error).splitlines()[0]}") from error
        finally:
            await self._release(running, is_healthy)

    async def _start(self) -> Running:
        running = await Running.start(self.launch)
        self._all.add(running)
        return running

    async def _release(self, running: Running, is_healthy: bool) -> None:
        running.pages += 1
        if is_healthy and running.pages < _MAX_PAGES:
            self._idle.append(running)
            return
        self._all.discard(running)
        await (running.close() if is_healthy else running.kill())

    async def _watch_memory(self, running: Running, work: Coroutine[Any, Any, Result]) -> Result:
        """Await a coroutine, and raise as soon as the browser uses more memory than allowed."""
        task = asyncio.ensure_future(work)
        try:
            while not task.done():
                if running.memory() > self.limits.memory:
                    raise DrawError(f"the page takes more than {self.limits.memory >> 20:,} MiB to draw")
                await asyncio.wait({task}, timeout=_MEMORY_CHECK_SECONDS)
            return await task
        finally:
            task.cancel()

    async def _open(
        self, running: Running, place: Place, folder: Path | None, with_picture: bool
    ) -> tuple[Visit, "BrowserContext"]:
        """Fetch the page if necessary and draw it in a new browser context."""
        deadline = monotonic() + self.limits.seconds
        web = None if isinstance(place, RawPage) else self._web
        if isinstance(place, str):
            raw = await self._web.fetch(place, self.limits.markup, deadline)
        else:
            raw = place.page if isinstance(place, Fetched) else place
        budget = Budget(self.limits.requests, self.limits.size, deadline)
        answers = Answers(_response_of(raw), _address_of(raw), budget, web, folder)
        context = await running.chromium.new_context(
            viewport={"width": WIDTH, "height": HEIGHT},
            java_script_enabled=self.scripts,
            service_workers="block",
            accept_downloads=False,
        )
        return await visit(context, raw, answers, self.limits, self.scripts, with_picture), context


async def _close_context(context: "BrowserContext") -> bool:
    """Close the context of a page; False if the browser does not respond in time."""
    try:
        async with asyncio.timeout(_CLOSE_SECONDS):
            await context.close()
    except TimeoutError:
        return False
    return True


def _outcome(item: Item, future: "Future[Visit]") -> tuple[Item, RawPage | PagestrataError]:
    try:
        return item, future.result().page
    except UsageError:  # no browser can be started, so all other pages would fail too
        raise
    except PagestrataError as error:
        return item, error


def _response_of(raw: RawPage) -> RawPage:
    """The page as it is sent to the browser, labelled with the encoding that we would decode it with."""
    data, name = raw.markup, "UTF-8"
    if isinstance(data, bytes):
        kind = binary_kind(data)
        name = choose_encoding(data, raw).name
        if kind and not name.startswith(("UTF-16", "UTF-32")):
            raise DrawError(f"not a page: the input looks like {kind}")
        if name.startswith("UTF-32"):  # browsers do not support it
            data, name = data.decode(name.lower(), "replace"), "UTF-8"
    if isinstance(data, str):
        data = data.encode("utf-8", "replace")
    return RawPage(data, content_type=f"text/html; charset={name}", headers=raw.headers)


def _address_of(raw: RawPage) -> str:
    try:
        return split_url(raw.url or "").url
    except AddressRefused:
        return _UNKNOWN_ADDRESS
