"""`pagestrata extract`: clean content in several formats."""

import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from pagestrata.cli import settings
from pagestrata.cli.drawing import Drawing, drawn
from pagestrata.cli.folder_model import learn_folder
from pagestrata.cli.jobs import (
    check_is_page,
    check_pages,
    is_folder,
    is_many,
    jobs_of,
    no_pages,
    piped,
    why_failed,
)
from pagestrata.cli.messages import report
from pagestrata.cli.outputs import Folder, OneFile, Standard, is_output_folder, output_for
from pagestrata.cli.progress import progress
from pagestrata.cli.site_pages import MAX_PAGES
from pagestrata.errors import InputError, PageKilled, UsageError
from pagestrata.extraction import Extraction
from pagestrata.inputs.files import PAGE_SUFFIXES
from pagestrata.inputs.site_addresses import spread
from pagestrata.options import Options
from pagestrata.registry import ALIASES, BINARY_RENDERERS, RENDERERS, bytes_renderer
from pagestrata.sites.choice import RunModel, StoredModel
from pagestrata.work.guard import Failure, Guard, GuardLimits
from pagestrata.work.job import Job, job_digest
from pagestrata.work.page_filter import PageFilter, languages_of
from pagestrata.work.read_page import read_page
from pagestrata.work.render_page import PageFormat, RenderedPage, error_line, render_page

_FORMATS = (*RENDERERS, *BINARY_RENDERERS)
_SUFFIXES = {"text": ".txt", "chunks": ".jsonl", "document": ".html"}
"""The endings of files whose format has another name."""
_STREAMS = ("jsonl", "chunks", "csv")
"""The formats that may hold several pages."""
_WITH_REASON = ("json", "jsonl", "xml", "csv")
"""The formats that say themselves why nothing was kept."""

Output = Standard | OneFile | Folder
Bring = Callable[[Iterable[tuple[Job, Path]]], Iterator[tuple[Job, Path]]]
"""Lets a browser draw the pages, if that is requested."""


@dataclass(frozen=True)
class Shown:
    """The options on what the written content shows; `make_options` takes them with `**vars(shown)`."""

    tables: Annotated[bool | None, typer.Option("--tables/--no-tables", help="Keep data tables.")] = None
    images: Annotated[bool | None, typer.Option("--images/--no-images", help="Keep images.")] = None
    links: Annotated[
        bool | None, typer.Option("--links/--no-links", help="Keep the targets of links; their text is always kept.")
    ] = None
    formatting: Annotated[
        bool | None, typer.Option("--formatting/--no-formatting", help="Keep bold, italic and code.")
    ] = None
    metadata: Annotated[
        bool | None,
        typer.Option("--with-metadata", help="Write title, authors, dates and other metadata before the content."),
    ] = None


def extract(
    *,
    pages: settings.Pages = None,
    format_name: Annotated[
        str | None,
        typer.Option("--format", "-f", help=f"The output format: {', '.join(_FORMATS)}. Default: md."),
    ] = None,
    fields: Annotated[
        str | None, typer.Option(help="Write JSON with these fields only, as in `batch`: text,markdown,chunks,items,…")
    ] = None,
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", help="A file; or a folder, with a slash at the end, for one file per page."),
    ] = None,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, help="How many pages are read in parallel.")] = 1,
    keep_dirs: Annotated[
        bool, typer.Option("--keep-dirs", help="With -o FOLDER/: repeat the folders of the input files in it.")
    ] = False,
    language: settings.Language = None,
    only_with_metadata: Annotated[
        bool, typer.Option("--only-with-metadata", help="Only pages with a title, a date and an address.")
    ] = False,
    timeout: Annotated[
        float | None, typer.Option(min=0.1, help="Seconds for a page, after which its worker process is stopped.")
    ] = None,
    explain: Annotated[
        bool, typer.Option(help="Also print, on standard error, why each section was kept or not.")
    ] = False,
    site: settings.Site = None,
    learn_first: Annotated[
        bool, typer.Option("--learn/--no-learn", help="With a folder of pages of one site: learn the site first.")
    ] = True,
    content: settings.Content,
    shown: Shown,
    drawing: Drawing,
    origin: settings.Origin,
    environment: settings.Environment,
    force: settings.Force = False,
    quiet: settings.Quiet = False,
) -> None:
    """Extract the clean content of pages."""
    pages = pages or piped()
    if not pages:
        raise UsageError("no page is given: name a file, a folder or an address, or pipe a page in")
    options = settings.make_options(environment.config, **vars(content), **vars(shown))
    many, apart = is_many(pages), is_output_folder(output)
    name = format_name or _usual_format(many, apart, output, fields)
    name = ALIASES.get(name, name)
    if name:
        bytes_renderer(name)
    if name in BINARY_RENDERERS and output in (None, "-") and sys.stdout is not None and sys.stdout.isatty():
        raise UsageError(f"{name} is no text: give -o FILE")
    page_format = PageFormat(name, _fields(fields))
    if many and name not in _STREAMS and not apart:
        check_pages(pages)
        raise UsageError("several pages in one stream need -f jsonl, chunks or csv; or give -o FOLDER/ for a file each")
    choice = environment.choose(site)
    target = output_for(output, _SUFFIXES.get(name, f".{name}"), force)
    policy = settings.policy_of(origin.allow)
    page_jobs = jobs_of(pages, origin.url, policy, keep_dirs)
    wanted = PageFilter(languages_of(language), only_with_metadata)
    limits = settings.limits_of(timeout)
    run = _Run(page_format, options, wanted, target, jobs, limits, explain, quiet)
    with drawing.start(policy, timeout, jobs) as drawer:
        bring: Bring = iter if drawer is None else partial(drawn, browser=drawer)
        if not many and timeout is None and jobs == 1:
            run.read_one(*next(bring(page_jobs)), choice)
        elif learn_first and choice is None and is_folder(pages):
            everything = list(page_jobs)
            if not everything:
                raise no_pages(pages[0])
            sample = tuple(job for job, _ in bring(spread(everything, MAX_PAGES)))
            learned, message = learn_folder(Path(pages[0]), sample, len(everything), options, limits)
            if not quiet:
                report(message)
            run.read_many(bring(everything), learned)
        else:
            run.read_many(bring(page_jobs), choice)


