"""Aligning what a page has with what a template expects, in order, where tags decide; `loops.align` does the rest."""

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

MOST_CELLS: Final = 20_000
"""Longer pairs of sequences are aligned from left to right, without looking ahead."""
FILLED_FIRST: Final = {"": 0.05, "?": 0.02, "*": 0.0}
"""Worth by operator: of two equal places the one that must be filled is filled first, and a list takes what is left."""
FITS_FROM: Final = 0.4
"""Likeness from which two of several elements with one tag may be the same place: a fifth of the shape shared."""


def align_greedily(takes: Mapping[str, Sequence[int]], repeats: Sequence[bool], tags: Sequence[str]) -> list[int]:
    """Pair each page item with the next template item that takes its tag; for sequences too long to compare in full.

    >>> align_greedily({"a": [0], "b": [1]}, [True, False], ["a", "a", "b", "a"])
    [0, 0, 1, -1]
    """
    pairs, reached = [], 0
    for tag in tags:
        places = takes.get(tag, ())
        place = bisect_left(places, reached)
        if place == len(places):
            pairs.append(-1)
            continue
        item = places[place]
        pairs.append(item)
        reached = item if repeats[item] else item + 1
    return pairs


def forced(takes: Mapping[str, Sequence[int]], repeats: Sequence[bool], tags: Sequence[str]) -> list[int] | None:
    """The pairs when tags leave no choice: each is taken by one item at most, and they come in order; else None.

    >>> forced({"a": [0], "b": [1]}, [True, False], ["a", "a", "b", "c"])
    [0, 0, 1, -1]
    >>> forced({"a": [0, 1]}, [False, False], ["a"])
    """
    reached, pairs = -1, []
    for tag in tags:
        places = takes.get(tag)
        if places is None:
            pairs.append(-1)
            continue
        place = places[0]
        if len(places) > 1 or place < reached or (place == reached and not repeats[place]):
            return None
        pairs.append(place)
        reached = place
    return pairs


def takers(tags: Iterable[Iterable[str]]) -> dict[str, list[int]]:
    """For each tag the items that take it, from the tags that each item takes.

    >>> takers([["a"], ["a", "b"]])
    {'a': [0, 1], 'b': [1]}
    """
    takes: dict[str, list[int]] = {}
    for place, item in enumerate(tags):
        for tag in dict.fromkeys(item):
            takes.setdefault(tag, []).append(place)
    return takes
