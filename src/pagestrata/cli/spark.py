"""`pagestrata spark`: what `batch` does, on a cluster or all cores of this machine, by Spark."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from pagestrata.cli import settings
from pagestrata.cli.batch import MAX_PAGES
from pagestrata.cli.messages import report
from pagestrata.cli.option_groups import GroupedTyper
from pagestrata.errors import InputError, UsageError
from pagestrata.work.page_filter import languages_of

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from pagestrata.work.guard import GuardLimits

spark = GroupedTyper(no_args_is_help=True, help="Read, learn and apply on a cluster (extra spark).")

Inputs = Annotated[
    list[str], typer.Argument(help="Files, folders or patterns that Spark can list: WARC, Parquet, JSON lines, HTML.")
]
Output = Annotated[str, typer.Option("--output", "-o", help="A folder of Parquet files that is not there yet.")]
Timeout = Annotated[float | None, typer.Option(min=0.1, help="Seconds for a page.")]
Fields = Annotated[str, typer.Option(help="What a row holds, as for `batch`: text,markdown,… or default, all, v1.")]
Language = Annotated[list[str] | None, typer.Option(help="Only pages in this language (en); may be given again.")]


@spark.command()
def extract(
    *,
    inputs: Inputs,
    output: Output,
    timeout: Timeout = None,
    language: Language = None,
    fields: Fields = "default",
    content: settings.Content,
    config: settings.Config = None,
    quiet: settings.Quiet = False,
) -> None:
    """Make a row of every page."""
    options = settings.make_options(config, **vars(content))
    with started() as session:
        from pagestrata.spark import extract_pages, find_files
        from pagestrata.work.rows import fields_of

        rows = extract_pages(
            find_files(session, inputs), options, languages_of(language), _limits(timeout), fields_of(fields)
        )
        write_rows(rows, output, session, quiet)


@spark.command()
def learn(
    inputs: Inputs,
    output: Output,
    count: Annotated[int, typer.Option("--pages", "-k", min=2, help="Learn a site from at most so many.")] = MAX_PAGES,
    timeout: Timeout = None,
    config: settings.Config = None,
    quiet: settings.Quiet = False,
) -> None:
    """Learn every site, from a sample of its pages."""
    options = settings.make_options(config)
    with started() as session:
        from pagestrata.spark import find_files, learn_sites

        learn_sites(find_files(session, inputs), count, options, _limits(timeout)).write.parquet(output)
        if not quiet:
            written = session.read.parquet(output)
            learned = written.where("model is not null").count()
            report(f"{learned:,} sites learned, {written.count() - learned:,} could not be; in {output}")


@spark.command()
def apply(
    *,
    inputs: Inputs,
    models: Annotated[str, typer.Option(help="What `pagestrata spark learn` wrote.")],
    output: Output,
    timeout: Timeout = None,
    language: Language = None,
    fields: Fields = "default",
    content: settings.Content,
    config: settings.Config = None,
    quiet: settings.Quiet = False,
) -> None:
    """Make a row of every page, read with what was learned of its site."""
    options = settings.make_options(config, **vars(content))
    with started() as session:
        from pagestrata.spark import apply_sites, find_files
        from pagestrata.work.rows import fields_of

        learned = session.read.parquet(models)
        rows = apply_sites(
            find_files(session, inputs), learned, options, languages_of(language), _limits(timeout), fields_of(fields)
        )
        write_rows(rows, output, session, quiet)


@contextmanager
def started() -> "Iterator[SparkSession]":
    """The session of spark-submit, or one on all cores of this machine; its workers run our own Python."""
    import pagestrata.spark  # noqa: F401 (its error names the extra to install)

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    from pyspark.errors import AnalysisException
    from pyspark.sql import SparkSession

    try:
        yield SparkSession.builder.appName("pagestrata").getOrCreate()
    except AnalysisException as error:  # a path that is not there, or is there already
        kind = InputError if error.getCondition() == "PATH_NOT_FOUND" else UsageError
        raise kind(str(error).partition("\n")[0]) from error


def write_rows(rows: "DataFrame", output: str, session: "SparkSession", quiet: bool) -> None:
    """Write the outcome of all records at once, a folder for each kind, and print their numbers."""
    rows.write.partitionBy("outcome").parquet(output)
    counts = {row["outcome"]: row["count"] for row in session.read.parquet(output).groupBy("outcome").count().collect()}
    if not counts:
        raise InputError("no pages there")
    if not quiet:
        listed = ", ".join(f"{counts[name]:,} {name}" for name in ("row", "quarantined", "filtered") if name in counts)
        report(f"{sum(counts.values()):,} records: {listed}; in {output}")


def _limits(timeout: float | None) -> "GuardLimits":
    from pagestrata.work.guard import GuardLimits

    return GuardLimits(seconds=timeout) if timeout is not None else GuardLimits()
