# The types with which scan.py is compiled.
cimport cython
from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcmp

from pagestrata.native._letters cimport (
    char_t, find_letter, is_alnum, is_space, letters_1, letters_2, letters_4, width_of,
)

cdef extern from *:
    """
    #define room_1(room) ((uint8_t*)PyByteArray_AS_STRING(room))
    #define room_2(room) ((uint16_t*)PyByteArray_AS_STRING(room))
    #define room_4(room) ((uint32_t*)PyByteArray_AS_STRING(room))
    """
    uint8_t* room_1(bytearray room)
    uint16_t* room_2(bytearray room)
    uint32_t* room_4(bytearray room)

cdef extern from "Python.h":
    bytearray PyByteArray_FromStringAndSize(const char* data, Py_ssize_t size)
    char* PyByteArray_AS_STRING(bytearray room)
    Py_ssize_t PyByteArray_GET_SIZE(bytearray room)
    int PyByteArray_Resize(bytearray room, Py_ssize_t size) except -1
    str PyUnicode_FromKindAndData(int kind, const void* data, Py_ssize_t size)

# One field for each column of `page.columns`, in the same order.
cdef struct Node:
    int32_t parent, end, depth, tag, text_start, text_end, attr_start, attr_end, flags, words, container

cdef struct Block:
    int32_t node_start, node_end, container, text_start, text_end, words, characters, link_characters, hidden_by

cdef struct Attribute:
    int32_t number, name_start, value_start, value_end

cdef struct Opened:
    int32_t row, inherited, container, behaviour, is_block
    int32_t first_text, last_text  # rows of the texts inside, -1 while there are none

cdef struct Formatting:
    int32_t name
    Py_ssize_t start, length

cdef struct Escape:
    uint32_t letter
    Py_ssize_t last  # where it ends

cdef int32_t NODE_COLUMNS, BLOCK_COLUMNS, ATTRIBUTE_COLUMNS, NO_NAME
cdef Py_ssize_t SLOTS
cdef uint64_t LAST_SLOT, MIXER
cdef int OTHER, WHITE, LETTER, TAG_STARTS, ESCAPE_STARTS, PLAIN, UNUSUAL, ENDS_NAME
cdef const uint8_t* KIND_OF_LETTER
cdef const uint8_t* KIND_IN_NAME
cdef const uint8_t* LOWERED
cdef Names TAG_NAMES, ATTRIBUTE_NAMES, WATCHED_NAMES
cdef int32_t TAG_COUNT
cdef const int[::1] BEHAVIOUR
cdef const unsigned int[::1] UNSPACED
cdef int32_t BLOCK, SILENT, PRE, BREAK, LINK, DETAILS, SUMMARY, DIALOG, OPAQUE, SCRIPTLESS, FALLBACK
cdef int32_t BY_STYLE, BY_ATTRIBUTE, BY_NOSCRIPT, BY_FALLBACK, BY_DIALOG, BY_DETAILS, BY_ARIA
cdef int32_t HREF, STYLE, HIDDEN, ARIA, OPEN
cdef int32_t STARTS_BLOCK, IN_LINK, IN_PRE, IS_BLOCK, UNREACHABLE, HIDDEN_SHIFT, HIDDEN_BITS, INHERITED
cdef int32_t SCRIPT, STYLE_TAG, TEMPLATE, MATH, IFRAME, NOSCRIPT, ODD_NAMES, TEMPLATES, MATHS, OPEN_FRAMES
cdef Py_ssize_t TAG_KEY_BYTES, HARMLESS_OPEN, MOST_OPEN, MOST_ALIKE
cdef int32_t NO_GAP, SPACE, LINE, BLOCK_GAP
cdef uint64_t LT, GT, AMP, QUOT, TAB, LINE_FEED, CARRIAGE_RETURN
cdef int32_t HAS_HREF, IS_OPEN, IS_HIDDEN, IS_ARIA_HIDDEN, HIDES, MAKES_BLOCK


@cython.final
cdef class Names:
    cdef unsigned long long[::1] keys
    cdef int[::1] lengths, numbers
    cdef list spellings

    @cython.locals(slot=uint64_t, length=Py_ssize_t, is_alike=cython.bint)
    cdef inline int32_t number_of(self, uint64_t key, const char_t* at, Py_ssize_t start, Py_ssize_t end) noexcept

    cdef bint is_spelled(self, uint64_t slot, const char_t* at, Py_ssize_t start, Py_ssize_t end) noexcept


cdef uint64_t spell(uint64_t key, uint32_t letter) noexcept nogil
cdef uint64_t slot_of(uint64_t key) noexcept nogil

