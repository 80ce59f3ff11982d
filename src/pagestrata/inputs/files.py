"""Pages from files, folders and standard input."""

import os
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path, PurePath

from pagestrata.errors import InputError
from pagestrata.page.raw import RawPage

HTML_SUFFIXES = (".html", ".htm", ".xhtml")
COMPRESSED_SUFFIXES = (".gz", ".br")
SAVED_SUFFIXES = (".mhtml", ".mht", ".webarchive")
"""The endings of pages that browsers save together with their images."""
PAGE_SUFFIXES = (
    *HTML_SUFFIXES,
    *(html + compressed for html in HTML_SUFFIXES for compressed in COMPRESSED_SUFFIXES),
    *SAVED_SUFFIXES,
)
"""The files in a folder that count as pages; a file that is named explicitly is always read."""

_LOOKS_LIKE_ADDRESS = re.compile(r"(?i)[a-z][a-z0-9+.-]+:/|www\.")


def read_file(path: str | Path, url: str | None = None) -> RawPage:
    """Read a page from a file, which may be packed: `.html.gz`, `.html.br`, `.mhtml`, `.webarchive`."""
    try:
        page = _read(Path(path))
    except (OSError, ValueError) as error:
        hint = "; addresses begin with http:// or https://" if _LOOKS_LIKE_ADDRESS.match(str(path)) else ""
        raise InputError(f"cannot read {path}: {getattr(error, 'strerror', None) or error}{hint}") from error
    return replace(page, url=url or page.url)


def _read(path: Path) -> RawPage:
    if path.suffix.lower() not in (*COMPRESSED_SUFFIXES, *SAVED_SUFFIXES):
        return RawPage(path.read_bytes(), source=str(path))
    from pagestrata.inputs.packed import read_packed  # here, as few pages are packed and it loads much

    return read_packed(path)


def page_stem(name: str) -> str:
    """The name of a file without the endings that say what it is.

    >>> page_stem("tea.html.gz"), page_stem("v1.2.mhtml"), page_stem("notes")
    ('tea', 'v1.2', 'notes')
    """
    path = PurePath(name)
    return str((path.with_suffix("") if path.suffix.lower() in COMPRESSED_SUFFIXES else path).with_suffix(""))


def read_stdin(url: str | None = None) -> RawPage:
    """Read a page from standard input."""
    if sys.stdin is None:
        raise InputError("cannot read standard input: it is closed")
    return RawPage(sys.stdin.buffer.read(), url=url, source="-")


def walk(folder: Path, suffixes: tuple[str, ...] = PAGE_SUFFIXES) -> Iterator[Path]:
    """The files with these suffixes below a folder, sorted by name.

    Links are followed to files in the folder only: in a folder from elsewhere, others would show what is private here.
    """
    base = folder.resolve()
    for place, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            path = Path(place, name)
            if name.lower().endswith(suffixes) and (not path.is_symlink() or path.resolve().is_relative_to(base)):
                yield path
