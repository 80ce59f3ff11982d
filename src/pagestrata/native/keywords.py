"""Finds keywords in the attribute values and lines of a page, character by character, without copying text.

Names (class, id) are compared with a vocabulary of phrases, exactly. Other values are only marked if they may hold a
keyword: a whole word (letters and digits of ASCII) or four characters anywhere, both looked up by hash in tables of
`BUCKETS` entries, case ignored. Callers read a marked value and decide; a value that is not marked has no keyword.
Values that are not plain (other scripts, character references, escapes and comments in styles) are always marked.
"""

try:
    import cython
except ImportError:  # at run time Cython need not be installed
    from pagestrata.native.characters import cython

if not cython.compiled:
    from pagestrata.native.characters import data_of, kind_of, letter_at

BUCKETS = 1 << 16
"""Entries of a table: with 300 words, one of 200 other words is marked needlessly."""

SLOTS = 1 << 12
"""Of the hash table of a vocabulary of some hundred words; small enough for the nearest cache."""

# The marks of a value; a table has the same bits.
PERSON_NAME = 1
"""A class or the like may be named for a person."""
PAID_LINK = 2
"""The `rel` of a link may say that it is paid for."""
ROLE_LINK = 4
"""A link may lead to a share page or an advertiser."""
PERSON_LINK = 8
"""A link may lead to the page of a person."""
NO_PAGE = 16
"""A link may lead to no page: it is empty, runs a script, writes a mail."""
FRAGMENT = 32
"""A link leads to a place on a page."""
HERE = 128
"""A link may lead to a place on this page."""
HOME = 64
"""A link may lead to the first page of the site."""

MAX_NAME_LENGTH = 200
"""Characters of a class or id that are read."""
MAX_PHRASE = 4
"""Words of a phrase in a class or id."""
NO_RANK, UNREAD = 254, 255
"""Ranks of a name: it is named for no role; it is not plain and has to be read."""

_SMALL = bytes([ord(chr(code).lower()) if chr(code).isalnum() else 0 for code in range(128)])
SMALL = _SMALL
"""The small form of each letter and digit of ASCII; 0 for other characters."""
_PLAIN = bytes([ord(chr(code).lower()) if chr(code) not in "&\\*\x7f" else 0 for code in range(128)])
PLAIN = _PLAIN
"""The small form of each character of ASCII; 0 for those of character references, escapes and comments."""
_NO_WORD = 216_613_626
_BITS = (1 << 30) - 1
"""Hashes are cut to 30 bits, so that no constant is too large for the C that Cython writes."""
_WINDOW = (1 << 28) - 1
_SCHEME, _SLASHES, _WWW = b"http", b"//", b"www."
_BLANK, _HASH, _AMPERSAND, _DELETE = 32, 35, 38, 127
_AT, _UNDERSCORE, _TILDE = 64, 95, 126
_DOT, _SLASH, _COLON, _QUESTION = 46, 47, 58, 63


def spell(key, letter):
    """Return the hash of a word with one more letter (FNV-1)."""
    return ((key ^ letter) * 16_777_619) & _BITS


def bucket(key):
    """Return the entry of a table for a hash."""
    return (key ^ (key >> 16)) & 0xFFFF


def window_bucket(window):
    """Return the entry of a table for four characters of ASCII, seven bits each."""
    return (window ^ (window >> 12)) & 0xFFFF


def word_bucket(word):
    """Return the entry of a table for a whole word in lower case."""
    key = _NO_WORD
    for letter in word:
        key = spell(key, ord(letter))
    return bucket(key)


def word_slot(first, second, last, length):
    """Return the slot of a word in the hash table of a vocabulary, from three of its letters and its length."""
    return ((first * 31 + second * 7 + last) * 31 + length) & (SLOTS - 1)


def mark_values(markup, names, starts, ends, wanted, words, windows, marks):
    """Fill `marks`, one entry per attribute, with those of the wanted marks of its name that apply to its value."""
    kind, data = kind_of(markup), data_of(markup)
    for i in range(len(names)):
        asked = wanted[names[i]]
        if asked & ROLE_LINK:
            marks[i] = asked & link_marks(kind, data, starts[i], ends[i], words, windows)
        elif asked:
            marks[i] = asked & name_marks(kind, data, starts[i], ends[i], windows)


