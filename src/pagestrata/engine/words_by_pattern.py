"""The words and marks of `measure`, by patterns: without a compiler several times as fast as letter by letter.

The same places, buckets and marks come out; `tests/engine/test_measure.py` holds both ways equal.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from pagestrata.engine.measure import LINE_START, NAME_START, STAMP_WORDS

Column = list[int]

_NAME_EDGE = re.compile(r"[^A-Za-z]+|(?<=[a-z])(?=[A-Z])")
_WORD = re.compile(r"[^\W_]+")
_NUMBER = re.compile(r"[0-9]+")
_TWO_NUMBERS = re.compile(r"[0-9][:./\-h][0-9]")
_PRICE = re.compile(r"[$€£¥]")
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


def _fill(found: Iterable[tuple[int, Sequence[int]]], place: Column, bucket: Column) -> int:
    size = 0
    for where, buckets in found:
        last = size + len(buckets)
        place[size:last] = [where] * len(buckets)
        bucket[size:last] = buckets
        size = last
    return size


def name_words(markup: str, start: Column, end: Column, node: Column, place: Column, bucket: Column) -> int:
    """The words in class and id names; see `measure.name_words`."""
    spans = zip(start, end, node, strict=True)
    found = ((where, _buckets_of_name(markup[first : min(last, first + NAME_START)])) for first, last, where in spans)
    return _fill(found, place, bucket)


def line_words(text: str, start: Column, end: Column, most: int, place: Column, bucket: Column) -> int:
    """The words at the start of each stretch of the text; see `measure.line_words`."""
    lines = (text[first : min(last, first + most)] for first, last in zip(start, end, strict=True))
    found = ((where, [bucket_of(word) for word in _WORD.findall(line)]) for where, line in enumerate(lines))
    return _fill(found, place, bucket)


def read_marks(
    text: str, start: Column, end: Column, words: Column, stamped: Column, priced: Column, ended: Column
) -> None:
    """Whether each line tells a time, has a price, ends as a sentence does; see `measure.read_marks`."""
    for place, (first, last) in enumerate(zip(start, end, strict=True)):
        ended[place] = last > first and text[last - 1] in _ENDS
        line = text[first : min(last, first + LINE_START)]
        numbers = _NUMBER.findall(line)
        if numbers:
            is_time = len(numbers) > 1 and (any(len(each) == 4 for each in numbers) or _TWO_NUMBERS.search(line))
            is_ago = "前" in line or line.find("ago", 1) > 0
            stamped[place] = words[place] <= STAMP_WORDS and bool(is_time or is_ago)
            priced[place] = bool(_PRICE.search(line))
