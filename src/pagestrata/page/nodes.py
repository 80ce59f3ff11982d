"""Nodes: parallel arrays in document order, so that a subtree is a range and so is a run of siblings."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pagestrata.page import columns, tags
from pagestrata.page.arrays import Column, Table

Ints = npt.NDArray[np.int32]
"""One number per node, block or attribute."""
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Nodes(Table):
    """The elements and texts of a page. Columns are int32, one entry per node; node 0 is the root element.

    The subtree of `i` is the range `i` to `end[i]`; its text is the span `text_start[i]` to `text_end[i]` of the
    page's text.
    """

    names: tuple[str, ...]
    """Tags by number; the first ones are those of `tags.TAGS`."""

    parent = Column(columns.PARENT)
    """The parent of each node; -1 for the root."""
    end = Column(columns.END)
    """One past the last node of the subtree."""
    depth = Column(columns.DEPTH)
    """The number of ancestors; 0 for the root."""
    tag = Column(columns.TAG)
    """The number of the tag in `names`; 0 for text."""
    text_start = Column(columns.TEXT_START)
    """Where the text of the subtree begins in the page's text."""
    text_end = Column(columns.TEXT_END)
    """Where the text of the subtree ends in the page's text."""
    attribute_start = Column(columns.ATTR_START)
    """The first attribute in the table of attributes."""
    attribute_end = Column(columns.ATTR_END)
    """One past the last attribute."""
    flags = Column(columns.FLAGS)
    """The bits named in `columns`."""
    words = Column(columns.WORDS)
    """The number of words of a text; 0 for elements."""
    container = Column(columns.CONTAINER)
    """The nearest block-level element, itself included."""

    @property
    def hidden_by(self) -> Ints:
        """Why the node is hidden, as a number in `tags.HIDDEN_BY`; 0 if it is visible."""
        return (self.flags & columns.HIDDEN_BITS) >> columns.HIDDEN_SHIFT

    @property
    def is_unseen(self) -> Bools:
        """Whether a browser shows nothing of the node."""
        is_unseen: Bools = columns.IS_UNSEEN.take(self.hidden_by)
        return is_unseen

    @property
    def is_text(self) -> Bools:
        """Whether the node is a text."""
        is_text: Bools = self.tag == tags.TEXT
        return is_text

    def is_one_of(self, numbers: Sequence[int]) -> Bools:
        """Return whether each tag has one of these numbers; a table is much faster than `np.isin`."""
        wanted = np.zeros(len(self.names), np.bool_)
        wanted[np.asarray(numbers, np.intp)] = True
        is_one_of: Bools = wanted.take(self.tag)
        return is_one_of

    @property
    def in_link(self) -> Bools:
        """Whether the node is inside a link."""
        in_link: Bools = (self.flags & columns.IN_LINK) != 0
        return in_link

    @property
    def child_count(self) -> Ints:
        """The number of children, texts included."""
        counts = np.bincount(self.parent[1:], minlength=len(self)) if len(self) else np.zeros(0)
        return counts.astype(np.int32)

    def inside(self, elements: Iterable[int]) -> Bools:
        """Return which nodes are in the subtree of one of these elements."""
        ends = self.end.data
        return cover(len(self), ((node, ends[node]) for node in elements))

    def tag_name(self, node: int) -> str:
        """Return the tag of a node as a word."""
        return self.names[int(self.tag[node])]

    def children(self, node: int) -> Iterator[int]:
        """Yield the children in order."""
        child, ends = node + 1, self.end.data
        while child < ends[node]:
            yield child
            child = ends[child]

    def ancestors(self, node: int) -> Iterator[int]:
        """Yield the parent, its parent, and so on to the root."""
        parents = self.parent.data
        while (node := parents[node]) >= 0:
            yield node


def cover(size: int, ranges: Iterable[tuple[int, int]]) -> Bools:
    """Return which of so many places are in one of the ranges.

    >>> cover(6, [(1, 3), (2, 5)])
    array([False,  True,  True,  True,  True, False])
    """
    edges = np.zeros(size + 1, np.int32)
    for start, end in ranges:
        edges[start] += 1
        edges[end] -= 1
    in_range: Bools = edges[:-1].cumsum() > 0
    return in_range
