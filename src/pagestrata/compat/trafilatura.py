"""The functions of trafilatura 2.3 with their arguments and results, on top of pagestrata.

    from pagestrata.compat.trafilatura import extract, fetch_url

What maps to what, and what cannot, is in docs/guide/switching.md. An argument without meaning here warns.
"""

import csv
import io
import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from html import escape
from typing import Any, Final
from urllib.parse import urlsplit

import numpy as np

from pagestrata import api
from pagestrata.compat.unused import warn_unused
from pagestrata.errors import FetchError, UsageError, needs
from pagestrata.extraction import Extraction
from pagestrata.inputs.sources import Source, raw_page
from pagestrata.options import Options
from pagestrata.page.decode import choose_encoding
from pagestrata.page.raw import RawPage
from pagestrata.parts import csv_cell
from pagestrata.render.front_matter import front_matter
from pagestrata.render.text import text_of_blocks
from pagestrata.results import PageType, Role

FAVOUR: Final = 0.5
"""How far `favor_precision` and `favor_recall` move `bias`: half of the way, as theirs weigh both still."""
EXTRA: Final = "compat"
ABSENT: Final = {
    "extract_with_metadata": "bare_extraction(…, with_metadata=True)",
    "fetch_response": "pagestrata.fetch, whose result has the bytes, the address and the headers",
    "load_html": "pagestrata.parse, or lxml itself",
}
"""Functions of trafilatura that are absent here, and what to use instead."""


def __getattr__(name: str) -> Any:
    if name in ABSENT:
        raise ImportError(f"pagestrata.compat.trafilatura has no {name}: use {ABSENT[name]}")
    raise AttributeError(name)


def extract(
    filecontent: Source,
    url: str | None = None,
    record_id: str | None = None,
    fast: bool = False,
    no_fallback: bool = False,
    favor_precision: bool = False,
    favor_recall: bool = False,
    include_comments: bool = True,
    output_format: str = "txt",
    tei_validation: bool = False,
    target_language: str | None = None,
    include_tables: bool = True,
    include_images: bool = False,
    include_formatting: bool | None = None,
    include_links: bool = False,
    deduplicate: object = False,
    date_extraction_params: Mapping[str, Any] | None = None,
    with_metadata: bool = False,
    only_with_metadata: bool = False,
    max_tree_size: int | None = None,
    url_blacklist: Collection[str] | None = None,
    author_blacklist: Collection[str] | None = None,
    settingsfile: str | None = None,
    prune_xpath: str | Sequence[str] | None = None,
    config: object = None,
    options: object = None,
    **unknown: object,
) -> str | None:
    """Return the main text of a page in one of trafilatura's formats, or None if there is none.

    >>> extract("<h1>Tea</h1><p>" + "Warm the pot, then wait a while. " * 9)[:17]
    'Warm the pot, the'
    """
    request = _request("extract", locals())
    if output_format not in _WRITERS:
        raise UsageError(f"there is no output_format {output_format!r}; there are {', '.join(_WRITERS)}")
    answer = _answer(filecontent, request)
    return None if answer is None else _WRITERS[output_format](answer)


def bare_extraction(
    filecontent: Source,
    url: str | None = None,
    fast: bool = False,
    no_fallback: bool = False,
    favor_precision: bool = False,
    favor_recall: bool = False,
    include_comments: bool = True,
    output_format: str = "python",
    target_language: str | None = None,
    include_tables: bool = True,
    include_images: bool = False,
    include_formatting: bool | None = None,
    include_links: bool = False,
    deduplicate: object = False,
    date_extraction_params: Mapping[str, Any] | None = None,
    with_metadata: bool = False,
    only_with_metadata: bool = False,
    max_tree_size: int | None = None,
    url_blacklist: Collection[str] | None = None,
    author_blacklist: Collection[str] | None = None,
    as_dict: bool = False,
    prune_xpath: str | Sequence[str] | None = None,
    config: object = None,
    options: object = None,
    **unknown: object,
) -> "Document | dict[str, Any] | None":
    """Return text, comments and, if requested, metadata of a page as a `Document`, or None if there is no text."""
    request = _request("bare_extraction", locals())
    answer = _answer(filecontent, request)
    if answer is None:
        return None
    document = replace(answer.document, markup=answer.extraction.html)
    return document.as_dict() if as_dict else document


def fetch_url(url: str, no_ssl: bool = False, config: object = None, options: object = None) -> str | None:
    """Fetch a page from a public address and return its HTML, or None if that fails."""
    given = {"no_ssl": no_ssl, "config": config, "options": options}
    warn_unused("fetch_url", (name for name, value in given.items() if value))
    try:
        raw = api.fetch(url)
    except FetchError:
        return None
    return raw.data.decode(choose_encoding(raw.data, raw).name, "replace")


def extract_metadata(
    filecontent: Source,
    default_url: str | None = None,
    date_config: Mapping[str, Any] | None = None,
    extensive: bool = True,
    author_blacklist: Collection[str] | None = None,
) -> "Document":
    """Return the metadata of a page as a `Document` without text."""
    unused = {"date_config": date_config is not None, "extensive": not extensive}
    warn_unused("extract_metadata", (name for name, is_set in unused.items() if is_set))
    return Document(**_metadata(api.extract(_with_url(filecontent, default_url)), author_blacklist))


