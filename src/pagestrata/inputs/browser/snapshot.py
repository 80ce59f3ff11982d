"""Converts the result of Chromium's `DOMSnapshot.captureSnapshot` to a `Snapshot`.

One call returns the tree and its layout in parallel lists that refer to one list of strings. Frames are separate
documents there and are left out, because the markup of a page does not contain them either.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final

import numpy as np

from pagestrata.page import tags
from pagestrata.page.boxes import Boxes
from pagestrata.page.drawn import Drawn, Snapshot
from pagestrata.page.limits import Limit

STYLES: Final = ("visibility", "font-size", "font-weight", "color", "background-color")
REQUEST: Final = {"computedStyles": list(STYLES), "includePaintOrder": True}

_ELEMENT, _TEXT, _CDATA, _COMMENT = 1, 3, 4, 8
_CONTROLS: Final = frozenset(("textarea", "select", "optgroup", "option"))
"""Form controls that draw their content themselves, so that it has no layout nodes."""
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e-?\d+)?", re.ASCII)
_STYLE_CACHE_SIZE: Final = 1024
"""Parsed styles that are cached; a page has a few dozen different ones."""
_WHITE, _BLACK = (255, 255, 255), (0, 0, 0)

Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""
Colour = tuple[int, int, int]


def read_snapshot(captured: dict[str, Any], scripts: bool, limits: tuple[Limit, ...] = ()) -> Snapshot:
    """Convert the main document to rows of elements and texts; other nodes, such as pseudo-elements, are left out."""
    document, strings = captured["documents"][0], captured["strings"]
    tree = _Tree(document["nodes"], strings)
    layout = _Layout(tree, document["layout"], strings)
    return Snapshot(
        tuple(tree.parents),
        tuple(tree.names),
        tuple(tuple(map("".join, pieces)) for pieces in tree.texts),
        tuple(tree.attributes),
        layout.boxes(),
        layout.drawn(),
        scripts,
        limits,
    )


class _Tree:
    """The elements and texts of the document, one row each."""

    def __init__(self, nodes: dict[str, Any], strings: list[str]) -> None:
        self.parents: list[int] = []
        self.names: list[str] = []
        self.texts: list[list[list[str]]] = []
        self.attributes: list[tuple[str, ...]] = []
        self.row_of = [-1] * len(nodes["parentIndex"])
        """The row of each node of the snapshot; -1 for nodes that are left out."""
        self._last_child: list[int] = []
        self._shadow_root: dict[int, int] = {}
        shadows = dict(zip(nodes["shadowRootType"]["index"], nodes["shadowRootType"]["value"], strict=True))
        pseudo = set(nodes["pseudoType"]["index"])
        for node, (kind, parent_node) in enumerate(zip(nodes["nodeType"], nodes["parentIndex"], strict=True)):
            parent = self.row_of[parent_node] if parent_node >= 0 else -1
            is_root = kind == _ELEMENT and not self.parents
            is_internal = node in shadows and strings[shadows[node]] == "user-agent"
            if is_internal or node in pseudo or not (is_root or parent >= 0):
                continue
            if node in shadows and parent_node not in shadows:
                parent = self._inside_shadow_root(parent)
            if kind == _ELEMENT:
                name = strings[nodes["nodeName"][node]]
                attributes = tuple(strings[index] for index in nodes["attributes"][node])
                self.row_of[node] = self._add(parent, name.lower() if name.isupper() else name, attributes)
            elif kind in (_TEXT, _CDATA):
                self.row_of[node] = self._add_text(parent, strings[nodes["nodeValue"][node]])
            elif kind == _COMMENT:
                self._break_text(parent)

    def _add(self, parent: int, name: str, attributes: tuple[str, ...] = ()) -> int:
        row = len(self.parents)
        self.parents.append(parent)
        self.names.append(name)
        self.texts.append([])
        self.attributes.append(attributes)
        self._last_child.append(-1)
        if parent >= 0:
            self._last_child[parent] = row
        return row

    def _add_text(self, parent: int, text: str) -> int:
        """Add a row, or extend the text before it: the parser and scripts may split one text into several nodes."""
        last = self._last_child[parent]
        row = last if last >= 0 and not self.names[last] else self._add(parent, "")
        if not self.texts[row]:
            self.texts[row].append([])
        self.texts[row][-1].append(text)
        return row

    def _break_text(self, parent: int) -> None:
        last = self._last_child[parent]
        if last >= 0 and not self.names[last]:
            self.texts[last].append([])

    def _inside_shadow_root(self, host: int) -> int:
        if host not in self._shadow_root:
            self._shadow_root[host] = self._add(host, tags.SHADOW_ROOT)
        return self._shadow_root[host]


class _Layout:
    """Boxes and styles of the rows; a row without layout inherits them from its content or its parent."""

    def __init__(self, tree: _Tree, layout: dict[str, Any], strings: list[str]) -> None:
        count = len(tree.parents)
        self.parents, self.names = tree.parents, tree.names
        self.box: list[Box | None] = [None] * count
        self.visible = [False] * count
        self.order = [-1] * count
        self.styles: list[list[str]] = [[]] * count
        for index, node in enumerate(layout["nodeIndex"]):
            row = tree.row_of[node]
            if row >= 0:
                x, y, width, height = layout["bounds"][index]
                self.box[row] = _union(self.box[row], (x, y, x + width, y + height))
                self.order[row] = layout["paintOrders"][index]
                self.styles[row] = [strings[style] for style in layout["styles"][index]]
                is_outside = x + width < 0 or y + height < 0
                self.visible[row] = self.styles[row][:1] == ["visible"] and not is_outside
        self.final = list(self._final_boxes())

    def boxes(self) -> Boxes:
        """The boxes of all rows."""
        left, top, right, bottom = np.array(self.final, np.float32).reshape(-1, 4).T
        return Boxes(left.copy(), top.copy(), right - left, bottom - top, estimated=False)

    def _final_boxes(self) -> Iterator[Box]:
        """Compute the final boxes. An empty element gets that of its content: `display: contents`, or only floats."""
        inner: list[Box | None] = [None] * len(self.box)
        for row in range(len(self.box) - 1, -1, -1):
            own, parent = self.box[row], self.parents[row]
            if inner[row] is not None and (own is None or own[0] == own[2] or own[1] == own[3]):
                self.visible[row] |= own is None
                self.box[row] = own = inner[row]
            if own is not None and self.visible[row] and parent >= 0:
                inner[parent] = _union(inner[parent], own)
        for row, parent in enumerate(self.parents):
            own = self.box[row]
            if own is None:
                around = self.box[parent] if parent >= 0 else None
                own = around or (0.0, 0.0, 0.0, 0.0)
                if parent >= 0 and self.names[parent] in _CONTROLS:
                    self.visible[row] = self.visible[parent]
                else:
                    own = (*own[:2], *own[:2])
                self.box[row] = own
            yield own

    def drawn(self) -> Drawn:
        """The styles of all rows, each its own or that of its parent."""
        sizes, weights = [16.0], [400.0]  # the first entry is the parent of the root
        colours, backgrounds = [_BLACK], [_WHITE]
        for row, parent in enumerate(self.parents):
            around = parent + 1
            _, size, weight, colour, background = self.styles[row] or ("", "", "", "", "")
            sizes.append(_number(size, sizes[around]))
            weights.append(_number(weight, weights[around]))
            backgrounds.append(_over(_colour(background), backgrounds[around]) or backgrounds[around])
            colours.append(_over(_colour(colour), backgrounds[-1]) or colours[around])
        return Drawn(
            np.array(self.visible, np.bool_),
            np.array(sizes[1:], np.float32),
            np.array(weights[1:], np.float32),
            np.array(colours[1:], np.uint8).reshape(-1, 3),
            np.array(backgrounds[1:], np.uint8).reshape(-1, 3),
            np.array(self.order, np.int32),
        )


def _union(one: Box | None, other: Box) -> Box:
    if one is None:
        return other
    return min(one[0], other[0]), min(one[1], other[1]), max(one[2], other[2]), max(one[3], other[3])


@lru_cache(_STYLE_CACHE_SIZE)
def _number(style: str, default: float) -> float:
    """Parse the number in a computed style.

    >>> _number("13.3333px", 16.0), _number("", 16.0)
    (13.3333, 16.0)
    """
    number = _NUMBER.match(style)
    return float(number[0]) if number else default


@lru_cache(_STYLE_CACHE_SIZE)
def _colour(style: str) -> tuple[Colour, float] | None:
    """Parse a computed colour as (red, green, blue) and opacity; None for a colour space that is not supported.

    >>> _colour("rgba(255, 0, 0, 0.5)"), _colour("color(srgb 1 0.5 0)"), _colour("oklch(0.5 0.1 20)")
    (((255, 0, 0), 0.5), ((255, 128, 0), 1.0), None)
    """
    space, _, components = style.partition("(")
    scale = 255.0 if style.startswith("color(srgb ") else 1.0
    numbers = [float(number) for number in _NUMBER.findall(components)]
    if not (space in ("rgb", "rgba") or scale > 1) or len(numbers) not in (3, 4):
        return None
    red, green, blue = (min(255, max(0, round(number * scale))) for number in numbers[:3])
    return (red, green, blue), min(1.0, numbers[3]) if len(numbers) > 3 else 1.0


def _over(paint: tuple[Colour, float] | None, background: Colour) -> Colour | None:
    """Blend a colour over a background; None if there is no colour.

    >>> _over(((255, 0, 0), 0.5), (255, 255, 255))
    (255, 128, 128)
    """
    if paint is None:
        return None
    colour, opacity = paint
    red, green, blue = (
        round(opacity * top + (1 - opacity) * under) for top, under in zip(colour, background, strict=True)
    )
    return red, green, blue
