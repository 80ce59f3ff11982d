"""The compiled loops of the library, each written once; interpreted where there was no compiler, with equal results."""

import os
from importlib import import_module
from typing import Any


def kernel(name: str) -> Any:
    """Return the module with the functions of a kernel, compiled if it was built."""
    if os.environ.get("PAGESTRATA_PURE", "") in ("", "0"):
        try:
            return import_module(f"{__name__}._{name}")
        except ImportError:
            pass
    return import_module(f"{__name__}.{name}")
