"""A page as a browser drew it: the browser's own tree, with a box and a style for each node, and both for our nodes.

A `Snapshot` comes from the browser. `parse` makes the page from the tree of the snapshot, so that nodes need not be
matched afterwards: every element carries its number through the serialiser, and a text is identified by the tag that it
follows.
"""

import re
from dataclasses import dataclass, fields
from typing import Final

import numpy as np
import numpy.typing as npt

from pagestrata.page import columns, tags
from pagestrata.page.arrays import FrozenArrays
from pagestrata.page.boxes import Boxes, Floats
from pagestrata.page.columns import Scan
from pagestrata.page.limits import Limit
from pagestrata.page.nodes import Bools, Ints

Colours = npt.NDArray[np.uint8]
"""Red, green and blue, three columns."""

NUMBER_ATTRIBUTE: Final = "pagestrata-node"
"""The attribute in which an element carries its row in the snapshot; it is removed before the scan."""
_START_TAG = re.compile(rf'(<[^\s!/?>]+)(?: {NUMBER_ATTRIBUTE}="(\d+)")?')
_NO_ROW: Final = -1
MIN_FONT_SIZE: Final = 1.0
"""CSS pixels; smaller text cannot be read."""


@dataclass(frozen=True, slots=True, eq=False)
class Drawn(FrozenArrays):
    """The style of each node as a browser drew the page; one row per node."""

    visible: Bools
    """Whether the node is part of the picture: no `display: none` or `visibility: hidden`, not left of or above it."""
    font_size: Floats
    """CSS pixels."""
    font_weight: Floats
    """400 is normal, 700 bold."""
    colour: Colours
    """The colour of text."""
    background: Colours
    """The colour behind text: the node's own background over those of the elements around it, on white."""
    paint_order: Ints
    """Of two nodes in one place the one with the higher number is visible; -1 for nodes that are not drawn."""

    def take(self, rows: Ints) -> "Drawn":
        """Return these rows, in this order."""
        return Drawn(*(getattr(self, column.name)[rows] for column in fields(self)))


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot:
    """The tree of a page in a browser, one row per node, each after its parent; row 0 is the root element."""

    parents: tuple[int, ...]
    """-1 for the root."""
    names: tuple[str, ...]
    """Tags; empty for a text."""
    texts: tuple[tuple[str, ...], ...]
    """For a text, its pieces between comments; no two texts are siblings without an element between them. Empty for an
    element."""
    attributes: tuple[tuple[str, ...], ...]
    """Name, value, name, value and so on."""
    boxes: Boxes
    drawn: Drawn
    scripts: bool
    """Whether the browser ran scripts."""
    limits: tuple[Limit, ...] = ()
    """The limits that were hit in the browser."""

    def __len__(self) -> int:
        return len(self.parents)


def take_numbers(markup: str) -> tuple[str, list[int]]:
    """Split the numbers of elements from the stream: (stream, numbers in order); -1 for an element without one.

    >>> take_numbers('<p pagestrata-node="7" id="a">pagestrata-node="8"<b/></p>')
    ('<p id="a">pagestrata-node="8"<b/></p>', [7, -1])
    """
    numbers = [int(number or _NO_ROW) for _, number in _START_TAG.findall(markup)]
    return _START_TAG.sub(r"\1", markup), numbers


def apply_snapshot(snapshot: Snapshot, scan: Scan, numbers: list[int]) -> tuple[Scan, Boxes, Drawn]:
    """Return the scan with what the browser showed visible, and the boxes and styles of its nodes."""
    rows = _rows(snapshot, scan, numbers)
    drawn, boxes = snapshot.drawn.take(rows), snapshot.boxes
    placed = Boxes(boxes.x[rows], boxes.y[rows], boxes.width[rows], boxes.height[rows], estimated=False)
    return _as_drawn(scan, drawn, snapshot.scripts), placed, drawn


def _rows(snapshot: Snapshot, scan: Scan, numbers: list[int]) -> Ints:
    """Return the row of the snapshot for each node of a scan; a node that we added ourselves has that of its parent."""
    texts = _texts_by_place(snapshot)
    row_of: list[int] = []
    rows: list[int] = []
    number = iter(numbers)
    parents, is_text = scan.nodes[columns.PARENT].tolist(), (scan.nodes[columns.TAG] == tags.TEXT).tolist()
    last_child = [_NO_ROW] * len(parents)
    for node, parent in enumerate(parents):
        if is_text[node]:
            follows = last_child[parent] >= 0
            row_of.append(texts.get((row_of[last_child[parent] if follows else parent], follows), _NO_ROW))
        else:
            row_of.append(next(number))
            if row_of[node] >= 0 and parent >= 0:
                last_child[parent] = node
        rows.append(row_of[node] if row_of[node] >= 0 else rows[parent] if parent >= 0 else 0)
    return np.array(rows, np.int32)


def _texts_by_place(snapshot: Snapshot) -> dict[tuple[int, bool], int]:
    """Return the rows of texts by the element that they follow (True) or begin (False)."""
    row_at: dict[tuple[int, bool], int] = {}
    last_child = [_NO_ROW] * len(snapshot)
    for row, (parent, name) in enumerate(zip(snapshot.parents, snapshot.names, strict=True)):
        if not name:
            follows = last_child[parent] >= 0
            row_at[last_child[parent] if follows else parent, follows] = row
        elif parent >= 0:
            last_child[parent] = row
    return row_at


def _as_drawn(scan: Scan, drawn: Drawn, scripts: bool) -> Scan:
    """Return the scan with what the browser showed made visible, and if it ran scripts, with the rest hidden.

    Without scripts the rest stays as the markup has it: what style sheets hide often waits for a script, and is content
    nevertheless. `Drawn.visible` reports it; docs/guide/rendering.md measures what using it would cost.
    """
    nodes, blocks = scan.nodes.copy(), scan.blocks.copy()
    reasons = (nodes[columns.FLAGS] & columns.HIDDEN_BITS) >> columns.HIDDEN_SHIFT
    can_be_read = drawn.visible & (drawn.font_size >= MIN_FONT_SIZE)
    is_hidden = scripts & ~can_be_read & ~columns.IS_UNSEEN[reasons] & (reasons != tags.BY_DETAILS)  # a click opens it
    reasons = np.where(can_be_read & (reasons != tags.BY_ARIA), 0, np.where(is_hidden, tags.BY_STYLE, reasons))
    columns.set_reasons(nodes, blocks, reasons)
    return scan._replace(nodes=nodes, blocks=blocks)
