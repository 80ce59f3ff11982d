"""Inputs → records: names, order and positions that do not change."""

import sys
from pathlib import Path

import pytest

from pagestrata.batch.sources import Placed, Position, check_inputs, records_of, sources_of
from pagestrata.errors import InputError, MissingExtra
from tests.batch.corpus import article, make_corpus


def placed_in(*inputs: object, start: Position = Position()) -> list[Placed]:  # noqa: B008
    return list(records_of(sources_of(map(str, inputs), {}), start))


def test_every_record_has_a_name_and_a_place_in_the_order_of_the_files(tmp_path: Path) -> None:
    records, damaged = make_corpus(tmp_path / "in", pages=3)
    placed = placed_in(tmp_path / "in")
    names = [each.record.name.removeprefix(f"{tmp_path}/in/") for each in placed]
    assert [
        "b.jsonl#1",
        "b.jsonl#2",
        "b.jsonl#3",
        "b.jsonl#4",
        "c.parquet#1",
        "c.parquet#2",
        "c.parquet#3",
        "c.parquet#4",
        "d.warc.gz#2",
        "d.warc.gz#4",
        "d.warc.gz#6",
        "d.warc.gz#7",
        "a/000.html",
        "a/001.html",
        "a/002.html",
    ] == names
    assert records == len(placed)
    assert damaged == sum(each.record.job is None for each in placed)
    assert 4 == sum(each.skipped for each in placed)
    assert sorted(each.done for each in placed) == [each.done for each in placed]


def test_reading_goes_on_after_any_record(tmp_path: Path) -> None:
    make_corpus(tmp_path / "in", pages=3)
    whole = placed_in(tmp_path / "in")
    for place, placed in enumerate(whole):
        rest = placed_in(tmp_path / "in", start=placed.after)
        assert [each.record for each in whole[place + 1 :]] == [each.record for each in rest]
        assert sum(each.skipped for each in whole[place + 1 :]) == sum(each.skipped for each in rest)


def test_a_list_names_files_beside_it_and_addresses(tmp_path: Path) -> None:
    (tmp_path / "pages.txt").write_text("a.html\n\n  https://tea.example/ \nmore/b.warc\n")
    assert [(f"{tmp_path}/a.html", False), ("https://tea.example/", True), (f"{tmp_path}/more/b.warc", True)] == [
        (source.name, source.is_address or source.is_container)
        for source in sources_of([str(tmp_path / "pages.txt")], {})
    ]


def test_what_a_sitemap_names_stands_in_its_place(tmp_path: Path) -> None:
    found = sources_of(
        ["a.html", "https://tea.example/sitemap.xml"], {"https://tea.example/sitemap.xml": ["https://b/1"]}
    )
    assert [("a.html", False), ("https://b/1", True)] == [(source.name, source.is_address) for source in found]


def test_a_file_that_cannot_be_read_is_a_record_that_says_so(tmp_path: Path) -> None:
    (tmp_path / "gone.txt").write_text("gone.warc\ngone.html\n")
    first, second = placed_in(tmp_path / "gone.txt")
    assert "the file cannot be read: No such file or directory" == first.record.problem
    assert second.record.job is not None


def test_an_input_that_is_not_there_is_an_error_at_once() -> None:
    with pytest.raises(InputError, match="no such file"):
        check_inputs(["https://tea.example/", "/nowhere"])


def test_another_input_than_before_is_noticed(tmp_path: Path) -> None:
    for name in ("a.html", "b.html", "c.html"):
        (tmp_path / name).write_text(article(1))
    after = placed_in(tmp_path)[1].after
    (tmp_path / "a.html").unlink()
    with pytest.raises(InputError, match="the input has changed"):
        placed_in(tmp_path, start=after)


def test_file_names_that_are_no_text_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "caf\udce9.html").write_text(article(1))
    [placed] = placed_in(tmp_path)
    assert placed.record.name.endswith(r"caf\xe9.html")
    assert placed.record.job is not None
    assert placed.record.job.read().markup


@pytest.mark.parametrize(
    ("name", "module", "extra"), [("a.warc", "fastwarc.warc", "warc"), ("a.parquet", "pyarrow", "parquet")]
)
def test_what_is_not_installed_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, module: str, extra: str
) -> None:
    (tmp_path / name).write_bytes(b"WARC/1.0\r\n")
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtra, match=rf"pip install 'pagestrata\[{extra}\]'"):
        placed_in(tmp_path)
