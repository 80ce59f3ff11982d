"""Reads the page of a request, as the command line does with the same options, and learns from it."""

from typing import TYPE_CHECKING, Final

from pagestrata import api
from pagestrata.extraction import Extraction
from pagestrata.page.page import Page
from pagestrata.page.raw import RawPage
from pagestrata.serve.problems import Refused
from pagestrata.serve.schemas import PageInput, SectionsRequest
from pagestrata.serve.tasks import PageWanted, Setup
from pagestrata.sites.choice import AUTO, StoredModel, check_name
from pagestrata.sites.store import SiteStore
from pagestrata.work.read_page import read_page, with_address

if TYPE_CHECKING:
    from pagestrata.sites.model import SiteModel

MAX_LAYOUTS: Final = 50
"""Layouts of a site that learns from requests, so that pages with ever new layouts cannot fill the store."""


def read(request: SectionsRequest, page: RawPage | None, setup: Setup) -> Extraction:
    """Read the page of a request, and let the model of its site learn from it if requested."""
    raw = page or page_in(request, setup)
    options = request.options.options(setup.seconds)
    if request.method is not None and (request.site is not None or request.learn):
        raise Refused("unusable", "a site is a method too: give one of site and method")
    if request.method is not None:
        return api.extract(raw, options=options, method=request.method)
    if request.site is None or request.site == AUTO:
        extraction, _ = read_page(raw, options, StoredModel(AUTO, setup.store) if request.site else None)
    else:
        model = StoredModel(check_name(request.site), setup.store).model_of(request.site)
        if model is None and not request.learn:
            raise Refused("unknown-site")
        extraction = model.extract(raw, options=options) if model else api.extract(raw, options=options)
    if request.learn:
        learn_from(extraction.page, request.site, setup.store)
    return extraction


def page_in(request: SectionsRequest, setup: Setup) -> RawPage:
    """The page in a request; raises `PageWanted` if there is only a URL."""
    if request.html is not None or request.base64 is not None or request.url is None:
        return raw_of(request)
    if not setup.fetches:
        raise Refused("fetching-is-off")
    raise PageWanted(request.url)


def raw_of(page: PageInput) -> RawPage:
    """Convert the page of a request to a `RawPage`."""
    if (page.html is None) == (page.base64 is None):
        raise Refused("invalid", "give one of html and base64")
    markup = page.html if page.html is not None else page.base64
    return RawPage(markup or b"", url=page.url, content_type=page.content_type)


def learn_from(page: Page, site: str | None, store: SiteStore) -> None:
    """Update the model of a site with one more page, or create the model.

    The caller names the site. A page must not, as it could name any other in its metadata.
    """
    from pagestrata.sites.learn import host_of

    name = site if site is not None and site != AUTO else host_of(page.url)
    if not name:
        raise Refused("unusable", "it is not known which site the page is from: give its url, or a site")
    page = with_address(page)
    store.change(check_name(name), lambda old: updated_model(old, name, page))


def updated_model(old: "SiteModel | None", name: str, page: Page) -> "SiteModel":
    """The model after this page; unchanged for a known page, whose text would otherwise look like template."""
    from pagestrata.sites import model as models
    from pagestrata.sites.layouts import title_number, title_of
    from pagestrata.sites.learn import learn as learn_site

    if old is None:
        return learn_site([page], site=name)
    number = title_number(title_of(page))
    if not number or any(number in cluster.titles for cluster in old.clusters):
        return old
    new = old.update(page)
    nodes = sum(len(cluster.slots) for cluster in new.clusters)
    return new if len(new.clusters) <= MAX_LAYOUTS and nodes <= models.MAX_NODES else old
