# The types with which nesting.py is compiled.
cimport cython
from libc.stdint cimport int32_t

@cython.locals(i=Py_ssize_t, around=int32_t)
cpdef nest(const int32_t[:] starts, const int32_t[:] ends, int32_t[::1] outer)

@cython.locals(i=Py_ssize_t, around=int32_t, following=Py_ssize_t)
cpdef find_innermost(
    const int32_t[:] starts, const int32_t[:] ends, const int32_t[:] outer, const int32_t[:] nodes,
    int32_t[::1] innermost,
)
