"""Fold siblings: runs of similar ones become `*`, mixtures of a few kinds become `(p|h2|ul)*`."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from pagestrata.algorithms.template.structure import Structure, similarity

ALIKE: Final = 0.5
"""Siblings of one tag are of one kind from this similarity of shapes on: two of four nested tags are shared."""
MAX_PERIOD: Final = 8
MAX_ITEM_SHARE: Final = 0.4
"""An element with child elements and a larger share of the page's text is a part of the page, not an item of a list."""
MAX_KINDS: Final = 8
"""The limit on kinds of one tag among the children of one node."""
REPEATING: Final = frozenset("p li tr td th dt dd option h2 h3 h4 h5 h6".split())
"""Tags of which two form a list; others need three, since `div div` may be anything."""

RUN, MEDLEY, SINGLE = "run", "medley", "single"


class Item(NamedTuple):
    """Neighbouring children that are one item of their parent's sequence."""

    children: Sequence[int]
    sort: str = SINGLE
    period: int = 1


def fold(structure: Structure, children: list[int]) -> list[Item]:
    """Return the children of a node as a shorter sequence."""
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
    """Number the kinds of the children: those of one kind have the same tag and shapes similar to the first."""
    kind_of_shape: dict[tuple[str, int], int] = {}
    firsts: dict[str, list[tuple[int, int]]] = {}
    max_characters = MAX_ITEM_SHARE * structure.characters[0]
    kinds, count = [], 0
    for child in children:
        tag, shape = structure.tag[child], structure.shape[child]
        if shape and structure.characters[child] > max_characters:
            count += 1
            kinds.append(count)
            continue
        kind = kind_of_shape.get((tag, shape))
        if kind is None:
            kind = _nearest(firsts.setdefault(tag, []), shape)
            if kind is None:
                count += 1
                kind = count
                firsts[tag].append((shape, kind))
            kind_of_shape[tag, shape] = kind
        kinds.append(kind)
    return kinds


def _nearest(firsts: list[tuple[int, int]], shape: int) -> int | None:
    if not firsts:
        return None
    alike, kind = max((similarity(shape, other), -kind) for other, kind in firsts)
    return -kind if alike >= ALIKE or len(firsts) >= MAX_KINDS else None


def _runs(structure: Structure, children: list[int], kinds: list[int]) -> list[Span]:
    """Fold what repeats with a period of 1 to 8; the period that covers most wins, the shorter of equals."""
    spans: list[Span] = []
    start, count = 0, len(kinds)
    while start < count:
        best, best_period = 0, 0
        for period in range(1, min(MAX_PERIOD, (count - start) // 2) + 1):
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
    """Return whether a period that occurs only twice is a list; in doubtful cases it must occur three times."""
    first, second = children[start : start + period], children[start + period : start + 2 * period]
    if any(structure.shape[child] for child in first):
        return [structure.form[child] for child in first] == [structure.form[child] for child in second]
    return period > 1 or structure.tag[first[0]] in REPEATING


def _medleys(structure: Structure, children: list[int], kinds: list[int], spans: list[Span]) -> list[Span]:
    """Join everything from the first to the last item of the kinds that repeat between others."""
    places: dict[int, list[int]] = {}
    for place, (start, end, _, period) in enumerate(spans):
        for kind in dict.fromkeys(kinds[start : min(end, start + period)]):
            places.setdefault(kind, []).append(place)
    tag_of = dict(zip(kinds, (structure.tag[child] for child in children), strict=True))
    repeated = [
        kind_places
        for kind, kind_places in places.items()
        if len(kind_places) >= (2 if tag_of[kind] in REPEATING else 3)
    ]
    if not repeated:
        return spans
    first, last = min(kind_places[0] for kind_places in repeated), max(kind_places[-1] for kind_places in repeated)
    inside = set(kinds[spans[first][0] : spans[last][1]])
    while first and inside.issuperset(kinds[spans[first - 1][0] : spans[first - 1][1]]):
        first -= 1
    while last + 1 < len(spans) and inside.issuperset(kinds[spans[last + 1][0] : spans[last + 1][1]]):
        last += 1
    return [*spans[:first], (spans[first][0], spans[last][1], MEDLEY, 1), *spans[last + 1 :]]
