"""What is measured: our own stages, and other extractors, each behind one call from bytes.

A peer is imported when it is asked for. For its speed it is called as its manual says, with its defaults; what it is
given beyond the bytes (a decoded string) is prepared outside the clock, in its favour. For its text it is called so
that answers can be compared: main text, no comments, and of tables, links and formatting whatever is its default.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from typing import Any, Final, TypeVar

import turbohtml

from pagestrata.api import extract, parse
from pagestrata.errors import MissingExtra, UsageError

EXTRA: Final = "bench"
Peer = TypeVar("Peer")


@dataclass(frozen=True, slots=True)
class Method:
    """One thing to time."""

    name: str
    about: str
    package: str
    """What is installed to have it."""
    run: Callable[[Any], object]
    prepare: Callable[[bytes], Any] = bytes
    """What it is given, made from the bytes before the clock starts."""

    @property
    def version(self) -> str:
        """Of the package."""
        return version_of(self.package)


def version_of(package: str) -> str:
    """The installed version, or `?` where there is only the source."""
    try:
        return version(package)
    except PackageNotFoundError:
        return "?"


# ---------------------------------------------------------------------------------------------------------- our own


def _bare_parse(data: bytes) -> object:
    return turbohtml.parse(data, positions=False)


def _text(data: bytes) -> object:
    return extract(data).text


def _everything(data: bytes) -> object:
    extraction = extract(data)
    return extraction.text, extraction.metadata, extraction.trace


PARSE: Final = Method("parse", "the parser alone, its tree freed", "turbohtml", _bare_parse)
TEXT: Final = Method("text", "bytes to text: the whole extraction", "pagestrata", _text)
OWN: Final = (
    PARSE,
    Method("page", "bytes to Page, with blocks", "pagestrata", parse),
    TEXT,
    Method("text+", "the same with metadata, and reasons for every section", "pagestrata", _everything),
)


# ------------------------------------------------------------------------------------------------------------ others


def _decoded(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _trafilatura() -> Method:
    import trafilatura

    return Method("trafilatura", "extract(bytes)", "trafilatura", trafilatura.extract)


def _resiliparse() -> Method:
    from resiliparse.extract.html2text import extract_plain_text

    def run(text: str) -> object:
        return extract_plain_text(text, main_content=True)

    return Method("resiliparse", "extract_plain_text(str, main_content=True)", "resiliparse", run, _decoded)


def _main_content() -> Method:
    def run(data: bytes) -> object:
        return turbohtml.parse(data, positions=False).main_text()

    return Method("main_content", "turbohtml's own: parse(bytes).main_text()", "turbohtml", run)


def _readability() -> Method:
    from readability import Document

    def run(text: str) -> object:
        return Document(text).summary()

    return Method("readability-lxml", "Document(str).summary(), which is HTML", "readability-lxml", run, _decoded)


def _boilerpy() -> Method:
    from boilerpy3.extractors import ArticleExtractor

    def run(text: str) -> object:
        return ArticleExtractor().get_content(text)

    return Method("boilerpy3", "ArticleExtractor().get_content(str)", "boilerpy3", run, _decoded)


PEERS: Final[dict[str, Callable[[], Method]]] = {
    "trafilatura": _trafilatura,
    "resiliparse": _resiliparse,
    "main_content": _main_content,
    "readability-lxml": _readability,
    "boilerpy3": _boilerpy,
}
_MODULES = {"main_content": "turbohtml", "readability-lxml": "readability"}


Text = Callable[[bytes | str], str]
"""From a page to its main text."""


def _trafilatura_text() -> Text:
    import trafilatura

    return lambda markup: trafilatura.extract(markup, include_comments=False) or ""


def _resiliparse_text() -> Text:
    from resiliparse.extract.html2text import extract_plain_text

    return lambda markup: str(extract_plain_text(_as_text(markup), main_content=True, comments=False))


def _main_content_text() -> Text:
    return lambda markup: turbohtml.parse(markup, positions=False).main_text()


def _readability_text() -> Text:
    from readability import Document

    return lambda markup: parse(Document(_as_text(markup)).summary()).text


def _boilerpy_text() -> Text:
    from boilerpy3.extractors import ArticleExtractor

    return lambda markup: str(ArticleExtractor().get_content(_as_text(markup)))


def _as_text(markup: bytes | str) -> str:
    return markup if isinstance(markup, str) else _decoded(markup)


TEXT_PEERS: Final[dict[str, Callable[[], Text]]] = {
    "trafilatura": _trafilatura_text,
    "readability-lxml": _readability_text,
    "boilerpy3": _boilerpy_text,
    "resiliparse": _resiliparse_text,
    "main_content": _main_content_text,
}


def load_text(name: str) -> Text:
    """What the peer of that name says is the main text.

    >>> load_text("main_content")("<article><p>" + "The tide came in, and the kettle sang. " * 9)[:17]
    'The tide came in,'
    """
    return _load(name, TEXT_PEERS)


def load(name: str) -> Method:
    """The peer of that name.

    >>> load("main_content").package
    'turbohtml'
    """
    return _load(name, PEERS)


def _load(name: str, among: Mapping[str, Callable[[], Peer]]) -> Peer:
    if name not in among:
        raise UsageError(f"there is no peer {name!r}; there are {', '.join(among)}")
    try:
        return among[name]()
    except ImportError as error:
        raise MissingExtra(f"{name} ({error})", EXTRA) from error


def load_all(names: Sequence[str] | None) -> tuple[Method, ...]:
    """The peers asked for, or all that are here."""
    return tuple(map(load, installed() if names is None else names))


def installed() -> list[str]:
    """The peers that are here."""
    return [name for name in PEERS if find_spec(_MODULES.get(name, name)) is not None]
