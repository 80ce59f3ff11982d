"""Which blocks are given back: those that make the expected F1 of the page largest.

With the probability p of each block and its n words, taking the blocks from p = t on gives an expected

    F = (1 + b²) Σ p n  /  (Σ n + b² Σ_all p n)

and t is chosen so that it is largest. `bias` sets b: 4 times the weight of recall at 1, a quarter at -1.
"""

from collections.abc import Iterable
from itertools import pairwise
from typing import Final

import numpy as np
import numpy.typing as npt

from pagestrata.page.page import Page
from pagestrata.sites.parts import Whole

Floats = npt.NDArray[np.float64]

REACH: Final = 4.0
"""How much more recall counts at bias 1."""
WIDEST_HOLE: Final = 3
"""Blocks that may be missing amid kept text before it counts as two texts; tables and lists are not counted."""
HAIR: Final = 1e-6
"""The threshold lies this much below the last block kept, so that no mean of equal numbers falls below it."""
LEAST_WORDS: Final = 10.0
"""Fewer words expected in all are none: script-only and blocked pages. The research prototype found 5 to 20 alike."""


def threshold(importance: Floats, words: Floats, bias: float = 0.0) -> float:
    """The importance from which on blocks are kept; above 1 if nothing is.

    >>> threshold(np.array([0.9, 0.8, 0.1]), np.array([50.0, 50.0, 50.0]))
    0.799999
    """
    expected = float((importance * words).sum())
    if expected < LEAST_WORDS * REACH**-bias or len(importance) == 0:
        return 2.0
    order = np.argsort(-importance, kind="stable")
    recall_weight = REACH ** (2 * bias)
    found, taken = np.cumsum((importance * words)[order]), np.cumsum(words[order])
    best = int(np.argmax((1 + recall_weight) * found / (taken + recall_weight * expected)))
    return round(float(importance[order[best]]) - HAIR, 9)


def expected_score(importance: Floats, words: Floats, keep_from: float) -> float:
    """The F1 to expect of what is kept, if the probabilities hold; 1 for an empty page that is left empty."""
    kept = importance >= keep_from
    expected, taken = float((importance * words).sum()), float(words[kept].sum())
    if not kept.any():
        return 1 / (1 + expected / LEAST_WORDS)
    return 2 * float((importance * words)[kept].sum()) / max(1e-9, taken + expected)


def without_holes(
    page: Page, importance: Floats, may_be_text: npt.NDArray[np.bool_], wholes: Iterable[Whole], keep_from: float
) -> Floats:
    """Lift the few blocks that are missing amid kept text of the same container: a formula, a caption, a table.

    In cross-validation on wcxb this cost 0.0006 of F1, before lists and tables went uncounted; who reads the text
    misses them.
    """
    lifted = importance.copy()
    kept = np.flatnonzero(importance >= keep_from)
    parent, container = page.nodes.parent.tolist(), page.blocks.container.tolist()
    outside = np.ones(len(container), np.intp)
    for node, first, last in wholes:
        container[first:last] = [node] * (last - first)
        outside[first:last] = 0
    outside_before = [0, *np.cumsum(outside).tolist()]
    for before, after in pairwise(kept.tolist()):
        hole = slice(before + 1, after)
        size = outside_before[after] - outside_before[before + 1]
        if after - before > 1 and size <= WIDEST_HOLE and may_be_text[hole].all():
            around = {container[before], parent[container[before]]}
            if container[after] in around or parent[container[after]] in around:
                lifted[hole] = np.maximum(lifted[hole], keep_from + HAIR)
    return lifted
