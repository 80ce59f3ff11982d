"""The inspector within the service: a worker inspects the page of a request, under the limits of the service."""

import msgspec

from pagestrata.page.raw import RawPage
from pagestrata.render.json import render_json
from pagestrata.serve.inspector.view import PageCopy, ReaderPart, View, copy_of, reader_parts, view_of, with_threshold
from pagestrata.serve.reading import raw_of, read
from pagestrata.serve.schemas import Format, SectionsRequest
from pagestrata.serve.tasks import Setup


class InspectRequest(SectionsRequest, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A page, how to read it, and which parts of the result are requested."""

    keep_from: float | None = None
    """Replaces the threshold of the method."""
    formats: tuple[Format, ...] = ()
    json: bool = False
    reader: bool = False
    """Whether to return the kept sections for the reader view."""
    copy: bool = False
    """Whether to return a copy of the page itself."""


class InspectAnswer(msgspec.Struct, frozen=True):
    """The result of a method for a page, and a copy of the page if requested."""

    view: View
    copy: PageCopy | None
    reader: list[ReaderPart] | None


def inspect_page(request: InspectRequest, page: RawPage | None, setup: Setup) -> InspectAnswer:
    """Inspect a page as the session of `pagestrata inspect` does."""
    extraction = read(request, page, setup)
    if request.keep_from is not None:
        extraction = with_threshold(extraction, request.keep_from)
    view = view_of(extraction, formats=request.formats)
    if request.json:
        view.rendered["json"] = render_json(extraction)
    copy = copy_of(page or raw_of(request), extraction.page) if request.copy else None
    return InspectAnswer(view, copy, reader_parts(extraction) if request.reader else None)
