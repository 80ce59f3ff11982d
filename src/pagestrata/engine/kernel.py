"""Which way the loops of the engine run, decided once: compiled, or as Python runs them.

Compiled loops take arrays; Python is three times as fast on lists.
"""

import os
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from pagestrata.engine import measure, words_by_pattern

Column = Any
"""Numbers one after another: an array for the compiled loops, a list for the others."""


def _compiled() -> tuple[Any, Any] | None:
    if os.environ.get("PAGESTRATA_PURE"):
        return None
    try:
        from pagestrata.engine import _measure, _words  # type: ignore[attr-defined]
    except ImportError:
        return None
    return _measure, _words


IS_COMPILED: Final = _compiled() is not None
loops, words = _compiled() or (measure, words_by_pattern)
Measures: Final = loops.Measures


def given(column: npt.NDArray[Any]) -> Column:
    """A column of a page, as the loops want it."""
    return np.ascontiguousarray(column) if IS_COMPILED else column.tolist()


def new(size: int, kind: npt.DTypeLike) -> Column:
    """Room for so many numbers, all 0."""
    return np.zeros(size, kind) if IS_COMPILED else [0] * size


def new_columns(count: int, size: int, kind: npt.DTypeLike) -> tuple[Column, ...]:
    """The same, several times."""
    return tuple(np.zeros((count, size), kind)) if IS_COMPILED else tuple([0] * size for _ in range(count))
