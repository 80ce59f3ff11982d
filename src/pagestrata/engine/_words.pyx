# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""The words and marks of a page, letter by letter; see `words_by_pattern`, which finds the same without a compiler."""

from cpython.unicode cimport PyUnicode_DATA, PyUnicode_KIND, Py_UNICODE_ISALNUM
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcmp, memcpy

import numpy as np

from pagestrata.engine import measure

ctypedef fused char_t:
    uint8_t
    uint16_t
    uint32_t

cdef enum:
    ASCII = 128
    FEWEST_LETTERS = 3
    MOST_LETTERS = 19
    MOST_LOOKS = 64  # at the places of a table a quarter full: more only if somebody wrote the text to that end

cdef uint64_t NO_WORD = 1_000_000_007
cdef int32_t BUCKETS = measure.BUCKETS
cdef Py_ssize_t NAME_START = measure.NAME_START, LINE_START = measure.LINE_START
cdef int32_t STAMP_WORDS = measure.STAMP_WORDS
cdef uint8_t[ASCII] SMALL  # each letter and digit of ASCII as a small one, 0 for what is neither
cdef uint8_t _code
for _code in range(ASCII):
    SMALL[_code] = ord(chr(_code).lower()) if chr(_code).isalnum() else 0


cdef inline uint64_t _spell(uint64_t key, uint32_t letter) noexcept nogil:
    return ((key ^ letter) * 16_777_619) & 1_073_741_823


cdef inline int32_t _bucket(uint64_t key) noexcept nogil:
    return <int32_t>((key ^ (key >> 16)) & 65_535)


def name_words(str markup not None, const int32_t[:, :] attributes, const int32_t[:] attribute_end, is_name):
    """See `words_by_pattern.name_words`."""
    cdef const uint8_t[::1] wanted = is_name.view(np.uint8)
    cdef Py_ssize_t count = attributes.shape[1], a, size, room = 0
    for a in range(count):
        if wanted[attributes[0, a]]:
            size = attributes[3, a] - attributes[2, a]
            room += min(size, NAME_START) // FEWEST_LETTERS + 1
    place, bucket = np.empty(room, np.int32), np.empty(room, np.int32)
    cdef int32_t[::1] places = place, buckets = bucket
    cdef int kind = PyUnicode_KIND(markup)
    cdef void* at = PyUnicode_DATA(markup)
    if kind == 1:
        size = _name_words(<const uint8_t*>at, attributes, attribute_end, wanted, places, buckets)
    elif kind == 2:
        size = _name_words(<const uint16_t*>at, attributes, attribute_end, wanted, places, buckets)
    else:
        size = _name_words(<const uint32_t*>at, attributes, attribute_end, wanted, places, buckets)
    return place, bucket, size


cdef Py_ssize_t _name_words(
    const char_t* markup,
    const int32_t[:, :] attributes,
    const int32_t[:] attribute_end,
    const uint8_t[::1] wanted,
    int32_t[::1] place,
    int32_t[::1] bucket,
):
    cdef Py_ssize_t a, i, stop, size = 0, node = 0
    cdef uint64_t key
    cdef uint32_t letter, small
    cdef int32_t letters
    cdef bint after_small
    for a in range(attributes.shape[1]):
        if not wanted[attributes[0, a]]:
            continue
        while attribute_end[node] <= a:  # the last node ends where the attributes do
            node += 1
        key, letters, after_small = NO_WORD, 0, False
        i, stop = attributes[2, a], min(attributes[3, a], attributes[2, a] + NAME_START)
        while i <= stop:
            letter = markup[i] if i < stop else 0
            small = SMALL[letter] if letter < ASCII else 0
            if small < 97:  # no letter
                small = 0
            if letters and (small == 0 or (letter < 97 and after_small)):
                if FEWEST_LETTERS <= letters <= MOST_LETTERS:
                    place[size], bucket[size] = <int32_t>node, _bucket(key)
                    size += 1
                key, letters = NO_WORD, 0
            if small:
                key = _spell(key, small)
                letters += 1
            after_small = small and letter >= 97
            i += 1
    return size


