# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Leave out of the bytes what a page never shows, before the parser reads it: half of a page is scripts and styles.

The walk takes the bytes as the tokenizer of the HTML standard does: comments, tags with their quoted values, text that
is raw until its end tag. Where it cannot be sure of what the tree will be (MathML, frames, drawings that are not well
formed, scripts in scripts), it stops, and the rest stays as it is. So the page comes out the same, only sooner.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdint cimport uint8_t, uint64_t
from libc.stdlib cimport free, realloc
from libc.string cimport memchr, memcpy

cdef enum:
    DEEPEST = 64  # elements in elements; deeper drawings stay as they are
    UNSURE = -1

cdef struct Ranges:
    Py_ssize_t* bounds  # start, end, start, end …
    Py_ssize_t size
    Py_ssize_t room
    Py_ssize_t total  # bytes in them

cdef struct Tag:
    uint64_t name  # its last eight letters, lower-cased, as a number
    Py_ssize_t length  # of the name
    Py_ssize_t end  # of the tag
    bint closes_itself


cdef uint64_t _spelled(str name):
    cdef uint64_t spelled = 0
    for letter in name.encode():  # the first letters of a long one are lost
        spelled = spelled << 8 | <uint64_t><int>letter
    return spelled


cdef uint64_t SCRIPT = _spelled("script"), STYLE = _spelled("style"), SVG = _spelled("svg"), MATH = _spelled("math")
cdef uint64_t TEMPLATE = _spelled("template"), FRAMESET = _spelled("frameset"), PLAINTEXT = _spelled("plaintext")
cdef uint64_t TITLE = _spelled("title"), DESC = _spelled("desc")

cdef enum:
    MOST_NAMES = 64

cdef uint64_t[MOST_NAMES] RAW_NAMES, DRAWING_NAMES
RAW = ("title", "textarea", "style", "xmp", "iframe", "noembed", "noframes")
DRAWING = tuple(
    "path g svg use rect circle polygon defs title style line polyline ellipse symbol clippath mask stop lineargradient "
    "radialgradient filter text tspan desc image pattern a marker animate animatetransform animatemotion set textpath "
    "switch view feflood feblend feoffset fecolormatrix fegaussianblur femerge femergenode fecomposite fefunca fefuncr "
    "fefuncg fefuncb fecomponenttransfer femorphology feturbulence fedisplacementmap fedropshadow".split()
)
cdef int RAW_COUNT = len(RAW), DRAWING_COUNT = len(DRAWING)
assert len(DRAWING) <= MOST_NAMES
for place, name in enumerate(RAW):
    RAW_NAMES[place] = _spelled(name)
for place, name in enumerate(DRAWING):
    DRAWING_NAMES[place] = _spelled(name)

cdef uint8_t[256] ENDS_NAME, IS_SPACE, ENDS_ATTRIBUTE, LOWERED
for code in range(256):
    IS_SPACE[code] = chr(code) in "\t\n\f\r "
    ENDS_NAME[code] = chr(code) in "\t\n\f\r />"
    ENDS_ATTRIBUTE[code] = chr(code) in "\t\n\f\r />="
    LOWERED[code] = code | 32 if chr(code) in "ABCDEFGHIJKLMNOPQRSTUVWXYZ" else code


def skim(bytes data not None):
    """See `_survey.skim`."""
    cdef Ranges left_out = Ranges(NULL, 0, 0, 0)
    cdef const uint8_t* at = data
    cdef Py_ssize_t size = len(data)
    cdef bint all_empty
    try:
        with nogil:
            all_empty = _walk(at, size, &left_out)
        return _without(data, &left_out), bool(all_empty)
    finally:
        free(left_out.bounds)


cdef bytes _without(bytes data, Ranges* left_out):
    cdef const char* at = data
    cdef Py_ssize_t here = 0, place
    cdef char* out
    if not left_out.total:
        return data
    kept = PyBytes_FromStringAndSize(NULL, len(data) - left_out.total)
    out = PyBytes_AS_STRING(kept)
    for place in range(0, left_out.size, 2):
        memcpy(out, at + here, left_out.bounds[place] - here)
        out += left_out.bounds[place] - here
        here = left_out.bounds[place + 1]
    memcpy(out, at + here, len(data) - here)
    return kept


