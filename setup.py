"""Builds the kernels when a compiler is there; without one the pure ways do the same work, slower."""

from Cython.Build import cythonize
from setuptools import Extension, setup

KERNELS = [
    Extension(name, [f"src/{name.replace('.', '/')}.pyx"], extra_compile_args=["-O3"], optional=True)
    for name in ("pagestrata.page._kernel", "pagestrata.engine._trees")
]

setup(ext_modules=cythonize(KERNELS, language_level=3))
