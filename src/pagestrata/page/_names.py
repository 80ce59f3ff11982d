"""Look up the numbers of many names at once: the letters of each name are compared as two integers."""

from collections.abc import Mapping
from itertools import count
from typing import Final

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int32]
Places = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
Letters = npt.NDArray[np.uint8]
PackedNames = npt.NDArray[np.uint64]

_SLOT_BITS: Final = 14
_SLOTS: Final = 1 << _SLOT_BITS
_FACTORS: Final = np.array((0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F), np.uint64)
"""Multipliers of the hash; odd multiples of them are tried until no two names share a slot."""
MAX_NAME_LENGTH: Final = 16
"""Longer names are not looked up here. At least this many bytes must follow the last name."""
MASKS = (np.arange(MAX_NAME_LENGTH) < np.arange(MAX_NAME_LENGTH + 1)[:, None]).astype(np.uint8).view(
    np.uint64
) * np.uint64(255)
"""Row n keeps the first n letters of a packed name and clears the others."""


def next_letters(letters: Letters, places: Places) -> Letters:
    """Return the sixteen letters that begin at each place, one row per place."""
    windows = np.ndarray(len(letters) - MAX_NAME_LENGTH + 1, f"V{MAX_NAME_LENGTH}", letters, strides=(1,))
    return windows[places].view(np.uint8).reshape(-1, MAX_NAME_LENGTH)


class Names:
    """A table from names to numbers; names of more than `MAX_NAME_LENGTH` letters are left out."""

    def __init__(self, number_of: Mapping[str, int]) -> None:
        short = {name: number for name, number in number_of.items() if len(name) <= MAX_NAME_LENGTH}
        self.packed = np.array(["", *short], f"S{MAX_NAME_LENGTH}").view(np.uint64).reshape(-1, 2)
        self.number = np.array([0, *short.values()], np.int32)
        candidates = (_FACTORS * np.uint64(odd) for odd in count(1, 2))
        self.factors = next(factors for factors in candidates if _is_perfect(self.packed, factors))
        self.at_slot = np.zeros(_SLOTS, np.int64)
        self.at_slot[_slots(self.packed, self.factors)] = np.arange(len(self.packed))

    def numbers(self, letters: Letters, starts: Places, ends: Places) -> Ints:
        """Return the number of each name, 0 for names that are not in the table."""
        lengths = ends - starts
        lengths[lengths > MAX_NAME_LENGTH] = 0
        packed = next_letters(letters, starts).view(np.uint64) & MASKS[lengths]
        places = self.at_slot[_slots(packed, self.factors)]
        same = self.packed[places] == packed
        is_listed = same[:, 0] & same[:, 1]
        return np.where(is_listed, self.number[places], np.int32(0))


def _is_perfect(packed: PackedNames, factors: PackedNames) -> bool:
    """Whether no two names share a slot."""
    return len(set(_slots(packed, factors).tolist())) == len(packed)


def _slots(packed: PackedNames, factors: PackedNames) -> Places:
    spread = packed[:, 0] * factors[0] ^ packed[:, 1] * factors[1]
    slots: Places = (spread >> np.uint64(64 - _SLOT_BITS)).astype(np.int64)
    return slots
