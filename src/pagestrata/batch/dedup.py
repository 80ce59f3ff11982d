"""Finds near-duplicates among the pages of a run by their 64-bit keys, up to three bits apart.

Manku, Jain and Das Sarma (WWW 2007): keys that differ in at most three bits agree in one of four blocks of 16 bits, so
each key is looked up by its four blocks.
"""

from collections import defaultdict, deque
from collections.abc import Iterable
from typing import Final

MAX_BITS: Final = 3
BLOCKS: Final = 4
BLOCK_BITS: Final = 16
MOST_IN_BUCKET: Final = 4_096
"""Only the last keys with a block are compared, so that the work is linear even if all pages share one."""


class SeenKeys:
    """The keys of the pages that became rows."""

    def __init__(self, keys: Iterable[str] = ()) -> None:
        self._buckets: defaultdict[tuple[int, int], deque[int]] = defaultdict(lambda: deque(maxlen=MOST_IN_BUCKET))
        self._keys: set[int] = set()
        for key in keys:
            self.add(key)

    def add(self, key: str) -> bool:
        """Add the key of a page in hex; False if it is a near-duplicate of an earlier one. "" is never one.

        >>> seen = SeenKeys(["00000000000000ff"])
        >>> seen.add("00000000000000f8"), seen.add("0000000000000f0f"), seen.add("")
        (False, True, True)
        """
        if not key:
            return True
        number = int(key, 16)
        if number in self._keys:
            return False
        buckets = [self._buckets[place, number >> place * BLOCK_BITS & 0xFFFF] for place in range(BLOCKS)]
        if any((number ^ other).bit_count() <= MAX_BITS for bucket in buckets for other in bucket):
            return False
        self._keys.add(number)
        for bucket in buckets:
            bucket.append(number)
        return True
