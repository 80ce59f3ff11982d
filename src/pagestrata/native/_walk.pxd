# The types with which walk.py is compiled.
cimport cython

cdef int TEXT, WRITES, MEDIA, ROW, CELL, SHOWN, VISITED
cdef str NEW_BLOCK

@cython.locals(last_kind=cython.int, last_reason=cython.int, leaves=Py_ssize_t, leaf=Py_ssize_t, node=Py_ssize_t, stop=Py_ssize_t, up=cython.int, kind=cython.int, reason=cython.int, has_removed=cython.bint)
cpdef mark_shown(const int[::1] tag, const int[::1] parent, const int[::1] flags, const int[::1] leaf_start, const unsigned char[::1] kept, const int[::1] kind_of_tag, const unsigned char[::1] unseen, int shift, int fallback, const unsigned char[::1] removed, unsigned char[::1] shown)

@cython.locals(last_kind=cython.int, node=Py_ssize_t)
cpdef mark_cells(const int[::1] tag, const int[::1] parent, const int[::1] kind_of_tag, int kind, unsigned char[::1] shown)


cdef class Walk:
    cdef const int[::1] tag, end, flags, text_start, text_end, block_start
    cdef const unsigned char[::1] shown, is_visited
    cdef int[::1] ends
    cdef int visited_flags, last_end
    cdef Py_ssize_t node, open, block
    cdef str text

    @cython.locals(steps=list, nodes=Py_ssize_t, node=Py_ssize_t, last_tag=cython.int, open_elements=Py_ssize_t, ended=cython.int, mark=cython.int, tag=cython.int, is_visited=cython.bint)
    cpdef list take(self, Py_ssize_t count)

    @cython.locals(block=Py_ssize_t, blocks=Py_ssize_t, start=cython.int, last_end=cython.int, is_new_block=cython.bint, between=str)
    cdef str gap_before(self, Py_ssize_t node)
