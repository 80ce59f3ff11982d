"""The compiled loops of the library, each written once, and the one switch between compiled and interpreted.

A kernel NAME is a plain Python module `NAME.py` with a file `_NAME.pxd` beside it that holds its C types. `setup.py`
compiles every such pair to `_NAME`, and what all of them need of Cython to `_cyutility`; without a compiler the same
file is interpreted, with equal results, only slower.
To add a kernel, write the two files and add the name to `KERNELS`.

Rules for a kernel:

- It imports nothing of pagestrata except this package, so that every other package can use it. What it needs of a
  page is passed as arguments, or once through its `set_up`.
- Where C and Python must differ, the difference is behind a name: C in `_NAME.pxd` or `_letters.pxd`, Python in
  `interpreted.py`, chosen by `cython.compiled`, which Cython evaluates while it compiles.
- Arithmetic that wraps around in C is masked, so that Python computes the same number.

The compiled kernels are used if all of them were built and the environment variable `PAGESTRATA_PURE` is unset, empty
or "0"; otherwise all are interpreted. There is never a mixture.
"""

import os
from importlib import import_module
from typing import Any, Final

KERNELS: Final = (
    *("comments", "cut", "decide", "features", "keywords", "landmarks", "nesting", "network", "scan", "skim"),
    *("template", "trees", "type_numbers", "type_text", "utf8", "walk", "words"),
)


def _were_built() -> bool:
    try:
        for name in KERNELS:
            import_module(f"{__name__}._{name}")
    except ImportError:
        return False
    return True


IS_COMPILED: Final = os.environ.get("PAGESTRATA_PURE", "") in ("", "0") and _were_built()
"""Whether the compiled kernels are used."""
SCANNER: Final = "kernel" if IS_COMPILED else "pure"
"""The name of the kernels in use, as benchmarks and `pagestrata --version` print it."""


def kernel(name: str) -> Any:
    """Return the module with the functions of a kernel, compiled or interpreted according to `IS_COMPILED`."""
    return import_module(f"{__name__}._{name}" if IS_COMPILED else f"{__name__}.{name}")
