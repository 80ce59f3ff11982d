"""The Model Context Protocol over standard input and output: one message on a line, one answer on a line.

Each message is handled by a child process with limits, as in the service: pages are not trusted.
https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#stdio
"""

from functools import partial
from typing import BinaryIO, Final

import msgspec

from pagestrata.errors import FetchError
from pagestrata.inputs.addresses import AddressPolicy
from pagestrata.inputs.http import fetch_explained
from pagestrata.page.json_text import decode_json
from pagestrata.serve.child import reply_to
from pagestrata.serve.mcp import INVALID_REQUEST, error_of, result_of, tool_result
from pagestrata.serve.tasks import Reply, Setup, Task
from pagestrata.work.guard import Failure, Guard, GuardLimits

MAX_LINE: Final = 128_000_000
"""Bytes of one message; JSON may need six bytes for one (`\\u0000`), and pages are cut at 20 MB."""


class _Head(msgspec.Struct):
    """The only field of a message that is read here."""

    id: str | int | None = None


def serve_stdio(
    messages: BinaryIO, answers: BinaryIO, setup: Setup, policy: AddressPolicy | None, limits: GuardLimits
) -> None:
    """Answer messages until their end; pages are fetched if there is a policy."""
    with Guard(partial(_handle, setup=setup), 1, limits) as guard:
        while line := messages.readline(MAX_LINE):
            answer = _answer(line, messages, guard, policy) if line.strip() else b""
            if answer:
                answers.write(answer + b"\n")
                answers.flush()


def _handle(task: Task, setup: Setup) -> bytes:
    """Runs in the child."""
    return msgspec.msgpack.encode(reply_to(task, setup))


def _answer(line: bytes, messages: BinaryIO, guard: Guard[Task], policy: AddressPolicy | None) -> bytes:
    if not line.endswith(b"\n") and len(line) == MAX_LINE:
        while (rest := messages.readline(MAX_LINE)) and not rest.endswith(b"\n"):
            pass
        return error_of(None, INVALID_REQUEST, f"the message is longer than {MAX_LINE:,} bytes")
    task = Task("mcp", line)
    reply = _run(guard, task)
    if isinstance(reply, Reply) and reply.wanted:
        if policy is None:  # a compromised child may ask for anything
            return _tool_error(line, "this server does not fetch pages: send the page")
        try:
            task = Task("mcp", line, page=fetch_explained(reply.wanted, policy))
        except FetchError as error:
            return _tool_error(line, f"the page could not be fetched: {error}")
        reply = _run(guard, task)
    return reply.body if isinstance(reply, Reply) else _tool_error(line, f"reading the page failed: {reply.reason}")


def _run(guard: Guard[Task], task: Task) -> Reply | Failure:
    [(_, outcome)] = guard.map([task])
    return outcome if isinstance(outcome, Failure) else msgspec.msgpack.decode(outcome, type=Reply)


def _tool_error(line: bytes, text: str) -> bytes:
    """The answer to the call of a tool that failed; the model reads it."""
    return result_of(_id_of(line), tool_result(text, is_error=True))


def _id_of(line: bytes) -> str | int | None:
    try:
        return decode_json(line, _Head).id
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):  # it has none that could be read
        return None