def name_marks(kind, data, start, end, windows):
    """Return the marks of a value that is a list of names."""
    found, window = 0, 0
    for at in range(start, end):
        letter = letter_at(kind, data, at)
        small = PLAIN[letter] if letter <= _DELETE else 0
        if not small:
            return 0xFF
        window = ((window << 7) | small) & _WINDOW
        found |= windows[window_bucket(window)]
    return found


def link_marks(kind, data, start, end, words, windows):
    """Return the marks of a value that is the target of a link."""
    found, key, window, slashes, letter = 0, _NO_WORD, 0, 0, 0
    if start == end or letter_at(kind, data, start) <= _BLANK:
        found = NO_PAGE | HOME | HERE
    elif letter_at(kind, data, start) == _HASH and start + 1 < end:
        found = HERE
    for at in range(start, end):
        letter = letter_at(kind, data, at)
        if letter >= _DELETE:
            return 0xFF
        small = SMALL[letter]
        if small:
            key = spell(key, small)
            window = ((window << 7) | small) & _WINDOW
            found |= windows[window_bucket(window)]
            continue
        window = ((window << 7) | letter) & _WINDOW
        if key != _NO_WORD:
            found |= words[bucket(key)]
            key = _NO_WORD
        if letter == _SLASH:
            slashes += 1
        elif letter == _HASH:
            found |= FRAGMENT
        elif letter in (_AT, _TILDE):
            found |= PERSON_LINK
        elif letter == _AMPERSAND and not is_ampersand(kind, data, at, end):
            return 0xFF
    if slashes <= 3 and (letter in (_SLASH, _DOT) or letter <= _BLANK or slashes == 2):
        found |= HOME
    return found | words[bucket(key)] if key != _NO_WORD else found


def is_ampersand(kind, data, at, end):
    """Return whether a character reference is `&amp;`, which separates words as the character itself does."""
    return at + 2 < end and letter_at(kind, data, at + 1) == 97 and letter_at(kind, data, at + 2) == 109


def hash_hosts(markup, starts, ends, hashes):
    """Fill `hashes` with a hash of each address's host, without `www.`; 0 for none, -1 for one that is not plain."""
    kind, data = kind_of(markup), data_of(markup)
    for i in range(len(starts)):
        hashes[i] = host_hash(kind, data, starts[i], ends[i])


def host_hash(kind, data, start, end):
    """Return the hash of the host of one address."""
    while start < end and letter_at(kind, data, start) <= _BLANK:
        start += 1
    if start < end and letter_at(kind, data, start) >= _DELETE:
        return -1
    host = host_start(kind, data, start, end)
    if host < 0:
        return 0
    key = _NO_WORD
    for at in range(host, end):
        letter = letter_at(kind, data, at)
        if letter >= _DELETE or letter == _AMPERSAND:
            return -1
        if letter in (_SLASH, _QUESTION, _HASH, _COLON):
            break
        key = spell(key, letter + 32 if 65 <= letter <= 90 else letter)
    return key if key != _NO_WORD else 0


def host_start(kind, data, start, end):
    """Return where the host of an address begins, after `www.`; -1 if it has none."""
    if begins_with(kind, data, start, end, _SCHEME):
        start += 4
        if start < end and letter_at(kind, data, start) | 32 == 115:  # https
            start += 1
        if start >= end or letter_at(kind, data, start) != _COLON:
            return -1
        start += 1
    if not begins_with(kind, data, start, end, _SLASHES):
        return -1
    return start + 6 if begins_with(kind, data, start + 2, end, _WWW) else start + 2


def begins_with(kind, data, start, end, small):
    """Return whether a range begins with these characters, case ignored."""
    if end - start < len(small):
        return False
    for place in range(len(small)):
        letter = letter_at(kind, data, start + place)
        if letter >= _DELETE or (SMALL[letter] or letter) != small[place]:
            return False
    return True


