"""Shards: there as a whole or not at all, and the same rows in both forms."""

import hashlib
import os
from pathlib import Path

import msgspec
import pytest
from pyarrow import parquet

from pagestrata.batch import shards
from pagestrata.batch.shards import FileNote, Shard, write_whole
from pagestrata.errors import UsageError
from pagestrata.page.raw import RawPage
from pagestrata.parts import ITEM_COLUMNS
from pagestrata.render.json import ChunkRecord
from pagestrata.work.arrow import row_schema
from pagestrata.work.job import Job
from pagestrata.work.rows import (
    ALL_FIELDS,
    V1_FIELDS,
    Form,
    PageRow,
    Reading,
    Record,
    RecordResult,
    SectionRow,
    read_record,
)
from tests.batch.corpus import article


def lines(form: Form, count: int = 7, fields: tuple[str, ...] = ALL_FIELDS) -> list[bytes]:
    records = (Record(f"p#{n}", Job(f"p#{n}", page=RawPage(article(n)))) for n in range(count))
    reading = Reading(form=form, fields=fields)
    return [msgspec.msgpack.decode(read_record(record, reading), type=RecordResult).line for record in records]


def test_a_shard_has_no_name_before_it_is_finished(tmp_path: Path) -> None:
    with Shard(tmp_path, 3, "jsonl") as shard:
        shard.add_row(b"{}\n")
        shard.add_quarantined(b"[]\n")
        assert [] == list(tmp_path.rglob("part-*.jsonl"))
        notes = shard.finish()
    expected = {"part-00003.jsonl": b"{}\n", "quarantine/part-00003.jsonl": b"[]\n"}
    assert expected == {note.name: (tmp_path / note.name).read_bytes() for note in notes}
    assert {FileNote(name, 3, hashlib.sha256(data).hexdigest()) for name, data in expected.items()} == set(notes)
    assert all(note.is_intact(tmp_path) for note in notes)


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
def test_a_full_disk_names_the_file_and_how_to_go_on(tmp_path: Path, form: Form) -> None:
    import resource
    import signal

    def fill() -> None:
        with Shard(tmp_path, 0, form, ALL_FIELDS) as shard:
            for line in rows:
                shard.add_row(line)
            shard.finish()

    rows = lines(form)
    size, handler = resource.getrlimit(resource.RLIMIT_FSIZE), signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, size[1]))  # stands for the full disk
    try:
        with pytest.raises(UsageError, match=f"cannot write .*part-00000.{form}: File too large; --resume goes on"):
            fill()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, size)
        signal.signal(signal.SIGXFSZ, handler)


def test_a_shard_without_failures_leaves_no_quarantine_of_an_earlier_attempt(tmp_path: Path) -> None:
    (tmp_path / "quarantine").mkdir()
    (tmp_path / "quarantine" / "part-00000.jsonl").write_text("old")
    with Shard(tmp_path, 0, "jsonl") as shard:
        assert ["part-00000.jsonl"] == [note.name for note in shard.finish()]
    assert [] == list((tmp_path / "quarantine").iterdir())


def test_a_quarantine_file_of_a_killed_run_does_not_stay(tmp_path: Path) -> None:
    with Shard(tmp_path, 0, "jsonl") as killed:  # by a signal: it is never finished
        killed.add_quarantined(b"{}\n")
    with Shard(tmp_path, 0, "jsonl") as shard:
        shard.finish()
    assert ["part-00000.jsonl"] == [path.name for path in tmp_path.rglob("*.jsonl*")]


def test_parquet_has_the_rows_of_json_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shards, "ROW_GROUP_BYTES", 9_000)  # so that there are several
    with Shard(tmp_path, 0, "parquet", ALL_FIELDS) as shard:
        for line in lines("parquet"):
            shard.add_row(line)
        shard.finish()
    table = parquet.ParquetFile(tmp_path / "part-00000.parquet")
    assert table.num_row_groups > 1
    found = [msgspec.convert(row, PageRow) for row in table.read().to_pylist()]
    expected = [msgspec.json.decode(line, type=PageRow) for line in lines("jsonl")]
    assert [msgspec.structs.replace(row, metadata=msgspec.json.decode(row.metadata)) for row in found] == expected  # type: ignore[arg-type]


def test_every_field_of_a_row_has_its_column() -> None:
    schema = row_schema(ALL_FIELDS)
    assert list(PageRow.__struct_fields__) == schema.names
    named = {"sections": SectionRow.__struct_fields__, "chunks": ChunkRecord.__struct_fields__, "items": ITEM_COLUMNS}
    for name, fields in named.items():
        column = schema.field(name).type.value_type
        assert list(fields) == [column.field(place).name for place in range(column.num_fields)]


def test_rows_of_version_1_have_the_columns_of_version_1() -> None:
    schema = row_schema(V1_FIELDS)
    row = msgspec.json.decode(lines("jsonl", 1, V1_FIELDS)[0])
    assert (list(row), 1) == (schema.names, row["row_version"])
    section = schema.field("sections").type.value_type
    assert list(row["sections"][0]) == [section.field(place).name for place in range(section.num_fields)]


def test_an_empty_shard_of_parquet_is_a_table(tmp_path: Path) -> None:
    with Shard(tmp_path, 0, "parquet") as shard:
        shard.finish()
    assert 0 == parquet.read_table(tmp_path / "part-00000.parquet").num_rows


@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_an_error_of_the_disk_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device", "out")

    write_whole(tmp_path / "a.json", b"old")
    monkeypatch.setattr(os, call, fail)
    with pytest.raises(UsageError, match="cannot write out: No space left on device"):
        write_whole(tmp_path / "a.json", b"new")
    assert b"old" == (tmp_path / "a.json").read_bytes()
