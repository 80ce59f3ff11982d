"""Files that hold many pages (WARC, JSON lines, Parquet, zipped folders), and the records in them."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import BinaryIO, Final

from pagestrata.errors import InputError
from pagestrata.inputs.files import PAGE_SUFFIXES
from pagestrata.inputs.jsonl import read_json_lines
from pagestrata.inputs.parquet import read_parquet
from pagestrata.inputs.warc import ArchiveItem, Damage, NoPage, read_warc
from pagestrata.page.raw import RawPage
from pagestrata.work.job import Job
from pagestrata.work.rows import Record

ARCHIVES: Final = (".warc", ".warc.gz")
JSON_LINES: Final = (".jsonl", ".jsonl.gz", ".ndjson", ".ndjson.gz")
TABLES: Final = (".parquet",)
ZIPS: Final = (".zip",)
CONTAINERS: Final = (*ARCHIVES, *JSON_LINES, *TABLES, *ZIPS)


def record_of(name: str, item: ArchiveItem) -> Record | NoPage:
    """An item of a file as a record with this name."""
    if isinstance(item, RawPage):
        return Record(name, Job(name, page=replace(item, source=name)), url=item.url)
    if isinstance(item, NoPage):
        return item
    return Record(name, stage="read", problem=item.detail, url=item.url)


def contents_of(name: str, file: BinaryIO) -> Iterator[ArchiveItem]:
    """The items in an open file of many pages; the ending of its name selects the reader."""
    try:
        for item in _reader(name)(file):
            yield Damage(item) if isinstance(item, str) else item
    except InputError as error:
        yield Damage(str(error))


def _reader(name: str) -> Callable[[BinaryIO], Iterator[ArchiveItem | str]]:
    if name.lower().endswith(ARCHIVES):
        return read_warc
    if name.lower().endswith(ZIPS):
        from pagestrata.inputs.packed import read_zip  # here, as few inputs are zipped and it loads much

        return partial(read_zip, suffixes=PAGE_SUFFIXES)
    return read_parquet if name.lower().endswith(TABLES) else read_json_lines


def readable(name: str) -> str:
    """A file name as text that JSON can hold, even if its bytes are not UTF-8.

    >>> readable("caf\\udce9.html")
    'caf\\\\xe9.html'
    """
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
