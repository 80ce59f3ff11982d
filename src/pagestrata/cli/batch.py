"""`pagestrata batch`: many pages become shards of rows, in a run that can be killed and resumed."""

import os
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pagestrata.cli import settings
from pagestrata.cli.drawing import Drawing
from pagestrata.cli.learn import counted
from pagestrata.cli.messages import report
from pagestrata.cli.progress import batch_progress
from pagestrata.cli.site_pages import MAX_PAGES
from pagestrata.errors import InputError, PageKilled, UsageError

if TYPE_CHECKING:  # loaded only when a batch runs
    from pagestrata.batch.manifest import Counts, Manifest

SHARD_RECORDS = 1_000
"""A few seconds of work on two cores, which a killed run has to repeat."""


class BatchFormat(StrEnum):
    """How rows are written."""

    JSONL = "jsonl"
    PARQUET = "parquet"


def batch(
    *,
    inputs: Annotated[
        list[str],
        typer.Argument(help="Folders, files, lists (.txt), JSON lines, Parquet, WARC, sitemaps, feeds, addresses."),
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="The folder for the results.")],
    form: Annotated[BatchFormat, typer.Option("--format", "-f", help="The format of the rows.")] = BatchFormat.JSONL,
    resume: Annotated[bool, typer.Option("--resume", help="Continue a run that was interrupted.")] = False,
    jobs: Annotated[
        int | None, typer.Option("--jobs", "-j", min=1, help="The number of worker processes. Default: one per core.")
    ] = None,
    timeout: settings.Timeout = None,
    shard: Annotated[int, typer.Option(min=1, help="The number of pages in a result file (shard).")] = SHARD_RECORDS,
    fields: Annotated[
        str, typer.Option(help="The fields of a row: text,markdown,html,sections,chunks,items,…, or default, all, v1.")
    ] = "default",
    chunks: Annotated[bool, typer.Option("--chunks", help="Add the field chunks, for search.")] = False,
    language: settings.Language = None,
    dedup: Annotated[
        bool,
        typer.Option(
            "--dedup", help="Leave out near-duplicates: pages whose kept text is nearly that of an earlier page."
        ),
    ] = False,
    learn: Annotated[bool, typer.Option("--learn", help="Learn each site first, from a sample of its pages.")] = False,
    count: Annotated[
        int, typer.Option("--pages", "-k", min=2, help="The most pages that a site is learned from.")
    ] = MAX_PAGES,
    site: settings.Site = None,
    content: settings.Content,
    drawing: Drawing,
    fetching: settings.Fetching,
    environment: settings.Environment,
    quiet: settings.Quiet = False,
) -> None:
    """Extract many pages into files of rows. An interrupted run can be continued."""
    from pagestrata.batch.definition import Batch
    from pagestrata.batch.run import run
    from pagestrata.work.page_filter import languages_of
    from pagestrata.work.rows import Reading, fields_of

    if learn and site is not None:
        raise UsageError("--learn makes its own models: leave out --site")
    if learn and drawing.render:
        raise UsageError("--learn reads pages without a browser: leave out --render, or learn the sites first")
    options = settings.make_options(environment.config, **vars(content))
    choice, row_fields = environment.choose(site), fields_of(f"{fields},chunks" if chunks else fields)
    if dedup and "near_duplicate" not in row_fields:
        raise UsageError("--dedup compares the field near_duplicate: add it to --fields")
    reading = Reading(options, choice, languages_of(language), form.value, row_fields)
    policy, workers = settings.policy_of(fetching.allow), jobs or _cores()
    todo = Batch(
        tuple(inputs),
        output,
        reading,
        learn=count if learn else 0,
        shard_records=shard,
        workers=workers,
        limits=settings.limits_of(timeout),
        policy=policy,
        delay=fetching.delay,
        resume=resume,
        dedup=dedup,
    )
    with (
        drawing.start(policy, timeout, workers) as drawer,
        batch_progress(todo.sources, enabled=not quiet) as watch,
    ):
        done = run(replace(todo, browser=drawer), watch)
    if not quiet:
        report(summary(done, output))
    check(done.counts)


def _cores() -> int:
    """The number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def summary(manifest: "Manifest", folder: Path) -> str:
    """The result of a run in a few lines."""
    counts = manifest.counts
    parts = [
        f"{counted(counts.records, 'record')}: {counted(counts.rows, 'row')}",
        f"{counts.quarantined:,} quarantined",
    ]
    parts += [f"{counts.filtered:,} in other languages"] if counts.filtered else []
    parts += [f"{counts.duplicates:,} near-duplicates left out"] if counts.duplicates else []
    lines = f"{', '.join(parts)}; {counted(manifest.shards, 'shard')} in {folder}"
    if counts.skipped:
        lines += f"\n{counted(counts.skipped, 'other record')} skipped: no pages"
    if manifest.learned is not None:
        lines += f"\n{counted(manifest.learned.sites, 'site')} learned, {manifest.learned.failed:,} could not be"
    return lines


def check(counts: "Counts") -> None:
    """Raise an error if a run has no rows; failures of single records are in the quarantine files."""
    if not counts.records:
        raise InputError("no pages in the inputs")
    if counts.quarantined == counts.records:
        raise PageKilled("no record became a row: see the files in quarantine/")
