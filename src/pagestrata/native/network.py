"""The layers of the engine's network: sums of products of whole numbers, some blocks at a time.

All numbers are whole, and no sum reaches 2 ** 31 (`engine.network` checks it). Then the order of the additions does not
matter: compiled and interpreted loops give the same bits on every processor. The innermost loops are C where this is
compiled and numpy where it is interpreted.
"""

try:
    import cython
except ImportError:  # at run time Cython need not be installed
    from pagestrata.native.interpreted import cython

import numpy as np

if not cython.compiled:
    from pagestrata.native.interpreted import add_rectified, copy_inputs, find_ranks, sum_products

WIDTH = 64
"""Outputs of each layer."""
BORDERS = 15
"""Borders that part the values of a feature: one less than a power of two."""
MOST = 255
"""The largest output of a layer."""
AT_ONCE = 4
"""Blocks whose sums are computed together, so that each weight is read once for all of them."""


def find_levels(table, borders, start, levels):
    """Fill `levels`, a row for each block from `start` on: the number of borders below each feature."""
    for feature in range(table.shape[0]):
        find_ranks(table, borders, feature, start, levels)


def convolve(inputs, weights, bias, dilation, shift, outputs, start):
    """Add a layer to the outputs from `start` on: a block sees itself and those `dilation` before and after it.

    `weights` has a row for each output, in which one block after another has its inputs. Sums are shifted right.
    """
    count, taps = inputs.shape[0], weights.shape[1] // inputs.shape[1]
    seen = np.zeros((AT_ONCE, weights.shape[1]), np.int16)
    sums = np.zeros((AT_ONCE, WIDTH), np.int32)
    for block in range(0, count, AT_ONCE):
        rows = min(AT_ONCE, count - block)
        for row in range(rows):
            for tap in range(taps):
                copy_inputs(inputs, block + row + (tap - taps // 2) * dilation, seen, row, tap)
        sum_products(seen, weights, bias, sums)
        for row in range(rows):
            add_rectified(sums, row, shift, MOST, outputs, start + block + row)
