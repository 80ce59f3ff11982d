"""Links, images and tables of the kept content as data, in the order of the page."""

from bisect import bisect_left
from itertools import takewhile

from pagestrata.extraction import Extraction
from pagestrata.page import tags
from pagestrata.page.page import Page
from pagestrata.page.text import collapse
from pagestrata.parts import Image, Images, Link, Links, Table
from pagestrata.render.images import image_source
from pagestrata.render.links import safe_link
from pagestrata.render.tables import data_tables, grid, has_header, spans
from pagestrata.render.walk import Marks, shown_nodes, tag_table, walk

_TABLE, _THEAD = tags.TAG["table"], tags.TAG["thead"]


def links_of(extraction: Extraction) -> Links:
    """The links of the kept content that lead to another page."""
    page, shown, texts = _content(extraction)
    found = []
    for node in page.nodes_tagged("a").tolist():
        url = safe_link(page, page.attribute(node, "href")) if shown[node] else None
        if url is not None:
            found.append(Link(url, texts.inside(node)))
    return Links(found)


def images_of(extraction: Extraction) -> Images:
    """The images of the kept content that have an address."""
    page, shown, _ = _content(extraction)
    found = []
    for node in page.nodes_tagged("img").tolist():
        attributes = dict(page.attributes_of(node)) if shown[node] else {}
        url = image_source(page, node, attributes) if attributes else None
        if url is not None:
            found.append(Image(url, collapse(attributes.get("alt", ""))))
    return Images(found)


def tables_of(extraction: Extraction) -> tuple[Table, ...]:
    """The tables of data in the kept content; one inside the cell of another is part of that cell."""
    page, shown, texts = _content(extraction)
    tables = [node for node in sorted(data_tables(extraction)) if shown[node]]
    rows_of = _rows_by_table(page, shown)
    captions = {int(page.nodes.parent[node]): node for node in page.nodes_tagged("caption").tolist()[::-1]}
    found, end = [], 0
    for table in tables:
        if table >= end and table in rows_of:
            end = int(page.nodes.end[table])
            caption = texts.inside(captions[table]) if table in captions else ""
            found.append(Table(_filled(page, rows_of[table], texts), _header_rows(page, rows_of[table]), caption))
    return tuple(found)


class _ShownTexts:
    """The texts that are written, with the gaps before them, by their nodes."""

    def __init__(self, page: Page, shown: Marks) -> None:
        steps = walk(page, shown, tag_table([tags.TEXT]))
        self._page = page
        self._texts = [(node, gap) for node, tag, _, gap in steps if tag == tags.TEXT]

    def inside(self, node: int) -> str:
        """The text of a subtree on one line."""
        start = bisect_left(self._texts, (node, ""))
        end = bisect_left(self._texts, (int(self._page.nodes.end[node]), ""))
        pieces = (gap + self._page.text_of(text) for text, gap in self._texts[start:end])
        return collapse("".join(pieces))


def _content(extraction: Extraction) -> tuple[Page, Marks, _ShownTexts]:
    shown = shown_nodes(extraction)
    return extraction.page, shown, _ShownTexts(extraction.page, shown)


def _rows_by_table(page: Page, shown: Marks) -> dict[int, list[list[int]]]:
    """The shown cells of each table, row by row."""
    parent, tag = page.nodes.parent, page.nodes.tag
    rows, tables = dict[int, list[int]](), dict[int, list[list[int]]]()
    for cell in page.nodes_tagged("td", "th").tolist():
        if shown[cell]:
            rows.setdefault(int(parent[cell]), []).append(cell)
    for row, cells in rows.items():
        around = int(parent[row])
        tables.setdefault(around if tag[around] == _TABLE else int(parent[around]), []).append(cells)
    return tables


def _header_rows(page: Page, rows: list[list[int]]) -> int:
    """How many rows head the table: those in `<thead>`, or a first row that looks like a header."""
    parent, tag = page.nodes.parent, page.nodes.tag
    in_head = sum(1 for _ in takewhile(lambda row: tag[parent[parent[row[0]]]] == _THEAD, rows))
    return in_head or int(has_header(page, rows[:2], in_head=False))


def _filled(page: Page, rows: list[list[int]], texts: _ShownTexts) -> tuple[tuple[str, ...], ...]:
    """The texts of the cells, each in all places that it spans."""
    places = grid([[(cell, *spans(page, cell)) for cell in row] for row in rows])
    filled = [[None if cell is None else texts.inside(cell) for cell in row] for row in places]
    for number, row in enumerate(places):
        for column, cell in enumerate(row):
            if cell is not None:
                _spread(filled, number, column, *spans(page, cell))
    return tuple(tuple(text or "" for text in row) for row in filled)


def _spread(filled: list[list[str | None]], row: int, column: int, columns: int, rows: int) -> None:
    """Copy a text to the free places that its cell spans; each place is filled once, so this is linear in all."""
    text = filled[row][column]
    for number in range(row, min(row + rows, len(filled))):
        places = filled[number]
        for place in range(column + (number == row), min(column + columns, len(places))):
            if places[place] is not None:
                return
            places[place] = text
        if number > row and column >= len(places):
            return
