"""Pages in JSON lines and Parquet, and lines and files that are none."""

import gzip
import io
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from pagestrata.errors import InputError
from pagestrata.inputs import jsonl
from pagestrata.inputs.jsonl import read_json_lines
from pagestrata.inputs.parquet import read_parquet
from pagestrata.page.raw import RawPage

LINES = b'{"html": "<p>Tea", "url": "https://a.example/"}\n\n{"id": 7, "html": "<p>Pot"}\n'
PAGES = [RawPage("<p>Tea", "https://a.example/"), RawPage("<p>Pot")]


def lines_of(data: bytes) -> list[RawPage | str]:
    return list(read_json_lines(io.BytesIO(data)))


def test_lines_are_pages() -> None:
    assert PAGES == lines_of(LINES) == lines_of(LINES.rstrip()) == lines_of(gzip.compress(LINES))


@pytest.mark.parametrize(
    "line",
    [
        b"{",
        b"[]",
        b'"html"',
        b'{"html": 7}',
        b'{"url": "x"}',
        b'{"html": "\xff"}',
        b"[" * 99999,
    ],
)
def test_a_bad_line_costs_itself_only(line: bytes) -> None:
    first, second, third = lines_of(LINES.splitlines(keepends=True)[0] + line + b"\n" + LINES.splitlines()[2])
    assert PAGES == [first, third]
    assert str(second).startswith("the line is no object with html: ")


def test_half_a_surrogate_pair_is_replaced() -> None:
    assert [RawPage("<p>\ufffd tea")] == lines_of(b'{"html": "<p>\\ud800 tea"}')


def test_a_line_that_is_too_long_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jsonl, "MAX_BYTES", 100)
    assert [*PAGES, "the line is longer than 100 bytes", *PAGES] == lines_of(LINES + b"x" * 5000 + b"\n" + LINES)


def test_a_packed_file_that_is_cut_off_gives_what_is_there() -> None:
    *pages, last = lines_of(gzip.compress(LINES * 500)[:-10])
    assert PAGES == pages[:2]
    assert str(last).startswith("the rest of the file cannot be read")


def table_of(path: Path, **columns: object) -> list[RawPage | str]:
    parquet.write_table(pa.table(columns), path, row_group_size=2)
    with path.open("rb") as file:
        return list(read_parquet(file))


def test_rows_are_pages_as_text_or_bytes(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    urls = ["https://a.example/", None]
    assert PAGES == table_of(path, html=["<p>Tea", "<p>Pot"], url=urls, other=[1, 2])
    assert [RawPage(b"<p>\xff"), "the row has no html", RawPage(b"")] == table_of(path, html=[b"<p>\xff", None, b""])


def test_a_table_without_html_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no column html"):
        table_of(tmp_path / "a.parquet", text=["Tea"])


def test_a_broken_table_is_told_of(tmp_path: Path) -> None:
    table_of(tmp_path / "a.parquet", html=["<p>Tea"] * 10)
    data = (tmp_path / "a.parquet").read_bytes()
    [told] = read_parquet(io.BytesIO(data[:-9]))
    assert str(told).startswith("the rest of the file cannot be read")


def test_a_file_that_repeats_one_long_page_is_not_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "bomb.parquet"
    parquet.write_table(pa.table({"html": ["a" * 30_000_000] * 3}), path, compression="zstd")
    with path.open("rb") as file:
        assert ["3 rows were not read"] == [str(item)[:20] for item in read_parquet(file)]


def test_pages_that_repeat_are_all_read(tmp_path: Path) -> None:
    path = tmp_path / "pages.parquet"
    parquet.write_table(pa.table({"html": ["<p>Tea", None, "<p>Tea"], "url": ["a", "b", "c"]}), path)
    with path.open("rb") as file:
        assert [RawPage("<p>Tea", "a"), "the row has no html", RawPage("<p>Tea", "c")] == list(read_parquet(file))
