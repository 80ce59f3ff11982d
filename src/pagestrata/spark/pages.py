"""DataFrame → records: a row is a page, or a file of pages that is read where its row happens to be.

Files are read by the readers of a batch, so that records have the same names and damage is reported in the same words.
They are streamed: neither Spark nor we ever hold a complete file in memory.
"""

import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, BinaryIO, Final, TypeVar
from urllib.parse import unquote

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 (as everyone calls it)
from pyspark.sql.pandas.types import from_arrow_schema

from pagestrata.errors import UsageError
from pagestrata.inputs.files import HTML_SUFFIXES
from pagestrata.inputs.warc import NoPage
from pagestrata.page.raw import RawPage
from pagestrata.sites.choice import AttachedModel
from pagestrata.sites.learn import host_of
from pagestrata.work.containers import CONTAINERS, contents_of, readable, record_of
from pagestrata.work.guard import Failure, Guard, GuardLimits
from pagestrata.work.job import Job, page_digest
from pagestrata.work.rows import Record
from pagestrata.work.site_sample import site_of

Item = TypeVar("Item")

COLUMNS: Final = ("path", "html", "url", "content_type", "source")
"""The columns that are read. `path` is a file; otherwise `html` is a page, and the rest may be missing or null."""
PAGES: Final = pa.schema(
    {
        "source": pa.string(),
        "url": pa.string(),
        "content_type": pa.string(),
        "html": pa.binary(),
        "is_text": pa.bool_(),
        "problem": pa.string(),
        "site": pa.string(),
        "digest": pa.binary(),
    }
)
"""The columns of `with_sites`: pages with their site. `is_text`: the html came as text, and is UTF-8 here."""
LIMITS: Final = GuardLimits()
BATCH_BYTES: Final = 8 << 20
"""The size of a batch of pages or rows passed to Spark; a single page may be larger."""


def find_files(spark: SparkSession, inputs: Sequence[str]) -> DataFrame:
    """The files at these paths, folders and patterns that may hold pages: one column `path`, contents not yet read.

    Spark skips empty files. A batch does not, so they are added here.
    """
    files = spark.read.format("binaryFile").option("recursiveFileLookup", "true").load(list(inputs))
    endings = "|".join(ending.replace(".", r"\.") for ending in (*HTML_SUFFIXES, *CONTAINERS))
    full = files.select("path").where(F.lower("path").rlike(f"({endings})$"))
    listed = (_path_of(address) for address in files.inputFiles())
    empty = {path for path in listed if path.lower().endswith((*HTML_SUFFIXES, *CONTAINERS))}
    empty -= {row.path for row in full.collect()}
    if not empty:
        return full
    return full.union(spark.createDataFrame([(path,) for path in sorted(empty)], "path string").coalesce(1))


def _path_of(address: str) -> str:
    """Return the path that Spark uses in columns, from the address that it lists.

    >>> _path_of("file:///tmp/a%20b.html"), _path_of("s3a://crawl/a%23b.html")
    ('file:/tmp/a b.html', 's3a://crawl/a#b.html')
    """
    path = unquote(address)
    return f"file:{path.removeprefix('file://')}" if path.startswith("file:///") else path


def input_columns(df: DataFrame) -> DataFrame:
    """Only the columns that we read, so that no other is sent to Python."""
    columns = [name for name in COLUMNS if name in df.columns]
    if "html" not in columns and "path" not in columns:
        raise UsageError(f"there is no column html or path; there are: {', '.join(df.columns)}")
    return df.select(*columns)


# ------------------------------------------------------------------------------------------------------ in a worker


def records_of(batches: Iterable[pa.RecordBatch]) -> Iterator[Record]:
    """The records in the rows, in their order."""
    for row in rows_of(batches):
        if "html" in row:
            yield _record_of_row(row)
        else:
            yield from records_in(_local(row["path"]))


def rows_of(batches: Iterable[pa.RecordBatch]) -> Iterator[dict[str, Any]]:
    """The rows, one after the other: the pages of a batch together may be too large for memory."""
    for batch in batches:
        for place in range(batch.num_rows):
            yield {name: batch.column(name)[place].as_py() for name in batch.schema.names}


