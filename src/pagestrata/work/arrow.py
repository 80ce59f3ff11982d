"""Rows as Arrow tables, for Parquet files and Spark."""

from collections.abc import Sequence
from io import BytesIO
from typing import TYPE_CHECKING

from pagestrata.parts import ITEM_COLUMNS
from pagestrata.work.rows import IDENTITY, version_of

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


def row_schema(fields: Sequence[str]) -> "Schema":
    """The columns of a `PageRow` with these fields as an Arrow schema."""
    import pyarrow as pa

    text, texts = pa.string(), pa.list_(pa.string())
    headed = {"level": pa.int32(), "heading": text, "anchor": text} if version_of(fields) > 1 else {}
    section = {
        "depth": pa.int32(),
        "role": text,
        "importance": pa.float64(),
        "kept": pa.bool_(),
        "xpath": text,
        "words": pa.int32(),
        "text": text,
        "near_duplicate": text,
        "reasons": texts,
        **headed,
    }
    chunk = {
        "url": text,
        "number": pa.int32(),
        "heading_path": texts,
        "role": text,
        "importance": pa.float64(),
        "author": text,
        "time": text,
        "xpath": text,
        "words": pa.int32(),
        "markdown": text,
    }
    item = dict.fromkeys(ITEM_COLUMNS, text) | dict.fromkeys(("votes", "reply_to"), pa.int64())
    others = {
        "row_version": pa.int32(),
        "confidence": pa.float64(),
        "sections": pa.list_(pa.struct(section)),
        "chunks": pa.list_(pa.struct(chunk)),
        "items": pa.list_(pa.struct(item)),
        "limits": texts,
        "warnings": texts,
    }
    return pa.schema({name: others.get(name, text) for name in (*IDENTITY, *fields)})
