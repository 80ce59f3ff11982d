"""Differences for the inspector: another extractor on the same page, and another version of the page.

*Lost* is what only the first of two keeps, *extra* what only the second keeps, as in `pagestrata compare`.
"""

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from pagestrata.changes.compare import Change, ChangeKind, PageDiff, Piece, compare
from pagestrata.evaluate.differences import compare_texts
from pagestrata.evaluate.metrics import tokens
from pagestrata.evaluate.peers import load_text
from pagestrata.extraction import Extraction
from pagestrata.page.raw import RawPage

_KINDS: Final = {ChangeKind.REMOVED: "lost", ChangeKind.ADDED: "extra"}


class WordCounts(msgspec.Struct, frozen=True):
    """How many words both keep, and how many only one of the two."""

    same: int
    lost: int
    extra: int


class PeerDifference(msgspec.Struct, frozen=True):
    """The text of another extractor, held against ours."""

    name: str
    agreement: float
    """Word F1."""
    words: WordCounts
    lost: list[int]
    """Numbers of blocks."""
    extra: list[int]


class ChangedPassage(msgspec.Struct, frozen=True):
    """A passage of two versions of a page."""

    kind: str
    """`same`, `lost`, `extra`, `moved`, `changed`, or `title` for a title that changed."""
    text: str
    block: int
    """Its block in the first version; -1 if it is only in the second."""
    other_block: int
    pieces: list[tuple[str, str]]
    """For changed passages and titles: the kinds and words of their parts."""


class VersionDifference(msgspec.Struct, frozen=True):
    """What changed between two versions of a page."""

    agreement: float
    words: WordCounts
    passages: list[ChangedPassage]


def peer_difference(extraction: Extraction, raw: RawPage, name: str) -> PeerDifference:
    """Run another extractor on the page, and compare what it keeps."""
    found = compare_texts(extraction.page, extraction.text, name, load_text(name)(raw.markup))
    lost, extra = found.words_of("lost"), found.words_of("extra")
    return PeerDifference(
        name,
        found.agreement,
        WordCounts(max(0, len(tokens(extraction.text)) - lost), lost, extra),
        [each.place for each in found.differences if each.kind == "lost"],
        [each.place for each in found.differences if each.kind == "extra"],
    )


def version_difference(first: Extraction, second: Extraction) -> VersionDifference:
    """Compare what is kept of two versions of a page."""
    found = compare(first, second)
    counts = found.word_counts
    same = counts[ChangeKind.SAME] + counts[ChangeKind.MOVED]
    words = WordCounts(same, counts[ChangeKind.REMOVED], counts[ChangeKind.ADDED])
    total = 2 * same + words.lost + words.extra
    passages = [_passage(each) for each in found.passages]
    return VersionDifference(2 * same / total if total else 1.0, words, [*_title(found), *passages])


def _title(found: PageDiff) -> Iterator[ChangedPassage]:
    """Yield the title if it changed: it is in no passage."""
    if found.title_pieces:
        yield ChangedPassage("title", found.new_title or "", -1, -1, _named(found.title_pieces))


def _passage(change: Change) -> ChangedPassage:
    shown = change.new or change.old
    return ChangedPassage(
        _KINDS.get(change.kind, change.kind.value),
        shown.text if shown else "",
        change.old.block if change.old else -1,
        change.new.block if change.new else -1,
        _named(change.pieces),
    )


def _named(pieces: Sequence[Piece]) -> list[tuple[str, str]]:
    """Return the kinds and words of pieces, in the terms of the inspector."""
    return [(_KINDS.get(piece.kind, piece.kind.value), piece.text) for piece in pieces]
