# A Python string as an array of its characters, in the width that it has, without a copy.

from libc.stdint cimport uint8_t, uint16_t, uint32_t
from libc.string cimport memchr

ctypedef fused char_t:
    uint8_t
    uint16_t
    uint32_t

cdef extern from *:
    """
    #define width_of(text) ((int)PyUnicode_KIND(text))
    #define letters_1(text) ((const uint8_t*)PyUnicode_DATA(text))
    #define letters_2(text) ((const uint16_t*)PyUnicode_DATA(text))
    #define letters_4(text) ((const uint32_t*)PyUnicode_DATA(text))
    #define is_alnum(letter) Py_UNICODE_ISALNUM(letter)
    #define is_space(letter) Py_UNICODE_ISSPACE(letter)
    """
    int width_of(str text)
    const uint8_t* letters_1(str text)
    const uint16_t* letters_2(str text)
    const uint32_t* letters_4(str text)
    bint is_alnum(uint32_t letter) noexcept nogil
    bint is_space(uint32_t letter) noexcept nogil


cdef inline Py_ssize_t find_letter(const char_t* at, int letter, Py_ssize_t here, Py_ssize_t size) noexcept nogil:
    # Looks for the byte of the letter, since nothing is faster than that.
    cdef const void* found
    while here < size:
        found = memchr(at + here, letter, (size - here) * sizeof(char_t))
        if found == NULL:
            return size
        here = (<const uint8_t*>found - <const uint8_t*>at) // <Py_ssize_t>sizeof(char_t)
        if at[here] == <char_t>letter:
            return here
        here += 1  # the byte was part of another letter
    return size
