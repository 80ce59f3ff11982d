"""Tables: how each is written, and the grid that its spans unfold into.

A table of data is written as a table; one that lays out the page is written as the blocks in its cells, one after the
other. This is not the decision behind `Landmarks.group`, which joins the blocks of a plain list or table that are kept
or dropped as one: that one allows no paragraphs and no long lines in cells, and does not look at rows and columns. The
two differ on a quarter of all kept tables (72 of 316 on 500 pages): a price list with a `<p>` in each cell is written
as a table but is no group, and a single column of short lines is a group but is not written as a table.
"""

import re
from collections.abc import Sequence
from html import unescape
from typing import Final, TypeVar

import numpy as np

from pagestrata.extraction import Extraction
from pagestrata.page import tags
from pagestrata.page.nodes import Bools, Ints
from pagestrata.page.page import Page

MOST_COLUMNS_SPANNED: Final = 1_000
MOST_ROWS_SPANNED: Final = 65_534
"""Where the HTML standard clamps `colspan` and `rowspan`."""
MOST_GROWTH: Final = 4
"""A grid may have this many times the cells that the page has: spans must not make a small page large."""

_HEADINGS = tuple(tags.TAG[f"h{level}"] for level in range(1, 7))
_BOLD = (tags.TAG["b"], tags.TAG["strong"])
_TABLE, _TR, _TH, _P, _PRE, _IMG, _CODE = (tags.TAG[name] for name in "table tr th p pre img code".split())
_DIGITS = re.compile(r"\s*(\d{1,9})", re.ASCII)
_LINE_NUMBER = re.compile(r"\s*\d*\s*", re.ASCII)
_ANY_TAG = re.compile(r"<[^>]*>")
_TEXT_ALIGN = re.compile(r"(?i)text-align\s*:\s*(left|right|center)", re.ASCII)

CellType = TypeVar("CellType")


def data_tables(extraction: Extraction) -> frozenset[int]:
    """The tables that are written as tables.

    The others lay out the page: they have headings in their cells, or a single cell, or the role `presentation`; or
    they have no header cell and sections begin inside, or all their content is in one row or column; or a cell holds
    several paragraphs, code, or a table, and no row has a header cell beside another cell, or it lays out posts.
    """
    page = extraction.page
    tables = page.nodes_tagged("table")
    if len(tables) == 0:
        return frozenset()
    cells = page.nodes_tagged("td", "th")
    owners = _owners(page, cells)
    crowded = np.bincount(owners[_is_crowded(page, cells)], minlength=len(page.nodes))[tables] > 0
    headed = np.bincount(owners[page.nodes.tag[cells] == _TH], minlength=len(page.nodes))[tables] > 0
    has_columns = np.bincount(owners[_heads_column(page, cells)], minlength=len(page.nodes))[tables] > 0
    single = np.bincount(owners, minlength=len(page.nodes))[tables] < 2
    layout = single | _holds(page, tables, _HEADINGS)
    layout |= ~has_columns & crowded
    layout |= ~headed & (_holds_sections(extraction, tables) | ~_is_wide(page, cells, owners)[tables])
    layout |= np.array([page.attribute(int(table), "role") in ("presentation", "none") for table in tables])
    if (crowded & ~layout).any():
        layout |= _lays_out_posts(extraction, tables, crowded)
    return frozenset(tables[~layout].tolist())


def _owners(page: Page, cells: Ints) -> Ints:
    """The table of each cell; the root for one that lies loose, below the depth that we keep."""
    parent, tag = page.nodes.parent, page.nodes.tag
    around = np.maximum(parent[np.maximum(parent[cells], 0)], 0)
    outer = np.maximum(parent[around], 0)
    return np.where(tag[around] == _TABLE, around, np.where(tag[outer] == _TABLE, outer, 0)).astype(np.int32)


def _heads_column(page: Page, cells: Ints) -> Bools:
    """Which cells are header cells with other cells in their row; a single one is a caption, such as a file name."""
    _, row, count = np.unique(page.nodes.parent[cells], return_inverse=True, return_counts=True)
    heads: Bools = (page.nodes.tag[cells] == _TH) & (count[row] > 1)
    return heads


