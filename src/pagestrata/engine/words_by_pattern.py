"""The words and marks of a page, by patterns: without a compiler several times as fast as letter by letter.

`_words.pyx` has the same functions for where there is one; `tests/engine/test_measure.py` holds both ways equal. Words
come as buckets, each with the number of what it stands in, and with how many there are.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt

from pagestrata.engine.measure import BUCKETS, LINE_START, NAME_START, STAMP_WORDS

Column = list[int]
Found = tuple[Column, Column, int]
Ints = npt.NDArray[np.int32]

_NAME_EDGE = re.compile(r"[^A-Za-z]+|(?<=[a-z])(?=[A-Z])")
_WORD = re.compile(r"[^\W_]+")
_NUMBER = re.compile(r"[0-9]+")
_TWO_NUMBERS = re.compile(r"[0-9][:./\-h][0-9]")
_SMALL: Final = {letter: letter + 32 for letter in range(ord("A"), ord("Z") + 1)}
_ENDS: Final = frozenset(".!?。！？…")


@lru_cache(maxsize=100_000)
def bucket_of(word: str) -> int:
    """The bucket of a word; capitals of the Latin alphabet are as small letters."""
    key = 1_000_000_007
    for letter in word.translate(_SMALL):
        key = ((key ^ ord(letter)) * 16_777_619) & 1_073_741_823
    return (key ^ (key >> 16)) & 65_535


@lru_cache(maxsize=50_000)
def _buckets_of_name(value: str) -> tuple[int, ...]:
    return tuple(bucket_of(word) for word in _NAME_EDGE.split(value) if 2 < len(word) < 20)


def _gathered(found: Iterable[tuple[int, Sequence[int]]]) -> Found:
    place, bucket = Column(), Column()
    for where, buckets in found:
        place += [where] * len(buckets)
        bucket += buckets
    return place, bucket, len(place)


def name_words(markup: str, attributes: Ints, attribute_end: Ints, is_name: npt.NDArray[np.bool_]) -> Found:
    """The words in the attributes that are names, each with its element.

    Words are runs of three to nineteen Latin letters; a capital after a small letter begins a new one.
    """
    numbers, _, starts, ends = attributes
    wanted = np.flatnonzero(is_name[numbers])
    nodes = np.searchsorted(attribute_end, wanted, side="right").tolist()
    spans = zip(starts[wanted].tolist(), ends[wanted].tolist(), nodes, strict=True)
    return _gathered(
        (node, _buckets_of_name(markup[first : min(last, first + NAME_START)])) for first, last, node in spans
    )


def line_words(text: str, start: Ints, end: Ints, most: int) -> Found:
    """The words at the start of each stretch of the text, each with its stretch."""
    lines = (text[first : min(last, first + most)] for first, last in zip(start.tolist(), end.tolist(), strict=True))
    return _gathered((where, _buckets_of(line)) for where, line in enumerate(lines))


def said_words(texts: Sequence[str], most: int) -> Column:
    """For each bucket, a bit for each of some short texts that has a word of it in so many characters."""
    said = [0] * BUCKETS
    for number, text in enumerate(texts):
        for bucket in _buckets_of(text[:most]):
            said[bucket] |= 1 << number
    return said


def _buckets_of(line: str) -> list[int]:
    return [bucket_of(word) for word in _WORD.findall(line)]


def count_prices(text: str) -> int:
    """How many signs of money there are."""
    return sum([text.count(sign) for sign in "$€£¥"])


def read_marks(text: str, start: Column, end: Column, words: Column, stamped: Column, ended: Column) -> None:
    """Whether each line tells a time (a signature), and ends as a sentence does."""
    for place, (first, last) in enumerate(zip(start, end, strict=True)):
        ended[place] = last > first and text[last - 1] in _ENDS
        line = text[first : min(last, first + LINE_START)]
        numbers = _NUMBER.findall(line)
        if numbers:
            is_time = len(numbers) > 1 and (any(len(each) == 4 for each in numbers) or _TWO_NUMBERS.search(line))
            is_ago = "前" in line or line.find("ago", 1) > 0
            stamped[place] = words[place] <= STAMP_WORDS and bool(is_time or is_ago)


def find_copies(text: str, start: Column, end: Column, first: Column) -> None:
    """For each stretch of the text the first that says the same."""
    known = dict[str, int]()
    for place, (begin, last) in enumerate(zip(start, end, strict=True)):
        first[place] = known.setdefault(text[begin:last], place)
