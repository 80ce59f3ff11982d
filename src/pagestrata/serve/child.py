"""Handles a request in the child process of a worker: from the bytes of its body to a `Reply`.

Bodies are decoded here, under the limits of the child: 20 MB take a tenth of a second, which would block the process
that serves all connections.
"""

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import msgspec

from pagestrata.errors import PagestrataError
from pagestrata.page.json_text import decode_json
from pagestrata.serve import problems, verbs
from pagestrata.serve.inspector.inspect import InspectRequest, inspect_page
from pagestrata.serve.mcp import handle_message
from pagestrata.serve.problems import Problem, Refused
from pagestrata.serve.schemas import ExtractRequest, LearnRequest, SectionsRequest, explained
from pagestrata.serve.tasks import PageWanted, Reply, Setup, Task

_Request = TypeVar("_Request")
_SAMPLE_PAGE = "<title>Warm</title><article><h1>Warm</h1><p>" + "The kettle sang, and the tide came in. " * 20


@dataclass(frozen=True, slots=True)
class Child:
    """The function that a child runs. Unpickling it reads a page, so that no request has to wait for imports."""

    setup: Setup

    def __call__(self, task: Task) -> bytes:
        """Handle a request; return a `Reply` in MessagePack."""
        started = time.process_time()
        reply = reply_to(task, self.setup)
        return msgspec.msgpack.encode(msgspec.structs.replace(reply, cost=time.process_time() - started))

    def __reduce__(self) -> tuple[Any, ...]:
        return start_child, (self.setup,)


def start_child(setup: Setup) -> Child:
    """Prepare a child for its first request: set its priority and read a page."""
    os.nice(setup.niceness)
    verbs.extract(ExtractRequest(html=_SAMPLE_PAGE), None, setup)
    return Child(setup)


def reply_to(task: Task, setup: Setup) -> Reply:
    """The reply to a request: its answer or a problem."""
    try:
        return _VERBS[task.verb](task, setup)
    except PageWanted as wanted:
        return Reply(202, wanted=wanted.url)
    except Refused as refused:
        return _refusal(refused.problem)
    except PagestrataError as error:
        return _refusal(problems.of_error(error))


def _forget(task: Task, setup: Setup) -> Reply:
    verbs.forget(task.name, setup)
    return Reply(204)


_VERBS: Final[dict[str, Callable[[Task, Setup], Reply]]] = {
    "extract": lambda task, setup: _json(verbs.extract(_read(task.body, ExtractRequest), task.page, setup)),
    "sections": lambda task, setup: _json(verbs.sections(_read(task.body, SectionsRequest), task.page, setup)),
    "look": lambda task, setup: _json(inspect_page(_read(task.body, InspectRequest), task.page, setup)),
    "learn": lambda task, setup: _json(verbs.learn(_read(task.body, LearnRequest), setup)),
    "sites": lambda task, setup: _json(verbs.sites(setup)),
    "site": lambda task, setup: Reply(200, verbs.site(task.name, setup)),
    "forget": _forget,
    "mcp": handle_message,
    "wake": lambda task, setup: Reply(204),
}


def _json(answer: object) -> Reply:
    return Reply(200, msgspec.json.encode(answer))


def _refusal(problem: Problem) -> Reply:
    return Reply(problem.status, msgspec.json.encode(problem), problems.MEDIA_TYPE)


def _read(body: bytes, kind: type[_Request]) -> _Request:
    """Decode and validate the body of a request."""
    try:
        return decode_json(body, kind)
    except msgspec.ValidationError as error:
        raise Refused("invalid", explained(error, kind)) from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Refused("not-json", str(error)) from error
