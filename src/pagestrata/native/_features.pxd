# The types with which features.py is compiled.
cimport cython

cdef int LEVELS, NEAR_STAMPS
cdef double STEP
cdef Py_ssize_t ROW_AFTER_CORE, ROW_AFTER_LONGEST, ROW_BLOCKS_FROM_CORE, ROW_BLOCKS_FROM_TITLE, ROW_BRANCH_BLOCKS, ROW_BRANCH_HEADING, ROW_BRANCH_LINKS, ROW_BRANCH_NAMES, ROW_BRANCH_PLACE, ROW_BRANCH_PROSE, ROW_BRANCH_SHARE, ROW_BRANCH_SIGNED, ROW_BRANCH_WORDS, ROW_CONTAINERS, ROW_COPIED_2, ROW_COPIED_4, ROW_COPIED_BRANCH, ROW_COPIES, ROW_COPIES_BEFORE, ROW_CORE_LINKS, ROW_CORE_SHARE, ROW_CORE_SHARE_1, ROW_CORE_STEPS, ROW_CORE_WORDS, ROW_DESCRIBED, ROW_ENDS_SENTENCE, ROW_GAP_SHARE, ROW_HEADING_LEVEL, ROW_HEADING_LOW, ROW_HEADING_MEAN, ROW_HIDDEN_BY, ROW_IN_CORE, ROW_KINDS, ROW_LAST_LEVEL, ROW_LAST_LINKED, ROW_LINE_HIGH, ROW_LINE_LOW, ROW_LINE_MEAN
cdef Py_ssize_t ROW_LINK_SHARE, ROW_NAMES_HIGH, ROW_NAMES_LOW, ROW_NAMES_NEAR, ROW_NAMES_SUM, ROW_NEIGHBOURS, ROW_PAGE, ROW_PATH_BLOCKS, ROW_PATH_LINKS, ROW_PATH_PROSE, ROW_PATH_SHARE, ROW_PATH_WORDS, ROW_PLACE, ROW_PROSE, ROW_PROSE_AFTER, ROW_PROSE_BEFORE, ROW_PROSE_SINCE_STAMP, ROW_PROSE_UNTIL_STAMP, ROW_RECORDS, ROW_RECORDS_BESIDE, ROW_RECORD_LINKS, ROW_RECORD_WORDS, ROW_REGIONS, ROW_SIGNED, ROW_SINCE_HEADING, ROW_STAMP, ROW_STAMPS_AFTER, ROW_STAMPS_BEFORE, ROW_STAMPS_NEAR, ROW_TEXTS, ROW_TEXT_AFTER_SECOND, ROW_TEXT_BEFORE_SECOND, ROW_TITLED, ROW_USABLE, ROW_WINDOWS, ROW_WORDS, ROW_WORDS_BEFORE, ROW_WORDS_FROM_TITLE, ROW_WORDS_SINCE_HEADING
cdef int PAGE_BLOCKS, PAGE_LINKS, PAGE_LONG, PAGE_PRICES, PAGE_PROSE, PAGE_STAMPS, PAGE_WORDS


