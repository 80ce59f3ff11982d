"""Learned weights of words: in class and id names, at the start of lines, and in the heading above.

The weights are learned (see `train`), as log odds of being main text over the sites that use a word. They are features
among others: with all names gone the engine works on. A word is known by 16 bits of a hash, so that looking it up is
reading one number.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from pagestrata.native.arrays import Column, as_column
from pagestrata.native.features import STEP
from pagestrata.native.words import BUCKETS

Weights = npt.NDArray[np.int8]

STEPS: Final = round(1 / STEP)
"""Weights are whole numbers of one over this."""


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
        """Return a lexicon without words."""
        return cls(*np.zeros((3, BUCKETS), np.int8))
