"""The layers of the engine's network: sums of products of whole numbers, block after block.

All numbers are whole, and no sum reaches 2 ** 24, so that single precision holds each exactly (`engine.network` checks
it). Then the order of the additions does not matter: compiled and interpreted loops give the same bits on every
processor. The innermost loops are C where this is compiled and numpy where it is interpreted.
"""

try:
    import cython
except ImportError:  # at run time Cython need not be installed
    from pagestrata.native.interpreted import cython

import numpy as np

if not cython.compiled:
    from pagestrata.native.interpreted import add_products, add_rectified, find_ranks

WIDTH = 64
"""Outputs of each layer."""
BORDERS = 15
"""Borders that part the values of a feature: one less than a power of two."""
MOST = 255
"""The largest output of a layer."""


def find_levels(table, borders, usual, start, levels):
    """Fill `levels`, a row for each block from `start` on: the number of borders below each feature, less the usual."""
    for feature in range(table.shape[0]):
        find_ranks(table, borders, usual, feature, start, levels)


def convolve(inputs, weights, bias, dilation, divisor, outputs, start):
    """Add a layer to the outputs from `start` on: a block sees itself and those `dilation` before and after it."""
    count, taps = inputs.shape[0], weights.shape[0]
    sums = np.zeros(WIDTH, np.float32)
    for block in range(count):
        for place in range(WIDTH):
            sums[place] = bias[place]
        for tap in range(taps):
            other = block + (tap - taps // 2) * dilation
            if 0 <= other < count:
                add_products(inputs, other, weights, tap, sums)
        add_rectified(sums, divisor, MOST, outputs, start + block)
