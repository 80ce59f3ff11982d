# The types with which comments.py is compiled.
cimport cython

cdef int NAMED, HEADED, MAX_HEADING_WORDS, MAX_LINE_WORDS
cdef double MIN_PROSE_BEFORE

@cython.locals(
    place="const int[::1]", bucket="const int[::1]", size=Py_ssize_t, k=Py_ssize_t, i=Py_ssize_t, b=Py_ssize_t,
    start="int[::1]", stop="int[::1]", found_by="int[::1]", reached=cython.int, first=cython.int, last=cython.int,
)
cpdef find_named_regions(tuple names, const unsigned char[::1] group_of_bucket, int group, const int[::1] end, const int[::1] first_block, const unsigned char[::1] may_be_region, int title, unsigned char[::1] is_named, tuple regions)

@cython.locals(
    place="const int[::1]", bucket="const int[::1]", size=Py_ssize_t, k=Py_ssize_t, b=cython.int, inside=Py_ssize_t,
    start="int[::1]", stop="int[::1]", found_by="int[::1]", node=cython.int, last=cython.int,
    holder="const int[::1]", word_count="const int[::1]", link_characters="const int[::1]", is_line=cython.bint,
)
cpdef find_headed_regions(tuple lines, const unsigned char[::1] is_word, const int[::1] level, tuple blocks, const double[::1] prose, const int[::1] parent, const int[::1] end, const int[::1] first_block, tuple regions)
