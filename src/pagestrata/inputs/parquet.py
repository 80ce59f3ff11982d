"""Pages in Parquet: a column `html` (text or bytes) and, optionally, `url`."""

from collections.abc import Iterator
from typing import Any, BinaryIO, Final

from pagestrata.errors import InputError, needs
from pagestrata.page.raw import RawPage

BATCH_ROWS: Final = 32
"""Rows in one batch; few, since a page may have 20 MB."""
BATCH_BYTES: Final = 64_000_000
"""Bytes of pages in one batch, as far as the file says how large they are."""
MAX_RATIO: Final = 200
"""How many times its bytes a file may unpack to; as for pages from the web. Pages of one site come to 50."""
MIN_SUSPECT_BYTES: Final = 20_000_000
"""Unpacked bytes below which the ratio does not matter."""
_BUFFER = 1 << 20
_KINDS = ("compressed", "uncompressed")


def read_parquet(source: BinaryIO) -> Iterator[RawPage | str]:
    """The page of each row, or the reason why it cannot be read."""
    with needs("pyarrow", "parquet"):
        import pyarrow
        from pyarrow import parquet
    try:
        # Buffered, so that memory need not hold a complete row group; each different page is held once, however often
        # a file repeats it.
        with parquet.ParquetFile(source, buffer_size=_BUFFER, pre_buffer=False, read_dictionary=["html"]) as file:
            columns = ["html", *({"url"} & set(file.schema_arrow.names))]
            for group in range(file.num_row_groups):
                yield from _pages_of_group(file, group, columns)
    except KeyError as error:
        raise InputError("there is no column html") from error
    except pyarrow.ArrowException as error:
        yield f"the rest of the file cannot be read: {str(error).splitlines()[0]}"


def _pages_of_group(file: Any, group: int, columns: list[str]) -> Iterator[RawPage | str]:
    """The pages of a row group, unless it is small only because the same bytes are repeated."""
    rows, packed, unpacked = _sizes(file.metadata.row_group(group))
    if unpacked > MIN_SUSPECT_BYTES and unpacked > MAX_RATIO * packed:
        yield f"{rows:,} rows were not read: {packed:,} bytes would unpack to {unpacked:,}"
        return
    at_once = min(BATCH_ROWS, max(1, rows * BATCH_BYTES // max(1, unpacked)))
    for batch in file.iter_batches(at_once, row_groups=[group], columns=columns, use_threads=False):
        for row in range(batch.num_rows):
            yield _page_of({name: batch.column(name)[row].as_py() for name in columns})


def _sizes(group: Any) -> tuple[int, int, int]:
    """How many rows a row group has, and how many bytes its pages have in the file and unpacked."""
    chunks = [group.column(place) for place in range(group.num_columns)]
    pages = [chunk for chunk in chunks if chunk.path_in_schema == "html"]
    packed, unpacked = (sum(getattr(chunk, f"total_{kind}_size") for chunk in pages) for kind in _KINDS)
    return group.num_rows, packed, unpacked


def _page_of(row: dict[str, Any]) -> RawPage | str:
    html, url = row["html"], row.get("url")
    if not isinstance(html, str | bytes):
        return "the row has no html"
    return RawPage(html, url if isinstance(url, str) else None)
