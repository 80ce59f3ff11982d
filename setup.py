"""Builds the kernels when a compiler is there; without one the pure ways do the same work, slower."""

from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

KERNELS = {".".join(path.with_suffix("").parts[1:]): path for path in sorted(Path("src").rglob("*.pyx"))}
# Python as it stands, compiled with the types of the .pxd beside it.
KERNELS["pagestrata.engine._measure"] = Path("src/pagestrata/engine/measure.py")
for name in ("keywords", "nesting"):
    KERNELS[f"pagestrata.native._{name}"] = Path(f"src/pagestrata/native/{name}.py")
FAST = {"language_level": 3, "boundscheck": False, "wraparound": False, "initializedcheck": False, "cdivision": True}
FAST["cpow"] = True  # powers of doubles are doubles

setup(
    ext_modules=cythonize(
        [Extension(name, [str(path)], extra_compile_args=["-O3"], optional=True) for name, path in KERNELS.items()],
        compiler_directives=FAST,
    )
)
