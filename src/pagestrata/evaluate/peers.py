"""What is measured: our own stages, and other extractors, each behind one call from bytes.

A peer is imported when it is asked for. It is called as its manual says, with its defaults; what it is given beyond the
bytes (a decoded string) is prepared outside the clock, in its favour.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from typing import Any, Final

import turbohtml

from pagestrata.api import extract, parse
from pagestrata.errors import MissingExtra, UsageError

EXTRA: Final = "bench"


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
OWN: Final = (
    PARSE,
    Method("page", "bytes to Page, with blocks", "pagestrata", parse),
    Method("text", "bytes to text: the whole extraction", "pagestrata", _text),
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


PEERS: Final[dict[str, Callable[[], Method]]] = {
    "trafilatura": _trafilatura,
    "resiliparse": _resiliparse,
    "main_content": _main_content,
}
_PACKAGES = {"main_content": "turbohtml"}


def load(name: str) -> Method:
    """The peer of that name.

    >>> load("main_content").package
    'turbohtml'
    """
    if name not in PEERS:
        raise UsageError(f"there is no peer {name!r}; there are {', '.join(PEERS)}")
    try:
        return PEERS[name]()
    except ImportError as error:
        raise MissingExtra(f"{name} ({error})", EXTRA) from error


def load_all(names: Sequence[str] | None) -> tuple[Method, ...]:
    """The peers asked for, or all that are here."""
    return tuple(map(load, installed() if names is None else names))


def installed() -> list[str]:
    """The peers that are here."""
    return [name for name in PEERS if find_spec(_PACKAGES.get(name, name)) is not None]
