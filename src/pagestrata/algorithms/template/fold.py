"""Folding siblings: runs of alike ones become `*`, a medley of a few kinds becomes `(p|h2|ul)*`."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from pagestrata.algorithms.template.structure import Structure, similarity

ALIKE: Final = 0.5
"""Siblings of one tag are of one kind from this similarity of shapes on: two of four tags in tags are shared."""
LONGEST_PERIOD: Final = 8
HEAVY: Final = 0.4
"""What holds more of the page's text than this, in blocks of its own, is no item of a list but a part of the page."""
KINDS: Final = 8
"""As many kinds of one tag are told apart among the children of one node."""
REPEATING: Final = frozenset("p li tr td th dt dd option h2 h3 h4 h5 h6".split())
"""Tags that two of make a list already; others take three, since `div div` may be anything."""

RUN, MEDLEY, SINGLE = "run", "medley", "single"


class Item(NamedTuple):
    """Neighbouring children that are one item of their parent's sequence."""

    children: Sequence[int]
    sort: str = SINGLE
    period: int = 1


def fold(structure: Structure, children: list[int]) -> list[Item]:
    """The children of a node as a shorter sequence."""
    if len(children) < 2:
        return [Item(children)] if children else []
    if len(children) == len({structure.tag[child] for child in children}):
        return [Item((child,)) for child in children]
    kinds = _kinds(structure, children)
    if len(children) == len(set(kinds)):
        return [Item((child,)) for child in children]
    spans = _runs(structure, children, kinds)
    spans = _medleys(structure, children, kinds, spans)
    return [Item(children[start:end], sort, period) for start, end, sort, period in spans]


Span = tuple[int, int, str, int]


def _kinds(structure: Structure, children: list[int]) -> list[int]:
    """Number the kinds among the children: one tag, and shapes alike to the first of the kind."""
    known: dict[tuple[str, int], int] = {}
    firsts: dict[str, list[tuple[int, int]]] = {}
    heavy = HEAVY * structure.characters[0]
    found, count = [], 0
    for child in children:
        tag, shape = structure.tag[child], structure.shape[child]
        if shape and structure.characters[child] > heavy:
            count += 1
            found.append(count)
            continue
        kind = known.get((tag, shape))
        if kind is None:
            kind = _nearest(firsts.setdefault(tag, []), shape)
            if kind is None:
                count += 1
                kind = count
                firsts[tag].append((shape, kind))
            known[tag, shape] = kind
        found.append(kind)
    return found


def _nearest(firsts: list[tuple[int, int]], shape: int) -> int | None:
    if not firsts:
        return None
    alike, kind = max((similarity(shape, other), -kind) for other, kind in firsts)
    return -kind if alike >= ALIKE or len(firsts) >= KINDS else None


def _runs(structure: Structure, children: list[int], kinds: list[int]) -> list[Span]:
    """Fold what repeats with a period of 1 to 8; the period that covers most wins, the shorter of equals."""
    spans: list[Span] = []
    start, count = 0, len(kinds)
    while start < count:
        best, best_period = 0, 0
        for period in range(1, min(LONGEST_PERIOD, (count - start) // 2) + 1):
            end = start + period
            while end < count and kinds[end] == kinds[end - period]:
                end += 1
            times = (end - start) // period
            if times * period > best and (
                times > 2 or (times == 2 and _is_twice_a_list(structure, children, start, period))
            ):
                best, best_period = times * period, period
            if end == count:
                break
        spans.append((start, start + best, RUN, best_period) if best else (start, start + 1, SINGLE, 1))
        start += best or 1
    return spans


def _is_twice_a_list(structure: Structure, children: list[int], start: int, period: int) -> bool:
    """Whether what comes twice is a list, since there is little doubt; else it must come three times."""
    once, again = children[start : start + period], children[start + period : start + 2 * period]
    if any(structure.shape[child] for child in once):
        return [structure.form[child] for child in once] == [structure.form[child] for child in again]
    return period > 1 or structure.tag[once[0]] in REPEATING


def _medleys(structure: Structure, children: list[int], kinds: list[int], spans: list[Span]) -> list[Span]:
    """Join everything from the first to the last of the kinds that come again and again between others."""
    places: dict[int, list[int]] = {}
    for place, (start, end, _, period) in enumerate(spans):
        for kind in dict.fromkeys(kinds[start : min(end, start + period)]):
            places.setdefault(kind, []).append(place)
    tag_of = dict(zip(kinds, (structure.tag[child] for child in children), strict=True))
    again = [found for kind, found in places.items() if len(found) >= (2 if tag_of[kind] in REPEATING else 3)]
    if not again:
        return spans
    first, last = min(found[0] for found in again), max(found[-1] for found in again)
    inside = set(kinds[spans[first][0] : spans[last][1]])
    while first and inside.issuperset(kinds[spans[first - 1][0] : spans[first - 1][1]]):
        first -= 1
    while last + 1 < len(spans) and inside.issuperset(kinds[spans[last + 1][0] : spans[last + 1][1]]):
        last += 1
    return [*spans[:first], (spans[first][0], spans[last][1], MEDLEY, 1), *spans[last + 1 :]]
