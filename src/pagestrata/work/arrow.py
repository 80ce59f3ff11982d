"""Rows as Arrow tables, for Parquet files and Spark."""

from io import BytesIO
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyarrow import Schema, Table


def table_of(lines: BytesIO, schema: "Schema") -> "Table":
    """The lines of JSON up to the current position as columns; a field that a line lacks is null."""
    from pyarrow import json

    # Arrow refuses a line that is longer than a block, so everything is one block.
    read_options = json.ReadOptions(use_threads=False, block_size=lines.tell() + 1)
    parse_options = json.ParseOptions(explicit_schema=schema, unexpected_field_behavior="error")
    lines.seek(0)
    return json.read_json(lines, read_options, parse_options)


def row_schema() -> "Schema":
    """The columns of a `PageRow` as an Arrow schema."""
    import pyarrow as pa

    text, texts = pa.string(), pa.list_(pa.string())
    section = pa.struct(
        {
            "depth": pa.int32(),
            "role": text,
            "importance": pa.float64(),
            "kept": pa.bool_(),
            "xpath": text,
            "words": pa.int32(),
            "text": text,
            "near_duplicate": text,
            "reasons": texts,
        }
    )
    return pa.schema(
        {
            "row_version": pa.int32(),
            "source": text,
            "url": text,
            "site": text,
            "digest": text,
            "language": text,
            "title": text,
            "text": text,
            "page_type": text,
            "confidence": pa.float64(),
            "method": text,
            "encoding": text,
            "near_duplicate": text,
            "reason": text,
            "metadata": text,
            "sections": pa.list_(section),
            "limits": texts,
            "warnings": texts,
        }
    )
