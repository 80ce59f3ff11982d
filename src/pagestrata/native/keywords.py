"""Marks the attribute values and the lines of a page that may hold a keyword, letter by letter, without copies.

A keyword is either a whole word (letters and digits of ASCII) or four characters anywhere. Both are looked up by hash in
tables of `BUCKETS` entries, case ignored, so that a mark is a suspicion: whoever asks reads the marked value and decides.
What is not marked holds no keyword. Values that are not plain (other scripts, character references) are always marked.
"""

BUCKETS = 1 << 16
"""Entries of a table: with 300 words one of 200 other words is marked for nothing."""

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
HOME = 64
"""A link may lead to the first page of the site."""

MAX_NAME_LENGTH = 200
"""Characters of a class or id that are read."""
MAX_PHRASE = 4
"""Words of a phrase in a class or id."""
NO_RANK, UNREAD = 254, 255
"""Ranks of a name: it is named for no role; it is not plain and has to be read."""

_NO_WORD = 216_613_626
_BITS = (1 << 30) - 1
"""Hashes are cut to 30 bits, so that no constant is too large for the C that Cython writes."""
_WINDOW = (1 << 28) - 1
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
        if asked & ROLE_LINK:
            marks[i] = asked & link_marks(markup, starts[i], ends[i], words, windows)
        elif asked:
            marks[i] = asked & name_marks(markup, starts[i], ends[i], windows)


def name_marks(markup, start, end, windows):
    """Return the marks of a value that is a list of names."""
    found, window = 0, 0
    for at in range(start, end):
        small = ord(markup[at])
        if small >= _DELETE or small == _AMPERSAND:
            return 0xFF
        if 65 <= small <= 90:
            small += 32
        window = ((window << 7) | small) & _WINDOW
        found |= windows[window_bucket(window)]
    return found


def link_marks(markup, start, end, words, windows):
    """Return the marks of a value that is the target of a link."""
    found, key, window, slashes, small = 0, _NO_WORD, 0, 0, 0
    if start == end or ord(markup[start]) <= _BLANK:
        found = NO_PAGE | HOME
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
        if small == _SLASH:
            slashes += 1
        elif small == _HASH:
            found |= FRAGMENT
        elif small == _AT or small == _TILDE:
            found |= PERSON_LINK
    if slashes <= 3 and (small == _SLASH or small == _DOT or small <= _BLANK or slashes == 2):
        found |= HOME
    return found | words[bucket(key)] if key != _NO_WORD else found


def hash_hosts(markup, starts, ends, hashes):
    """Fill `hashes` with a hash of the host of each address, without `www.`; 0 for none, -1 for one that is not plain."""
    for i in range(len(starts)):
        hashes[i] = host_hash(markup, starts[i], ends[i])


def host_hash(markup, start, end):
    """Return the hash of the host of one address."""
    while start < end and ord(markup[start]) <= _BLANK:
        start += 1
    size = scheme_length(markup[start : min(start + 8, end)].lower())
    if start < end and ord(markup[start]) >= _DELETE:
        return -1
    if size == 0:
        return 0
    start += size
    if markup[start : min(start + 4, end)].lower() == "www.":
        start += 4
    key = _NO_WORD
    for at in range(start, end):
        letter = ord(markup[at])
        if letter >= _DELETE or letter == _AMPERSAND:
            return -1
        if letter == _SLASH or letter == _QUESTION or letter == _HASH or letter == _COLON:
            break
        key = spell(key, letter + 32 if 65 <= letter <= 90 else letter)
    return key if key != _NO_WORD else 0


def scheme_length(beginning):
    """Return how many characters of an address stand before its host; 0 if it has none."""
    if beginning == "https://":
        return 8
    if beginning[:7] == "http://":
        return 7
    return 2 if beginning[:2] == "//" else 0


def rank_names(markup, names, starts, ends, wanted, slots, letters, edges, next_phrase, rank_of_phrase, ranks):
    """Fill `ranks`, one entry per attribute, with the smallest rank of the phrases in each wanted value.

    The vocabulary has numbered words (`letters` from `edges[word]` to `edges[word + 1]`, found through `slots`) and
    numbered phrases: after phrase p and word w stands phrase `next_phrase[p, w]`, where 0 is no phrase and 1 the empty
    one. A capital after a small letter begins a word.
    """
    for i in range(len(names)):
        if wanted[names[i]]:
            end = min(ends[i], starts[i] + MAX_NAME_LENGTH)
            ranks[i] = name_rank(markup, starts[i], end, slots, letters, edges, next_phrase, rank_of_phrase)


def name_rank(markup, start, end, slots, letters, edges, next_phrase, rank_of_phrase):
    """Return the smallest rank of the phrases in one value."""
    rank, before, key, word_start = NO_RANK, 0, _NO_WORD, start
    first, second, third, fourth = 0, 0, 0, 0  # the phrases that began one, two, three and four words ago
    for at in range(start, end + 1):
        letter = ord(markup[at]) if at < end else _BLANK
        if letter >= _DELETE or letter == _AMPERSAND:
            return UNREAD
        small = letter + 32 if 65 <= letter <= 90 else letter
        is_letter = is_plain_letter(small)
        if key != _NO_WORD and (not is_letter or (small != letter and 97 <= before <= 122)):
            word = find_word(markup, word_start, at, key, slots, letters, edges)
            fourth, third = next_phrase[third, word], next_phrase[second, word]
            second, first = next_phrase[first, word], next_phrase[1, word]
            rank = min(rank, rank_of_phrase[first], rank_of_phrase[second])
            rank = min(rank, rank_of_phrase[third], rank_of_phrase[fourth])
            key = _NO_WORD
        if is_letter:
            if key == _NO_WORD:
                word_start = at
            key = spell(key, small)
        before = letter
    return rank


def find_word(markup, start, end, key, slots, letters, edges):
    """Return the number of a word; 0 if the vocabulary lacks it."""
    slot = bucket(key)
    while slots[slot] != 0:
        word = slots[slot]
        if edges[word + 1] - edges[word] == end - start and is_spelled(markup, start, end, letters, edges[word]):
            return word
        slot = (slot + 1) & (BUCKETS - 1)
    return 0


def is_spelled(markup, start, end, letters, first):
    """Whether a stretch of the markup is spelled like a word in lower case."""
    for at in range(start, end):
        letter = ord(markup[at])
        if (letter + 32 if 65 <= letter <= 90 else letter) != ord(letters[first + at - start]):
            return False
    return True


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
