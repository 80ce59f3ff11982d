"""Chunks: the kept content in pieces of about one size, cut at headings first, then between blocks.

1. The kept leaves become segments, each the text under one heading, or a post.
2. A segment that is too long is cut between its blocks into pieces of about the same size.
3. Small neighbours are joined: first those that stand together under the innermost heading, last all others.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import takewhile
from typing import Final, NamedTuple
from urllib.parse import quote

from pagestrata.errors import UsageError
from pagestrata.extraction import Extraction
from pagestrata.page.anchors import anchor_of
from pagestrata.render.chunk_units import Measure, Unit, count_words, pack, sentence_units, units_of
from pagestrata.render.md_blocks import Block, Note
from pagestrata.render.md_build import blocks_by_range
from pagestrata.results import Chunk, ItemKind, Role, Section

_IN_FRAGMENT: Final = "!$&'()*+,;=:@/?"
"""What may stand in the fragment of an address as it is, beside letters and digits (RFC 3986)."""


@dataclass(frozen=True, eq=False)
class _Piece:
    """Units that stay together, with the leaves that they are from."""

    units: tuple[Unit, ...]
    leaves: tuple[Section, ...]
    path: tuple[str, ...]
    """The headings above all of it."""
    repeated: tuple[Unit, ...] = ()
    """The end of the piece before, where a segment was cut."""

    @cached_property
    def size(self) -> int:
        return sum(unit.size for unit in self.units)

    @cached_property
    def role(self) -> Role:
        """The role of its leaves; the title may be one of them, with a picture or the first byline below it."""
        roles = (leaf.role for leaf in self.leaves)
        return next((role for role in roles if role is not Role.TITLE), Role.TITLE)


class _Placed(NamedTuple):
    """A unit, its leaf, and the headings above it."""

    unit: Unit
    leaf: Section
    path: tuple[str, ...]


def chunks_of(
    extraction: Extraction,
    max_words: int,
    min_words: int | None = None,
    overlap: int = 0,
    count_tokens: Measure | None = None,
) -> list[Chunk]:
    """Cut the kept content of a page into chunks; see `Extraction.chunks`."""
    smallest = max_words // 2 if min_words is None else min_words
    if not 0 <= smallest <= max_words or not 0 <= overlap < max_words:
        raise UsageError(f"chunks of {smallest} to {max_words} words with an overlap of {overlap} cannot be made")
    measure = count_tokens or count_words
    pieces = [
        piece
        for segment in _segments(extraction, max_words - overlap, measure)
        for piece in _cut(segment, max_words - overlap, overlap, measure)
    ]
    for depth in range(max((len(piece.path) for piece in pieces), default=-1), -1, -1):
        pieces = _joined(pieces, smallest, max_words, depth)
    title = extraction.title or "" if pieces else ""
    return [_chunk(extraction, title, piece, count_tokens) for piece in pieces]


# ------------------------------------------------------------------------------------------------------------- segments


def _segments(extraction: Extraction, largest: int, measure: Measure) -> Iterator[_Piece]:
    """Yield the text under each heading, and each post."""
    run: list[_Placed] = []
    for placed in _placed_units(extraction, largest, measure):
        if run and not _continues(run[-1], placed):
            yield _piece(run)
            run = []
        run.append(placed)
    if run:
        yield _piece(run)


def _placed_units(extraction: Extraction, largest: int, measure: Measure) -> Iterator[_Placed]:
    """Yield all units with the leaf and the headings that they are from; in a leaf, further headings may follow."""
    for leaf, blocks in _kept_leaves(extraction):
        path = leaf.heading_path if blocks else ()
        opened: list[Unit] = []
        is_own = leaf.level > 0
        for unit in units_of(extraction.page, blocks, largest, measure):
            if unit.level and not is_own:
                opened = [each for each in opened if each.level < unit.level] + [unit]
            yield _Placed(unit, leaf, (*path, *(each.heading for each in opened)))
            is_own = False


def _kept_leaves(extraction: Extraction) -> Iterator[tuple[Section, list[Block | Note]]]:
    """Yield the kept leaves with their blocks.

    The line with author and time is written where a post begins: the first kept leaf of a post reaches back to there.
    """
    leaves = extraction.segmentation.kept_leaves
    starts: list[int] = []
    for leaf in leaves:
        start = leaf.node_start if leaf.item is None else min(leaf.node_start, leaf.item.start)
        starts.append(start if not starts or start > starts[-1] else leaf.node_start)
    if leaves:
        yield from zip(leaves, blocks_by_range(extraction, starts), strict=True)


def _continues(last: _Placed, following: _Placed) -> bool:
    """Whether a unit belongs to the same segment as the one before it: the same heading, and no other post."""
    same_leaf = last.leaf.item == following.leaf.item and last.leaf.role is following.leaf.role
    return same_leaf and last.path == following.path and not following.unit.level


def _piece(run: Sequence[_Placed]) -> _Piece:
    leaves = {placed.leaf.node_start: placed.leaf for placed in run}
    return _Piece(tuple(placed.unit for placed in run), tuple(leaves.values()), run[-1].path)


def _cut(segment: _Piece, largest: int, overlap: int, measure: Measure) -> Iterator[_Piece]:
    """Cut a segment that is too long into pieces of about the same size; a heading stays with what follows it."""
    if segment.size <= largest:
        yield segment
        return
    units = list(segment.units)
    head = 1 if units[0].level and len(units) > 1 else 0
    sizes = [sum(unit.size for unit in units[: head + 1]), *(unit.size for unit in units[head + 1 :])]
    repeated: tuple[Unit, ...] = ()
    for first, last in pack(sizes, largest):
        part = tuple(units[first + head if first else 0 : last + head])
        yield replace(segment, units=part, repeated=repeated)
        repeated = _tail(part, overlap, measure)


def _tail(units: Sequence[Unit], overlap: int, measure: Measure) -> tuple[Unit, ...]:
    """Return the last units, and sentences of the one before them, of up to so many words."""
    tail: list[Unit] = []
    for unit in reversed(units):
        if unit.size > overlap:
            sentences = list(sentence_units(unit, 1, measure)) if unit.is_prose and overlap else []
            tail[:0] = _fitting(sentences, overlap)
            break
        tail.insert(0, unit)
        overlap -= unit.size
    return tuple(tail)


def _fitting(sentences: Sequence[Unit], overlap: int) -> list[Unit]:
    """Return the last words of a paragraph as one unit, as many as fit."""
    words: list[Unit] = []
    for unit in reversed(sentences):
        overlap -= unit.size
        if overlap < 0:
            break
        words.insert(0, unit)
    markdown, size = " ".join(unit.markdown for unit in words), sum(unit.size for unit in words)
    return [Unit(markdown, size, count_words(markdown))] if words else []


# ------------------------------------------------------------------------------------------------------------- joining


def _joined(pieces: Sequence[_Piece], smallest: int, largest: int, depth: int) -> list[_Piece]:
    """Join neighbours under the same headings, so many of them, if one is too small and both are not too long."""
    joined: list[_Piece] = []
    for piece in pieces:
        if joined and _may_join(joined[-1], piece, smallest, largest, depth):
            last = joined[-1]
            path = _common(last.path, piece.path)
            joined[-1] = _Piece(last.units + piece.units, last.leaves + piece.leaves, path, last.repeated)
        else:
            joined.append(piece)
    return joined


def _may_join(one: _Piece, other: _Piece, smallest: int, largest: int, depth: int) -> bool:
    """Whether two pieces may be one: comments and main text are kept apart, what stands beside the title is not."""
    is_small = min(one.size, other.size) < smallest and one.size + other.size <= largest
    roles = {one.role, other.role} - {Role.TITLE}
    return is_small and len(roles) < 2 and len(_common(one.path, other.path)) >= depth


def _common(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    pairs = takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))
    return tuple(heading for heading, _ in pairs)


# -------------------------------------------------------------------------------------------------------------- chunks


def _chunk(extraction: Extraction, title: str, piece: _Piece, count_tokens: Measure | None) -> Chunk:
    units = (*piece.repeated, *piece.units)
    markdown = "\n\n".join(unit.markdown for unit in units) + "\n"
    items = {leaf.item for leaf in piece.leaves}
    item = items.pop() if len(items) == 1 else None
    sizes = [leaf.words + 1 for leaf in piece.leaves]
    total = sum(size * leaf.importance for size, leaf in zip(sizes, piece.leaves, strict=True))
    return Chunk(
        markdown=markdown,
        words=sum(unit.words for unit in units),  # none reaches over an empty line
        tokens=count_tokens(markdown) if count_tokens else None,
        title=title,
        heading_path=piece.path,
        url=_address(extraction, piece.leaves[0]),
        role=piece.role,
        importance=round(total / sum(sizes), 4),
        author=item.author if item else None,
        time=item.time if item else None,
        xpath=piece.leaves[0].xpath,
    )


def _address(extraction: Extraction, leaf: Section) -> str | None:
    """Return the address of the place on the page: of the post, or of the nearest heading that has an anchor."""
    page = extraction.page
    if leaf.item is not None and leaf.item.kind is ItemKind.POST and leaf.item.link:
        return leaf.item.link
    blocks = leaf.outline.path(leaf.block_start) if leaf.has_blocks else ()
    anchors = (anchor_of(page, int(page.blocks.container[block])) for block in reversed(blocks))
    anchor = next((anchor for anchor in anchors if anchor), None)
    address = (page.url or extraction.stated_address or "").partition("#")[0]
    return (f"{address}#{quote(anchor, _IN_FRAGMENT)}" if anchor else address) or None