def html2txt(content: Source, clean: bool = True) -> str:
    """Return all visible text of a page, including the boilerplate."""
    warn_unused("html2txt", () if clean else ("clean",))
    page = api.parse(content)
    return text_of_blocks(page, np.ones(len(page.blocks), np.bool_))


def baseline(filecontent: Source) -> tuple[Any, str, int]:
    """Return everything that may be content: as a tree of lxml, as text, and the length of the text."""
    extraction = api.extract(filecontent, bias=1.0)
    return _tree(extraction.html), extraction.text, len(extraction.text)


@dataclass
class Document:
    """The text and metadata of a page under trafilatura's names."""

    title: str | None = None
    author: str | None = None
    url: str | None = None
    hostname: str | None = None
    description: str | None = None
    sitename: str | None = None
    date: str | None = None
    categories: list[str] | None = None
    tags: list[str] | None = None
    fingerprint: str | None = None
    """Always None: trafilatura's fingerprint cannot be reproduced."""
    id: str | None = None
    license: str | None = None
    comments: str | None = None
    raw_text: str | None = None
    text: str | None = None
    language: str | None = None
    image: str | None = None
    pagetype: str | None = None
    """One of our page types; trafilatura's is the type of OpenGraph."""
    filedate: str | None = None
    """Always None: in trafilatura it is the day of the call."""
    markup: str = field(default="", repr=False)
    """The main text as HTML, from which `body` is made."""

    @cached_property
    def body(self) -> Any:
        """The main text as a tree of lxml, with the elements of HTML."""
        return _tree(self.markup)

    @cached_property
    def commentsbody(self) -> Any:
        """The comments as a tree of lxml, a paragraph for each line."""
        return _tree("".join(f"<p>{escape(line)}</p>" for line in (self.comments or "").splitlines()))

    def as_dict(self) -> dict[str, Any]:
        """The document as a dictionary with trafilatura's keys."""
        return {name: getattr(self, name) for name in (*_PLAIN, "body", "commentsbody")}


_PLAIN = tuple(each.name for each in fields(Document) if each.name != "markup")


def _tree(markup: str) -> Any:
    with needs("lxml", EXTRA):
        from lxml import html
    return html.document_fromstring(f"<html><body>{markup}</body></html>").body


# ----------------------------------------------------------------------------------------------------- the request


@dataclass(frozen=True, slots=True, kw_only=True)
class _Request:
    """The arguments that have an effect here."""

    record_id: str | None = None
    favor_precision: bool
    favor_recall: bool
    include_comments: bool
    output_format: str
    target_language: str | None
    include_tables: bool
    include_images: bool
    include_formatting: bool | None
    include_links: bool
    url: str | None
    with_metadata: bool
    only_with_metadata: bool
    url_blacklist: Collection[str] | None
    author_blacklist: Collection[str] | None
    prune_xpath: str | Sequence[str] | None

    @property
    def wants_metadata(self) -> bool:
        return self.with_metadata or self.only_with_metadata

    @property
    def is_marked_text(self) -> bool:
        """Whether plain text is requested with marks that only Markdown has."""
        wanted = self.include_formatting or self.include_links or self.include_images
        return self.output_format == "txt" and bool(wanted)

    @property
    def has_comments_in_place(self) -> bool:
        """Whether comments are part of the text; otherwise they are a field of their own."""
        return self.include_comments and (self.is_marked_text or self.output_format in _IN_PLACE)

    def options(self) -> Options:
        pruned = (self.prune_xpath,) if isinstance(self.prune_xpath, str) else tuple(self.prune_xpath or ())
        is_plain = self.output_format == "txt"
        return Options(
            comments="on" if self.has_comments_in_place else "off",
            tables=self.include_tables,
            images=self.include_images,
            links=self.include_links,
            formatting=not is_plain if self.include_formatting is None else self.include_formatting,
            title_in_markdown=False,
            metadata=self.wants_metadata and self.output_format == "xml",
            bias=FAVOUR * (self.favor_recall - self.favor_precision),
            drop=pruned,
        )


_MEANT = frozenset(each.name for each in fields(_Request))
_ELSEWHERE = frozenset(("filecontent", "as_dict"))
_IN_PLACE = ("markdown", "html", "xml", "xmltei")


def _request(call: str, arguments: Mapping[str, Any]) -> _Request:
    """Keep the arguments with a meaning here, and warn of others that were set."""
    unknown = arguments["unknown"]
    rest = {name: value for name, value in arguments.items() if name not in (*_MEANT, *_ELSEWHERE, "unknown")}
    unused = [name for name, value in rest.items() if value is not None and value is not False]
    if arguments["output_format"] == "xml":
        unused.append("the shape of output_format 'xml': the XML is pagestrata's own")
    warn_unused(call, (*unused, *unknown), stacklevel=4)
    return _Request(**{name: value for name, value in arguments.items() if name in _MEANT})


# ------------------------------------------------------------------------------------------------- the answer


