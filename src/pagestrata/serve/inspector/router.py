"""The routes of the inspector: its static files and the data of its session. Only this machine has access."""

from collections.abc import Callable
from typing import Annotated, Any, Final, Literal

import msgspec
from fastapi import APIRouter, FastAPI, Query, Request, Response
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from pagestrata.errors import PagestrataError
from pagestrata.evaluate.peers import installed_texts
from pagestrata.results import Role
from pagestrata.serve import problems
from pagestrata.serve.access import check_access
from pagestrata.serve.inspector import shell
from pagestrata.serve.inspector.session import InspectorSession, ViewRequest
from pagestrata.serve.problems import Refused
from pagestrata.serve.responses import PRIVATE_HEADERS, refusal, with_headers
from pagestrata.serve.settings import ServeSettings
from pagestrata.sites.cluster import NodeAction
from pagestrata.sites.model import Edit

MAX_BODY_BYTES: Final = 10_000
"""The size limit of an edit."""
_MEDIA_TYPES: Final = {".js": "text/javascript", ".css": "text/css"}


class EditRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A decision of a person about a section, for the site or for one page."""

    action: Literal["keep", "drop", "role"] | NodeAction
    selector: str = ""
    node: str = ""
    """The path of a node of a template, for what a template is marked with."""
    role: Role | None = None
    page: int | None = None
    """The only page that it is for; None for the site."""


def make_app(session: InspectorSession, settings: ServeSettings) -> FastAPI:
    """Create the application of the inspector without the service."""
    app = FastAPI(title="pagestrata inspector", openapi_url=None)
    app.include_router(static_router())
    app.include_router(session_router(session))
    app.add_middleware(LocalAccess, settings=settings)
    return app


def static_router(service: bool = False) -> APIRouter:
    """The routes to the document of the inspector and its static files."""
    router = APIRouter(include_in_schema=False)
    document, policy = shell.served_document(service)

    @router.get("/")
    def start() -> Response:
        return Response(document, media_type="text/html", headers={"Content-Security-Policy": policy})

    for name in (*shell.MODULES, shell.STYLE):
        media_type = _MEDIA_TYPES[name[name.rindex(".") :]]
        router.get(shell.STATIC_PATH + name)(_sender(shell.static(name), media_type))
    return router


def _sender(data: bytes, media_type: str) -> Callable[[], Response]:
    return lambda: Response(data, media_type=media_type)


def session_router(session: InspectorSession) -> APIRouter:
    """The routes to the data of a session."""
    router = APIRouter(prefix="/inspector/desk", include_in_schema=False)

    @router.get("")
    def opening() -> Response:
        return _json({**shell.opening(session), "peers": installed_texts()})

    @router.get("/copy")
    def copy(page: int) -> Response:
        return _json(session.copy(page))

    @router.get("/view")
    def view(page: int, method: str, bias: Annotated[float, Query(ge=-1, le=1)] = 0.0) -> Response:
        return _json(session.view(ViewRequest(page, method, bias)))

    @router.get("/render")
    def render(page: int, method: str, format: str, bias: float = 0.0, keep_from: float | None = None) -> Response:
        data = session.render(ViewRequest(page, method, bias, keep_from), format)
        return Response(data, media_type="application/octet-stream")

    @router.get("/peer")
    def peer(page: int, method: str, name: str, bias: float = 0.0, keep_from: float | None = None) -> Response:
        return _json(session.peer(ViewRequest(page, method, bias, keep_from), name))

    @router.get("/changes")
    def changes(page: int, method: str, other: int, bias: float = 0.0, keep_from: float | None = None) -> Response:
        return _json(session.changes(ViewRequest(page, method, bias, keep_from), other))

    @router.get("/reader")
    def reader(page: int, method: str, bias: float = 0.0, keep_from: float | None = None) -> Response:
        return _json(session.reader(ViewRequest(page, method, bias, keep_from)))

    @router.get("/site")
    def site() -> Response:
        return _json(session.site_view())

    @router.post("/edits")
    async def add_edit(request: Request) -> Response:
        decision = msgspec.json.decode(await _body(request), type=EditRequest)
        values = {name: value for name, value in msgspec.structs.asdict(decision).items() if name != "page"}
        edit = Edit(**values, note="in the inspector")
        if decision.page is not None:
            session.edit_page(decision.page, edit)
            return _json(None)
        session.edit(edit)
        return _json(session.site_view())

    @router.delete("/page-edits/{page}")
    def undo_page(page: int) -> Response:
        session.undo_page(page)
        return _json(None)

    @router.delete("/edits/{number}")
    def undo(number: int) -> Response:
        session.undo(number)
        return _json(session.site_view())

    return router


async def _body(request: Request) -> bytes:
    data = b""
    async for piece in request.stream():
        data += piece
        if len(data) > MAX_BODY_BYTES:
            raise Refused("body-too-large")
    return data


def _json(answer: Any) -> Response:
    return Response(msgspec.json.encode(answer), media_type="application/json")


class LocalAccess:
    """Admits requests of this machine from the page of the inspector, and turns errors into problems."""

    def __init__(self, app: ASGIApp, settings: ServeSettings) -> None:
        self._app, self._settings = app, settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        send = with_headers(send, PRIVATE_HEADERS)
        try:
            check_access(self._settings, scope["path"], Headers(scope=scope), "")
            await self._app(scope, receive, send)
        except Refused as refused:
            await refusal(refused.problem)(scope, receive, send)
        except PagestrataError as error:
            await refusal(problems.of_error(error))(scope, receive, send)
        except msgspec.DecodeError as error:
            await refusal(problems.problem("invalid", str(error)))(scope, receive, send)
