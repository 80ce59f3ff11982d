"""The main functions: parse, segment, extract, learn, diff, fetch.

They accept bytes, text, paths, file objects, HTTP responses (requests, httpx) and trees (lxml, BeautifulSoup).
Trees are serialised and parsed again, since everything here works on one page model.
"""

import math
import re
import time
from collections.abc import Callable, Iterable, Mapping
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, Unpack, cast

from pagestrata import registry
from pagestrata.algorithms.base import Learner, Segmenter, check_selectors, uncut
from pagestrata.errors import UsageError
from pagestrata.extraction import Extraction
from pagestrata.inputs.files import PAGE_SUFFIXES, read_file, walk
from pagestrata.options import Options, OptionValues, with_values
from pagestrata.page.feed import Feed
from pagestrata.page.limits import Limit
from pagestrata.page.page import Page
from pagestrata.page.raw import RawPage
from pagestrata.results import Section, SectionTree

if TYPE_CHECKING:
    from pagestrata.changes.compare import PageDiff
    from pagestrata.sites.model import SiteModel


class File(Protocol):
    """An open file."""

    def read(self) -> bytes | str:
        """Return the contents."""
        ...


class Response(Protocol):
    """A response of requests, httpx and the like."""

    @property
    def content(self) -> bytes:
        """The body."""
        ...

    @property
    def headers(self) -> Mapping[str, str]:
        """The headers."""
        ...


class Element(Protocol):
    """An element of lxml."""

    def getroottree(self) -> Any:
        """Return the tree of the element."""
        ...


class Tree(Protocol):
    """A tree of lxml."""

    def getroot(self) -> Any:
        """Return the root of the tree."""
        ...


class Soup(Protocol):
    """An element of BeautifulSoup."""

    def find_all(self, *arguments: Any, **keywords: Any) -> Any:
        """Search the element."""
        ...

    def decode(self, *arguments: Any, **keywords: Any) -> str:
        """Return the element as markup."""
        ...


Source = str | bytes | bytearray | memoryview | PathLike[str] | RawPage | Page | File | Response | Element | Tree | Soup
"""A page in any of the accepted forms. Responses and trees are recognised by their methods, not by their type."""

_ADDRESS = re.compile(r"(?i)\s*https?://\S+\s*")
_MAX_PATH = 4096
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

    if not _ADDRESS.match(url):
        raise UsageError(f"{url!r} is not a web address, which begins with http:// or https://; files: read_file(path)")
    return fetch_explained(url, AddressPolicy(allow=tuple(allow)))


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


def raw_page(source: Source, url: str | None = None) -> RawPage:
    """Convert any of the accepted forms to a `RawPage`."""
    if isinstance(source, RawPage):
        return source
    if isinstance(source, str | bytes):
        if isinstance(source, str) and len(source) <= _MAX_PATH:
            _refuse_name(source)
        return RawPage(source, url=url)
    if isinstance(source, bytearray | memoryview):
        return RawPage(bytes(source), url=url)
    if isinstance(source, PathLike):
        return read_file(Path(source), url)
    if isinstance(getattr(source, "content", None), bytes) and hasattr(source, "headers"):
        return _of_response(source, url)
    if callable(getattr(source, "read", None)):
        return RawPage(cast(File, source).read(), url=url, source=_name_of(source))
    if callable(getattr(source, "getroottree", None)) or callable(getattr(source, "getroot", None)):
        return RawPage(_of_lxml(source), url=url)
    if hasattr(source, "decode") and hasattr(source, "find_all"):
        return RawPage(str(source), url=url)
    given = type(source).__name__
    raise UsageError(
        f"cannot read a page from {given}: give bytes, str, a file, a response or a tree; paths: read_file"
    )


def _refuse_name(text: str) -> None:
    """Raise an error for a text that is the address or the path of a page, and not a page."""
    if _ADDRESS.fullmatch(text):
        raise UsageError(f"{text.strip()!r} is an address, not a page: give fetch(address)")
    if "<" not in text and "\n" not in text and text.lower().endswith((*PAGE_SUFFIXES, "/")):
        raise UsageError(f"{text!r} is a path, not a page: give read_file(path), or a pathlib.Path")


def _of_response(response: Any, url: str | None) -> RawPage:
    headers = {str(name).lower(): str(value) for name, value in response.headers.items()}
    address = url or (str(response.url) if getattr(response, "url", None) else None)
    return RawPage(response.content, url=address, content_type=headers.get("content-type"), headers=headers)


def _of_lxml(tree: Any) -> bytes:
    from lxml import etree

    return bytes(etree.tostring(tree, method="html", encoding="utf-8"))


def _name_of(file: Any) -> str | None:
    name = getattr(file, "name", None)
    return name if isinstance(name, str) else None
