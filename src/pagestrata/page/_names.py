"""Names in pages, found without a walk: the numbers of many at once, by comparing their letters as two integers."""

from collections.abc import Mapping
from itertools import count
from typing import Final

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int32]
Places = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
Letters = npt.NDArray[np.uint8]
Spelled = npt.NDArray[np.uint64]

_SLOT_BITS: Final = 14
_SLOTS: Final = 1 << _SLOT_BITS
_FACTORS: Final = np.array((0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F), np.uint64)
"""Spread names over the slots; odd multiples of them are tried until no two names share one."""
SHORT: Final = 16
"""Longer names are not looked up here; as many bytes must follow the last name."""
MASKS = (np.arange(SHORT) < np.arange(SHORT + 1)[:, None]).astype(np.uint8).view(np.uint64) * np.uint64(255)
"""What leaves so many letters of a row, and nothing after them."""


def next_letters(letters: Letters, places: Places) -> Letters:
    """The letters from each place on, in rows of sixteen."""
    windows = np.ndarray(len(letters) - SHORT + 1, f"V{SHORT}", letters, strides=(1,))
    return windows[places].view(np.uint8).reshape(-1, SHORT)


class Names:
    """Some names with numbers; those of more than 16 letters it leaves out."""

    def __init__(self, known: Mapping[str, int]) -> None:
        short = {name: number for name, number in known.items() if len(name) <= SHORT}
        self.spelled = np.array(["", *short], f"S{SHORT}").view(np.uint64).reshape(-1, 2)
        self.number = np.array([0, *short.values()], np.int32)
        ways = (_FACTORS * np.uint64(odd) for odd in count(1, 2))
        self.factors = next(way for way in ways if len(set(_slots(self.spelled, way).tolist())) == len(self.spelled))
        self.at_slot = np.zeros(_SLOTS, np.int64)
        self.at_slot[_slots(self.spelled, self.factors)] = np.arange(len(self.spelled))

    def numbers(self, letters: Letters, starts: Places, ends: Places) -> Ints:
        """The number of each name; 0 for those that have none."""
        lengths = ends - starts
        lengths[lengths > SHORT] = 0
        spelled = next_letters(letters, starts).view(np.uint64) & MASKS[lengths]
        places = self.at_slot[_slots(spelled, self.factors)]
        same = self.spelled[places] == spelled
        is_known = same[:, 0] & same[:, 1]
        return np.where(is_known, self.number[places], np.int32(0))


def _slots(spelled: Spelled, factors: Spelled) -> Places:
    spread = spelled[:, 0] * factors[0] ^ spelled[:, 1] * factors[1]
    slots: Places = (spread >> np.uint64(64 - _SLOT_BITS)).astype(np.int64)
    return slots
