"""The same verbs for the tools of language models: the Model Context Protocol over streamable HTTP.

One request, one answer in JSON: no session is kept and nothing is streamed, which the protocol allows a server. What is
left of it is so little (five methods) that the official package, which brings a dozen others and a process-wide event
loop of its own, would be longer to set up than this is; and here the messages too are read in a worker with limits.
https://modelcontextprotocol.io/specification/2025-11-25/basic/transports
"""

from collections.abc import Callable
from importlib.metadata import version
from typing import Any, Final, Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType

from pagestrata.errors import PagestrataError
from pagestrata.page.raw import RawPage
from pagestrata.serve import problems, verbs
from pagestrata.serve.problems import Refused
from pagestrata.serve.schemas import ExtractRequest, LearnRequest, SectionsRequest, schema_of
from pagestrata.serve.tasks import Reply, Setup, Task

VERSIONS: Final = ("2025-11-25", "2025-06-18", "2025-03-26")
"""Of the protocol, newest first; what we use of them is the same in all."""
PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS = -32700, -32600, -32601, -32602


class Message(Struct, frozen=True):
    """A request, or a notification if it has no id."""

    jsonrpc: Literal["2.0"]
    method: str
    id: str | int | UnsetType = UNSET
    params: dict[str, Any] = {}


class NoArguments(Struct, frozen=True, forbid_unknown_fields=True):
    """For a tool that takes none."""


_TOOLS: Final[dict[str, tuple[type, str, Callable[[Any, RawPage | None, Setup], Any]]]] = {
    "extract": (
        ExtractRequest,
        "Give back the clean content of a web page, without menus, advertisements and the like, as Markdown or text.",
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


def converse(task: Task, setup: Setup) -> Reply:
    """Answer one message."""
    try:
        message = msgspec.json.decode(task.body, type=Message)
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
    return Reply(200, msgspec.json.encode({"jsonrpc": "2.0", "id": message.id, "result": result}))


def _error(status: int, number: str | int | None, code: int, text: str) -> Reply:
    error = {"jsonrpc": "2.0", "id": number, "error": {"code": code, "message": text}}
    return Reply(status, msgspec.json.encode(error))


def _initialize(params: dict[str, Any]) -> dict[str, Any]:
    wanted = params.get("protocolVersion")
    return {
        "protocolVersion": wanted if wanted in VERSIONS else VERSIONS[0],
        "capabilities": {"tools": {}},
        "serverInfo": {"name": "pagestrata", "version": version("pagestrata")},
        "instructions": "Reads web pages. Send a page as html with its url; what is kept is in `content`.",
    }


def _list_tools() -> dict[str, Any]:
    tools = [
        {"name": name, "description": about, "inputSchema": schema_of(kind)}
        for name, (kind, about, _) in _TOOLS.items()
    ]
    return {"tools": tools}


def _call(params: dict[str, Any], page: RawPage | None, setup: Setup) -> dict[str, Any]:
    """Use a tool; what goes wrong with it is told to the model, which may do better."""
    name = params.get("name")
    if name not in _TOOLS:
        raise msgspec.ValidationError(f"there is no such tool; there are {', '.join(_TOOLS)}")
    kind, _, use = _TOOLS[name]
    try:
        answer = use(msgspec.convert(params.get("arguments") or {}, kind), page, setup)
    except msgspec.ValidationError as error:
        return _told(f"a field is missing, unknown or of the wrong kind: {error}", is_error=True)
    except Refused as refused:
        return _told(f"{refused.problem.title} {refused.problem.detail}".strip(), is_error=True)
    except PagestrataError as error:
        found = problems.of_error(error)
        return _told(f"{found.title} {found.detail}".strip(), is_error=True)
    plain = msgspec.to_builtins(answer)
    return {**_told(plain.get("content") or msgspec.json.encode(plain).decode()), "structuredContent": plain}


def _told(text: str, is_error: bool = False) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": text}], "isError": is_error}
