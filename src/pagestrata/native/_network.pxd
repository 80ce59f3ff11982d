# The types with which network.py is compiled.
cimport cython

cdef Py_ssize_t WIDTH, BORDERS
cdef int MOST

@cython.locals(feature=Py_ssize_t)
cpdef find_levels(const float[:, ::1] table, const float[:, ::1] borders, const int[::1] usual, Py_ssize_t start, short[:, ::1] levels)

@cython.locals(
    count=Py_ssize_t, taps=Py_ssize_t, sums="float[::1]", block=Py_ssize_t, place=Py_ssize_t, tap=Py_ssize_t,
    other=Py_ssize_t,
)
cpdef convolve(const short[:, ::1] inputs, const float[:, :, ::1] weights, const float[::1] bias, Py_ssize_t dilation, int divisor, short[:, ::1] outputs, Py_ssize_t start)


cdef extern from *:
    """
    /* Where the linker can choose by processor: the same loop, twice as wide. */
    #if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__gnu_linux__)
    #define PAGESTRATA_WIDE __attribute__((target_clones("avx2", "default")))
    #else
    #define PAGESTRATA_WIDE
    #endif
    /* Binary search among 15 borders. */
    static void rank_values(const float* values, Py_ssize_t count, const float* borders, int usual, short* levels,
                            Py_ssize_t features) {
        for (Py_ssize_t b = 0; b < count; b++) {
            const float value = values[b];
            int rank = value > borders[7] ? 8 : 0;
            rank += value > borders[rank + 3] ? 4 : 0;
            rank += value > borders[rank + 1] ? 2 : 0;
            rank += value > borders[rank] ? 1 : 0;
            levels[b * features] = (short)(rank - usual);
        }
    }
    PAGESTRATA_WIDE
    static void add_64_products(const short* restrict inputs, Py_ssize_t count, const float* restrict weights,
                                float* restrict sums) {
        float total[64];
        for (int o = 0; o < 64; o++) total[o] = sums[o];
        for (Py_ssize_t i = 0; i < count; i++) {
            if (inputs[i] == 0) continue;  /* as every other input is; to list the others first took longer */
            const float input = inputs[i];
            const float* restrict row = weights + 64 * i;
            for (int o = 0; o < 64; o++) total[o] += input * row[o];
        }
        for (int o = 0; o < 64; o++) sums[o] = total[o];
    }
    """
    void rank_values(const float* values, Py_ssize_t count, const float* borders, int usual, short* levels, Py_ssize_t features) nogil
    void add_64_products(const short* inputs, Py_ssize_t count, const float* weights, float* sums) nogil


cdef inline void find_ranks(const float[:, ::1] table, const float[:, ::1] borders, const int[::1] usual, Py_ssize_t feature, Py_ssize_t start, short[:, ::1] levels) noexcept:
    if levels.shape[0] > 0:
        rank_values(&table[feature, start], levels.shape[0], &borders[feature, 0], usual[feature], &levels[0, feature], levels.shape[1])


cdef inline void add_products(const short[:, ::1] inputs, Py_ssize_t block, const float[:, :, ::1] weights, Py_ssize_t tap, float[::1] sums) noexcept:
    add_64_products(&inputs[block, 0], inputs.shape[1], &weights[tap, 0, 0], &sums[0])


cdef inline void add_rectified(float[::1] sums, int divisor, int most, short[:, ::1] outputs, Py_ssize_t block) noexcept:
    cdef Py_ssize_t place
    cdef int total
    for place in range(WIDTH):
        if sums[place] > 0:
            total = outputs[block, place] + <int> sums[place] // divisor
            outputs[block, place] = total if total < most else most
