"""The browser that draws pages before they are read, by the options of a command."""

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from pagestrata.cli import settings
from pagestrata.inputs.addresses import AddressPolicy
from pagestrata.page.raw import RawPage
from pagestrata.work.job import Job

if TYPE_CHECKING:
    from pagestrata.inputs.browser import Browser


@dataclass(frozen=True)
class Drawing:
    """The options on whether and how a browser draws the pages first."""

    render: settings.Render = False
    browser: settings.BrowserPath = None
    no_sandbox: settings.NoSandbox = False

    def start(
        self, policy: AddressPolicy, seconds: float | None, at_once: int
    ) -> "AbstractContextManager[Browser | None]":
        """Start the browser; None if nothing is drawn."""
        if not self.render:
            return nullcontext()
        return make_browser(self.browser, self.no_sandbox, policy, seconds, at_once)


def make_browser(
    path: str | None, no_sandbox: bool, policy: AddressPolicy, seconds: float | None = None, at_once: int = 1
) -> "Browser":
    """The browser that the options of a command ask for."""
    from pagestrata.inputs.browser import Browser, DrawLimits, Launch  # here, as few commands draw

    limits = DrawLimits() if seconds is None else DrawLimits(seconds=seconds)
    return Browser(Launch(path, sandbox=not no_sandbox), limits, policy, at_once=at_once)


def drawn(page_jobs: Iterable[tuple[Job, Path]], browser: "Browser") -> Iterator[tuple[Job, Path]]:
    """The jobs, each with its page as a browser drew it, or with the error."""
    for (job, place), page in browser.draw_many(page_jobs, lambda each: place_of(each[0])):
        yield (replace(job, page=page) if isinstance(page, RawPage) else replace(job, error=str(page))), place


def place_of(job: Job) -> tuple[str | RawPage, Path | None]:
    """The page that a browser draws, and the folder it may read, which is that of a saved page."""
    if job.address is not None:
        return job.address, None
    return job.read(), job.path.parent if job.path is not None else None
