"""Marks the attribute values and the lines of a page that may hold a keyword, letter by letter, without copies.

A keyword is either a whole word (letters and digits of ASCII) or four characters anywhere. Both are looked up by hash in
tables of `BUCKETS` entries, case ignored, so that a mark is a suspicion: whoever asks reads the marked value and decides.
What is not marked holds no keyword. Values that are not plain (other scripts, character references) are always marked.
"""

BUCKETS = 1 << 16
"""Entries of a table: with 300 words one of 200 other words is marked for nothing."""

# The marks of a value; a table has the same bits.
ROLE_NAME = 1
"""A class or id may be named for a role. Only here a capital after a small letter begins a word."""
PERSON_NAME = 2
"""A class or the like may be named for a person."""
ROLE_LINK = 4
"""A link may lead to a share page or an advertiser."""
PERSON_LINK = 8
"""A link may lead to the page of a person."""
NO_PAGE = 16
"""A link may lead to no page: it is empty, runs a script, writes a mail."""
FRAGMENT = 32
"""A link leads to a place on a page."""

_NO_WORD = 216_613_626
_BITS = (1 << 30) - 1
"""Hashes are cut to 30 bits, so that no constant is too large for the C that Cython writes."""
_WINDOW = (1 << 28) - 1
_BLANK, _HASH, _AMPERSAND, _DELETE = 32, 35, 38, 127
_AT, _UNDERSCORE, _TILDE = 64, 95, 126


def spell(key, letter):
    """Return the hash of a word with one more letter (FNV-1)."""
    return ((key ^ letter) * 16_777_619) & _BITS


def bucket(key):
    """Return the entry of a table for a hash."""
    return (key ^ (key >> 16)) & 0xFFFF


def window_bucket(window):
    """Return the entry of a table for four characters of ASCII, seven bits each."""
    return ((window * 1_640_531_527) & _BITS) >> 14


def word_bucket(word):
    """Return the entry of a table for a whole word in lower case."""
    key = _NO_WORD
    for letter in word:
        key = spell(key, ord(letter))
    return bucket(key)


def is_plain_letter(letter):
    """Whether a character is a small letter or a digit of ASCII."""
    return 97 <= letter <= 122 or 48 <= letter <= 57


def mark_values(markup, names, starts, ends, wanted, words, windows, marks):
    """Fill `marks`, one entry per attribute, with those of the marks in `wanted` (one per attribute name) that apply."""
    for i in range(len(names)):
        asked = wanted[names[i]]
        if asked & (ROLE_NAME | PERSON_NAME):
            marks[i] = asked & name_marks(markup, starts[i], ends[i], asked, words, windows)
        elif asked:
            marks[i] = asked & link_marks(markup, starts[i], ends[i], words, windows)


def name_marks(markup, start, end, asked, words, windows):
    """Return the marks of a value that is a list of names."""
    found, key, window, before = 0, _NO_WORD, 0, 0
    splits_case = asked & ROLE_NAME
    for at in range(start, end):
        letter = ord(markup[at])
        if letter >= _DELETE or letter == _AMPERSAND:
            return asked
        small = letter
        if 65 <= letter <= 90:
            small = letter + 32
            if splits_case and 97 <= before <= 122:
                found |= words[bucket(key)]
                key = _NO_WORD
        before = letter
        window = ((window << 7) | small) & _WINDOW
        found |= windows[window_bucket(window)]
        if is_plain_letter(small):
            key = spell(key, small)
        elif key != _NO_WORD:
            found |= words[bucket(key)]
            key = _NO_WORD
    return found | words[bucket(key)] if key != _NO_WORD else found


def link_marks(markup, start, end, words, windows):
    """Return the marks of a value that is the target of a link."""
    found, key, window = 0, _NO_WORD, 0
    if start == end or ord(markup[start]) <= _BLANK:
        found = NO_PAGE
    for at in range(start, end):
        small = ord(markup[at])
        if small >= _DELETE or (small == _AMPERSAND and markup[at + 1 : at + 5] != "amp;"):
            return 0xFF
        if 65 <= small <= 90:
            small += 32
        window = ((window << 7) | small) & _WINDOW
        found |= windows[window_bucket(window)]
        if is_plain_letter(small):
            key = spell(key, small)
            continue
        if key != _NO_WORD:
            found |= words[bucket(key)]
            key = _NO_WORD
        if small == _HASH:
            found |= FRAGMENT
        elif small == _AT or small == _TILDE:
            found |= PERSON_LINK
    return found | words[bucket(key)] if key != _NO_WORD else found


def mark_lines(text, starts, ends, wanted, words, marks):
    """Fill `marks` with 1 for each wanted line whose first word, numbers left out, is in the table."""
    for i in range(len(starts)):
        if wanted[i]:
            marks[i] = words[first_word_bucket(text, starts[i], ends[i])]


def first_word_bucket(text, start, end):
    """Return the entry of a table for the first word of a line that is no number.

    Of a word with other letters than those of ASCII only what stands before them counts, or the first of them alone.
    """
    key, is_number = _NO_WORD, True
    for at in range(start, end):
        letter = ord(text[at])
        if letter >= _DELETE:
            letter = ord(lower_letter(text[at]))
        elif 65 <= letter <= 90:
            letter += 32
        if is_plain_letter(letter) or letter == _UNDERSCORE:
            is_number = is_number and letter <= 57
            key = spell(key, letter)
        elif letter >= _DELETE and is_word_letter(text[at]):
            if not is_number:
                return bucket(key)
            if not is_decimal(text[at]):
                return bucket(spell(_NO_WORD, letter))
        elif key != _NO_WORD:
            if not is_number:
                return bucket(key)
            key = _NO_WORD
    return bucket(key)


def is_word_letter(letter):
    """Whether a character can be part of a word."""
    return letter.isalnum()


def is_decimal(letter):
    """Whether a character is a digit of some script."""
    return letter.isdecimal()


def lower_letter(letter):
    """Return a character in lower case; the first one where there are several."""
    return letter.lower()[0]
