"""A small convolutional network that reads the blocks of a page in their order.

The trees see a block, and sums over stretches of the page around it; the network sees the features of the neighbours
themselves, and what is usual on the page. Both estimate the same probability and err differently: the mean of their log
odds is better than either.

Each feature is read as a level: the number of its borders that lie below it. A first layer makes 64 numbers of the
levels of a block. Two convolutions add what stands around it: the blocks next to it, then those three before and after.
A last layer joins the 64 numbers of the block with their mean over the page. All of it are sums of whole numbers, see
`native.network`.
"""

from dataclasses import dataclass, fields
from typing import Final

import numpy as np
import numpy.typing as npt

from pagestrata.native import kernel
from pagestrata.native.network import BORDERS, MOST, WIDTH
from pagestrata.trees import Table

_loops = kernel("network")

Bytes = npt.NDArray[np.uint8]
Weights = npt.NDArray[np.int16]
Sums = npt.NDArray[np.int32]
UNIT_BITS: Final = 5
"""An output of a layer counts parts of one, of which there are two to the power of this."""
WEIGHT_BITS: Final = 8
"""Likewise a weight, but for the first layer. Sums are shifted by as many bits, so that they are outputs again."""
FIRST_WEIGHT_BITS: Final = 11
"""Likewise a weight of the first layer, whose inputs are whole levels."""
TAPS: Final = 3
"""Blocks that a convolution sees."""
DILATION: Final = 3
"""Blocks from one of them to the next in the second convolution."""
RUN: Final = 512
"""Blocks whose levels, and whose outputs of the last layer, are held at a time: a page may have a million."""


@dataclass(frozen=True, slots=True, eq=False)
class Network:
    """The weights, as whole numbers; each output has a row."""

    borders: npt.NDArray[np.float32]
    """Features × `BORDERS`, ascending; infinite where a feature has fewer."""
    first: Weights
    first_bias: Sums
    near: Weights
    """The inputs from the block before, from the block itself, from the block after."""
    near_bias: Sums
    wide: Weights
    wide_bias: Sums
    last: Weights
    """The numbers of the block, then their means over the page."""
    last_bias: Sums
    out: Weights
    """A single row."""
    out_bias: Sums

    def score(self, table: Table) -> npt.NDArray[np.float64]:
        """Return the log odds of main text for each column of the table."""
        hidden = self._first_layer(np.ascontiguousarray(table, np.float32))
        for weights, bias, dilation in ((self.near, self.near_bias, 1), (self.wide, self.wide_bias, DILATION)):
            _loops.convolve(hidden.copy(), weights, bias, dilation, WEIGHT_BITS, hidden, 0)
        means = hidden.sum(axis=0, dtype=np.int64) // max(1, len(hidden))
        of_block, of_page = np.ascontiguousarray(self.last[:, :WIDTH]), self.last[:, WIDTH:]
        bias = (self.last_bias + of_page @ means).astype(np.int32)
        sums = np.empty(len(hidden), np.int32)
        for start in range(0, len(hidden), RUN):
            some = hidden[start : start + RUN]
            joined = np.zeros_like(some)
            _loops.convolve(some, of_block, bias, 1, WEIGHT_BITS, joined, 0)
            sums[start : start + RUN] = joined @ self.out[0].astype(np.int32) + self.out_bias
        return np.asarray(sums / 2 ** (UNIT_BITS + WEIGHT_BITS))

    def _first_layer(self, table: Table) -> Bytes:
        """Blocks × `WIDTH`: the outputs of the first layer, with levels for some blocks at a time."""
        count = table.shape[1]
        hidden = np.zeros((count, WIDTH), np.uint8)
        shift = FIRST_WEIGHT_BITS - UNIT_BITS
        for start in range(0, count, RUN):
            levels = np.empty((min(RUN, count - start), len(table)), np.uint8)
            _loops.find_levels(table, self.borders, start, levels)
            _loops.convolve(levels, self.first, self.first_bias, 1, shift, hidden, start)
        return hidden

    def checked(self, features: int) -> "Network":
        """Return the network if its arrays fit each other, and no sum can be too large; else raise ValueError."""
        convolution = (WIDTH, TAPS * WIDTH), (WIDTH,)
        shapes = (
            *((features, BORDERS), (WIDTH, features), (WIDTH,), *convolution, *convolution),
            *((WIDTH, 2 * WIDTH), (WIDTH,), (1, WIDTH), (1,)),
        )
        for field, shape in zip(fields(self), shapes, strict=True):
            array = getattr(self, field.name)
            if array.shape != shape or array.dtype != type_of(field.name) or not array.flags.c_contiguous:
                raise ValueError("the arrays of the network do not fit each other")
        layers = (
            (self.first, self.first_bias, BORDERS),
            *((self.near, self.near_bias, MOST), (self.wide, self.wide_bias, MOST)),
            *((self.last, self.last_bias, MOST), (self.out, self.out_bias, MOST)),
        )
        if any(_largest_sum(*layer) >= 2**31 for layer in layers):
            raise ValueError("the weights of the network are too large to be summed")
        return self


def type_of(name: str) -> type[np.float32 | np.int16 | np.int32]:
    """Return the type of the elements of an array of the network."""
    if name == "borders":
        return np.float32
    return np.int32 if name.endswith("_bias") else np.int16


def _largest_sum(weights: Weights, bias: Sums, most: int) -> int:
    """Return what no sum of a layer can exceed if its inputs are at most `most`."""
    sums = np.abs(weights.astype(np.int64)).sum(axis=1) * most + np.abs(bias.astype(np.int64))
    return int(sums.max(initial=0))
