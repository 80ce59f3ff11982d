"""What a browser knows of a page: its own tree with a box and a look for each node, and the same for our nodes.

A `Snapshot` is as it came. `parse` makes the page from the snapshot's own tree, so that nothing has to be found again:
every element carries its number through the parser's writer, and a text is told by the tag that it follows.
"""

import re
from dataclasses import dataclass, fields
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from pagestrata.page import columns, tags
from pagestrata.page.boxes import Boxes, Floats
from pagestrata.page.columns import Scan
from pagestrata.page.limits import Limit
from pagestrata.page.nodes import Bools, Ints

Colours = npt.NDArray[np.uint8]
"""Red, green and blue, three columns."""

NUMBER: Final = "pagestrata-node"
"""The attribute in which an element carries its number to the scan; it is taken off before."""
_START_TAG = re.compile(rf'(<[^\s!/?>]+)(?: {NUMBER}="(\d+)")?')
_NOWHERE: Final = -1


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """How each node looked when a browser drew the page; one row per node."""

    visible: Bools
    """Whether it takes part in the picture: not `display: none`, not `visibility: hidden`, not left of or above it."""
    font_size: Floats
    """CSS pixels."""
    font_weight: Floats
    """400 is normal, 700 bold."""
    colour: Colours
    """Of text."""
    background: Colours
    """What text stands on: the node's own background over those of the elements around it, on white."""
    paint_order: Ints
    """Of two nodes in one place the higher is seen; -1 for what is not drawn."""

    def __post_init__(self) -> None:
        for column in fields(self):
            getattr(self, column.name).flags.writeable = False

    def __reduce__(self) -> tuple[Any, ...]:
        return Drawn, tuple(getattr(self, column.name) for column in fields(self))

    def take(self, rows: Ints) -> "Drawn":
        """These rows, in this order."""
        return Drawn(*(getattr(self, column.name)[rows] for column in fields(self)))


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot:
    """A page as a browser has it, one row per node, each after its parent; row 0 is the root element."""

    parents: tuple[int, ...]
    """-1 for the root."""
    names: tuple[str, ...]
    """Tags; empty for a text."""
    texts: tuple[tuple[str, ...], ...]
    """Of texts, of which no two stand side by side: the pieces between comments; empty for an element."""
    attributes: tuple[tuple[str, ...], ...]
    """Name, value, name, value and so on."""
    boxes: Boxes
    drawn: Drawn
    scripts: bool
    """Whether scripts were run."""
    limits: tuple[Limit, ...] = ()
    """What was cut short in the browser."""

    def __len__(self) -> int:
        return len(self.parents)


def take_numbers(markup: str) -> tuple[str, list[int]]:
    """The stream without the numbers of its elements, and these in their order; -1 for an element without one.

    >>> take_numbers('<p pagestrata-node="7" id="a">pagestrata-node="8"<b/></p>')
    ('<p id="a">pagestrata-node="8"<b/></p>', [7, -1])
    """
    numbers = [int(number or _NOWHERE) for _, number in _START_TAG.findall(markup)]
    return _START_TAG.sub(r"\1", markup), numbers


def look(snapshot: Snapshot, found: Scan, numbers: list[int]) -> tuple[Scan, Boxes, Drawn]:
    """A scan whose flags call nothing hidden that was seen, and the boxes and looks of its nodes."""
    rows = _rows(snapshot, found, numbers)
    drawn, boxes = snapshot.drawn.take(rows), snapshot.boxes
    placed = Boxes(boxes.x[rows], boxes.y[rows], boxes.width[rows], boxes.height[rows], estimated=False)
    return _show(found, drawn.visible), placed, drawn


def _rows(snapshot: Snapshot, found: Scan, numbers: list[int]) -> Ints:
    """The row of the snapshot for each node of a scan; a node that we put in ourselves has that of its parent."""
    texts = _texts_by_place(snapshot)
    own: list[int] = []
    rows: list[int] = []
    number = iter(numbers)
    parents, is_text = found.nodes[columns.PARENT].tolist(), (found.nodes[columns.TAG] == tags.TEXT).tolist()
    last_child = [_NOWHERE] * len(parents)
    for node, parent in enumerate(parents):
        if is_text[node]:
            follows = last_child[parent] >= 0
            own.append(texts.get((own[last_child[parent] if follows else parent], follows), _NOWHERE))
        else:
            own.append(next(number))
            if own[node] >= 0 and parent >= 0:
                last_child[parent] = node
        rows.append(own[node] if own[node] >= 0 else rows[parent] if parent >= 0 else 0)
    return np.array(rows, np.int32)


def _texts_by_place(snapshot: Snapshot) -> dict[tuple[int, bool], int]:
    """The texts by the element that they follow (True) or begin (False)."""
    found: dict[tuple[int, bool], int] = {}
    last_child = [_NOWHERE] * len(snapshot)
    for row, (parent, name) in enumerate(zip(snapshot.parents, snapshot.names, strict=True)):
        if not name:
            follows = last_child[parent] >= 0
            found[last_child[parent] if follows else parent, follows] = row
        elif parent >= 0:
            last_child[parent] = row
    return found


def _show(found: Scan, visible: Bools) -> Scan:
    """Take back what the markup calls hidden and a browser showed.

    Not the other way round: what style sheets hide is often there to be opened, or waits for a script that was not run,
    and is content all the same. `Drawn.visible` has it; docs/guide/rendering.md what it would cost.
    """
    nodes, blocks = found.nodes.copy(), found.blocks.copy()
    reason = (nodes[columns.FLAGS] & columns.HIDDEN_BITS) >> columns.HIDDEN_SHIFT
    reason = np.where(visible & (reason != tags.BY_ARIA), 0, reason)
    nodes[columns.FLAGS] = (nodes[columns.FLAGS] & ~columns.HIDDEN_BITS) | (reason << columns.HIDDEN_SHIFT)
    if blocks.shape[1]:
        texts = np.flatnonzero(nodes[columns.TAG] == tags.TEXT)
        first = np.searchsorted(texts, blocks[columns.NODE_START])
        blocks[columns.HIDDEN_BY] = np.minimum.reduceat(reason[texts], first)
    return found._replace(nodes=nodes, blocks=blocks)
