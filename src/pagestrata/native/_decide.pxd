# The types with which decide.py is compiled.
cimport cython

cdef int TEXT_LINE, MIN_PARAGRAPHS, MAX_GAP
cdef double LINKED

@cython.locals(b=Py_ssize_t, node=Py_ssize_t, words=cython.int)
cpdef smooth_groups(double[::1] importance, const int[::1] group, const int[::1] word_count, Py_ssize_t node_count, double[::1] sums)

@cython.locals(b=Py_ssize_t, count=Py_ssize_t, numbers=dict, key=cython.longlong, at=Py_ssize_t, words=cython.int, is_linked=cython.bint, holder="const int[::1]", word_count="const int[::1]", characters="const int[::1]", link_characters="const int[::1]")
cpdef smooth_paragraphs(double[::1] importance, const int[::1] group, tuple blocks, const int[::1] is_usable, const int[::1] parent, const int[::1] tag, int[::1] number, double[::1] sums)

@cython.locals(before=cython.bint)
cdef bint is_beside_copy(Py_ssize_t b, Py_ssize_t other, const int[::1] first_copy, Py_ssize_t count) noexcept

@cython.locals(b=Py_ssize_t, copy=Py_ssize_t, kept=cython.int, count=Py_ssize_t)
cpdef suppress_duplicates(double[::1] importance, const int[::1] group, const int[::1] word_count, const int[::1] first_copy, const int[::1] holder, const int[::1] parent, int[::1] best)

@cython.locals(b=Py_ssize_t, before=Py_ssize_t, missing=Py_ssize_t, holder="const int[::1]", characters="const int[::1]", link_characters="const int[::1]")
cpdef fill_gaps(double[::1] importance, const int[::1] group, tuple blocks, const int[::1] is_usable, const int[::1] parent, double threshold, double filled)

@cython.locals(b=Py_ssize_t, count=Py_ssize_t, first=Py_ssize_t, inside=Py_ssize_t, node=cython.int, above=cython.int, is_shown=cython.bint, holder="const int[::1]")
cpdef keep_groups(double[::1] importance, const int[::1] group, tuple blocks, const int[::1] is_usable, const int[::1] parent, double threshold, double filled)

@cython.locals(b=Py_ssize_t, size=cython.int, one=cython.int, other=cython.int, up=cython.int, other_up=cython.int)
cdef bint is_gap(Py_ssize_t before, Py_ssize_t after, const int[::1] group, const int[::1] is_usable, const int[::1] characters, const int[::1] link_characters, const int[::1] holder, const int[::1] parent)

@cython.locals(b=Py_ssize_t, place=Py_ssize_t, page=Py_ssize_t, factor=cython.double, expected=cython.double, last=Py_ssize_t, most=cython.double, right=cython.double, taken=cython.double)
cpdef Py_ssize_t last_kept(const long long[::1] order, const double[::1] importance, const double[::1] words, double sharpening, double recall, double min_words, const double[::1] factors, double[::1] odds, double[::1] scores)

@cython.locals(b=Py_ssize_t, expected=cython.double, right=cython.double, taken=cython.double, kept=Py_ssize_t)
cpdef double expected_score(const double[::1] importance, const double[::1] words, double threshold, double min_words)
