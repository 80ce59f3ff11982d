"""The scope of an answer: strict, the body of an article only, or generous, also what belongs to it around the body.

Truths of data sets differ in this, and so do readers. The convention is an input of the engine's trees. `auto` is
strict on articles and generous on all other pages; a small ensemble of trees over means of the features tells articles.
"""

from typing import Final

import numpy as np

from pagestrata.engine.model import EngineModel
from pagestrata.landmarks import Landmarks
from pagestrata.native import kernel
from pagestrata.native.arrays import as_column, zeros
from pagestrata.native.features import COLUMNS, IS_STRICT
from pagestrata.options import Scope
from pagestrata.trees import Table

_loops = kernel("features")

ARTICLE: Final = 0.25
"""Probability of an article from which on `auto` is strict. In cross-validation .25 to .65 are alike on wcxb within
.001; below, forum threads lose replies, above, articles with comments keep them."""
ROW_IS_STRICT: Final = COLUMNS.index(IS_STRICT)


def set_scope(table: Table, landmarks: Landmarks, model: EngineModel, scope: Scope) -> bool:
    """Write the convention into the features of a page; return whether it is strict."""
    is_strict = scope == "strict" or (scope == "auto" and article_probability(table, landmarks, model) >= ARTICLE)
    table[ROW_IS_STRICT] = is_strict
    return is_strict


def article_probability(table: Table, landmarks: Landmarks, model: EngineModel) -> float:
    """The probability that a page is an article."""
    log_odds = model.scope_base + float(model.scope_trees.score(page_means(table, landmarks))[0])
    return float(1 / (1 + np.exp(-log_odds)))


def page_means(table: Table, landmarks: Landmarks) -> Table:
    """The mean of each feature over the words of the page, as a table of one column."""
    means = zeros(len(table), np.float64)
    _loops.page_means(as_column(table.reshape(-1)), landmarks.shown.columns.blocks[3], means)
    return np.asarray(means, np.float32).reshape(-1, 1)
