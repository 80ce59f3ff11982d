"""The doors: parse, segment, extract, learn.

Bytes, text, file objects, HTTP responses (requests, httpx) and trees (lxml, BeautifulSoup) may all be given; trees are
written out and parsed again, since everything here works on one page model.
"""

import math
import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, cast

from pagestrata import registry
from pagestrata.algorithms.base import Learner, Segmenter, check_selectors, whole
from pagestrata.errors import UsageError
from pagestrata.extraction import Extraction
from pagestrata.options import Options
from pagestrata.page.feed import Feed
from pagestrata.page.page import Limit, Page
from pagestrata.page.raw import RawPage
from pagestrata.results import Section, SectionTree

if TYPE_CHECKING:
    from pagestrata.sites.model import SiteModel

Source = Any
"""A page, in any of the forms above. Responses and trees are known by what they can do, not by their type."""

DEFAULTS = Options()
Method = str | Segmenter
"""A name in the registry, or what `learn` gave back."""
DEFAULT_METHOD = "engine"


def parse(source: Source, url: str | None = None, options: Options = DEFAULTS) -> Page:
    """Read a page once into frozen arrays."""
    from pagestrata.page.parse import parse as parse_raw  # here, so that importing us does not load the parser yet

    return source if isinstance(source, Page) else parse_raw(raw_page(source, url), options)


def segment(
    source: Source, url: str | None = None, options: Options = DEFAULTS, method: Method = DEFAULT_METHOD
) -> tuple[Section, ...]:
    """Cut a page into a tree of scored sections."""
    return extract(source, url, options, method).sections


def extract(
    source: Source, url: str | None = None, options: Options = DEFAULTS, method: Method = DEFAULT_METHOD
) -> Extraction:
    """Read a page, cut it, choose; the result has the text, the sections with their reasons, and the metadata.

    >>> extract("<title>Tea</title><h1>Tea</h1><p>" + "Warm the pot, then wait a while. " * 9).text[:17]
    'Warm the pot, the'
    """
    started = time.monotonic()
    page = parse(source, url, options)
    return extract_page(page, options, method, time.monotonic() - started)


def extract_page(
    page: Page, options: Options = DEFAULTS, method: Method = DEFAULT_METHOD, parse_seconds: float = 0.0
) -> Extraction:
    """Cut a parsed page and choose; one that took too long to parse is returned as a single section."""
    check_selectors(page, options)
    if parse_seconds > options.seconds:
        effect = "the page was not cut: all text is one section"
        limit = Limit("seconds", round(options.seconds), math.ceil(parse_seconds), effect)
        return Extraction(page, options, SectionTree(whole(page)), _name(method), (*page.limits, limit))
    found = _segmenter(method, page).segment(page, options)
    return Extraction(page, options, found, _name(method), page.limits)


def learn(
    pages: Iterable[Source],
    feed: Feed | None = None,
    site: str | None = None,
    options: Options = DEFAULTS,
    progress: Callable[[int, int], None] | None = None,
) -> "SiteModel":
    """Learn a site from some of its pages: eight or ten give nearly all, two give something.

    `site` names it; otherwise it is named after the host of its pages. `progress` is told how many steps are done, and
    of how many.
    """
    from pagestrata.sites.learn import learn as learn_site

    parsed = [parse(page, options=options) for page in pages]
    if len(parsed) == 1:
        raise UsageError("one page shows nothing that recurs: give at least two pages of a site")
    return learn_site(parsed, feed, site, progress=progress or (lambda done, total: None))


def _segmenter(method: Method, page: Page) -> Segmenter:
    """A method that wants to learn a site first learns from this page alone, and says so in its notes."""
    found = registry.method(method) if isinstance(method, str) else method
    # What `isinstance` asks of a protocol too, in a fiftieth of its time.
    return cast(Learner, found).learn([page]) if hasattr(found, "learn") else found


def _name(method: Method) -> str:
    return method if isinstance(method, str) else type(method).__name__.lower()


def raw_page(source: Source, url: str | None = None) -> RawPage:
    """Bring any of the accepted forms to a `RawPage`."""
    if isinstance(source, RawPage):
        return source
    if isinstance(source, str | bytes):
        return RawPage(source, url=url)
    if isinstance(source, bytearray | memoryview):
        return RawPage(bytes(source), url=url)
    if isinstance(getattr(source, "content", None), bytes) and hasattr(source, "headers"):
        return _of_response(source, url)
    if callable(getattr(source, "read", None)):
        return RawPage(source.read(), url=url, source=_name_of(source))
    if callable(getattr(source, "getroottree", None)) or callable(getattr(source, "getroot", None)):
        return RawPage(_of_lxml(source), url=url)
    if hasattr(source, "decode") and hasattr(source, "find_all"):
        return RawPage(str(source), url=url)
    given = type(source).__name__
    raise UsageError(
        f"cannot read a page from {given}: give bytes, str, a file, a response or a tree; paths: read_file"
    )


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
