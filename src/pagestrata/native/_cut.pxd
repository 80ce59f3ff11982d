# The types with which cut.py is compiled.
cimport cython

@cython.locals(count=Py_ssize_t, size=Py_ssize_t, b=Py_ssize_t, i=Py_ssize_t, node=cython.int, child=cython.int, stop=cython.int, after=cython.int, run_start=cython.int, run_end=cython.int, first=cython.int, last=cython.int, is_uniform=cython.bint, is_small=cython.bint, joins=cython.bint)
cpdef Py_ssize_t cut(const int[::1] end, const int[::1] container, const int[::1] first_block, const int[::1] node_end, const int[::1] kind, int[::1] changes, int[::1] waiting, int[::1] starts, int[::1] ends)
