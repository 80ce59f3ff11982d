"""Boxes: where each node of a page stands, in CSS pixels."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Places = npt.NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class Boxes:
    """Where each node stands, in CSS pixels from the top left corner; float32, one per node."""

    x: Floats
    y: Floats
    width: Floats
    height: Floats
    estimated: bool
    """True for a guess from the markup, False when a browser measured."""

    def __post_init__(self) -> None:
        for column in (self.x, self.y, self.width, self.height):
            column.flags.writeable = False

    def __reduce__(self) -> tuple[Any, ...]:
        return Boxes, (self.x, self.y, self.width, self.height, self.estimated)

    @property
    def area(self) -> Floats:
        """Square pixels."""
        return self.width * self.height

    def around(self, nodes: Places) -> tuple[float, float, float, float]:
        """X, y, width and height of what these nodes take together; those without room do not count."""
        seen = nodes[(self.width[nodes] > 0) & (self.height[nodes] > 0)]
        if len(seen) == 0:
            return 0.0, 0.0, 0.0, 0.0
        left, top = float(self.x[seen].min()), float(self.y[seen].min())
        right, bottom = float((self.x[seen] + self.width[seen]).max()), float((self.y[seen] + self.height[seen]).max())
        return left, top, right - left, bottom - top
