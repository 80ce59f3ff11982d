# The types with which template.py is compiled.
cimport cython
from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t

cdef extern from "Python.h":
    int kind_of "PyUnicode_KIND" (str text)
    const void* data_of "PyUnicode_DATA" (str text)
    uint32_t letter_at "PyUnicode_READ" (int kind, const void* data, Py_ssize_t at)
    int Py_UNICODE_ISDECIMAL(uint32_t letter) nogil
    int Py_UNICODE_ISSPACE(uint32_t letter) nogil
    bytearray PyByteArray_FromStringAndSize(const char* data, Py_ssize_t size)
    char* PyByteArray_AS_STRING(bytearray room)

cdef int32_t OTHER, TEXT, MEDIUM, LEFT_OUT
cdef Py_ssize_t LONGEST_NAME, LONGEST_FEATURE, BEGINNING
cdef uint64_t BASE, BASE_INVERSE, MIXER
cdef uint32_t AMPERSAND, BLANK, DELETE
cdef double SAME_TEXT, SAME_NAME, OTHER_NAME, LEAST, MASKED_WORTH
cdef Py_ssize_t MOST_CELLS, MOST_SEEN
cdef str TEXT_FEATURE, MASKED, CHOICE
cdef dict FILLED_FIRST
cdef list NO_TAGS

cdef zeros(Py_ssize_t size, kind)
cdef room_for(Py_ssize_t size, kind)


cdef class StructureLoops:
    cdef int32_t known, id_attribute, class_attribute
    cdef object shape_bit, number, id_name, class_name, plain_value
    cdef const int[::1] role_of_tag
    cdef uint64_t[::1] tag_numbers, shape_bits
    cdef uint8_t[::1] has_shape_bit

    @cython.locals(
        attribute="const int[:]", value_start="const int[:]", value_end="const int[:]", count=Py_ssize_t,
        place_of="int[::1]", kept=Py_ssize_t, node_of="Py_ssize_t[::1]", tags="int[::1]", parents="int[::1]",
        ends="int[::1]", tag_list=list, parent_list=list, end_list=list, characters=list, node=Py_ssize_t,
        place=Py_ssize_t, names=list, shapes=list, forms=list, contents=list,
    )
    cpdef tuple columns(
        self, str markup, str text, attributes, tuple tag_of, const int[:] tag, const int[:] parent,
        const int[:] end, const int[:] text_start, const int[:] text_end, const int[:] attribute_end,
    )

    @cython.locals(
        leaves=int32_t, kept=int32_t, skip_to=Py_ssize_t, count=Py_ssize_t, leaves_before="int[::1]", node=Py_ssize_t,
        role=int32_t,
    )
    cdef Py_ssize_t number_kept(
        self, const int[:] tag, const int[:] end, const int[:] text_start, const int[:] text_end,
        int[::1] place_of,
    ) except -1

    @cython.locals(names=list, node=Py_ssize_t, i=Py_ssize_t, place=Py_ssize_t, value=str, name=str)
    cdef list names(
        self, str markup, const int[:] attribute, const int[:] value_start, const int[:] value_end,
        const int[:] attribute_end, int[::1] place_of, Py_ssize_t kept,
    )

    @cython.locals(kind=cython.int, data="const void*", stop=Py_ssize_t, here=Py_ssize_t, letter=uint32_t)
    cdef str value(self, str markup, Py_ssize_t start, Py_ssize_t end)

    @cython.locals(pair=Py_ssize_t)
    cdef uint64_t shape_bit_of(self, tuple tag_of, int32_t above, int32_t below) except? 0

    @cython.locals(count=Py_ssize_t, shapes="unsigned long long[::1]", node=Py_ssize_t, above=Py_ssize_t)
    cdef list page_shapes(self, tuple tag_of, int[::1] tags, int[::1] parents)

    @cython.locals(count=Py_ssize_t, shapes="unsigned long long[::1]", node=Py_ssize_t, above=Py_ssize_t, bit=uint64_t)
    cpdef list shapes(self, list tags, list parents)

    @cython.locals(
        count=Py_ssize_t, arity="unsigned long long[::1]", sums="unsigned long long[::1]", power=uint64_t,
        inverse=uint64_t, hashes=list, node=Py_ssize_t, label=uint64_t, name=str, name_number=uint64_t,
    )
    cdef list forms(self, tuple tag_of, int[::1] tags, int[::1] parents, int[::1] ends, list names)


