"""The main functions: parse, segment, extract, learn, diff, fetch.

They accept bytes, text, paths, file objects, HTTP responses (requests, httpx) and trees (lxml, BeautifulSoup).
Trees are serialised and parsed again, since everything here works on one page model.
"""

import math
import time
from collections.abc import Callable, Iterable
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, Unpack, cast

from pagestrata import registry
from pagestrata.algorithms.base import Learner, Segmenter, check_selectors, uncut
from pagestrata.errors import AddressRefused, UsageError
from pagestrata.extraction import Extraction
from pagestrata.inputs.files import read_file, walk
from pagestrata.inputs.sources import ADDRESS, Source, raw_page
from pagestrata.options import Options, OptionValues, with_values
from pagestrata.page.feed import Feed
from pagestrata.page.limits import Limit
from pagestrata.page.page import Page
from pagestrata.page.raw import RawPage
from pagestrata.results import Section, SectionTree

if TYPE_CHECKING:
    from pagestrata.changes.compare import PageDiff
    from pagestrata.sites.model import SiteModel


_Result = TypeVar("_Result")

DEFAULTS = Options()
Method = str | Segmenter
"""A name in the registry, or the result of `learn`."""
DEFAULT_METHOD = "engine"


def parse(source: Source, url: str | None = None, options: Options = DEFAULTS, **values: Unpack[OptionValues]) -> Page:
    """Parse a page into a `Page`: frozen arrays that all methods read."""
    from pagestrata.page.parse import parse as parse_raw  # here, so that importing us does not load the parser yet

    return source if isinstance(source, Page) else parse_raw(raw_page(source, url), with_values(options, values))


def segment(
    source: Source,
    url: str | None = None,
    options: Options = DEFAULTS,
    method: Method = DEFAULT_METHOD,
    **values: Unpack[OptionValues],
) -> tuple[Section, ...]:
    """Cut a page into a tree of scored sections; return its roots."""
    return extract(source, url, options, method, **values).sections


def extract(
    source: Source,
    url: str | None = None,
    options: Options = DEFAULTS,
    method: Method = DEFAULT_METHOD,
    **values: Unpack[OptionValues],
) -> Extraction:
    """Extract a page: its clean content, all its sections with the reasons for each, and its metadata.

    Single options can be given as keywords, as in `comments="on"`.

    >>> extract("<title>Tea</title><h1>Tea</h1><p>" + "Warm the pot, then wait a while. " * 9).text[:17]
    'Warm the pot, the'
    """
    started = time.monotonic()
    options = with_values(options, values)
    page = parse(source, url, options)
    return extract_page(page, options, method, time.monotonic() - started)


async def aextract(
    source: Source,
    url: str | None = None,
    options: Options = DEFAULTS,
    method: Method = DEFAULT_METHOD,
    **values: Unpack[OptionValues],
) -> Extraction:
    """Run `extract` in a thread, so that the event loop is not blocked."""
    return await _in_thread(lambda: extract(source, url, options, method, **values))


def fetch(url: str, allow: Iterable[str] = ()) -> RawPage:
    """Fetch a page from a public address; `allow` permits private ones, too, as in `127.0.0.1:8000`."""
    from pagestrata.inputs.addresses import AddressPolicy
    from pagestrata.inputs.http import fetch_explained  # here, so that importing us does not load TLS

    if not ADDRESS.match(url):
        raise UsageError(f"{url!r} is not a web address, which begins with http:// or https://; files: read_file(path)")
    try:
        return fetch_explained(url, AddressPolicy(allow=tuple(allow)))
    except AddressRefused as error:
        raise AddressRefused(f"{error}: only public addresses are fetched, and those that `allow` names") from error


async def afetch(url: str, allow: Iterable[str] = ()) -> RawPage:
    """Run `fetch` in a thread, so that the event loop is not blocked."""
    return await _in_thread(lambda: fetch(url, allow))


async def _in_thread(work: Callable[[], _Result]) -> _Result:
    import asyncio  # here, as most programs do without

    return await asyncio.to_thread(work)


def diff(
    old: Source | Extraction,
    new: Source | Extraction,
    url: str | None = None,
    options: Options = DEFAULTS,
    model: "SiteModel | None" = None,
    **values: Unpack[OptionValues],
) -> "PageDiff":
    """Compare the kept text of two versions of a page: what was added, removed, moved and changed.

    With the model of the site, text that recurs on its pages is ignored.

    >>> sentence = "Warm the pot, then pour the water and wait a while. "
    >>> page = f"<h1>Tea</h1><p>{sentence * 9}It takes {{}} minutes."
    >>> [piece.text for piece in diff(page.format("three"), page.format("five")).changes[0].pieces]
    ['It takes', 'three', 'five', 'minutes.']
    """
    from pagestrata.changes.compare import compare  # here, as most programs do without

    settings = with_values(options, values)

    def extraction(source: Source | Extraction) -> Extraction:
        if isinstance(source, Extraction):
            return source
        if model is None:
            return extract(source, url, settings)
        return model.extract(source if isinstance(source, Page) else raw_page(source, url), options=settings)

    return compare(extraction(old), extraction(new))


def extract_page(
    page: Page, options: Options = DEFAULTS, method: Method = DEFAULT_METHOD, parse_seconds: float = 0.0
) -> Extraction:
    """Extract a parsed page; one that took too long to parse is returned as a single section."""
    check_selectors(page, options)
    if parse_seconds > options.seconds:
        effect = "the page was not cut: all text is one section"
        limit = Limit("seconds", round(options.seconds), math.ceil(parse_seconds), effect)
        return Extraction(page, options, SectionTree(uncut(page)), _name(method), (*page.limits, limit))
    found = _segmenter(method, page).segment(page, options)
    return Extraction(page, options, found, _name(method), page.limits)


def learn(
    pages: Iterable[Source] | PathLike[str],
    feed: Feed | None = None,
    site: str | None = None,
    options: Options = DEFAULTS,
    progress: Callable[[int, int], None] | None = None,
) -> "SiteModel":
    """Learn the model of a site from some of its pages: at least two; more than ten add little.

    A `Path` to a folder means all pages in it. `site` is the name of the site, by default the host of its pages.
    `progress` is called with the number of steps that are done, and the number of all steps.
    """
    from pagestrata.sites.learn import learn as learn_site

    parsed = [parse(page, options=options) for page in _pages(pages)]
    if len(parsed) == 1:
        raise UsageError("one page cannot show what recurs: give at least two pages of a site")
    return learn_site(parsed, feed, site, progress=progress or (lambda done, total: None))


def _pages(pages: Iterable[Source] | PathLike[str]) -> Iterable[Source]:
    if isinstance(pages, str | bytes):  # a text is an iterable of its characters
        raise UsageError("learn takes several pages, not a text: for a folder, give learn(Path('pages/'))")
    if isinstance(pages, PathLike):
        if not Path(pages).is_dir():
            raise UsageError(f"{pages} is not a folder: give a folder or several pages")
        return map(read_file, walk(Path(pages)))
    return pages


def _segmenter(method: Method, page: Page) -> Segmenter:
    """Return the segmenter; a method that learns a site learns from this page alone, and adds a note on that."""
    found = registry.method(method) if isinstance(method, str) else method
    # This is what `isinstance` checks for a protocol, in a fiftieth of the time.
    return cast(Learner, found).learn([page]) if hasattr(found, "learn") else found


def _name(method: Method) -> str:
    return method if isinstance(method, str) else type(method).__name__.lower()
