"""What readers wrote: records with name and time, side by side, beside the core of the page and not around it."""

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from pagestrata.engine.prose import Prose
from pagestrata.page.nodes import Bools
from pagestrata.page.page import Page

SIGNED: Final = 0.6
"""Share of records with name and time from which they are comments."""

Known = Callable[[Sequence[int]], tuple[float, float]]
"""How many records like these other pages of the site have, and how many of them are signed."""


def in_comments(page: Page, prose: Prose, core: int, known: Known = lambda records: (0.0, 0.0)) -> Bools:
    """Whether each block is in a comment."""
    found = np.zeros(len(page.blocks), np.bool_)
    signed, ends = set(prose.signed.tolist()), page.nodes.end
    groups: dict[int, list[int]] = {}
    for record, parent in zip(prose.records.tolist(), page.nodes.parent[prose.records].tolist(), strict=True):
        groups.setdefault(parent, []).append(record)
    for records in groups.values():
        in_core = core <= records[0] < ends[core]
        around_core = any(record <= core < ends[record] for record in records)
        if in_core or around_core:
            continue
        others, others_signed = known(records)
        if sum(record in signed for record in records) + others_signed >= SIGNED * (len(records) + others):
            for record in records:
                first, last = page.blocks_of(record)
                found[first:last] = True
    return found
