# The types with which features.py is compiled.
cimport cython

cdef int LEVELS, MAX_STEPS, SHINGLE, HIDDEN
cdef double STEP
cdef unsigned long long FOUR_WORDS
cdef Py_ssize_t ROW_AFTER_CORE, ROW_AFTER_LONGEST, ROW_ARTICLE, ROW_BLOCKS_FROM_CORE, ROW_BLOCKS_FROM_TITLE, ROW_BRANCH_BLOCKS, ROW_BRANCH_HEADING, ROW_BRANCH_LINKS, ROW_BRANCH_NAMES, ROW_BRANCH_PROSE, ROW_BRANCH_SHARE, ROW_BRANCH_SIGNED, ROW_BRANCH_WORDS, ROW_COMMENTS_ON_PAGE, ROW_COMMENT_FOUND_BY, ROW_COMMENT_PROSE_BEFORE, ROW_COMMENT_PROSE_OUTSIDE, ROW_COMMENT_SHARE, ROW_COMMENT_WORDS, ROW_CONTAINERS, ROW_COPIED_2, ROW_COPIED_4, ROW_COPIED_BRANCH, ROW_COPIES, ROW_CORE_LINKS, ROW_CORE_SHARE, ROW_CORE_SHARE_1, ROW_CORE_STEPS, ROW_CORE_WORDS, ROW_DESCRIBED, ROW_ENDS_SENTENCE, ROW_GAP_SHARE, ROW_HEADED_LINKS, ROW_HEADED_WORDS, ROW_HEADING_LEVEL, ROW_HEADING_LOW, ROW_HEADING_MEAN, ROW_HIDDEN_BY, ROW_IN_CORE, ROW_KINDS, ROW_LAST_LEVEL, ROW_LINE_HIGH, ROW_LINE_LOW
cdef Py_ssize_t ROW_LINE_MEAN, ROW_LINK_SHARE, ROW_NAMES_HIGH, ROW_NAMES_LOW, ROW_NAMES_NEAR, ROW_NAMES_SUM, ROW_NEAR_NAMES, ROW_NEIGHBOURS, ROW_PAGE, ROW_PATH_BLOCKS, ROW_PATH_LINKS, ROW_PATH_PARENTS, ROW_PATH_PROSE, ROW_PATH_PROSE_RANK, ROW_PATH_SHARE, ROW_PATH_WORDS, ROW_PLACE, ROW_PROSE, ROW_PROSE_AFTER, ROW_PROSE_BEFORE, ROW_PROSE_SINCE_STAMP, ROW_PROSE_UNTIL_STAMP, ROW_RECORDS, ROW_RECORDS_BESIDE, ROW_RECORD_LINKS, ROW_RECORD_PROSE, ROW_RECORD_WORDS, ROW_REGIONS, ROW_SHINGLES_ELSEWHERE, ROW_SIGNED, ROW_SINCE_HEADING, ROW_STAMPS_AFTER, ROW_STAMPS_BEFORE, ROW_TEXTS, ROW_TEXT_AFTER_SECOND, ROW_TEXT_BEFORE_SECOND, ROW_TITLED, ROW_TITLED_CONTAINER, ROW_USABLE, ROW_WINDOWS, ROW_WORDS, ROW_WORDS_BEFORE, ROW_WORDS_FROM_TITLE, ROW_WORDS_SINCE_HEADING
cdef int PAGE_CORE_PROSE, PAGE_SECOND_CORE, PAGE_BLOCKS, PAGE_LINKS, PAGE_LONG, PAGE_PRICES, PAGE_PROSE, PAGE_STAMPS, PAGE_WORDS


