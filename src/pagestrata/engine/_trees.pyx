# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""The trees of the engine: a question is asked of a run of columns at once, in loops that the compiler makes wide."""

from libc.string cimport memset

DEF RUN = 256  # columns at once: the numbers of their leaves stay in the nearest cache
DEF TREES = 4  # at once: the sum of each column is read and written once for all of them

cdef extern from *:
    """
    /* Where the linker can choose by processor: the same loop, twice as wide. */
    #if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__gnu_linux__)
    #define PAGESTRATA_WIDE __attribute__((target_clones("avx2", "default")))
    #else
    #define PAGESTRATA_WIDE
    #endif
    PAGESTRATA_WIDE
    static void answer(const float* values, float above, int level, int* reached, Py_ssize_t size) {
        for (Py_ssize_t i = 0; i < size; i++) reached[i] |= (values[i] > above) << level;
    }
    /* The same for six levels at once, which our trees have: what is reached stays in a register. */
    PAGESTRATA_WIDE
    static void answer_six(const float* const* row, const float* above, int* reached, Py_ssize_t size) {
        const float *a = row[0], *b = row[1], *c = row[2], *d = row[3], *e = row[4], *f = row[5];
        const float u = above[0], v = above[1], w = above[2], x = above[3], y = above[4], z = above[5];
        for (Py_ssize_t i = 0; i < size; i++)
            reached[i] = (a[i] > u) | (b[i] > v) << 1 | (c[i] > w) << 2 | (d[i] > x) << 3 | (e[i] > y) << 4
                         | (f[i] > z) << 5;
    }
    """
    void answer(const float* values, float above, int level, int* reached, Py_ssize_t size) nogil
    void answer_six(const float** row, const float* above, int* reached, Py_ssize_t size) nogil


cdef void go_down(
    const int* feature, const float* threshold, Py_ssize_t depth, const float* table, Py_ssize_t stride,
    int* reached, Py_ssize_t size,
) noexcept nogil:
    """The leaf of one tree that each of some columns reaches."""
    cdef (const float*)[6] row
    cdef Py_ssize_t level
    if depth == 6:
        for level in range(6):
            row[level] = table + feature[level] * stride
        answer_six(row, threshold, reached, size)
        return
    memset(reached, 0, size * sizeof(int))
    for level in range(depth):
        answer(table + feature[level] * stride, threshold[level], <int>level, reached, size)


def sum_leaves(
    const int[:, ::1] feature,
    const float[:, ::1] threshold,
    const int[:, ::1] leaf,
    const float[:, ::1] table,
    long long[::1] sums,
):
    """Add to each sum the leaves that its column of the table reaches."""
    cdef Py_ssize_t columns = table.shape[1], trees = feature.shape[0], depth = feature.shape[1]
    cdef Py_ssize_t leaves = leaf.shape[1], start = 0, size, tree, more, i
    cdef int[TREES][RUN] reached
    cdef int[RUN] total
    cdef const int* of
    with nogil:
        while start < columns:
            size = min(RUN, columns - start)
            memset(total, 0, sizeof(total))
            tree = 0
            while tree < trees:
                more = min(TREES, trees - tree)
                for i in range(more):
                    go_down(
                        &feature[tree + i, 0], &threshold[tree + i, 0], depth, &table[0, start], columns, reached[i], size
                    )
                of = &leaf[tree, 0]
                if more == TREES:
                    for i in range(size):
                        total[i] += (
                            of[reached[0][i]]
                            + of[leaves + reached[1][i]]
                            + of[2 * leaves + reached[2][i]]
                            + of[3 * leaves + reached[3][i]]
                        )
                else:
                    for i in range(size * more):
                        total[i % size] += of[i // size * leaves + reached[i // size][i % size]]
                tree += more
            for i in range(size):
                sums[start + i] = total[i]
            start += size


def add_steps(
    const int[:, ::1] feature,
    const float[:, ::1] threshold,
    const int[:, ::1] group,
    const long long[:, ::1] steps,
    const float[:, ::1] table,
    long long[:, ::1] found,
):
    """Add what each answer on the way down adds to the row of its question's group."""
    cdef Py_ssize_t columns = table.shape[1], trees = feature.shape[0], depth = feature.shape[1]
    cdef Py_ssize_t start, size, tree, level, i
    cdef int[RUN] reached
    cdef const long long* taken
    cdef long long* row
    with nogil:
        start = 0
        while start < columns:
            size = min(RUN, columns - start)
            for tree in range(trees):
                memset(reached, 0, sizeof(reached))
                for level in range(depth):
                    answer(&table[feature[tree, level], start], threshold[tree, level], <int>level, reached, size)
                    taken = &steps[tree, (2 << level) - 2]
                    row = &found[group[tree, level], start]
                    for i in range(size):
                        row[i] += taken[reached[i]]
            start += size
