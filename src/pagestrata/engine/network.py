"""A small convolutional network that reads the blocks of a page in their order.

The trees see a block, and sums over stretches of the page around it; the network sees the features of the neighbours
themselves, and what is usual on the page. Both estimate the same probability and err differently: the mean of their log
odds is better than either.

Each feature is read as a level: the number of its borders that lie below it, less its usual number, so that most inputs
are 0. A first layer makes 64 numbers of the levels of a block. Two convolutions add what stands around it: the blocks
next to it, then those three before and after. A last layer joins the 64 numbers of the block with their mean over the
page. All of it are sums of whole numbers, see `native.network`.
"""

from dataclasses import dataclass, fields
from typing import Final

import numpy as np
import numpy.typing as npt

from pagestrata.native import kernel
from pagestrata.native.network import BORDERS, MOST, WIDTH
from pagestrata.trees import Table

_loops = kernel("network")

Floats = npt.NDArray[np.float32]
UNIT: Final = 32
"""Parts of one in the output of a layer."""
WEIGHT_UNIT: Final = 256
"""Parts of one in a weight, but for the first layer. Sums are divided by it, so that they are outputs again."""
FIRST_WEIGHT_UNIT: Final = 2048
"""Likewise in a weight of the first layer, whose inputs are whole levels."""
FIRST_DIVISOR: Final = FIRST_WEIGHT_UNIT // UNIT
TAPS: Final = 3
"""Blocks that a convolution sees."""
DILATION: Final = 3
"""Blocks from one of them to the next in the second convolution."""
EXACT: Final = 2**24
"""Single precision holds all whole numbers below."""
RUN: Final = 4096
"""Blocks whose levels are held at a time."""


@dataclass(frozen=True, slots=True, eq=False)
class Network:
    """The weights, as whole numbers; columns are outputs."""

    borders: Floats
    """Features × `BORDERS`, ascending; infinite where a feature has fewer."""
    usual: npt.NDArray[np.int32]
    """The usual level of each feature."""
    first: Floats
    first_bias: Floats
    near: Floats
    """`TAPS` × `WIDTH` × `WIDTH`: the block before, the block itself, the block after."""
    near_bias: Floats
    wide: Floats
    wide_bias: Floats
    last: Floats
    """The numbers of the block, then their means over the page."""
    last_bias: Floats
    out: Floats
    out_bias: Floats
    """One number."""

    def score(self, table: Table) -> npt.NDArray[np.float64]:
        """Return the log odds of main text for each column of the table."""
        hidden = self._first_layer(np.ascontiguousarray(table, np.float32))
        for weights, bias, dilation in ((self.near, self.near_bias, 1), (self.wide, self.wide_bias, DILATION)):
            _loops.convolve(hidden.copy(), weights, bias, dilation, WEIGHT_UNIT, hidden, 0)
        means = hidden.sum(axis=0, dtype=np.int64) // max(1, len(hidden))
        bias = self.last_bias + means.astype(np.float32) @ self.last[WIDTH:]
        total = np.empty(len(hidden), np.float64)
        for start in range(0, len(hidden), RUN):  # a page may have a million blocks
            some = hidden[start : start + RUN]
            joined = np.zeros_like(some)
            _loops.convolve(some, self.last[None, :WIDTH], bias, 1, WEIGHT_UNIT, joined, 0)
            total[start : start + RUN] = joined.astype(np.float32) @ self.out + self.out_bias
        return total / (UNIT * WEIGHT_UNIT)

    def _first_layer(self, table: Table) -> npt.NDArray[np.int16]:
        """Blocks × `WIDTH`: the outputs of the first layer, with levels for some blocks at a time."""
        count = table.shape[1]
        hidden = np.zeros((count, WIDTH), np.int16)
        for start in range(0, count, RUN):
            levels = np.empty((min(RUN, count - start), len(table)), np.int16)
            _loops.find_levels(table, self.borders, self.usual, start, levels)
            _loops.convolve(levels, self.first[None], self.first_bias, 1, FIRST_DIVISOR, hidden, start)
        return hidden

    def checked(self, features: int) -> "Network":
        """Return the network if its arrays fit each other, and no sum can be too large; else raise ValueError."""
        shapes = (
            *((features, BORDERS), (features,), (features, WIDTH), (WIDTH,), (TAPS, WIDTH, WIDTH), (WIDTH,)),
            *((TAPS, WIDTH, WIDTH), (WIDTH,), (2 * WIDTH, WIDTH), (WIDTH,), (WIDTH,), (1,)),
        )
        for field, shape in zip(fields(self), shapes, strict=True):
            array = getattr(self, field.name)
            if array.shape != shape or array.dtype != (np.int32 if field.name == "usual" else np.float32):
                raise ValueError("the arrays of the network do not fit each other")
        layers = (
            (self.first, self.first_bias, BORDERS),
            (self.near.reshape(-1, WIDTH), self.near_bias, MOST),
            (self.wide.reshape(-1, WIDTH), self.wide_bias, MOST),
            (self.last, self.last_bias, MOST),
            (self.out[:, None], self.out_bias, MOST),
        )
        if any(_is_inexact(*layer) for layer in layers) or (np.abs(self.usual) > BORDERS).any():
            raise ValueError("the weights of the network are no whole numbers, or too large to be summed")
        return self


def _is_inexact(weights: Floats, bias: Floats, most: int) -> bool:
    """Return whether single precision might not hold a sum of a layer whose inputs are at most `most`."""
    if not (np.isfinite(weights).all() and (weights == np.rint(weights)).all() and (bias == np.rint(bias)).all()):
        return True
    largest = np.abs(weights.astype(np.float64)).sum(axis=0) * most + np.abs(bias.astype(np.float64))
    return bool((largest >= EXACT).any())
