"""Boxes: where each node of a page stands, in CSS pixels."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pagestrata.page.arrays import FrozenArrays

Floats = npt.NDArray[np.float32]
Places = npt.NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class Boxes(FrozenArrays):
    """Where each node stands, in CSS pixels from the top left corner; float32, one per node."""

    x: Floats
    y: Floats
    width: Floats
    height: Floats
    estimated: bool
    """True for a guess from the markup, False when a browser measured."""

    @property
    def area(self) -> Floats:
        """The area of each box in square pixels."""
        return self.width * self.height

    def around(self, nodes: Places) -> tuple[float, float, float, float]:
        """Return x, y, width and height of the smallest box around these nodes; nodes without an area are ignored."""
        drawn = nodes[(self.width[nodes] > 0) & (self.height[nodes] > 0)]
        if len(drawn) == 0:
            return 0.0, 0.0, 0.0, 0.0
        left, top = float(self.x[drawn].min()), float(self.y[drawn].min())
        right, bottom = (
            float((self.x[drawn] + self.width[drawn]).max()),
            float((self.y[drawn] + self.height[drawn]).max()),
        )
        return left, top, right - left, bottom - top
