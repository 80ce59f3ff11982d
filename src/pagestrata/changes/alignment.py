"""Match the entries of two sequences, in linear time (Heckel, Communications of the ACM 21(4), 1978).

Entries that both sequences have exactly once are matched first, wherever they stand; then their neighbours, as long as
these are equal. Other than in the paper, entries that are still left are matched in the order in which they occur, so
that the second of three equal lines has a partner too. Unlike a longest common subsequence, this also finds moves, and
no input makes it slow.
"""

from bisect import bisect_left
from collections import Counter, defaultdict, deque
from collections.abc import Hashable, Sequence
from typing import Final

NO_PARTNER: Final = -1


def align(old: Sequence[Hashable], new: Sequence[Hashable]) -> list[int]:
    """Return for each entry of `new` the place of its partner in `old`, or -1.

    >>> align("abcd", "xacb")
    [-1, 0, 2, 1]
    """
    partners = _unique_partners(old, new)
    free = [True] * len(old)
    for place in partners:
        if place >= 0:
            free[place] = False
    _extend(old, new, partners, free, step=1)
    _extend(old, new, partners, free, step=-1)
    _match_rest(old, new, partners, free)
    return partners


def in_order(partners: Sequence[int]) -> list[int]:
    """Return the places of the most entries that keep their order: a longest increasing subsequence of the partners.

    >>> in_order([3, 0, 1, -1, 2])
    [1, 2, 4]
    """
    tails: list[int] = []  # the smallest partner that ends a sequence of each length
    tail_places: list[int] = []
    before: dict[int, int] = {}
    for place, partner in enumerate(partners):
        if partner < 0:
            continue
        length = bisect_left(tails, partner)
        before[place] = tail_places[length - 1] if length else NO_PARTNER
        tails[length : length + 1] = [partner]
        tail_places[length : length + 1] = [place]
    ordered = []
    place = tail_places[-1] if tail_places else NO_PARTNER
    while place >= 0:
        ordered.append(place)
        place = before[place]
    return ordered[::-1]


def _unique_partners(old: Sequence[Hashable], new: Sequence[Hashable]) -> list[int]:
    old_counts, new_counts = Counter(old), Counter(new)
    unique = {entry: place for place, entry in enumerate(old) if old_counts[entry] == 1 == new_counts[entry]}
    return [unique.get(entry, NO_PARTNER) for entry in new]


def _extend(old: Sequence[Hashable], new: Sequence[Hashable], partners: list[int], free: list[bool], step: int) -> None:
    """Match equal neighbours of matched entries; both ends of the sequences count as matched."""
    places = range(len(new)) if step > 0 else range(len(new) - 1, -1, -1)
    candidate = 0 if step > 0 else len(old) - 1  # the place in `old` beside the partner of the entry before
    for place in places:
        if partners[place] < 0 and 0 <= candidate < len(old) and free[candidate] and old[candidate] == new[place]:
            partners[place] = candidate
            free[candidate] = False
        candidate = partners[place] + step if partners[place] >= 0 else NO_PARTNER


def _match_rest(old: Sequence[Hashable], new: Sequence[Hashable], partners: list[int], free: list[bool]) -> None:
    """Match equal entries that are left in the order in which they occur."""
    left = defaultdict[Hashable, deque[int]](deque)
    for place, entry in enumerate(old):
        if free[place]:
            left[entry].append(place)
    for place, entry in enumerate(new):
        if partners[place] < 0 and left.get(entry):
            partners[place] = left[entry].popleft()
