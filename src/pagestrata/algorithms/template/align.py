"""Aligning what a page has with what a template expects, in order."""

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

MOST_CELLS: Final = 20_000
"""Longer pairs of sequences are aligned from left to right, without looking ahead."""


def align(scores: Sequence[Sequence[float]], repeats: Sequence[bool]) -> list[int]:
    """Pair page items with template items in order, so that the scores add up to the most.

    `scores` has a row per template item and a column per page item, 0 where they do not fit. A template item that
    repeats may take many page items. Gives the template item of each page item, or -1; of equal pairings the
    leftmost.

    >>> align([[1, 1, 0, 0], [0, 0, 1, 0]], [True, False])
    [0, 0, 1, -1]
    """
    width = len(scores[0]) if scores else 0
    if width == 1:
        worths = [row[0] for row in scores]
        return [worths.index(max(worths)) if max(worths) > 0 else -1]
    table = [[0.0] * (width + 1)]
    for row, repeat in zip(scores, repeats, strict=True):
        above, here, best = table[-1], [0.0], 0.0
        for column, score in enumerate(row):
            best = max(best, above[column + 1])
            if score > 0:
                before = max(above[column], here[column]) if repeat else above[column]
                best = max(best, before + score)
            here.append(best)
        table.append(here)
    return _trace(table, scores, repeats)


def _trace(table: list[list[float]], scores: Sequence[Sequence[float]], repeats: Sequence[bool]) -> list[int]:
    i, j = len(scores), len(table[0]) - 1
    pairs = [-1] * j
    while i and j:
        if table[i][j] == table[i][j - 1]:
            j -= 1
        elif table[i][j] == table[i - 1][j]:
            i -= 1
        else:
            pairs[j - 1] = i - 1
            score = scores[i - 1][j - 1]
            stays = repeats[i - 1] and table[i][j] == table[i][j - 1] + score
            j -= 1
            if not stays:
                i -= 1
    return pairs


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
