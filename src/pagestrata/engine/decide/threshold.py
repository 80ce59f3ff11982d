"""The threshold: which blocks are kept, so that the expected F1 of the page is largest.

With the probability p of each block and its n words, keeping the blocks from p = t on gives an expected

    F = (1 + b²) Σ p n  /  (Σ n + b² Σ_all p n)

and t is chosen so that it is largest. `bias` sets b: 4 times the weight of recall at 1, a quarter at -1.

The p used here are sharper than the importance that is reported. The latter holds in the mean over pages of all kinds;
but the blocks of a page are right or wrong together, and a choice by it keeps too much. Most so on a clear-cut page:
what is uncertain there (comments, boxes beside an article) is mostly not main text. On other pages the mean of three F
is taken: with p as it is, and with all odds off to either side; there, too little text is the worse mistake.
"""

from typing import Final

import numpy as np

from pagestrata.landmarks import Floats
from pagestrata.native import kernel
from pagestrata.native.arrays import as_column, zero_columns

_loops = kernel("decide")

RECALL_RANGE: Final = 4.0
"""The weight of recall at bias 1."""
THRESHOLD_MARGIN: Final = 1e-6
"""The threshold lies this much below the last block kept, so that no mean of equal numbers falls below it."""
SHARPENING: Final = 1.62
"""What log odds are multiplied by for the choice. The mean over 17 rows of the gate is .002 better than with 1.33, by
which `train.fit_engine.SHRINKAGE` would be undone."""
CLEAR_PAGE: Final = 0.6
"""Expected F1 above which a page counts as clear-cut. Of .55, .6, .65 and .7, the first two are best on l3s-gn1 (.002);
the others differ by less than .001."""
SHARPENING_CLEAR_PAGE: Final = 2.66
"""As `SHARPENING`, on clear-cut pages; 2.3 is the same within .001."""
ONE_PAGE: Final = as_column(np.array([1.0]))
THREE_PAGES: Final = as_column(np.array([1.0, 7.0, 1 / 7.0]))
"""What the odds against are multiplied by on the three pages that stand for an unclear one. With it F1 in
cross-validation on wcxb was .001 to .003 better (three models); over five pages, reaching to 4 or 11 was the same."""
MIN_WORDS: Final = 10.0
"""If fewer words are expected in all, nothing is kept: script-only and blocked pages. The research prototype found 5 to
20 alike."""
TINY_PAGE: Final = 60.0
"""Of a page of fewer words nearly all is the content, so that something is always kept, unless all of it is links."""


def choose_threshold(importance: Floats, words: Floats, bias: float = 0.0, is_tiny: bool = False) -> float:
    """The importance from which on blocks are kept; above 1 if nothing is. Of a tiny page something is always kept.

    >>> choose_threshold(np.array([0.9, 0.8, 0.1]), np.array([50.0, 50.0, 50.0]))
    0.799999
    """
    order = as_column(np.argsort(-importance, kind="stable"))
    scores, counts, room = as_column(importance), as_column(words), zero_columns(2, len(importance), np.float64)
    min_words = MIN_WORDS * RECALL_RANGE**-bias if not is_tiny else 0.0
    last = _loops.last_kept(order, scores, counts, SHARPENING, 1.0, min_words, ONE_PAGE, *room)
    if last < 0 or scores[last] <= 0:
        return 2.0
    is_clear = _loops.expected_score(scores, counts, scores[last], MIN_WORDS) >= CLEAR_PAGE
    sharpening, pages = (SHARPENING_CLEAR_PAGE, ONE_PAGE) if is_clear else (SHARPENING, THREE_PAGES)
    last = _loops.last_kept(order, scores, counts, sharpening, RECALL_RANGE ** (2 * bias), 0.0, pages, *room)
    return round(float(scores[last]) - THRESHOLD_MARGIN, 9)


def expected_score(importance: Floats, words: Floats, threshold: float) -> float:
    """The expected F1 of what is kept, if the probabilities hold; 1 for an empty page of which nothing is kept."""
    return float(_loops.expected_score(as_column(importance), as_column(words), threshold, MIN_WORDS))
