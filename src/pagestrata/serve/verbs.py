"""The verbs of the service, each a function from a request to its answer."""

from dataclasses import replace

from pagestrata import api
from pagestrata.page.feed import Feed
from pagestrata.page.raw import RawPage
from pagestrata.render.json import ExtractionRecord, LimitRecord, record_of
from pagestrata.serve.problems import Refused
from pagestrata.serve.reading import page_in, raw_of, read
from pagestrata.serve.schemas import (
    ExtractAnswer,
    ExtractRequest,
    LayoutAnswer,
    LearnAnswer,
    LearnRequest,
    SectionsRequest,
    SitesAnswer,
)
from pagestrata.serve.tasks import Setup
from pagestrata.sites.choice import check_name
from pagestrata.work.read_page import with_address
from pagestrata.work.rows import PageRow, fields_of, row_of


def extract(request: ExtractRequest, page: RawPage | None, setup: Setup) -> ExtractAnswer | PageRow:
    """The content of a page in one format, or its row if fields are named."""
    raw = page or page_in(request, setup)
    fields = () if request.fields is None else fields_of(request.fields)
    extraction = read(request, raw, setup)
    if fields:
        return row_of(extraction.page.url or "", raw, extraction, fields)
    return ExtractAnswer(
        format=request.format,
        content=extraction.render(request.format),
        title=extraction.title,
        url=extraction.page.url,
        page_type=extraction.page_type.value,
        confidence=extraction.confidence,
        method=extraction.method,
        reason=extraction.reason,
        metadata=extraction.metadata.as_dict(),
        limits=[LimitRecord(limit.name, limit.allowed, limit.found, limit.effect) for limit in extraction.limits],
        warnings=[*extraction.warnings, *extraction.metadata.warnings],
    )


def sections(request: SectionsRequest, page: RawPage | None, setup: Setup) -> ExtractionRecord:
    """The complete result for a page, with the tree of its sections."""
    return record_of(read(request, page, setup))


def learn(request: LearnRequest, setup: Setup) -> LearnAnswer:
    """Learn a site again; the edits of its existing model are kept."""
    from pagestrata.inputs.feeds import read_feed
    from pagestrata.sites.learn import site_name

    pages = [with_address(api.parse(raw_of(page))) for page in request.pages]
    feed: Feed | None = read_feed(request.feed.encode()) if request.feed is not None else None
    site = check_name(request.site) if request.site is not None else None
    if site is None and not any(page.url for page in request.pages):  # what pages say of themselves is not enough
        raise Refused("unusable", "it is not known which site the pages are from: give their url, or a site")
    name = check_name(site or site_name(pages))
    model = api.learn(pages, feed, site)
    model = setup.store.change(name, lambda old: replace(model, site=name, edits=old.edits if old else ()))
    layouts = [
        LayoutAnswer(cluster.name, cluster.pages, len(cluster.slots), list(cluster.shapes))
        for cluster in model.clusters
    ]
    return LearnAnswer(model.site, model.learned, model.updated, layouts, list(model.notes))


def sites(setup: Setup) -> SitesAnswer:
    """All sites in the store."""
    return SitesAnswer(list(setup.store.sites()))


def site(name: str, setup: Setup) -> bytes:
    """The complete model of a site as JSON."""
    model = setup.store.load(name) if name.isprintable() else None
    if model is None:
        raise Refused("unknown-site")
    return model.to_json().encode()


def forget(name: str, setup: Setup) -> None:
    """Remove a site."""
    if not (name.isprintable() and setup.store.forget(name)):
        raise Refused("unknown-site")
