# The types with which type_numbers.py is compiled.
cimport cython

cdef int LONG_LINE, VERY_LONG_LINE
cdef double MAX_LINK_SHARE, MAIN_LINK_SHARE
cdef int PARAGRAPH, ITEM, CELL, HEADING, CODE
cdef int LINKS, PARAGRAPHS, ITEMS, CELLS, HEADINGS, CODES, LONG, VERY_LONG, HEADS, LINKED_HEADS, PRICES, TIMES, STAMPS
cdef int SIGNED, LINKED, PICTURED, LARGEST_GROUP, GROUP, GROUP_WORDS, GROUP_SIGNED, GROUP_LINKED, GROUP_PICTURED


@cython.final
cdef class BlockReader:
    cdef const int[::1] words, is_usable, container, is_price, is_time, is_stamp
    cdef const double[::1] link_share

    @cython.locals(b=Py_ssize_t, total=cython.longlong, words=cython.int, share=cython.double, kind=cython.int)
    cpdef long long add_up(self, Py_ssize_t first, Py_ssize_t last, double[::1] sums)

    @cython.locals(b=Py_ssize_t, count=Py_ssize_t)
    cpdef Py_ssize_t list_lines(self, int[::1] lines)

    @cython.locals(b=Py_ssize_t, count=Py_ssize_t)
    cpdef Py_ssize_t list_texts(self, int[::1] texts)

    cdef bint is_text(self, Py_ssize_t b) noexcept

    @cython.locals(b=Py_ssize_t, longest=cython.longlong, run=cython.longlong)
    cpdef long long longest_run(self)


@cython.locals(place=Py_ssize_t, node=cython.int, group=cython.int, best=cython.int, end=cython.int, first=cython.int, last=cython.int, size=cython.double, is_linked=cython.bint, is_pictured=cython.bint)
cpdef measure_records(
    const int[::1] records,
    const int[::1] is_signed,
    const int[::1] node_end,
    const int[::1] parent,
    const int[::1] first_block,
    const double[::1] words,
    const double[::1] characters,
    const double[::1] link_characters,
    const int[::1] images,
    int[::1] group_size,
    double[::1] group_words,
    double[::1] sizes,
    double[::1] measures,
)
