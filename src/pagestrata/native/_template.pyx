# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""What is run for every node of a page that is compared with a template, compiled.

The same functions as in `_columns.py`, `align.py`, `features.py` and `fit.py` of `algorithms/template`, which say what
they mean and run where this was not built: they are numpy or short Python, and this is no faster interpreted. Names,
features and constants belong to that package, which hands them over once with `set_up`.
"""

from cpython.mem cimport PyMem_Free, PyMem_Malloc
from cpython.unicode cimport PyUnicode_Substring
from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t

import numpy as np

cdef extern from "Python.h":
    int PyUnicode_KIND(object text)
    void* PyUnicode_DATA(object text)
    uint32_t PyUnicode_READ(int kind, const void* data, Py_ssize_t index) nogil

cdef enum:
    MOST_TAGS = 256

cdef int32_t KNOWN, TEXT, MEDIUM, LEFT_OUT, PARENT, END, TAG, TEXT_START, TEXT_END, ATTR_END, ID, CLASS
cdef Py_ssize_t LONGEST_NAME, LONGEST, BEGINNING
cdef uint64_t BASE, BASE_INVERSE
cdef double SAME_TEXT, SAME_NAME, OTHER_NAME, LEAST, MASKED_WORTH
cdef str MASKED
cdef object text_features, long_text_features, id_name, class_name, number, shape_bit, plain_tags, Columns
cdef object unescape, without_controls
cdef const int32_t[::1] ROLE
cdef uint64_t[MOST_TAGS] TAG_NUMBERS
cdef uint64_t[MOST_TAGS][MOST_TAGS] SHAPE_BITS  # filled as pairs of tags come up
cdef uint8_t[MOST_TAGS][MOST_TAGS] HAS_SHAPE_BIT


def set_up(structure, worths, shown, scanned, attributes, undo_escapes, drop_controls):
    """Take over constants and functions of the modules `_columns`, `fit` and `features` of the template, and of a page:
    its columns, the numbers of attributes, what undoes the escapes in a value and what drops controls from it."""
    global Columns, plain_tags, id_name, class_name, number, shape_bit, ROLE, KNOWN, TEXT, MEDIUM, LEFT_OUT
    global LONGEST_NAME, BASE, BASE_INVERSE
    Columns, plain_tags, id_name, class_name = structure.Columns, structure.plain_tags, structure.id_name, structure.class_name
    number, shape_bit, ROLE, KNOWN = structure.number, structure.shape_bit, structure.ROLE, len(structure.KNOWN)
    TEXT, MEDIUM, LEFT_OUT = structure.TEXT, structure.MEDIUM, structure.LEFT_OUT
    LONGEST_NAME, BASE, BASE_INVERSE = structure.LONGEST_NAME, structure.BASE, structure.BASE_INVERSE
    if KNOWN > MOST_TAGS:
        raise ImportError("there are more tags than the kernel has room for")
    for place, name in enumerate(structure.KNOWN):
        TAG_NUMBERS[place] = number(name)
    _take_worths(worths, shown)
    _take_page(scanned, attributes, undo_escapes, drop_controls)


cdef _take_worths(worths, shown):
    global SAME_TEXT, SAME_NAME, OTHER_NAME, LEAST, LONGEST, BEGINNING, MASKED_WORTH, MASKED
    global text_features, long_text_features
    SAME_TEXT, SAME_NAME, OTHER_NAME, LEAST = worths.SAME_TEXT, worths.SAME_NAME, worths.OTHER_NAME, worths.LEAST
    LONGEST, BEGINNING, MASKED_WORTH, MASKED = shown.LONGEST, shown.BEGINNING, shown.MASKED_WORTH, shown.MASKED
    text_features, long_text_features = shown.text_features, shown.long_text_features


cdef _take_page(scanned, attributes, undo_escapes, drop_controls):
    global PARENT, END, TAG, TEXT_START, TEXT_END, ATTR_END, ID, CLASS, unescape, without_controls
    PARENT, END, TAG, ATTR_END = scanned.PARENT, scanned.END, scanned.TAG, scanned.ATTR_END
    TEXT_START, TEXT_END = scanned.TEXT_START, scanned.TEXT_END
    ID, CLASS = attributes["id"], attributes["class"]
    unescape, without_controls = undo_escapes, drop_controls


def columns(page):
    """See `_columns.columns`."""
    cdef const int32_t[:, :] table = page.nodes.table
    cdef Py_ssize_t count = table.shape[1], node, place, kept_count
    cdef tuple tag_of = plain_tags(page.nodes.names)
    cdef int32_t[::1] place_of = np.empty(count + 1, np.int32)
    kept_count = _number_kept(table, place_of)
    nodes = np.empty(kept_count, np.intp)
    cdef Py_ssize_t[::1] node_of = nodes
    cdef int32_t[::1] numbers = np.empty(kept_count, np.int32), parents = np.empty(kept_count, np.int32)
    cdef int32_t[::1] ends = np.empty(kept_count, np.int32)
    cdef list tag = [], parent = [], end = [], characters = []
    for node in range(count):
        place = place_of[node]
        if place_of[node + 1] == place:
            continue
        node_of[place] = node
        numbers[place] = table[TAG, node]
        parents[place] = place_of[table[PARENT, node]] if node else -1
        ends[place] = place_of[table[END, node]]
        tag.append(tag_of[numbers[place]])
        parent.append(parents[place])
        end.append(ends[place])
        characters.append(table[TEXT_END, node] - table[TEXT_START, node])
    cdef list name = _names(page.markup, page.attributes, table, place_of, kept_count)
    return Columns(
        nodes, tag, parent, name, end,
        _shapes(tag_of, numbers, parents),
        _forms(tag_of, numbers, parents, ends, name),
        _contents(page.text, table, node_of),
        characters,
    )


cdef Py_ssize_t _number_kept(const int32_t[:, :] table, int32_t[::1] place_of):
    """Set how many nodes before each, and in all, are kept; gives the last."""
    cdef Py_ssize_t count = table.shape[1], node, skip_to = 0
    cdef int32_t leaves = 0, kept = 0, role
    cdef int32_t[::1] before = np.empty(count + 1, np.int32)
    for node in range(count):
        before[node] = leaves
        role = ROLE[min(table[TAG, node], KNOWN)]
        if role == LEFT_OUT and node >= skip_to:
            skip_to = table[END, node]
        if node >= skip_to and (role == MEDIUM or (role == TEXT and table[TEXT_END, node] > table[TEXT_START, node])):
            leaves += 1
    before[count] = leaves
    for node in range(count):
        place_of[node] = kept
        if node == 0 or before[table[END, node]] > before[node]:
            kept += 1
    place_of[count] = kept
    return kept


cdef list _names(str markup, const int32_t[:, :] attributes, const int32_t[:, :] table, int32_t[::1] place_of,
                 Py_ssize_t kept_count):
    """The class or else the id of each kept node."""
    cdef list found = [""] * kept_count
    cdef Py_ssize_t attribute, node = 0
    cdef int32_t kind
    cdef str name
    for attribute in range(attributes.shape[1]):
        kind = attributes[0, attribute]
        if kind != ID and kind != CLASS:
            continue
        while table[ATTR_END, node] <= attribute:
            node += 1
        if place_of[node + 1] == place_of[node]:
            continue
        value = _value(markup, attributes[2, attribute], attributes[3, attribute])
        if kind == CLASS:
            name = class_name(value)
            if name:
                found[place_of[node]] = name
        elif not (<str>found[place_of[node]]).startswith("."):
            name = id_name(value)
            if name:
                found[place_of[node]] = name
    return found


cdef str _value(str markup, Py_ssize_t start, Py_ssize_t end):
    """The beginning of an attribute's value, without escapes and controls."""
    cdef int kind = PyUnicode_KIND(markup)
    cdef void* data = PyUnicode_DATA(markup)
    cdef Py_ssize_t here
    cdef uint32_t c
    for here in range(start, min(end, start + LONGEST_NAME)):
        c = PyUnicode_READ(kind, data, here)
        if c == 38 or c < 32 or c >= 127:  # an ampersand, or anything that may not stand in plain text
            return without_controls(unescape(markup[start:end]))[:LONGEST_NAME]
    return PyUnicode_Substring(markup, start, min(end, start + LONGEST_NAME))