def _usual_format(many: bool, apart: bool, output: str | None, fields: str | None) -> str:
    """The format if none is named; empty if there is none for several pages in one stream."""
    if fields is not None:
        return "json" if not many or apart else "jsonl"
    return "md" if not many or apart else "jsonl" if output else ""


def _fields(names: str | None) -> tuple[str, ...]:
    if names is None:
        return ()
    from pagestrata.work.rows import fields_of  # here, as few callers want it

    return fields_of(names)


@dataclass(frozen=True, slots=True)
class _Run:
    """How pages are read, and where they are written."""

    page_format: PageFormat
    options: Options
    wanted: PageFilter
    target: Output
    workers: int
    limits: GuardLimits
    explain: bool
    quiet: bool

    def read_one(self, job: Job, place: Path, choice: StoredModel | None) -> None:
        """Read a page in this process."""
        raw = job.read()
        extraction, _ = read_page(raw, self.options, choice)
        check_is_page(raw, extraction)
        why_not = self.wanted.why_not(extraction)
        if why_not:
            report(f"{job.name}: {why_not}")
            return
        self.target.write(place, self.page_format.write(raw, extraction, job.name))
        if self.explain:
            _explain(extraction)
        if not self.quiet:
            for note in notes_of(extraction):
                report(f"{job.name}: {note}")
            if extraction.reason and extraction.page.text and not self.explain:
                site = f"--site {choice.site} " if choice else ""
                report(f"pagestrata sections --reasons {site}{job.name} shows them")

    def read_many(self, page_jobs: Iterator[tuple[Job, Path]], choice: StoredModel | RunModel | None) -> None:
        """Read pages in workers that can be killed; one bad page is one row, never the end of the run."""
        places: dict[str, list[Path]] = {}
        notes: set[str] = set()
        done = failed = left_out = 0
        format_name, target = self.page_format.name, self.target
        work = partial(
            render_page, page_format=self.page_format, options=self.options, choice=choice, wanted=self.wanted
        )
        header = b"" if isinstance(target, Folder) else self.page_format.header
        with (
            Guard(work, self.workers, self.limits, name=lambda job: job.name, digest=job_digest) as guard,
            progress(enabled=not self.quiet) as advance,
        ):
            for job, outcome in guard.map(_noting(page_jobs, places)):
                place = places[job.name].pop(0)
                if isinstance(outcome, Failure):
                    failed += 1
                    report(f"{outcome.source}: {why_failed(outcome)}")
                    if format_name in ("jsonl", "chunks"):
                        target.write(place, error_line(outcome))
                else:
                    done += 1
                    answer = msgspec.msgpack.decode(outcome, type=RenderedPage)
                    if answer.why_not:
                        left_out += 1
                    else:
                        is_first = done - left_out == 1
                        target.write(place, answer.rendered if is_first else answer.rendered.removeprefix(header))
                    if answer.reason and format_name not in _WITH_REASON and not self.quiet:
                        report(f"{job.name}: {answer.reason}")
                    if answer.note not in {"", *notes} and not self.quiet:
                        notes.add(answer.note)
                        report(f"{job.name}: {answer.note}")
                advance(failed)
        if done == failed == 0:
            raise InputError(f"no pages there: pages end in {', '.join(PAGE_SUFFIXES)}")
        if left_out and not self.quiet:
            report(f"{left_out:,} of {done:,} pages left out by --language or --only-with-metadata")
        if failed:
            raise typer.Exit(1 if done else PageKilled.exit_code)


def notes_of(extraction: Extraction) -> list[str]:
    """Return the limits that were hit, the warnings, and the reason why nothing was kept, each once."""
    return [*dict.fromkeys(filter(None, (*map(str, extraction.limits), *extraction.warnings, extraction.reason)))]


def _noting(page_jobs: Iterator[tuple[Job, Path]], places: dict[str, list[Path]]) -> Iterator[Job]:
    """Pass the jobs on, and remember where their results go."""
    for job, place in page_jobs:
        places.setdefault(job.name, []).append(place)
        yield job


def _explain(extraction: Extraction) -> None:
    for entry in extraction.trace:
        verdict = "kept" if entry.kept else "left"
        report(f"{verdict} {entry.importance:.2f} {entry.role:<10} {entry.path}")
        report(f"     {entry.start!r}: {'; '.join(entry.reasons)}")
