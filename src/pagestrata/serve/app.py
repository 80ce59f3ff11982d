"""The service: routes over a queue over workers. Requests are let in, counted and queued here; workers read them."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import Any, Final

import msgspec
from fastapi import FastAPI, Request, Response
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.routing import Match
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pagestrata.errors import FetchError
from pagestrata.inputs.http import FetchLimits, fetch
from pagestrata.page.raw import RawPage
from pagestrata.serve import metrics, openapi, problems
from pagestrata.serve.access import check_access
from pagestrata.serve.inspector import router as inspector
from pagestrata.serve.metrics import Metrics
from pagestrata.serve.openapi import described
from pagestrata.serve.problems import Problem, Refused
from pagestrata.serve.queue import FairQueue
from pagestrata.serve.quotas import Quota, Quotas
from pagestrata.serve.schemas import HealthAnswer
from pagestrata.serve.settings import ServeSettings
from pagestrata.serve.tasks import Reply, Task
from pagestrata.serve.workers import Workers

FETCH_LIMITS: Final = FetchLimits(first_byte_seconds=4.0, total_seconds=6.0)
"""Shorter than on the command line: somebody waits."""
SAFE_HEADERS: Final = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
"""On every answer that does not say otherwise."""

log = logging.getLogger("pagestrata.serve")


class Service:
    """The state that the routes share."""

    def __init__(self, settings: ServeSettings) -> None:
        self.settings = settings
        self.metrics = Metrics()
        self.quotas = Quotas(settings.limits)
        self.queue = FairQueue(settings.limits, settings.short_workers)
        self._workers = Workers(settings, self.queue, self.metrics)

    @asynccontextmanager
    async def running(self, app: FastAPI) -> AsyncIterator[None]:
        """While the service runs, its workers do."""
        await self._workers.start()
        try:
            yield
        finally:
            await self._workers.stop()

    async def answer(self, request: Request, verb: str, name: str = "") -> Response:
        """Have a request answered by a worker."""
        client: str = request.scope["state"]["client"]
        async with self.quotas.enter(client) as quota:
            data = b""
            if request.method == "POST":
                data = await quota.read(request.headers, request.stream())
                self.metrics.received(len(data))
            task = Task(verb, data, name)
            reply = await self._ask(request, client, task, quota.patience)
            if reply.wanted:
                page = await self._fetch(reply.wanted, quota)
                quota.hold(len(page.markup))
                reply = await self._ask(request, client, Task(verb, data, name, page), quota.patience)
        if reply.media_type == problems.MEDIA_TYPE:
            return refusal(msgspec.json.decode(reply.body, type=Problem))
        return Response(reply.body, reply.status, media_type=reply.media_type if reply.body else None)

    async def _ask(self, request: Request, client: str, task: Task, patience: float) -> Reply:
        """Queue up; whoever hangs up meanwhile is not waited for."""
        ticket = self.queue.put(client, task, patience)
        gone = asyncio.create_task(_gone(request))
        try:
            await asyncio.wait((ticket.reply, gone), return_when=asyncio.FIRST_COMPLETED)
        finally:
            gone.cancel()
            self.queue.drop(ticket)
        if not ticket.reply.done():
            ticket.reply.cancel()
            raise ClientDisconnect
        return ticket.reply.result()

    async def _fetch(self, url: str, quota: Quota) -> RawPage:
        if self.settings.fetch is None:  # a worker that was taken over may ask for anything
            raise Refused("fetching-is-off")
        async with quota.fetching():
            try:
                return await asyncio.to_thread(fetch, url, self.settings.fetch, FETCH_LIMITS)
            except FetchError as error:
                raise Refused("fetch-failed", str(error)) from error


async def _gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def make_app(settings: ServeSettings) -> FastAPI:
    """The application, ready for a server."""
    service = Service(settings)
    app = FastAPI(
        title="pagestrata",
        version=version("pagestrata"),
        description="Cuts web pages into sections, says how important each is and why, and gives back the content.",
        lifespan=service.running,
        docs_url=None,  # its scripts would come from another host
        redoc_url=None,
    )
    app.openapi = lambda: openapi.document(app)  # type: ignore[method-assign]
    app.add_exception_handler(HTTPException, _not_ours)
    app.add_exception_handler(Exception, _not_ours)
    _add_verbs(app, service)
    _add_state(app, service)
    app.include_router(inspector.parts(service=True))
    app.add_middleware(AccessControl, service=service)
    return app


def _add_verbs(app: FastAPI, service: Service) -> None:
    reading = ("unusable", "unknown-site", "fetching-is-off", "fetch-failed", "too-much-memory")

    @app.post("/extract", **described("ExtractAnswer", "ExtractRequest", reading))
    async def extract(request: Request) -> Response:
        """The content of a page, as Markdown, text, HTML or XML."""
        return await service.answer(request, "extract")

    @app.post("/sections", **described("ExtractionRecord", "SectionsRequest", reading))
    async def sections(request: Request) -> Response:
        """Everything known of a page: the tree of its sections with roles, importance and reasons, and the metadata."""
        return await service.answer(request, "sections")

    @app.post("/learn", **described("LearnAnswer", "LearnRequest", ("unusable", "too-much-memory")))
    async def learn(request: Request) -> Response:
        """Learn a site from some of its pages, in place of what was known of it."""
        return await service.answer(request, "learn")

    @app.get("/sites", **described("SitesAnswer"))
    async def sites(request: Request) -> Response:
        """The sites that were learned."""
        return await service.answer(request, "sites")

    @app.get("/sites/{name:path}", **described("object", also=("unknown-site",)))
    async def site(request: Request, name: str) -> Response:
        """The whole model of a site."""
        return await service.answer(request, "site", name)

    @app.delete("/sites/{name:path}", **described("", also=("unknown-site",), status=204))
    async def forget(request: Request, name: str) -> Response:
        """Forget a site."""
        return await service.answer(request, "forget", name)

    @app.post("/mcp", **described("object", "Message"))
    async def mcp(request: Request) -> Response:
        """The same for language models: one message of the Model Context Protocol."""
        return await service.answer(request, "mcp")

    @app.post("/look", include_in_schema=False)
    async def look(request: Request) -> Response:
        """What the inspector asks for."""
        return await service.answer(request, "look")


def _add_state(app: FastAPI, service: Service) -> None:
    @app.get("/health", **described("HealthAnswer"))
    async def health() -> Response:
        """Whether the service works."""
        queue = service.queue
        found = HealthAnswer("ok", app.version, service.settings.workers, queue.idle, len(queue))
        return Response(msgspec.json.encode(found), media_type="application/json")

    @app.get("/metrics", include_in_schema=False)
    async def figures() -> Response:
        """What was counted, for Prometheus."""
        return Response(service.metrics.text(len(service.queue), service.quotas.held), media_type=metrics.MEDIA_TYPE)


class AccessControl:
    """Checks the access of each request, counts responses, and turns errors into problems."""

    def __init__(self, app: ASGIApp, service: Service) -> None:
        self._app, self._service = app, service

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started, status = time.monotonic(), 0

        async def send_noting(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = _with_safe_headers(message.get("headers", ()))
            await send(message)

        try:
            await self._answer(scope, receive, send_noting)
        except ClientDisconnect:
            status = 499  # as nginx calls it: nobody reads this
        route = scope.get("route")
        path = getattr(route, "path_format", getattr(route, "path", "other"))
        self._service.metrics.request(path, status, time.monotonic() - started)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        client = scope.get("client")
        try:
            name = check_access(
                self._service.settings, scope["path"], Headers(scope=scope), client[0] if client else ""
            )
            scope.setdefault("state", {})["client"] = name
            await self._app(scope, receive, send)
        except Refused as refused:
            await refusal(refused.problem)(scope, receive, send)


def _with_safe_headers(headers: Any) -> list[tuple[bytes, bytes]]:
    said = {name.lower() for name, _ in headers}
    more = ((name.lower().encode(), value.encode()) for name, value in SAFE_HEADERS.items())
    return [*headers, *((name, value) for name, value in more if name not in said)]


async def _not_ours(request: Request, error: Exception) -> Response:
    """What the router refuses, in our form."""
    if not isinstance(error, HTTPException):
        return refusal(problems.problem("failed"))
    answer = refusal(problems.problem({404: "not-found", 405: "wrong-method"}.get(error.status_code, "failed")))
    if error.status_code == 405:
        answer.headers["Allow"] = ", ".join(sorted(_allowed(request)))
    return answer


def _allowed(request: Request) -> set[str]:
    """The methods of all routes of a path; the router names those of the first."""
    fitting = (route for route in request.app.routes if route.matches(request.scope)[0] is not Match.NONE)
    return {method for route in fitting for method in getattr(route, "methods", None) or ()}


def refusal(problem: Problem) -> Response:
    """A problem as a response; the log gets its id and kind, and nothing that a client sent."""
    log.info("%s %d %s", problem.instance, problem.status, problem.kind)
    return Response(msgspec.json.encode(problem), problem.status, problem.headers, problems.MEDIA_TYPE)
