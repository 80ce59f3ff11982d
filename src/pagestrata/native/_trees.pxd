cimport cython
from libc.string cimport memset

cimport pagestrata.native._wide

cdef Py_ssize_t RUN, AT_ONCE

@cython.locals(
    columns=Py_ssize_t, trees=Py_ssize_t, depth=Py_ssize_t, reached="int[:, ::1]", start=Py_ssize_t, size=Py_ssize_t,
    tree=Py_ssize_t, more=Py_ssize_t, row=Py_ssize_t, level=cython.int, total="int[::1]", i=Py_ssize_t,
)
cpdef sum_leaves(const int[:, ::1] feature, const float[:, ::1] threshold, const int[:, ::1] leaf, const float[:, ::1] table, long long[::1] sums)

@cython.locals(
    columns=Py_ssize_t, trees=Py_ssize_t, depth=Py_ssize_t, reached="int[:, ::1]", start=Py_ssize_t, size=Py_ssize_t,
    tree=Py_ssize_t, level=cython.int,
)
cpdef add_steps(const int[:, ::1] feature, const float[:, ::1] threshold, const int[:, ::1] group, const long long[:, ::1] steps, const float[:, ::1] table, long long[:, ::1] moved)


cdef extern from *:
    """
    PAGESTRATA_WIDE
    static void answer_run(const float* values, float above, int level, int* reached, Py_ssize_t size) {
        for (Py_ssize_t i = 0; i < size; i++) reached[i] |= (values[i] > above) << level;
    }
    PAGESTRATA_WIDE
    static void answer_six_run(const float* const* row, const float* above, int* reached, Py_ssize_t size) {
        const float *a = row[0], *b = row[1], *c = row[2], *d = row[3], *e = row[4], *f = row[5];
        const float u = above[0], v = above[1], w = above[2], x = above[3], y = above[4], z = above[5];
        for (Py_ssize_t i = 0; i < size; i++)
            reached[i] = (a[i] > u) | (b[i] > v) << 1 | (c[i] > w) << 2 | (d[i] > x) << 3 | (e[i] > y) << 4
                         | (f[i] > z) << 5;
    }
    PAGESTRATA_WIDE
    static void add_four(const int* restrict leaf, Py_ssize_t leaves, const int* restrict reached, Py_ssize_t run,
                         int* restrict total, Py_ssize_t size) {
        for (Py_ssize_t i = 0; i < size; i++)
            total[i] += leaf[reached[i]] + leaf[leaves + reached[run + i]] + leaf[2 * leaves + reached[2 * run + i]]
                        + leaf[3 * leaves + reached[3 * run + i]];
    }
    """
    void add_four(const int* leaf, Py_ssize_t leaves, const int* reached, Py_ssize_t run, int* total, Py_ssize_t size) nogil
    void answer_run(const float* values, float above, int level, int* reached, Py_ssize_t size) nogil
    void answer_six_run(const float** row, const float* above, int* reached, Py_ssize_t size) nogil


cdef inline void answer(const int[:, ::1] feature, const float[:, ::1] threshold, Py_ssize_t tree, int level, const float[:, ::1] table, Py_ssize_t start, Py_ssize_t size, int[:, ::1] reached, Py_ssize_t row) noexcept:
    if level == 0:
        memset(&reached[row, 0], 0, size * sizeof(int))
    answer_run(&table[feature[tree, level], start], threshold[tree, level], level, &reached[row, 0], size)


cdef inline void answer_six(const int[:, ::1] feature, const float[:, ::1] threshold, Py_ssize_t tree, Py_ssize_t trees, const float[:, ::1] table, Py_ssize_t start, Py_ssize_t size, int[:, ::1] reached) noexcept:
    cdef (const float*)[6] values
    cdef Py_ssize_t level, row
    for row in range(trees):
        for level in range(6):
            values[level] = &table[feature[tree + row, level], start]
        answer_six_run(values, &threshold[tree + row, 0], &reached[row, 0], size)


cdef inline void add_leaves(const int[:, ::1] leaf, Py_ssize_t tree, Py_ssize_t trees, int[:, ::1] reached, int[::1] total, Py_ssize_t size) noexcept:
    cdef Py_ssize_t i, row
    if trees == 4:
        add_four(&leaf[tree, 0], leaf.shape[1], &reached[0, 0], reached.shape[1], &total[0], size)
        return
    for row in range(trees):
        for i in range(size):
            total[i] += leaf[tree + row, reached[row, i]]


cdef inline void add_taken(const long long[:, ::1] steps, Py_ssize_t tree, Py_ssize_t first, int[:, ::1] reached, long long[:, ::1] moved, Py_ssize_t group, Py_ssize_t start, Py_ssize_t size) noexcept:
    cdef const long long* taken = &steps[tree, first]
    cdef const int* leaf = &reached[0, 0]
    cdef long long* row = &moved[group, start]
    cdef Py_ssize_t i
    for i in range(size):
        row[i] += taken[leaf[i]]
