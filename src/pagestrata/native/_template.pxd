# The types with which template.py is compiled.
cimport cython
from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t

cdef extern from "Python.h":
    int kind_of "PyUnicode_KIND" (str text)
    const void* data_of "PyUnicode_DATA" (str text)
    uint32_t letter_at "PyUnicode_READ" (int kind, const void* data, Py_ssize_t at)
    bytearray PyByteArray_FromStringAndSize(const char* data, Py_ssize_t size)
    char* PyByteArray_AS_STRING(bytearray room)

cdef int32_t OTHER, TEXT, MEDIUM, LEFT_OUT
cdef Py_ssize_t LONGEST_NAME, LONGEST_FEATURE, BEGINNING
cdef uint64_t BASE, BASE_INVERSE, MIXER
cdef uint32_t AMPERSAND, FIRST_PRINTED, DELETE
cdef double SAME_TEXT, SAME_NAME, OTHER_NAME, LEAST, MASKED_WORTH
cdef str MASKED

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

@cython.locals(shared=cython.int, of_a=cython.int, of_b=cython.int)
cpdef double likeness(uint64_t a, uint64_t b) noexcept

@cython.locals(
    shapes=list, contents=list, page_contents=list, names=list, page_names=list, worth=cython.double, name=str
)
cpdef double fit(tree, uint64_t shape, Py_ssize_t node, page, Py_ssize_t child) except? -1

cpdef tuple read_text(
    str text, Py_ssize_t start, Py_ssize_t end, content, short_features, long_features
)

@cython.locals(
    shares=list, at=list, may_lead=list, starts=list, ends=list, text=str, contents=list, leaf=Py_ssize_t,
    place=Py_ssize_t, node=Py_ssize_t, counted=tuple, counts=dict, pages=Py_ssize_t, most=Py_ssize_t, features=tuple,
    support=cython.double,
)
cpdef list recurring(
    leaves, list places, list known, dict by_path, Py_ssize_t own, short_features, long_features
)

@cython.locals(support=cython.double, feature=str, count=Py_ssize_t)
cdef double greatest_support(dict counts, tuple features, Py_ssize_t own) except? -1


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
