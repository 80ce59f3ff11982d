"""Which blocks are given back: those that make the expected F1 of the page largest.

With the probability p of each block and its n words, taking the blocks from p = t on gives an expected

    F = (1 + b²) Σ p n  /  (Σ n + b² Σ_all p n)

and t is chosen so that it is largest. `bias` sets b: 4 times the weight of recall at 1, a quarter at -1.

The p here are surer than the importance that is told. That one holds in the mean over pages of all kinds; but the
blocks of a page are right or wrong together, and chosen by it too much is kept. It is most so on a page whose text is
plain to see: what is not sure there (comments, boxes beside an article) is mostly none of it.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

REACH: Final = 4.0
"""How much more recall counts at bias 1."""
HAIR: Final = 1e-6
"""The threshold lies this much below the last block kept, so that no mean of equal numbers falls below it."""
SURER: Final = 1 / 0.85
"""The log odds that decide, by those that are told; undoes `train.fit.CALM`."""
SURE_PAGE: Final = 0.7
"""The F1 to expect from which a page is plain."""
SURER_THERE: Final = 2.0
"""The same as `SURER`, on such pages. For it F1 is .001 better on big9, .004 on l3s-gn1, .010 on cleanportaleval; in
cross-validation on wcxb it is the same within .001."""
LEAST_WORDS: Final = 10.0
"""Fewer words expected in all are none: script-only and blocked pages. The research prototype found 5 to 20 alike."""


def threshold(importance: Floats, words: Floats, bias: float = 0.0) -> float:
    """The importance from which on blocks are kept; above 1 if nothing is.

    >>> threshold(np.array([0.9, 0.8, 0.1]), np.array([50.0, 50.0, 50.0]))
    0.799999
    """
    order = np.argsort(-importance, kind="stable")
    importance, words = importance[order], words[order]
    found, taken = np.cumsum(surer(importance, SURER) * words), np.cumsum(words)
    if len(found) == 0 or found[-1] < LEAST_WORDS * REACH**-bias:
        return 2.0
    last, told = _last_kept(found, taken), np.cumsum(importance * words)
    is_plain = 2 * told[last] >= SURE_PAGE * (taken[last] + told[-1])  # the expected score
    if is_plain:
        found = np.cumsum(surer(importance, SURER_THERE) * words)
    return _just_below(importance[_last_kept(found, taken, bias) if is_plain or bias else last])


def _last_kept(found: Floats, taken: Floats, bias: float = 0.0) -> int:
    """Up to which block the F1 to expect is largest, by sums over the blocks from the most important one on."""
    return int(np.argmax(found / (taken + REACH ** (2 * bias) * found[-1])))


def _just_below(importance: float) -> float:
    return round(float(importance) - HAIR, 9)


def surer(importance: Floats, by: float) -> Floats:
    """Probabilities with so many times their log odds.

    >>> surer(np.array([0.0, 0.5, 0.9]), 2.0).round(2).tolist()
    [0.0, 0.5, 0.99]
    """
    yes, no = importance**by, (1 - importance) ** by
    return np.asarray(yes / (yes + no), np.float64)


def expected_score(importance: Floats, words: Floats, keep_from: float) -> float:
    """The F1 to expect of what is kept, if the probabilities hold; 1 for an empty page that is left empty."""
    kept = importance >= keep_from
    expected, taken = float((importance * words).sum()), float(words[kept].sum())
    if not kept.any():
        return 1 / (1 + expected / LEAST_WORDS)
    return 2 * float((importance * words)[kept].sum()) / max(1e-9, taken + expected)