def _is_crowded(page: Page, cells: Ints) -> Bools:
    return (_count(page, cells, (_P,)) > 1) | _holds(page, cells, (_PRE, _TABLE))


def _is_wide(page: Page, cells: Ints, owners: Ints) -> Bools:
    """For each node: whether it is a table with several rows that have content, one of them in several cells."""
    has_content = (page.nodes.text_end[cells] > page.nodes.text_start[cells]) | _holds_images(page, cells)
    _, first, count = np.unique(page.nodes.parent[cells[has_content]], return_index=True, return_counts=True)
    owner_of_row = owners[has_content][first]
    is_tall = np.bincount(owner_of_row, minlength=len(page.nodes)) > 1
    is_broad = np.bincount(owner_of_row[count > 1], minlength=len(page.nodes)) > 0
    wide: Bools = is_tall & is_broad
    return wide


def _holds_images(page: Page, nodes: Ints) -> Bools:
    before = np.concatenate(([0], np.cumsum(page.nodes.tag == _IMG)))
    holds: Bools = before[page.nodes.end[nodes]] > before[nodes]
    return holds


def _holds(page: Page, nodes: Ints, wanted: tuple[int, ...]) -> Bools:
    holds: Bools = _count(page, nodes, wanted) > 0
    return holds


def _count(page: Page, nodes: Ints, wanted: tuple[int, ...]) -> Ints:
    """The number of elements with these tags and with text inside each node."""
    has_text = page.nodes.text_end > page.nodes.text_start
    before = np.concatenate(([0], np.cumsum(page.nodes.is_one_of(wanted) & has_text))).astype(np.int32)
    inside: Ints = before[page.nodes.end[nodes]] - before[nodes + 1]
    return inside


def _holds_sections(extraction: Extraction, tables: Ints) -> Bools:
    starts = extraction.segmentation.leaves.node_start
    first = np.searchsorted(starts, tables + 1)
    last = np.searchsorted(starts, extraction.page.nodes.end[tables])
    holds: Bools = first < last
    return holds


def _lays_out_posts(extraction: Extraction, tables: Ints, crowded: Bools) -> Bools:
    """Which tables lay out posts of a thread: crowded ones around posts, and those with most of the text of a post."""
    nodes, posts = extraction.page.nodes, extraction.segmentation.posts
    starts, ends = (np.array([getattr(post, name) for post in posts], np.int32) for name in ("start", "end"))
    layout: Bools = crowded & (np.searchsorted(starts, tables) < np.searchsorted(starts, nodes.end[tables]))
    around = np.searchsorted(starts, tables, side="right") - 1
    is_inside = (around >= 0) & (tables < np.append(ends, 0)[around])
    sizes = nodes.text_end - nodes.text_start
    layout |= is_inside & (2 * sizes[tables] > np.append(sizes[starts], 0)[around])
    return layout


def code_listing(page: Page, table: int) -> str:
    """The code of a table with one line of code in each row behind its number, as Nikola writes; empty for others."""
    lines = []
    for row in range(table + 1, int(page.nodes.end[table])):
        if page.nodes.tag[row] == _TR:
            *numbers, line = [*page.nodes.children(row)] or [row]
            if not (numbers and _is_listed_line(page, numbers, line)):
                return ""
            lines.append(_unparsed_text(page, line).rstrip("\n"))
    return "\n".join(lines)


def _is_listed_line(page: Page, numbers: Sequence[int], line: int) -> bool:
    """Whether a cell with attributes is nothing but code, and those before it are empty or hold a number."""
    is_code = [page.nodes.tag[child] for child in page.nodes.children(line)] == [_CODE]
    has_attributes = page.tag_end(line) < len(page.markup)
    return is_code and has_attributes and all(_LINE_NUMBER.fullmatch(page.text_of(cell)) for cell in numbers)


