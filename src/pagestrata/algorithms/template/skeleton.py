"""The skeleton of a page, which a template describes: texts, images and the elements around them, with signatures.

Scripts, styles, the head, line breaks and elements without any content are left out: they vary without meaning. What is
left gets numbers of its own, in document order. All columns are lists, since they are read one entry at a time.
"""

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from pagestrata.page.page import Page

Places = npt.NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Skeleton:
    """The content of a page and the elements around it; node 0 is the root element."""

    page: Page = field(repr=False)
    nodes: Places
    """Their numbers in the page."""
    tag: list[str]
    parent: list[int]
    name: list[str]
    """First word of class or else id, without digits, with its sign: `.post`, `#main`, or nothing."""
    end: list[int]
    shape: list[int]
    """The pairs "tag inside tag" below a node, as 64 bits: similar for similar nodes."""
    form: list[int]
    """A hash of tags, names and tree of the whole subtree: equal for equal structure."""
    content: list[int]
    """A hash of the text of the whole subtree, 0 for none: equal for equal text."""
    characters: list[int]

    def __len__(self) -> int:
        return len(self.tag)

    def children(self, node: int) -> list[int]:
        """The children of a node."""
        end, child, last, found = self.end, node + 1, self.end[node], []
        while child < last:
            found.append(child)
            child = end[child]
        return found
