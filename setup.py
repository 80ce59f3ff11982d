"""Builds the kernels when a compiler is there; without one the pure ways do the same work, slower."""

from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

KERNELS = [
    Extension(".".join(path.with_suffix("").parts[1:]), [str(path)], extra_compile_args=["-O3"], optional=True)
    for path in sorted(Path("src").rglob("*.pyx"))
]

setup(ext_modules=cythonize(KERNELS, language_level=3))
