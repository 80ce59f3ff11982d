"""Compiles the kernels where there is a compiler; without one the same files are interpreted (see `native`)."""

import os
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

SOURCES = sorted(Path("src/pagestrata/native").glob("*.py"))
KERNELS = [path for path in SOURCES if path.with_name(f"_{path.stem}.pxd").exists()]
DIRECTIVES = {
    "language_level": 3,
    "boundscheck": False,
    "wraparound": False,
    "initializedcheck": False,
    "cdivision": True,
    "cpow": True,  # powers of doubles are doubles
    "annotation_typing": False,  # annotations are for readers and mypy; C types are in the .pxd
}
if os.environ.get("PAGESTRATA_CHECKED"):  # for `scripts/stress kernels`
    DIRECTIVES |= {"boundscheck": True, "initializedcheck": True}

setup(
    ext_modules=cythonize(
        [
            # Debug information would make them several times as large.
            Extension(f"pagestrata.native._{path.stem}", [str(path)], extra_compile_args=["-O3", "-g0"], optional=True)
            for path in KERNELS
        ],
        compiler_directives=DIRECTIVES,
        force=True,  # Cython looks for changes of NAME.pxd, and would miss those of _NAME.pxd
    ),
    options={"build_ext": {"parallel": True}},
)
