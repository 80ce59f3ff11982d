"""Arguments → jobs: a path, a folder, an address or standard input."""

import os
import re
import stat
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from pagestrata.errors import InputError, UsageError, raising
from pagestrata.extraction import Extraction
from pagestrata.inputs.addresses import AddressPolicy
from pagestrata.inputs.files import PAGE_SUFFIXES, page_stem, read_stdin, walk
from pagestrata.inputs.sources import check_url
from pagestrata.inputs.warc import NoPage
from pagestrata.page.raw import RawPage
from pagestrata.work.containers import CONTAINERS, ZIPS, contents_of
from pagestrata.work.guard import Failure
from pagestrata.work.job import Job

_ADDRESS = re.compile(r"(?i)https?:")
_OUR_ERROR = re.compile(r"pagestrata\.errors\.\w+: ")


def jobs_of(
    pages: list[str], url: str | None, policy: AddressPolicy, keep_dirs: bool = False
) -> Iterator[tuple[Job, Path]]:
    """Each page as a job, and the path of its result relative to an output folder.

    That path is the one below the folder that was named; with `keep_dirs` it begins with the folder.
    """
    check_url(url)
    for argument in pages:
        if argument.lower().endswith(CONTAINERS) and not is_zip(argument) and not is_address(argument):
            raise UsageError(f"{argument} holds many pages: pagestrata batch {argument} -o FOLDER")
    for argument in pages:
        if argument == "-":
            yield Job("-", page=read_stdin(url)), Path("stdin")
        elif is_address(argument):
            yield Job(argument, address=argument, policy=policy), address_name(argument)
        elif Path(argument).is_dir():
            folder = Path(argument)
            for path in walk(folder):
                place = path if keep_dirs else path.relative_to(folder)
                yield Job(str(path), path=path, url=url), Path(page_stem(str(place)))
        elif is_zip(argument):
            yield from _zipped(argument)
        else:
            yield (
                Job(argument, path=Path(argument), url=url),
                Path(page_stem(argument if keep_dirs else Path(argument).name)),
            )


def _zipped(name: str) -> Iterator[tuple[Job, Path]]:
    """The pages in a zipped folder; one that cannot be unpacked is a job that fails."""
    with raising(InputError, f"cannot read {name}"), open(name, "rb") as file:
        for item in contents_of(name, file):
            if isinstance(item, RawPage):
                inside = f"{name}/{item.source}"
                yield Job(inside, page=replace(item, source=inside)), Path(page_stem(item.source or "page"))
            elif not isinstance(item, NoPage):
                yield Job(name, error=item.detail), Path(page_stem(name))


def piped() -> list[str]:
    """Standard input as the only page, if something is piped in or a file is redirected to it."""
    if sys.stdin is not None:
        with suppress(OSError, ValueError):
            mode = os.fstat(sys.stdin.fileno()).st_mode
            if stat.S_ISFIFO(mode) or stat.S_ISREG(mode) or stat.S_ISSOCK(mode):
                return ["-"]
    return []


def check_pages(pages: list[str]) -> None:
    """Raise an error if a file does not exist, or a folder has no pages."""
    for argument in pages:
        if argument == "-" or is_address(argument):
            continue
        if not Path(argument).exists():
            raise InputError(f"cannot read {argument}: no such file or folder")
        if is_folder([argument]) and next(walk(Path(argument)), None) is None:
            raise no_pages(argument)


def no_pages(folder: str) -> InputError:
    """The error for a folder without pages."""
    return InputError(
        f"no pages in {folder}: pages end in {', '.join(PAGE_SUFFIXES)}; links to other folders are not followed"
    )


def check_is_page(raw: RawPage, extraction: Extraction) -> None:
    """Raise an error for a file that is empty or no page, such as a PDF; a page without text is an answer."""
    if not extraction.page.text and (extraction.page.warnings or not raw.markup.strip()):
        raise InputError(f"{raw.name}: {extraction.reason if raw.markup else 'the file is empty'}")


def one_job(page: str, url: str | None, policy: AddressPolicy) -> tuple[Job, Path]:
    """The job and the result path for a command that reads one page."""
    if is_folder([page]) or is_zip(page):
        raise UsageError(f"{page} is a folder: name a page in it")
    return next(jobs_of([page], url, policy))


def is_many(pages: list[str]) -> bool:
    """Whether these arguments may be more than one page."""
    return len(pages) > 1 or is_folder(pages) or is_zip(pages[0])


def is_folder(pages: list[str]) -> bool:
    """Whether these arguments are one folder."""
    return len(pages) == 1 and not is_address(pages[0]) and Path(pages[0]).is_dir()


def is_zip(argument: str) -> bool:
    """Whether an argument is a zipped folder."""
    return argument.lower().endswith(ZIPS) and not is_address(argument)


def is_address(argument: str) -> bool:
    """Whether an argument is an address to fetch."""
    return _ADDRESS.match(argument) is not None


def address_name(address: str) -> Path:
    """A file name for the page of an address.

    >>> str(address_name("https://tidewater.example/articles/mud.html?page=2"))
    'tidewater.example_articles_mud.html_page_2'
    """
    name = re.sub(r"[^\w.-]+", "_", address.partition("//")[2]).strip("_")
    return Path(name[:150] or "page")


def why_failed(failure: Failure) -> str:
    """Why a worker failed, in words.

    >>> why_failed(Failure("a.html", "", "work", "deadline", "seconds=2.0", ""))
    'it took longer than 2 seconds; --timeout gives it more'
    >>> why_failed(Failure("a.html", "", "work", "exception", "", "pagestrata.errors.InputError: cannot read a.html"))
    'cannot read a.html'
    """
    allowed = failure.limit.partition("=")[2]
    match failure.reason:
        case "deadline":
            return f"it took longer than {float(allowed):g} seconds; --timeout gives it more"
        case "memory":
            return f"it took more memory than the {int(allowed):,} bytes that a page may have"
        case "died":
            return f"its worker died: {failure.detail}"
    return _OUR_ERROR.sub("", failure.detail, count=1)