cdef int _walk(const uint8_t* at, Py_ssize_t size, Ranges* left_out) except -1 nogil:
    """Note all that can be left out; say whether what is never content is empty then, everywhere."""
    cdef Py_ssize_t here = 0, end
    cdef bint all_empty = True, has_text
    cdef const uint8_t* found
    cdef Tag tag
    while True:
        found = <const uint8_t*>memchr(at + here, c"<", size - here) if here < size else NULL
        if found == NULL:
            return all_empty
        here = found - at + 1
        if here >= size:
            return all_empty
        if not _is_letter(at[here]):
            here = _other_end(at, here, size)
            continue
        tag = _read_tag(at, here, size)
        here = tag.end
        if tag.name == SCRIPT:
            end = _script_end(at, here, size)
            if end == UNSURE:
                return False
            if _may_be_data(at, found - at, here):
                all_empty = False
            else:
                _leave_out(left_out, here, end)
            here = end
        elif tag.name == SVG:
            if not tag.closes_itself:
                end = _drawing_end(at, here, size, &has_text)
                if end == UNSURE:
                    return False
                if has_text:
                    all_empty = False
                else:
                    _leave_out(left_out, here, end)
                here = end
        elif _is_raw(tag.name):
            end = _raw_end(at, here, size, &tag)
            if end == UNSURE:
                return False
            if tag.name == STYLE:
                _leave_out(left_out, here, end)
            here = end
        elif tag.name == TEMPLATE:
            all_empty = False
        elif tag.name == MATH or tag.name == FRAMESET or tag.name == PLAINTEXT:
            return False


cdef int _leave_out(Ranges* left_out, Py_ssize_t start, Py_ssize_t end) except -1 nogil:
    cdef Py_ssize_t* more
    if start == end:
        return 0
    if left_out.size == left_out.room:
        more = <Py_ssize_t*>realloc(left_out.bounds, (2 * left_out.room + 128) * sizeof(Py_ssize_t))
        if more == NULL:
            with gil:
                raise MemoryError
        left_out.bounds, left_out.room = more, 2 * left_out.room + 128
    left_out.bounds[left_out.size], left_out.bounds[left_out.size + 1] = start, end
    left_out.size += 2
    left_out.total += end - start
    return 0


# ------------------------------------------------------------------------------------------------------------ tokens


cdef inline bint _is_letter(uint8_t c) noexcept nogil:
    return 97 <= (c | 32) <= 122


cdef inline bint _is_raw(uint64_t name) noexcept nogil:
    cdef int place
    for place in range(RAW_COUNT):
        if RAW_NAMES[place] == name:
            return True
    return False


cdef inline Tag _read_tag(const uint8_t* at, Py_ssize_t here, Py_ssize_t size) noexcept nogil:
    """The tag whose name begins here. Longer names than eight letters go by their end: nothing in HTML is like those
    that matter."""
    cdef Tag tag = Tag(0, 0, size, False)
    cdef Py_ssize_t start = here
    while here < size and not ENDS_NAME[at[here]]:
        tag.name = tag.name << 8 | LOWERED[at[here]]
        here += 1
    tag.length = here - start
    _read_attributes(at, here, size, &tag)
    return tag


cdef inline void _read_attributes(const uint8_t* at, Py_ssize_t here, Py_ssize_t size, Tag* tag) noexcept nogil:
    """Find the end of the tag: the first `>` that is in no quoted value, or else the end of the page."""
    cdef const uint8_t* found
    while True:
        while here < size and (IS_SPACE[at[here]] or at[here] == c"/"):
            here += 1
        if here >= size:
            return
        if at[here] == c">":
            tag.closes_itself = at[here - 1] == c"/"
            tag.end = here + 1
            return
        here += 1  # the first letter of an attribute may be anything else, even `=`
        while here < size and not ENDS_ATTRIBUTE[at[here]]:
            here += 1
        while here < size and IS_SPACE[at[here]]:
            here += 1
        if here >= size or at[here] != c"=":
            continue
        here += 1
        while here < size and IS_SPACE[at[here]]:
            here += 1
        if here >= size:
            return
        if at[here] == c'"' or at[here] == c"'":
            found = <const uint8_t*>memchr(at + here + 1, at[here], size - here - 1)
            if found == NULL:
                return
            here = found - at + 1
            continue
        while here < size and not IS_SPACE[at[here]] and at[here] != c">":
            here += 1
        if here < size and at[here] == c">":
            tag.end = here + 1
            return


cdef Py_ssize_t _other_end(const uint8_t* at, Py_ssize_t here, Py_ssize_t size) noexcept nogil:
    """The end of what begins with a `<` before this place and is no start tag; it may be but a letter of the text."""
    cdef const uint8_t* found
    if at[here] == c"/" and here + 1 < size and _is_letter(at[here + 1]):
        return _read_tag(at, here + 1, size).end
    if at[here] == c"!" and here + 2 < size and at[here + 1] == c"-" and at[here + 2] == c"-":
        return _comment_end(at, here + 3, size)
    if at[here] == c"!" or at[here] == c"?" or at[here] == c"/":
        found = <const uint8_t*>memchr(at + here, c">", size - here)
        return size if found == NULL else found - at + 1
    return here