def line_words(str text not None, const int32_t[:] start, const int32_t[:] end, Py_ssize_t most):
    """See `words_by_pattern.line_words`."""
    cdef Py_ssize_t line, size = 0, room = 0
    for line in range(start.shape[0]):
        room += min(end[line] - start[line], most) // 2 + 1
    place, bucket = np.empty(room, np.int32), np.empty(room, np.int32)
    cdef int32_t[::1] places = place, buckets = bucket
    cdef Py_ssize_t first
    for line in range(start.shape[0]):
        first = size
        size += _words_of(text, start[line], min(end[line], start[line] + most), &buckets[0] + size)
        while first < size:
            places[first] = <int32_t>line
            first += 1
    return place, bucket, size


def said_words(tuple texts not None, Py_ssize_t most):
    """See `words_by_pattern.said_words`."""
    said = np.zeros(BUCKETS, np.uint8)
    cdef uint8_t[::1] bits = said
    cdef Py_ssize_t number, k, size
    cdef int32_t[::1] bucket = np.empty(most // 2 + 1, np.int32)
    for number in range(len(texts)):
        size = _words_of(texts[number], 0, min(len(texts[number]), most), &bucket[0])
        for k in range(size):
            bits[bucket[k]] |= 1 << number
    return said


cdef inline Py_ssize_t _words_of(str text, Py_ssize_t start, Py_ssize_t stop, int32_t* bucket):
    """The words of a stretch; returns how many."""
    cdef int kind = PyUnicode_KIND(text)
    cdef void* at = PyUnicode_DATA(text)
    if kind == 1:
        return _words(<const uint8_t*>at, start, stop, bucket)
    if kind == 2:
        return _words(<const uint16_t*>at, start, stop, bucket)
    return _words(<const uint32_t*>at, start, stop, bucket)


cdef inline Py_ssize_t _words(const char_t* text, Py_ssize_t start, Py_ssize_t stop, int32_t* bucket) noexcept:
    cdef Py_ssize_t i, size = 0
    cdef uint64_t key = NO_WORD
    cdef uint32_t letter
    cdef bint in_word = False
    for i in range(start, stop):
        letter = text[i]
        if letter < ASCII:
            letter = SMALL[letter]
        elif not Py_UNICODE_ISALNUM(<Py_UCS4>letter):
            letter = 0
        if letter:
            key = _spell(key, letter)
            in_word = True
        elif in_word:
            bucket[size] = _bucket(key)
            size += 1
            key, in_word = NO_WORD, False
    if in_word:
        bucket[size] = _bucket(key)
        size += 1
    return size


def count_prices(str text not None):
    """See `words_by_pattern.count_prices`."""
    cdef int kind = PyUnicode_KIND(text)
    cdef void* at = PyUnicode_DATA(text)
    if kind == 1:
        return _count_prices(<const uint8_t*>at, len(text))
    if kind == 2:
        return _count_prices(<const uint16_t*>at, len(text))
    return _count_prices(<const uint32_t*>at, len(text))


cdef Py_ssize_t _count_prices(const char_t* text, Py_ssize_t size) noexcept:
    cdef Py_ssize_t i
    cdef uint32_t found = 0
    for i in range(size):
        found += (text[i] == 36) | (text[i] == 0xA3) | (text[i] == 0xA5) | (text[i] == 0x20AC)  # $ £ ¥ €
    return found


def read_marks(
    str text not None,
    const int32_t[::1] start,
    const int32_t[::1] end,
    const int32_t[::1] words,
    int32_t[::1] stamped,
    int32_t[::1] ended,
):
    """See `words_by_pattern.read_marks`."""
    cdef int kind = PyUnicode_KIND(text)
    cdef void* at = PyUnicode_DATA(text)
    if kind == 1:
        _read_marks(<const uint8_t*>at, start, end, words, stamped, ended)
    elif kind == 2:
        _read_marks(<const uint16_t*>at, start, end, words, stamped, ended)
    else:
        _read_marks(<const uint32_t*>at, start, end, words, stamped, ended)


cdef void _read_marks(
    const char_t* text,
    const int32_t[::1] start,
    const int32_t[::1] end,
    const int32_t[::1] words,
    int32_t[::1] stamped,
    int32_t[::1] ended,
) noexcept:
    cdef Py_ssize_t line, i, first, stop
    cdef uint32_t letter, last
    cdef int32_t numbers, run
    cdef bint is_time, is_ago, after_sign
    for line in range(start.shape[0]):
        first, stop = start[line], min(end[line], start[line] + LINE_START)
        last = text[end[line] - 1] if end[line] > first else 0
        ended[line] = last in (46, 33, 63, 0x3002, 0xFF01, 0xFF1F, 0x2026)  # . ! ? and those of Chinese, …
        if not _has_digit(text, first, stop):
            stamped[line] = 0
            continue
        numbers = run = 0
        is_time = is_ago = after_sign = False
        for i in range(first, stop):
            letter = text[i]
            if 48 <= letter <= 57:  # a digit
                if run == 0:
                    numbers += 1
                    is_time = is_time or after_sign
                run += 1
                continue
            is_time = is_time or run == 4
            after_sign = run > 0 and letter in (58, 46, 47, 45, 104)  # : . / - h
            run = 0
            if letter == 111:
                is_ago = is_ago or (i >= first + 3 and text[i - 1] == 103 and text[i - 2] == 97)
            elif letter == 0x524D:
                is_ago = True
        is_time = is_time or run == 4
        stamped[line] = words[line] <= STAMP_WORDS and ((is_time and numbers > 1) or (is_ago and numbers > 0))


cdef inline bint _has_digit(const char_t* text, Py_ssize_t start, Py_ssize_t stop) noexcept nogil:
    """Most lines have none, and are done with in a loop that the compiler makes wide."""
    cdef Py_ssize_t i
    cdef char_t found = 0
    for i in range(start, stop):
        found |= (text[i] >= 48) & (text[i] <= 57)
    return found != 0


def find_copies(str text not None, const int32_t[::1] start, const int32_t[::1] end, int32_t[::1] first):
    """See `words_by_pattern.find_copies`."""
    cdef Py_ssize_t count = start.shape[0], room = 4
    while room < 4 * count:
        room *= 2
    cdef int32_t[::1] known = np.zeros(room, np.int32)  # one more than the line, 0 for none
    cdef const uint8_t* at = <const uint8_t*>PyUnicode_DATA(text)
    cdef const uint8_t* said
    cdef Py_ssize_t line, other, size, look, width = PyUnicode_KIND(text)
    cdef uint64_t place
    for line in range(count):
        said, size = at + start[line] * width, (end[line] - start[line]) * width
        place = _key_of(said, size)
        first[line] = <int32_t>line
        for look in range(MOST_LOOKS):
            place &= <uint64_t>(room - 1)
            other = known[place] - 1
            if other < 0:
                known[place] = <int32_t>line + 1
                break
            if (end[other] - start[other]) * width == size and memcmp(at + start[other] * width, said, size) == 0:
                first[line] = <int32_t>other
                break
            place += 1


cdef inline uint64_t _key_of(const uint8_t* said, Py_ssize_t size) noexcept nogil:
    """A number for a text, eight bytes at a time; the last ones may be read twice."""
    cdef uint64_t key = <uint64_t>size, some = 0
    cdef const uint8_t* last
    if size < 8:
        memcpy(&some, said, size)
        return _mixed(key, some)
    last = said + size - 8
    while said < last:
        memcpy(&some, said, 8)
        key = _mixed(key, some)
        said += 8
    memcpy(&some, last, 8)
    return _mixed(key, some)


cdef inline uint64_t _mixed(uint64_t key, uint64_t some) noexcept nogil:
    key = (key ^ some) * <uint64_t>0x9E3779B97F4A7C15
    return key ^ (key >> 32)