@cython.locals(
    count=Py_ssize_t, rows=Py_ssize_t, b=Py_ssize_t, row=Py_ssize_t, second=Py_ssize_t, third=Py_ssize_t,
    fourth=Py_ssize_t, words=cython.double, weight=cython.int, sum_1=cython.double, sum_2=cython.double,
    sum_3=cython.double, sum_4=cython.double,
)
cpdef page_means(const float[::1] table, const int[::1] word_count, double[::1] means)

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
    cdef const unsigned char[::1] hidden

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

    @cython.locals(
        count=Py_ssize_t, table="float[::1]", k=Py_ssize_t, key=cython.ulonglong, line=cython.int, run=cython.int,
        elsewhere=cython.double, total=cython.double, at=Py_ssize_t, again=cython.bint,
    )
    cpdef shingles(self, const int[::1] place, const int[::1] bucket, Py_ssize_t size, int[::1] seen)

    @cython.locals(b=Py_ssize_t, count=Py_ssize_t, table="float[::1]", row=Py_ssize_t, step=cython.int, beside=Py_ssize_t, width=cython.int, first=Py_ssize_t, last=Py_ssize_t, words=cython.double, long_lines=cython.double)
    cpdef neighbours(self)

    @cython.locals(b=Py_ssize_t, count=Py_ssize_t, table="float[::1]", all_words=cython.double, all_prose=cython.double, from_title=cython.double)
    cpdef places(self, Py_ssize_t title)

    @cython.locals(
        b=Py_ssize_t, count=Py_ssize_t, table="float[::1]", prose="const double[::1]", is_stamp="const int[::1]",
        start=Py_ssize_t, total=cython.int, last=Py_ssize_t, second=Py_ssize_t, long_start=Py_ssize_t,
        long_end=Py_ssize_t, longest=cython.double, seen=cython.int, following=Py_ssize_t, stamped=cython.bint,
    )
    cpdef bylines(self, Py_ssize_t title)

    @cython.locals(b=Py_ssize_t, count=Py_ssize_t, table="float[::1]", last=Py_ssize_t, start=Py_ssize_t, headed=Py_ssize_t, tag=cython.int, level=cython.int, words=cython.double, links=cython.double)
    cpdef headings(self, int first_heading, int last_heading)

    @cython.locals(b=Py_ssize_t, i=Py_ssize_t, has_title=cython.bint, node=cython.int, first=cython.int, last=cython.int)
    cpdef titled_containers(self, int title, int[::1] anchor)

    @cython.locals(b=Py_ssize_t, i=Py_ssize_t, up=cython.int, node=cython.int)
    cpdef articles(self, int article, int[::1] anchor)

    @cython.locals(count=Py_ssize_t, table="float[::1]")
    cdef void measure_part(self, Py_ssize_t row, Py_ssize_t b, int first, int last) noexcept

    @cython.locals(b=Py_ssize_t, count=Py_ssize_t, table="float[::1]", groups=dict, node=cython.int, group=Py_ssize_t, record=cython.int, prose=cython.double)
    cpdef ranks(self, int[::1] path_group, double[::1] most, int[::1] parents, int[::1] last_parent)

    cdef double prose_of(self, int node) noexcept

    @cython.locals(b=Py_ssize_t, count=Py_ssize_t, table="float[::1]", prose="const double[::1]", total=cython.double, all_words=cython.double, all_prose=cython.double, words=cython.double, first=cython.int, last=cython.int)
    cpdef comments(self, const int[::1] start, const int[::1] stop, const int[::1] found_by)

    @cython.locals(b=Py_ssize_t, k=Py_ssize_t, count=Py_ssize_t, table="float[::1]", one=cython.longlong, group=cython.int, node=cython.int, steps=cython.int, blocks=cython.int, inside=cython.int, named=cython.longlong, fresh=cython.longlong)
    cpdef near_names(self, const int[::1] place, const int[::1] bucket, Py_ssize_t size, const unsigned char[::1] group_of_bucket, long long[::1] groups)

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

    @cython.locals(i=Py_ssize_t, best=cython.double, core_end=cython.int, is_beside=cython.bint)
    cdef double second_core(self) noexcept
