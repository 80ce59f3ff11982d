"""Pages → a model of each site, without ever bringing the pages of a site together.

1. Each task notes the K smallest digests of every site that it sees: a bottom-K sketch, of some bytes a page.
2. The sketches of a site are merged; the largest remaining digest is the limit of its sample.
3. The input is read again, and only the sample, at most K pages a site, is sent to where its site is learned.

So a site with half of all pages costs no more than any other. The sample is that of a batch: it depends on the pages
alone, neither on their order nor on the number of machines.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import groupby, islice
from operator import itemgetter
from typing import Any, Final

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812
from pyspark.sql.pandas.types import from_arrow_schema

from pagestrata.api import DEFAULTS
from pagestrata.options import Options
from pagestrata.page.raw import RawPage
from pagestrata.spark.pages import LIMITS, input_columns, records_of, rows_of, sites_of, with_sites
from pagestrata.work.guard import Failure, Guard, GuardLimits
from pagestrata.work.site_sample import LEARN_SECONDS, LEAST_PAGES, learn_sample

MOST_PAGES: Final = 15
"""Pages that a site is learned from, as in a batch."""
LEARN_LIMITS: Final = GuardLimits(seconds=LEARN_SECONDS)
MODELS: Final = pa.schema(
    {
        "site": pa.string(),
        "pages": pa.int32(),
        "model": pa.binary(),
        "stage": pa.string(),
        "reason": pa.string(),
        "limit": pa.string(),
        "detail": pa.string(),
    }
)
SKETCH: Final = pa.schema({"site": pa.string(), "digest": pa.binary()})


def learn_sites(
    df: DataFrame, count: int = MOST_PAGES, options: Options = DEFAULTS, limits: GuardLimits = LIMITS
) -> DataFrame:
    """One row for each site with two pages or more: its `model`, or the reason why there is none."""
    sample = with_sites(df, limits).join(F.broadcast(samples(df, count, limits)), "site").where("digest <= last")
    by_site = sample.repartition("site").sortWithinPartitions("site", "digest")
    return by_site.mapInArrow(partial(_models_of, count=count, options=options), from_arrow_schema(MODELS))


def samples(df: DataFrame, count: int, limits: GuardLimits) -> DataFrame:
    """For each site with enough pages, the largest digest in its sample: `site`, `last`."""
    sketches = input_columns(df).mapInArrow(
        partial(_sketches_of, count=count, limits=limits), from_arrow_schema(SKETCH)
    )
    smallest = F.slice(F.array_sort(F.collect_set("digest")), 1, count)
    merged = sketches.groupBy("site").agg(smallest.alias("digests")).where(F.size("digests") >= LEAST_PAGES)
    return merged.select("site", F.element_at("digests", -1).alias("last"))


# ------------------------------------------------------------------------------------------------------ in a worker


@dataclass(frozen=True, slots=True)
class SiteSample:
    """The pages that a site is learned from."""

    site: str
    pages: tuple[RawPage, ...]


def _sketches_of(batches: Iterator[pa.RecordBatch], count: int, limits: GuardLimits) -> Iterator[pa.RecordBatch]:
    smallest: dict[str, list[bytes]] = {}
    for _, site, digest in sites_of(records_of(batches), limits):
        if site:
            add_digest(smallest.setdefault(site, []), digest, count)
    rows = [(site, digest) for site, digests in smallest.items() for digest in digests]
    yield pa.RecordBatch.from_pylist([{"site": site, "digest": digest} for site, digest in rows], SKETCH)


def add_digest(smallest: list[bytes], digest: bytes, count: int) -> None:
    """Keep the `count` smallest digests, sorted, each once.

    >>> kept = [b"b", b"d"]
    >>> for digest in (b"c", b"b", b"e"):
    ...     add_digest(kept, digest, 2)
    >>> kept
    [b'b', b'c']
    """
    place = bisect_left(smallest, digest)
    if place < count and digest not in smallest[place : place + 1]:
        smallest.insert(place, digest)
        del smallest[count:]


def _models_of(batches: Iterator[pa.RecordBatch], count: int, options: Options) -> Iterator[pa.RecordBatch]:
    """The models of sites; the pages of each come one after the other, sorted by their digests."""
    with Guard(partial(_learn, options=options), 1, LEARN_LIMITS, name=lambda sample: sample.site) as guard:
        for sample, outcome in guard.map(samples_in(batches, count)):
            row = {"site": sample.site, "pages": len(sample.pages)} | _result_columns(outcome)
            yield pa.RecordBatch.from_pylist([row], MODELS)


def _result_columns(outcome: bytes | Failure) -> dict[str, Any]:
    if isinstance(outcome, Failure):
        return {name: getattr(outcome, name) for name in ("stage", "reason", "limit", "detail")}
    return {"model": outcome}


def _learn(sample: SiteSample, options: Options) -> bytes:
    return learn_sample(sample.pages, sample.site, options)


def samples_in(batches: Iterable[pa.RecordBatch], count: int) -> Iterator[SiteSample]:
    """The samples in rows sorted by site and digest; of several copies, the one that a batch would take."""
    for site, of_site in groupby(rows_of(batches), itemgetter("site")):
        different = (min(copies, key=_order) for _, copies in groupby(of_site, itemgetter("digest")))
        yield SiteSample(site, tuple(_page(row) for row in islice(different, count)))


def _order(row: dict[str, Any]) -> tuple[str, str]:
    return row["url"] or "", row["content_type"] or ""


def _page(row: dict[str, Any]) -> RawPage:
    html = row["html"]
    return RawPage(html.decode() if row["is_text"] else html, row["url"], row["content_type"])
