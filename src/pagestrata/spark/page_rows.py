"""Pages → rows, with or without models of their sites: the rows of a batch, whatever the number of machines.

Pages are not grouped by site, so a site with half of all pages is spread like any other. Models come to the pages: as a
copy on every machine if they are small, otherwise Spark joins both by site.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from io import BytesIO
from typing import Final

import msgspec
import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812
from pyspark.sql.pandas.types import from_arrow_schema

from pagestrata.api import DEFAULTS
from pagestrata.options import Options
from pagestrata.spark.pages import LIMITS, in_portions, input_columns, records_of, with_sites
from pagestrata.work.arrow import row_schema, table_of
from pagestrata.work.guard import GuardLimits
from pagestrata.work.rows import DEFAULT_FIELDS, Reading, Record, RecordResult, record_guard, result_of

BROADCAST_BYTES: Final = 512 << 20
"""Models up to this size are copied to every machine, which holds them in memory; Spark refuses more than 8 GB."""


def extract_pages(
    df: DataFrame,
    options: Options = DEFAULTS,
    languages: tuple[str, ...] = (),
    limits: GuardLimits = LIMITS,
    fields: tuple[str, ...] = DEFAULT_FIELDS,
) -> DataFrame:
    """One row for each record: what was extracted, or why nothing was; the column `outcome` has which.

    The rows of `outcome` "row" are those of a batch. Those of "quarantined" have `stage`, `reason`, `limit` and
    `detail`; those of "filtered" are in other languages than the requested ones, and have only their source. `fields`
    is what the rows hold; `work.rows.fields_of` reads their names.
    """
    return _read(input_columns(df), Reading(options, languages=languages, form="parquet", fields=fields), limits)


def apply_sites(
    df: DataFrame,
    models: DataFrame,
    options: Options = DEFAULTS,
    languages: tuple[str, ...] = (),
    limits: GuardLimits = LIMITS,
    fields: tuple[str, ...] = DEFAULT_FIELDS,
) -> DataFrame:
    """One row for each record as in `extract_pages`, each page read with the model of its site.

    `models` is the result of `learn_sites`, best written to a file before: it is read twice.
    """
    learned = models.where(F.col("model").isNotNull()).select("site", "model")
    size = learned.agg(F.sum(F.length("model"))).first()
    few = size is None or (size[0] or 0) <= BROADCAST_BYTES
    pages = with_sites(df, limits).join(F.broadcast(learned) if few else learned, "site", "left")
    return _read(pages, Reading(options, languages=languages, form="parquet", fields=fields), limits)


def _read(pages: DataFrame, reading: Reading, limits: GuardLimits) -> DataFrame:
    work = partial(outcomes_of, reading=reading, limits=limits)
    return pages.mapInArrow(work, from_arrow_schema(outcome_schema(reading.fields)))


def outcome_schema(fields: Sequence[str] = DEFAULT_FIELDS) -> pa.Schema:
    """The columns of rows with these fields, and those that quarantined ones have."""
    more = [pa.field(name, pa.string()) for name in ("reason", "stage", "limit", "detail") if name not in fields]
    return pa.schema([pa.field("outcome", pa.string()), *row_schema(fields), *more])


# ------------------------------------------------------------------------------------------------------ in a worker


def outcomes_of(batches: Iterator[pa.RecordBatch], reading: Reading, limits: GuardLimits) -> Iterator[pa.RecordBatch]:
    """The outcome of each record; pages are untrusted, so a child that can be killed reads them."""
    with record_guard(reading, limits) as guard:
        answers = (_with_line(record, result_of(record, outcome)) for record, outcome in guard.map(records_of(batches)))
        for portion in in_portions(answers, lambda answer: len(answer.line)):
            yield batch_of(portion, reading.fields)


def _with_line(record: Record, answer: RecordResult) -> RecordResult:
    """The result of a record with a line of JSON, also if its page was filtered out."""
    if answer.outcome == "filtered":
        return RecordResult("filtered", msgspec.json.encode({"source": record.name, "url": record.url}) + b"\n")
    return answer


def batch_of(answers: Iterable[RecordResult], fields: Sequence[str] = DEFAULT_FIELDS) -> pa.RecordBatch:
    """Results as columns."""
    lines, outcomes = BytesIO(), []
    for answer in answers:
        lines.write(answer.line)
        outcomes.append(answer.outcome)
    schema = outcome_schema(fields)
    columns = table_of(lines, schema.remove(0)).combine_chunks().to_batches()[0].columns
    return pa.RecordBatch.from_arrays([pa.array(outcomes, pa.string()), *columns], schema=schema)
