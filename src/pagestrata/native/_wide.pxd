# A mark for C functions that are compiled twice where the linker can choose by processor: the same loop, twice as wide.

cdef extern from *:
    """
    #if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__gnu_linux__)
    #define PAGESTRATA_WIDE __attribute__((target_clones("avx2", "default")))
    #else
    #define PAGESTRATA_WIDE
    #endif
    """
