"""Arguments → jobs: a path, a folder, an address or standard input."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from pagestrata.errors import UsageError
from pagestrata.inputs.addresses import AddressPolicy
from pagestrata.inputs.files import read_stdin, walk
from pagestrata.page.raw import RawPage
from pagestrata.work.guard import Failure
from pagestrata.work.job import Job

if TYPE_CHECKING:
    from pagestrata.inputs.browser import Browser

_ADDRESS = re.compile(r"(?i)https?:")
_OUR_ERROR = re.compile(r"pagestrata\.errors\.\w+: ")


def jobs_of(pages: list[str], url: str | None, policy: AddressPolicy) -> Iterator[tuple[Job, Path]]:
    """Each page as a job, and the path of its result relative to an output folder."""
    for argument in pages:
        if argument == "-":
            yield Job("-", page=read_stdin(url)), Path("stdin")
        elif is_address(argument):
            yield Job(argument, address=argument, policy=policy), address_name(argument)
        elif Path(argument).is_dir():
            folder = Path(argument)
            for path in walk(folder):
                yield Job(str(path), path=path, url=url), path.relative_to(folder).with_suffix("")
        else:
            yield Job(argument, path=Path(argument), url=url), Path(Path(argument).stem)


def one_job(page: str, url: str | None, policy: AddressPolicy) -> tuple[Job, Path]:
    """The job and the result path for a command that reads one page."""
    if is_folder([page]):
        raise UsageError(f"{page} is a folder: name a page in it")
    return next(jobs_of([page], url, policy))


def make_browser(
    path: str | None, no_sandbox: bool, policy: AddressPolicy, seconds: float | None = None, at_once: int = 1
) -> "Browser":
    """The browser that the options of a command ask for."""
    from pagestrata.inputs.browser import Browser, DrawLimits, Launch  # here, as few commands draw

    limits = DrawLimits() if seconds is None else DrawLimits(seconds=seconds)
    return Browser(Launch(path, sandbox=not no_sandbox), limits, policy, at_once=at_once)


def drawn(page_jobs: Iterable[tuple[Job, Path]], browser: "Browser") -> Iterator[tuple[Job, Path]]:
    """The jobs, each with its page as a browser drew it, or with the error."""
    for (job, place), page in browser.draw_many(page_jobs, lambda each: place_of(each[0])):
        yield (replace(job, page=page) if isinstance(page, RawPage) else replace(job, error=str(page))), place


def place_of(job: Job) -> tuple[str | RawPage, Path | None]:
    """The page that a browser draws, and the folder it may read, which is that of a saved page."""
    if job.address is not None:
        return job.address, None
    return job.read(), job.path.parent if job.path is not None else None


def is_many(pages: list[str]) -> bool:
    """Whether these arguments may be more than one page."""
    return len(pages) > 1 or is_folder(pages)


def is_folder(pages: list[str]) -> bool:
    """Whether these arguments are one folder."""
    return len(pages) == 1 and not is_address(pages[0]) and Path(pages[0]).is_dir()


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
