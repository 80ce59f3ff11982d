"""Builds the scan kernel when a compiler is there; without one the pure reference does the same work, slower."""

from Cython.Build import cythonize
from setuptools import Extension, setup

KERNEL = Extension(
    "pagestrata.page._kernel",
    ["src/pagestrata/page/_kernel.pyx"],
    extra_compile_args=["-O3"],
    optional=True,
)

setup(ext_modules=cythonize([KERNEL], language_level=3))
