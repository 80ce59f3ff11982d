"""Tables of the kept content as data."""

from collections.abc import Callable

import pandas
import pytest
from tests.growth import assert_linear

from pagestrata import Extraction, Table, extract
from pagestrata.parts import csv_cell, to_csv
from pagestrata.render import parts as render_parts


def read(table: str) -> Extraction:
    return extract(f"<h1>Tea</h1><p>{'Warm the pot, then pour and wait a while. ' * 8}</p>{table}", keep="table")


def test_spans_are_filled_and_headers_counted() -> None:
    [table] = read(
        """<table><caption>Prices of <b>tea</b></caption>
        <thead><tr><th rowspan=2>Tea<th colspan=2>Price</tr><tr><th>100 g<th>1 kg</tr></thead>
        <tr><td rowspan=2>Assam<td>4<td>36<tr><td colspan=2>sold out<tr><td>Sencha<td>7<td>62</table>"""
    ).tables
    rows = (
        ("Tea", "Price", "Price"),
        ("Tea", "100 g", "1 kg"),
        ("Assam", "4", "36"),
        ("Assam", "sold out", "sold out"),
        ("Sencha", "7", "62"),
    )
    assert Table(rows, header_rows=2, caption="Prices of tea") == table
    assert ("Tea", "Price 100 g", "Price 1 kg") == table.header
    assert "Tea,Price 100 g,Price 1 kg\nAssam,4,36\n" == table.to_csv()[:38]
    frame = table.to_pandas()
    assert isinstance(frame, pandas.DataFrame)
    assert (["Tea", "Price 100 g", "Price 1 kg"], "62") == ([*frame.columns], frame.iloc[2, 2])


def test_links_and_images_are_rows_of_a_table() -> None:
    link, image = '<a href="https://a.example/">more</a>', '<img src="https://a.example/b.png" alt="A pot">'
    result = read(f"<p>Read {link} of it. {image}")
    assert "url,text\nhttps://a.example/,more\n" == result.links.to_csv()
    assert [["https://a.example/b.png", "A pot"]] == result.images.to_pandas().to_numpy().tolist()
    assert ["url", "text"] == [*read("").links.to_pandas().columns]


def test_a_table_without_headers() -> None:
    [table] = read("<table><tr><td>a<td>b<td>c<tr><td>d<td>e</table>").tables
    assert (0, (), (("a", "b", "c"), ("d", "e"))) == (table.header_rows, table.header, table.body)
    assert [["a", "b", "c"], ["d", "e", ""]] == table.to_pandas().to_numpy().tolist()


def test_hidden_text_and_layout_tables_are_no_data() -> None:
    [table] = read("<table><tr><th>a<th>b<tr><td>c<span hidden>x</span><td>d<wbr>e</table>").tables
    assert (("a", "b"), ("c", "de")) == table.rows
    assert () == read("<table role=presentation><tr><td>a<td>b<tr><td>c<td>d</table>").tables


def test_a_table_in_a_cell_is_part_of_the_cell() -> None:
    inner = "<table><tr><th>x<th>y<tr><td>1<td>2</table>"
    [table] = read(f"<table><tr><th>a<th>b<tr><td>{inner}<td>d<tr><td>e<td>f</table>").tables
    assert (("a", "b"), ("x y 1 2", "d"), ("e", "f")) == table.rows


@pytest.mark.parametrize("start", ["=", "+", "-", "@"])
def test_no_cell_of_csv_is_a_formula(start: str) -> None:
    assert f"'{start}A1" == csv_cell(f"{start}A1")
    assert f'"\'{start}SUM(1,2)"\n' == to_csv([(f"{start}SUM(1,2)",)])


@pytest.mark.parametrize("cell", ["<td rowspan=65534 colspan=999>a", "<td><table><tr><th>b<th>c", "<td>a<tr><td>b"])
def test_tables_take_linear_work(cell: str) -> None:
    def work(size: int) -> Callable[[], object]:
        extraction = read(f"<table><tr><th>a<th>b<tr>{cell * size}")
        return lambda: render_parts.tables_of(extraction)

    assert_linear(work)


def test_numbers_are_no_formulas() -> None:
    assert ["-5", "+1,000.5", "-3 %"] == [csv_cell(text) for text in ("-5", "+1,000.5", "-3 %")]
