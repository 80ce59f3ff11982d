"""What a worker does with a request: bytes in, a `Reply` out. Bodies are first looked at here, in a child with limits.

A body of 20 MB takes a tenth of a second to decode, during which the process that holds all connections could do
nothing else; here it costs only its sender.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, TypeVar

import msgspec

from pagestrata import api
from pagestrata.batch.record import address_of, read_page
from pagestrata.errors import PagestrataError
from pagestrata.page.feed import Feed
from pagestrata.page.page import Page
from pagestrata.page.raw import RawPage
from pagestrata.render.json import ExtractionRecord, LimitRecord, record_of
from pagestrata.results import Extraction
from pagestrata.serve import problems
from pagestrata.serve.problems import Refused
from pagestrata.serve.schemas import (
    ExtractAnswer,
    ExtractRequest,
    LayoutAnswer,
    LearnAnswer,
    LearnRequest,
    PageInput,
    SectionsRequest,
    SiteAnswer,
    SitesAnswer,
)
from pagestrata.sites.chosen import AUTO, Chosen, check_name
from pagestrata.sites.store import SiteStore

if TYPE_CHECKING:
    from pagestrata.sites.model import SiteModel

MOST_LAYOUTS: Final = 50
"""Of a site that learns from pages as they come: whoever sends pages of ever new layouts must not fill the store."""
_Request = TypeVar("_Request")


@dataclass(frozen=True, slots=True)
class Setup:
    """What every request of a worker shares."""

    store: SiteStore
    fetches: bool
    """Whether a page may be asked for by its URL."""
    seconds: float
    """After which a page is answered with what is there; see `Options.seconds`."""
    niceness: int
    """How far others go first on a busy machine."""

    def __reduce__(self) -> tuple[Any, ...]:
        return begin, (self.store, self.fetches, self.seconds, self.niceness)


def begin(store: SiteStore, fetches: bool, seconds: float, niceness: int) -> Setup:
    """What happens in a child when it gets its setup: it reads a page, so that no request has to wait for imports."""
    os.nice(niceness)
    setup = Setup(store, fetches, seconds, niceness)
    extract(ExtractRequest(html=_PLAIN), None, setup)
    return setup


@dataclass(frozen=True, slots=True)
class Task:
    """One request, as far as the process that took it looked at it."""

    verb: str
    body: bytes = b""
    name: str = ""
    """The site in the path."""
    page: RawPage | None = None
    """The page, if it was fetched for this request."""


class Reply(msgspec.Struct, array_like=True, frozen=True):
    """What the worker sends back."""

    status: int
    body: bytes = b""
    media_type: str = "application/json"
    wanted: str = ""
    """The URL that must be fetched first; then the task comes again with the page."""


class PageWanted(Exception):
    """The page is not here: it has to be fetched."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.url = url


def answer(task: Task, setup: Setup) -> bytes:
    """Answer a request; a `Reply` in MessagePack."""
    return msgspec.msgpack.encode(reply_to(task, setup))


def reply_to(task: Task, setup: Setup) -> Reply:
    """The answer, or the problem that stood against it."""
    from pagestrata.serve.mcp import converse

    verbs: dict[str, Callable[[Task, Setup], Reply]] = {
        "extract": lambda task, setup: _json(extract(_read(task.body, ExtractRequest), task.page, setup)),
        "sections": lambda task, setup: _json(sections(_read(task.body, SectionsRequest), task.page, setup)),
        "learn": lambda task, setup: _json(learn(_read(task.body, LearnRequest), setup)),
        "sites": lambda task, setup: _json(sites(setup)),
        "site": lambda task, setup: Reply(200, site(task.name, setup)),
        "forget": lambda task, setup: forget(task.name, setup),
        "mcp": converse,
        "wake": lambda task, setup: Reply(204),
    }
    try:
        return verbs[task.verb](task, setup)
    except PageWanted as wanted:
        return Reply(202, wanted=wanted.url)
    except Refused as refused:
        return _of_problem(refused.problem)
    except PagestrataError as error:
        return _of_problem(problems.of_error(error))


_PLAIN = "<title>Warm</title><article><h1>Warm</h1><p>" + "The kettle sang, and the tide came in. " * 20


def _json(found: Any) -> Reply:
    return Reply(200, msgspec.json.encode(found))


def _of_problem(found: problems.Problem) -> Reply:
    return Reply(found.status, msgspec.json.encode(found), problems.MEDIA_TYPE)


def _read(body: bytes, kind: type[_Request]) -> _Request:
    """The request in a body, checked."""
    try:
        return msgspec.json.decode(body, type=kind)
    except msgspec.ValidationError as error:
        raise Refused("invalid", str(error)) from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Refused("not-json", str(error)) from error


# ---------------------------------------------------------------------------------------------------------- the verbs


