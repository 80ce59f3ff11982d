"""One page in a browser that runs: load it, see that it is not too much, look at it."""

import asyncio
from collections.abc import Coroutine, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urljoin

from pagestrata.errors import DrawError
from pagestrata.inputs.browser.requests import Answers, Budget
from pagestrata.inputs.browser.snapshot import REQUEST, read_snapshot
from pagestrata.page.limits import Limit
from pagestrata.page.raw import RawPage

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, CDPSession
    from playwright.async_api import Page as Tab

TALLEST_PICTURE: Final = 16_384
"""Pixels: what Chromium can paint at once."""
_LOAD_SHARE: Final = 0.6
"""Of the seconds: how long a page may load; the rest is to stop it and look at what is there."""
_SETTLE_SECONDS: Final = 5.0
"""How long after it has loaded a page of the web may go on fetching before we look."""
_OUTSIDE: Final = ("http:*", "https:*", "ws:*", "wss:*", "ftp:*", "file:*")
"""What is not in the page itself, as `data:` and `blob:` are."""


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


async def visit(
    context: "BrowserContext", raw: RawPage, answers: Answers, limits: DrawLimits, scripts: bool, with_picture: bool
) -> Visit:
    """Draw a page in a context that nothing else was drawn in."""
    await context.route("**/*", lambda route, request: answers.answer(route, request))
    tab = await context.new_page()
    session = await context.new_cdp_session(tab)
    if answers.web is None:
        await _keep_in(session, urljoin(answers.address, ".") if answers.folder is not None else None)
    cut = [*await _load(tab, session, answers, limits.seconds * _LOAD_SHARE), *_spent(answers.budget)]
    await _measure(session, limits)
    said = await session.send("DOMSnapshot.captureSnapshot", REQUEST)
    _refuse("characters", sum(map(len, said["strings"])), limits.markup)
    url = tab.url if answers.web is not None and tab.url.startswith("http") else raw.url
    picture = await _picture(tab, session) if with_picture else b""
    return Visit(replace(raw, url=url, snapshot=read_snapshot(said, scripts, tuple(cut))), picture)


async def _keep_in(session: "CDPSession", base: str | None) -> None:
    """Have the browser itself drop what a saved page asks for, but for what may lie beside it.

    Else thousands of images would all be put to us, only to be refused.
    """
    allowed = [{"urlPattern": f"{base}*", "block": False}] if base else []
    await session.send("Network.enable")
    await session.send("Network.setBlockedURLs", {"urlPatterns": allowed, "urls": list(_OUTSIDE)})


async def _load(tab: "Tab", session: "CDPSession", answers: Answers, seconds: float) -> list[Limit]:
    """Go there and wait until it stands still, or else stop it."""
    from playwright.async_api import Error

    try:
        async with asyncio.timeout(seconds):
            # it may go elsewhere meanwhile, which is an error to Playwright: we look at what is there then
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
    if not answers.moves:
        raise DrawError("the browser did not open the page")
    return []


async def _first(*works: Coroutine[Any, Any, object]) -> None:
    """Wait for the first of these to end, well or not, and leave the others."""
    tasks = [asyncio.ensure_future(work) for work in works]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _spent(budget: Budget) -> Iterator[Limit]:
    if budget.refused:
        yield Limit("requests", budget.requests, budget.asked, "further ones, or their bytes, were not answered")


async def _measure(session: "CDPSession", limits: DrawLimits) -> None:
    """Refuse what would be too much to take over: scripts can make pages of any size."""
    _refuse("nodes", (await session.send("Memory.getDOMCounters"))["nodes"], limits.nodes)
    length = await _evaluate(session, "document.documentElement ? document.documentElement.outerHTML.length : 0")
    _refuse("characters", length, limits.markup)


def _refuse(what: str, found: int, allowed: int) -> None:
    if found > allowed:
        raise DrawError(f"the page has {found:,} {what} where {allowed:,} are allowed")


async def _evaluate(session: "CDPSession", expression: str) -> int:
    """The number that an expression gives in a world of our own, which the scripts of the page cannot change."""
    frame = (await session.send("Page.getFrameTree"))["frameTree"]["frame"]["id"]
    world = (await session.send("Page.createIsolatedWorld", {"frameId": frame}))["executionContextId"]
    told = await session.send("Runtime.evaluate", {"expression": expression, "contextId": world, "returnByValue": True})
    return int(told["result"]["value"])


async def _picture(tab: "Tab", session: "CDPSession") -> bytes:
    """All of the page as a PNG, as wide as the window."""
    size = await session.send("Page.getLayoutMetrics")
    width, height = size["cssLayoutViewport"]["clientWidth"], size["cssContentSize"]["height"]
    clip = {"x": 0, "y": 0, "width": width, "height": max(1, min(height, TALLEST_PICTURE))}
    return await tab.screenshot(full_page=True, clip=clip, animations="disabled", timeout=0)  # type: ignore[arg-type]
