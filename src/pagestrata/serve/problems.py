"""All error responses in one format (RFC 9457, `application/problem+json`), and the table of their kinds."""

from typing import Final
from uuid import uuid4

import msgspec

from pagestrata.errors import FetchError, ModelError, PagestrataError, StoreError
from pagestrata.work.guard import Failure

MEDIA_TYPE: Final = "application/problem+json"
_PREFIX = "urn:pagestrata:problem:"

KINDS: Final = {
    "not-json": (400, "The body is not JSON"),
    "token-needed": (401, "A token is needed: Authorization: Bearer TOKEN"),
    "foreign-origin": (403, "Pages of other sites may not use this service"),
    "fetching-is-off": (403, "This service does not fetch pages: send the page"),
    "not-found": (404, "There is nothing here"),
    "unknown-site": (404, "Nothing was learned of this site"),
    "wrong-method": (405, "This method is not for this path"),
    "body-too-slow": (408, "The body came too slowly"),
    "body-too-large": (413, "The body is too large"),
    "wrong-media-type": (415, "Send application/json, or text/html where a page is read, not compressed"),
    "wrong-host": (421, "The Host header names another host"),
    "invalid": (422, "A field or parameter is missing, unknown or of the wrong kind"),
    "unusable": (422, "What was asked for cannot be done"),
    "too-much-memory": (422, "The page needs more memory than it may have"),
    "too-many-requests": (429, "You have too many requests waiting"),
    "failed": (500, "Reading the page failed: this is a fault of ours"),
    "fetch-failed": (502, "The page could not be fetched"),
    "busy": (503, "The service has too much to do"),
    "worker-died": (503, "The worker that read the page died"),
    "store-failed": (503, "The store of site models does not answer"),
    "too-slow": (504, "Reading the page took too long"),
}
"""The HTTP status and title of each kind."""
_RETRY_SECONDS = {"too-many-requests": 2, "busy": 2, "worker-died": 1, "store-failed": 5}


class Problem(msgspec.Struct, frozen=True, omit_defaults=True):
    """Describes an error, for programs (`type`) and people; `instance` is also in the log of the service."""

    type: str
    title: str
    status: int
    instance: str
    detail: str = ""

    @property
    def kind(self) -> str:
        """The kind, which is the last part of `type`."""
        return self.type.removeprefix(_PREFIX)

    @property
    def headers(self) -> dict[str, str]:
        """The HTTP headers of the response."""
        if self.kind in _RETRY_SECONDS:
            return {"Retry-After": str(_RETRY_SECONDS[self.kind])}
        return {"WWW-Authenticate": "Bearer"} if self.status == 401 else {}


class Refused(Exception):
    """Ends a request with a problem."""

    def __init__(self, kind: str, detail: str = "") -> None:
        super().__init__(kind, detail)
        self.problem = problem(kind, detail)
        """The problem that is sent to the client."""


def problem(kind: str, detail: str = "") -> Problem:
    """Make a problem of the table, with a new id.

    >>> problem("busy").status, problem("busy").headers
    (503, {'Retry-After': '2'})
    """
    status, title = KINDS[kind]
    return Problem(_PREFIX + kind, title, status, uuid4().urn, detail)


def of_error(error: PagestrataError) -> Problem:
    """Convert an error of the library to a problem."""
    if isinstance(error, FetchError):
        return problem("fetch-failed", str(error))
    if isinstance(error, StoreError | ModelError):  # its text contains paths of the server
        return problem("store-failed")
    return problem("unusable", str(error))


def of_failure(failure: Failure) -> Refused:
    """Convert a failure of a worker to a problem; its detail may quote the page and is not sent."""
    if failure.stage == "start":
        return Refused("busy")
    kinds = {"deadline": "too-slow", "memory": "too-much-memory", "died": "worker-died", "exception": "failed"}
    return Refused(kinds[failure.reason], failure.limit)
