"""Compiles the kernels where there is a compiler; without one the same files are interpreted (see `native`)."""

import os
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

NATIVE = Path("src/pagestrata/native")
KERNELS = [path for path in sorted(NATIVE.glob("*.py")) if path.with_name(f"_{path.stem}.pxd").exists()]
SHARED = "_cyutility"
"""What Cython would compile again into every kernel: half of the work, and half of the size."""
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


def extension(name: str, source: Path) -> Extension:
    """Describe a module of `native`. Debug information would make it several times as large."""
    return Extension(f"pagestrata.native.{name}", [str(source)], extra_compile_args=["-O3", "-g0"], optional=True)


setup(
    ext_modules=cythonize(
        [extension(SHARED, NATIVE / f"{SHARED}.c"), *(extension(f"_{path.stem}", path) for path in KERNELS)],
        compiler_directives=DIRECTIVES,
        shared_utility_qualified_name=f"pagestrata.native.{SHARED}",
        force=True,  # Cython looks for changes of NAME.pxd, and would miss those of _NAME.pxd
    ),
    options={"build_ext": {"parallel": True}},
)
