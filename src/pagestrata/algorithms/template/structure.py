"""What of a page a template is about: the texts and images, and the elements around them, with their signatures.

Scripts, styles, the head, line breaks and elements without any content are left out: they vary without meaning. What is
left gets numbers of its own, in document order. All columns are lists, since they are read one entry at a time.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Final
from zlib import crc32

import numpy as np
import numpy.typing as npt

from pagestrata.page import tags
from pagestrata.page.page import Page

Numbers = npt.NDArray[np.uint64]

MEDIA: Final = tuple(tags.TAG[name] for name in "img video audio embed object".split())
"""What is content without any text."""
LINES: Final = frozenset("p li h1 h2 h3 h4 h5 h6 td th tr dt dd option label figcaption caption summary a".split())
"""What holds a line or a run of lines: links inside of it say nothing about its structure."""
INLINE: Final = frozenset(
    name for name, does in zip(tags.TAGS, tags.BEHAVIOUR, strict=True) if not does & tags.BLOCK and name != "img"
)
_SKIPPED = tuple(i for i, does in enumerate(tags.BEHAVIOUR) if does & tags.SILENT) + (tags.TAG["noscript"],)
_PLAIN_NAME = re.compile(r"[a-z][a-z0-9:_-]*\Z|#text\Z")
_FIRST_NAME = re.compile(r"\s*([A-Za-z_][A-Za-z_-]*)")
_DIGITS = str.maketrans("", "", "0123456789")
_BASE = 0x9E3779B97F4A7C15  # odd, so that it has an inverse modulo 2**64
_BASE_INVERSE = pow(_BASE, -1, 2**64)


@dataclass(frozen=True, slots=True, eq=False)
class Structure:
    """The content of a page and the elements around it; node 0 is the root element."""

    nodes: npt.NDArray[np.intp]
    """Their numbers in the page."""
    tag: list[str]
    parent: list[int]
    name: list[str]
    """First word of class or else id, without digits, with its sign: `.post`, `#main`, or nothing."""
    end: list[int]
    children: list[list[int]]
    shape: list[int]
    """Which tags stand in which below a node, as 64 bits: alike for nodes that look alike."""
    form: list[int]
    """A hash of tags, names and tree of the whole subtree: equal for equal structure."""
    content: list[int]
    """A hash of the text of the whole subtree, 0 for none: equal for equal text."""
    characters: list[int]

    def __len__(self) -> int:
        return len(self.tag)

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
    return crc32(f"/{tag}".encode(), above)


def structure_of(page: Page) -> Structure:
    """What of a page a template is about."""
    kept = _kept(page)
    columns = page.nodes
    places = np.cumsum(kept) - 1
    nodes = np.flatnonzero(kept)
    parent = np.where(nodes > 0, places[columns.parent[nodes]], -1) if len(nodes) else nodes
    end = np.append(places, len(nodes) - 1)[columns.end[nodes] - 1] + 1
    tag = _tags(page, nodes)
    name = _names(page, nodes, places)
    parents, ends = parent.tolist(), end.tolist()
    children: list[list[int]] = [[] for _ in tag]
    for node in range(1, len(tag)):
        children[parents[node]].append(node)
    return Structure(
        nodes,
        tag,
        parents,
        name,
        ends,
        children,
        shapes(tag, parents),
        _forms(tag, name, [len(below) for below in children], end),
        _contents(page, nodes),
        (columns.text_end[nodes] - columns.text_start[nodes]).tolist(),
    )


def _kept(page: Page) -> npt.NDArray[np.bool_]:
    """Texts, media, and all elements around them; the root in any case."""
    nodes = page.nodes
    leaf = (nodes.tag == tags.TEXT) & (nodes.text_end > nodes.text_start) | np.isin(nodes.tag, MEDIA)
    for skipped in np.flatnonzero(np.isin(nodes.tag, _SKIPPED)).tolist():
        leaf[skipped : nodes.end[skipped]] = False
    before = np.concatenate(([0], np.cumsum(leaf)))
    kept = before[nodes.end] > before[:-1]
    kept[:1] = True
    return kept


def _tags(page: Page, nodes: npt.NDArray[np.intp]) -> list[str]:
    names = [name if _PLAIN_NAME.match(name) else "odd" for name in page.nodes.names]
    return [names[number] for number in page.nodes.tag[nodes].tolist()]


def _names(page: Page, nodes: npt.NDArray[np.intp], places: npt.NDArray[np.intp]) -> list[str]:
    found = [""] * len(page.nodes)
    for attribute, sign in (("id", "#"), ("class", ".")):  # a class is the better name, so it comes last
        for node, value in page.values_of(attribute):
            match = _FIRST_NAME.match(value[:80].translate(_DIGITS))
            if match:
                found[node] = sign + match[1]
    return [found[node] for node in nodes.tolist()]


@cache
def shape_bit(parent: str, tag: str) -> int:
    """The bit for an element inside another; 0 for what is formatting only."""
    if tag in INLINE and (tag != "a" or parent in LINES or parent in INLINE):
        return 0
    return 1 << (crc32(f"{parent}>{tag}".encode()) & 63)


def shapes(tag: list[str], parent: list[int], counts: Callable[[int], bool] | None = None) -> list[int]:
    """The shape of each node of a tree in document order; nodes that do not count leave no trace."""
    found = [0] * len(tag)
    for node in range(len(tag) - 1, 0, -1):
        above = parent[node]
        if counts is None or counts(node):
            found[above] |= found[node] | shape_bit(tag[above], tag[node])
    return found


def similarity(a: int, b: int) -> float:
    """How much of two shapes is the same: (shared + 1) / (all + 1).

    >>> similarity(0b111, 0b011), similarity(0, 0)
    (0.75, 1.0)
    """
    return 1.0 if a == b else ((a & b).bit_count() + 1) / ((a | b).bit_count() + 1)


def containment(a: int, b: int) -> float:
    """How much of the smaller shape is in the larger: (shared + 1) / (smaller + 1).

    >>> containment(0b111, 0b011), containment(0b110, 0b001)
    (1.0, 0.5)
    """
    return ((a & b).bit_count() + 1) / (min(a.bit_count(), b.bit_count()) + 1)


@cache
def _number(text: str) -> int:
    return (crc32(text.encode()) + 1) * 0xD6E8FEB86659FD93 & (2**64 - 1)


def _forms(tag: list[str], name: list[str], arity: list[int], end: npt.NDArray[np.intp]) -> list[int]:
    """Tags, names and numbers of children in document order fix a tree, so their sum of products is its hash."""
    labels = [_number(tag + name) for tag, name in zip(tag, name, strict=True)]
    values = np.array(labels, np.uint64) * (np.array(arity, np.uint64) * np.uint64(2) + np.uint64(1))
    return _spans(values, np.arange(len(tag)), end)


def _contents(page: Page, nodes: npt.NDArray[np.intp]) -> list[int]:
    points = np.frombuffer(page.text.encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.uint64)
    return _spans(points, page.nodes.text_start[nodes], page.nodes.text_end[nodes])


def _spans(values: Numbers, start: npt.NDArray[np.intp], end: npt.NDArray[np.intp]) -> list[int]:
    """A hash of each span of values, from one running sum; 52 bits, so that JSON readers can hold it. 0 if empty."""
    with np.errstate(over="ignore"):
        sums = np.concatenate((np.zeros(1, np.uint64), np.cumsum(values * _powers(_BASE, len(values)))))
        hashes = (sums[end] - sums[start]) * _powers(_BASE_INVERSE, len(values) + 1)[start]
        hashes = (hashes ^ (hashes >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
        found: list[int] = np.where(end > start, (hashes >> np.uint64(12)) | np.uint64(1), np.uint64(0)).tolist()
    return found


def _powers(base: int, count: int) -> Numbers:
    powers = np.full(count, base, np.uint64)
    powers[:1] = 1
    return np.cumprod(powers, dtype=np.uint64)