@cython.locals(walk=Survey)
cpdef tuple survey(bytes data, Py_ssize_t tag_budget, Py_ssize_t rebuild_budget)

cdef bint is_latin(uint8_t code) noexcept nogil


@cython.final
cdef class Survey:
    cdef const uint8_t* at
    cdef Py_ssize_t size, count, cut, dissolve, rebuilt, open_count
    cdef int32_t signs, raw
    cdef bint frame_opened
    cdef bytearray memory
    cdef Formatting* opened

    @cython.locals(
        at="const unsigned char*", size=Py_ssize_t, here=Py_ssize_t, start=Py_ssize_t, name_start=Py_ssize_t,
        kinds="const unsigned char*", lowered="const unsigned char*", closing=cython.bint, odd=cython.int,
        key=uint64_t, name=int32_t,
    )
    cdef void run(self, Py_ssize_t tag_budget, Py_ssize_t rebuild_budget) except *

    cdef inline void note_signs(self, int32_t name, bint closing, int odd) noexcept
    cdef inline int follow_formatting(self, int32_t name, bint closing, Py_ssize_t start) except -1

    @cython.locals(first=Py_ssize_t, alike=Py_ssize_t, place=Py_ssize_t, opened="Formatting*")
    cdef inline int open(self, int32_t name, Py_ssize_t start, Py_ssize_t length) except -1

    @cython.locals(place=Py_ssize_t)
    cdef inline void close(self, int32_t name) noexcept

    @cython.locals(later=Py_ssize_t)
    cdef void remove(self, Py_ssize_t place) noexcept


@cython.locals(scanner=Scanner, width=cython.int, room=bytearray)
cpdef tuple scan(str markup, int32_t max_depth, Py_ssize_t max_attributes)

@cython.locals(letters="const unsigned char*", place=Py_ssize_t, letter=uint32_t)
cdef bint begins(const char_t* at, Py_ssize_t start, Py_ssize_t end, bytes word, bint in_any_case) noexcept

cdef bint is_white(uint32_t letter) noexcept nogil

@cython.locals(place=Py_ssize_t)
cdef bint is_unspaced(uint32_t letter) noexcept

@cython.locals(end=Py_ssize_t, name=uint64_t, letter=uint32_t)
cdef Escape read_escape(const char_t* at, Py_ssize_t here, Py_ssize_t size) noexcept

cdef uint32_t letter_of_escape(uint64_t name) noexcept nogil

@cython.locals(escape=Escape)
cdef Py_ssize_t after_white(const char_t* at, Py_ssize_t here, Py_ssize_t size) noexcept

cdef Py_ssize_t after_tag(const char_t* at, Py_ssize_t here, Py_ssize_t size) noexcept
cdef Py_ssize_t end_of_declaration(const char_t* at, Py_ssize_t here, Py_ssize_t size) noexcept
cdef Py_ssize_t end_of_instruction(const char_t* at, Py_ssize_t here, Py_ssize_t size) noexcept
cdef Py_ssize_t after_colon(const char_t* at, Py_ssize_t here, Py_ssize_t end) noexcept
cdef Py_ssize_t after_blanks(const char_t* at, Py_ssize_t here, Py_ssize_t end) noexcept

@cython.locals(effect=int32_t, here=Py_ssize_t, letter=uint32_t, value=Py_ssize_t)
cdef int32_t effect_of_style(const char_t* at, Py_ssize_t start, Py_ssize_t end) noexcept

cdef bint begins_name(const char_t* at, Py_ssize_t start, Py_ssize_t here) noexcept

cdef int32_t effect_of_display(const char_t* at, Py_ssize_t value, Py_ssize_t end) noexcept
cdef int32_t hidden_by(int32_t around, int32_t behaviour, int32_t effects, bint in_details) noexcept nogil


