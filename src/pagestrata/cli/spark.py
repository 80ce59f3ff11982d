"""`pagestrata spark`: what `batch` does, on a cluster or all cores of this machine, by Spark."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from pagestrata.cli import settings
from pagestrata.cli.messages import report
from pagestrata.cli.option_groups import GroupedTyper
from pagestrata.cli.site_pages import MAX_PAGES
from pagestrata.errors import InputError, UsageError
from pagestrata.options import Options
from pagestrata.work.page_filter import languages_of

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from pagestrata.work.guard import GuardLimits

spark = GroupedTyper(no_args_is_help=True, help="Extract and learn on a Spark cluster (extra spark).")

Inputs = Annotated[
    list[str], typer.Argument(help="Files, folders or patterns that Spark can list: WARC, Parquet, JSON lines, HTML.")
]
Output = Annotated[str, typer.Option("--output", "-o", help="A new folder, for Parquet files.")]
Fields = Annotated[str, typer.Option(help="The fields of a row, as in `batch`: text,markdown,…, or default, all, v1.")]


@dataclass(frozen=True)
class RowOptions:
    """The options on how pages become rows."""

    timeout: settings.Timeout = None
    language: settings.Language = None
    fields: Fields = "default"

    def reading(self, options: Options) -> "tuple[Options, tuple[str, ...], GuardLimits, tuple[str, ...]]":
        """What the functions of `pagestrata.spark` take after the pages."""
        from pagestrata.work.rows import fields_of

        return options, languages_of(self.language), settings.limits_of(self.timeout), fields_of(self.fields)


@spark.command()
def extract(
    *,
    inputs: Inputs,
    output: Output,
    rows: RowOptions,
    content: settings.Content,
    config: settings.Config = None,
    quiet: settings.Quiet = False,
) -> None:
    """Extract every page into a row."""
    reading = rows.reading(settings.make_options(config, **vars(content)))
    with started() as session:
        from pagestrata.spark import extract_pages, find_files

        write_rows(extract_pages(find_files(session, inputs), *reading), output, session, quiet)


@spark.command()
def learn(
    inputs: Inputs,
    output: Output,
    count: Annotated[
        int, typer.Option("--pages", "-k", min=2, help="The most pages that a site is learned from.")
    ] = MAX_PAGES,
    timeout: settings.Timeout = None,
    config: settings.Config = None,
    quiet: settings.Quiet = False,
) -> None:
    """Learn every site from a sample of its pages."""
    options = settings.make_options(config)
    with started() as session:
        from pagestrata.spark import find_files, learn_sites

        learn_sites(find_files(session, inputs), count, options, settings.limits_of(timeout)).write.parquet(output)
        if not quiet:
            written = session.read.parquet(output)
            learned = written.where("model is not null").count()
            report(f"{learned:,} sites learned, {written.count() - learned:,} could not be; in {output}")


@spark.command()
def apply(
    *,
    inputs: Inputs,
    models: Annotated[str, typer.Option(help="The output of `pagestrata spark learn`.")],
    output: Output,
    rows: RowOptions,
    content: settings.Content,
    config: settings.Config = None,
    quiet: settings.Quiet = False,
) -> None:
    """Extract every page into a row, with the model of its site."""
    reading = rows.reading(settings.make_options(config, **vars(content)))
    with started() as session:
        from pagestrata.spark import apply_sites, find_files

        learned = session.read.parquet(models)
        write_rows(apply_sites(find_files(session, inputs), learned, *reading), output, session, quiet)


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
