# The types with which context.py is compiled.
cimport cython

cdef int LEVELS
cdef double UNUSABLE, NONE, EXTRA_WORDS
cdef Py_ssize_t ROW_SCORE, ROW_SCORE_BEFORE, ROW_SCORE_AFTER, ROW_MEAN, ROW_WITHIN, ROW_PATH, ROW_BRANCH, ROW_RECORD, ROW_RECORDS, ROW_COMMENTS, ROW_TEXT_BEFORE, ROW_TEXT_AFTER, ROW_ABOVE_THRESHOLD, ROW_KEPT_BEFORE, ROW_FROM_FIRST, ROW_FROM_LAST, ROW_RANK


cdef class ContextLoops:
    cdef const int[::1] parent, end, container, node_start, holder, word_count, first_block, tag_path, record, branch
    cdef const int[::1] is_usable
    cdef const double[::1] log_odds, chance
    cdef double[::1] words, text
    cdef float[::1] table
    cdef Py_ssize_t count

    @cython.locals(b=Py_ssize_t, words=cython.double)
    cpdef sum_up(self)

    cdef double mean(self, Py_ssize_t first, Py_ssize_t last) noexcept

    cdef double mean_of(self, int node) noexcept

    @cython.locals(b=Py_ssize_t, count=Py_ssize_t, table="float[::1]", score=cython.float)
    cpdef own(self)

    @cython.locals(
        b=Py_ssize_t, count=Py_ssize_t, table="float[::1]", node=cython.int, up=cython.int, level=cython.int,
        place=Py_ssize_t, first=Py_ssize_t, last=Py_ssize_t, record=cython.int, is_comment=cython.bint,
    )
    cpdef means(self, const int[::1] widths, const int[::1] comment_start, const int[::1] comment_stop, const int[::1] found_by)

    @cython.locals(b=Py_ssize_t, count=Py_ssize_t, table="float[::1]", groups=dict, at=Py_ssize_t)
    cpdef same_path(self, int[::1] path_group, double[::1] sums)

    @cython.locals(
        b=Py_ssize_t, count=Py_ssize_t, table="float[::1]", threshold=cython.float, first=Py_ssize_t, last=Py_ssize_t,
        kept=cython.double, all_kept=cython.double, all_text=cython.double,
    )
    cpdef curve(self, const long long[::1] order)

    @cython.locals(
        b=Py_ssize_t, place=Py_ssize_t, expected=cython.double, right=cython.double, taken=cython.double,
        most=cython.double, best=Py_ssize_t, score=cython.double,
    )
    cdef float best_threshold(self, const long long[::1] order) noexcept