def rank_names(markup, names, starts, ends, wanted, slots, letters, edges, next_phrase, rank_of_phrase, ranks):
    """Fill `ranks`, one entry per attribute, with the smallest rank of the phrases in each wanted value.

    The vocabulary has numbered words (`letters` from `edges[word]` to `edges[word + 1]`, found through `slots`) and
    numbered phrases: after phrase p and word w stands phrase `next_phrase[p, w]`, where 0 is no phrase and 1 the empty
    one. A capital after a small letter begins a word.
    """
    kind, data, spelling = kind_of(markup), data_of(markup), data_of(letters)
    for i in range(len(names)):
        if wanted[names[i]]:
            end = min(ends[i], starts[i] + MAX_NAME_LENGTH)
            ranks[i] = name_rank(kind, data, starts[i], end, slots, spelling, edges, next_phrase, rank_of_phrase)


def name_rank(kind, data, start, end, slots, spelling, edges, next_phrase, rank_of_phrase):
    """Return the smallest rank of the phrases in one value."""
    rank, at = NO_RANK, start
    first, second, third, fourth = 0, 0, 0, 0  # the phrases that began one, two, three and four words ago
    while at < end:
        letter = letter_at(kind, data, at)
        if letter >= _DELETE or letter == _AMPERSAND:
            return UNREAD
        if SMALL[letter] == 0:
            at += 1
            continue
        word_start, before = at, 0
        while letter < _DELETE and SMALL[letter] != 0 and not (65 <= letter <= 90 and 97 <= before <= 122):
            before = letter
            at += 1
            letter = letter_at(kind, data, at) if at < end else _DELETE
        word = find_word(kind, data, word_start, at, slots, spelling, edges)
        fourth, third = next_phrase[third, word], next_phrase[second, word]
        second, first = next_phrase[first, word], next_phrase[1, word]
        rank = min(rank, rank_of_phrase[first], rank_of_phrase[second], rank_of_phrase[third], rank_of_phrase[fourth])
    return rank


def find_word(kind, data, start, end, slots, spelling, edges):
    """Return the number of a word; 0 if the vocabulary lacks it."""
    second = letter_at(kind, data, min(start + 1, end - 1))
    first, last = SMALL[letter_at(kind, data, start)], SMALL[letter_at(kind, data, end - 1)]
    slot = word_slot(first, SMALL[second], last, end - start)
    while slots[slot] != 0:
        word = slots[slot]
        if edges[word + 1] - edges[word] == end - start and is_spelled(kind, data, start, end, spelling, edges[word]):
            return word
        slot = (slot + 1) & (SLOTS - 1)
    return 0


def is_spelled(kind, data, start, end, spelling, first):
    """Return whether a range of the markup spells a word of the vocabulary."""
    for at in range(start, end):
        if SMALL[letter_at(kind, data, at)] != letter_at(1, spelling, first + at - start):
            return False
    return True


def mark_lines(text, starts, ends, wanted, words, marks):
    """Fill `marks` with 1 for each wanted line whose first word that is no number is in the table."""
    for i in range(len(starts)):
        if wanted[i]:
            marks[i] = words[first_word_bucket(text, starts[i], ends[i])]


def first_word_bucket(text, start, end):
    """Return the entry of a table for the first word of a line that is no number.

    A word is cut before its first letter that is not ASCII; if it begins with such a letter, that letter alone counts.
    """
    key, is_number = _NO_WORD, True
    for at in range(start, end):
        letter = ord(text[at])
        if letter >= _DELETE:
            letter = ord(lower_letter(text[at]))
        if letter < _DELETE and (SMALL[letter] != 0 or letter == _UNDERSCORE):
            is_number = is_number and letter <= 57
            key = spell(key, SMALL[letter] or letter)
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
    """Return whether a character can be part of a word."""
    return letter.isalnum()


def is_decimal(letter):
    """Return whether a character is a digit of some script."""
    return letter.isdecimal()


def lower_letter(letter):
    """Return a character in lower case; only the first character if lower case has several."""
    return letter.lower()[0]
