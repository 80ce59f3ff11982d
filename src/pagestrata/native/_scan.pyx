# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The scan of a page, compiled: the same functions as `page/_reference.py`, which says what they mean.

This kernel still has two sources. Measured on 2026-11-18: `survey` and `scan` written as the same loops in plain Python
take 19 times as long as the bare parse (20 pages of wcxb; 54 times for the slowest of them, 88 times for the slowest of
200 others), the numpy reference 3 times, this kernel 0.3 times. A pair is meant for kernels that would take more than
100 times as long as the parse, so this one can become a single source, too.

Written for all three widths of a Python string, so that offsets are code points and nothing is copied first. The tables
of tags and columns belong to `page`, which hands them over once with `set_up`.
"""

from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memchr, memcmp, memcpy, memmove, memset

import numpy as np

cdef extern from "Python.h":
    int PyUnicode_KIND(object text)
    void* PyUnicode_DATA(object text)
    object PyUnicode_New(Py_ssize_t size, Py_UCS4 highest)
    object PyUnicode_FromKindAndData(int kind, const void* data, Py_ssize_t size)
    bint Py_UNICODE_ISSPACE(Py_UCS4 character) nogil
    bint Py_UNICODE_ISALNUM(Py_UCS4 character) nogil

ctypedef fused char_t:
    uint8_t
    uint16_t
    uint32_t

# ------------------------------------------------------------------------------------- the tables of tags.py, as C

cdef enum:
    NAME_BYTES = 32
    SLOTS = 1024

cdef struct Names:
    char spelling[SLOTS][NAME_BYTES]
    int32_t length[SLOTS]
    int32_t number[SLOTS]
    uint64_t tail[SLOTS]

cdef struct Name:
    Py_ssize_t length
    uint64_t tail  # its last eight letters
    uint32_t letters  # all of them, one over the other

cdef Names TAG_NAMES, ATTRIBUTE_NAMES
cdef int32_t[512] BEHAVIOUR
cdef int32_t TAG_COUNT
cdef uint8_t[128] ASCII_SPACE, ASCII_CLASS

cdef enum:
    OTHER = 0
    WHITE = 1
    LETTER = 2
    TAG_STARTS = 4
    ESCAPE = 8

cdef int32_t BLOCK, SILENT, PRE, BREAK, LINK, DETAILS, SUMMARY, DIALOG, OPAQUE, SCRIPTLESS, FALLBACK
cdef int32_t BY_STYLE, BY_ATTRIBUTE, BY_ARIA, BY_DETAILS, BY_NOSCRIPT, BY_FALLBACK, BY_DIALOG
cdef int32_t HREF, STYLE, HIDDEN, ARIA, OPEN
cdef int32_t STARTS_BLOCK, IN_LINK, IN_PRE, IS_BLOCK, UNREACHABLE, HIDDEN_SHIFT, HIDDEN_BITS, INHERITED

cdef enum:
    NO_GAP = 0
    SPACE = 1
    LINE = 2
    BLOCK_GAP = 3


cdef inline void _spell(Name* name, uint32_t letter) noexcept nogil:
    name.length += 1
    name.tail = name.tail << 8 | letter & 255
    name.letters |= letter


cdef inline uint32_t _slot(uint64_t tail) noexcept nogil:
    """Where to look for a name first."""
    return <uint32_t>(tail * 0x9E3779B97F4A7C15ULL >> 32) % SLOTS


cdef void _fill(Names* names, list spellings):
    cdef uint32_t slot
    cdef Name name
    memset(names, 0, sizeof(Names))
    for number, spelling in enumerate(spellings):
        name = Name(0, 0, 0)
        for letter in spelling.encode():
            _spell(&name, letter)
        slot = _slot(name.tail)
        while names.length[slot]:
            slot = (slot + 1) % SLOTS
        names.length[slot], names.number[slot], names.tail[slot] = name.length, number, name.tail
        for place, letter in enumerate(spelling.encode()):
            names.spelling[slot][place] = <char><int>letter


cdef inline int32_t _look_up(Names* names, Name* name, const char_t* spelling) noexcept nogil:
    """The number of a name, or -1."""
    cdef uint32_t slot = _slot(name.tail)
    cdef Py_ssize_t place
    if name.letters >= 128:
        return -1
    while names.length[slot]:
        if names.tail[slot] == name.tail and names.length[slot] == name.length:
            place = name.length - 9
            while place >= 0 and <uint32_t><uint8_t>names.spelling[slot][place] == <uint32_t>spelling[place]:
                place -= 1
            if place < 0:
                return names.number[slot]
        slot = (slot + 1) % SLOTS
    return -1


cdef inline bint _is_space(uint32_t character) noexcept nogil:
    return ASCII_SPACE[character] if character < 128 else character < 160 or Py_UNICODE_ISSPACE(character)


cdef int32_t[32] UNSPACED
cdef int UNSPACED_COUNT


cdef inline bint _is_unspaced(uint32_t character) noexcept nogil:
    cdef int place
    if character < 0x0E00:
        return False
    for place in range(UNSPACED_COUNT):
        if character < <uint32_t>UNSPACED[2 * place]:
            return False
        if character <= <uint32_t>UNSPACED[2 * place + 1]:
            return True
    return False


def set_up(tags, columns, unspaced_ranges):
    """Take over the tables of `page.tags` and `page.columns`, and the scripts that are written without spaces."""
    global TAG_COUNT, UNSPACED_COUNT
    _fill(&TAG_NAMES, list(tags.TAGS))
    _fill(&ATTRIBUTE_NAMES, list(tags.ATTRIBUTES))
    TAG_COUNT, UNSPACED_COUNT = len(tags.TAGS), len(unspaced_ranges)
    for number, does in enumerate(tags.BEHAVIOUR):
        BEHAVIOUR[number] = does
    for code in range(128):
        ASCII_SPACE[code] = chr(code).isspace() or code == 127
        ASCII_CLASS[code] = WHITE if ASCII_SPACE[code] else LETTER if chr(code).isalnum() or chr(code) == "_" else OTHER
    ASCII_CLASS[60], ASCII_CLASS[38] = TAG_STARTS, ESCAPE
    for place, (low, high) in enumerate(unspaced_ranges):
        UNSPACED[2 * place], UNSPACED[2 * place + 1] = low, high
    _take_tags(tags)
    _take_columns(columns)
    _check(columns)


cdef _take_tags(tags):
    global BLOCK, SILENT, PRE, BREAK, LINK, DETAILS, SUMMARY, DIALOG, OPAQUE, SCRIPTLESS, FALLBACK
    global BY_STYLE, BY_ATTRIBUTE, BY_ARIA, BY_DETAILS, BY_NOSCRIPT, BY_FALLBACK, BY_DIALOG
    global HREF, STYLE, HIDDEN, ARIA, OPEN, SCRIPT, STYLE_TAG, TEMPLATE, MATH, IFRAME, NOSCRIPT
    BLOCK, SILENT, PRE, BREAK, LINK = tags.BLOCK, tags.SILENT, tags.PRE, tags.BREAK, tags.LINK
    DETAILS, SUMMARY, DIALOG, OPAQUE = tags.DETAILS, tags.SUMMARY, tags.DIALOG, tags.OPAQUE
    SCRIPTLESS, FALLBACK = tags.SCRIPTLESS, tags.FALLBACK
    BY_STYLE, BY_ATTRIBUTE, BY_ARIA = tags.BY_STYLE, tags.BY_ATTRIBUTE, tags.BY_ARIA
    BY_DETAILS, BY_NOSCRIPT, BY_FALLBACK = tags.BY_DETAILS, tags.BY_NOSCRIPT, tags.BY_FALLBACK
    BY_DIALOG = tags.BY_DIALOG
    HREF, STYLE, HIDDEN, ARIA, OPEN = [
        tags.ATTRIBUTE[name] for name in ("href", "style", "hidden", "aria-hidden", "open")
    ]
    _fill(&TELLING_NAMES, [*tags.FORMATTING, "script", "style", "template", "math", "iframe", "noscript"])
    SCRIPT, STYLE_TAG, TEMPLATE, MATH, IFRAME, NOSCRIPT = range(len(tags.FORMATTING), len(tags.FORMATTING) + 6)


cdef _take_columns(columns):
    global STARTS_BLOCK, IN_LINK, IN_PRE, IS_BLOCK, UNREACHABLE, HIDDEN_SHIFT, HIDDEN_BITS, INHERITED
    global HARMLESS_OPEN, ODD_NAMES, TEMPLATES, MATHS, OPEN_FRAMES
    STARTS_BLOCK, IN_LINK, IN_PRE = columns.STARTS_BLOCK, columns.IN_LINK, columns.IN_PRE
    IS_BLOCK, UNREACHABLE = columns.IS_BLOCK, columns.UNREACHABLE
    HIDDEN_SHIFT, HIDDEN_BITS = columns.HIDDEN_SHIFT, columns.HIDDEN_BITS
    INHERITED = IN_LINK | IN_PRE | UNREACHABLE | HIDDEN_BITS
    HARMLESS_OPEN = columns.HARMLESS_OPEN
    ODD_NAMES, TEMPLATES, MATHS, OPEN_FRAMES = columns.ODD_NAMES, columns.TEMPLATES, columns.MATHS, columns.OPEN_FRAMES


cdef _check(columns):
    """The structs below have one field for each column, in their order."""
    assert columns.MOST_OPEN == MOST_OPEN
    assert columns.TAG_KEY_BYTES == TAG_KEY_BYTES
    assert columns.REASONS == REASONS
    assert sizeof(Node) == 4 * columns.COLUMNS and (
        columns.PARENT, columns.END, columns.DEPTH, columns.TAG, columns.TEXT_START, columns.TEXT_END,
        columns.ATTR_START, columns.ATTR_END, columns.FLAGS, columns.WORDS, columns.CONTAINER,
    ) == tuple(range(columns.COLUMNS))
    assert sizeof(Block) == 4 * columns.BLOCK_COLUMNS and (
        columns.NODE_START, columns.NODE_END, columns.BLOCK_CONTAINER, columns.BLOCK_TEXT_START,
        columns.BLOCK_TEXT_END, columns.BLOCK_WORDS, columns.CHARACTERS, columns.LINK_CHARACTERS, columns.HIDDEN_BY,
    ) == tuple(range(columns.BLOCK_COLUMNS))


# ----------------------------------------------------------------------------------------------- before the parser

cdef enum:
    TAG_KEY_BYTES = 256
    MOST_OPEN = 1000

cdef struct Formatting:
    int32_t name
    int32_t length
    const uint8_t* key

# The tags that tell something, none of more than eight letters: those that format, and these after them.
cdef Names TELLING_NAMES
cdef int32_t SCRIPT, STYLE_TAG, TEMPLATE, MATH, IFRAME, NOSCRIPT
cdef Py_ssize_t HARMLESS_OPEN
cdef int ODD_NAMES, TEMPLATES, MATHS, OPEN_FRAMES


cdef inline bint _is_letter(uint8_t c) noexcept nogil:
    return 97 <= (c | 32) <= 122


cdef enum:
    PLAIN = 0
    UNUSUAL = 1
    ENDS_NAME = 2

cdef uint8_t[256] IN_NAME, LOWERED


def _make_name_tables():
    for code in range(256):
        character = chr(code)
        LOWERED[code] = ord(character.lower()) if code < 128 else code
        if character in "\t\n\f\r /><":
            IN_NAME[code] = ENDS_NAME
        else:
            IN_NAME[code] = PLAIN if code < 128 and (character.isalnum() or character in ":_-.") else UNUSUAL


_make_name_tables()


cdef struct OpenList:
    Formatting entry[MOST_OPEN + 1]
    Py_ssize_t size


cdef void _open_formatting(OpenList* opened, int32_t name, const uint8_t* key, int32_t length) noexcept nogil:
    cdef Py_ssize_t place, first = -1
    cdef int alike = 0
    for place in range(opened.size):
        if (opened.entry[place].name == name and opened.entry[place].length == length
                and memcmp(opened.entry[place].key, key, length) == 0):
            if first < 0:
                first = place
            alike += 1
    if alike == 3:
        _remove_formatting(opened, first)
    opened.entry[opened.size] = Formatting(name, length, key)
    opened.size += 1


cdef void _remove_formatting(OpenList* opened, Py_ssize_t place) noexcept nogil:
    memmove(&opened.entry[place], &opened.entry[place + 1], (opened.size - place - 1) * sizeof(Formatting))
    opened.size -= 1


cdef void _close_formatting(OpenList* opened, int32_t name) noexcept nogil:
    cdef Py_ssize_t place = opened.size - 1
    while place >= 0:
        if opened.entry[place].name == name:
            _remove_formatting(opened, place)
            return
        place -= 1


def survey(bytes data not None, Py_ssize_t tag_budget, Py_ssize_t rebuild_budget):
    """See `page._reference.survey`."""
    cdef const uint8_t* at = data
    cdef Py_ssize_t size = len(data), here = 0, start, name_start, window
    cdef Py_ssize_t count = 0, cut = -1, dissolve = -1, rebuilt = 0
    cdef bint closing, frame_opened = False
    cdef int signs = 0, odd
    cdef const uint8_t* at_tag
    cdef int32_t name, raw = -1  # which of the two we are in: script or style
    cdef Name spelled
    cdef OpenList* opened = <OpenList*>malloc(sizeof(OpenList))
    if opened == NULL:
        raise MemoryError
    opened.size = 0
    with nogil:
        while True:
            at_tag = <const uint8_t*>memchr(at + here, 60, size - here) if here < size else NULL
            if at_tag == NULL:
                break
            start = at_tag - at
            here = start + 1
            closing = here < size and at[here] == 47
            name_start = here + closing
            if name_start >= size or not _is_letter(at[name_start]):
                continue
            here = name_start
            odd = 0
            spelled = Name(0, 0, 0)
            while here < size and IN_NAME[at[here]] != ENDS_NAME:
                odd |= IN_NAME[at[here]]
                _spell(&spelled, LOWERED[at[here]])
                here += 1
            name = _look_up(&TELLING_NAMES, &spelled, at + name_start)
            if not closing and here < size and at[here] == 60:  # it is part of the name
                name = -1
                odd = UNUSUAL
            if count == tag_budget:
                cut = start
            count += 1
            if frame_opened and closing and name == NOSCRIPT:
                signs |= OPEN_FRAMES
            frame_opened = name == IFRAME and not closing
            if name == SCRIPT or name == STYLE_TAG:
                if closing:
                    raw = -1 if raw == name else raw
                elif raw < 0:
                    raw = name
            elif raw < 0 and not closing:
                if odd:
                    signs |= ODD_NAMES
                elif name == TEMPLATE:
                    signs |= TEMPLATES
                elif name == MATH:
                    signs |= MATHS
            if dissolve >= 0:
                continue
            if name < 0 or name >= SCRIPT:
                if opened.size > HARMLESS_OPEN:
                    rebuilt += opened.size - HARMLESS_OPEN
            elif closing:
                _close_formatting(opened, name)
            else:
                window = start
                while window < size and window - start < TAG_KEY_BYTES and at[window] != 62:
                    window += 1
                _open_formatting(opened, name, at + start, <int32_t>(window - start))
            if rebuilt > rebuild_budget or opened.size > MOST_OPEN:
                dissolve = start
    free(opened)
    return count, cut, dissolve, signs


def places_of(const int32_t[:] column, int32_t number):
    """See `page._reference.places_of`."""
    cdef Py_ssize_t place
    return [place for place in range(column.shape[0]) if column[place] == number]


cdef enum:
    BAD = 0
    CUT = 1
    WHOLE = 2
    ASCII_BYTES = 16

cdef struct Utf8:
    Py_ssize_t characters
    uint8_t highest  # of the bytes that begin a character


cdef inline bint _is_ascii(const uint8_t* at) noexcept nogil:
    """Whether the next sixteen bytes are."""
    cdef uint64_t[2] halves
    memcpy(halves, at, ASCII_BYTES)
    return (halves[0] | halves[1]) & 0x8080808080808080ULL == 0


cdef int _measure(const uint8_t* at, Py_ssize_t size, Utf8* found) noexcept nogil:
    """Whether it is UTF-8, perhaps but for a character cut off at the end. The ranges are those of Table 3-7 in the
    Unicode standard."""
    cdef Py_ssize_t here = 0, characters = 0
    cdef int more
    cdef uint8_t lead, low, high, highest = 0
    while here < size:
        if here + ASCII_BYTES <= size and _is_ascii(at + here):
            here += ASCII_BYTES
            characters += ASCII_BYTES
            continue
        lead = at[here]
        here += 1
        characters += 1
        if lead < 0x80:
            continue
        low, high = 0x80, 0xBF
        if 0xC2 <= lead <= 0xDF:
            more = 1
        elif 0xE0 <= lead <= 0xEF:
            more = 2
            low = 0xA0 if lead == 0xE0 else low
            high = 0x9F if lead == 0xED else high
        elif 0xF0 <= lead <= 0xF4:
            more = 3
            low = 0x90 if lead == 0xF0 else low
            high = 0x8F if lead == 0xF4 else high
        else:
            return BAD
        highest = max(highest, lead)
        while more:
            if here == size:
                return CUT
            if not low <= at[here] <= high:
                return BAD
            low, high = 0x80, 0xBF
            here += 1
            more -= 1
    found.characters, found.highest = characters, highest
    return WHOLE


cdef void _widen(const uint8_t* at, Py_ssize_t size, char_t* out) noexcept nogil:
    """Write the characters of what is UTF-8."""
    cdef Py_ssize_t here = 0
    cdef int place
    cdef uint8_t lead
    cdef uint8_t[ASCII_BYTES] some
    while here < size:
        if here + ASCII_BYTES <= size and _is_ascii(at + here):
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


def is_utf8(bytes data not None):
    """See `page._survey.is_utf8`."""
    cdef Utf8 found
    return _measure(data, len(data), &found) != BAD


def decode_utf8(bytes data not None):
    """See `page._survey.decode_utf8`."""
    cdef Utf8 found
    cdef const uint8_t* at = data
    cdef Py_ssize_t size = len(data)
    if _measure(at, size, &found) != WHOLE:
        return None
    if found.highest < 0x80:
        text = PyUnicode_New(found.characters, 0x7F)
        memcpy(PyUnicode_DATA(text), at, size)
    elif found.highest < 0xC4:
        text = PyUnicode_New(found.characters, 0xFF)
        _widen(at, size, <uint8_t*>PyUnicode_DATA(text))
    elif found.highest < 0xF0:
        text = PyUnicode_New(found.characters, 0xFFFF)
        _widen(at, size, <uint16_t*>PyUnicode_DATA(text))
    else:
        text = PyUnicode_New(found.characters, 0x10FFFF)
        _widen(at, size, <uint32_t*>PyUnicode_DATA(text))
    return text

# ------------------------------------------------------------------------------------------------ after the parser

cdef struct Open:
    int32_t row
    int32_t inherited
    int32_t container
    int32_t does
    int32_t is_block
    int32_t first_text  # row of the first text inside, -1 while there is none
    int32_t last_text

cdef struct Node:
    int32_t parent
    int32_t end
    int32_t depth
    int32_t tag
    int32_t text_start
    int32_t text_end
    int32_t attr_start
    int32_t attr_end
    int32_t flags
    int32_t words
    int32_t container


cdef struct Block:
    int32_t node_start
    int32_t node_end
    int32_t container
    int32_t text_start
    int32_t text_end
    int32_t words
    int32_t characters
    int32_t link_characters
    int32_t hidden_by


cdef enum:
    REASONS = 16

cdef struct Attribute:
    int32_t number
    int32_t name_start
    int32_t value_start
    int32_t value_end


cdef class _Room:
    """The memory of one scan, freed with the object whatever happens."""

    cdef Open* open
    cdef Py_ssize_t open_size
    cdef Node* nodes
    cdef Py_ssize_t node_size
    cdef Block* blocks
    cdef Py_ssize_t block_size
    cdef Attribute* attributes
    cdef Py_ssize_t attribute_size
    cdef void* text

    def __cinit__(self):
        self.open_size = 256
        self.node_size = 2048
        self.block_size = 512
        self.attribute_size = 4096
        self.open = <Open*>malloc(self.open_size * sizeof(Open))
        self.nodes = <Node*>malloc(self.node_size * sizeof(Node))
        self.blocks = <Block*>malloc(self.block_size * sizeof(Block))
        self.attributes = <Attribute*>malloc(self.attribute_size * sizeof(Attribute))
        self.text = NULL
        if self.open == NULL or self.nodes == NULL or self.blocks == NULL or self.attributes == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.open)
        free(self.nodes)
        free(self.blocks)
        free(self.attributes)
        free(self.text)

    cdef int grow_open(self) except -1:
        cdef Open* larger = <Open*>realloc(self.open, 2 * self.open_size * sizeof(Open))
        if larger == NULL:
            raise MemoryError
        self.open = larger
        self.open_size *= 2
        return 0

    cdef int grow_nodes(self) except -1:
        cdef Node* larger = <Node*>realloc(self.nodes, 2 * self.node_size * sizeof(Node))
        if larger == NULL:
            raise MemoryError
        self.nodes = larger
        self.node_size *= 2
        return 0

    cdef int grow_blocks(self) except -1:
        cdef Block* larger = <Block*>realloc(self.blocks, 2 * self.block_size * sizeof(Block))
        if larger == NULL:
            raise MemoryError
        self.blocks = larger
        self.block_size *= 2
        return 0

    cdef int grow_attributes(self) except -1:
        cdef Attribute* larger = <Attribute*>realloc(self.attributes, 2 * self.attribute_size * sizeof(Attribute))
        if larger == NULL:
            raise MemoryError
        self.attributes = larger
        self.attribute_size *= 2
        return 0


cdef inline Py_ssize_t _find(const char_t* at, Py_ssize_t here, Py_ssize_t size, int character) noexcept nogil:
    """The place of the next such character, or the end. Looks for its byte, since nothing is quicker at that."""
    cdef const void* found
    while here < size:
        found = memchr(at + here, character, (size - here) * sizeof(char_t))
        if found == NULL:
            return size
        here = (<const uint8_t*>found - <const uint8_t*>at) // <Py_ssize_t>sizeof(char_t)
        if at[here] == <char_t>character:
            return here
        here += 1  # the byte was half of another
    return size


cdef object _as_columns(const void* rows, Py_ssize_t count, Py_ssize_t width):
    """Rows of int32 as a read-only array with one row for each column: the same memory, seen the other way round."""
    copy = PyBytes_FromStringAndSize(<const char*>rows, count * width * sizeof(int32_t))
    return np.frombuffer(copy, np.int32).reshape(count, width).T


cdef inline bint _spells(const char_t* at, Py_ssize_t size, const char* word, int length) noexcept nogil:
    """Whether the value starts with the word, in any case."""
    cdef int place
    cdef uint32_t c
    if size < length:
        return False
    for place in range(length):
        c = at[place]
        if 65 <= c <= 90:
            c |= 32
        if c != <uint32_t><uint8_t>word[place]:
            return False
    return True


cdef inline bint _is_ascii_space(uint32_t c) noexcept nogil:
    return c == 32 or 9 <= c <= 13


cdef Py_ssize_t _after_colon(const char_t* at, Py_ssize_t here, Py_ssize_t size) noexcept nogil:
    """The place after `\\s*:\\s*`, or -1."""
    while here < size and _is_ascii_space(at[here]):
        here += 1
    if here >= size or at[here] != 58:
        return -1
    here += 1
    while here < size and _is_ascii_space(at[here]):
        here += 1
    return here


cdef int _read_style(const char_t* at, Py_ssize_t size) noexcept nogil:
    """1 if the style hides, plus 2 if it makes a block."""
    cdef Py_ssize_t here, value
    cdef int found = 0
    for here in range(size):
        if at[here] | 32 == 100 and _spells(at + here, size - here, b"display", 7):
            value = _after_colon(at, here + 7, size)
            if value < 0:
                continue
            if _spells(at + value, size - value, b"none", 4):
                found |= 1
            elif (_spells(at + value, size - value, b"block", 5) or _spells(at + value, size - value, b"flex", 4)
                    or _spells(at + value, size - value, b"grid", 4) or _spells(at + value, size - value, b"table", 5)
                    or _spells(at + value, size - value, b"list-item", 9)):
                found |= 2
        elif at[here] | 32 == 118 and _spells(at + here, size - here, b"visibility", 10):
            value = _after_colon(at, here + 10, size)
            if value >= 0 and _spells(at + value, size - value, b"hidden", 6):
                found |= 1
    return found


cdef inline uint32_t _unescape(const char_t* at, Py_ssize_t* here, Py_ssize_t end) noexcept nogil:
    """The character at an ampersand; moves past its escape."""
    cdef Py_ssize_t left = end - here[0]
    cdef const char_t* rest = at + here[0] + 1
    if left >= 4 and rest[1] == 116 and rest[2] == 59:
        if rest[0] == 108:
            here[0] += 4
            return 60
        if rest[0] == 103:
            here[0] += 4
            return 62
    if left >= 4 and rest[0] == 35 and rest[1] == 57 and rest[2] == 59:
        here[0] += 4
        return 9
    if left >= 5 and rest[0] == 97 and rest[1] == 109 and rest[2] == 112 and rest[3] == 59:
        here[0] += 5
        return 38
    if left >= 5 and rest[0] == 35 and rest[1] == 49 and rest[3] == 59:
        if rest[2] == 48:
            here[0] += 5
            return 10
        if rest[2] == 51:
            here[0] += 5
            return 13
    if left >= 6 and rest[0] == 113 and rest[1] == 117 and rest[2] == 111 and rest[3] == 116 and rest[4] == 59:
        here[0] += 6
        return 34
    here[0] += 1
    return 38


cdef struct Copied:
    Py_ssize_t here  # where the text ends
    Py_ssize_t length
    int32_t words
    bint in_word  # whether it ends in one, and the next text may go on with it
    bint has_gap  # whether it ends in white space, which is not written


cdef Copied _copy_text(
    const char_t* at, Py_ssize_t here, Py_ssize_t size, char_t* out, bint in_pre, bint in_word
) noexcept nogil:
    """Write a text up to the next tag, and count its words.

    Sums and no branches, where a branch would hang on whether a word has ended: nobody can guess that.
    """
    cdef Py_ssize_t length = 0
    cdef int32_t words = 0
    cdef uint32_t c
    cdef int kind, is_white, is_letter, was_white = 0, was_letter = in_word, collapsed = 0 if in_pre else WHITE
    while here < size:
        c = at[here]
        here += 1
        if c < 128:
            kind = ASCII_CLASS[c]
            if kind >= TAG_STARTS:
                here -= 1
                if kind == TAG_STARTS:
                    break
                c = _unescape(at, &here, size)
                kind = ASCII_CLASS[c] & WHITE
        else:
            kind = WHITE if _is_space(c) else LETTER if Py_UNICODE_ISALNUM(c) else OTHER
            if kind == LETTER and _is_unspaced(c):
                kind = OTHER
                words += 1
        if in_pre and (c == 13 or 127 <= c < 160):
            c = 10 if c == 13 else 32
        is_white = kind & collapsed
        is_letter = kind >> 1
        c = 32 if is_white else c
        out[length] = <char_t>c
        length += 1 - (is_white & was_white)
        words += is_letter & ~was_letter
        was_white = is_white
        was_letter = is_letter
    return Copied(here, length - was_white, words, was_letter, was_white)


cdef object _scan(str markup, const char_t* at, int32_t max_depth, Py_ssize_t max_attributes):
    cdef Py_ssize_t size = len(markup), here = 0, end, mark, name_start, value_start, on_tag, most = 0
    cdef _Room room = _Room()
    cdef char_t* out
    cdef Py_ssize_t length = 0, text_before
    cdef int32_t gap = BLOCK_GAP, silent = 0, depth = 0, deepest = 0, rows = 0
    cdef int32_t tag, does, parent, container, inherited, flags, row, number, level, style, hidden, around
    cdef Py_ssize_t attribute_count = 0, first_attribute
    cdef uint32_t c
    cdef Copied copied
    cdef Name name
    cdef bint in_word = False, has_open, has_hidden, aria, has_href, closed, leading
    cdef int32_t word_count
    cdef Open* entry
    cdef Block* block
    cdef Py_ssize_t block_count = 0, characters = 0
    cdef Py_ssize_t[REASONS] words
    cdef dict names = {}

    room.text = malloc((size + 1) * sizeof(char_t))
    if room.text == NULL:
        raise MemoryError
    out = <char_t*>room.text
    room.open[0] = Open(-1, 0, -1, 0, 0, -1, -1)
    while here < size:
        if at[here] != 60:
            # ---- text, up to the next tag
            if silent:
                here = _find(at, here, size, 60)
                continue
            entry = &room.open[depth]
            flags = entry.inherited
            leading = False
            if not flags & IN_PRE:
                while here < size and at[here] != 60:
                    c = at[here]
                    if c == 38:
                        mark = here
                        c = _unescape(at, &mark, size)
                        if not _is_space(c):
                            break
                        here = mark
                    elif _is_space(c):
                        here += 1
                    else:
                        break
                    leading = True
                if leading and gap == NO_GAP:
                    gap = SPACE
                if here >= size or at[here] == 60:
                    continue
            # a text node begins here
            if gap == BLOCK_GAP:
                flags |= STARTS_BLOCK
            if entry.does & DETAILS and not flags & HIDDEN_BITS:
                flags |= BY_DETAILS << HIDDEN_SHIFT
            if length and gap != NO_GAP:
                out[length] = 32 if gap == SPACE else 10
                length += 1
                in_word = False
            text_before = length
            copied = _copy_text(at, here, size, out + length, flags & IN_PRE, in_word)
            here = copied.here
            length += copied.length
            word_count = copied.words
            in_word = copied.in_word
            gap = SPACE if copied.has_gap else NO_GAP
            row = rows
            rows += 1
            level = depth if depth < max_depth else max_depth
            if rows > room.node_size:
                room.grow_nodes()
            room.nodes[row] = Node(
                room.open[level].row, row + 1, level, 0, <int32_t>text_before, <int32_t>length,
                <int32_t>attribute_count, <int32_t>attribute_count, flags, word_count, entry.container,
            )
            if entry.first_text < 0:
                entry.first_text = row
            entry.last_text = row
            hidden = (flags & HIDDEN_BITS) >> HIDDEN_SHIFT
            if flags & STARTS_BLOCK:
                if block_count == room.block_size:
                    room.grow_blocks()
                room.blocks[block_count] = Block(row, 0, entry.container, <int32_t>text_before, 0, 0, 0, 0, hidden)
                block_count += 1
            block = &room.blocks[block_count - 1]
            block.node_end = row + 1
            block.text_end = <int32_t>length
            block.words += word_count
            block.characters += <int32_t>(length - text_before)
            if flags & IN_LINK:
                block.link_characters += <int32_t>(length - text_before)
            if hidden < block.hidden_by:
                block.hidden_by = hidden
            continue

        c = at[here + 1] if here + 1 < size else 0
        if c == 33:
            # ---- comment or doctype
            if here + 3 < size and at[here + 2] == 45 and at[here + 3] == 45:
                here = _find(at, here + 6, size, 62)
                while here < size and not (at[here - 1] == 45 and at[here - 2] == 45):
                    here = _find(at, here + 1, size, 62)
                here += 1
            else:
                here = _find(at, here, size, 62) + 1
            continue
        if c == 63:
            # ---- processing instruction
            here += 2
            while here + 1 < size and not (at[here] == 63 and at[here + 1] == 62):
                here += 1
            here += 2
            continue

        closed = c == 47
        if not closed:
            # ---- start tag
            here += 1
            name_start = here
            name = Name(0, 0, 0)
            while here < size and at[here] != 62 and at[here] != 47 and at[here] != 32:
                _spell(&name, at[here])
                here += 1
            tag = _look_up(&TAG_NAMES, &name, at + name_start)
            if tag < 0:
                tag = names.setdefault(markup[name_start:here], TAG_COUNT + len(names))
            does = BEHAVIOUR[tag] if tag < TAG_COUNT else 0

            first_attribute = attribute_count
            on_tag = 0
            style = 0
            has_open = has_hidden = aria = has_href = False
            while here < size and at[here] != 62:
                if at[here] == 47 or at[here] == 32:
                    here += 1
                    continue
                mark = here
                name = Name(0, 0, 0)
                while here < size and at[here] != 61:
                    _spell(&name, at[here])
                    here += 1
                value_start = here + 2
                end = _find(at, value_start, size, 34)
                here = end + 1
                on_tag += 1
                if on_tag > max_attributes:
                    continue
                number = _look_up(&ATTRIBUTE_NAMES, &name, at + mark)
                if number < 0:
                    number = 0
                if attribute_count == room.attribute_size:
                    room.grow_attributes()
                value_start, end = min(value_start, size), min(end, size)  # for what our parser never writes
                room.attributes[attribute_count] = Attribute(
                    number, <int32_t>mark, <int32_t>value_start, <int32_t>end
                )
                attribute_count += 1
                if number == HREF:
                    has_href = True
                elif number == STYLE:
                    style = _read_style(at + value_start, end - value_start)
                elif number == HIDDEN:
                    has_hidden = True
                elif number == OPEN:
                    has_open = True
                elif number == ARIA:
                    aria = end - value_start == 4 and at[value_start] == 116 and at[value_start + 1] == 114 \
                        and at[value_start + 2] == 117 and at[value_start + 3] == 101
            if on_tag > most:
                most = on_tag
            closed = at[here - 1] == 47
            here += 1

            if does & DETAILS and has_open:
                does &= ~DETAILS
            entry = &room.open[depth]
            inherited = entry.inherited
            container = entry.container
            flags = inherited
            if does & BLOCK or style & 2:
                flags |= IS_BLOCK
            if does & PRE:
                flags |= IN_PRE
            if does & LINK and has_href:
                flags |= IN_LINK
            around = (flags & HIDDEN_BITS) >> HIDDEN_SHIFT
            if around == 0 or around >= BY_DETAILS:
                hidden = around
                if does & SCRIPTLESS:
                    hidden = BY_NOSCRIPT
                elif does & FALLBACK:
                    hidden = BY_FALLBACK
                elif does & DIALOG and not has_open:
                    hidden = BY_DIALOG
                elif has_hidden:
                    hidden = BY_ATTRIBUTE
                elif style & 1:
                    hidden = BY_STYLE
                elif around:
                    pass
                elif entry.does & DETAILS and not does & SUMMARY:
                    hidden = BY_DETAILS
                elif aria:
                    hidden = BY_ARIA
                flags = (flags & ~HIDDEN_BITS) | hidden << HIDDEN_SHIFT
            level = depth if depth < max_depth else max_depth
            parent = room.open[level].row
            depth += 1
            if depth > max_depth or does & OPAQUE:
                flags |= UNREACHABLE
            if depth > deepest:
                deepest = depth
            row = rows
            rows += 1
            if flags & IS_BLOCK:
                container = row
                gap = BLOCK_GAP
            elif does & BREAK:
                gap = BLOCK_GAP if gap >= LINE else LINE
            if does & SILENT:
                silent += 1
            if rows > room.node_size:
                room.grow_nodes()
            room.nodes[row] = Node(
                parent, row + 1, level, tag, <int32_t>length, <int32_t>length,
                <int32_t>first_attribute, <int32_t>attribute_count, flags, 0, container,
            )
            if depth == room.open_size:
                room.grow_open()
            room.open[depth] = Open(row, flags & INHERITED, container, does, flags & IS_BLOCK, -1, -1)
        else:
            while here < size and at[here] != 62:
                here += 1
            here += 1

        if closed and depth > 0:
            # ---- end tag, or the end of an empty element
            entry = &room.open[depth]
            depth -= 1
            if entry.is_block:
                gap = BLOCK_GAP
            if entry.does & SILENT:
                silent -= 1
            if entry.first_text >= 0:
                if room.open[depth].first_text < 0:
                    room.open[depth].first_text = entry.first_text
                room.open[depth].last_text = entry.last_text
            if depth + 1 <= max_depth:
                room.nodes[entry.row].end = rows
                if entry.first_text >= 0:
                    room.nodes[entry.row].text_start = room.nodes[entry.first_text].text_start
                    room.nodes[entry.row].text_end = room.nodes[entry.last_text].text_end

    memset(words, 0, sizeof(words))
    for mark in range(block_count):
        characters += room.blocks[mark].characters
        words[room.blocks[mark].hidden_by] += room.blocks[mark].words

    return (
        _as_columns(room.nodes, rows, sizeof(Node) // sizeof(int32_t)),
        _as_columns(room.blocks, block_count, sizeof(Block) // sizeof(int32_t)),
        _as_columns(room.attributes, attribute_count, 4),
        PyUnicode_FromKindAndData(sizeof(char_t), out, length),
        tuple(names),
        deepest,
        most,
        characters,
        tuple([count for count in words]),
    )


def scan(str markup not None, int max_depth, Py_ssize_t max_attributes):
    """See `page._reference.scan`."""
    cdef int kind = PyUnicode_KIND(markup)
    cdef void* data = PyUnicode_DATA(markup)
    if kind == 1:
        return _scan(markup, <const uint8_t*>data, max_depth, max_attributes)
    if kind == 2:
        return _scan(markup, <const uint16_t*>data, max_depth, max_attributes)
    return _scan(markup, <const uint32_t*>data, max_depth, max_attributes)

