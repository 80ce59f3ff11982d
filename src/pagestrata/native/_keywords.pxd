# The types with which keywords.py is compiled.
cimport cython
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t

cdef extern from "Python.h":
    int kind_of "PyUnicode_KIND" (str text)
    const void* data_of "PyUnicode_DATA" (str text)
    uint32_t letter_at "PyUnicode_READ" (int kind, const void* data, Py_ssize_t at)

cdef const uint8_t* SMALL
cdef const uint8_t* PLAIN
cdef bytes _SCHEME, _SLASHES, _WWW
cdef uint32_t _NO_WORD, _BITS, _WINDOW
cdef uint32_t _BLANK, _HASH, _AMPERSAND, _DELETE, _AT, _UNDERSCORE, _TILDE, _DOT, _SLASH, _COLON, _QUESTION
cdef uint8_t PERSON_NAME, PAID_LINK, ROLE_LINK, PERSON_LINK, NO_PAGE, FRAGMENT, HERE, HOME, NO_RANK, UNREAD
cdef int32_t MAX_NAME_LENGTH, SLOTS

cdef uint32_t spell(uint32_t key, uint32_t letter) noexcept
cdef uint32_t bucket(uint32_t key) noexcept
cpdef uint32_t window_bucket(uint32_t window) noexcept

@cython.locals(key=uint32_t, letter=Py_UCS4)
cpdef uint32_t word_bucket(str word)

cpdef uint32_t word_slot(uint32_t first, uint32_t second, uint32_t last, uint32_t length) noexcept

@cython.locals(i=Py_ssize_t, asked=uint8_t, kind=cython.int, data="const void*")
cpdef mark_values(
    str markup, const int32_t[:] names, const int32_t[:] starts, const int32_t[:] ends,
    const uint8_t[::1] wanted, const uint8_t[::1] words, const uint8_t[::1] windows, uint8_t[::1] marks,
)

@cython.locals(at=Py_ssize_t, found=uint8_t, window=uint32_t, letter=uint32_t, small=uint32_t)
cdef uint8_t name_marks(int kind, const void* data, Py_ssize_t start, Py_ssize_t end, const uint8_t[::1] windows) noexcept

@cython.locals(
    at=Py_ssize_t, found=uint8_t, key=uint32_t, window=uint32_t, letter=uint32_t, small=uint32_t, slashes=int32_t,
)
cdef uint8_t link_marks(
    int kind, const void* data, Py_ssize_t start, Py_ssize_t end,
    const uint8_t[::1] words, const uint8_t[::1] windows,
) noexcept

cdef bint is_ampersand(int kind, const void* data, Py_ssize_t at, Py_ssize_t end) noexcept

@cython.locals(i=Py_ssize_t, kind=cython.int, data="const void*")
cpdef hash_hosts(str markup, const int32_t[:] starts, const int32_t[:] ends, int32_t[::1] hashes)

@cython.locals(at=Py_ssize_t, host=Py_ssize_t, key=uint32_t, letter=uint32_t)
cdef int32_t host_hash(int kind, const void* data, Py_ssize_t start, Py_ssize_t end) noexcept

cdef Py_ssize_t host_start(int kind, const void* data, Py_ssize_t start, Py_ssize_t end) noexcept

@cython.locals(place=Py_ssize_t, letter=uint32_t)
cdef bint begins_with(int kind, const void* data, Py_ssize_t start, Py_ssize_t end, bytes small) noexcept

@cython.locals(i=Py_ssize_t, end=int32_t, kind=cython.int, data="const void*", spelling="const void*")
cpdef rank_names(
    str markup, const int32_t[:] names, const int32_t[:] starts, const int32_t[:] ends, const uint8_t[::1] wanted,
    const uint16_t[::1] slots, str letters, const int32_t[::1] edges,
    const uint16_t[:, ::1] next_phrase, const uint8_t[::1] rank_of_phrase, uint8_t[::1] ranks,
)

@cython.locals(
    at=Py_ssize_t, word_start=Py_ssize_t, rank=uint8_t, before=uint32_t, key=uint32_t, letter=uint32_t,
    word=int32_t, first=uint16_t, second=uint16_t, third=uint16_t, fourth=uint16_t,
)
cdef uint8_t name_rank(
    int kind, const void* data, Py_ssize_t start, Py_ssize_t end, const uint16_t[::1] slots, const void* spelling,
    const int32_t[::1] edges, const uint16_t[:, ::1] next_phrase, const uint8_t[::1] rank_of_phrase,
) noexcept

@cython.locals(slot=uint32_t, word=int32_t, first=uint32_t, second=uint32_t, last=uint32_t)
cdef int32_t find_word(
    int kind, const void* data, Py_ssize_t start, Py_ssize_t end, const uint16_t[::1] slots,
    const void* spelling, const int32_t[::1] edges,
) noexcept

@cython.locals(at=Py_ssize_t)
cdef bint is_spelled(
    int kind, const void* data, Py_ssize_t start, Py_ssize_t end, const void* spelling, Py_ssize_t first
) noexcept

@cython.locals(i=Py_ssize_t)
cpdef mark_lines(
    str text, const int32_t[:] starts, const int32_t[:] ends,
    const uint8_t[::1] wanted, const uint8_t[::1] words, uint8_t[::1] marks,
)

@cython.locals(at=Py_ssize_t, key=uint32_t, letter=uint32_t, is_number=cython.bint)
cpdef uint32_t first_word_bucket(str text, Py_ssize_t start, Py_ssize_t end)

cdef bint is_word_letter(Py_UCS4 letter) noexcept
cdef bint is_decimal(Py_UCS4 letter) noexcept
cdef Py_UCS4 lower_letter(Py_UCS4 letter)
