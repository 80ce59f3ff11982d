"""The forms in which a page may be given: bytes, text, paths, open files, HTTP responses and trees."""

import re
from collections.abc import Mapping
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any, Protocol, cast

from pagestrata.errors import UsageError
from pagestrata.inputs.files import PAGE_SUFFIXES, read_file
from pagestrata.page.page import Page
from pagestrata.page.raw import RawPage
from pagestrata.page.web_address import address_problem


class File(Protocol):
    """An open file."""

    def read(self) -> bytes | str:
        """Return the contents."""


class Response(Protocol):
    """A response of requests, httpx and the like."""

    @property
    def content(self) -> bytes:
        """The body."""

    @property
    def headers(self) -> Mapping[str, str]:
        """The headers."""


class Element(Protocol):
    """An element of lxml."""

    def getroottree(self) -> Any:
        """Return the tree of the element."""


class Tree(Protocol):
    """A tree of lxml."""

    def getroot(self) -> Any:
        """Return the root of the tree."""


class Soup(Protocol):
    """An element of BeautifulSoup."""

    def find_all(self, *arguments: Any, **keywords: Any) -> Any:
        """Search the element."""

    def decode(self, *arguments: Any, **keywords: Any) -> str:
        """Return the element as markup."""


Source = str | bytes | bytearray | memoryview | PathLike[str] | RawPage | Page | File | Response | Element | Tree | Soup
"""A page in any of the accepted forms. Responses and trees are recognised by their methods, not by their type."""

ADDRESS = re.compile(r"(?i)\s*https?://\S+\s*")
"""The address of a page on the web."""
_MAX_PATH = 4096


def raw_page(source: Source, url: str | None = None) -> RawPage:
    """Convert any of the accepted forms to a `RawPage`; `url` takes the place of an address that the source has."""
    check_url(url)
    if isinstance(source, RawPage):
        return replace(source, url=url) if url else source
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


def check_url(url: str | None) -> None:
    """Raise an error for the URL of a page that is none on the web, since no link could be resolved against it.

    >>> check_url("https://example.org/tea")
    """
    if problem := address_problem(url):
        raise UsageError(problem)


def _refuse_name(text: str) -> None:
    """Raise an error for a text that is the address or the path of a page, and not a page."""
    if ADDRESS.fullmatch(text):
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
