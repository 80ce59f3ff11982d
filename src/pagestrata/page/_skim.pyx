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

cdef struct Found:
    Ranges left_out
    Ranges json_ld  # that was left out
    bint all_empty  # what is never content is, everywhere
    bint no_shadow_roots

cdef struct Tag:
    uint64_t name  # its last eight letters, lower-cased, as a number
    Py_ssize_t length  # of the name
    Py_ssize_t attributes  # where they begin
    Py_ssize_t end
    bint closes_itself

cdef struct Attribute:
    Py_ssize_t name
    Py_ssize_t name_end
    Py_ssize_t value
    Py_ssize_t end


cdef uint64_t _spelled(str name):
    cdef uint64_t spelled = 0
    for letter in name.encode():  # the first letters of a long one are lost
        spelled = spelled << 8 | <uint64_t><int>letter
    return spelled


cdef uint64_t SCRIPT = _spelled("script"), STYLE = _spelled("style"), SVG = _spelled("svg"), MATH = _spelled("math")
cdef uint64_t TEMPLATE = _spelled("template"), FRAMESET = _spelled("frameset"), PLAINTEXT = _spelled("plaintext")
cdef uint64_t TITLE = _spelled("title"), DESC = _spelled("desc"), TABLE = _spelled("table")
cdef bytes JSON_LD = b"application/ld+json", SHADOW_ROOT = b"shadowrootmode", TYPE = b"type"

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


def skim(bytes data not None, bint with_json_ld):
    """See `_survey.skim`."""
    cdef Found found = Found(Ranges(NULL, 0, 0, 0), Ranges(NULL, 0, 0, 0), True, True)
    cdef const uint8_t* at = data
    cdef Py_ssize_t size = len(data), place
    cdef bint is_sure
    try:
        is_sure = _walk(at, size, with_json_ld, &found)
        if found.json_ld.size and not (is_sure and found.no_shadow_roots):
            return skim(data, False)  # the tree may have it in another order
        json_ld = [
            data[found.json_ld.bounds[place] : found.json_ld.bounds[place + 1]]
            for place in range(0, found.json_ld.size, 2)
        ]
        return (
            _without(data, &found.left_out),
            bool(is_sure and found.all_empty),
            bool(is_sure and found.no_shadow_roots),
            tuple(json_ld),
        )
    finally:
        free(found.left_out.bounds)
        free(found.json_ld.bounds)


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


cdef int _walk(const uint8_t* at, Py_ssize_t size, bint with_json_ld, Found* found) except -1:
    """Note all that can be left out; say whether we were sure of everything to the end."""
    cdef Py_ssize_t here = 0, end
    cdef bint has_text
    cdef const uint8_t* opening
    cdef Tag tag
    cdef Attribute mode
    while True:
        opening = <const uint8_t*>memchr(at + here, c"<", size - here) if here < size else NULL
        if opening == NULL or opening - at + 1 >= size:
            return True
        here = opening - at + 1
        if not _is_letter(at[here]):
            here = _other_end(at, here, size)
            continue
        tag = _read_tag(at, here, size)
        here = tag.end
        if tag.name == SCRIPT:
            end = _raw_end(at, here, size, &tag)
            if end == UNSURE:
                return False
            if not _may_be_data(at, &tag):
                _add(&found.left_out, here, end)
            elif with_json_ld and _is_json_ld(at, &tag):
                _add(&found.left_out, here, end)
                _add(&found.json_ld, here, end)
            else:
                found.all_empty = with_json_ld = False  # what comes later is read later
            here = end
        elif tag.name == SVG:
            if not tag.closes_itself:
                end = _drawing_end(at, here, size, &has_text)
                if end == UNSURE:
                    return False
                if has_text:
                    found.all_empty = False
                else:
                    _add(&found.left_out, here, end)
                here = end
        elif _is_raw(tag.name):
            end = _raw_end(at, here, size, &tag)
            if end == UNSURE:
                return False
            if tag.name == STYLE:
                _add(&found.left_out, here, end)
            here = end
        elif tag.name == TABLE:
            with_json_ld = False  # a table may turn the order of what is in it
        elif tag.name == TEMPLATE:
            found.all_empty = with_json_ld = False
            if _find_attribute(at, &tag, SHADOW_ROOT, &mode):
                found.no_shadow_roots = False
        elif tag.name == MATH or tag.name == FRAMESET or tag.name == PLAINTEXT:
            return False