def _record_of_row(row: dict[str, Any]) -> Record:
    url, html = row.get("url"), row["html"]
    name = row.get("source") or url or ""
    if html is None:
        return Record(name, stage="read", problem=row.get("problem") or "the row has no html", url=url)
    markup = html.decode() if row.get("is_text") else html
    attached_model = AttachedModel(row["site"], row["model"]) if "model" in row else None
    page = RawPage(markup, url, row.get("content_type"), source=name)
    return Record(name, Job(name, page=page), url=url, attached_model=attached_model)


def _local(path: str) -> str:
    """A path as in a batch: without the scheme if it is on this machine.

    >>> _local("file:/tmp/a.html"), _local("s3a://crawl/a.html")
    ('/tmp/a.html', 's3a://crawl/a.html')
    """
    return path.removeprefix("file:") if path.startswith("file:/") else path


def records_in(path: str) -> Iterator[Record]:
    """The records in a file; what is no page is skipped."""
    name = readable(path)
    try:
        with open_file(path) as file:
            if not path.lower().endswith(CONTAINERS):
                yield Record(name, Job(name, page=RawPage(file.read(), source=name)))
                return
            for number, item in enumerate(contents_of(path, file), 1):
                record = record_of(f"{name}#{number}", item)
                if not isinstance(record, NoPage):
                    yield record
    except OSError as error:
        yield Record(name, stage="read", problem=f"the file cannot be read: {error.strerror or error}")


def open_file(path: str) -> BinaryIO:
    """Open a file of this machine, or one that Arrow can stream: s3, gs, hdfs and so on."""
    scheme, separator, rest = path.partition("://")
    if not separator:
        return open(path, "rb")
    from pyarrow.fs import FileSystem

    host, _, place = rest.partition("/")
    system, folder = FileSystem.from_uri(f"{scheme.replace('s3a', 's3')}://{host}/")
    return io.BufferedReader(system.open_input_file(f"{folder.rstrip('/')}/{place}"))


def sites_of(records: Iterable[Record], limits: GuardLimits) -> Iterator[tuple[Record, str, bytes]]:
    """Records with their site and digest. Both are empty without a page; the site is empty without an address.

    Only a page that came without its address is parsed for it, under a guard.
    """
    with Guard(_site_of, 1, limits) as guard:
        for record in records:
            if record.job is None or record.job.page is None:
                yield record, "", b""
                continue
            raw = record.job.page
            site = host_of(raw.url) or _site_in_page(guard, raw)
            yield record, site, bytes.fromhex(page_digest(raw))


def _site_of(raw: RawPage) -> bytes:
    return site_of(raw).encode()


def _site_in_page(guard: Guard[RawPage], raw: RawPage) -> str:
    [(_, outcome)] = guard.map([raw])
    return "" if isinstance(outcome, Failure) else outcome.decode()


def with_sites(df: DataFrame, limits: GuardLimits) -> DataFrame:
    """The pages of all records, with their sites: the columns of `PAGES`."""
    return input_columns(df).mapInArrow(partial(_batches_with_sites, limits=limits), from_arrow_schema(PAGES))


def _batches_with_sites(batches: Iterator[pa.RecordBatch], limits: GuardLimits) -> Iterator[pa.RecordBatch]:
    pages = sites_of(records_of(batches), limits)
    for rows in in_portions((_page_row(*each) for each in pages), lambda row: len(row["html"] or b"")):
        yield pa.RecordBatch.from_pylist(rows, PAGES)


def _page_row(record: Record, site: str, digest: bytes) -> dict[str, Any]:
    raw = record.job.page if record.job else None
    markup = raw.markup if raw else None
    return {
        "source": record.name,
        "url": record.url,
        "content_type": raw.content_type if raw else None,
        "html": markup.encode() if isinstance(markup, str) else markup,
        "is_text": isinstance(markup, str),
        "problem": record.problem or None,
        "site": site,
        "digest": digest,
    }


def in_portions(items: Iterable[Item], size_of: Callable[[Item], int]) -> Iterator[list[Item]]:
    """The items in lists of some megabytes each.

    >>> list(in_portions(["a", "b"], len))
    [['a', 'b']]
    """
    portion: list[Item] = []
    size = 0
    for item in items:
        portion.append(item)
        size += size_of(item)
        if size >= BATCH_BYTES:
            yield portion
            portion, size = [], 0
    if portion:
        yield portion
