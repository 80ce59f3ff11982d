"""Compiles the kernels where there is a compiler; without one the same files are interpreted (see `native`)."""

import os
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

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
# Debug information would make a kernel several times as large. Flags of one's own in CFLAGS replace these.
FLAGS = [] if os.name == "nt" or os.environ.get("CFLAGS") else ["-O3", "-g0"]


class BuildKernels(build_ext):
    """Translates the kernels to C when they are compiled, not whenever a tool asks for name and version."""

    def build_extensions(self) -> None:
        """Give each extension the C file made from its source."""
        made = cythonize(
            [Extension(kernel.name, kernel.sources) for kernel in self.extensions],
            compiler_directives=DIRECTIVES,
            shared_utility_qualified_name=f"pagestrata.native.{SHARED}",
            force=True,  # Cython looks for changes of NAME.pxd, and would miss those of _NAME.pxd
        )
        for kernel, translated in zip(self.extensions, made, strict=True):
            kernel.sources = translated.sources
        super().build_extensions()


def extension(name: str, source: Path) -> Extension:
    """Describe a module of `native`."""
    return Extension(f"pagestrata.native.{name}", [str(source)], extra_compile_args=FLAGS, optional=True)


setup(
    ext_modules=[extension(SHARED, NATIVE / f"{SHARED}.c"), *(extension(f"_{path.stem}", path) for path in KERNELS)],
    cmdclass={"build_ext": BuildKernels},
    options={"build_ext": {"parallel": True}},
)
