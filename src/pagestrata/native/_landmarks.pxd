# The types with which landmarks.py is compiled.
cimport cython

cdef int LONG_LINE, TEXT_LINE, LETTER_WORDS, LONGEST_ITEM, LABEL, LABEL_CLIMB
cdef int CONTROL, MAY_CORE, MAY_RECORD, INHERITED
cdef int LIST, TABLE, LAYOUT, UNDRAWN, CODE, HIDDEN, HIDDEN_IF_EMPTY
cdef double SHORT_LINE_SHARE, RECORD_SHARE, LINKED


cdef class LandmarkLoops:
    cdef const int[::1] tag, parent, end
    cdef const unsigned char[::1] hidden
    cdef const int[::1] node_start, holder, word_count, characters, link_characters
    cdef const int[::1] region_of_tag, kind_of_tag
    cdef int[::1] region, first_block, tag_path, record_depth, signed_depth, record, records_inside, branch
    cdef int[::1] branch_steps
    cdef int[::1] is_stamp, is_usable, group
    cdef double[::1] words, all_characters, links, prose, long_lines, stamps, core_share
    cdef readonly Py_ssize_t node_count, block_count
    cdef readonly int core

    @cython.locals(i=Py_ssize_t, block=cython.int, up=cython.int, own=cython.int, path=cython.longlong)
    cpdef walk(self)

    @cython.locals(may_be_undrawn=cython.bint)
    cdef bint is_drawn(self, Py_ssize_t i) noexcept

    @cython.locals(b=Py_ssize_t, words=cython.int, link_share=cython.double, prose=cython.double)
    cpdef sum_up(self)

    @cython.locals(i=Py_ssize_t, one=cython.longlong, up=cython.int, before=cython.int)
    cpdef find_records(self, long long[::1] child_tags, int[::1] last_record)

    @cython.locals(b=Py_ssize_t, i=Py_ssize_t, plain=cython.double, up=cython.int, first=cython.int, last=cython.int, is_signed=cython.bint)
    cpdef hand_down_records(self, int[::1] says_something)

    @cython.locals(b=Py_ssize_t, i=Py_ssize_t, prose=cython.double, node=cython.int, _=cython.int, most=cython.double, is_weighted=cython.bint)
    cpdef find_core(self, const double[::1] weight)

    cdef void count_for_core(self, int node, double prose, double share) noexcept

    @cython.locals(i=Py_ssize_t, node=cython.int, up=cython.int, steps="int[::1]")
    cpdef find_branches(self)

    @cython.locals(i=Py_ssize_t, b=Py_ssize_t, kind=cython.int, first=cython.int, last=cython.int, longest=cython.int, words=cython.int, size=cython.double, linked=cython.double, is_layout=cython.bint, is_short=cython.bint)
    cpdef find_groups(self, int[::1] layout_before)


@cython.locals(b=Py_ssize_t, depth=Py_ssize_t)
cpdef find_outline(const int[::1] level, const int[::1] texts_before, const int[::1] holder, const int[::1] parent, const int[::1] end, const int[::1] first_block, int[::1] stack, int[::1] heading, int[::1] above, int[::1] scope_end)

@cython.locals(node=cython.int, after=cython.int, steps=cython.int)
cdef int scope_of(int b, int level, const int[::1] texts_before, const int[::1] holder, const int[::1] parent, const int[::1] end, const int[::1] first_block) noexcept
