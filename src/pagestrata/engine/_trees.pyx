# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""The trees of the engine: rows go down four at a time, so that one waits for memory while the others work."""


def sum_leaves(
    const int[::1] feature,
    const float[::1] threshold,
    const int[::1] left,
    const int[::1] right,
    const int[::1] root,
    const int[::1] leaf,
    const float[:, ::1] table,
    long long[::1] sums,
):
    """Add to each sum the leaves that its row of the table reaches."""
    cdef Py_ssize_t row, rows = table.shape[0], tree, trees = root.shape[0]
    cdef int a, b, c, d
    with nogil:
        row = 0
        while row + 4 <= rows:
            for tree in range(trees):
                a = b = c = d = root[tree]
                while a >= 0 or b >= 0 or c >= 0 or d >= 0:
                    if a >= 0:
                        a = left[a] if table[row, feature[a]] <= threshold[a] else right[a]
                    if b >= 0:
                        b = left[b] if table[row + 1, feature[b]] <= threshold[b] else right[b]
                    if c >= 0:
                        c = left[c] if table[row + 2, feature[c]] <= threshold[c] else right[c]
                    if d >= 0:
                        d = left[d] if table[row + 3, feature[d]] <= threshold[d] else right[d]
                sums[row] += leaf[-1 - a]
                sums[row + 1] += leaf[-1 - b]
                sums[row + 2] += leaf[-1 - c]
                sums[row + 3] += leaf[-1 - d]
            row += 4
        while row < rows:
            for tree in range(trees):
                a = root[tree]
                while a >= 0:
                    a = left[a] if table[row, feature[a]] <= threshold[a] else right[a]
                sums[row] += leaf[-1 - a]
            row += 1
