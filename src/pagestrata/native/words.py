"""The words and marks of a page, letter by letter.

A word is represented by its bucket, a 16-bit hash, with the number of its element or line. Functions that find words
return two columns (places and buckets) and how many entries of them are used.
"""

try:
    import cython
except ImportError:  # at run time Cython need not be installed
    from pagestrata.native.interpreted import cython

import numpy as np

if not cython.compiled:
    from pagestrata.native.interpreted import (
        is_alnum,
        is_same_text,
        key_of,
        letters_1,
        letters_2,
        letters_4,
        width_of,
    )

BUCKETS = 65_536
"""Words are identified by 16 bits of a hash."""
LINE_START = 100
"""Characters of a line that are read."""
NAME_START = 200
"""Characters of a class or id that are read."""
STAMP_WORDS = 16
"""A line of at most this many words may be a byline or a stamp."""
MOST_PROBES = 64
"""Places tried in a hash table that is a quarter full: more are needed only for text written for that purpose."""
NO_WORD = 1_000_000_007
_LETTERS_AND_DIGITS = bytes([ord(chr(code).lower()) if chr(code).isalnum() else 0 for code in range(128)])
_LETTERS = bytes([code if chr(code).isalpha() else 0 for code in _LETTERS_AND_DIGITS])
COMMENT = b"comment"
"""A word that names have as part of many others: `readercomments`, `commentbody`."""
SMALL, SMALL_LETTER = _LETTERS_AND_DIGITS, _LETTERS
"""The small form of each ASCII character that may stand in a word, and in the word of a name; 0 for the others."""


def spell(key, letter):
    """Return the hash of a word with one more letter."""
    return ((key ^ letter) * 16_777_619) & 1_073_741_823


def bucket_of_key(key):
    """Return the bucket of a word whose letters have been hashed."""
    return (key ^ (key >> 16)) & 65_535


def new_column(size):
    """Return a column for integers. Interpreted code is three times as fast on lists."""
    return np.empty(size, np.int32) if cython.compiled else [0] * size


def name_words(markup, attributes, attribute_end, is_name):
    """Find the words in the attributes that are names, each with the element that has the attribute.

    `attributes` is the table of `page.columns.Scan`, `attribute_end` the end of the attributes of each node in it,
    and `is_name` is true for attributes that are names. Words are runs of three to nineteen Latin letters; a capital
    after a small letter begins a new one. `COMMENT` is found inside of other words, too.
    """
    number, start, end, wanted = attributes[0], attributes[2], attributes[3], is_name.view(np.uint8)
    if not cython.compiled:
        number, start, end = number.tolist(), start.tolist(), end.tolist()
        attribute_end, wanted = attribute_end.tolist(), wanted.tolist()
    room, length = 0, len(markup)
    for a in range(len(number)):
        if wanted[number[a]]:
            room += max(0, min(end[a] - start[a], NAME_START)) // 3 + 1
    place, bucket = new_column(room), new_column(room)
    places, buckets = place, bucket
    width = width_of(markup)
    if width == 1:
        size = _name_words(letters_1(markup), length, number, start, end, attribute_end, wanted, places, buckets)
    elif width == 2:
        size = _name_words(letters_2(markup), length, number, start, end, attribute_end, wanted, places, buckets)
    else:
        size = _name_words(letters_4(markup), length, number, start, end, attribute_end, wanted, places, buckets)
    return place, bucket, size


def _name_words(markup, length, number, start, end, attribute_end, wanted, place, bucket):
    size = node = 0
    last = len(attribute_end) - 1
    small_of, comment = SMALL_LETTER, COMMENT
    comment_bucket = bucket_of_comment()
    for a in range(len(number)):
        if not wanted[number[a]]:
            continue
        while node < last and attribute_end[node] <= a:
            node += 1
        key, letters, after_small, matched = NO_WORD, 0, False, 0
        for i in range(start[a], min(end[a], start[a] + NAME_START, length)):
            letter = markup[i]
            small = small_of[letter] if letter < 128 else 0
            if small == 0 or (letter != small and after_small):
                if 3 <= letters <= 19:
                    place[size], bucket[size] = node, bucket_of_key(key)
                    size += 1
                key, letters = NO_WORD, 0
            if small:
                key = spell(key, small)
                letters += 1
                matched = matched + 1 if small == comment[matched] else small == comment[0]
                if matched == len(COMMENT):
                    place[size], bucket[size] = node, comment_bucket
                    size, matched = size + 1, 0
            else:
                matched = 0
            after_small = letter == small
        if 3 <= letters <= 19:
            place[size], bucket[size] = node, bucket_of_key(key)
            size += 1
    return size


def bucket_of_comment():
    """Return the bucket of `COMMENT`."""
    key = NO_WORD
    for letter in COMMENT:
        key = spell(key, letter)
    return bucket_of_key(key)