# ------------------------------------------------------------------------------------------------------- signatures


cdef uint64_t _shape_bit(tuple tag_of, int32_t above, int32_t below) except? 0:
    if above >= KNOWN or below >= KNOWN:
        return shape_bit(tag_of[above], tag_of[below])
    if not HAS_SHAPE_BIT[above][below]:
        SHAPE_BITS[above][below] = shape_bit(tag_of[above], tag_of[below])
        HAS_SHAPE_BIT[above][below] = 1
    return SHAPE_BITS[above][below]


cdef list _shapes(tuple tag_of, int32_t[::1] numbers, int32_t[::1] parents):
    cdef Py_ssize_t node, count = numbers.shape[0]
    cdef uint64_t[::1] shape = np.zeros(count, np.uint64)
    for node in range(count - 1, 0, -1):
        shape[parents[node]] |= shape[node] | _shape_bit(tag_of, numbers[parents[node]], numbers[node])
    return [shape[node] for node in range(count)]


def shapes(list tag, list parent):
    """See `_columns.shapes`."""
    cdef Py_ssize_t node, above, count = len(tag)
    cdef uint64_t[::1] shape = np.zeros(count, np.uint64)
    for node in range(count - 1, 0, -1):
        above = parent[node]
        shape[above] |= shape[node] | <uint64_t>shape_bit(tag[above], tag[node])
    return [shape[node] for node in range(count)]


