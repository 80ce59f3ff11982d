"""Keys by which near-duplicates find each other: 64-bit SimHash (Charikar, STOC 2002) over runs of three words.

A key needs no other page, so every machine computes the same one. Keys of texts that differ in a few words differ in a
few bits: Manku, Jain and Das Sarma (WWW 2007) take pages of a crawl for near-duplicates if at most 3 bits differ.
"""

from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from pagestrata.page.tag_paths import Hashes, mix, stable_hash
from pagestrata.page.text import words

Sums = npt.NDArray[np.int32]
BITS: Final = 64
MOST_WORDS: Final = 1 << 16
"""Hashes of words that are kept from one page to the next: some 10 MB."""
LONGEST_PIECE: Final = 255
"""Runs whose bits are added up in counters of one byte."""
_COUNTERS = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).view(np.uint64).ravel()
"""For each value of a byte, its eight bits as eight counters of one byte each."""


class _WordHashes(dict[str, int]):
    """The hash of each word, computed when it is first asked for: pages share most of their words."""

    def __missing__(self, word: str) -> int:
        number = self[word] = stable_hash(word)
        return number


_hash_of = _WordHashes()


def keys_of(texts: Sequence[str], selected: Iterable[bool]) -> tuple[list[str], str]:
    """The key of each text, and one for the selected texts together; in hex, and "" for what has no words.

    >>> keys, page_key = keys_of(["Warm the pot, then wait.", "warm the pot then wait", "..."], [True, False, True])
    >>> keys[0] == keys[1] == page_key, keys[2], len(page_key)
    (True, '', 16)
    """
    spoken = [words(text.lower()) for text in texts]
    counts = np.array([len(each) for each in spoken], np.int32)
    sums = np.zeros((len(texts), BITS), np.int32)
    sums[counts > 0] = bit_sums(_hashes(spoken), counts[counts > 0])
    chosen = np.fromiter(selected, np.bool_, len(texts))
    together = _hex_keys(sums[chosen].sum(axis=0, keepdims=True), counts[chosen].sum(keepdims=True))
    return _hex_keys(sums, counts), together[0]


def distance(one: str, other: str) -> int:
    """The number of bits in which two keys differ.

    >>> distance("00000000000000ff", "00000000000000fe")
    1
    """
    return (int(one, 16) ^ int(other, 16)).bit_count()


def bit_sums(numbers: Hashes, counts: npt.NDArray[np.int32]) -> Sums:
    """For each text, how many of its runs of three words have each bit; runs at the end continue at the beginning.

    So a text of n words has n runs, however short it is, and the sums of several texts may be added.
    """
    if not len(numbers):
        return np.zeros((0, BITS), np.int32)
    ends = np.cumsum(counts)
    starts = ends - counts
    following = np.arange(1, len(numbers) + 1)
    following[ends - 1] = starts
    second = numbers[following]
    runs = mix(mix(numbers, second), second[following])
    # Eight counters of a byte each are added as one number, so no piece may be longer than a byte can count.
    pieces = np.union1d(starts, np.arange(0, len(runs), LONGEST_PIECE))
    columns = runs.astype("<u8").view(np.uint8).reshape(-1, 8)
    counters = [np.add.reduceat(_COUNTERS[columns[:, byte]], pieces) for byte in range(8)]
    piece_sums = np.stack(counters, axis=1).view(np.uint8)
    return np.add.reduceat(piece_sums, np.searchsorted(pieces, starts), axis=0, dtype=np.int32)


def _hashes(texts: Iterable[Sequence[str]]) -> Hashes:
    spoken = [word for text in texts for word in text]
    hashes = np.fromiter(map(_hash_of.__getitem__, spoken), np.uint64, len(spoken))
    if len(_hash_of) > MOST_WORDS:
        _hash_of.clear()
    return hashes


def _hex_keys(sums: Sums, counts: npt.NDArray[np.int32]) -> list[str]:
    """A row of bit sums per text → its key: the bits that more than half of its runs have."""
    keys = np.packbits(2 * sums > counts[:, None], axis=1)
    return [key.tobytes().hex() if count else "" for key, count in zip(keys, counts.tolist(), strict=True)]
