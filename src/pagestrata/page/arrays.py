"""What the arrays of a page have in common: they cannot be written to, and the rows of a table have names."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True, slots=True, eq=False)
class FrozenArrays:
    """Arrays that nobody can write to, neither here nor in a process that they are sent to."""

    def __post_init__(self) -> None:
        for value in self._values():
            if isinstance(value, np.ndarray):
                value.flags.writeable = False

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._values()

    def _values(self) -> tuple[Any, ...]:
        return tuple(getattr(self, name) for name in self.__dataclass_fields__)


@dataclass(frozen=True, slots=True, eq=False)
class Table(FrozenArrays):
    """Columns of equal length, which are the rows of one array."""

    table: npt.NDArray[np.int32]

    def __len__(self) -> int:
        return int(self.table.shape[1])


class Column:
    """A column of a table, known by its place in the array."""

    def __init__(self, place: int) -> None:
        self._place = place

    def __get__(self, table: Table, owner: type[Table]) -> npt.NDArray[np.int32]:
        column: npt.NDArray[np.int32] = table.table[self._place]
        return column
