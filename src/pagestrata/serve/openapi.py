"""The OpenAPI document: requests and answers from `schemas`, error responses from `problems`, and examples."""

from typing import Any, Final

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from pagestrata.serve import problems
from pagestrata.serve.mcp import Message
from pagestrata.serve.raw_body import MEDIA_TYPES, parameters_of
from pagestrata.serve.schemas import REFERENCE, components

_PAGE = "<title>Tea</title><nav><a href=/>Home</a></nav><article><h1>Tea</h1><p>Warm the pot, then wait.</p></article>"
_URL = "https://tidewater.example/tea.html"
EXAMPLES: Final[dict[str, dict[str, Any]]] = {
    "ExtractRequest": {"html": _PAGE, "url": _URL, "format": "md", "options": {"links": False}},
    "SectionsRequest": {"html": _PAGE, "url": _URL, "method": "density"},
    "Message": {"jsonrpc": "2.0", "id": 1, "method": "tools/list"},
    "LearnRequest": {
        "pages": [{"html": _PAGE, "url": _URL}, {"html": _PAGE.replace("Tea", "Mud")}],
        "site": "tidewater",
    },
}
_ALWAYS: Final = (
    *("token-needed", "wrong-host", "foreign-origin", "invalid", "too-many-requests", "busy", "too-slow", "failed"),
)
_WITH_BODY: Final = ("not-json", "body-too-slow", "body-too-large", "wrong-media-type")


def route_description(
    answer: str, request: str = "", also: tuple[str, ...] = (), status: int = 200, raw: str = ""
) -> dict[str, Any]:
    """The arguments that describe a route to FastAPI, which does not see the bodies of our requests and answers.

    `answer` is the name of its schema, or several with ` | ` between them; `raw` is the verb of a route that also takes
    a page as its body.
    """
    kinds = (*_ALWAYS, *(_WITH_BODY if request else ()), *also)
    return {
        "status_code": status,
        "responses": {status: _content("Done", answer) if answer else {"description": "Done"}, **_refusals(kinds)},
        "openapi_extra": {"requestBody": _body(request, bool(raw)), **_parameters(raw)} if request else None,
    }


def document(app: FastAPI) -> dict[str, Any]:
    """The complete OpenAPI document."""
    openapi = get_openapi(
        title="pagestrata", version=app.version, description=app.description, routes=app.routes, openapi_version="3.1.0"
    )
    for operations in openapi["paths"].values():
        for operation in operations.values():
            if operation["responses"].get("422", {}).get("description") == "Validation Error":  # by FastAPI, never sent
                del operation["responses"]["422"]
    mcp = openapi["paths"]["/mcp"]["post"]["responses"]
    mcp["202"] = {"description": "A notification was taken"}
    mcp["400"]["content"]["application/json"] = {"schema": {"type": "object"}}
    parts = openapi.setdefault("components", {})
    parts["schemas"] = components(problems.Problem, Message)
    parts["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
    openapi["security"] = [{}, {"token": []}]
    return openapi


def _content(description: str, name: str, media_type: str = "application/json") -> dict[str, Any]:
    references = [{"$ref": REFERENCE.format(name=each)} for each in name.split(" | ")]
    schema = {"type": "object"} if name == "object" else {"anyOf": references}
    return {"description": description, "content": {media_type: {"schema": schema}}}


def _body(name: str, takes_pages: bool) -> dict[str, Any]:
    contents: dict[str, Any] = {
        "application/json": {"schema": {"$ref": REFERENCE.format(name=name)}, "example": EXAMPLES[name]}
    }
    if takes_pages:
        # Any bytes are a page, so that no schema can be violated.
        contents |= {media_type: {"schema": {}, "example": _PAGE} for media_type in MEDIA_TYPES}
    return {"required": True, "content": contents}


def _parameters(verb: str) -> dict[str, Any]:
    """The parameters of the query of a request whose body is a page."""
    if not verb:
        return {}
    about = "Only if the body is a page; otherwise it is a field of the body."
    parameters = [
        {"name": name, "in": "query", "required": False, "schema": schema, "description": about}
        for name, schema in parameters_of(verb).items()
    ]
    return {"parameters": parameters}


def _refusals(kinds: tuple[str, ...]) -> dict[int | str, Any]:
    """The error responses by status; several problems may share one."""
    titles: dict[int, list[str]] = {}
    for kind in kinds:
        status, title = problems.KINDS[kind]
        titles.setdefault(status, []).append(title)
    return {status: _content(". ".join(titles[status]), "Problem", problems.MEDIA_TYPE) for status in sorted(titles)}
