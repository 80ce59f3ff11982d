"""What the sections of a page are for: roles, and the items that a thread or listing is made of."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from pagestrata.algorithms.base import Part
from pagestrata.engine.items import find_items
from pagestrata.engine.parts import Judgement
from pagestrata.engine.prose import running_sum
from pagestrata.engine.roles import RoleReader, RoleVerdict
from pagestrata.page.page import Page
from pagestrata.results import Item, Role

MOST_ITEMS: Final = 10_000
"""Items that are sections of their own. A list of more stays one section: each has a path, reasons and signals, and of
70,000 links in 4 MB these made 108 MB of JSON."""


def with_purposes(page: Page, parts: Sequence[Part], judged: Judgement) -> list[Part]:
    """The parts with their roles, and the items among them as parts of their own; what is kept stays what it is."""
    kept = judged.importance >= judged.keep_from
    reader = RoleReader(page, kept, judged.comments, judged.noise if judged.noise.any() else None)
    starts, ends = np.array([(part.start, part.end) for part in parts], np.intp).reshape(-1, 2).T
    told = reader.roles(starts, ends) if len(parts) else []
    known = [_with_role(part, each, judged.keep_from) for part, each in zip(parts, told, strict=True)]
    items = find_items(page, kept)
    if len(items) > MOST_ITEMS:
        return list(_saying_how_many(known, items))
    return [*known, *_item_parts(page, known, items, judged)]


def _saying_how_many(parts: Sequence[Part], items: Sequence[Item]) -> Iterator[Part]:
    """The parts, of which those with too many items say so."""
    starts = [item.start for item in items]
    for part in parts:
        count = bisect_left(starts, part.end) - bisect_left(starts, part.start)
        said = f"{count:,} items; not cut apart, as the page has more than {MOST_ITEMS:,}"
        yield replace(part, reasons=(*part.reasons, said)) if count else part


def _with_role(part: Part, told: RoleVerdict, keep_from: float) -> Part:
    """A part with its role; what the site says of it goes before."""
    is_kept, role = part.importance >= keep_from, told.role
    if part.role is Role.RELATED:
        return part
    if role is Role.TITLE or (role is Role.COMMENTS and is_kept) or (role is Role.MAIN) != is_kept:
        return replace(part, role=None)  # main if it is kept, else other
    return replace(part, role=role, reasons=(*part.reasons, told.reason))


def _item_parts(page: Page, parts: Sequence[Part], items: Sequence[Item], judged: Judgement) -> Iterator[Part]:
    """The items as parts; those that would cut another part in two are left out."""
    ranges = sorted((part.start, part.end) for part in parts)
    edges = np.searchsorted(page.blocks.node_start, [(item.start, item.end) for item in items]).reshape(-1, 2)
    words = running_sum(page.blocks.words + 1)
    sums = running_sum((page.blocks.words + 1) * judged.importance)
    for item, (first, last) in zip(items, edges.tolist(), strict=True):
        if last > first and not (_cuts(ranges, item.start, item) or _cuts(ranges, item.end, item)):
            importance = float((sums[last] - sums[first]) / (words[last] - words[first]))
            yield Part(item.start, item.end, importance, reasons=(f"one of {len(items)} items",), item=item)


def _cuts(ranges: Sequence[tuple[int, int]], place: int, item: Item) -> bool:
    """Whether an edge of the item lies in a part that it does not lie in as a whole."""
    at = bisect_right(ranges, (place, 0)) - 1
    start, end = ranges[at] if at >= 0 else (0, 0)
    return start < place < end and not (start <= item.start and item.end <= end)
