"""Outputs for results: standard output, one file, or a folder outside of which nothing is ever written."""

import os
import re
import sys
from pathlib import Path
from typing import BinaryIO

from pagestrata.errors import UsageError, raising

_UNSAFE = re.compile(r'[\x00-\x1f\x7f<>:"/\\|?*]+')
_RESERVED = re.compile(r"(?i)(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)")
_MAX_NAME_LENGTH = 200


class Standard:
    """Standard output, as bytes: the result is UTF-8, whatever the encoding of the terminal."""

    def write(self, name: Path, data: bytes) -> None:
        """Write and flush."""
        if sys.stdout is None:
            raise UsageError("standard output is closed: give -o FILE")
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()


class OneFile:
    """One file for all results; created with the first one, so that a run without results changes nothing."""

    def __init__(self, path: Path, force: bool) -> None:
        self.path, self.force = path, force
        self.file: BinaryIO | None = None
        if path.exists() and not force:
            raise _exists_error(path)
        check_places(path)

    def write(self, name: Path, data: bytes) -> None:
        """Add to the file."""
        self.file = self.file or _open_new(self.path, self.force)
        self.file.write(data)
        self.file.flush()


class Folder:
    """A folder with one file per page, named after the page."""

    def __init__(self, folder: Path, suffix: str, force: bool) -> None:
        self.folder, self.suffix, self.force = folder, suffix, force
        self.taken: set[Path] = set()
        _make_folder(folder)

    def write(self, name: Path, data: bytes) -> None:
        """Write one page; pages with the same name get numbers."""
        path = self.place(name)
        _make_folders(self.folder, path.parent)
        with _open_new(path, self.force) as file:
            file.write(data)

    def place(self, name: Path) -> Path:
        """A path inside the folder that no other page of this run has."""
        parts = [safe_name(part) for part in name.parts if part not in ("/", ".", "..")] or ["page"]
        for number in range(1, len(self.taken) + 2):
            last = parts[-1] if number == 1 else f"{parts[-1]}-{number}"
            path = self.folder.joinpath(*parts[:-1], last + self.suffix)
            if path not in self.taken:
                break
        self.taken.add(path)
        return path


def output_for(place: str | None, suffix: str, force: bool) -> Standard | OneFile | Folder:
    """The output for a path: a folder if it ends in `/` or is one, else a file; standard output for None or `-`."""
    if place is None or place == "-":
        return Standard()
    return Folder(Path(place), suffix, force) if is_output_folder(place) else OneFile(Path(place), force)


def is_output_folder(place: str | None) -> bool:
    """Whether each result goes to its own file: the path ends in a slash or is a folder."""
    return place is not None and (place.endswith(("/", os.sep)) or Path(place).is_dir())


def check_places(*paths: Path | None) -> None:
    """Raise an error before a long computation if its results have no folder, or two of them one file."""
    named = [path for path in paths if path is not None]
    for place, path in enumerate(named):
        if not path.parent.is_dir():
            raise UsageError(f"cannot write {path}: there is no folder {path.parent}")
        if path in named[:place]:
            raise UsageError(f"cannot write {path} twice: choose another name for one of the two")


def write_file(path: Path, data: bytes) -> None:
    """Write to a file that the user named, replacing its contents."""
    with raising(UsageError, f"cannot write {path}"):
        path.write_bytes(data)


def safe_name(part: str) -> str:
    """A name that is only a name on every system.

    >>> safe_name("..\\\\..\\\\etc"), safe_name("nul.txt"), safe_name("a" * 300) == "a" * 200
    ('_.._etc', '_nul.txt', True)
    """
    name = _UNSAFE.sub("_", part).strip(". ") or "_"
    return ("_" + name if _RESERVED.match(name) else name)[:_MAX_NAME_LENGTH]


def _make_folders(base: Path, folder: Path) -> None:
    """Create a folder and its parents; refuse a path that a link leads out of the output folder."""
    _make_folder(folder)
    if not folder.resolve().is_relative_to(base.resolve()):
        raise UsageError(f"{folder} leads out of {base}: nothing was written there")


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError as error:
        raise UsageError(f"{folder} is a file: give another folder") from error
    except OSError as error:
        raise UsageError(f"cannot make the folder {folder}: {error.strerror}") from error


def _open_new(path: Path, force: bool) -> BinaryIO:
    """Open for writing: never through a link, and over a file only with `force`."""
    how = os.O_WRONLY | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | (os.O_TRUNC if force else os.O_EXCL)
    try:
        return os.fdopen(os.open(path, how, 0o666), "wb")
    except FileExistsError as error:
        raise _exists_error(path) from error
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from error


def _exists_error(path: Path) -> UsageError:
    return UsageError(f"{path} exists already: --force overwrites it")
