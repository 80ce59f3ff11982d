# The types with which type_text.py is compiled.
cimport cython

cdef unsigned long long START, PRIME, MASK
cdef int MAX_PROBES, SHORT_LINE, LABEL_SPACES, NAME_START, VALUE_START, PROPERTY_START, CONTENT_START, HEADING_START
cdef int MIN_LETTERS, MAX_LETTERS, OFTEN, VERY_OFTEN, LATIN_CASE
cdef int SHORT_WORDS, PRICE_START
cdef int VALUE, WORDS, FIRST_WORDS
cdef int TO_PAGE, TO_PERSON, TO_CART, TO_CALL
cdef int QUESTION, EXCLAMATION, COMMA, COLON, EQUAL, MONEY, DIGIT
cdef int LINKS, HOSTS, INSIDE, PAGES, PEOPLE, CART, CALLS


@cython.final
cdef class WordReader:
    cdef str text, markup
    cdef const int[::1] small_letters
    cdef Py_ssize_t known_letters
    cdef long long[::1] keys
    cdef readonly Py_ssize_t size
    cdef unsigned long long joined

    cpdef begin(self, long long[::1] keys)

    cdef void add(self, unsigned long long word, unsigned long long seed) noexcept

    @cython.locals(code=cython.uint)
    cdef unsigned int small(self, Py_UCS4 letter) noexcept

    @cython.locals(i=Py_ssize_t, count=Py_ssize_t, letters=cython.int, word=cython.ulonglong, code=cython.uint)
    cpdef Py_ssize_t read_words(self, str text, Py_ssize_t first, Py_ssize_t last, unsigned long long seed, Py_ssize_t most)

    @cython.locals(i=Py_ssize_t, word=cython.ulonglong, code=cython.uint)
    cpdef unsigned long long hash_value(self, str text, Py_ssize_t first, Py_ssize_t last)

    cpdef read_value(self, str text, Py_ssize_t first, Py_ssize_t last, unsigned long long seed)

    @cython.locals(i=Py_ssize_t, first=Py_ssize_t, count=Py_ssize_t)
    cpdef read_title(self, str title, Py_ssize_t size, unsigned long long seed)

    @cython.locals(place=Py_ssize_t, node=cython.int, first=cython.int, last=cython.int)
    cpdef read_headings(self, const int[::1] nodes, const int[::1] text_start, const int[::1] text_end, const int[::1] tag, int title_tag, unsigned long long title_seed, unsigned long long seed)

    @cython.locals(b=Py_ssize_t, first=Py_ssize_t, last=Py_ssize_t, count=Py_ssize_t)
    cpdef read_lines(self, const int[::1] start, const int[::1] end, const int[::1] is_link, const int[::1] is_read, unsigned long long seed, unsigned long long link_seed)

    @cython.locals(i=Py_ssize_t, count=cython.int)
    cdef int spaces(self, Py_ssize_t first, Py_ssize_t last) noexcept

    @cython.locals(b=Py_ssize_t)
    cpdef read_text(self, const int[::1] start, const int[::1] end, const int[::1] is_read, unsigned long long seed)

    @cython.locals(a=Py_ssize_t, slot=Py_ssize_t)
    cpdef read_names(self, const int[::1] number, const int[::1] value_start, const int[::1] value_end, const int[::1] is_name, long long[::1] slots, int[::1] uses)

    @cython.locals(i=Py_ssize_t, word=cython.ulonglong, letters=cython.int, code=cython.uint, is_capital=cython.bint, is_small=cython.bint, after_small=cython.bint)
    cdef void count_names(self, Py_ssize_t first, Py_ssize_t last, long long[::1] slots, int[::1] uses) noexcept

    @cython.locals(a=Py_ssize_t, node=Py_ssize_t, seed=cython.longlong, field_seed=cython.longlong, first=Py_ssize_t, last=Py_ssize_t)
    cpdef read_markup(self, const int[::1] number, const int[::1] value_start, const int[::1] value_end, const int[::1] attribute_end, const int[::1] tag, const int[::1] seeds, const int[::1] field_seeds, const int[::1] is_field, int itemtype)

    @cython.locals(i=Py_ssize_t)
    cdef Py_ssize_t after_slash(self, Py_ssize_t first, Py_ssize_t last) noexcept

    @cython.locals(place=Py_ssize_t, node=cython.int, a=Py_ssize_t, named=Py_ssize_t, by_property=Py_ssize_t, said=Py_ssize_t, first=Py_ssize_t, name=cython.ulonglong, kind=cython.int, property_name=cython.int, plain_name=cython.int, content=cython.int)
    cpdef read_meta(self, const int[::1] nodes, const int[::1] attribute_start, const int[::1] attribute_end, const int[::1] number, const int[::1] value_start, const int[::1] value_end, tuple names, dict kinds, unsigned long long seed)

    cdef read_content(self, Py_ssize_t first, Py_ssize_t last, int kind, unsigned long long seed)

    @cython.locals(b=Py_ssize_t)
    cpdef find_prices(self, const int[::1] start, const int[::1] end, const int[::1] words, const int[::1] is_usable, int[::1] is_price)

    @cython.locals(i=Py_ssize_t, letter=Py_UCS4, digit_at=Py_ssize_t, sign_at=Py_ssize_t, follows=cython.bint)
    cdef int holds_price(self, Py_ssize_t first, Py_ssize_t last) noexcept

    @cython.locals(letter=Py_UCS4, second=Py_UCS4, third=Py_UCS4)
    cdef bint begins_currency(self, Py_ssize_t i, Py_ssize_t last) noexcept

    @cython.locals(i=Py_ssize_t, letter=Py_UCS4)
    cpdef count_marks(self, Py_ssize_t size, int[::1] counts)

    @cython.locals(a=Py_ssize_t, node=Py_ssize_t, first=Py_ssize_t, last=Py_ssize_t, host=cython.ulonglong, leads=cython.int, keys="const long long[::1]", known_slots="const int[::1]", kinds="const int[::1]")
    cpdef read_links(self, const int[::1] number, const int[::1] value_start, const int[::1] value_end, const int[::1] attribute_end, const int[::1] tag, int href, int anchor, tuple words, long long[::1] slots, int[::1] uses, int[::1] counts)

    @cython.locals(i=Py_ssize_t, end=Py_ssize_t)
    cpdef unsigned long long host_key(self, str text, Py_ssize_t first, Py_ssize_t last)

    @cython.locals(i=Py_ssize_t, leads=cython.int, word=cython.ulonglong, letters=Py_ssize_t, code=cython.uint, row=Py_ssize_t)
    cdef int leads_to(self, Py_ssize_t first, Py_ssize_t last, const long long[::1] keys, const int[::1] slots, const int[::1] kinds) noexcept

    @cython.locals(before=Py_UCS4, after=Py_UCS4, allowed=cython.int)
    cdef int allowed(self, Py_ssize_t start, Py_ssize_t end, Py_ssize_t first, Py_ssize_t last) noexcept


@cython.locals(slot=cython.ulonglong, _=cython.int)
cdef void count_use(unsigned long long word, long long[::1] slots, int[::1] uses) noexcept

cdef unsigned long long slot_of(unsigned long long word) noexcept

@cython.locals(row=Py_ssize_t, slot=cython.ulonglong, _=cython.int)
cpdef fill_slots(const long long[::1] keys, int[::1] slots)

@cython.locals(slot=cython.ulonglong, _=cython.int, row=Py_ssize_t)
cdef Py_ssize_t row_of(unsigned long long key, const long long[::1] known_keys, const int[::1] slots) noexcept

@cython.locals(count=Py_ssize_t, i=Py_ssize_t, row=Py_ssize_t, output=Py_ssize_t)
cpdef Py_ssize_t sum_weights(const long long[::1] keys, const long long[::1] known_keys, const int[::1] slots, const signed char[::1] weights, signed char[::1] seen, long long[::1] sums)
