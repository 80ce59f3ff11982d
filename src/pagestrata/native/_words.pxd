cimport cython
from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcmp, memcpy

from pagestrata.native._letters cimport char_t, is_alnum, letters_1, letters_2, letters_4, width_of

cdef int32_t BUCKETS, STAMP_WORDS, MOST_PROBES
cdef Py_ssize_t LINE_START, NAME_START
cdef uint64_t NO_WORD
cdef const uint8_t* SMALL
cdef bytes COMMENT
cdef const uint8_t* SMALL_LETTER

cdef uint64_t spell(uint64_t key, uint32_t letter) noexcept nogil
cdef int32_t bucket_of_key(uint64_t key) noexcept nogil

@cython.locals(
    number="const int[:]", start="const int[:]", end="const int[:]", wanted="const unsigned char[::1]", a=Py_ssize_t,
    room=Py_ssize_t, length=Py_ssize_t, size=Py_ssize_t, width=cython.int, places="int[::1]", buckets="int[::1]",
)
cpdef tuple name_words(str markup, attributes, const int[:] attribute_end, is_name)

@cython.locals(
    a=Py_ssize_t, i=Py_ssize_t, size=Py_ssize_t, node=Py_ssize_t, last=Py_ssize_t, key=uint64_t,
    letter=uint32_t, small=uint32_t, letters=int32_t, after_small=cython.bint, small_of="const unsigned char*",
    comment="const unsigned char*", matched=cython.int, comment_bucket=int32_t,
)
cdef Py_ssize_t _name_words(const char_t* markup, Py_ssize_t length, const int[:] number, const int[:] start, const int[:] end, const int[:] attribute_end, const unsigned char[::1] wanted, int[::1] place, int[::1] bucket)

@cython.locals(key=uint64_t, letter=uint32_t)
cdef int32_t bucket_of_comment() noexcept

@cython.locals(line=Py_ssize_t, room=Py_ssize_t, size=Py_ssize_t, width=cython.int, places="int[::1]", buckets="int[::1]")
cpdef tuple line_words(str text, const int[:] start, const int[:] end, Py_ssize_t most)

@cython.locals(line=Py_ssize_t, size=Py_ssize_t, first=Py_ssize_t)
cdef Py_ssize_t _line_words(const char_t* text, Py_ssize_t length, const int[:] start, const int[:] end, Py_ssize_t most, int[::1] place, int[::1] bucket)

@cython.locals(
    bits="unsigned char[::1]", bucket="int[::1]", number=cython.int, text=str, width=cython.int, stop=Py_ssize_t,
    size=Py_ssize_t, k=Py_ssize_t,
)
cpdef said_words(tuple texts, Py_ssize_t most)

@cython.locals(i=Py_ssize_t, key=uint64_t, letter=uint32_t, in_word=cython.bint, small_of="const unsigned char*")
cdef Py_ssize_t read_words(const char_t* text, Py_ssize_t start, Py_ssize_t stop, int[::1] bucket, Py_ssize_t size) noexcept

@cython.locals(width=cython.int)
cpdef Py_ssize_t count_prices(str text, const int[:] start, const int[:] end)

@cython.locals(line=Py_ssize_t, i=Py_ssize_t, count=uint32_t)
cdef Py_ssize_t _count_prices(const char_t* text, Py_ssize_t length, const int[:] start, const int[:] end) noexcept

@cython.locals(width=cython.int)
cpdef read_marks(str text, const int[::1] start, const int[::1] end, const int[::1] words, int[::1] stamped, int[::1] ended)

@cython.locals(line=Py_ssize_t, first=Py_ssize_t, stop=Py_ssize_t, last=uint32_t)
cdef void _read_marks(const char_t* text, const int[::1] start, const int[::1] end, const int[::1] words, int[::1] stamped, int[::1] ended) noexcept

@cython.locals(i=Py_ssize_t, found=char_t)
cdef bint has_digit(const char_t* text, Py_ssize_t start, Py_ssize_t stop) noexcept nogil

@cython.locals(
    i=Py_ssize_t, letter=uint32_t, numbers=int32_t, run=int32_t, is_time=cython.bint, is_ago=cython.bint,
    after_sign=cython.bint,
)
cdef bint tells_time(const char_t* text, Py_ssize_t start, Py_ssize_t stop) noexcept nogil

@cython.locals(
    count=Py_ssize_t, room=uint64_t, line_at="int[::1]", line=Py_ssize_t, other=Py_ssize_t, place=uint64_t, _=cython.int
)
cpdef find_copies(str text, const int[::1] start, const int[::1] end, int[::1] first)


cdef inline uint64_t mixed(uint64_t key, uint64_t some) noexcept nogil:
    key = (key ^ some) * <uint64_t>0x9E3779B97F4A7C15
    return key ^ (key >> 32)


cdef inline uint64_t key_of(str text, Py_ssize_t start, Py_ssize_t end) noexcept:
    # A number for a text, eight bytes at a time; the last ones may be read twice.
    cdef Py_ssize_t width = width_of(text), size = (end - start) * width
    cdef const uint8_t* here = letters_1(text) + start * width
    cdef const uint8_t* last
    cdef uint64_t key = <uint64_t>size, some = 0
    if size < 8:
        memcpy(&some, here, size)
        return mixed(key, some)
    last = here + size - 8
    while here < last:
        memcpy(&some, here, 8)
        key = mixed(key, some)
        here += 8
    memcpy(&some, last, 8)
    return mixed(key, some)


cdef inline bint is_same_text(str text, Py_ssize_t start, Py_ssize_t end, Py_ssize_t other, Py_ssize_t other_end) noexcept:
    cdef Py_ssize_t width = width_of(text), size = (end - start) * width
    if end - start != other_end - other:
        return False
    return memcmp(letters_1(text) + start * width, letters_1(text) + other * width, size) == 0