def line_words(text, start, end, most):
    """Find the words in the first `most` characters of each range of the text, each with the number of its range."""
    if not cython.compiled:
        start, end = start.tolist(), end.tolist()
    room = 0
    for line in range(len(start)):
        room += max(0, min(end[line] - start[line], most)) // 2 + 1
    place, bucket = new_column(room), new_column(room)
    places, buckets = place, bucket
    width = width_of(text)
    if width == 1:
        size = _line_words(letters_1(text), len(text), start, end, most, places, buckets)
    elif width == 2:
        size = _line_words(letters_2(text), len(text), start, end, most, places, buckets)
    else:
        size = _line_words(letters_4(text), len(text), start, end, most, places, buckets)
    return place, bucket, size


def _line_words(text, length, start, end, most, place, bucket):
    size = 0
    for line in range(len(start)):
        first = size
        size = read_words(text, start[line], min(end[line], start[line] + most, length), bucket, size)
        while first < size:
            place[first] = line
            first += 1
    return size


def said_words(texts, most):
    """Return, for each bucket, a bit for each text that has a word of it in its first `most` characters."""
    said = np.zeros(BUCKETS, np.uint8) if cython.compiled else [0] * BUCKETS
    bits, bucket = said, new_column(most // 2 + 1)
    for number, text in enumerate(texts):
        width, stop = width_of(text), min(len(text), most)
        if width == 1:
            size = read_words(letters_1(text), 0, stop, bucket, 0)
        elif width == 2:
            size = read_words(letters_2(text), 0, stop, bucket, 0)
        else:
            size = read_words(letters_4(text), 0, stop, bucket, 0)
        for k in range(size):
            bits[bucket[k]] |= 1 << number
    return said


def read_words(text, start, stop, bucket, size):
    """Write the buckets of the words between two places of a text; return how many there are now."""
    key, in_word = NO_WORD, False
    small_of = SMALL
    for i in range(start, stop):
        letter = text[i]
        if letter < 128:
            letter = small_of[letter]
        elif not is_alnum(letter):
            letter = 0
        if letter:
            key = spell(key, letter)
            in_word = True
        elif in_word:
            bucket[size] = bucket_of_key(key)
            size += 1
            key, in_word = NO_WORD, False
    if in_word:
        bucket[size] = bucket_of_key(key)
        size += 1
    return size


def count_prices(text, start, end):
    """Count the currency signs $, £, ¥ and € in stretches of a text."""
    width = width_of(text)
    if width == 1:
        return _count_prices(letters_1(text), len(text), start, end)
    if width == 2:
        return _count_prices(letters_2(text), len(text), start, end)
    return _count_prices(letters_4(text), len(text), start, end)


def _count_prices(text, length, start, end):
    count = 0
    for line in range(len(start)):
        for i in range(start[line], min(end[line], length)):
            count += (text[i] == 0x24) | (text[i] == 0xA3) | (text[i] == 0xA5) | (text[i] == 0x20AC)
    return count


def read_marks(text, start, end, words, stamped, ended):
    """Set for each line whether it is a stamp, a short line with a time, and whether it ends like a sentence."""
    width = width_of(text)
    if width == 1:
        _read_marks(letters_1(text), start, end, words, stamped, ended)
    elif width == 2:
        _read_marks(letters_2(text), start, end, words, stamped, ended)
    else:
        _read_marks(letters_4(text), start, end, words, stamped, ended)


def _read_marks(text, start, end, words, stamped, ended):
    for line in range(len(start)):
        first, stop = start[line], min(end[line], start[line] + LINE_START)
        last = text[end[line] - 1] if end[line] > first else 0
        # . ! ? and those of Chinese, and …
        ended[line] = last in (0x2E, 0x21, 0x3F, 0x3002, 0xFF01, 0xFF1F, 0x2026)
        stamped[line] = words[line] <= STAMP_WORDS and has_digit(text, first, stop) and tells_time(text, first, stop)


def has_digit(text, start, stop):
    """Return whether there is a digit. Most lines have none, and this loop is one that compilers vectorise."""
    found = 0
    for i in range(start, stop):
        found |= (text[i] >= 48) & (text[i] <= 57)
    return found != 0


def tells_time(text, start, stop):
    """Return whether a line has two numbers, one of them a year or a part of a time, or has a number and "ago"."""
    numbers = run = 0
    is_time = is_ago = after_sign = False
    for i in range(start, stop):
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
            is_ago = is_ago or (i >= start + 3 and text[i - 1] == 103 and text[i - 2] == 97)
        elif letter == 0x524D:  # 前, Chinese and Japanese for "ago"
            is_ago = True
    is_time = is_time or run == 4
    return (is_time and numbers > 1) or (is_ago and numbers > 0)


def find_copies(text, start, end, first):
    """Set for each range of the text the first range with the same characters, found by a hash table."""
    count, room = len(start), 4
    while room < 4 * count:
        room *= 2
    known = np.zeros(room, np.int32) if cython.compiled else [0] * room  # one more than the line, 0 for none
    line_at = known
    for line in range(count):
        place = key_of(text, start[line], end[line])
        first[line] = line
        for _ in range(MOST_PROBES):
            place &= room - 1
            other = line_at[place] - 1
            if other < 0:
                line_at[place] = line + 1
                break
            if is_same_text(text, start[other], end[other], start[line], end[line]):
                first[line] = other
                break
            place += 1
