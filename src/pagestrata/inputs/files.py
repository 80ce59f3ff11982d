"""Pages from files, folders and standard input."""

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from pagestrata.errors import InputError
from pagestrata.page.raw import RawPage

SUFFIXES = (".html", ".htm", ".xhtml")
"""What a walk through a folder takes for a page; a file that is named is always read."""

_LIKE_AN_ADDRESS = re.compile(r"(?i)[a-z][a-z0-9+.-]+:/|www\.")


def read_file(path: str | Path, url: str | None = None) -> RawPage:
    """A page from a file."""
    try:
        return RawPage(Path(path).read_bytes(), url=url, source=str(path))
    except (OSError, ValueError) as error:
        hint = "; addresses begin with http:// or https://" if _LIKE_AN_ADDRESS.match(str(path)) else ""
        raise InputError(f"cannot read {path}: {getattr(error, 'strerror', None) or error}{hint}") from error


def read_stdin(url: str | None = None) -> RawPage:
    """A page from standard input."""
    if sys.stdin is None:
        raise InputError("cannot read standard input: it is closed")
    return RawPage(sys.stdin.buffer.read(), url=url, source="-")


def walk(folder: Path, suffixes: tuple[str, ...] = SUFFIXES) -> Iterator[Path]:
    """The files under a folder that end so, in the order of their names; links to folders are not followed."""
    for place, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            if name.lower().endswith(suffixes):
                yield Path(place, name)