def _unparsed_text(page: Page, cell: int) -> str:
    """The text of a cell as it stands in the markup, with the blanks that the page has collapsed."""
    start = page.tag_end(cell)
    return unescape(_ANY_TAG.sub("", page.markup[start : page.markup.find("</td", start)]))


def spans(page: Page, cell: int) -> tuple[int, int]:
    """How many columns and rows a cell covers; 0 rows means all that follow."""
    columns = _number(page.attribute(cell, "colspan"), MOST_COLUMNS_SPANNED)
    rows = _number(page.attribute(cell, "rowspan"), MOST_ROWS_SPANNED, least=0)
    return columns, rows or MOST_ROWS_SPANNED


def _number(value: str | None, most: int, least: int = 1) -> int:
    digits = _DIGITS.match(value) if value else None
    return min(most, max(least, int(digits[1]))) if digits else 1


def alignment(page: Page, cell: int) -> str:
    """`left`, `right`, `center`, or empty when the page does not set it."""
    style = _TEXT_ALIGN.search(page.attribute(cell, "style") or "")
    value = (style[1] if style else page.attribute(cell, "align") or "").lower()
    return value if value in ("left", "right", "center") else ""


def grid(rows: Sequence[Sequence[tuple[CellType, int, int]]]) -> list[list[CellType | None]]:
    """Unfold cells with their spans into rows of places; a place that another cell covers is None.

    >>> grid([[("a", 1, 2), ("b", 2, 1)], [("c", 1, 1)]])
    [['a', 'b', None], [None, 'c']]
    """
    spare = (MOST_GROWTH - 1) * sum(len(row) for row in rows)
    covered: dict[int, int] = {}  # column → rows, from this one on, that a cell above covers
    unfolded = []
    for number, row in enumerate(rows):
        places: list[CellType | None] = []
        below: dict[int, int] = {}
        for cell, columns, lasting in row:
            _skip_covered(places, covered, below)
            columns = min(columns, spare + 1)
            lasting = min(lasting, len(rows) - number, (spare + 1) // columns)
            spare -= columns * lasting - 1
            if lasting > 1:
                below |= dict.fromkeys(range(len(places), len(places) + columns), lasting - 1)
            places += [cell, *[None] * (columns - 1)]
        _skip_covered(places, covered, below)
        covered = below | {column: left - 1 for column, left in covered.items() if left > 1}
        unfolded.append(places)
    return unfolded


def _skip_covered(places: list[CellType | None], covered: dict[int, int], below: dict[int, int]) -> None:
    """Leave the places free that a cell above covers; each is spent once."""
    while len(places) in covered:
        left = covered.pop(len(places))
        if left > 1:
            below[len(places)] = left - 1
        places.append(None)


def has_header(page: Page, rows: Sequence[Sequence[int]], in_head: bool) -> bool:
    """Whether the first of these rows of cells heads the columns below it: by its markup, or by its bold type.

    Its first cell may be empty, where the columns have no name for what heads the rows.
    """
    first = rows[0]
    heads = first[1:] if len(first) > 1 and _is_blank(page, first[0]) else first
    if in_head or (len(heads) > 0 and all(page.nodes.tag[cell] == _TH for cell in heads)):
        return True
    if len(rows) < 2 or len(first) < 2 or not all(_is_bold(page, cell) for cell in heads):
        return False
    return not all(_is_bold(page, cell) or _is_blank(page, cell) for cell in rows[1])


def _is_blank(page: Page, cell: int) -> bool:
    return bool(page.nodes.text_start[cell] == page.nodes.text_end[cell])


def _is_bold(page: Page, cell: int) -> bool:
    """Whether there is text in a cell, and all of it is bold."""
    tag, end = page.nodes.tag[cell : page.nodes.end[cell]].tolist(), page.nodes.end
    bold_until = 0
    for node, its_tag in enumerate(tag, cell):
        if its_tag in _BOLD:
            bold_until = max(bold_until, int(end[node]))
        elif its_tag == tags.TEXT and node >= bold_until:
            return False
    return bold_until > 0 and not _is_blank(page, cell)
