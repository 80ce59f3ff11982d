"""What a worker does with a request: bytes in, a `Reply` out. Bodies are first looked at here, in a child with limits.

A body of 20 MB takes a tenth of a second to decode, during which the process that holds all connections could do
nothing else; here it costs only its sender.
"""

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import msgspec

from pagestrata.errors import PagestrataError
from pagestrata.serve import problems, verbs
from pagestrata.serve.inspector.inspect import InspectRequest, inspect_page
from pagestrata.serve.mcp import converse
from pagestrata.serve.problems import Problem, Refused
from pagestrata.serve.schemas import ExtractRequest, LearnRequest, SectionsRequest
from pagestrata.serve.tasks import PageWanted, Reply, Setup, Task

_Request = TypeVar("_Request")
_PLAIN = "<title>Warm</title><article><h1>Warm</h1><p>" + "The kettle sang, and the tide came in. " * 20


@dataclass(frozen=True, slots=True)
class Child:
    """The work of a child. When it arrives there it reads a page, so that no request has to wait for imports."""

    setup: Setup

    def __call__(self, task: Task) -> bytes:
        """Answer a request; a `Reply` in MessagePack."""
        started = time.process_time()
        reply = reply_to(task, self.setup)
        return msgspec.msgpack.encode(msgspec.structs.replace(reply, cost=time.process_time() - started))

    def __reduce__(self) -> tuple[Any, ...]:
        return begin, (self.setup,)


def begin(setup: Setup) -> Child:
    """What happens in a child before its first request."""
    os.nice(setup.niceness)
    verbs.extract(ExtractRequest(html=_PLAIN), None, setup)
    return Child(setup)


def reply_to(task: Task, setup: Setup) -> Reply:
    """The answer, or the problem that stood against it."""
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
    "mcp": converse,
    "wake": lambda task, setup: Reply(204),
}


def _json(found: object) -> Reply:
    return Reply(200, msgspec.json.encode(found))


def _refusal(problem: Problem) -> Reply:
    return Reply(problem.status, msgspec.json.encode(problem), problems.MEDIA_TYPE)


def _read(body: bytes, kind: type[_Request]) -> _Request:
    """The request in a body, checked."""
    try:
        return msgspec.json.decode(body, type=kind)
    except msgspec.ValidationError as error:
        raise Refused("invalid", str(error)) from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Refused("not-json", str(error)) from error
