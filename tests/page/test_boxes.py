"""Boxes: what is guessed where no browser drew the page."""

import pickle
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.build import page_of
from tests.growth import assert_linear

from pagestrata import Page, parse
from pagestrata.page.box_estimates import boxes_of, estimate_boxes
from pagestrata.page.boxes import Boxes

LINE = 16 * 1.2


def box(page: Page, tag: str, place: int = 0) -> tuple[float, float, float, float]:
    node, boxes = int(page.nodes_tagged(tag)[place]), estimate_boxes(page)
    return tuple(round(float(column[node]), 1) for column in (boxes.x, boxes.y, boxes.width, boxes.height))  # type: ignore[return-value]


def test_blocks_stack() -> None:
    """Each block-level element begins below the one before."""
    page = page_of("<p>one</p><p>two</p>")
    assert [(0, 0, 1280, round(LINE, 1)), (0, round(LINE, 1), 1280, round(LINE, 1))] == [
        box(page, "p", i) for i in (0, 1)
    ]


def test_text_takes_its_lines() -> None:
    """161 characters of 8 pixels need two lines of 1,280; a heading is higher."""
    assert round(2 * LINE, 1) == box(page_of(f"<p>{'x' * 161}</p>"), "p")[3]
    assert round(32 * 1.2, 1) == box(page_of("<h1>x</h1>"), "h1")[3]


def test_cells_share_the_width() -> None:
    """The cells of a row stand side by side, and the row is as high as the highest."""
    page = page_of(f"<table><tr><td>a<td>{'x' * 161}</table><p>after</p>")
    assert (0, 0, 640, round(LINE, 1)) == box(page, "td", 0)
    assert (640, 0, 640, round(3 * LINE, 1)) == box(page, "td", 1)
    assert round(3 * LINE, 1) == box(page, "p")[1] == box(page, "table")[3]


def test_cells_take_the_width_they_name() -> None:
    """What one cell names, the others do not get."""
    page = page_of("<table><tr><td width=25%>a<td>b<td>c</table>")
    assert [320, 480, 480] == [box(page, "td", i)[2] for i in range(3)]


def test_floats_stand_side_by_side() -> None:
    """Columns that say so by their own style share a row until it is full."""
    page = page_of("".join(f'<div style="float:left; width:40%">{i}</div>' for i in range(3)))
    assert [(0, 0), (512, 0), (0, round(LINE, 1))] == [box(page, "div", i)[:2] for i in range(3)]


def test_images_take_the_size_they_name() -> None:
    """An image without a size has the usual one; the link around it is as large."""
    page = page_of("<div><a href=x><img width=300 height=200></a><img></div>")
    assert (0, 0, 300, 200) == box(page, "img", 0) == box(page, "a")
    assert (300, 0, 100, 100) == box(page, "img", 1)
    assert 200 == box(page, "div")[3]


def test_inline_text_has_the_place_of_its_characters() -> None:
    """A link in the middle of a line stands where the line has come to."""
    assert (80, 0, 32, round(LINE, 1)) == box(page_of("<p>123456789 <a href=x>link</a> more</p>"), "a")


def test_hidden_takes_no_room() -> None:
    """What a browser does not show has no height."""
    page = page_of("<div style='display:none'><p>hidden</p></div><ul hidden><li>x</ul><input type=hidden><p>seen</p>")
    assert 0 == box(page, "div")[3] == box(page, "ul")[3] == box(page, "input")[3]
    assert 0 == box(page, "p", 1)[1]


def test_the_page_keeps_what_a_browser_measured() -> None:
    """Measured boxes win over the guess, and travel with the page."""
    page = page_of("<p>one</p>")
    ones = np.ones(len(page.nodes), np.float32)
    drawn = replace(page, boxes=Boxes(ones, ones, ones, ones, estimated=False))
    assert estimate_boxes(page).estimated
    assert not boxes_of(pickle.loads(pickle.dumps(drawn))).estimated  # noqa: S301 - our own


@pytest.mark.parametrize("body", ["", "<p>", "<table><tr>" * 300 + "x", "<td width=0>x", "<p style='width:1e9px;;;'>x"])
def test_odd_pages(body: str) -> None:
    """Nothing in the markup makes a box that is not a number."""
    boxes = estimate_boxes(page_of(body))
    assert np.isfinite([boxes.x, boxes.y, boxes.width, boxes.height]).all()
    assert (boxes.area >= 0).all()


@settings(max_examples=50, deadline=None)
@given(st.lists(st.sampled_from("<div> </div> <table> <tr> <td width=9> text <img> <a> </a> <p> <li>".split())))
def test_no_child_ends_below_its_parent(pieces: list[str]) -> None:
    """A block-level element is as high as what stands in it, whatever the markup."""
    page = parse("".join(pieces))
    boxes = estimate_boxes(page)
    bottom = boxes.y + boxes.height
    for node in map(int, page.nodes_tagged("div", "table", "tr", "td", "p")):
        parent = int(page.nodes.container[page.nodes.parent[node]])
        assert bottom[node] <= bottom[parent] + 0.5


def test_long_pages_take_linear_time() -> None:
    pages = {rows: page_of("<table>" + "<tr><td>a<td><img>" * rows + "</table>") for rows in (10, 300, 1_200)}
    assert_linear(lambda rows: lambda: estimate_boxes(pages[rows]))
