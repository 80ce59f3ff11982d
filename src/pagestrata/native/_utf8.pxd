# The types with which utf8.py is compiled.
cimport cython
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy

from pagestrata.native._letters cimport char_t, letters_1, letters_2, letters_4

cdef extern from "Python.h":
    str PyUnicode_New(Py_ssize_t size, Py_UCS4 highest)

cdef enum:
    ASCII_BYTES = 16

cdef struct Measured:
    int state
    Py_ssize_t characters
    uint8_t highest

cdef int BROKEN, CUT_OFF, WHOLE

cpdef bint is_utf8(bytes data)

@cython.locals(measured=Measured)
cpdef str decode_utf8(bytes data)

@cython.locals(
    here=Py_ssize_t, characters=Py_ssize_t, highest=uint8_t, plain=Py_ssize_t, lead=uint8_t, low=uint8_t, high=uint8_t,
    more=cython.int,
)
cdef Measured measure(const uint8_t* at, Py_ssize_t size) noexcept nogil


cdef inline Py_ssize_t ascii_ahead(const uint8_t* at, Py_ssize_t here, Py_ssize_t size) noexcept nogil:
    cdef uint64_t[2] halves
    if here + ASCII_BYTES > size:
        return 0
    memcpy(halves, at + here, ASCII_BYTES)
    return 0 if (halves[0] | halves[1]) & 0x8080808080808080ULL else ASCII_BYTES


cdef inline str widened(bytes data, Py_ssize_t characters, uint8_t highest):
    cdef str text
    cdef const uint8_t* at = data
    if highest < 0x80:
        text = PyUnicode_New(characters, 0x7F)
        memcpy(<uint8_t*>letters_1(text), at, characters)
    elif highest < 0xC4:
        text = PyUnicode_New(characters, 0xFF)
        widen(at, len(data), <uint8_t*>letters_1(text))
    elif highest < 0xF0:
        text = PyUnicode_New(characters, 0xFFFF)
        widen(at, len(data), <uint16_t*>letters_2(text))
    else:
        text = PyUnicode_New(characters, 0x10FFFF)
        widen(at, len(data), <uint32_t*>letters_4(text))
    return text


cdef inline void widen(const uint8_t* at, Py_ssize_t size, char_t* out) noexcept nogil:
    cdef Py_ssize_t here = 0
    cdef int place
    cdef uint8_t lead
    cdef uint8_t[ASCII_BYTES] some
    while here < size:
        if ascii_ahead(at, here, size):
            memcpy(some, at + here, ASCII_BYTES)  # or compilers would fear that `out` is the same memory
            for place in range(ASCII_BYTES):
                out[place] = some[place]
            here += ASCII_BYTES
            out += ASCII_BYTES
            continue
        lead = at[here]
        if lead < 0x80:
            out[0] = lead
            here += 1
        elif lead < 0xE0:
            out[0] = <char_t>((lead & 0x1F) << 6 | at[here + 1] & 0x3F)
            here += 2
        elif lead < 0xF0:
            out[0] = <char_t>((lead & 0x0F) << 12 | (at[here + 1] & 0x3F) << 6 | at[here + 2] & 0x3F)
            here += 3
        else:
            out[0] = <char_t>((lead & 0x07) << 18 | (at[here + 1] & 0x3F) << 12 | (at[here + 2] & 0x3F) << 6
                              | at[here + 3] & 0x3F)
            here += 4
        out += 1
