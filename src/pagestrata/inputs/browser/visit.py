"""One page in a running browser: load it, check its size, take a snapshot of it."""

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

MAX_PICTURE_HEIGHT: Final = 16_384
"""In pixels: the height up to which Chromium can paint an image."""
_LOAD_SHARE: Final = 0.6
"""The share of the seconds in which a page may load; the remaining time is for stopping it and the snapshot."""
_SETTLE_SECONDS: Final = 5.0
"""How long a page of the web may go on fetching after it has loaded, before the snapshot is taken."""
_NO_PICTURE: Final = "Unable to capture screenshot"
"""What Chromium says when the process that draws was too busy."""
_RETRY_SECONDS: Final = 1.0
_EXTERNAL_URLS: Final = ("http:*", "https:*", "ws:*", "wss:*", "ftp:*", "file:*")
"""URLs whose content is not part of the page itself, unlike `data:` and `blob:`."""


@dataclass(frozen=True, slots=True)
class DrawLimits:
    """Limits for drawing one page. A limit of loading or requests that was hit is reported; the others are errors."""

    seconds: float = 30.0
    requests: int = 500
    size: int = 50_000_000
    """Bytes of all responses together."""
    memory: int = 1 << 30
    """Bytes of private memory of the browser and its driver; Linux only."""
    nodes: int = 500_000
    """Nodes of the page once drawn."""
    markup: int = 20_000_000
    """Characters of the page once drawn."""


@dataclass(frozen=True, slots=True)
class Visit:
    """The result of drawing a page."""

    page: RawPage
    """The page with its snapshot."""
    picture: bytes = b""
    """The screenshot as PNG, if it was requested."""


async def visit(
    context: "BrowserContext", raw: RawPage, answers: Answers, limits: DrawLimits, scripts: bool, with_picture: bool
) -> Visit:
    """Draw a page in a new browser context."""
    await context.route("**/*", lambda route, request: answers.answer(route, request))
    tab = await context.new_page()
    session = await context.new_cdp_session(tab)
    if answers.web is None:
        await _block_external(session, urljoin(answers.address, ".") if answers.folder is not None else None)
    limits_hit = [*await _load(tab, session, answers, limits.seconds * _LOAD_SHARE), *_exceeded(answers.budget)]
    await _check_size(session, limits)
    captured = await session.send("DOMSnapshot.captureSnapshot", REQUEST)
    _check_limit("characters", sum(map(len, captured["strings"])), limits.markup)
    url = tab.url if answers.web is not None and tab.url.startswith("http") else raw.url
    picture = await _picture(tab, session) if with_picture else b""
    return Visit(replace(raw, url=url, snapshot=read_snapshot(captured, scripts, tuple(limits_hit))), picture)


async def _block_external(session: "CDPSession", base: str | None) -> None:
    """Let the browser itself block the requests of a saved page, except those below its folder.

    Otherwise thousands of requests for images would reach our handler only to be refused.
    """
    allowed = [{"urlPattern": f"{base}*", "block": False}] if base else []
    await session.send("Network.enable")
    await session.send("Network.setBlockedURLs", {"urlPatterns": allowed, "urls": list(_EXTERNAL_URLS)})


async def _load(tab: "Tab", session: "CDPSession", answers: Answers, seconds: float) -> list[Limit]:
    """Load the page and wait until it is idle, or stop it when the time is over."""
    from playwright.async_api import Error

    try:
        async with asyncio.timeout(seconds):
            # Playwright raises an error if the page navigates meanwhile; the snapshot then shows the new page
            await _wait_for_first(
                tab.goto(answers.address, wait_until="load", timeout=0), answers.navigation_refused.wait()
            )
            if answers.web is not None:
                with suppress(Error):
                    await tab.wait_for_load_state("networkidle", timeout=_SETTLE_SECONDS * 1000)
    except TimeoutError:
        await asyncio.gather(
            session.send("Runtime.terminateExecution"),
            session.send("Emulation.setScriptExecutionDisabled", {"value": True}),
            session.send("Page.stopLoading"),
            return_exceptions=True,  # they fail during a navigation; the snapshot then fails too
        )
        return [Limit("seconds to load", round(seconds), round(seconds), "loading was stopped; the page is as loaded")]
    if not answers.navigations:
        raise DrawError("the browser did not open the page")
    return []


async def _wait_for_first(*coroutines: Coroutine[Any, Any, object]) -> None:
    """Wait until one of the coroutines has ended, with or without an error, and cancel the others."""
    tasks = [asyncio.ensure_future(coroutine) for coroutine in coroutines]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _exceeded(budget: Budget) -> Iterator[Limit]:
    if budget.refused:
        yield Limit("requests", budget.requests, budget.started, "further ones, or their bytes, were not answered")


async def _check_size(session: "CDPSession", limits: DrawLimits) -> None:
    """Raise an error for a page that is too large for a snapshot: scripts can make pages of any size."""
    _check_limit("nodes", (await session.send("Memory.getDOMCounters"))["nodes"], limits.nodes)
    length = await _evaluate(session, "document.documentElement ? document.documentElement.outerHTML.length : 0")
    _check_limit("characters", length, limits.markup)


def _check_limit(unit: str, count: int, allowed: int) -> None:
    if count > allowed:
        raise DrawError(f"the page has {count:,} {unit} where {allowed:,} are allowed")


async def _evaluate(session: "CDPSession", expression: str) -> int:
    """Evaluate an expression to a number in an isolated world, which the scripts of the page cannot change."""
    frame = (await session.send("Page.getFrameTree"))["frameTree"]["frame"]["id"]
    world = (await session.send("Page.createIsolatedWorld", {"frameId": frame}))["executionContextId"]
    evaluated = await session.send(
        "Runtime.evaluate", {"expression": expression, "contextId": world, "returnByValue": True}
    )
    return int(evaluated["result"]["value"])


async def _picture(tab: "Tab", session: "CDPSession") -> bytes:
    """Take a screenshot of the full page as PNG, as wide as the window; on a busy machine the first try may fail."""
    from playwright.async_api import Error

    size = await session.send("Page.getLayoutMetrics")
    width, height = size["cssLayoutViewport"]["clientWidth"], size["cssContentSize"]["height"]
    clip = {"x": 0, "y": 0, "width": width, "height": max(1, min(height, MAX_PICTURE_HEIGHT))}
    try:
        return await _shoot(tab, clip)
    except Error as error:
        if _NO_PICTURE not in str(error):
            raise
        await asyncio.sleep(_RETRY_SECONDS)
        return await _shoot(tab, clip)


async def _shoot(tab: "Tab", clip: dict[str, float]) -> bytes:
    return await tab.screenshot(full_page=True, clip=clip, animations="disabled", timeout=0)  # type: ignore[arg-type]
