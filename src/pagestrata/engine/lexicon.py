"""What words tell: those in class and id names, those at the start of a line, those of the heading above.

The weights are learned (see `train`), as log odds of being main text over the sites that use a word. They are features
among others: with all names gone the engine works on. A word is known by 16 bits of a hash, so that looking it up is
reading one number.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise
from typing import Final

import numpy as np
import numpy.typing as npt

from pagestrata.engine import measure
from pagestrata.engine.kernel import Column, given, loops, new
from pagestrata.page import tags
from pagestrata.page.page import Page

Weights = npt.NDArray[np.int8]
Ints = npt.NDArray[np.int32]

STEPS: Final = round(1 / measure.STEP)
"""Weights are whole numbers of one over this."""
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
    """Weights of words in steps, one per bucket; 0 says nothing, above 0 speaks for main text.

    A byte each: they are read here and there in no order, and should stay near the processor.
    """

    names: Weights
    lines: Weights
    headings: Weights

    @cached_property
    def tables(self) -> tuple[Column, Column, Column]:
        """The weights as the loops want them."""
        return given(self.names), given(self.lines), given(self.headings)

    @classmethod
    def empty(cls) -> "Lexicon":
        """Knows no word."""
        return cls(*np.zeros((3, measure.BUCKETS), np.int8))


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


def text_words(texts: Sequence[str], most: int) -> list[npt.NDArray[np.intp]]:
    """For each of some short texts the buckets of its words, of at most so many characters."""
    edges = np.array([0, *accumulate(map(len, texts))], np.int32)
    found = _words_of("".join(texts), edges[:-1], edges[1:], most)
    place, bucket = (np.asarray(column[: found.count], np.intp) for column in (found.place, found.bucket))
    places = np.searchsorted(place, np.arange(len(texts) + 1)).tolist()
    return [bucket[start:end] for start, end in pairwise(places)]


def _words_of(text: str, starts: Ints, ends: Ints, most: int) -> Words:
    room = int((np.minimum(ends - starts, most) // 2 + 1).sum())
    place, bucket = new(room, np.int32), new(room, np.int32)
    return Words(place, bucket, loops.line_words(text, given(starts), given(ends), most, place, bucket))
