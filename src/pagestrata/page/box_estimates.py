"""Boxes: place and size of nodes as a browser drew them, or an estimate from the markup.

The estimate ignores style sheets. Block-level elements stack on a page 1,280 pixels wide; table cells, images and
elements that float by their own `style` are placed side by side and share the width; text takes the lines that its
characters need in the font of its tag. This distinguishes a column from a line, but cannot measure a margin.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from pagestrata.page import columns, tags
from pagestrata.page.boxes import Boxes, Floats, Places
from pagestrata.page.nodes import Bools, Ints
from pagestrata.page.page import Page

PAGE_WIDTH: Final = 1280.0
"""CSS pixels: a common window."""
FONT_SIZES: Final = {"h1": 32.0, "h2": 24.0, "h3": 18.7, "h4": 16.0, "h5": 13.3, "h6": 10.7, "pre": 13.3}
"""CSS pixels, from the style sheet that the HTML standard recommends."""
FONT_SIZE: Final = 16.0
CHARACTER_WIDTH: Final = 0.5
"""Share of the font size: the mean of Latin prose in common fonts. Han is twice as wide, but needs half as many."""
LINE_HEIGHT: Final = 1.2
"""Share of the font size: what browsers use for `normal`."""
MIN_CELL_SHARE: Final = 10.0
"""Percent of the width that is shared by cells without a stated width when the others leave nothing."""
MIN_WIDTH: Final = 8.0
"""CSS pixels: one character. Nothing is laid out narrower, as its text would become endlessly high."""
SIZES: Final = {
    "img": (100.0, 100.0),  # ours: between an icon and a picture
    "svg": (24.0, 24.0),  # ours: unsized ones are icons
    **dict.fromkeys(("iframe", "video", "object", "embed", "canvas"), (300.0, 150.0)),  # of the standard
}
"""Width and height of elements that show no text, unless they state their own."""
CONTROL_HEIGHT: Final = 24.0

Length = tuple[float, bool]
"""A number, and whether it is a percentage of the parent; otherwise pixels."""


def _tag_mask(names: str) -> Bools:
    """Return, for each tag number, whether the tag is one of these; the last entry is for all other tags."""
    return np.array([name in names.split() for name in (*tags.TAGS, "")])


# By the number of the tag; the last entry is for tags that have none of their own.
_UNKNOWN = len(tags.TAGS)
_FONTS = np.array([FONT_SIZES.get(name, FONT_SIZE) for name in (*tags.TAGS, "")], np.float32)
_SIZES = np.array([SIZES.get(name, (0.0, 0.0)) for name in (*tags.TAGS, "")], np.float32).T
_IS_CELL, _IS_SIDE_BY_SIDE, _IS_CONTROL = (
    _tag_mask("td th"),
    _tag_mask(f"td th {' '.join(SIZES)}"),
    _tag_mask("input select textarea"),
)
_TAKES_NO_ROOM = np.isin(np.arange(len(tags.HIDDEN_BY)), (*tags.UNSEEN, tags.BY_DETAILS))
_LENGTH = re.compile(r"\s*(\d{1,6}(?:\.\d{1,6})?)\s*(%|px|;|!|\Z)", re.ASCII)
_STYLE_PROPERTY = re.compile(r"(?:\A|;)\s*(width|height|float|display)\s*:\s*([^;]{1,20})", re.IGNORECASE)
_SIDE_BY_SIDE_VALUES = {"float": ("left", "right"), "display": ("inline-block", "inline-flex", "table-cell")}


def boxes_of(page: Page) -> Boxes:
    """Return the boxes of a page as a browser drew it, or else an estimate."""
    return page.boxes or estimate_boxes(page)


def estimate_boxes(page: Page) -> Boxes:
    """Estimate the box of each node from the markup alone."""
    table = np.zeros((4, len(page.nodes)), np.float32)
    if len(page.nodes):
        layout = _Layout(page)
        table[:, layout.items] = layout.boxes()
        _fill_inline(page, layout.items, table)
    x, y, width, height = table
    return Boxes(x, y, width, height, estimated=True)


@dataclass(slots=True)
class _Sizes:
    """The sizes that the markup states, by node."""

    width: dict[int, Length] = field(default_factory=dict)
    height: dict[int, Length] = field(default_factory=dict)
    side_by_side: list[int] = field(default_factory=list)
    """Nodes whose own style places them side by side with their siblings."""


def stated_sizes(page: Page) -> _Sizes:
    """Read the attributes `width` and `height`, and both properties in `style`, which take precedence."""
    sizes = _Sizes()
    for name, lengths in (("width", sizes.width), ("height", sizes.height)):
        for node, value in page.values_of(name):
            _add_length(lengths, node, value)
    for node, style in page.values_of("style"):
        for name, value in _STYLE_PROPERTY.findall(style):
            if name.lower() == "width":
                _add_length(sizes.width, node, value)
            elif name.lower() == "height":
                _add_length(sizes.height, node, value)
            elif value.lower().strip() in _SIDE_BY_SIDE_VALUES[name.lower()]:
                sizes.side_by_side.append(node)
    return sizes


def _add_length(lengths: dict[int, Length], node: int, value: str) -> None:
    match = _LENGTH.match(value)
    if match:
        lengths[node] = (float(match[1]), match[2] == "%")


class _Layout:
    """The items that take room: block-level elements, runs of text, images and other replaced elements.

    An item is identified by its place among all items, a row of items side by side by its first item.
    """

    def __init__(self, page: Page) -> None:
        nodes = page.nodes
        is_item = ((nodes.flags & columns.IS_BLOCK) != 0) | (_SIZES[0, np.minimum(nodes.tag, _UNKNOWN)] > 0)
        is_item[0] = True
        is_item[page.blocks.node_start] = True
        self.page, self.items = page, np.flatnonzero(is_item)
        self.place_of = np.cumsum(is_item) - 1
        self.tag = np.minimum(nodes.tag[self.items], _UNKNOWN)
        self.parent = self._parents()
        self.sizes = stated_sizes(page)
        self.takes_no_room = self._takes_no_room()
        self.row = [-1] * len(self.items)

    def boxes(self) -> Floats:
        """Return four rows: x, y, width and height of each item."""
        x, width = self._horizontal()
        height, row_height = self._heights(self._min_heights(width).tolist())
        return np.array((x, self._tops(height, row_height), width, height), np.float32)

    def _parents(self) -> list[int]:
        """Return the item that contains each item."""
        nodes, items = self.page.nodes, self.items
        is_block = (nodes.flags[items] & columns.IS_BLOCK) != 0
        inside = np.where(is_block, np.maximum(nodes.parent[items], 0), items)
        parents: list[int] = self.place_of[np.maximum(nodes.container[inside], 0)].tolist()
        return parents

    def _items_among(self, nodes: Iterable[int]) -> Iterator[tuple[int, int]]:
        """Return those of the nodes that are items, as (place, node); the root is left out."""
        candidates = np.fromiter(nodes, np.intp)
        places = self.place_of[candidates]
        is_item = (self.items[places] == candidates) & (places > 0)
        return zip(places[is_item].tolist(), candidates[is_item].tolist(), strict=True)

    def _horizontal(self) -> tuple[list[float], list[float]]:
        """Return x and width. Most items are as wide as their parents, so that only the others are visited."""
        x, width = [0.0] * len(self.items), [PAGE_WIDTH] * len(self.items)
        ends = np.searchsorted(self.items, self.page.nodes.end[self.items]).tolist()
        stated, side_by_side = self._stated_widths(), self._side_by_side()
        shares, is_cell = self._shares(stated, side_by_side), _IS_CELL[self.tag].tolist()
        rows: dict[int, tuple[int, int, float]] = {}  # by parent: first item, end, how far right
        for i in sorted({*stated, *side_by_side}):
            p, size = self.parent[i], ends[i] - i
            wanted = _pixels(stated[i] if i in stated else shares[p], width[p])
            if i in side_by_side:
                name, end, pen = rows.get(p, (i, i, 0.0))
                is_full = pen + wanted > width[p] + 1 and not is_cell[i]
                if end != i or is_full:
                    name, pen = i, 0.0
                self.row[i] = name
                rows[p] = (name, ends[i], pen + wanted)
                x[i : ends[i]] = [x[p] + pen] * size
            width[i : ends[i]] = [wanted] * size
        return x, width

    def _stated_widths(self) -> dict[int, Length]:
        replaced = np.flatnonzero(_SIZES[0, self.tag])
        widths = _SIZES[0, self.tag[replaced]].tolist()
        stated = {i: (width, False) for i, width in zip(replaced.tolist(), widths, strict=True)}
        stated.update((i, self.sizes.width[node]) for i, node in self._items_among(self.sizes.width))
        return stated

    def _side_by_side(self) -> set[int]:
        by_tag = np.flatnonzero(_IS_SIDE_BY_SIDE[self.tag]).tolist()
        return {*by_tag, *(i for i, _ in self._items_among(self.sizes.side_by_side))}

    def _shares(self, stated: Mapping[int, Length], side_by_side: Set[int]) -> dict[int, Length]:
        """Return, by parent, the share of the width for each item in a row that states no width."""
        unsized = Counter(self.parent[i] for i in side_by_side if i not in stated)
        free = dict.fromkeys(unsized, 100.0)
        for i in sorted(stated.keys() & side_by_side):
            if self.parent[i] in unsized:
                free[self.parent[i]] -= 100 * _pixels(stated[i], PAGE_WIDTH) / PAGE_WIDTH
        return {p: (max(free[p], MIN_CELL_SHARE) / count, True) for p, count in unsized.items()}

    def _min_heights(self, widths: list[float]) -> Floats:
        """Return the height that each item needs apart from its children: that of its lines, or the stated one."""
        runs = self.page.blocks
        places, fonts, width = self.place_of[runs.node_start], _fonts(self.page), np.array(widths, np.float32)
        height: Floats = _SIZES[1, self.tag]
        height[_IS_CONTROL[self.tag]] = CONTROL_HEIGHT
        height[places] = np.ceil(runs.characters * fonts * CHARACTER_WIDTH / width[places]) * fonts * LINE_HEIGHT
        for i, node in self._items_among(self.sizes.height):
            length, is_share = self.sizes.height[node]
            height[i] = height[i] if is_share else length
        height[self.takes_no_room] = 0.0
        return height

    def _takes_no_room(self) -> Bools:
        takes_no_room = _TAKES_NO_ROOM[self.page.nodes.hidden_by[self.items]]
        if _IS_CONTROL[self.tag].any():
            hidden = (node for node, value in self.page.values_of("type") if value.lower() == "hidden")
            takes_no_room[[i for i, _ in self._items_among(hidden)]] = True
        return takes_no_room

    def _heights(self, height: list[float]) -> tuple[list[float], dict[int, float]]:
        """Compute the height of each item and of each row, from the leaves up."""
        parent, row, inside = self.parent, self.row, [0.0] * len(height)
        is_closed = (self.takes_no_room | _IS_CONTROL[self.tag]).tolist()
        rows: dict[int, float] = {}
        for i in range(len(height) - 1, -1, -1):
            if inside[i] > height[i] and not is_closed[i]:
                height[i] = inside[i]
            if row[i] < 0:
                inside[parent[i]] += height[i]
            else:
                rows[row[i]] = max(rows.get(row[i], 0.0), height[i])
                if row[i] == i:
                    inside[parent[i]] += rows[i]
        return height, rows

    def _tops(self, height: list[float], rows: Mapping[int, float]) -> list[float]:
        """Compute the top of each item, block after block and row after row."""
        parent, row = self.parent, self.row
        top, pen = [0.0] * len(height), [0.0] * len(height)
        for i in range(1, len(height)):
            p, name = parent[i], row[i]
            if name < 0:
                top[i] = pen[i] = pen[p]
                pen[p] += height[i]
            elif name == i:
                top[i] = pen[i] = pen[p]
                pen[p] += rows[i]
            else:
                top[i] = pen[i] = top[name]
        return top


def _pixels(length: Length, available: float) -> float:
    """Return a length in pixels, no larger than the available width."""
    number, is_share = length
    return max(MIN_WIDTH, min(available, available * number / 100 if is_share else number))


def _fill_inline(page: Page, items: Places, table: Floats) -> None:
    """Set the boxes of nodes that are not items: the lines of their text, or their first item, or nothing."""
    nodes = page.nodes
    inline = np.delete(np.arange(len(nodes)), items)
    first = items[np.minimum(np.searchsorted(items, inline), len(items) - 1)]
    has_item = (first > inline) & (first < nodes.end[inline])
    table[:, inline] = table[:, np.where(has_item, first, nodes.container[inline])]
    table[2:, inline[~has_item]] = 0.0
    texts = inline[nodes.text_end[inline] > nodes.text_start[inline]]
    if len(page.blocks):
        table[:, texts] = _line_boxes(page, table, texts)


def _line_boxes(page: Page, table: Floats, texts: Places) -> Floats:
    """Return the boxes of the lines that stretches of text take in the runs that they begin and end in."""
    starts, ends = page.nodes.text_start[texts], page.nodes.text_end[texts]
    fonts, run_table = _fonts(page), table[:, page.blocks.node_start]
    first, top, left = _line_of(page, run_table, fonts, starts)
    last, bottom, _ = _line_of(page, run_table, fonts, ends - 1)
    x, _, width, height = run_table[:, first]
    is_long = (first != last) | (top != bottom)
    needed = np.minimum((ends - starts) * fonts[first] * CHARACTER_WIDTH, width)
    tall = np.maximum(bottom + fonts[last] * LINE_HEIGHT - top, 0.0) * (height > 0)
    return np.stack((np.where(is_long, x, left), top, np.where(is_long, width, needed), tall))


def _line_of(page: Page, run_table: Floats, fonts: Floats, places: Ints) -> tuple[Places, Floats, Floats]:
    """Return the run that each character is in, the top of its line, and its distance from the left."""
    starts = page.blocks.text_start
    run = np.maximum(np.searchsorted(starts, places, side="right") - 1, 0)
    x, y, width, _ = run_table[:, run]
    line, right = np.divmod((places - starts[run]) * fonts[run] * CHARACTER_WIDTH, width)
    return run, (y + line * fonts[run] * LINE_HEIGHT).astype(np.float32), (x + right).astype(np.float32)


def _fonts(page: Page) -> Floats:
    """Return the font size of each run."""
    return _FONTS[np.minimum(page.nodes.tag[page.blocks.container], _UNKNOWN)]
