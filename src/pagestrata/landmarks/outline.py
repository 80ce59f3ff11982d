"""The outline that headings form: the heading above each block, and the scope of each heading."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from pagestrata.page.nodes import Ints


@dataclass(frozen=True, eq=False)
class Outline:
    """The headings of a page as a tree; int32, one entry per block. `native.landmarks.find_outline` has the rules."""

    level: Ints
    """1 to 6 in a heading, 7 for a line that was taken for one, 0 for all others."""
    heading: Ints
    """The innermost heading above the block, as a block; for a heading it is the heading itself; -1 for none."""
    above: Ints
    """For a heading, the heading above it; -1 for none, and for blocks that are not headings."""
    scope_end: Ints
    """For a heading, one past the last block in its scope; 0 for all others."""

    @cached_property
    def headings(self) -> npt.NDArray[np.intp]:
        """The blocks that are headings, in document order; further lines of a heading are not among them."""
        return np.flatnonzero(self.heading == np.arange(len(self.heading)))

    def path(self, block: int) -> tuple[int, ...]:
        """Return the headings above a block, the outermost first; a heading is the last of its own path."""
        return tuple(self._upwards(block))[::-1]

    def _upwards(self, block: int) -> Iterator[int]:
        heading = int(self.heading[block])
        while heading >= 0:
            yield heading
            heading = int(self.above[heading])
