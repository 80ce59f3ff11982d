"""What of a page a template is about: the texts and images, and the elements around them, with their signatures.

Scripts, styles, the head, line breaks and elements without any content are left out: they vary without meaning. What is
left gets numbers of its own, in document order. All columns are lists, since they are read one entry at a time.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from zlib import crc32

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
    """Which tags stand in which below a node, as 64 bits: alike for nodes that look alike."""
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

    def paths(self) -> Callable[[int], int]:
        """A function from a node to a hash of the tags above it and its own; it remembers those it was asked for."""
        known = {-1: 0}

        def path(node: int) -> int:
            way = []
            while node not in known:
                way.append(node)
                node = self.parent[node]
            for step in reversed(way):
                known[step] = path_hash(known[self.parent[step]], self.tag[step])
            return known[way[0] if way else node]

        return path


def path_hash(above: int, tag: str) -> int:
    """The hash of a path from that of the path above and the last tag; 0 is the hash of no path."""
    return crc32(_step(tag), above)


@lru_cache(maxsize=1024)
def _step(tag: str) -> bytes:
    return f"/{tag}".encode()
