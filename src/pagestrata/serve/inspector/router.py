"""The doors of the inspector: its parts, and what lies on the desk. Only this machine comes in."""

from collections.abc import Callable
from typing import Annotated, Any, Final, Literal

import msgspec
from fastapi import APIRouter, FastAPI, Query, Request, Response
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pagestrata.errors import PagestrataError
from pagestrata.results import Role
from pagestrata.serve import problems
from pagestrata.serve.doors import check_in
from pagestrata.serve.inspector import shell
from pagestrata.serve.inspector.desk import Desk, Look
from pagestrata.serve.problems import Problem, Refused
from pagestrata.serve.settings import ServeSettings
from pagestrata.sites.model import Edit

MOST_BODY: Final = 10_000
"""Bytes of an edit."""
_KINDS: Final = {".js": "text/javascript", ".css": "text/css"}
_HEADERS: Final = {"Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff"}


class EditRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a person decided with a click."""

    action: Literal["keep", "drop", "role"]
    selector: str
    role: Role | None = None


def make_app(desk: Desk, settings: ServeSettings) -> FastAPI:
    """The inspector alone, ready for a server."""
    app = FastAPI(title="pagestrata inspector", openapi_url=None)
    app.include_router(parts())
    app.include_router(desk_router(desk))
    app.add_middleware(Doors, settings=settings)
    return app


def parts(service: bool = False) -> APIRouter:
    """The document and what it is made of."""
    router = APIRouter(include_in_schema=False)
    document, policy = shell.served(service)

    @router.get("/")
    def start() -> Response:
        return Response(document, media_type="text/html", headers={"Content-Security-Policy": policy})

    for name in (*shell.MODULES, shell.STYLE):
        kind = _KINDS[name[name.rindex(".") :]]
        router.get(shell.PLACE + name)(_sender(shell.static(name), kind))
    return router


def _sender(data: bytes, kind: str) -> Callable[[], Response]:
    return lambda: Response(data, media_type=kind)


def desk_router(desk: Desk) -> APIRouter:
    """What can be asked of a desk."""
    router = APIRouter(prefix="/inspector/desk", include_in_schema=False)

    @router.get("")
    def opening() -> Response:
        return _json(shell.opening(desk))

    @router.get("/copy")
    def copy(page: int) -> Response:
        return _json(desk.copy(page))

    @router.get("/view")
    def view(page: int, method: str, bias: Annotated[float, Query(ge=-1, le=1)] = 0.0) -> Response:
        return _json(desk.view(Look(page, method, bias)))

    @router.get("/render")
    def render(page: int, method: str, format: str, bias: float = 0.0, keep_from: float | None = None) -> Response:
        return Response(desk.render(Look(page, method, bias, keep_from), format), media_type="text/plain")

    @router.get("/site")
    def site() -> Response:
        return _json(desk.site_view())

    @router.post("/edits")
    async def edit(request: Request) -> Response:
        asked = msgspec.json.decode(await _body(request), type=EditRequest)
        desk.edit(Edit(action=asked.action, selector=asked.selector, role=asked.role, note="in the inspector"))
        return _json(desk.site_view())

    @router.delete("/edits/{number}")
    def undo(number: int) -> Response:
        desk.undo(number)
        return _json(desk.site_view())

    return router


async def _body(request: Request) -> bytes:
    data = b""
    async for piece in request.stream():
        data += piece
        if len(data) > MOST_BODY:
            raise Refused("body-too-large")
    return data


def _json(found: Any) -> Response:
    return Response(msgspec.json.encode(found), media_type="application/json")


class Doors:
    """Lets in who is on this machine and came from our own page, and makes a problem of what goes wrong."""

    def __init__(self, app: ASGIApp, settings: ServeSettings) -> None:
        self._app, self._settings = app, settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                safe = ((name.lower().encode(), value.encode()) for name, value in _HEADERS.items())
                message["headers"] = [*message.get("headers", ()), *safe]
            await send(message)

        try:
            check_in(self._settings, scope["path"], Headers(scope=scope), "")
            await self._app(scope, receive, send_safely)
        except Refused as refused:
            await _refusal(refused.problem)(scope, receive, send_safely)
        except PagestrataError as error:
            await _refusal(problems.of_error(error))(scope, receive, send_safely)
        except msgspec.DecodeError as error:
            await _refusal(problems.problem("invalid", str(error)))(scope, receive, send_safely)


def _refusal(problem: Problem) -> Response:
    return Response(msgspec.json.encode(problem), problem.status, problem.headers, problems.MEDIA_TYPE)
