"""The inspector within the service: a page that was sent is looked at by a worker, under the limits of the service."""

import msgspec

from pagestrata.page.raw import RawPage
from pagestrata.render.json import render_json
from pagestrata.serve.inspector.view import PageCopy, View, copy_of, view_of, with_threshold
from pagestrata.serve.reading import raw_of, read
from pagestrata.serve.schemas import Format, SectionsRequest
from pagestrata.serve.tasks import Setup


class LookRequest(SectionsRequest, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A page, how to read it, and what of it is wanted."""

    keep_from: float | None = None
    """Instead of the threshold that the method has."""
    formats: tuple[Format, ...] = ()
    json: bool = False
    copy: bool = False
    """Whether the page itself is wanted."""


class LookAnswer(msgspec.Struct, frozen=True):
    """What a method says of a page, and the page if it was wanted."""

    view: View
    copy: PageCopy | None


def look(request: LookRequest, page: RawPage | None, setup: Setup) -> LookAnswer:
    """Look at a page as the desk of the inspector does."""
    found = read(request, page, setup)
    if request.keep_from is not None:
        found = with_threshold(found, request.keep_from)
    view = view_of(found, formats=request.formats)
    if request.json:
        view.rendered["json"] = render_json(found)
    return LookAnswer(view, copy_of(page or raw_of(request), found.page) if request.copy else None)
