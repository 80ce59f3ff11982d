# A mark for C functions that are compiled for three widths of vectors where the linker can choose by processor. All
# of them sum whole numbers, so that the result is the same.

cdef extern from *:
    """
    #if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__gnu_linux__)
    #define PAGESTRATA_WIDE __attribute__((target_clones("avx512bw", "avx2", "default")))
    #else
    #define PAGESTRATA_WIDE
    #endif
    """
