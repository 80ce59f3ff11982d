"""What chunks are made of: Markdown blocks, written, measured, and cut into smaller ones where they are too long.

Between blocks a chunk may end anywhere. A list is cut between its items, a table between its rows (each piece with the
header), code between its lines, and a paragraph between its sentences; none of them unless it alone is too long.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from pagestrata.page import text
from pagestrata.page.page import Page
from pagestrata.render.md_blocks import Block, Code, Heading, Item, List, Note, Paragraph, Quote, Table
from pagestrata.render.md_write import write_blocks

Measure = Callable[[str], int]
"""How long a piece of Markdown is."""

_TARGET = re.compile(r"(?<=\])\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?: \"[^\n]*?\")?\)")
_SENTENCE_END: Final = re.compile(r"(?<=[.!?…:;])[\"'”’)*_]*\s+|(?<=[。！？；])")
_BLANK: Final = re.compile(r"\s+")
_UNBROKEN: Final = re.compile(r"`[^`\n]*`|!?\[[^\]\n]*\]\([^)\n]*\)|\$[^$\n]*\$")
"""Pieces of a line that are not cut: code, links and images, formulas."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A piece of Markdown between which chunks may be cut."""

    markdown: str
    size: int
    """At least 1, so that the number of units in a chunk is limited too."""
    words: int
    """As `count_words` counts them."""
    level: int = 0
    """The level of a heading, 0 for all others."""
    heading: str = ""
    """The text of a heading."""
    is_prose: bool = False
    """Whether it can be cut between sentences."""


def count_words(markdown: str) -> int:
    """Count the words that a reader sees, so without the targets of links.

    >>> count_words("## [Mud](https://mud.example/a) and *eels*")
    3
    """
    return len(text.words(_TARGET.sub("", markdown) if "](" in markdown else markdown))


def units_of(page: Page, blocks: Iterable[Block | Note], largest: int, measure: Measure) -> Iterator[Unit]:
    """Write blocks as units, cut to at most the largest size where possible."""
    for block in blocks:
        unit = _unit(page, block, measure)
        yield from [unit] if unit.size <= largest else _smaller(page, block, unit, largest, measure)


def _unit(page: Page, block: Block | Note, measure: Measure) -> Unit:
    markdown = "\n".join(write_blocks(page, [block]))
    if isinstance(block, Heading):
        return new_unit(markdown, measure, block.level, "".join(run.gap + run.text for run in block.line).strip())
    return new_unit(markdown, measure, is_prose=isinstance(block, Paragraph))


def new_unit(markdown: str, measure: Measure, level: int = 0, heading: str = "", is_prose: bool = False) -> Unit:
    """Measure a piece of Markdown."""
    words = count_words(markdown)
    size = words if measure is count_words else measure(markdown)
    return Unit(markdown, max(1, size), words, level, heading, is_prose)


def _smaller(page: Page, block: Block | Note, unit: Unit, largest: int, measure: Measure) -> Iterator[Unit]:
    """Cut a block that is too long into units."""
    pieces = list(_pieces(block))
    if len(pieces) < 2:
        yield from sentence_units(unit, largest, measure) if unit.is_prose else [unit]
        return
    sizes = [measure("\n".join(write_blocks(page, [piece]))) for piece in pieces]
    for first, last in pack(sizes, largest):
        joined = _join(pieces[first:last])
        whole = _unit(page, joined, measure)
        if last - first == 1 and whole.size > largest and isinstance(joined, List | Quote):
            yield from units_of(page, _children(joined), largest, measure)
        else:
            yield whole


def _pieces(block: Block | Note) -> Iterator[Block]:
    """Yield a block in the smallest pieces that are blocks of its kind."""
    match block:
        case List():
            yield from (replace(block, items=[item]) for item in block.items)
        case Quote():
            yield from (Quote([child]) for child in block.children)
        case Code():
            yield from (replace(block, text=line) for line in block.text.split("\n"))
        case Table():
            rows = (row for row in block.rows[1:] if any(cell.lines for cell in row))
            yield from (Table([block.rows[0], row], [block.in_head[0], False]) for row in rows)


def _join(pieces: Sequence[Block]) -> Block:
    """Return one block for pieces of one block that follow each other."""
    first = pieces[0]
    match first:
        case List():
            return replace(first, items=[item for piece in pieces if isinstance(piece, List) for item in piece.items])
        case Quote():
            return Quote([child for piece in pieces if isinstance(piece, Quote) for child in piece.children])
        case Code():
            return replace(first, text="\n".join(piece.text for piece in pieces if isinstance(piece, Code)))
        case Table():
            rows = [row for piece in pieces if isinstance(piece, Table) for row in piece.rows[1:]]
            return Table([first.rows[0], *rows], [first.in_head[0], *[False] * len(rows)])
    return first


def _children(block: List | Quote) -> Iterator[Block]:
    """Yield the blocks inside an item or quote that is too long; the first block of an item keeps its marker."""
    if isinstance(block, Quote):
        yield from block.children
    elif block.items:
        (item,) = block.items
        yield replace(block, items=[Item(item.number, item.children[:1])]) if item.children[1:] else item.children[0]
        yield from item.children[1:]


def pack(sizes: Sequence[int], largest: int) -> Iterator[tuple[int, int]]:
    """Yield ranges of pieces that together are not too long and of about equal size.

    >>> list(pack([4, 4, 4, 4, 1], 10))
    [(0, 2), (2, 5)]
    """
    total = sum(sizes)
    target = total / max(1, -(-total // max(1, largest)))
    first, size = 0, 0
    for place, each in enumerate(sizes):
        if place > first and (size + each > largest or size + each / 2 > target):
            yield first, place
            first, size = place, 0
        size += each
    yield first, len(sizes)


def sentence_units(unit: Unit, largest: int, measure: Measure) -> Iterator[Unit]:
    """Cut a paragraph between its sentences, and a sentence that is too long between its words."""
    sentences = [
        piece
        for sentence in _cut(unit.markdown, _SENTENCE_END)
        for piece in ([sentence] if measure(sentence) <= largest else _cut(sentence, _BLANK))
    ]
    sizes = [measure(sentence) for sentence in sentences]
    for first, last in pack(sizes, largest):
        markdown = "".join(sentences[first:last]).strip()
        if markdown:
            yield new_unit(markdown, measure, is_prose=True)


def _cut(markdown: str, pattern: re.Pattern[str]) -> list[str]:
    """Cut a text after each match of a pattern outside code, links and formulas."""
    unbroken = [match.span() for match in _UNBROKEN.finditer(markdown)]
    edges, place = [0], 0
    for match in pattern.finditer(markdown):
        while place < len(unbroken) and unbroken[place][1] <= match.start():
            place += 1
        if place == len(unbroken) or match.end() <= unbroken[place][0]:
            edges.append(match.end())
    return [markdown[start:end] for start, end in pairwise([*edges, len(markdown)]) if start < end]
