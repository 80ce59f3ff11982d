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

from pagestrata.native import kernel
from pagestrata.native.arrays import Column, as_column
from pagestrata.native.features import STEP
from pagestrata.native.words import BUCKETS, LINE_START
from pagestrata.page import tags
from pagestrata.page.page import Page

_words = kernel("words")

Weights = npt.NDArray[np.int8]

STEPS: Final = round(1 / STEP)
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
        return as_column(self.names), as_column(self.lines), as_column(self.headings)

    @classmethod
    def empty(cls) -> "Lexicon":
        """Knows no word."""
        return cls(*np.zeros((3, BUCKETS), np.int8))


def name_words(page: Page) -> Words:
    """The words in the class, id, role and itemprop of each element."""
    return Words(*_words.name_words(page.markup, page.attributes, page.nodes.attribute_end, _IS_NAME))


def line_words(page: Page) -> Words:
    """The words at the start of each block."""
    blocks = page.blocks
    return Words(*_words.line_words(page.text, blocks.text_start, blocks.text_end, LINE_START))
