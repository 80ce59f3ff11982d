"""Draws pages in Chromium, several at once, each in a Chromium of its own.

What a page does to its browser ends with it: after a failure the browser is killed, and the next page gets a new one.
All of it runs in one thread of our own, since Playwright wants a loop and our callers have none.
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
"""The window, in CSS pixels; above the fold is what is above its lower edge."""
_NOWHERE: Final = "http://saved.invalid/"
"""Where a saved page is from that does not say; RFC 2606 keeps the name from ever being one."""
_WATCH_SECONDS: Final = 0.25
_LEAVE_SECONDS: Final = 3.0
_PAGES: Final = 100
"""In the life of a browser: it keeps a little of each."""

Item = TypeVar("Item")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Fetched:
    """A page of the web that somebody has fetched already; what it asks for is still fetched by us."""

    page: RawPage


Place = str | RawPage | Fetched
"""An address of the web, a page that is here, or one of the web that was fetched."""


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
        self._room = asyncio.Semaphore(at_once)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def check(self) -> None:
        """Raise now what every page would fail with, as far as it can be known without a start."""
        check_launch(self.launch)

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
        for task in self._visits:
            task.cancel()
        await asyncio.gather(*self._visits, return_exceptions=True)
        await asyncio.gather(*(running.close() for running in self._all))

    # ------------------------------------------------------------------------------------------------- one page

    async def _visit(self, place: Place, folder: Path | None, with_picture: bool = False) -> Visit:
        """Wait for room, then draw."""
        async with self._room:
            task = asyncio.ensure_future(self._draw(place, folder, with_picture))
            self._visits.add(task)
            task.add_done_callback(self._visits.discard)
            return await task

    async def _draw(self, place: Place, folder: Path | None, with_picture: bool) -> Visit:
        """Draw a page in a browser that is free, and let go of it; one that failed is killed."""
        running = self._idle.pop() if self._idle else await self._start()
        from playwright.async_api import Error  # only now: a missing one is told by the start

        is_well = False
        try:
            async with asyncio.timeout(self.limits.seconds):
                found, context = await self._watched(running, self._look(running, place, folder, with_picture))
            is_well = await _left(context)
            return found
        except TimeoutError:
            raise DrawError(f"the page was not drawn within {self.limits.seconds:g} seconds") from None
        except Error as error:
            raise DrawError(f"the browser could not draw the page: {str(error).splitlines()[0]}") from error
        finally:
            await self._leave(running, is_well)

    async def _start(self) -> Running:
        running = await Running.start(self.launch)
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

    async def _look(
        self, running: Running, place: Place, folder: Path | None, with_picture: bool
    ) -> tuple[Visit, "BrowserContext"]:
        deadline = monotonic() + self.limits.seconds
        web = None if isinstance(place, RawPage) else self._web
        if isinstance(place, str):
            raw = await self._web.fetch(place, self.limits.markup, deadline)
        else:
            raw = place.page if isinstance(place, Fetched) else place
        budget = Budget(self.limits.requests, self.limits.size, deadline)
        answers = Answers(_served(raw), _address(raw), budget, web, folder)
        context = await running.chromium.new_context(
            viewport={"width": WIDTH, "height": HEIGHT},
            java_script_enabled=self.scripts,
            service_workers="block",
            accept_downloads=False,
        )
        return await visit(context, raw, answers, self.limits, self.scripts, with_picture), context


async def _left(context: "BrowserContext") -> bool:
    """Whether a browser lets go of a page."""
    try:
        async with asyncio.timeout(_LEAVE_SECONDS):
            await context.close()
    except TimeoutError:
        return False
    return True


def _outcome(item: Item, future: "Future[Visit]") -> tuple[Item, RawPage | PagestrataError]:
    try:
        return item, future.result().page
    except UsageError:  # there is no browser: nothing will be drawn
        raise
    except PagestrataError as error:
        return item, error


def _served(raw: RawPage) -> RawPage:
    """What the browser gets: the same bytes, in the encoding that we would read them with."""
    data, name = raw.markup, "UTF-8"
    if isinstance(data, bytes):
        kind = binary_kind(data)
        name = choose_encoding(data, raw).name
        if kind and not name.startswith(("UTF-16", "UTF-32")):
            raise DrawError(f"not a page: the input looks like {kind}")
        if name.startswith("UTF-32"):  # browsers know of none
            data, name = data.decode(name.lower(), "replace"), "UTF-8"
    if isinstance(data, str):
        data = data.encode("utf-8", "replace")
    return RawPage(data, content_type=f"text/html; charset={name}", headers=raw.headers)


def _address(raw: RawPage) -> str:
    try:
        return split_url(raw.url or "").url
    except AddressRefused:
        return _NOWHERE
