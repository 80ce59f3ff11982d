"""What words tell: those in class and id names, those at the start of a line, those of the heading above.

The weights are learned (see `train`), as log odds of being main text over the sites that use a word. They are features
among others: with all names gone the engine works on. A word is known by 16 bits of a hash, so that looking it up is
reading one number.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from pagestrata.engine import measure
from pagestrata.engine.kernel import Column, given, loops, new
from pagestrata.page import tags
from pagestrata.page.page import Page

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int32]

STEPS: Final = 32
"""Weights are whole numbers of 1 / 32."""
_NAMED_BY: Final = tuple(tags.ATTRIBUTE[name] for name in ("class", "id", "role", "itemprop"))
_IS_NAME = np.isin(np.arange(len(tags.ATTRIBUTES)), _NAMED_BY)


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """Words of a page: each as a bucket, with the number of what it stands in, in document order."""

    place: Column
    bucket: Column
    count: int


@dataclass(frozen=True, eq=False)
class Lexicon:
    """Weights of words, one per bucket; 0 says nothing, above 0 speaks for main text."""

    names: Floats
    lines: Floats
    headings: Floats

    @cached_property
    def tables(self) -> tuple[Column, Column, Column]:
        """The weights as the loops want them."""
        return given(self.names), given(self.lines), given(self.headings)

    @classmethod
    def empty(cls) -> "Lexicon":
        """Knows no word."""
        return cls(*np.zeros((3, measure.BUCKETS), np.float32))


def name_words(page: Page) -> Words:
    """The words in the class, id, role and itemprop of each element."""
    numbers, _, starts, ends = page.attributes
    wanted = np.flatnonzero(_IS_NAME[numbers])
    starts, ends = starts[wanted], ends[wanted]
    nodes = np.searchsorted(page.nodes.attribute_end, wanted, side="right").astype(np.int32)
    room = int((np.minimum(ends - starts, measure.NAME_START) // 3 + 1).sum())
    place, bucket = new(room, np.int32), new(room, np.int32)
    count = loops.name_words(page.markup, given(starts), given(ends), given(nodes), place, bucket)
    return Words(place, bucket, count)


def line_words(page: Page) -> Words:
    """The words at the start of each block."""
    return _words_of(page.text, page.blocks.text_start, page.blocks.text_end, measure.LINE_START)


def text_words(text: str, most: int) -> npt.NDArray[np.intp]:
    """The buckets of the words of a short text, of at most so many characters."""
    found = _words_of(text, np.zeros(1, np.int32), np.array([len(text)], np.int32), most)
    return np.asarray(found.bucket[: found.count], np.intp)


def _words_of(text: str, starts: Ints, ends: Ints, most: int) -> Words:
    room = int((np.minimum(ends - starts, most) // 2 + 1).sum())
    place, bucket = new(room, np.int32), new(room, np.int32)
    return Words(place, bucket, loops.line_words(text, given(starts), given(ends), most, place, bucket))