def preorder(list kids):
    """See `_columns.preorder`."""
    cdef list order = [], parents = [], waiting = [0] if kids else [], above = [-1], below
    cdef Py_ssize_t place
    while waiting:
        node = waiting.pop()
        parents.append(above.pop())
        below = <list>kids[node]
        for place in range(len(below) - 1, -1, -1):
            waiting.append(below[place])
            above.append(len(order))
        order.append(node)
    return order, parents


cdef inline uint64_t _mixed(uint64_t value) noexcept nogil:
    """Of a span's sum: 52 bits, never 0."""
    value = (value ^ (value >> 29)) * 0xBF58476D1CE4E5B9ULL
    return (value >> 12) | 1


cdef list _forms(tuple tag_of, int32_t[::1] numbers, int32_t[::1] parents, int32_t[::1] ends, list name):
    cdef Py_ssize_t node, count = numbers.shape[0]
    cdef uint64_t[::1] arity = np.zeros(count, np.uint64), sums = np.zeros(count + 1, np.uint64)
    cdef uint64_t power = 1, inverse = 1, label
    cdef list found = []
    for node in range(1, count):
        arity[parents[node]] += 1
    for node in range(count):
        label = TAG_NUMBERS[numbers[node]] if numbers[node] < KNOWN else number(tag_of[numbers[node]])
        if <str>name[node]:
            label += <uint64_t>number(name[node])
        sums[node + 1] = sums[node] + label * (2 * arity[node] + 1) * power
        power *= BASE
    for node in range(count):
        found.append(_mixed((sums[ends[node]] - sums[node]) * inverse))
        inverse *= BASE_INVERSE
    return found


cdef list _contents(str text, const int32_t[:, :] table, Py_ssize_t[::1] node_of):
    """Sums are noted where texts begin and end, since elements begin and end there, too."""
    cdef int kind = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    cdef uint64_t[::1] sums = np.empty(len(text) + 1, np.uint64), inverses = np.empty(len(text) + 1, np.uint64)
    cdef uint64_t total = 0, power = 1, inverse = 1
    cdef Py_ssize_t node, place, here = 0, start, end
    cdef list found = []
    for node in range(table.shape[1]):
        if table[TAG, node]:
            continue
        start, end = table[TEXT_START, node], table[TEXT_END, node]
        while here < end:
            if here == start:
                sums[here] = total
                inverses[here] = inverse
            total += PyUnicode_READ(kind, data, here) * power
            power *= BASE
            inverse *= BASE_INVERSE
            here += 1
        sums[here] = total
    for place in range(node_of.shape[0]):
        start, end = table[TEXT_START, node_of[place]], table[TEXT_END, node_of[place]]
        found.append(_mixed((sums[end] - sums[start]) * inverses[start]) if end > start else 0)
    return found


# --------------------------------------------------------------------------------------------------------- alignment


def align(list scores, list repeats):
    """See `align.align`."""
    cdef Py_ssize_t rows = len(scores), width = len(<list>scores[0]) if rows else 0, i, j
    cdef double* score = <double*>PyMem_Malloc((rows * width + (rows + 1) * (width + 1)) * sizeof(double))
    if score == NULL:
        raise MemoryError
    cdef double* table = score + rows * width
    try:
        for i in range(rows):
            for j in range(width):
                score[i * width + j] = (<list>scores[i])[j]
        for j in range(width + 1):
            table[j] = 0
        for i in range(rows):
            _fill_row(score + i * width, table + i * (width + 1), width, repeats[i])
        return _trace(score, table, rows, width, repeats)
    finally:
        PyMem_Free(score)


