"""`pagestrata extract`: clean content in six formats."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from pagestrata.cli import settings
from pagestrata.cli.folder_model import learn_folder
from pagestrata.cli.jobs import drawn, is_folder, is_many, jobs_of, make_browser, why_failed
from pagestrata.cli.learn import MAX_PAGES, spread
from pagestrata.cli.outputs import Folder, OneFile, Standard, is_output_folder, output_for
from pagestrata.cli.progress import progress
from pagestrata.errors import InputError, PageKilled, UsageError
from pagestrata.extraction import Extraction
from pagestrata.inputs.addresses import AddressPolicy
from pagestrata.inputs.files import SUFFIXES
from pagestrata.options import Options
from pagestrata.registry import RENDERERS, renderer
from pagestrata.sites.choice import RunModel, StoredModel
from pagestrata.work.guard import Failure, Guard, GuardLimits
from pagestrata.work.job import Job, job_digest
from pagestrata.work.read_page import RenderedPage, error_line, read_page, render_page

_SUFFIXES = {
    "text": ".txt",
    "md": ".md",
    "html": ".html",
    "json": ".json",
    "jsonl": ".jsonl",
    "xml": ".xml",
    "chunks": ".jsonl",
}
_LINES = ("jsonl", "chunks")
"""Formats of which one file can hold several pages."""

Output = Standard | OneFile | Folder
Bring = Callable[[Iterable[tuple[Job, Path]]], Iterator[tuple[Job, Path]]]
"""Lets a browser draw the pages, if that is requested."""


def extract(
    pages: settings.Pages,
    format_name: Annotated[
        str | None, typer.Option("--format", "-f", help=f"{', '.join(RENDERERS)}; md for one page.")
    ] = None,
    output: Annotated[str | None, typer.Option("--output", "-o", help="A file, or a folder if it ends in /.")] = None,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, help="Pages read at the same time.")] = 1,
    timeout: Annotated[
        float | None, typer.Option(min=0.1, help="Seconds for a page; it is read by a worker that can be killed.")
    ] = None,
    explain: Annotated[bool, typer.Option(help="Say of every section why it was kept or not.")] = False,
    site: settings.Site = None,
    learn_first: Annotated[
        bool, typer.Option("--learn/--no-learn", help="Learn the site of a folder first, if it is one.")
    ] = True,
    bias: settings.Bias = None,
    keep: settings.Keep = None,
    drop: settings.Drop = None,
    comments: settings.Comments = None,
    tables: Annotated[bool | None, typer.Option("--tables/--no-tables", help="Data tables.")] = None,
    images: Annotated[bool | None, typer.Option("--images/--no-images", help="Images.")] = None,
    links: Annotated[bool | None, typer.Option("--links/--no-links", help="Link targets.")] = None,
    formatting: Annotated[bool | None, typer.Option("--formatting/--no-formatting", help="Bold and the like.")] = None,
    with_metadata: Annotated[
        bool | None, typer.Option("--with-metadata", help="Title, authors, dates and so on before the content.")
    ] = None,
    render: settings.Render = False,
    browser: settings.BrowserPath = None,
    no_sandbox: settings.NoSandbox = False,
    url: settings.Url = None,
    allow: settings.Allow = None,
    store: settings.StorePath = None,
    config: settings.Config = None,
    force: settings.Force = False,
    quiet: settings.Quiet = False,
) -> None:
    """Give back the clean content of pages."""
    options = settings.make_options(
        config,
        bias=bias,
        keep=keep,
        drop=drop,
        comments=comments,
        tables=tables,
        images=images,
        links=links,
        formatting=formatting,
        metadata=with_metadata,
    )
    many, apart = is_many(pages), is_output_folder(output)
    name = format_name or ("md" if not many or apart else "jsonl" if output else None)
    if name is None or (many and name not in _LINES and not apart):
        raise UsageError(
            f"several pages in one stream need -f {' or '.join(_LINES)}; or give -o FOLDER/ for a file each"
        )
    renderer(name)
    choice = settings.choose(site, store, config)
    target = output_for(output, _SUFFIXES.get(name, f".{name}"), force)
    policy = AddressPolicy(allow=tuple(allow or ()))
    page_jobs = jobs_of(pages, url, policy)
    limits = GuardLimits(seconds=timeout) if timeout is not None else GuardLimits()
    with ExitStack() as stack:
        bring: Bring = iter
        if render:
            drawer = stack.enter_context(make_browser(browser, no_sandbox, policy, timeout, jobs))
            bring = partial(drawn, browser=drawer)
        if not many and timeout is None and jobs == 1:
            _extract_one(next(bring(page_jobs)), name, options, choice, target, explain, quiet)
        elif learn_first and choice is None and is_folder(pages):
            everything = list(page_jobs)
            if not everything:
                raise InputError(f"no pages in {pages[0]}: {', '.join(SUFFIXES)} are looked for")
            learned = _learn_first(Path(pages[0]), everything, bring, options, limits, quiet)
            _extract_many(bring(everything), name, options, learned, target, jobs, limits, quiet)
        else:
            _extract_many(bring(page_jobs), name, options, choice, target, jobs, limits, quiet)


def _learn_first(
    folder: Path, listed: Sequence[tuple[Job, Path]], bring: Bring, options: Options, limits: GuardLimits, quiet: bool
) -> RunModel | None:
    """Learn the site of a folder, if its pages are of one, and report it."""
    sample = tuple(job for job, _ in bring(spread(listed, MAX_PAGES)))
    model, message = learn_folder(folder, sample, len(listed), options, limits)
    if not quiet:
        typer.echo(message, err=True)
    return model


def _extract_one(
    page_job: tuple[Job, Path],
    format_name: str,
    options: Options,
    choice: StoredModel | None,
    target: Output,
    explain: bool,
    quiet: bool,
) -> None:
    job, place = page_job
    extraction, _ = read_page(job.read(), options, choice)
    target.write(place, extraction.render(format_name).encode())
    if explain:
        _explain(extraction)
    if not quiet:
        for note in notes_of(extraction):
            typer.echo(f"{job.name}: {note}", err=True)
        if extraction.reason and extraction.page.text and not explain:
            typer.echo(f"pagestrata sections --reasons {job.name} shows them", err=True)


def _extract_many(
    page_jobs: Iterator[tuple[Job, Path]],
    format_name: str,
    options: Options,
    choice: StoredModel | RunModel | None,
    target: Output,
    workers: int,
    limits: GuardLimits,
    quiet: bool,
) -> None:
    """Read pages in workers that can be killed; one bad page is one row, never the end of the run."""
    places: dict[str, list[Path]] = {}
    notes: set[str] = set()
    done = failed = 0
    work = partial(render_page, format_name=format_name, options=options, choice=choice)
    with (
        Guard(work, workers, limits, name=lambda job: job.name, digest=job_digest) as guard,
        progress(enabled=not quiet) as advance,
    ):
        for job, outcome in guard.map(_noting(page_jobs, places)):
            place = places[job.name].pop(0)
            if isinstance(outcome, Failure):
                failed += 1
                typer.echo(f"{outcome.source}: {why_failed(outcome)}", err=True)
                if format_name in _LINES:
                    target.write(place, error_line(outcome))
            else:
                done += 1
                answer = msgspec.msgpack.decode(outcome, type=RenderedPage)
                target.write(place, answer.rendered)
                if answer.note not in {"", *notes} and not quiet:
                    notes.add(answer.note)
                    typer.echo(f"{job.name}: {answer.note}", err=True)
            advance(failed)
    if done == failed == 0:
        raise InputError(f"no pages there: {', '.join(SUFFIXES)} are looked for")
    if failed:
        raise typer.Exit(1 if done else PageKilled.exit_code)


def notes_of(extraction: Extraction) -> list[str]:
    """What a reader should know about a page, each once: limits that were hit, warnings, and why nothing was kept."""
    return [*dict.fromkeys(filter(None, (*map(str, extraction.limits), *extraction.warnings, extraction.reason)))]


def _noting(page_jobs: Iterator[tuple[Job, Path]], places: dict[str, list[Path]]) -> Iterator[Job]:
    """Pass the jobs on, and remember where their results go."""
    for job, place in page_jobs:
        places.setdefault(job.name, []).append(place)
        yield job


def _explain(extraction: Extraction) -> None:
    for entry in extraction.trace:
        verdict = "kept" if entry.kept else "left"
        typer.echo(f"{verdict} {entry.importance:.2f} {entry.role:<10} {entry.path}", err=True)
        typer.echo(f"     {entry.start!r}: {'; '.join(entry.reasons)}", err=True)
