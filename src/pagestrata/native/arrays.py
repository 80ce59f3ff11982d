"""Columns of numbers in the form that the kernels take: arrays when compiled, lists when interpreted.

Python reads a list three times as fast as an array.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from pagestrata.native import IS_COMPILED

Column = Any
"""Numbers one after another: an array for compiled kernels, a list for interpreted ones."""


def as_column(array: npt.NDArray[Any]) -> Column:
    """Return an array in the form that the kernels take."""
    return np.ascontiguousarray(array) if IS_COMPILED else array.tolist()


def zeros(size: int, kind: npt.DTypeLike) -> Column:
    """Return a column of `size` zeros."""
    return np.zeros(size, kind) if IS_COMPILED else [0] * size


def zero_columns(count: int, size: int, kind: npt.DTypeLike) -> tuple[Column, ...]:
    """Return `count` columns of `size` zeros."""
    return tuple(np.zeros((count, size), kind)) if IS_COMPILED else tuple([0] * size for _ in range(count))
