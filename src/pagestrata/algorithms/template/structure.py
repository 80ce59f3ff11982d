"""What of a page a template is about: the texts and images, and the elements around them, with their signatures.

Scripts, styles, the head, line breaks and elements without any content are left out: they vary without meaning. What is
left gets numbers of its own, in document order. All columns are lists, since they are read one entry at a time.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Final
from zlib import crc32

import numpy as np
import numpy.typing as npt

from pagestrata.algorithms.template.features import features_of
from pagestrata.page import tags
from pagestrata.page.page import Page

Numbers = npt.NDArray[np.uint64]
Places = npt.NDArray[np.intp]

MEDIA: Final = frozenset("img video audio embed object".split())
"""What is content without any text."""
SKIPPED: Final = frozenset(
    name for name, does in zip(tags.TAGS, tags.BEHAVIOUR, strict=True) if does & tags.SILENT or name == "noscript"
)
"""What is no content whatever is in it."""
LINES: Final = frozenset("p li h1 h2 h3 h4 h5 h6 td th tr dt dd option label figcaption caption summary a".split())
"""What holds a line or a run of lines: links inside of it say nothing about its structure."""
INLINE: Final = frozenset(
    name for name, does in zip(tags.TAGS, tags.BEHAVIOUR, strict=True) if not does & tags.BLOCK and name != "img"
)
_OTHER, _TEXT, _MEDIUM, _SKIPPED = range(4)
_ROLE = np.array(
    [
        _TEXT if name == "#text" else _MEDIUM if name in MEDIA else _SKIPPED if name in SKIPPED else _OTHER
        for name in (*tags.TAGS, "")
    ]
)
"""What becomes of a node, by the number of its tag; the last entry is for tags without a number."""
_PLAIN_NAME = re.compile(r"[a-z][a-z0-9:_-]*\Z|#text\Z")
_FIRST_NAME = re.compile(r"\s*([A-Za-z_][A-Za-z_-]*)")
_DIGITS = str.maketrans("", "", "0123456789")
ODD: Final = "odd"
"""Stands for tags whose names an expression could not hold."""
_KNOWN = tuple(name if _PLAIN_NAME.match(name) else ODD for name in tags.TAGS)
_BASE = 0x9E3779B97F4A7C15  # odd, so that it has an inverse modulo 2**64
_BASE_INVERSE = pow(_BASE, -1, 2**64)


@dataclass(frozen=True, eq=False)
class Structure:
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

    @cached_property
    def leaves(self) -> list[tuple[int, tuple[str, ...]]]:
        """The leaves, each with its features."""
        return features_of(self)

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
    return crc32(f"/{tag}".encode(), above)


def structure_of(page: Page) -> Structure:
    """What of a page a template is about."""
    kept = _kept(page)
    columns, nodes = page.nodes, np.flatnonzero(kept)
    places = np.cumsum(kept) - 1
    parents = np.where(nodes > 0, places[columns.parent[nodes]], -1)
    ends = places[columns.end[nodes] - 1] + 1
    numbers, parent = columns.tag[nodes], parents.tolist()
    tag_of = [name if _PLAIN_NAME.match(name) else ODD for name in columns.names[len(tags.TAGS) :]]
    tag = list(map((*_KNOWN, *tag_of).__getitem__, numbers.tolist()))
    names = _names(page)
    return Structure(
        page=page,
        nodes=nodes,
        tag=tag,
        parent=parent,
        name=_spread(names, kept, places, len(nodes)),
        end=ends.tolist(),
        shape=shapes(tag, parent),
        form=_forms(page, nodes, parents, ends, tag_of, names),
        content=_contents(page, nodes),
        characters=(columns.text_end[nodes] - columns.text_start[nodes]).tolist(),
    )


def _kept(page: Page) -> npt.NDArray[np.bool_]:
    """Texts, media, and all elements around them; the root in any case."""
    nodes = page.nodes
    does = _ROLE[np.minimum(nodes.tag, len(tags.TAGS))]
    leaf = (does == _MEDIUM) | ((does == _TEXT) & (nodes.text_end > nodes.text_start))
    for skipped in np.flatnonzero(does == _SKIPPED).tolist():
        leaf[skipped : nodes.end[skipped]] = False
    before = np.concatenate(([0], np.cumsum(leaf)))
    kept = before[nodes.end] > before[:-1]
    kept[:1] = True
    return kept


def _names(page: Page) -> dict[int, str]:
    """The names of those nodes that have one."""
    found = {node: f"#{name}" for node, value in page.values_of("id") if (name := _first_name(value[:80]))}
    found.update((node, f".{name}") for node, value in page.values_of("class") if (name := _first_name(value[:80])))
    return found


def _spread(names: dict[int, str], kept: npt.NDArray[np.bool_], places: Places, count: int) -> list[str]:
    found = [""] * count
    named = np.fromiter(names, np.intp, len(names))
    for place, is_kept, name in zip(places[named].tolist(), kept[named].tolist(), names.values(), strict=True):
        if is_kept:
            found[place] = name
    return found


@lru_cache(maxsize=4096)
def _first_name(value: str) -> str:
    match = _FIRST_NAME.match(value.translate(_DIGITS))
    return match[1] if match else ""


@lru_cache(maxsize=65_536)
def shape_bit(parent: str, tag: str) -> int:
    """The bit for an element inside another; 0 for what is formatting only."""
    if tag in INLINE and (tag != "a" or parent in LINES or parent in INLINE):
        return 0
    return 1 << (crc32(f"{parent}>{tag}".encode()) & 63)


def shapes(tag: list[str], parent: list[int]) -> list[int]:
    """The shape of each node of a tree in document order."""
    found = [0] * len(tag)
    for node in range(len(tag) - 1, 0, -1):
        above = parent[node]
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


@lru_cache(maxsize=4096)
def _number(text: str) -> int:
    return (crc32(text.encode()) + 1) * 0xD6E8FEB86659FD93 & (2**64 - 1)


_TAG_NUMBERS = np.array([_number(name) for name in _KNOWN], np.uint64)


def _forms(
    page: Page, nodes: Places, parents: Places, ends: Places, odd_tags: list[str], names: dict[int, str]
) -> list[int]:
    """Tags, names and numbers of children in document order fix a tree, so the hash of these is the hash of it."""
    numbers = np.concatenate((_TAG_NUMBERS, np.array([_number(name) for name in odd_tags], np.uint64)))
    name_numbers = np.zeros(len(page.nodes), np.uint64)
    name_numbers[list(names)] = [_number(name) for name in names.values()]
    arity = np.bincount(parents[1:], minlength=len(nodes)).astype(np.uint64)
    with np.errstate(over="ignore"):
        labels = numbers[page.nodes.tag[nodes]] + name_numbers[nodes]
        values = labels * (arity * np.uint64(2) + np.uint64(1))
    return _spans(values, np.arange(len(nodes)), ends)


def _contents(page: Page, nodes: Places) -> list[int]:
    points = np.frombuffer(page.text.encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.uint64)
    starts, ends = page.nodes.text_start[nodes], page.nodes.text_end[nodes]
    return _spans(points, starts.astype(np.intp), ends.astype(np.intp))


def _spans(values: Numbers, start: Places, end: Places) -> list[int]:
    """A hash of each span of values, from one running sum; 52 bits, so that JSON readers can hold it. 0 if empty."""
    powers, inverse = _powers(len(values) + 1)
    with np.errstate(over="ignore"):
        sums = np.concatenate((np.zeros(1, np.uint64), np.cumsum(values * powers[: len(values)])))
        hashes = (sums[end] - sums[start]) * inverse[start]
        hashes = (hashes ^ (hashes >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
    found: list[int] = np.where(end > start, (hashes >> np.uint64(12)) | np.uint64(1), np.uint64(0)).tolist()
    return found


def _powers(count: int) -> tuple[Numbers, Numbers]:
    """At least so many powers of the base and of its inverse."""
    return _powers_up_to(count.bit_length())


@lru_cache(maxsize=4)
def _powers_up_to(bits: int) -> tuple[Numbers, Numbers]:
    both = np.full((2, 2**bits), [[_BASE], [_BASE_INVERSE]], np.uint64)
    both[:, 0] = 1
    powers, inverse = np.cumprod(both, axis=1, dtype=np.uint64)
    return powers, inverse