cdef class FeatureLoops:
    cdef const int[::1] tag, parent, end, container
    cdef const int[::1] node_start, node_end, holder, word_count, characters, link_characters
    cdef const int[::1] region, first_block, tag_path, record_depth, signed_depth, record, records_inside, branch
    cdef const int[::1] branch_steps
    cdef const int[::1] is_stamp, is_usable, ends_sentence, first_copy
    cdef const double[::1] words, all_characters, links, prose, long_lines, stamps, core_share
    cdef float[::1] table
    cdef Py_ssize_t node_count, count
    cdef int core

    @cython.locals(b=Py_ssize_t, count=Py_ssize_t, table="float[::1]")
    cpdef own(self, const int[::1] hidden_by)

    @cython.locals(b=Py_ssize_t, count=Py_ssize_t, table="float[::1]", holder=cython.int, region=cython.int, kind=cython.int, bit=cython.int)
    cpdef regions(self, int regions, const int[::1] kind_of_tag, int kinds)

    @cython.locals(b=Py_ssize_t, around=cython.int, level=cython.int, row=Py_ssize_t)
    cpdef containers(self)

    @cython.locals(count=Py_ssize_t, table="float[::1]", words=cython.double)
    cdef void measure(self, Py_ssize_t row, Py_ssize_t b, int first, int last) noexcept

    @cython.locals(characters=cython.double)
    cdef double link_share(self, Py_ssize_t first, Py_ssize_t last) noexcept

    @cython.locals(up=cython.int)
    cdef int around(self, int node) noexcept

    @cython.locals(b=Py_ssize_t, count=Py_ssize_t, table="float[::1]", core=cython.int, start=cython.int, end=cython.int, words=cython.double, links=cython.double, node=cython.int, holder=cython.int, up=cython.int, record=cython.int, first=cython.int, last=cython.int)
    cpdef around_core(self)

    @cython.locals(b=Py_ssize_t, count=Py_ssize_t, table="float[::1]", node=cython.int, first=cython.int, last=cython.int, words=cython.double, blocks=cython.double)
    cpdef branches(self)

    @cython.locals(b=Py_ssize_t, count=Py_ssize_t, table="float[::1]", groups=dict, path=cython.int, at=Py_ssize_t)
    cpdef same_path(self, int[::1] path_group, double[::1] sums)

    @cython.locals(b=Py_ssize_t, count=Py_ssize_t, table="float[::1]", around=cython.int)
    cpdef copies(self, int[::1] times, double[::1] copied)

    @cython.locals(first=cython.int, last=cython.int)
    cdef double copied_share(self, int node, double[::1] copied) noexcept

    @cython.locals(b=Py_ssize_t, count=Py_ssize_t, table="float[::1]", row=Py_ssize_t, step=cython.int, beside=Py_ssize_t, width=cython.int, first=Py_ssize_t, last=Py_ssize_t, words=cython.double, share=cython.double, long_lines=cython.double)
    cpdef neighbours(self)

    @cython.locals(b=Py_ssize_t, count=Py_ssize_t, table="float[::1]", all_words=cython.double, all_prose=cython.double, from_title=cython.double)
    cpdef places(self, Py_ssize_t title)

    @cython.locals(
        b=Py_ssize_t, count=Py_ssize_t, table="float[::1]", prose="const double[::1]", is_stamp="const int[::1]",
        start=Py_ssize_t, total=cython.int, last=Py_ssize_t, second=Py_ssize_t, long_start=Py_ssize_t,
        long_end=Py_ssize_t, longest=cython.double, seen=cython.int, following=Py_ssize_t, stamped=cython.bint,
        first=Py_ssize_t, end=Py_ssize_t,
    )
    cpdef bylines(self, Py_ssize_t title)

    @cython.locals(b=Py_ssize_t, count=Py_ssize_t, table="float[::1]", last=Py_ssize_t, tag=cython.int, level=cython.int, linked=cython.double)
    cpdef headings(self, int first_heading, int last_heading)

    @cython.locals(b=Py_ssize_t, i=Py_ssize_t, k=Py_ssize_t, count=Py_ssize_t, nodes=Py_ssize_t, table="float[::1]", own=cython.double, up=cython.int, node=cython.int)
    cpdef names(self, const int[::1] place, const int[::1] bucket, Py_ssize_t size, const signed char[::1] weights, double[::1] name_weight, double[::1] scratch)

    @cython.locals(
        b=Py_ssize_t, k=Py_ssize_t, count=Py_ssize_t, table="float[::1]", mean=cython.double, low=cython.double,
        branch_mean=cython.double, last_branch=cython.int, branch=cython.int, weighted=cython.int, words=cython.int,
        titled=cython.int, described=cython.int, heads=cython.int, total=cython.double, head_total=cython.double,
        least=cython.double, head_least=cython.double, most=cython.double, weight=cython.double, head=cython.double,
    )
    cpdef lines(self, const int[::1] place, const int[::1] bucket, Py_ssize_t size, const signed char[::1] line_weights, const signed char[::1] heading_weights, const unsigned char[::1] said)

    @cython.locals(b=Py_ssize_t, i=Py_ssize_t, row=Py_ssize_t, count=Py_ssize_t, table="float[::1]", words=cython.double)
    cpdef whole_page(self, double[::1] values, const int[::1] counter_of_tag)