cdef void _fill_row(const double* score, double* above, Py_ssize_t width, bint repeat) noexcept nogil:
    """The best sums with one more item of the template; they stand right behind those above."""
    cdef double* here = above + width + 1
    cdef double best = 0, before
    cdef Py_ssize_t j
    here[0] = 0
    for j in range(width):
        if above[j + 1] > best:
            best = above[j + 1]
        if score[j] > 0:
            before = here[j] if repeat and here[j] > above[j] else above[j]
            if before + score[j] > best:
                best = before + score[j]
        here[j + 1] = best


cdef list _trace(const double* score, const double* table, Py_ssize_t i, Py_ssize_t width, list repeats):
    cdef Py_ssize_t j = width
    cdef const double* here
    cdef list pairs = [-1] * width
    while i and j:
        here = table + i * (width + 1)
        if here[j] == here[j - 1]:
            j -= 1
        elif here[j] == (here - width - 1)[j]:
            i -= 1
        else:
            pairs[j - 1] = i - 1
            if not (repeats[i - 1] and here[j] == here[j - 1] + score[(i - 1) * width + j - 1]):
                i -= 1
            j -= 1
    return pairs


cdef inline int _bit_count(uint64_t bits) noexcept nogil:
    bits = bits - ((bits >> 1) & 0x5555555555555555ULL)
    bits = (bits & 0x3333333333333333ULL) + ((bits >> 2) & 0x3333333333333333ULL)
    return <int>((((bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0FULL) * 0x0101010101010101ULL) >> 56)


def likeness(uint64_t a, uint64_t b):
    """See `fit.likeness`."""
    return _likeness(a, b)


cdef double _likeness(uint64_t a, uint64_t b) noexcept nogil:
    if a == b:
        return 1.0
    cdef int shared = _bit_count(a & b), of_a = _bit_count(a), of_b = _bit_count(b)
    return ((shared + 1.0) / (of_a + of_b - shared + 1) + (shared + 1.0) / (min(of_a, of_b) + 1)) / 2


def fit(tree, uint64_t shape, Py_ssize_t node, page, Py_ssize_t child):
    """See `fit.fit`."""
    cdef double worth = _likeness(shape, (<list>page.shape)[child])
    cdef str name = (<list>tree.name)[node]
    content = (<list>tree.content)[node]
    if name:
        worth += SAME_NAME if name == <str>(<list>page.name)[child] else OTHER_NAME
    if content and content == (<list>page.content)[child]:
        worth += SAME_TEXT
    return worth if worth > LEAST else LEAST


# ------------------------------------------------------------------------------------------------------------- noise


def recurring(leaves, list places, list known, dict by_path, Py_ssize_t own):
    """See `features.recurring`."""
    cdef list found = [], at = leaves.places, starts = leaves.starts, ends = leaves.ends
    cdef list content = leaves.structure.content, may_lead = leaves.may_lead
    cdef str text = leaves.structure.page.text
    cdef Py_ssize_t number, node, start, end, most
    cdef dict counts
    cdef tuple here
    cdef double support
    path = leaves.structure.paths()
    for number in range(len(at)):
        node = places[<Py_ssize_t>at[number]]
        here = known[node] if node >= 0 else None
        if here is None:
            here = by_path.get(path(at[number]))
        counts = <dict?>here[0] if here is not None else None
        if not counts:
            found.append(0.0)
            continue
        most = max(1, <Py_ssize_t>here[1] - own)
        start, end, support = starts[number], ends[number], 0
        if end - start > LONGEST:
            said = long_text_features(PyUnicode_Substring(text, start, start + BEGINNING), content[<Py_ssize_t>at[number]])
            support = _support(counts, said, own)
        elif end > start:
            support = _support(counts, text_features(PyUnicode_Substring(text, start, end)), own)
        if support < most and may_lead[number]:
            support = max(support, _support(counts, leaves.targets(number), own))
        found.append(min(1.0, support / most))
    return found


cdef double _support(dict counts, tuple shown, Py_ssize_t own):
    """See `features._support`."""
    cdef double support = 0
    cdef Py_ssize_t count
    for feature in shown:
        known = counts.get(feature)
        count = (<Py_ssize_t>known if known is not None else 0) - own
        if count > support:
            support = max(support, count * MASKED_WORTH if (<str>feature).startswith(MASKED) else <double>count)
    return support
