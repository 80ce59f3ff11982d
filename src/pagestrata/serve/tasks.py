"""What goes to a worker and what comes back."""

from dataclasses import dataclass

import msgspec

from pagestrata.page.raw import RawPage
from pagestrata.sites.store import SiteStore


@dataclass(frozen=True, slots=True)
class Setup:
    """What every request of a worker shares."""

    store: SiteStore
    fetches: bool
    """Whether a page may be asked for by its URL."""
    seconds: float
    """After which a page is answered with what is there; see `Options.seconds`."""
    niceness: int
    """How far others go first on a busy machine."""


@dataclass(frozen=True, slots=True)
class Task:
    """One request, as far as the process that took it looked at it."""

    verb: str
    body: bytes = b""
    name: str = ""
    """The site in the path."""
    page: RawPage | None = None
    """The page, if it was fetched for this request."""


class Reply(msgspec.Struct, array_like=True, frozen=True):
    """What the worker sends back."""

    status: int
    body: bytes = b""
    media_type: str = "application/json"
    wanted: str = ""
    """The URL that must be fetched first; then the task comes again with the page."""
    cost: float = 0.0
    """Seconds of processor time, which do not depend on what else the machine does."""


class PageWanted(Exception):
    """The page is not here: it has to be fetched."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.url = url
