"""Pages from files, folders and standard input."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

from pagestrata.errors import InputError
from pagestrata.page.raw import RawPage

SUFFIXES = (".html", ".htm", ".xhtml")
"""What a walk through a folder takes for a page; a file that is named is always read."""


def read_file(path: str | Path, url: str | None = None) -> RawPage:
    """A page from a file."""
    try:
        return RawPage(Path(path).read_bytes(), url=url, source=str(path))
    except (OSError, ValueError) as error:
        raise InputError(f"cannot read {path}: {getattr(error, 'strerror', None) or error}") from error


def read_stdin(url: str | None = None) -> RawPage:
    """A page from standard input."""
    return RawPage(sys.stdin.buffer.read(), url=url, source="-")


def walk(folder: Path, suffixes: tuple[str, ...] = SUFFIXES) -> Iterator[Path]:
    """The files under a folder that end so, in the order of their names; links to folders are not followed."""
    for place, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            if name.lower().endswith(suffixes):
                yield Path(place, name)