cdef uint64_t mix(uint64_t total) noexcept nogil

@cython.locals(
    kind=cython.int, data="const void*", sums="unsigned long long[::1]", inverses="unsigned long long[::1]",
    total=uint64_t, power=uint64_t, inverse=uint64_t, node=Py_ssize_t, place=Py_ssize_t, here=Py_ssize_t,
    start=Py_ssize_t, end=Py_ssize_t, hashes=list,
)
cdef list hash_texts(
    str text, const int[:] tag, const int[:] text_start, const int[:] text_end, Py_ssize_t[::1] node_of
)

@cython.locals(order=list, parents=list, waiting=list, above=list, below=list, place=Py_ssize_t)
cpdef tuple preorder(list kids)

@cython.locals(
    rows=Py_ssize_t, width=Py_ssize_t, room=bytearray, best="double*", column=Py_ssize_t, row=Py_ssize_t
)
cpdef list align(list scores, list repeats)

@cython.locals(
    above=Py_ssize_t, here=Py_ssize_t, most=cython.double, column=Py_ssize_t, score=cython.double, before=cython.double
)
cdef int fill_row(list scores, double* best, Py_ssize_t row, Py_ssize_t width, bint is_repeated) except -1

@cython.locals(pairs=list, column=Py_ssize_t, here=Py_ssize_t, score=cython.double)
cdef list trace(list scores, const double* best, Py_ssize_t row, Py_ssize_t width, list repeats)

@cython.locals(pairs=list, reached=Py_ssize_t, places=list, place=Py_ssize_t, item=Py_ssize_t)
cpdef list align_greedily(dict takes, list repeats, list tags)

@cython.locals(pairs=list, reached=Py_ssize_t, places=list, place=Py_ssize_t)
cpdef list forced(dict takes, list repeats, list tags)

@cython.locals(takes=dict, places=list, place=Py_ssize_t)
cpdef dict takers(list tags)

@cython.locals(shared=cython.int, of_a=cython.int, of_b=cython.int)
cpdef double likeness(uint64_t a, uint64_t b) noexcept

@cython.locals(shapes=list, contents=list, page_contents=list, names=list, page_names=list)
cpdef double fit(tree, uint64_t shape, Py_ssize_t node, page, Py_ssize_t child) except? -1

@cython.locals(worth=cython.double)
cdef double worth_of(
    uint64_t shape, str name, content, uint64_t page_shape, str page_name, page_content
) except? -1


cdef class Items:
    cdef dict takes
    cdef list repeats
    cdef set texts


cdef class MatchLoops:
    cdef list tags, names, kids, operators, contents, shapes, required, starred, plain_tags, items, members
    cdef dict seen

    @cython.locals(
        nodes="const Py_ssize_t[:]", page_tags=list, ends=list, forms=list, contents=list, count=Py_ssize_t, places=list, missing=list, both=tuple,
        new=dict, lost=Py_ssize_t, stack=list, place=Py_ssize_t, node=Py_ssize_t, end=Py_ssize_t, key=tuple,
        known=tuple, before=tuple, same=Py_ssize_t, old_places=list, old_missing=list, pairs=list, at=Py_ssize_t,
        kid=Py_ssize_t, child=Py_ssize_t,
    )
    cpdef tuple places(self, page, int[:] template_node)

    @cython.locals(
        kids=list, page_tags=list, tags=list, width=Py_ssize_t, at=Py_ssize_t, lost=Py_ssize_t, place=Py_ssize_t,
        taken=list, kid=Py_ssize_t, own=list,
    )
    cdef Py_ssize_t pair(self, Py_ssize_t node, page, list children, list pairs) except -1

    @cython.locals(taken=list)
    cdef list taken(self, list kids, Items items, page, list children, list tags)

    @cython.locals(
        shapes=list, names=list, contents=list, width=Py_ssize_t, scores=list, columns=dict, place=Py_ssize_t,
        child=Py_ssize_t, look=tuple, column=list, places=list, at=Py_ssize_t, row=list,
    )
    cdef list scores(self, list kids, Items items, page, list children, list tags)

    @cython.locals(most=cython.double, members=dict, member=Py_ssize_t)
    cdef double worth(self, Py_ssize_t kid, page, Py_ssize_t child, tag) except? -1

    @cython.locals(shapes=list, names=list, contents=list, shape=uint64_t, page_shape=uint64_t)
    cdef double fit(self, Py_ssize_t node, page, Py_ssize_t child) except? -1

    @cython.locals(page_tags=list, members=list, best=Py_ssize_t, most=cython.double, worth=cython.double)
    cdef Py_ssize_t best(self, Py_ssize_t choice, page, Py_ssize_t child) except -1

    @cython.locals(members=list, turn=Py_ssize_t, lost=Py_ssize_t, count=Py_ssize_t, place=Py_ssize_t)
    cdef Py_ssize_t cycle(self, Py_ssize_t sequence, list page_tags, list children, list pairs) except -1

    @cython.locals(kids=list, tags=list)
    cdef list plain_tags_of(self, Py_ssize_t node)

    @cython.locals(kids=list, found=list)
    cdef Items items_of(self, Py_ssize_t node)

    @cython.locals(members=dict)
    cdef dict members_of(self, Py_ssize_t group)


