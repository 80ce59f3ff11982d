"""Which blocks are given back: those that make the expected F1 of the page largest.

With the probability p of each block and its n words, taking the blocks from p = t on gives an expected

    F = (1 + b²) Σ p n  /  (Σ n + b² Σ_all p n)

and t is chosen so that it is largest. `bias` sets b: 4 times the weight of recall at 1, a quarter at -1.

The p here are surer than the importance that is told. That one holds in the mean over pages of all kinds; but the
blocks of a page are right or wrong together, and chosen by it too much is kept. It is most so on a page whose text is
plain to see: what is not sure there (comments, boxes beside an article) is mostly none of it. On other pages it is the
mean of three F: with p as it is, and with all odds off to either side; little text is the worse mistake there.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from pagestrata.engine.kernel import given, loops, new_columns

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
AS_TOLD: Final = given(np.array([1.0]))
ODDS: Final = given(np.array([1.0, 7.0, 1 / 7.0]))
"""What the odds against are multiplied with on the three pages that a page which is not plain stands for. For it F1 in
cross-validation on wcxb was .001 to .003 better (three models); over five pages, reaching to 4 or 11 was the same."""
LEAST_WORDS: Final = 10.0
"""Fewer words expected in all are none: script-only and blocked pages. The research prototype found 5 to 20 alike."""


def threshold(importance: Floats, words: Floats, bias: float = 0.0) -> float:
    """The importance from which on blocks are kept; above 1 if nothing is.

    >>> threshold(np.array([0.9, 0.8, 0.1]), np.array([50.0, 50.0, 50.0]))
    0.799999
    """
    order = given(np.argsort(-importance, kind="stable"))
    told, counts, room = given(importance), given(words), new_columns(2, len(importance), np.float64)
    last = loops.last_kept(order, told, counts, SURER, 1.0, LEAST_WORDS * REACH**-bias, AS_TOLD, *room)
    if last < 0:
        return 2.0
    is_plain = loops.expected_score(told, counts, told[last], LEAST_WORDS) >= SURE_PAGE
    by, odds = (SURER_THERE, AS_TOLD) if is_plain else (SURER, ODDS)
    last = loops.last_kept(order, told, counts, by, REACH ** (2 * bias), 0.0, odds, *room)
    return round(float(told[last]) - HAIR, 9)


def expected_score(importance: Floats, words: Floats, keep_from: float) -> float:
    """The F1 to expect of what is kept, if the probabilities hold; 1 for an empty page that is left empty."""
    return float(loops.expected_score(given(importance), given(words), keep_from, LEAST_WORDS))
