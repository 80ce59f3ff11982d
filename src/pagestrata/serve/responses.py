"""What the responses of the service and of the inspector have in common: problems, and headers."""

import logging
from collections.abc import Callable, Mapping
from typing import Final

import msgspec
from starlette.responses import Response
from starlette.types import Message, Send

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


def with_headers(send: Send, headers: Mapping[str, str], begun: Callable[[int], None] = lambda status: None) -> Send:
    """Send a response with those of the headers that it does not have itself; `begun` is called with its status."""

    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            begun(message["status"])
            own = list(message.get("headers", ()))
            present = {name.lower() for name, _ in own}
            more = ((name.lower().encode(), value.encode()) for name, value in headers.items())
            message["headers"] = [*own, *(header for header in more if header[0] not in present)]
        await send(message)

    return send_with_headers
