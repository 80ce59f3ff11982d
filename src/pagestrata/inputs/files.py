"""Pages from files, folders and standard input."""

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from pagestrata.errors import InputError
from pagestrata.page.raw import RawPage

SUFFIXES = (".html", ".htm", ".xhtml")
"""The files in a folder that count as pages; a file that is named explicitly is always read."""

_LOOKS_LIKE_ADDRESS = re.compile(r"(?i)[a-z][a-z0-9+.-]+:/|www\.")


def read_file(path: str | Path, url: str | None = None) -> RawPage:
    """Read a page from a file."""
    try:
        return RawPage(Path(path).read_bytes(), url=url, source=str(path))
    except (OSError, ValueError) as error:
        hint = "; addresses begin with http:// or https://" if _LOOKS_LIKE_ADDRESS.match(str(path)) else ""
        raise InputError(f"cannot read {path}: {getattr(error, 'strerror', None) or error}{hint}") from error


def read_stdin(url: str | None = None) -> RawPage:
    """Read a page from standard input."""
    if sys.stdin is None:
        raise InputError("cannot read standard input: it is closed")
    return RawPage(sys.stdin.buffer.read(), url=url, source="-")


def walk(folder: Path, suffixes: tuple[str, ...] = SUFFIXES) -> Iterator[Path]:
    """The files with these suffixes below a folder, sorted by name; links to folders are not followed."""
    for place, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            if name.lower().endswith(suffixes):
                yield Path(place, name)
