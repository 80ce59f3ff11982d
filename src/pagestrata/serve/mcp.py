"""Serves the verbs as tools of language models: the Model Context Protocol over streamable HTTP.

Each request has one response in JSON; there are no sessions and no streams, which the protocol permits. The remaining
protocol (five methods) is so small that the official package, with a dozen dependencies and its own process-wide event
loop, would take more code to set up; and here messages are also decoded in a worker with limits.
https://modelcontextprotocol.io/specification/2025-11-25/basic/transports
"""

from collections.abc import Callable
from importlib.metadata import version
from typing import Any, Final, Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType

from pagestrata.errors import PagestrataError
from pagestrata.page.json_text import decode_json
from pagestrata.page.raw import RawPage
from pagestrata.serve import problems, verbs
from pagestrata.serve.problems import Refused
from pagestrata.serve.schemas import ExtractRequest, LearnRequest, SectionsRequest, explained, schema_of
from pagestrata.serve.tasks import Reply, Setup, Task

VERSIONS: Final = ("2025-11-25", "2025-06-18", "2025-03-26")
"""Versions of the protocol, newest first; the part that we use is the same in all of them."""
PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS = -32700, -32600, -32601, -32602


class Message(Struct, frozen=True):
    """A JSON-RPC request, or a notification if it has no id."""

    jsonrpc: Literal["2.0"]
    method: str
    id: str | int | UnsetType = UNSET
    params: dict[str, Any] = {}


class NoArguments(Struct, frozen=True, forbid_unknown_fields=True):
    """The arguments of a tool that takes none."""


_TOOLS: Final[dict[str, tuple[type, str, Callable[[Any, RawPage | None, Setup], Any]]]] = {
    "extract": (
        ExtractRequest,
        "Give back the clean content of a web page, without menus, advertisements and the like, as Markdown or text, "
        "or in chunks of up to `options.chunk_words` words with the headings that each stands under.",
        verbs.extract,
    ),
    "sections": (
        SectionsRequest,
        "Cut a web page into a tree of sections, each with its role, importance, path and the reasons for both.",
        verbs.sections,
    ),
    "learn": (
        LearnRequest,
        "Learn the template of a site from some of its pages, so that its other pages are read better.",
        lambda request, page, setup: verbs.learn(request, setup),
    ),
    "sites": (
        NoArguments,
        "List the sites that were learned.",
        lambda request, page, setup: verbs.sites(setup),
    ),
}


def handle_message(task: Task, setup: Setup) -> Reply:
    """Respond to one message of the protocol."""
    try:
        message = decode_json(task.body, Message)
    except msgspec.ValidationError as error:
        return _error(400, None, INVALID_REQUEST, str(error))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        return _error(400, None, PARSE_ERROR, str(error))
    if message.id is UNSET:
        return Reply(202)
    methods: dict[str, Callable[[], dict[str, Any]]] = {
        "initialize": lambda: _initialize(message.params),
        "ping": dict,
        "tools/list": _list_tools,
        "tools/call": lambda: _call(message.params, task.page, setup),
    }
    if message.method not in methods:
        return _error(200, message.id, METHOD_NOT_FOUND, "there is no such method")
    try:
        result = methods[message.method]()
    except msgspec.ValidationError as error:
        return _error(200, message.id, INVALID_PARAMS, str(error))
    return Reply(200, result_of(message.id, result))


def _error(status: int, message_id: str | int | None, code: int, text: str) -> Reply:
    return Reply(status, error_of(message_id, code, text))


def result_of(message_id: str | int | None, result: dict[str, Any]) -> bytes:
    """The answer to a message."""
    return msgspec.json.encode({"jsonrpc": "2.0", "id": message_id, "result": result})


def error_of(message_id: str | int | None, code: int, text: str) -> bytes:
    """The answer to a message that is none, or that asks for what is not there."""
    return msgspec.json.encode({"jsonrpc": "2.0", "id": message_id, "error": {"code": code, "message": text}})


def _initialize(params: dict[str, Any]) -> dict[str, Any]:
    requested = params.get("protocolVersion")
    return {
        "protocolVersion": requested if requested in VERSIONS else VERSIONS[0],
        "capabilities": {"tools": {}},
        "serverInfo": {"name": "pagestrata", "version": version("pagestrata")},
        "instructions": "Reads web pages. Send a page as html with its url; what is kept is in `content`.",
    }


def _list_tools() -> dict[str, Any]:
    tools = [
        {"name": name, "description": description, "inputSchema": schema_of(kind)}
        for name, (kind, description, _) in _TOOLS.items()
    ]
    return {"tools": tools}


def _call(params: dict[str, Any], page: RawPage | None, setup: Setup) -> dict[str, Any]:
    """Call a tool; errors are returned as its result, so that the model can correct its arguments."""
    name = params.get("name")
    if not isinstance(name, str) or name not in _TOOLS:
        raise msgspec.ValidationError(f"there is no such tool; there are {', '.join(_TOOLS)}")
    kind, _, tool = _TOOLS[name]
    try:
        answer = tool(msgspec.convert(params.get("arguments") or {}, kind), page, setup)
    except msgspec.ValidationError as error:
        return tool_result(f"a field is missing, unknown or of the wrong kind: {explained(error, kind)}", is_error=True)
    except Refused as refused:
        return tool_result(f"{refused.problem.title} {refused.problem.detail}".strip(), is_error=True)
    except PagestrataError as error:
        problem = problems.of_error(error)
        return tool_result(f"{problem.title} {problem.detail}".strip(), is_error=True)
    plain = msgspec.to_builtins(answer)
    return {**tool_result(plain.get("content") or msgspec.json.encode(plain).decode()), "structuredContent": plain}


def tool_result(text: str, is_error: bool = False) -> dict[str, Any]:
    """The result of a tool, which the model reads."""
    return {"content": [{"type": "text", "text": text}], "isError": is_error}
