"""Which blocks are given back: those that make the expected F1 of the page largest.

With the probability p of each block and its n words, taking the blocks from p = t on gives an expected

    F = (1 + b²) Σ p n  /  (Σ n + b² Σ_all p n)

and t is chosen so that it is largest. `bias` sets b: 4 times the weight of recall at 1, a quarter at -1.
"""

from itertools import pairwise
from typing import Final

import numpy as np
import numpy.typing as npt

from pagestrata.page.page import Page

Floats = npt.NDArray[np.float64]

REACH: Final = 4.0
"""How much more recall counts at bias 1."""
WIDEST_HOLE: Final = 3
"""Blocks that may be missing amid kept text before it counts as two texts; tables are not counted."""
LINKED: Final = 0.3
"""A block with a larger share of links is not taken for part of the text around it."""
LEAST_WORDS: Final = 10.0
"""Fewer words expected in all are none: script-only and blocked pages. The research prototype found 5 to 20 alike."""


def threshold(importance: Floats, words: Floats, bias: float = 0.0) -> float:
    """The importance from which on blocks are kept; above 1 if nothing is.

    >>> threshold(np.array([0.9, 0.8, 0.1]), np.array([50.0, 50.0, 50.0]))
    0.8
    """
    expected = float((importance * words).sum())
    if expected < LEAST_WORDS * REACH**-bias or len(importance) == 0:
        return 2.0
    order = np.argsort(-importance, kind="stable")
    recall_weight = REACH ** (2 * bias)
    found, taken = np.cumsum((importance * words)[order]), np.cumsum(words[order])
    best = int(np.argmax((1 + recall_weight) * found / (taken + recall_weight * expected)))
    return float(importance[order[best]])


def expected_score(importance: Floats, words: Floats, keep_from: float) -> float:
    """The F1 to expect of what is kept, if the probabilities hold; 1 for an empty page that is left empty."""
    kept = importance >= keep_from
    expected, taken = float((importance * words).sum()), float(words[kept].sum())
    if not kept.any():
        return 1 / (1 + expected / LEAST_WORDS)
    return 2 * float((importance * words)[kept].sum()) / max(1e-9, taken + expected)


def without_holes(
    page: Page, importance: Floats, links: Floats, usable: npt.NDArray[np.bool_], keep_from: float
) -> Floats:
    """Lift the few blocks that are missing amid kept text of the same container: a formula, a caption, a small table.

    In cross-validation on wcxb this costs 0.0003 of F1; who reads the text misses them.
    """
    lifted = importance.copy()
    kept = np.flatnonzero(importance >= keep_from)
    parent, ends = page.nodes.parent.tolist(), page.nodes.end.tolist()
    container = page.blocks.container.tolist()
    outside = np.ones(len(container), np.intp)
    for table in page.nodes_tagged("table").tolist()[::-1]:  # one around another has the last word
        first, last = np.searchsorted(page.blocks.node_start, (table, ends[table])).tolist()
        container[first:last] = [table] * (last - first)
        outside[first:last] = 0
    outside_before = [0, *np.cumsum(outside).tolist()]
    for before, after in pairwise(kept.tolist()):
        hole = slice(before + 1, after)
        if (
            after - before > 1
            and outside_before[after] - outside_before[before + 1] <= WIDEST_HOLE
            and usable[hole].all()
            and (links[hole] < LINKED).all()
        ):
            around = {container[before], parent[container[before]]}
            if container[after] in around or parent[container[after]] in around:
                lifted[hole] = np.maximum(lifted[hole], keep_from + 1e-6)  # so that no mean of them falls below
    return lifted
