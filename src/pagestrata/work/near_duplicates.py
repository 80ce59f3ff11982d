"""Keys by which near-duplicates find each other: 64-bit SimHash (Charikar, STOC 2002) over runs of three words.

A key needs no other page, so every machine computes the same one. Keys of texts that differ in a few words differ in a
few bits: Manku, Jain and Das Sarma (WWW 2007) take pages of a crawl for near-duplicates if at most 3 bits differ.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import chain
from typing import Final

import numpy as np
import numpy.typing as npt

from pagestrata.page.tag_paths import Hashes, mix, stable_digest
from pagestrata.page.text import UNSPACED_RANGES, words

Sums = npt.NDArray[np.int32]
BITS: Final = 64
MOST_WORDS: Final = 1 << 16
"""Hashes of words that are kept from one page to the next: some 10 MB."""
IN_WORD: Final = 1
UNSPACED: Final = 2
"""A letter that is a word by itself."""
LONGEST_PIECE: Final = 255
"""Runs whose bits are added up in counters of one byte."""
_COUNTERS = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).view(np.uint64).ravel()
"""For each value of a byte, its eight bits as eight counters of one byte each."""


class _WordHashes(dict[str, bytes]):
    """The hash of each word in eight bytes, computed when it is first asked for: pages share most of their words."""

    def __missing__(self, word: str) -> bytes:
        self[word] = digest = stable_digest(word)
        return digest


_hash_of = _WordHashes()


def keys_of(texts: Sequence[str], selected: Iterable[bool]) -> tuple[list[str], str]:
    """The key of each text, and one for the selected texts together; in hex, and "" for what has no words.

    >>> keys, page_key = keys_of(["Warm the pot, then wait.", "warm the pot then wait", "..."], [True, False, True])
    >>> keys[0] == keys[1] == page_key, keys[2], len(page_key)
    (True, '', 16)
    """
    spoken, counts = lower_words(texts)
    sums = np.zeros((len(texts), BITS), np.int32)
    sums[counts > 0] = bit_sums(_hashes(spoken), counts[counts > 0])
    chosen = np.fromiter(selected, np.bool_, len(texts))
    together = _hex_keys(sums[chosen].sum(axis=0, keepdims=True), counts[chosen].sum(keepdims=True))
    return _hex_keys(sums, counts), together[0]


def lower_words(texts: Sequence[str]) -> tuple[list[str], npt.NDArray[np.int32]]:
    """The words of all texts in lower case, as `words` splits them, and how many each text has.

    Most scripts have spaces between words; with these it takes a third of the time of `words`.

    >>> spoken, counts = lower_words(["Don’t panic: 42", "", "Café"])
    >>> spoken, counts.tolist()
    (['don', 't', 'panic', '42', 'café'], [4, 0, 1])
    """
    lower = [f"{text.lower()}\n" for text in texts]
    codes = np.frombuffer("".join(lower).encode("utf-32-le", "surrogatepass"), "<u4")
    kinds = character_kinds()
    kind = kinds[codes] if codes.max(initial=0) < len(kinds) else None
    if kind is None or kind.max(initial=0) > IN_WORD:
        split = [words(text) for text in lower]
        return list(chain.from_iterable(split)), np.array([len(each) for each in split], np.int32)
    blanked = np.where(kind, codes, np.uint32(32)).tobytes().decode("utf-32-le", "surrogatepass")
    last_letters = np.flatnonzero(kind[:-1] > kind[1:])
    ends = np.cumsum(np.fromiter(map(len, lower), np.intp, len(lower)))
    return blanked.split(), np.diff(np.searchsorted(last_letters, ends), prepend=0).astype(np.int32)


@cache
def character_kinds() -> npt.NDArray[np.uint8]:
    """For each character of the first two Unicode planes: 0, `IN_WORD` or `UNSPACED`. Made when first needed: 10 ms."""
    kinds = np.zeros(0x20000, np.uint8)
    for run in re.finditer(r"\w+", "".join(map(chr, range(len(kinds))))):
        kinds[run.start() : run.end()] = IN_WORD
    for first, last in UNSPACED_RANGES:
        kinds[first : last + 1] *= UNSPACED
    return kinds


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
    begins = np.zeros(len(runs), np.bool_)
    begins[starts] = begins[::LONGEST_PIECE] = True
    pieces = np.flatnonzero(begins)
    columns = runs.astype("<u8").view(np.uint8).reshape(-1, 8)
    counters = [np.add.reduceat(_COUNTERS[columns[:, byte]], pieces) for byte in range(8)]
    piece_sums = np.stack(counters, axis=1).view(np.uint8)
    return np.add.reduceat(piece_sums, np.searchsorted(pieces, starts), axis=0, dtype=np.int32)


def _hashes(spoken: Iterable[str]) -> Hashes:
    hashes = np.frombuffer(b"".join(map(_hash_of.__getitem__, spoken)), "<u8")
    if len(_hash_of) > MOST_WORDS:
        _hash_of.clear()
    return hashes.astype(np.uint64, copy=False)


def _hex_keys(sums: Sums, counts: npt.NDArray[np.int32]) -> list[str]:
    """A row of bit sums per text → its key: the bits that more than half of its runs have."""
    keys = np.packbits(2 * sums > counts[:, None], axis=1)
    return [key.tobytes().hex() if count else "" for key, count in zip(keys, counts.tolist(), strict=True)]
