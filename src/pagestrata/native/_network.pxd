# The types with which network.py is compiled.
cimport cython
from libc.string cimport memset

cimport pagestrata.native._wide

cdef Py_ssize_t WIDTH, BORDERS, AT_ONCE
cdef int MOST

@cython.locals(feature=Py_ssize_t)
cpdef find_levels(const float[:, ::1] table, const float[:, ::1] borders, Py_ssize_t start, unsigned char[:, ::1] levels)

@cython.locals(
    count=Py_ssize_t, taps=Py_ssize_t, seen="short[:, ::1]", sums="int[:, ::1]", block=Py_ssize_t, rows=Py_ssize_t,
    row=Py_ssize_t, tap=Py_ssize_t,
)
cpdef convolve(const unsigned char[:, ::1] inputs, const short[:, ::1] weights, const int[::1] bias, Py_ssize_t dilation, int shift, unsigned char[:, ::1] outputs, Py_ssize_t start)


cdef extern from *:
    """
    #include <float.h>
    PAGESTRATA_WIDE
    static void rank_values(const float* restrict values, Py_ssize_t count, const float* restrict borders,
                            Py_ssize_t most, unsigned char* restrict levels, Py_ssize_t features) {
        for (Py_ssize_t start = 0; start < count; start += 16) {
            const Py_ssize_t size = count - start < 16 ? count - start : 16;
            float some[16] = {0};
            int ranks[16] = {0};
            memcpy(some, values + start, size * sizeof(float));
            for (Py_ssize_t k = 0; k < most && borders[k] <= FLT_MAX; k++)  /* the others are infinite */
                for (int b = 0; b < 16; b++) ranks[b] += some[b] > borders[k];
            for (Py_ssize_t b = 0; b < size; b++) levels[(start + b) * features] = (unsigned char)ranks[b];
        }
    }
    PAGESTRATA_WIDE
    static void sum_four(const short* restrict seen, Py_ssize_t inputs, const short* restrict weights,
                         const int* restrict bias, int* restrict sums) {
        const short *a = seen, *b = a + inputs, *c = b + inputs, *d = c + inputs;
        for (int o = 0; o < 64; o++) {
            const short* restrict row = weights + inputs * o;
            int s = bias[o], t = s, u = s, v = s;
            for (Py_ssize_t i = 0; i < inputs; i++) {
                s += a[i] * row[i];
                t += b[i] * row[i];
                u += c[i] * row[i];
                v += d[i] * row[i];
            }
            sums[o] = s;
            sums[64 + o] = t;
            sums[128 + o] = u;
            sums[192 + o] = v;
        }
    }
    PAGESTRATA_WIDE
    static void rectify_64(const int* restrict sums, int shift, int most, unsigned char* restrict outputs) {
        for (int o = 0; o < 64; o++) {
            const int total = outputs[o] + ((sums[o] > 0 ? sums[o] : 0) >> shift);
            outputs[o] = (unsigned char)(total < most ? total : most);
        }
    }
    """
    void rank_values(const float* values, Py_ssize_t count, const float* borders, Py_ssize_t most, unsigned char* levels, Py_ssize_t features) nogil
    void sum_four(const short* seen, Py_ssize_t inputs, const short* weights, const int* bias, int* sums) nogil
    void rectify_64(const int* sums, int shift, int most, unsigned char* outputs) nogil


cdef inline void find_ranks(const float[:, ::1] table, const float[:, ::1] borders, Py_ssize_t feature, Py_ssize_t start, unsigned char[:, ::1] levels) noexcept:
    if levels.shape[0] > 0:
        rank_values(&table[feature, start], levels.shape[0], &borders[feature, 0], BORDERS, &levels[0, feature], levels.shape[1])


cdef inline void copy_inputs(const unsigned char[:, ::1] inputs, Py_ssize_t block, short[:, ::1] seen, Py_ssize_t row, Py_ssize_t tap) noexcept:
    cdef Py_ssize_t count = inputs.shape[1], place
    cdef short* copied = &seen[row, tap * count]
    cdef const unsigned char* here
    if block < 0 or block >= inputs.shape[0]:
        memset(copied, 0, count * sizeof(short))
        return
    here = &inputs[block, 0]
    for place in range(count):
        copied[place] = here[place]


cdef inline void sum_products(short[:, ::1] seen, const short[:, ::1] weights, const int[::1] bias, int[:, ::1] sums) noexcept:
    sum_four(&seen[0, 0], seen.shape[1], &weights[0, 0], &bias[0], &sums[0, 0])


cdef inline void add_rectified(int[:, ::1] sums, Py_ssize_t row, int shift, int most, unsigned char[:, ::1] outputs, Py_ssize_t block) noexcept:
    rectify_64(&sums[row, 0], shift, most, &outputs[block, 0])
