"""Builds the kernels when a compiler is there; without one the pure ways do the same work, slower."""

from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

KERNELS = {".".join(path.with_suffix("").parts[1:]): path for path in sorted(Path("src").rglob("*.pyx"))}
# Python as it stands, compiled with the types of the .pxd beside it.
for types in sorted(Path("src/pagestrata/native").glob("_*.pxd")):
    KERNELS[f"pagestrata.native.{types.stem}"] = types.with_name(types.stem[1:] + ".py")
FAST = {"language_level": 3, "boundscheck": False, "wraparound": False, "initializedcheck": False, "cdivision": True}
FAST["cpow"] = True  # powers of doubles are doubles

setup(
    ext_modules=cythonize(
        [Extension(name, [str(path)], extra_compile_args=["-O3"], optional=True) for name, path in KERNELS.items()],
        compiler_directives=FAST,
    )
)
