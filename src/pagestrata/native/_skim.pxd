cimport cython
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.string cimport memcpy

from pagestrata.native._letters cimport find_letter

cdef int DEEPEST
cdef Py_ssize_t UNSURE, ROOM
cdef uint64_t ALL_BITS, SCRIPT, STYLE, SVG, MATH, TEMPLATE, FRAMESET, PLAINTEXT, TITLE, DESC, TABLE, TEXTAREA
cdef uint64_t XMP, IFRAME, NOEMBED, NOFRAMES
cdef bytes JSON_LD, SHADOW_ROOT, TYPE
cdef const uint8_t* IS_SPACE
cdef const uint8_t* ENDS_NAME
cdef const uint8_t* ENDS_ATTRIBUTE
cdef const uint8_t* LOWERED

@cython.locals(number=uint64_t, letter=uint8_t)
cdef uint64_t spelled(str name)

@cython.locals(walk=Walk, is_sure=cython.bint)
cpdef tuple skim(bytes data, bint with_json_ld)

cdef bint is_letter(uint8_t code) noexcept nogil
cdef bint is_raw(uint64_t name) noexcept nogil
cdef bint holds_text_only(uint64_t name) noexcept nogil


@cython.final
cdef class Walk:
    cdef bytes data
    cdef const uint8_t* at
    cdef Py_ssize_t size, count, total, tag_length, attributes, tag_end, name_start, name_end, value, end
    cdef long long[::1] ranges
    cdef unsigned long long[::1] drawing_names, opened
    cdef list json_ld
    cdef bint all_empty, no_shadow_roots, closes_itself, has_text
    cdef uint64_t tag_name

    @cython.locals(at="const unsigned char*", size=Py_ssize_t, here=Py_ssize_t, end=Py_ssize_t, name=uint64_t)
    cdef bint run(self, bint with_json_ld) except -1

    cdef int leave_out(self, Py_ssize_t start, Py_ssize_t end) except -1

    @cython.locals(
        at="const unsigned char*", size=Py_ssize_t, ends_name="const unsigned char*", lowered="const unsigned char*",
        start=Py_ssize_t, name=uint64_t,
    )
    cdef void read_tag(self, Py_ssize_t here) noexcept

    @cython.locals(at="const unsigned char*", is_space="const unsigned char*", ends_attribute="const unsigned char*")
    cdef bint read_attribute(self, Py_ssize_t here, Py_ssize_t size) noexcept

    @cython.locals(here=Py_ssize_t, tag_end=Py_ssize_t)
    cdef bint find_attribute(self, bytes name) noexcept

    @cython.locals(at="const unsigned char*", size=Py_ssize_t)
    cdef Py_ssize_t end_of_other(self, Py_ssize_t here) noexcept

    @cython.locals(at="const unsigned char*", size=Py_ssize_t, here=Py_ssize_t)
    cdef Py_ssize_t end_of_comment(self, Py_ssize_t start) noexcept

    @cython.locals(at="const unsigned char*", after=Py_ssize_t, name=uint64_t, place=Py_ssize_t)
    cdef bint ends_raw(self, Py_ssize_t here) noexcept

    @cython.locals(at="const unsigned char*", size=Py_ssize_t, has_comment=cython.bint)
    cdef Py_ssize_t end_of_raw(self, Py_ssize_t here) noexcept

    @cython.locals(at="const unsigned char*", here=Py_ssize_t)
    cdef bint may_be_data(self) noexcept

    @cython.locals(end=Py_ssize_t)
    cdef bint is_json_ld(self) noexcept

    @cython.locals(place=Py_ssize_t)
    cdef bint is_of_drawing(self, uint64_t name) noexcept

    @cython.locals(
        at="const unsigned char*", size=Py_ssize_t, is_space="const unsigned char*", depth=cython.int,
        start=Py_ssize_t, around=uint64_t, closing=cython.bint,
    )
    cdef Py_ssize_t end_of_drawing(self, Py_ssize_t here)


cdef inline bint is_like(const uint8_t* at, Py_ssize_t start, Py_ssize_t end, bytes small) noexcept:
    cdef Py_ssize_t place
    cdef const uint8_t* wanted = small
    if end - start != len(small):
        return False
    for place in range(end - start):
        if LOWERED[at[start + place]] != wanted[place]:
            return False
    return True


cdef inline bytes without_ranges(bytes data, long long[::1] ranges, Py_ssize_t count, Py_ssize_t total):
    cdef const char* at = data
    cdef Py_ssize_t here = 0, place
    cdef char* out
    if not total:
        return data
    kept = PyBytes_FromStringAndSize(NULL, len(data) - total)
    out = PyBytes_AS_STRING(kept)
    for place in range(0, count, 2):
        memcpy(out, at + here, ranges[place] - here)
        out += ranges[place] - here
        here = ranges[place + 1]
    memcpy(out, at + here, len(data) - here)
    return kept
