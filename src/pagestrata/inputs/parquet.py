"""Pages in Parquet: a column `html` (text or bytes) and, optionally, `url`."""

from collections.abc import Iterator
from typing import Any, BinaryIO, Final

from pagestrata.errors import InputError, MissingExtra
from pagestrata.page.raw import RawPage

BATCH_ROWS: Final = 32
"""Rows in one batch; few, since a page may have 20 MB."""
_BUFFER = 1 << 20


def read_parquet(source: BinaryIO) -> Iterator[RawPage | str]:
    """The page of each row, or the reason why it cannot be read."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise MissingExtra("pyarrow", "parquet") from error
    try:
        # Buffered, so that memory need not hold a complete row group.
        with parquet.ParquetFile(source, buffer_size=_BUFFER, pre_buffer=False) as file:
            columns = [name for name in ("html", "url") if name in file.schema_arrow.names]
            if "html" not in columns:
                raise InputError("there is no column html")
            for batch in file.iter_batches(BATCH_ROWS, columns=columns, use_threads=False):
                yield from map(_page_of, batch.to_pylist())
    except pyarrow.ArrowException as error:
        yield f"the rest of the file cannot be read: {str(error).splitlines()[0]}"


def _page_of(row: dict[str, Any]) -> RawPage | str:
    html, url = row["html"], row.get("url")
    if not isinstance(html, str | bytes):
        return "the row has no html"
    return RawPage(html, url if isinstance(url, str) else None)
