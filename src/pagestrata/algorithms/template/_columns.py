"""The columns of a structure, in numpy and Python: the reference that `native/_template.pyx` is held equal to."""

import re
from functools import lru_cache
from typing import Final, NamedTuple
from zlib import crc32

import numpy as np
import numpy.typing as npt

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
OTHER, TEXT, MEDIUM, LEFT_OUT = range(4)
ROLE: Final = np.array(
    [
        TEXT if name == "#text" else MEDIUM if name in MEDIA else LEFT_OUT if name in SKIPPED else OTHER
        for name in (*tags.TAGS, "")
    ],
    np.int32,
)
"""What becomes of a node, by the number of its tag; the last entry is for tags without a number."""
_PLAIN_NAME = re.compile(r"[a-z][a-z0-9:_-]*\Z|#text\Z")
_FIRST_NAME = re.compile(r"\s*([A-Za-z_][A-Za-z_-]*)")
_DIGITS = str.maketrans("", "", "0123456789")
LONGEST_NAME: Final = 80
"""As much of a class or id is looked at."""
ODD: Final = "odd"
"""Stands for tags whose names an expression could not hold."""
KNOWN: Final = tuple(name if _PLAIN_NAME.match(name) else ODD for name in tags.TAGS)
BASE: Final = 0x9E3779B97F4A7C15  # odd, so that it has an inverse modulo 2**64
BASE_INVERSE: Final = pow(BASE, -1, 2**64)


class Columns(NamedTuple):
    """One entry per node that counts; see `Structure`."""

    nodes: Places
    tag: list[str]
    parent: list[int]
    name: list[str]
    end: list[int]
    shape: list[int]
    form: list[int]
    content: list[int]
    characters: list[int]


def columns(page: Page) -> Columns:
    """Read the columns off a page."""
    kept = _kept(page)
    table, nodes = page.nodes, np.flatnonzero(kept)
    places = np.cumsum(kept) - 1
    parents = np.where(nodes > 0, places[table.parent[nodes]], -1)
    ends = places[table.end[nodes] - 1] + 1
    parent, tag_of = parents.tolist(), plain_tags(table.names)
    tag = list(map(tag_of.__getitem__, table.tag[nodes].tolist()))
    names = _names(page)
    return Columns(
        nodes=nodes,
        tag=tag,
        parent=parent,
        name=_spread(names, kept, places, len(nodes)),
        end=ends.tolist(),
        shape=shapes(tag, parent),
        form=_forms(page, nodes, parents, ends, tag_of, names),
        content=_contents(page, nodes),
        characters=(table.text_end[nodes] - table.text_start[nodes]).tolist(),
    )


def plain_tags(names: tuple[str, ...]) -> tuple[str, ...]:
    """The tags of a page by number, as an expression can hold them."""
    odd = names[len(tags.TAGS) :]
    return (*KNOWN, *(name if _PLAIN_NAME.match(name) else ODD for name in odd)) if odd else KNOWN


def _kept(page: Page) -> npt.NDArray[np.bool_]:
    """Texts, media, and all elements around them; the root in any case."""
    nodes = page.nodes
    does = ROLE[np.minimum(nodes.tag, len(tags.TAGS))]
    leaf = (does == MEDIUM) | ((does == TEXT) & (nodes.text_end > nodes.text_start))
    for skipped in np.flatnonzero(does == LEFT_OUT).tolist():
        leaf[skipped : nodes.end[skipped]] = False
    before = np.concatenate(([0], np.cumsum(leaf)))
    kept = before[nodes.end] > before[:-1]
    kept[:1] = True
    return kept


def _names(page: Page) -> dict[int, str]:
    """The names of those nodes that have one."""
    found: dict[int, str] = {}
    for attribute, name_of in (("id", id_name), ("class", class_name)):
        names = ((node, name_of(value[:LONGEST_NAME])) for node, value in page.values_of(attribute))
        found.update((node, name) for node, name in names if name)
    return found


def _spread(names: dict[int, str], kept: npt.NDArray[np.bool_], places: Places, count: int) -> list[str]:
    found = [""] * count
    named = np.fromiter(names, np.intp, len(names))
    for place, is_kept, name in zip(places[named].tolist(), kept[named].tolist(), names.values(), strict=True):
        if is_kept:
            found[place] = name
    return found


@lru_cache(maxsize=4096)
def id_name(value: str) -> str:
    """The name that an id gives.

    >>> id_name("main-2")
    '#main-'
    """
    match = _FIRST_NAME.match(value.translate(_DIGITS))
    return f"#{match[1]}" if match else ""


@lru_cache(maxsize=4096)
def class_name(value: str) -> str:
    """The name that a class gives.

    >>> class_name("post wide"), class_name("42")
    ('.post', '')
    """
    match = _FIRST_NAME.match(value.translate(_DIGITS))
    return f".{match[1]}" if match else ""


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


def preorder(kids: list[list[int]]) -> tuple[list[int], list[int]]:
    """The nodes of a tree in document order, from 0 on, and the place of the parent of each in it; -1 for the root."""
    order: list[int] = []
    parents: list[int] = []
    waiting, above = ([0], [-1]) if kids else ([], [])
    while waiting:
        node = waiting.pop()
        parents.append(above.pop())
        if kids[node]:
            waiting += reversed(kids[node])
            above += [len(order)] * len(kids[node])
        order.append(node)
    return order, parents


@lru_cache(maxsize=4096)
def number(text: str) -> int:
    """A tag or name as a number."""
    return (crc32(text.encode()) + 1) * 0xD6E8FEB86659FD93 & (2**64 - 1)


_TAG_NUMBERS = np.array([number(name) for name in KNOWN], np.uint64)


def _forms(
    page: Page, nodes: Places, parents: Places, ends: Places, tag_of: tuple[str, ...], names: dict[int, str]
) -> list[int]:
    """Tags, names and numbers of children in document order fix a tree, so the hash of these is the hash of it."""
    odd = [number(name) for name in tag_of[len(KNOWN) :]]
    numbers = np.concatenate((_TAG_NUMBERS, np.array(odd, np.uint64))) if odd else _TAG_NUMBERS
    name_numbers = np.zeros(len(page.nodes), np.uint64)
    name_numbers[list(names)] = [number(name) for name in names.values()]
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
    both = np.full((2, 2**bits), [[BASE], [BASE_INVERSE]], np.uint64)
    both[:, 0] = 1
    powers, inverse = np.cumprod(both, axis=1, dtype=np.uint64)
    return powers, inverse