cdef int _add(Ranges* ranges, Py_ssize_t start, Py_ssize_t end) except -1:
    cdef Py_ssize_t* more
    if ranges.size == ranges.room:
        more = <Py_ssize_t*>realloc(ranges.bounds, (2 * ranges.room + 128) * sizeof(Py_ssize_t))
        if more == NULL:
            raise MemoryError
        ranges.bounds, ranges.room = more, 2 * ranges.room + 128
    ranges.bounds[ranges.size], ranges.bounds[ranges.size + 1] = start, end
    ranges.size += 2
    ranges.total += end - start
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
    cdef Tag tag = Tag(0, 0, size, size, False)
    cdef Py_ssize_t start = here
    cdef Attribute attribute
    while here < size and not ENDS_NAME[at[here]]:
        tag.name = tag.name << 8 | LOWERED[at[here]]
        here += 1
    tag.length, tag.attributes = here - start, here
    while _read_attribute(at, here, size, &attribute):
        here = attribute.end
    if attribute.end < size:
        tag.end = attribute.end + 1
        tag.closes_itself = at[attribute.end - 1] == c"/" and attribute.end > here
    return tag


cdef inline bint _read_attribute(const uint8_t* at, Py_ssize_t here, Py_ssize_t size, Attribute* found) noexcept nogil:
    """The next attribute of a tag, if there is one; if not, `found.end` is where the tag ends."""
    cdef const uint8_t* quote
    while here < size and (IS_SPACE[at[here]] or at[here] == c"/"):
        here += 1
    found.name = found.end = here
    if here >= size or at[here] == c">":
        return False
    here += 1  # the first letter may be any other, even `=`
    while here < size and not ENDS_ATTRIBUTE[at[here]]:
        here += 1
    found.name_end = found.value = found.end = here
    while here < size and IS_SPACE[at[here]]:
        here += 1
    if here >= size or at[here] != c"=":
        return True
    here += 1
    while here < size and IS_SPACE[at[here]]:
        here += 1
    found.value = found.end = here
    if here < size and (at[here] == c'"' or at[here] == c"'"):
        quote = <const uint8_t*>memchr(at + here + 1, at[here], size - here - 1)
        found.value = here + 1
        found.end = size if quote == NULL else quote - at + 1
        return True
    while here < size and not IS_SPACE[at[here]] and at[here] != c">":
        here += 1
    found.end = here
    return True


cdef bint _is_like(const uint8_t* at, Py_ssize_t start, Py_ssize_t end, bytes small) noexcept:
    """Whether these letters, in any case, are the small ones given."""
    cdef Py_ssize_t place
    cdef const uint8_t* wanted = small
    if end - start != len(small):
        return False
    for place in range(end - start):
        if LOWERED[at[start + place]] != wanted[place]:
            return False
    return True


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


cdef inline bint _ends_raw(const uint8_t* at, Py_ssize_t here, Py_ssize_t size, Tag* tag) noexcept nogil:
    """Whether the end tag of an element begins at the `<` that stands here."""
    cdef uint64_t name = 0
    cdef Py_ssize_t place, after = here + 2 + tag.length
    if after >= size or at[here + 1] != c"/" or not ENDS_NAME[at[after]]:
        return False
    for place in range(here + 2, after):
        name = name << 8 | LOWERED[at[place]]
    return name == tag.name


cdef Py_ssize_t _raw_end(const uint8_t* at, Py_ssize_t here, Py_ssize_t size, Tag* tag) noexcept nogil:
    """Where the end tag of an element begins that has nothing but text in it. After `<!--` a script may hold scripts:
    there we are not sure."""
    cdef const uint8_t* found
    cdef bint has_comment = False
    while here < size:
        found = <const uint8_t*>memchr(at + here, c"<", size - here)
        if found == NULL:
            return UNSURE
        here = found - at
        if _ends_raw(at, here, size, tag):
            return here
        here += 1
        if tag.name == SCRIPT and here + 1 < size:
            if has_comment and LOWERED[at[here]] == c"s" and LOWERED[at[here + 1]] == c"c":
                return UNSURE
            has_comment = has_comment or at[here] == c"!"
    return UNSURE


cdef bint _may_be_data(const uint8_t* at, Tag* tag) noexcept nogil:
    """Whether the tag of a script may say that it holds JSON-LD or TeX; quick, and never wrong to say yes."""
    cdef Py_ssize_t here
    for here in range(tag.attributes, tag.end - 1):
        if at[here] == c"&":
            return True
        if at[here] == c"+" and LOWERED[at[here + 1]] == c"j":  # ld+json
            return True
        if at[here] == c"/" and LOWERED[at[here + 1]] == c"t" and LOWERED[at[here - 1]] == c"h":  # math/tex
            return True
    return False


cdef bint _is_json_ld(const uint8_t* at, Tag* tag) noexcept:
    """Whether the tag of a script says plainly that it holds JSON-LD."""
    cdef Attribute said
    return (
        _find_attribute(at, tag, TYPE, &said)
        and _is_like(at, said.value, said.value + len(JSON_LD), JSON_LD)
        and said.value + len(JSON_LD) == said.end - (at[said.value - 1] != c"=")
    )


cdef bint _find_attribute(const uint8_t* at, Tag* tag, bytes name, Attribute* found) noexcept:
    """Look for the first attribute of this name."""
    cdef Py_ssize_t here = tag.attributes
    while _read_attribute(at, here, tag.end, found):
        here = found.end
        if _is_like(at, found.name, found.name_end, name):
            return True
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
