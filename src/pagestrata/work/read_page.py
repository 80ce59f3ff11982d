"""RawPage → Extraction, with the model of its site if there is one: what command line, service, batch and Spark share.

A page is parsed once. Where its site is known only after that, the parsed page is passed on.
"""

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from pagestrata.api import extract, extract_page, parse
from pagestrata.extraction import Extraction
from pagestrata.options import Options
from pagestrata.page.page import Page
from pagestrata.page.raw import RawPage
from pagestrata.sites.choice import AttachedModel, RunModel, StoredModel

if TYPE_CHECKING:
    from pagestrata.sites.model import SiteModel

ModelChoice = StoredModel | RunModel | AttachedModel
"""Where the model comes from that a page is read with."""


def read_page(raw: RawPage, options: Options, choice: ModelChoice | None = None) -> tuple[Extraction, str]:
    """Extract a page, with a site model if one is asked for; the note explains why there was none."""
    if choice is None:
        return extract(raw, options=options), ""
    if isinstance(choice, RunModel):
        return _read_if_it_fits(parse(raw, options=options), options, choice.model()), ""
    if isinstance(choice, AttachedModel):
        return _read_of_site(raw, options, choice.site, choice.model())
    if not choice.by_host:
        return choice.model().extract(raw, options=options), ""
    from pagestrata.sites.learn import host_of  # here, as most pages are read without a site

    site = host_of(raw.url)
    if not site:
        return _read_by_own_address(raw, options, choice)
    return _read_of_site(raw, options, site, choice.model_of(site))


def _read_of_site(raw: RawPage, options: Options, site: str, model: "SiteModel | None") -> tuple[Extraction, str]:
    """Extract a page whose site was known before it was parsed."""
    if model is not None:
        return model.extract(raw, options=options), ""
    return _with_note(extract(raw, options=options), site)


def _read_by_own_address(raw: RawPage, options: Options, choice: StoredModel) -> tuple[Extraction, str]:
    """Extract a page that came without its address: its metadata may contain one.

    Only a model with edits whose selectors are not in the options needs a second parse: selectors run on the parser's
    tree, which is gone by the time the site is known.
    """
    from pagestrata.sites.learn import host_of

    started = time.monotonic()
    page = parse(raw, options=options)
    seconds = time.monotonic() - started
    site = host_of(address_of(page))
    model = choice.model_of(site)
    if model is None:
        return _with_note(extract_page(page, options, parse_seconds=seconds), site)
    is_marked = all(selector in page.marks for selector in model.with_edits(options).selectors)
    return model.extract(page if is_marked else raw, options=options), ""


def _with_note(extraction: Extraction, site: str) -> tuple[Extraction, str]:
    """Add a note on why no site model was used."""
    why = f"nothing was learned of {site}" if site else "the page does not say which site it is from"
    note = f"{why}: read by {extraction.method}"
    return replace(extraction, notes=(note,)), note


def _read_if_it_fits(page: Page, options: Options, model: "SiteModel") -> Extraction:
    """Extract with a model that was chosen automatically: it is used only for pages whose layout it has."""
    from pagestrata.sites.match import choose_cluster, segment
    from pagestrata.sites.one_site import surely_fits

    fit = choose_cluster(model, page)
    if not surely_fits(fit):
        return extract_page(page, options)
    return Extraction(page, options, segment(model, page, options, fit), "site", page.limits)


def address_of(page: Page) -> str | None:
    """The address that a page came with, or else the one in its metadata."""
    from pagestrata.metadata.merge import read_metadata

    return page.url or read_metadata(page, Options()).url


def with_address(page: Page) -> Page:
    """The page with its address, if that is known or in its metadata."""
    return replace(page, url=address_of(page))
