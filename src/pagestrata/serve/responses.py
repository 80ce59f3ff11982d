"""What the responses of the service and of the inspector have in common: problems, and headers."""

import logging
from collections.abc import Mapping
from typing import Final

import msgspec
from starlette.responses import Response
from starlette.types import Message

from pagestrata.serve.problems import MEDIA_TYPE, Problem

PRIVATE_HEADERS: Final = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
"""Added to every response."""

log = logging.getLogger("pagestrata.serve")


def refusal(problem: Problem) -> Response:
    """The response for a problem; its id and kind are logged, but nothing that a client sent."""
    log.info("%s %d %s", problem.instance, problem.status, problem.kind)
    return Response(msgspec.json.encode(problem), problem.status, problem.headers, MEDIA_TYPE)


def add_headers(message: Message, headers: Mapping[str, str]) -> None:
    """Add those headers to the start of a response that it does not have itself."""
    present = {name.lower() for name, _ in message.get("headers", ())}
    more = ((name.lower().encode(), value.encode()) for name, value in headers.items())
    message["headers"] = [*message.get("headers", ()), *((name, value) for name, value in more if name not in present)]
