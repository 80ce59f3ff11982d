"""Compare the kept text of two versions of a page, sentence by sentence.

Markup, layout and what is not kept do not count; with the model of the site, neither does text that recurs on it. A
sentence that both versions have is *same*, or *moved* if it does not stand in the same order; a sentence that is like
one in the same place of the other version is *changed*; all others are *added* or *removed*. A sentence that is kept of
one version only, but stands word for word in what is left out of the other, is no change of the page.
"""

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from itertools import pairwise
from typing import Any, Final

from pagestrata.changes.alignment import align, in_order
from pagestrata.changes.passages import Passage, passages_of
from pagestrata.extraction import Extraction
from pagestrata.page.text import shortened, words

SCHEMA_VERSION: Final = 1
"""Of `PageDiff.as_dict`."""
MIN_LIKENESS: Final = 0.5
"""The share of equal words from which two sentences in one place are versions of the same one."""
LOOKAHEAD: Final = 8
"""The number of added sentences that each removed one is compared with."""


class ChangeKind(StrEnum):
    """The kind of a change."""

    SAME = "same"
    ADDED = "added"
    REMOVED = "removed"
    MOVED = "moved"
    CHANGED = "changed"


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of words of a changed passage: same, added or removed."""

    kind: ChangeKind
    text: str


@dataclass(frozen=True, slots=True)
class Change:
    """A passage, in one version or in both."""

    kind: ChangeKind
    old: Passage | None
    """None if it was added."""
    new: Passage | None
    """None if it was removed."""
    pieces: tuple[Piece, ...] = ()
    """For changed passages: their words in order, the removed ones before those that replace them."""


@dataclass(frozen=True, slots=True)
class PageDiff:
    """The passages of two versions of a page, in the order of the new one."""

    old_title: str | None
    new_title: str | None
    passages: tuple[Change, ...]
    """All kept text: same, added, removed, moved and changed. What was removed stands where it was."""

    def __repr__(self) -> str:
        kinds = Counter(each.kind for each in self.passages)
        counts = ", ".join(f"{kinds[kind]} {kind}" for kind in ChangeKind if kinds[kind])
        return f"<PageDiff {shortened(self.new_title or '')!r}: {counts or 'no text'}>"

    @property
    def changes(self) -> tuple[Change, ...]:
        """The passages that are not the same."""
        return tuple(each for each in self.passages if each.kind is not ChangeKind.SAME)

    @property
    def is_same(self) -> bool:
        """Whether both versions have the same title and the same text in the same order."""
        return self.old_title == self.new_title and not self.changes

    @property
    def title_pieces(self) -> tuple[Piece, ...]:
        """The words of the title, the removed ones before those that replace them; empty if it is the same."""
        if self.old_title == self.new_title:
            return ()
        return tuple(_pieces(self.old_title or "", self.new_title or ""))

    @property
    def word_counts(self) -> dict[ChangeKind, int]:
        """The number of words that are same, added, removed and moved."""
        counts: dict[ChangeKind, int] = dict.fromkeys(
            (kind for kind in ChangeKind if kind is not ChangeKind.CHANGED), 0
        )
        for each in self.passages:
            for piece in each.pieces or (_as_piece(each),):
                counts[piece.kind] += len(words(piece.text))
        return counts

    def as_dict(self) -> dict[str, Any]:
        """Return titles, word counts and changes as plain data; passages that are the same are left out."""
        return {
            "schema_version": SCHEMA_VERSION,
            "old_title": self.old_title,
            "new_title": self.new_title,
            "words": {kind.value: count for kind, count in self.word_counts.items()},
            "changes": [asdict(each) for each in self.changes],
        }


def compare(old: Extraction, new: Extraction) -> PageDiff:
    """Compare the kept content of two versions of a page."""
    matching = _match(passages_of(old), passages_of(new))
    matching = matching.without_known(passages_of(old, kept=False), passages_of(new, kept=False))
    return PageDiff(old.title, new.title, tuple(_joined(_changes(matching), old, new)))


@dataclass(frozen=True, slots=True)
class _Matching:
    """Which passages of two versions belong together."""

    old: Sequence[Passage]
    new: Sequence[Passage]
    origins: dict[int, tuple[ChangeKind, int]]
    """For places in `new`: what happened to the passage, and its place in `old`; added ones are left out."""
    removed: Sequence[int]
    """The places in `old` that belong to no passage of `new`, ascending."""
    known: Mapping[str, Passage] = field(default_factory=dict)
    """The passages that are left out of the old version, by their text."""

    def without_known(self, old_left_out: Sequence[Passage], new_left_out: Sequence[Passage]) -> "_Matching":
        """Return the matching without removed passages that stand in what is left out of the new version."""
        known_later = {passage.text for passage in new_left_out}
        removed = [place for place in self.removed if self.old[place].text not in known_later]
        return replace(self, removed=removed, known={passage.text: passage for passage in old_left_out})


def _match(old: Sequence[Passage], new: Sequence[Passage]) -> _Matching:
    partners = align([passage.text for passage in old], [passage.text for passage in new])
    fixed = in_order(partners)
    origins = {place: (ChangeKind.MOVED, partner) for place, partner in enumerate(partners) if partner >= 0}
    origins |= {place: (ChangeKind.SAME, partners[place]) for place in fixed}
    left = {*range(len(old))} - {*partners}
    edges = [(-1, -1), *((partners[place], place) for place in fixed), (len(old), len(new))]
    for (old_start, new_start), (old_end, new_end) in pairwise(edges):
        gone = [place for place in range(old_start + 1, old_end) if place in left]
        come = [place for place in range(new_start + 1, new_end) if place not in origins]
        if _letters(old, gone) == _letters(new, come):  # the same text, cut into lines in another way
            origins |= {place: (ChangeKind.SAME, gone[min(at, len(gone) - 1)]) for at, place in enumerate(come)}
            left.difference_update(gone)
        else:
            pairs = _pairs(old, new, gone, come)
            origins |= {place: (ChangeKind.CHANGED, origin) for place, origin in pairs}
            left.difference_update(origin for _, origin in pairs)
    return _Matching(old, new, origins, sorted(left))


def _letters(passages: Sequence[Passage], places: Sequence[int]) -> str:
    return "".join(passages[place].text.replace(" ", "") for place in places)


def _pairs(
    old: Sequence[Passage], new: Sequence[Passage], gone: Sequence[int], come: Sequence[int]
) -> list[tuple[int, int]]:
    """Return pairs of a place in `new` and one in `old` whose passages are versions of the same one, in order."""
    pairs: list[tuple[int, int]] = []
    first = 0
    for origin in gone:
        before = words(old[origin].text)
        candidates = range(first, min(first + LOOKAHEAD, len(come)))
        likeness = {at: _likeness(before, words(new[come[at]].text)) for at in candidates}
        best = max(candidates, key=lambda at: likeness[at], default=None)
        if best is not None and likeness[best] >= MIN_LIKENESS:
            pairs.append((come[best], origin))
            first = best + 1
    return pairs


def _likeness(old: Sequence[str], new: Sequence[str]) -> float:
    """Return the share of words that two sentences have in common, in the same order."""
    return 2 * len(in_order(align(old, new))) / (len(old) + len(new))


def _changes(matching: _Matching) -> Iterator[Change]:
    """Yield the passages in the order of the new version; removed ones stand before the next that kept its order."""
    removed = deque(matching.removed)
    for place, passage in enumerate(matching.new):
        if place not in matching.origins:
            before = matching.known.get(passage.text)
            yield Change(ChangeKind.SAME if before else ChangeKind.ADDED, before, passage)
            continue
        kind, origin = matching.origins[place]
        while kind is not ChangeKind.MOVED and removed and removed[0] < origin:
            yield Change(ChangeKind.REMOVED, matching.old[removed.popleft()], None)
        before = matching.old[origin]
        pieces = tuple(_pieces(before.text, passage.text)) if kind is ChangeKind.CHANGED else ()
        yield Change(kind, before, passage, pieces)
    yield from (Change(ChangeKind.REMOVED, matching.old[place], None) for place in removed)


def _pieces(old: str, new: str) -> Iterator[Piece]:
    """Yield the words of two versions of a sentence as runs that are same, removed or added."""
    old_words, new_words = old.split(), new.split()
    partners = align(old_words, new_words)
    old_place = new_place = 0
    same: list[str] = []
    for place in [*in_order(partners), len(new_words)]:
        partner = partners[place] if place < len(new_words) else len(old_words)
        gap = (ChangeKind.REMOVED, old_words[old_place:partner]), (ChangeKind.ADDED, new_words[new_place:place])
        if same and (gap[0][1] or gap[1][1] or place == len(new_words)):
            yield Piece(ChangeKind.SAME, " ".join(same))
            same = []
        yield from (Piece(kind, " ".join(run)) for kind, run in gap if run)
        same += new_words[place : place + 1]
        old_place, new_place = partner + 1, place + 1


def _joined(changes: Iterable[Change], old: Extraction, new: Extraction) -> Iterator[Change]:
    """Join sentences that follow each other in a paragraph and to which the same happened."""
    last: Change | None = None
    for change in changes:
        if last is None:
            last = change
        elif (
            change.kind is last.kind is not ChangeKind.CHANGED
            and _follow(old, last.old, change.old)
            and _follow(new, last.new, change.new)
        ):
            last = replace(last, old=_join(old, last.old, change.old), new=_join(new, last.new, change.new))
        else:
            yield last
            last = change
    if last is not None:
        yield last


def _follow(extraction: Extraction, one: Passage | None, other: Passage | None) -> bool:
    """Return whether two passages of one version stand side by side in one block; true if there are none."""
    if one is None or other is None:
        return one is other
    between = extraction.page.text[one.end : other.start]
    return one.block == other.block and one.end <= other.start and not between.strip()


def _join(extraction: Extraction, one: Passage | None, other: Passage | None) -> Passage | None:
    return one and other and one.joined(extraction.page, other)


def _as_piece(change: Change) -> Piece:
    passage = change.new or change.old
    return Piece(change.kind, passage.text if passage else "")