cdef bint is_group(str tag) noexcept

@cython.locals(child=Py_ssize_t, last=Py_ssize_t, children=list)
cdef list children_of(list ends, Py_ssize_t node)

@cython.locals(
    places=list, starts=list, stops=list, may_lead=list, node_of="Py_ssize_t[::1]", place=Py_ssize_t, node=Py_ssize_t
)
cpdef tuple leaf_columns(
    const Py_ssize_t[:] nodes, list ends, const int[:] text_start, const int[:] text_end, const uint8_t[:] in_link
)

cpdef tuple read_text(
    str text, Py_ssize_t start, Py_ssize_t end, content, short_features, long_features
)

@cython.locals(kind=cython.int, data="const void*", before=uint32_t, here=Py_ssize_t, letter=uint32_t)
cdef bint is_plain(str text, Py_ssize_t start, Py_ssize_t end) noexcept

cpdef uint64_t path_hash(uint64_t above, uint64_t tag_number) noexcept

@cython.locals(parents=list, tags=list, way=list, path=uint64_t, at=Py_ssize_t)
cdef uint64_t path_of(structure, Py_ssize_t place, dict paths, number) except? 0

@cython.locals(
    shares=list, at=list, paths=dict, may_lead=list, starts=list, ends=list, text=str, contents=list, leaf=Py_ssize_t,
    place=Py_ssize_t, node=Py_ssize_t, counted=tuple, counts=dict, pages=Py_ssize_t, most=Py_ssize_t, features=tuple,
    target_pages=Py_ssize_t, support=cython.double,
)
cpdef list recurring(
    leaves, list places, list known, dict by_path, Py_ssize_t own, short_features, long_features, number
)

@cython.locals(
    nodes="const Py_ssize_t[:]", starts=list, ends=list, count=Py_ssize_t, sums="double[::1]",
    recurring_sums="double[::1]", leaf=Py_ssize_t, share=cython.double, length=Py_ssize_t, first=Py_ssize_t,
    last=Py_ssize_t, block=Py_ssize_t, size=Py_ssize_t,
)
cpdef block_means(
    leaves, list shares, const int[:] node_start, const int[:] node_end, const int[:] characters,
    double[::1] mean_share, double[::1] recurring_share,
)

cdef Py_ssize_t skip_before(const Py_ssize_t[:] nodes, Py_ssize_t leaf, Py_ssize_t count, Py_ssize_t node) noexcept

@cython.locals(support=cython.double, feature=str, count=Py_ssize_t)
cdef double greatest_support(dict counts, tuple features, Py_ssize_t own) except? -1


cdef inline bint is_digit_or_space(uint32_t letter) noexcept nogil:
    if letter < 128:
        return 48 <= letter <= 57 or 9 <= letter <= 13 or 28 <= letter <= 32
    return Py_UNICODE_ISDECIMAL(letter) or Py_UNICODE_ISSPACE(letter)


cdef inline double single(double number) noexcept nogil:
    return <float>number


cdef inline uint64_t low_64(uint64_t number) noexcept nogil:
    return number


cdef inline int bit_count(uint64_t bits) noexcept nogil:
    bits = bits - ((bits >> 1) & 0x5555555555555555ULL)
    bits = (bits & 0x3333333333333333ULL) + ((bits >> 2) & 0x3333333333333333ULL)
    return <int>((((bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0FULL) * 0x0101010101010101ULL) >> 56)


cdef inline bytearray new_doubles(Py_ssize_t size):
    return PyByteArray_FromStringAndSize(NULL, size * sizeof(double))


cdef inline double* doubles_of(bytearray room) noexcept:
    return <double*>PyByteArray_AS_STRING(room)
