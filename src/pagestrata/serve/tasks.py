"""The messages between the service and its workers."""

from dataclasses import dataclass

import msgspec

from pagestrata.page.raw import RawPage
from pagestrata.sites.store import SiteStore


@dataclass(frozen=True, slots=True)
class Setup:
    """The settings that all requests of a worker share."""

    store: SiteStore
    fetches: bool
    """Whether a request may name a page by its URL only."""
    seconds: float
    """The time after which a partial result is returned; see `Options.seconds`."""
    niceness: int
    """The scheduling priority of the worker process; higher values yield to other processes."""


@dataclass(frozen=True, slots=True)
class Task:
    """One request as the service received it; its body is not decoded yet."""

    verb: str
    body: bytes = b""
    name: str = ""
    """The site in the path."""
    page: RawPage | None = None
    """The page, if it was fetched for this request."""


class Reply(msgspec.Struct, array_like=True, frozen=True):
    """The response of a worker."""

    status: int
    body: bytes = b""
    media_type: str = "application/json"
    wanted: str = ""
    """The URL that must be fetched first; the task is then sent again with the page."""
    cost: float = 0.0
    """Seconds of processor time, which do not depend on the load of the machine."""


class PageWanted(Exception):
    """The page of a request has to be fetched first."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.url = url
