# The types with which measure.py is compiled.
cimport cython

cdef int LEVELS, LONG_LINE, TEXT_LINE, LETTER_WORDS
cdef int LIST, TABLE, LAYOUT, LONGEST_ITEM, WIDEST_HOLE, FEWEST_PARAGRAPHS
cdef int NEAR_STAMPS
cdef int CONTROL, MAY_CORE, MAY_RECORD, INHERITED
cdef double LINKED, SHORT_LINE_SHARE, RECORD_SHARE, STEP


cdef class Measures:
    cdef const int[::1] tag, parent, end, container
    cdef const int[::1] node_start, node_end, holder, word_count, characters, link_characters
    cdef const int[::1] meaning_of_tag
    cdef int[::1] meaning, first, path, cover, signed, inner, beside, branch
    cdef double[::1] words, all_characters, links, prose, long, copied, core_shares, name_weight
    cdef float[::1] table
    cdef readonly Py_ssize_t nodes, count
    cdef int core

    @cython.locals(i=Py_ssize_t, block=cython.int, up=cython.int, own=cython.int, path=cython.longlong)
    cpdef walk(self)

    @cython.locals(b=Py_ssize_t, count=Py_ssize_t, table="float[::1]", words=cython.int, share=cython.double, prose=cython.double, usable=cython.bint)
    cpdef add_up(self, Py_ssize_t at, const int[::1] is_unseen, const int[::1] hidden_by, const int[::1] stamped, const int[::1] ended)

    @cython.locals(i=Py_ssize_t, one=cython.longlong, up=cython.int, before=cython.int)
    cpdef find_records(self, int[::1] stamped, long long[::1] kinds, int[::1] last)

    @cython.locals(b=Py_ssize_t, i=Py_ssize_t, seen="int[::1]", plain=cython.double, up=cython.int, first=cython.int, last=cython.int, texts=cython.int, stamps=cython.int)
    cpdef hand_down_records(self, int[::1] stamped)

    @cython.locals(b=Py_ssize_t, i=Py_ssize_t, prose=cython.double, node=cython.int, _=cython.int, most=cython.double)
    cpdef find_core(self)

    cdef void vouch(self, int node, double prose, double share) noexcept

    @cython.locals(i=Py_ssize_t, node=cython.int, up=cython.int)
    cpdef find_branches(self, int[::1] steps)

    @cython.locals(b=Py_ssize_t, around=cython.int, level=cython.int)
    cpdef containers(self, Py_ssize_t at)

    @cython.locals(count=Py_ssize_t, table="float[::1]", words=cython.double)
    cdef void stretch(self, Py_ssize_t place, int first, int last) noexcept

    @cython.locals(b=Py_ssize_t, count=Py_ssize_t, table="float[::1]", core=cython.int, start=cython.int, end=cython.int, words=cython.double, links=cython.double, node=cython.int, holder=cython.int, up=cython.int, record=cython.int, first=cython.int, last=cython.int)
    cpdef around_core(self, Py_ssize_t at, int[::1] steps)

    @cython.locals(b=Py_ssize_t, count=Py_ssize_t, table="float[::1]", node=cython.int, first=cython.int, last=cython.int, words=cython.double)
    cpdef branches(self, Py_ssize_t at, int[::1] stamped)

    @cython.locals(b=Py_ssize_t, count=Py_ssize_t, table="float[::1]", groups=dict, path=cython.int, place=Py_ssize_t)
    cpdef same_path(self, Py_ssize_t at, int[::1] group, double[::1] sums)

    @cython.locals(b=Py_ssize_t, count=Py_ssize_t, table="float[::1]", around=cython.int)
    cpdef copies(self, Py_ssize_t at, const int[::1] first, int[::1] times)

    @cython.locals(up=cython.int)
    cdef int around(self, int node) noexcept

    @cython.locals(first=cython.int, last=cython.int)
    cdef double copied_share(self, int node) noexcept

    @cython.locals(b=Py_ssize_t, count=Py_ssize_t, table="float[::1]", place=Py_ssize_t, step=cython.int, beside=Py_ssize_t, width=cython.int, first=Py_ssize_t, last=Py_ssize_t, words=cython.double)
    cpdef neighbours(self, Py_ssize_t at)

    @cython.locals(b=Py_ssize_t, count=Py_ssize_t, table="float[::1]", all_words=cython.double, all_prose=cython.double)
    cpdef places(self, Py_ssize_t at, Py_ssize_t title)

    @cython.locals(
        b=Py_ssize_t, count=Py_ssize_t, table="float[::1]", prose="double[::1]", start=Py_ssize_t, total=cython.int,
        last=Py_ssize_t, second=Py_ssize_t, long_start=Py_ssize_t, long_end=Py_ssize_t, longest=cython.double,
        stamps=Py_ssize_t, seen=cython.int, following=Py_ssize_t, is_stamp=cython.bint, first=Py_ssize_t, end=Py_ssize_t,
    )
    cpdef talk(self, Py_ssize_t at, const int[::1] stamped, Py_ssize_t title)

    @cython.locals(b=Py_ssize_t, count=Py_ssize_t, table="float[::1]", last=Py_ssize_t, tag=cython.int, level=cython.int)
    cpdef headings(self, Py_ssize_t at, int first_heading, int last_heading)

    @cython.locals(b=Py_ssize_t, count=Py_ssize_t, table="float[::1]", holder=cython.int, meaning=cython.int, kind=cython.int, bit=cython.int)
    cpdef meanings(self, Py_ssize_t at, int bits, const int[::1] kinds, int kind_rows)

    @cython.locals(i=Py_ssize_t, b=Py_ssize_t, part=cython.int, first=cython.int, last=cython.int, longest=cython.int, words=cython.int, size=cython.double, total=cython.double, linked=cython.double)
    cpdef even_out(self, double[::1] importance, const int[::1] part_of_tag, int[::1] layout, int[::1] whole)

    @cython.locals(b=Py_ssize_t, groups=dict, is_linked=cython.bint, holder=cython.int, key=cython.longlong, place=Py_ssize_t, words=cython.int)
    cpdef even_paragraphs(self, double[::1] importance, const float[::1] usable, const int[::1] whole, int[::1] group, double[::1] sums)

    @cython.locals(b=Py_ssize_t, kept=cython.int)
    cpdef leave_copies(self, double[::1] importance, const int[::1] whole, const int[::1] first, int[::1] best)

    cdef bint is_line_of_text(self, Py_ssize_t b, const int[::1] whole) noexcept

    @cython.locals(b=Py_ssize_t, before=Py_ssize_t, missing=Py_ssize_t)
    cpdef fill_holes(self, double[::1] importance, const float[::1] usable, const int[::1] whole, double keep_from, double lifted_to)

    @cython.locals(b=Py_ssize_t, size=cython.int, one=cython.int, other=cython.int, up=cython.int, other_up=cython.int)
    cdef bint is_hole(self, Py_ssize_t before, Py_ssize_t after, const float[::1] usable, const int[::1] whole)

    @cython.locals(b=Py_ssize_t, i=Py_ssize_t, k=Py_ssize_t, count=Py_ssize_t, nodes=Py_ssize_t, table="float[::1]", own=cython.double, up=cython.int, node=cython.int)
    cpdef names(self, Py_ssize_t at, const int[::1] place, const int[::1] bucket, Py_ssize_t size, const signed char[::1] weights, double[::1] scratch)

    @cython.locals(
        b=Py_ssize_t, k=Py_ssize_t, count=Py_ssize_t, table="float[::1]", mean=cython.double, low=cython.double,
        branch_mean=cython.double, last_branch=cython.int, branch=cython.int, known=cython.int, words=cython.int,
        titled=cython.int, described=cython.int, heads=cython.int, total=cython.double, head_total=cython.double,
        least=cython.double, head_least=cython.double, most=cython.double, weight=cython.double, head=cython.double,
    )
    cpdef lines(self, Py_ssize_t at, const int[::1] place, const int[::1] bucket, Py_ssize_t size, const signed char[::1] line_weights, const signed char[::1] heading_weights, const unsigned char[::1] said, Py_ssize_t heading_rows)

    @cython.locals(b=Py_ssize_t, i=Py_ssize_t, row=Py_ssize_t, count=Py_ssize_t, table="float[::1]", words=cython.double)
    cpdef whole(self, Py_ssize_t at, double[::1] told, const int[::1] stamped, const int[::1] counted)


@cython.locals(b=Py_ssize_t, place=Py_ssize_t, page=Py_ssize_t, factor=cython.double, expected=cython.double, last=Py_ssize_t, most=cython.double, right=cython.double, taken=cython.double)
cpdef Py_ssize_t last_kept(const long long[::1] order, const double[::1] importance, const double[::1] words, double by, double recall, double least, const double[::1] factors, double[::1] odds, double[::1] found)

@cython.locals(b=Py_ssize_t, expected=cython.double, right=cython.double, taken=cython.double, kept=Py_ssize_t)
cpdef double expected_score(const double[::1] importance, const double[::1] words, double keep_from, double least)
