"""The inspector in a thread and a Chromium that looks at it, for tests."""

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import uvicorn

from pagestrata.errors import UsageError
from pagestrata.inputs.browser.launch import find_browser
from pagestrata.options import Options
from pagestrata.serve.inspector.desk import Desk
from pagestrata.serve.inspector.router import make_app
from pagestrata.serve.run import listen
from pagestrata.serve.settings import ServeSettings
from pagestrata.sites.store import open_store
from pagestrata.work.job import Job

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PATIENCE = 60_000
"""Milliseconds: the machine may have other things to do."""


def desk_of(jobs: Sequence[Job], folder: Path, options: Options | None = None) -> Desk:
    return Desk(jobs, open_store(folder / "sites.db"), options or Options())


def jobs_of(paths: Sequence[Path]) -> list[Job]:
    return [Job(str(path), path=path) for path in paths]


@contextmanager
def inspecting(desk: Desk) -> Iterator[str]:
    """Where the inspector is while the `with` lasts."""
    settings = ServeSettings(store=desk.store)
    with listen("127.0.0.1", 0) as listener:
        server = uvicorn.Server(uvicorn.Config(make_app(desk, settings), ws="none", log_level="warning"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}/"
        finally:
            server.should_exit = True
            thread.join(10)


@contextmanager
def chromium() -> Iterator["Browser"]:
    """A browser; the pages it sees are the inspector's, so that it needs no sandbox of its own."""
    pytest.importorskip("playwright", reason="playwright is not here: pip install 'pagestrata[render]'")
    try:
        program = find_browser(None)
    except UsageError:
        pytest.skip("no Chromium here: apt-get install chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, chromium_sandbox=False)
        yield browser
        browser.close()


def until(page: "Page", condition: str, argument: object = None) -> None:
    """Wait for a condition; Playwright's own way needs `eval`, which the inspector's policy forbids."""
    deadline = time.monotonic() + PATIENCE / 1000
    while not page.evaluate(condition, argument):
        assert time.monotonic() < deadline, condition
        page.wait_for_timeout(20)


class Watched:
    """A tab, what it asked for, what it said and what went wrong."""

    def __init__(self, browser: "Browser", width: int = 1440, height: int = 900, scheme: str = "light") -> None:
        context = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme=scheme,  # type: ignore[arg-type]
        )
        self.page: Page = context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.asked: list[str] = []
        self.said: list[str] = []
        self.dialogs = 0
        context.on("request", lambda request: self.asked.append(request.url))
        context.on("console", lambda message: self.said.append(message.text))
        context.on("page", lambda page: self.said.append(f"a new window: {page.url}"))
        self.page.on("pageerror", lambda error: self.said.append(f"error: {error}"))
        self.page.on("dialog", self._dismiss)

    def _dismiss(self, dialog: object) -> None:
        self.dialogs += 1
        dialog.dismiss()  # type: ignore[attr-defined]

    def open(self, address: str) -> "Page":
        self.page.goto(address)
        self.settle()
        return self.page

    def settle(self, pane: str = "first") -> None:
        """Until the page is drawn, or it is said why it is not."""
        self.page.wait_for_selector(
            f"#{pane}:is([data-state=ready],[data-state=error],[data-state=too-large],[data-state=empty])"
        )
        until(self.page, "document.querySelector('#facts').children.length > 0")

    def strangers(self, address: str) -> list[str]:
        """What was asked for elsewhere."""
        return [url for url in self.asked if not url.startswith((address, "data:", "about:", "blob:", "file:"))]

    def close(self) -> None:
        self.page.context.close()
