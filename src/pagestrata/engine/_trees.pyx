# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""The trees of the engine: a question is asked of a run of columns at once, in loops that the compiler makes wide."""

from libc.string cimport memset

DEF RUN = 256  # columns at once: the numbers of their leaves stay in the nearest cache

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
    """
    void answer(const float* values, float above, int level, int* reached, Py_ssize_t size) nogil


def sum_leaves(
    const int[:, ::1] feature,
    const float[:, ::1] threshold,
    const int[:, ::1] leaf,
    const float[:, ::1] table,
    long long[::1] sums,
):
    """Add to each sum the leaves that its column of the table reaches."""
    cdef Py_ssize_t columns = table.shape[1], trees = feature.shape[0], depth = feature.shape[1]
    cdef Py_ssize_t start, size, tree, level, i
    cdef int[RUN] reached
    cdef int[RUN] total
    cdef const int* leaves
    with nogil:
        start = 0
        while start < columns:
            size = min(RUN, columns - start)
            memset(total, 0, sizeof(total))
            for tree in range(trees):
                memset(reached, 0, sizeof(reached))
                for level in range(depth):
                    answer(&table[feature[tree, level], start], threshold[tree, level], <int>level, reached, size)
                leaves = &leaf[tree, 0]
                for i in range(size):
                    total[i] += leaves[reached[i]]
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