cdef Py_ssize_t _comment_end(const uint8_t* at, Py_ssize_t start, Py_ssize_t size) noexcept nogil:
    """The end of a comment whose text begins here: after `-->` or `--!>`, or at once after `>` or `->`."""
    cdef const uint8_t* found
    cdef Py_ssize_t here = start
    while here < size:
        found = <const uint8_t*>memchr(at + here, c">", size - here)
        if found == NULL:
            return size
        here = found - at
        if (here == start or here == start + 1 and at[start] == c"-"
                or here >= start + 2 and at[here - 1] == c"-" and at[here - 2] == c"-"
                or here >= start + 3 and at[here - 1] == c"!" and at[here - 2] == c"-" and at[here - 3] == c"-"):
            return here + 1
        here += 1
    return size


# -------------------------------------------------------------------------------------------- what is never content


cdef bint _ends_raw(const uint8_t* at, Py_ssize_t here, Py_ssize_t size, uint64_t name, Py_ssize_t length) noexcept nogil:
    """Whether `</name` begins at the `<` that stands here."""
    cdef uint64_t spelled = 0
    cdef Py_ssize_t place, after = here + 2 + length
    if after >= size or at[here + 1] != c"/" or not ENDS_NAME[at[after]]:
        return False
    for place in range(here + 2, after):
        spelled = spelled << 8 | LOWERED[at[place]]
    return spelled == name


cdef Py_ssize_t _raw_end(const uint8_t* at, Py_ssize_t here, Py_ssize_t size, Tag* tag) noexcept nogil:
    """Where the end tag of an element begins that has nothing but text in it."""
    cdef const uint8_t* found
    while here < size:
        found = <const uint8_t*>memchr(at + here, c"<", size - here)
        if found == NULL:
            return UNSURE
        here = found - at
        if _ends_raw(at, here, size, tag.name, tag.length):
            return here
        here += 1
    return UNSURE


cdef Py_ssize_t _script_end(const uint8_t* at, Py_ssize_t here, Py_ssize_t size) noexcept nogil:
    """Where the end tag of a script begins. After `<!--` a script may hold scripts: there we are not sure."""
    cdef const uint8_t* found
    cdef bint has_comment = False
    while here < size:
        found = <const uint8_t*>memchr(at + here, c"<", size - here)
        if found == NULL:
            return UNSURE
        here = found - at
        if _ends_raw(at, here, size, SCRIPT, 6):
            return here
        here += 1
        if here < size and at[here] == c"!":
            has_comment = True
        elif has_comment and here + 1 < size and LOWERED[at[here]] == c"s" and LOWERED[at[here + 1]] == c"c":
            return UNSURE
    return UNSURE


cdef bint _may_be_data(const uint8_t* at, Py_ssize_t here, Py_ssize_t end) noexcept nogil:
    """Whether the tag of a script may say that it holds JSON-LD or TeX; quick, and never wrong to say yes."""
    while here < end:
        if at[here] == c"&":
            return True
        if at[here] == c"+" and here + 1 < end and LOWERED[at[here + 1]] == c"j":  # ld+json
            return True
        if at[here] == c"/" and here + 1 < end and LOWERED[at[here + 1]] == c"t" and LOWERED[at[here - 1]] == c"h":
            return True  # math/tex
        here += 1
    return False


cdef int _drawing_name(uint64_t name) noexcept nogil:
    cdef int place
    for place in range(DRAWING_COUNT):
        if DRAWING_NAMES[place] == name:
            return place
    return UNSURE


cdef Py_ssize_t _drawing_end(const uint8_t* at, Py_ssize_t here, Py_ssize_t size, bint* has_text) noexcept nogil:
    """Where the end tag of a drawing begins, if all in it is well formed and belongs in a drawing."""
    cdef uint64_t[DEEPEST] opened
    cdef int depth = 1
    cdef bint closing
    cdef Py_ssize_t start
    cdef Tag tag
    opened[0] = SVG
    has_text[0] = False
    while True:
        while here < size and at[here] != c"<":
            if not IS_SPACE[at[here]]:
                has_text[0] = True
            here += 1
        if here + 3 >= size:
            return UNSURE
        start = here
        here += 1
        if at[here] == c"!" and at[here + 1] == c"-" and at[here + 2] == c"-" and not _holds_text_only(opened[depth - 1]):
            here = _comment_end(at, here + 3, size)
            continue
        closing = at[here] == c"/"
        here += closing
        if not _is_letter(at[here]):
            return UNSURE
        tag = _read_tag(at, here, size)
        here = tag.end
        if closing:
            if tag.name != opened[depth - 1]:
                return UNSURE
            depth -= 1
            if not depth:
                return start
        elif _drawing_name(tag.name) == UNSURE or _holds_text_only(opened[depth - 1]) or depth == DEEPEST:
            return UNSURE
        elif not tag.closes_itself:
            opened[depth] = tag.name
            depth += 1


cdef inline bint _holds_text_only(uint64_t name) noexcept nogil:
    """Whether anything else in it would be another matter than a drawing: HTML, or a style."""
    return name == TITLE or name == DESC or name == STYLE
