"""The loops of the engine and their columns, compiled or interpreted as `native` decides.

Compiled loops take arrays; interpreted ones are three times as fast on lists.
"""

from importlib import import_module
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from pagestrata.native import IS_COMPILED, kernel

Column = Any
"""Numbers one after another: an array for the compiled loops, a list for the interpreted ones."""

loops: Final = import_module("pagestrata.engine._measure" if IS_COMPILED else "pagestrata.engine.measure")
words: Final = kernel("words")
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
