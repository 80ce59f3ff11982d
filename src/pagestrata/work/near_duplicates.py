"""Keys by which near-duplicates find each other: 64-bit SimHash (Charikar, STOC 2002) over runs of three words.

A key needs no other page, so that every machine makes the same one. Keys of texts that differ in a few words differ in
a few bits: Manku, Jain and Das Sarma (WWW 2007) take pages of a crawl for near-duplicates from 3 bits down.
"""

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from pagestrata.page.tag_paths import Hashes, mix, text_hash
from pagestrata.page.text import words

Sums = npt.NDArray[np.int32]
BITS = 64


def keys_of(texts: Sequence[str], chosen: Iterable[bool]) -> tuple[list[str], str]:
    """The key of each text, and one for the chosen together; in hex, and "" for what has no words.

    >>> keys, whole = keys_of(["Warm the pot, then wait.", "warm the pot then wait", "..."], [True, False, True])
    >>> keys[0] == keys[1] == whole, keys[2], len(whole)
    (True, '', 16)
    """
    found = [words(text.lower()) for text in texts]
    counts = np.array([len(each) for each in found], np.int32)
    sums = np.zeros((len(texts), BITS), np.int32)
    sums[counts > 0] = bit_sums(_numbers(found), counts[counts > 0])
    kept = np.fromiter(chosen, np.bool_, len(texts))
    whole = _hex(sums[kept].sum(axis=0), int(counts[kept].sum()))
    return [_hex(*row) for row in zip(sums, counts.tolist(), strict=True)], whole


def distance(one: str, other: str) -> int:
    """In how many bits two keys differ.

    >>> distance("00000000000000ff", "00000000000000fe")
    1
    """
    return (int(one, 16) ^ int(other, 16)).bit_count()


def bit_sums(numbers: Hashes, counts: npt.NDArray[np.int32]) -> Sums:
    """For each text, how many of its runs of three words have each bit; a run goes on from the end at the beginning.

    So a text of n words has n runs, however short it is, and sums of several texts may be added.
    """
    if not len(numbers):
        return np.zeros((0, BITS), np.int32)
    ends = np.cumsum(counts)
    starts = ends - counts
    place = np.arange(len(numbers)) - np.repeat(starts, counts)
    first, length = np.repeat(starts, counts), np.repeat(counts, counts)
    runs = mix(mix(numbers, numbers[first + (place + 1) % length]), numbers[first + (place + 2) % length])
    columns = runs.astype("<u8").view(np.uint8).reshape(-1, 8)
    # A byte at a time: all bits of a page of 20 MB at once would take a gigabyte.
    bits = (np.unpackbits(columns[:, byte, None], axis=1) for byte in range(8))
    return np.concatenate([np.add.reduceat(some, starts, axis=0, dtype=np.int32) for some in bits], axis=1)


def _numbers(texts: Iterable[Sequence[str]]) -> Hashes:
    spoken = [word for text in texts for word in text]
    number = {word: text_hash(word) for word in dict.fromkeys(spoken)}
    return np.fromiter(map(number.__getitem__, spoken), np.uint64, len(spoken))


def _hex(sums: Sums, count: int) -> str:
    return np.packbits(2 * sums > count).tobytes().hex() if count else ""
