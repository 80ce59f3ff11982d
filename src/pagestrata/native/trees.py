"""Oblivious trees: each split is evaluated for a run of columns at once, in loops that compilers vectorise.

The innermost loops (`answer`, `answer_six`, `add_leaves`, `add_taken`) are C where this is compiled and numpy where it
is interpreted: number by number, Python would take a hundred times as long as the parser takes for a page.
"""

try:
    import cython
except ImportError:  # at run time Cython need not be installed
    from pagestrata.native.interpreted import cython

import numpy as np

if not cython.compiled:
    from pagestrata.native.interpreted import add_leaves, add_taken, answer, answer_six

RUN = 256
"""Columns that are evaluated at once: the numbers of their leaves stay in the nearest cache."""
AT_ONCE = 4
"""Trees that are evaluated at once: the sum of each column is read and written once for all of them."""


def sum_leaves(feature, threshold, leaf, table, sums):
    """Add to each sum the values of the leaves that its column of the table reaches, one in every tree."""
    columns, trees, depth = table.shape[1], feature.shape[0], feature.shape[1]
    reached, total = np.zeros((AT_ONCE, RUN), np.int32), np.zeros(RUN, np.int32)
    start = 0
    while start < columns:
        size = min(RUN, columns - start)
        tree = 0
        while tree < trees:
            more = min(AT_ONCE, trees - tree)
            if depth == 6:  # the depth of our trees: the leaf numbers stay in registers
                answer_six(feature, threshold, tree, more, table, start, size, reached)
            else:
                for row in range(more):
                    for level in range(depth):
                        answer(feature, threshold, tree + row, level, table, start, size, reached, row)
            add_leaves(leaf, tree, more, reached, total, size)
            tree += more
        for i in range(size):
            sums[start + i] += total[i]
            total[i] = 0
        start += size


def add_steps(feature, threshold, group, steps, table, moved):
    """Add the contribution of each split to the sum of a column to the row of that split's group."""
    columns, trees, depth = table.shape[1], feature.shape[0], feature.shape[1]
    reached = np.zeros((1, RUN), np.int32)
    start = 0
    while start < columns:
        size = min(RUN, columns - start)
        for tree in range(trees):
            for level in range(depth):
                answer(feature, threshold, tree, level, table, start, size, reached, 0)
                add_taken(steps, tree, (2 << level) - 2, reached, moved, group[tree, level], start, size)
        start += size
