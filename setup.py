"""Compiles the kernels where there is a compiler; without one the same files are interpreted (see `native`)."""

import os
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

NATIVE = Path("src/pagestrata/native")


def kernels() -> dict[str, Path]:
    """Find what is compiled to `_NAME`: each `NAME.py` with its C types in `_NAME.pxd`, and each `_NAME.pyx`."""
    sources = [path for path in sorted(NATIVE.glob("*.py")) if path.with_name(f"_{path.stem}.pxd").exists()]
    found = {f"pagestrata.native._{path.stem}": path for path in sources}
    found |= {f"pagestrata.native.{path.stem}": path for path in sorted(NATIVE.glob("*.pyx"))}
    return found


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
            Extension(name, [str(path)], extra_compile_args=["-O3", "-g0"], optional=True)
            for name, path in kernels().items()
        ],
        compiler_directives=DIRECTIVES,
        force=True,  # Cython looks for changes of NAME.pxd, and would miss those of _NAME.pxd
    ),
    options={"build_ext": {"parallel": True}},
)
