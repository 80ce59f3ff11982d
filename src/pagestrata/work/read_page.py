"""RawPage → row, pure: what a worker does with one page, the same for the command line, batches and clusters."""

from dataclasses import dataclass, replace
from hashlib import file_digest, sha256
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from pagestrata.api import extract, parse
from pagestrata.errors import DrawError
from pagestrata.extraction import SCHEMA_VERSION, Extraction
from pagestrata.inputs.addresses import PUBLIC_ONLY, AddressPolicy
from pagestrata.inputs.files import read_file
from pagestrata.inputs.http import fetch
from pagestrata.options import Options
from pagestrata.page.page import Page
from pagestrata.page.raw import RawPage
from pagestrata.sites.choice import AttachedModel, RunModel, StoredModel
from pagestrata.work.guard import Failure

if TYPE_CHECKING:
    from pagestrata.sites.model import SiteModel


@dataclass(frozen=True, slots=True)
class Job:
    """One page to read: a path or an address that the worker reads itself, or the page as it came."""

    name: str
    path: Path | None = None
    address: str | None = None
    page: RawPage | None = None
    url: str | None = None
    """Where the page of a path is from, if the caller knows."""
    policy: AddressPolicy = PUBLIC_ONLY
    error: str = ""
    """Why there is no page, where a browser was to draw it and could not."""

    def read(self) -> RawPage:
        """Bring the page in."""
        if self.error:
            raise DrawError(self.error)
        if self.page is not None:
            return self.page
        if self.address is not None:
            return fetch(self.address, self.policy)
        return read_file(self.path or self.name, self.url)


class Answer(msgspec.Struct, array_like=True, frozen=True):
    """What a worker sends back for a page."""

    rendered: bytes
    note: str = ""
    """Why the page was not read with what was learned of its site, if that was asked for."""


def render_page(job: Job, format_name: str, options: Options, choice: StoredModel | RunModel | None = None) -> bytes:
    """Read a page, extract, and write it in a format; an `Answer` in MessagePack."""
    extraction, note = read_page(job.read(), options, choice)
    return msgspec.msgpack.encode(Answer(extraction.render(format_name).encode(), note))


def read_page(
    raw: RawPage, options: Options, choice: StoredModel | RunModel | AttachedModel | None = None
) -> tuple[Extraction, str]:
    """Extract, with what was learned of the site if that is asked for; where nothing was, a note says so."""
    if choice is None:
        return extract(raw, options=options), ""
    if isinstance(choice, RunModel):
        return _read_if_it_fits(parse(raw, options=options), options, choice.model()), ""
    if isinstance(choice, StoredModel) and not choice.by_host:
        return choice.model().extract(raw, options=options), ""
    from pagestrata.sites.learn import host_of  # here, as most pages are read without a site

    site = host_of(raw.url or address_of(parse(raw)))
    model = choice.model_of(site)
    if model is not None:
        return model.extract(raw, options=options), ""
    extraction = extract(raw, options=options)
    why = f"nothing was learned of {site}" if site else "the page does not say which site it is from"
    note = f"{why}: read by {extraction.method}"
    return replace(extraction, notes=(note,)), note


def _read_if_it_fits(page: Page, options: Options, model: "SiteModel") -> Extraction:
    """Extract with a model that nobody asked for: only pages of a layout that it knows."""
    from pagestrata.sites.match import choose_cluster, segment
    from pagestrata.sites.one_site import surely_fits

    fit = choose_cluster(model, page)
    if not surely_fits(fit):
        return extract(page, options=options)
    return Extraction(page, options, segment(model, page, options, fit), "site", page.limits)


def address_of(page: Page) -> str | None:
    """Where a page is from: as it was given, or as the page says itself."""
    from pagestrata.metadata.merge import read_metadata

    return page.url or read_metadata(page, Options()).url


def digest(job: Job) -> str:
    """The SHA-256 of the page's bytes; empty for what is not here to be read again."""
    if job.path is not None:
        return _file_digest(job.path)
    markup = job.page.markup if job.page is not None else b""
    data = markup.encode("utf-8", "replace") if isinstance(markup, str) else markup
    return sha256(data).hexdigest() if data else ""


def _file_digest(path: Path) -> str:
    """In pieces, as the file may be what was too large; a pipe would let us wait, as it did the worker."""
    if not path.is_file():
        return ""
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def error_row(failure: Failure) -> bytes:
    """The line that stands in JSON lines for a page that gave no answer."""
    error = {"stage": failure.stage, "reason": failure.reason, "limit": failure.limit, "detail": failure.detail}
    row = {"schema_version": SCHEMA_VERSION, "source": failure.source, "digest": failure.digest, "error": error}
    return msgspec.json.encode(row) + b"\n"
