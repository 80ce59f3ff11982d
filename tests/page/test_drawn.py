"""Snapshots made by hand → pages: each node finds its own box and look, without a browser."""

import copy
import pickle

import numpy as np
import pytest

from pagestrata import Options, Page, parse
from pagestrata.page import tags
from pagestrata.page.boxes import Boxes
from pagestrata.page.drawn import Drawn, Snapshot, take_numbers
from pagestrata.page.raw import RawPage

Row = tuple[int, str, str, bool]
"""Parent, tag, text (pieces between comments are divided by |) or attributes, and whether it is seen."""

PAGE: list[Row] = [
    (-1, "html", "", True),
    (0, "head", "", False),
    (0, "body", "", True),
    (2, "p", "", True),
    (3, "", "before ", True),
    (3, "b", "", True),
    (5, "", "within", True),
    (3, "", " after", True),
    (2, "div", "hidden=", True),
    (8, "", "shown by a style sheet", True),
    (2, "aside", "", False),
    (10, "", "put away by one", False),
]


def snapshot(rows: list[Row], scripts: bool = False) -> Snapshot:
    """Row n stands at x = n, y = 10 n, in letters of 10 + n pixels."""
    count = len(rows)
    place = np.arange(count, dtype=np.float32)
    return Snapshot(
        parents=tuple(parent for parent, *_ in rows),
        names=tuple(name for _, name, *_ in rows),
        texts=tuple(tuple(said.split("|")) if not name else () for _, name, said, _ in rows),
        attributes=tuple(tuple(said.split("=", 1)) if name and said else () for _, name, said, _ in rows),
        boxes=Boxes(place, place * 10, place + 1, place + 2, estimated=False),
        drawn=Drawn(
            np.array([seen for *_, seen in rows]),
            place + 10,
            np.full(count, 400, np.float32),
            np.zeros((count, 3), np.uint8),
            np.full((count, 3), 255, np.uint8),
            np.arange(count, dtype=np.int32),
        ),
        scripts=scripts,
    )


def page_of(rows: list[Row], **options: object) -> Page:
    return parse(RawPage("", snapshot=snapshot(rows)), options=Options(**options))  # type: ignore[arg-type]


def rows_of(page: Page) -> list[int]:
    """The row of the snapshot that each node has its box from."""
    assert page.boxes is not None
    return [int(x) for x in page.boxes.x]


def test_each_node_has_the_box_and_the_look_of_its_row() -> None:
    page = page_of(PAGE)
    assert "before within after\nshown by a style sheet\nput away by one" == page.text.strip()
    assert list(range(len(PAGE))) == rows_of(page)
    assert page.drawn is not None
    assert [10.0 + row for row in range(len(PAGE))] == page.drawn.font_size.tolist()
    assert page.boxes is not None
    assert not page.boxes.estimated


def test_what_was_seen_is_not_hidden_and_what_was_not_is_no_more_hidden_than_the_markup_says() -> None:
    page = page_of(PAGE)
    assert [0, 0, 0] == page.blocks.hidden_by.tolist()
    assert page.drawn is not None
    assert [row for row, (*_, seen) in enumerate(PAGE) if not seen] == np.flatnonzero(~page.drawn.visible).tolist()
    unseen = [(*row[:3], row[0] < 8 and index < 8) for index, row in enumerate(PAGE)]
    assert page_of(unseen).blocks.hidden_by.tolist()[1] > 0


def test_pieces_between_comments_are_one_text_with_one_box() -> None:
    rows: list[Row] = [(-1, "html", "", True), (0, "body", "", True), (1, "p", "", True), (2, "", "one |two", True)]
    page = page_of(rows)
    assert "one two" == page.text.strip()
    assert {3} == {row for row, is_text in zip(rows_of(page), page.nodes.is_text, strict=True) if is_text}


def test_what_is_deeper_than_we_keep_has_the_box_of_what_is_kept_around_it() -> None:
    deep: list[Row] = [(row - 1, "html" if not row else "body" if row == 1 else "div", "", True) for row in range(40)]
    page = page_of([*deep, (39, "", "at the bottom", True)], max_depth=10)
    assert "at the bottom" == page.text.strip()
    assert 9 == rows_of(page)[-1]
    assert ["depth"] == [limit.name for limit in page.limits]


@pytest.mark.parametrize("text", ['pagestrata-node="9"', "<p pagestrata-node=9>", '"> pagestrata-node="3'])
def test_a_page_cannot_forge_numbers(text: str) -> None:
    rows: list[Row] = [(-1, "html", "", True), (0, "body", "", True), (1, "p", f"title={text}", True)]
    rows += [(2, "", text, True), (1, "p", "pagestrata-node=0", True), (4, "", "last", True)]
    page = page_of(rows)
    assert [*range(6)] == rows_of(page)
    assert text in page.text


def test_numbers_are_taken_off_elements_only() -> None:
    stream = '<html pagestrata-node="0"><p id="x" class="y">a &lt;b pagestrata-node="5"</p></html>'
    assert ('<html><p id="x" class="y">a &lt;b pagestrata-node="5"</p></html>', [0, -1]) == take_numbers(stream)


def test_looks_are_frozen_and_travel() -> None:
    drawn = snapshot(PAGE).drawn
    with pytest.raises(ValueError, match="read-only"):
        drawn.visible[0] = False
    sent = pickle.loads(pickle.dumps(drawn))  # noqa: S301 - our own
    for again in (sent, copy.deepcopy(drawn), drawn.take(np.arange(12, dtype=np.int32))):
        assert drawn.font_size.tolist() == again.font_size.tolist()
        assert not again.colour.flags.writeable


@pytest.mark.parametrize(("scripts", "reason"), [(False, ""), (True, "style")])
def test_what_a_browser_with_scripts_does_not_draw_is_hidden(scripts: bool, reason: str) -> None:
    page = parse(RawPage("", snapshot=snapshot(PAGE, scripts)))
    aside = int(page.nodes_tagged("aside")[0])
    assert reason == tags.HIDDEN_BY[page.nodes.hidden_by[aside + 1]]
    shown = int(page.nodes_tagged("div")[0])
    assert 0 == page.nodes.hidden_by[shown + 1]
