"""The service: its routes check, count and queue requests, which workers then handle."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from importlib.metadata import version
from typing import Final

import msgspec
from fastapi import FastAPI, Request, Response
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.routing import Match
from starlette.types import ASGIApp, Receive, Scope, Send

from pagestrata.errors import FetchError
from pagestrata.inputs.http import FetchLimits, fetch
from pagestrata.page.raw import RawPage
from pagestrata.serve import metrics, openapi, problems
from pagestrata.serve.access import check_access, share_name
from pagestrata.serve.docs_page import CONTENT_SECURITY_POLICY, docs_page
from pagestrata.serve.inspector import router as inspector
from pagestrata.serve.metrics import Metrics
from pagestrata.serve.openapi import route_description
from pagestrata.serve.problems import Problem, Refused
from pagestrata.serve.queue import FairQueue
from pagestrata.serve.quotas import Quota, Quotas
from pagestrata.serve.raw_body import check_name, is_raw, request_in_query
from pagestrata.serve.responses import PRIVATE_HEADERS, refusal, with_headers
from pagestrata.serve.schemas import HealthAnswer
from pagestrata.serve.settings import ServeSettings
from pagestrata.serve.tasks import Reply, Task
from pagestrata.serve.workers import Workers

FETCH_LIMITS: Final = FetchLimits(first_byte_seconds=4.0, total_seconds=6.0)
"""Shorter than on the command line, because a client waits."""
SECURITY_HEADERS: Final = {
    **PRIVATE_HEADERS,
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
}
"""Added to every response that does not set them itself."""


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
        """Start the workers, and stop them when the service ends."""
        await self._workers.start()
        try:
            yield
        finally:
            await self._workers.stop()

    async def answer(self, request: Request, verb: str, name: str = "") -> Response:
        """Let a worker answer a request."""
        state = request.scope["state"]
        client, share = state["client"], state["share"]
        query = request.query_params.multi_items()
        async with self.quotas.enter(client) as quota:
            task = Task(verb, name=name)
            if is_raw(request.headers) and request.method == "POST":
                asked = request_in_query(verb, query)
                data = await self._receive(request, quota)
                page = RawPage(data, url=asked.url, content_type=request.headers["content-type"])
                task = Task(verb, msgspec.json.encode(asked), name, page)
            else:
                for parameter, _ in query:
                    check_name(parameter)
                if request.method == "POST":
                    task = Task(verb, await self._receive(request, quota), name)
            reply = await self._run_task(request, share, task, quota.patience)
            if reply.wanted:
                page = await self._fetch(reply.wanted, quota)
                quota.hold(len(page.markup))
                reply = await self._run_task(request, share, replace(task, page=page), quota.patience)
        if reply.media_type == problems.MEDIA_TYPE:
            return refusal(msgspec.json.decode(reply.body, type=Problem))
        return Response(reply.body, reply.status, media_type=reply.media_type if reply.body else None)

    async def _receive(self, request: Request, quota: Quota) -> bytes:
        data = await quota.read(request.headers, request.stream())
        self.metrics.received(len(data))
        return data

    async def _run_task(self, request: Request, share: str, task: Task, patience: float) -> Reply:
        """Queue a task and wait for its reply; stop waiting when the client disconnects."""
        ticket = self.queue.put(share, task, patience)
        disconnect = asyncio.create_task(_wait_for_disconnect(request))
        try:
            await asyncio.wait((ticket.reply, disconnect), return_when=asyncio.FIRST_COMPLETED)
        finally:
            disconnect.cancel()
            self.queue.drop(ticket)
        if not ticket.reply.done():
            ticket.reply.cancel()
            raise ClientDisconnect
        return ticket.reply.result()

    async def _fetch(self, url: str, quota: Quota) -> RawPage:
        if self.settings.fetch is None:  # a compromised worker may request anything
            raise Refused("fetching-is-off")
        async with quota.fetching():
            try:
                return await asyncio.to_thread(fetch, url, self.settings.fetch, FETCH_LIMITS)
            except FetchError as error:
                raise Refused("fetch-failed", str(error)) from error


async def _wait_for_disconnect(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def make_app(settings: ServeSettings) -> FastAPI:
    """Create the application of the service."""
    service = Service(settings)
    app = FastAPI(
        title="pagestrata",
        version=version("pagestrata"),
        description="Cuts web pages into sections, says how important each is and why, and gives back the content.",
        lifespan=service.running,
        docs_url=None,  # it loads scripts from another host; ours is in `docs_page`
        redoc_url=None,
    )
    app.openapi = lambda: openapi.document(app)  # type: ignore[method-assign]
    app.add_exception_handler(HTTPException, _router_error)
    app.add_exception_handler(Exception, _router_error)
    _add_verbs(app, service)
    _add_state(app, service)
    app.include_router(inspector.static_router(service=True))
    app.add_middleware(AccessControl, service=service)
    return app


def _add_verbs(app: FastAPI, service: Service) -> None:
    page_problems = ("unusable", "unknown-site", "fetching-is-off", "fetch-failed", "too-much-memory")

    answers = "ExtractAnswer | PageRow"

    @app.post("/extract", **route_description(answers, "ExtractRequest", page_problems, raw="extract"))
    async def extract(request: Request) -> Response:
        """The content of a page, as Markdown, text, HTML, XML or chunks, or the `fields` of its row."""
        return await service.answer(request, "extract")

    @app.post("/sections", **route_description("ExtractionRecord", "SectionsRequest", page_problems, raw="sections"))
    async def sections(request: Request) -> Response:
        """The complete result for a page: its sections with roles, importance and reasons, and the metadata."""
        return await service.answer(request, "sections")

    @app.post("/learn", **route_description("LearnAnswer", "LearnRequest", ("unusable", "too-much-memory")))
    async def learn(request: Request) -> Response:
        """Learn a site from some of its pages; replaces the existing model."""
        return await service.answer(request, "learn")

    @app.get("/sites", **route_description("SitesAnswer"))
    async def sites(request: Request) -> Response:
        """The sites that were learned."""
        return await service.answer(request, "sites")

    @app.get("/sites/{name:path}", **route_description("object", also=("unknown-site",)))
    async def site(request: Request, name: str) -> Response:
        """The complete model of a site."""
        return await service.answer(request, "site", name)

    @app.delete("/sites/{name:path}", **route_description("", also=("unknown-site",), status=204))
    async def forget(request: Request, name: str) -> Response:
        """Forget a site."""
        return await service.answer(request, "forget", name)

    @app.post("/mcp", **route_description("object", "Message"))
    async def mcp(request: Request) -> Response:
        """One message of the Model Context Protocol, for language models."""
        return await service.answer(request, "mcp")

    @app.post("/look", include_in_schema=False)
    async def look(request: Request) -> Response:
        """The data of the inspector."""
        return await service.answer(request, "look")


def _add_state(app: FastAPI, service: Service) -> None:
    @app.get("/health", **route_description("HealthAnswer"))
    async def health() -> Response:
        """Whether the service works."""
        queue = service.queue
        answer = HealthAnswer("ok", app.version, service.settings.workers, queue.idle, len(queue))
        return Response(msgspec.json.encode(answer), media_type="application/json")

    @app.get("/docs", include_in_schema=False)
    async def docs() -> Response:
        """The OpenAPI document as a page."""
        policy = {"Content-Security-Policy": CONTENT_SECURITY_POLICY}
        return Response(docs_page(app.openapi()), media_type="text/html", headers=policy)

    @app.get("/metrics", include_in_schema=False)
    async def figures() -> Response:
        """The counters, for Prometheus."""
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
        started, statuses = time.monotonic(), [0]
        try:
            await self._handle(scope, receive, with_headers(send, SECURITY_HEADERS, statuses.append))
        except ClientDisconnect:
            statuses.append(499)  # the status that nginx logs for this; the client never sees it
        route = scope.get("route")
        path = getattr(route, "path_format", getattr(route, "path", "other"))
        self._service.metrics.request(path, statuses[-1], time.monotonic() - started)

    async def _handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        peer, settings = scope.get("client") or ("",), self._service.settings
        try:
            name = check_access(settings, scope["path"], Headers(scope=scope), peer[0])
            share = share_name(settings, name, peer, scope.get("server") or ())
            scope.setdefault("state", {}).update(client=name, share=share)
            await self._app(scope, receive, send)
        except Refused as refused:
            await refusal(refused.problem)(scope, receive, send)


async def _router_error(request: Request, error: Exception) -> Response:
    """Convert an error of the router to a problem."""
    if not isinstance(error, HTTPException):
        return refusal(problems.problem("failed"))
    response = refusal(problems.problem({404: "not-found", 405: "wrong-method"}.get(error.status_code, "failed")))
    if error.status_code == 405:
        response.headers["Allow"] = ", ".join(sorted(_allowed(request)))
    return response


def _allowed(request: Request) -> set[str]:
    """The methods of all routes of a path; the router itself names only those of the first."""
    matching = (route for route in request.app.routes if route.matches(request.scope)[0] is not Match.NONE)
    return {method for route in matching for method in getattr(route, "methods", None) or ()}