@cython.final
cdef class Scanner:
    cdef str markup
    cdef Py_ssize_t size, max_attributes, most_attributes, length
    cdef int32_t max_depth, depth, deepest, silent, effects, gap, node_count, block_count, attribute_count
    cdef int32_t words, in_word, after_link
    cdef Py_ssize_t[16] words_hidden_by
    cdef bytearray node_memory, block_memory, attribute_memory, opened_memory
    cdef Node* nodes
    cdef Block* blocks
    cdef Opened* opened
    cdef dict names

    @cython.locals(size=Py_ssize_t, here=Py_ssize_t, follows=uint32_t)
    cdef str read(self, const char_t* at, char_t* out)

    @cython.locals(characters=Py_ssize_t, blocks="Block*", place=Py_ssize_t)
    cdef tuple result(self, str text)

    @cython.locals(size=Py_ssize_t, opened="Opened*", depth=int32_t, flags=int32_t, start=Py_ssize_t)
    cdef inline Py_ssize_t read_text(self, const char_t* at, Py_ssize_t here, char_t* out) except -1

    @cython.locals(
        size=Py_ssize_t, length=Py_ssize_t, kinds="const unsigned char*", words=int32_t, was_blank=cython.int,
        was_letter=cython.int, collapsed=cython.int, letter=uint32_t, kind=cython.int, escape=Escape,
        is_blank=cython.int, is_letter=cython.int,
    )
    cdef inline Py_ssize_t copy_text(self, const char_t* at, Py_ssize_t here, char_t* out, bint in_pre) noexcept

    @cython.locals(
        opened="Opened*", depth=int32_t, row=int32_t, end=int32_t, words=int32_t, level=int32_t, attributes=int32_t,
        container=int32_t, hidden=int32_t, blocks="Block*", last=int32_t, gap=int32_t,
    )
    cdef inline int add_text(self, int32_t flags, int32_t start) except -1

    @cython.locals(size=Py_ssize_t, here=Py_ssize_t, key=uint64_t, tag=int32_t, first_attribute=int32_t)
    cdef inline Py_ssize_t read_tag(self, const char_t* at, Py_ssize_t start) except -1

    @cython.locals(
        size=Py_ssize_t, count=Py_ssize_t, start=Py_ssize_t, key=uint64_t, name_end=Py_ssize_t, value=Py_ssize_t,
        end=Py_ssize_t, number=int32_t,
    )
    cdef inline Py_ssize_t read_attributes(self, const char_t* at, Py_ssize_t here) except -1

    cdef inline void note_effect(self, int32_t number, const char_t* at, Py_ssize_t value, Py_ssize_t end) noexcept

    @cython.locals(attributes="Attribute*")
    cdef inline int add_attribute(self, int32_t number, int32_t start, int32_t value, int32_t end) except -1

    @cython.locals(
        opened="Opened*", depth=int32_t, row=int32_t, effects=int32_t, flags=int32_t, container=int32_t,
        around=int32_t, hidden=int32_t, level=int32_t, length=int32_t, attributes=int32_t,
    )
    cdef inline int open(self, int32_t tag, int32_t behaviour, int32_t first_attribute) except -1

    @cython.locals(opened="Opened*", nodes="Node*", depth=int32_t, row=int32_t, first=int32_t, last=int32_t)
    cdef inline void close(self) noexcept


cdef as_columns(bytearray memory, Py_ssize_t count, Py_ssize_t width)


cdef inline uint64_t low_64(uint64_t number) noexcept nogil:
    return number


cdef inline bint is_same_key(const uint8_t* at, Py_ssize_t start, Py_ssize_t other, Py_ssize_t length) noexcept nogil:
    return memcmp(at + start, at + other, length) == 0


cdef inline bytearray new_rows():
    return PyByteArray_FromStringAndSize(NULL, 65536)  # most tables need no more


cdef inline void* rows_in(bytearray memory, Py_ssize_t size) except NULL:
    if PyByteArray_GET_SIZE(memory) < size:
        PyByteArray_Resize(memory, 2 * size)
    return PyByteArray_AS_STRING(memory)


cdef inline Node* nodes_in(bytearray memory, Py_ssize_t count) except NULL:
    return <Node*>rows_in(memory, count * sizeof(Node))


cdef inline Block* blocks_in(bytearray memory, Py_ssize_t count) except NULL:
    return <Block*>rows_in(memory, count * sizeof(Block))


cdef inline Attribute* attributes_in(bytearray memory, Py_ssize_t count) except NULL:
    return <Attribute*>rows_in(memory, count * sizeof(Attribute))


cdef inline Opened* opened_in(bytearray memory, Py_ssize_t count) except NULL:
    return <Opened*>rows_in(memory, count * sizeof(Opened))


cdef inline Formatting* formatting_in(bytearray memory, Py_ssize_t count) except NULL:
    return <Formatting*>rows_in(memory, count * sizeof(Formatting))


cdef inline bytes bytes_of(bytearray memory, Py_ssize_t count, Py_ssize_t width):
    return PyBytes_FromStringAndSize(PyByteArray_AS_STRING(memory), count * width * sizeof(int32_t))


cdef inline bytearray new_letters(Py_ssize_t size, Py_ssize_t width):
    return PyByteArray_FromStringAndSize(NULL, size * width)


cdef inline str text_of(const char_t* letters, Py_ssize_t length):
    return PyUnicode_FromKindAndData(sizeof(char_t), letters, length)