def extract(request: ExtractRequest, page: RawPage | None, setup: Setup) -> ExtractAnswer:
    """The content of a page in one format."""
    found = read(request, page, setup)
    title = found.title_section
    return ExtractAnswer(
        format=request.format,
        content=found.render(request.format),
        title=title.text if title is not None else found.metadata.title,
        url=found.page.url,
        page_type=found.page_type.value,
        confidence=found.confidence,
        method=found.method,
        reason=found.reason,
        metadata=found.metadata.as_dict(),
        limits=[LimitRecord(limit.name, limit.allowed, limit.found, limit.effect) for limit in found.limits],
        warnings=[*found.warnings, *found.metadata.warnings],
    )


def sections(request: SectionsRequest, page: RawPage | None, setup: Setup) -> ExtractionRecord:
    """Everything known of a page, with the tree of its sections."""
    return record_of(read(request, page, setup))


def learn(request: LearnRequest, setup: Setup) -> LearnAnswer:
    """Learn a site anew; what a person decided of it stays."""
    from pagestrata.inputs.feeds import read_feed
    from pagestrata.sites.learn import site_name

    pages = [_with_address(api.parse(_raw(each))) for each in request.pages]
    feed: Feed | None = read_feed(request.feed.encode()) if request.feed is not None else None
    site = check_name(request.site) if request.site is not None else None
    name = check_name(site or site_name(pages))
    if site is None and not any(page.url for page in pages):
        raise Refused("unusable", "the pages do not say which site they are from: give a site")
    model = api.learn(pages, feed, site)
    model = setup.store.change(name, lambda old: replace(model, site=name, edits=old.edits if old else ()))
    layouts = [
        LayoutAnswer(cluster.name, cluster.pages, len(cluster.slots), list(cluster.shapes))
        for cluster in model.clusters
    ]
    return LearnAnswer(model.site, model.learned, model.updated, layouts, list(model.notes))


def sites(setup: Setup) -> SitesAnswer:
    """All sites in the store."""
    rows = setup.store.sites()
    return SitesAnswer([SiteAnswer(r.name, r.learned, r.updated, r.clusters, r.pages, r.bytes) for r in rows])


def site(name: str, setup: Setup) -> bytes:
    """The whole model of a site as JSON."""
    model = setup.store.load(name) if name.isprintable() else None
    if model is None:
        raise Refused("unknown-site")
    return model.to_json().encode()


def forget(name: str, setup: Setup) -> Reply:
    """Remove a site."""
    if not (name.isprintable() and setup.store.forget(name)):
        raise Refused("unknown-site")
    return Reply(204)


# ------------------------------------------------------------------------------------------------------ reading pages


def read(request: SectionsRequest, page: RawPage | None, setup: Setup) -> Extraction:
    """Read the page of a request, as the command line does with the same options."""
    raw = page or _given(request, setup)
    options = request.options.options(setup.seconds)
    if request.method is not None and (request.site is not None or request.learn):
        raise Refused("unusable", "a site is a method too: give one of site and method")
    if request.method is not None:
        return api.extract(raw, options=options, method=request.method)
    if request.site is None or request.site == AUTO:
        found, _ = read_page(raw, options, Chosen(AUTO, setup.store) if request.site else None)
    else:
        model = Chosen(check_name(request.site), setup.store).model_of(request.site)
        if model is None and not request.learn:
            raise Refused("unknown-site")
        found = model.extract(raw, options=options) if model else api.extract(raw, options=options)
    if request.learn:
        learn_from(found.page, request.site, setup.store)
    return found


def _given(request: SectionsRequest, setup: Setup) -> RawPage:
    """The page in a request; if there is only a URL, it is wanted."""
    if request.html is not None or request.base64 is not None or request.url is None:
        return _raw(request)
    if not setup.fetches:
        raise Refused("fetching-is-off")
    raise PageWanted(request.url)


def _raw(page: PageInput) -> RawPage:
    if (page.html is None) == (page.base64 is None):
        raise Refused("invalid", "give one of html and base64")
    markup = page.html if page.html is not None else page.base64
    return RawPage(markup or b"", url=page.url, content_type=page.content_type)


def _with_address(page: Page) -> Page:
    return replace(page, url=address_of(page))


def learn_from(page: Page, site: str | None, store: SiteStore) -> None:
    """Let the model of a site, which may not be there yet, learn from one more page."""
    from pagestrata.sites.learn import host_of

    name = site if site is not None and site != AUTO else host_of(address_of(page))
    if not name:
        raise Refused("unusable", "the page does not say which site it is from: give its url, or a site")
    page = _with_address(page)
    store.change(check_name(name), lambda old: grown(old, name, page))


def grown(old: "SiteModel | None", name: str, page: Page) -> "SiteModel":
    """The model after this page; the same if it was seen before, as a page that comes twice is no template."""
    from pagestrata.sites import model as models
    from pagestrata.sites.clusters import title_number
    from pagestrata.sites.learn import learn as learn_site
    from pagestrata.sites.learn import title_of

    if old is None:
        return learn_site([page], site=name)
    number = title_number(title_of(page))
    if not number or any(number in cluster.titles for cluster in old.clusters):
        return old
    new = old.update(page)
    nodes = sum(len(cluster.slots) for cluster in new.clusters)
    return new if len(new.clusters) <= MOST_LAYOUTS and nodes <= models.MOST_NODES else old
