# A Python string as an array of its characters, in the width that it has, without a copy.

from libc.stdint cimport uint8_t, uint16_t, uint32_t

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
    """
    int width_of(str text)
    const uint8_t* letters_1(str text)
    const uint16_t* letters_2(str text)
    const uint32_t* letters_4(str text)
    bint is_alnum(uint32_t letter) noexcept nogil