@dataclass(frozen=True, slots=True)
class _Answer:
    request: _Request
    extraction: Extraction
    document: Document


def _with_url(filecontent: Source, url: str | None) -> RawPage:
    """Return the page with its URL, which is not checked: trafilatura takes any."""
    raw = raw_page(filecontent)
    return replace(raw, url=url) if url else raw


def _answer(filecontent: Source, request: _Request) -> _Answer | None:
    """Read the page; None if nothing is left of it, or if it is none of those wanted."""
    extraction = api.extract(_with_url(filecontent, request.url), options=request.options())
    is_wanted = bool(extraction.text) and _is_in_language(extraction, request.target_language)
    if not is_wanted:
        return None
    document = _document(extraction, request)
    if request.only_with_metadata and not (document.date and document.title and document.url):
        return None
    if request.url_blacklist and (request.url or extraction.metadata.url) in request.url_blacklist:
        return None
    return _Answer(request, extraction, document)


def _is_in_language(extraction: Extraction, wanted: str | None) -> bool:
    """Whether a page is in a language, or in an unknown one."""
    language = extraction.metadata.language if wanted else None
    return language is None or language.partition("-")[0].lower() == (wanted or "").lower()


def _document(extraction: Extraction, request: _Request) -> Document:
    comments = [leaf.text for leaf in extraction.leaves() if leaf.role is Role.COMMENTS and request.include_comments]
    metadata = _metadata(extraction, request.author_blacklist) if request.wants_metadata else {}
    return Document(
        id=request.record_id,
        comments="\n".join(comments),
        raw_text=extraction.text,
        text=extraction.text,
        **metadata,
    )


def _metadata(extraction: Extraction, author_blacklist: Collection[str] | None) -> dict[str, Any]:
    """The metadata of a page under trafilatura's names."""
    metadata = extraction.metadata
    refused = {name.casefold() for name in author_blacklist or ()}
    authors = [name for name in metadata.authors if name.casefold() not in refused]
    return {
        "title": metadata.title,
        "author": "; ".join(authors) or None,
        "url": metadata.url,
        "hostname": urlsplit(metadata.url or "").hostname,
        "description": metadata.description,
        "sitename": metadata.site_name,
        "date": metadata.date_published[:10] if metadata.date_published else None,
        "categories": list(metadata.categories),
        "tags": list(metadata.tags),
        "license": metadata.licence,
        "language": metadata.language,
        "image": metadata.image,
        "pagetype": None if extraction.page_type is PageType.UNKNOWN else extraction.page_type.value,
    }


# --------------------------------------------------------------------------------------------------- formats

_HEADER = (
    "title",
    "author",
    "url",
    "hostname",
    "description",
    "sitename",
    "date",
    "categories",
    "tags",
    "id",
    "license",
)
_CELLS = "url id fingerprint hostname title image date text comments license pagetype".split()
_RENAMED = {"url": "source", "sitename": "source-hostname", "description": "excerpt"}


def _text(answer: _Answer) -> str:
    if answer.request.is_marked_text:
        return _markdown(answer)
    document = answer.document
    return _header(answer) + "\n".join(filter(None, (document.text, document.comments)))


def _markdown(answer: _Answer) -> str:
    return _header(answer) + answer.extraction.markdown.rstrip("\n")


def _header(answer: _Answer) -> str:
    document = answer.document
    return front_matter({name: getattr(document, name) for name in _HEADER}) if answer.request.wants_metadata else ""


def _html(answer: _Answer) -> str:
    """A complete HTML page, as trafilatura writes one."""
    values = {name: getattr(answer.document, name) for name in _HEADER} if answer.request.wants_metadata else {}
    texts = {name: ";".join(value) if isinstance(value, list) else value for name, value in values.items() if value}
    head = "".join(f'<meta name="{name}" content="{escape(text)}"/>\n' for name, text in texts.items())
    return f"<html>\n<head>\n{head}</head>\n<body>\n{answer.extraction.html}</body>\n</html>"


def _json(answer: _Answer) -> str:
    document = answer.document
    if not answer.request.wants_metadata:
        return json.dumps({"text": document.text, "comments": document.comments}, ensure_ascii=False)
    values = {_RENAMED.get(name, name): getattr(document, name) for name in _PLAIN}
    lists = {name: ";".join(values[name] or ()) for name in ("categories", "tags")}
    return json.dumps(values | lists, ensure_ascii=False)


def _csv(answer: _Answer) -> str:
    """One row, tabs between the cells, `null` for what is not there; no cell can be taken for a formula."""
    written = io.StringIO()
    row = (getattr(answer.document, name) for name in _CELLS)
    csv.writer(written, delimiter="\t", lineterminator="\n").writerow(
        [csv_cell(value) if value else "null" for value in row]
    )
    return written.getvalue()


_WRITERS: Final[Mapping[str, Callable[[_Answer], str]]] = {
    "csv": _csv,
    "html": _html,
    "json": _json,
    "markdown": _markdown,
    "txt": _text,
    "xml": lambda answer: answer.extraction.xml,
    "xmltei": lambda answer: answer.extraction.render("tei"),
}
