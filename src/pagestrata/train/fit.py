"""Labelled pages → an engine model: words first, then trees that see the words as if the page's own site had no say."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from pagestrata.engine.features import features_of, headings_of
from pagestrata.engine.model import EngineModel
from pagestrata.engine.trees import UNIT, Trees
from pagestrata.errors import MissingExtra
from pagestrata.page.page import Page
from pagestrata.train.labels import Floats, labels_of
from pagestrata.train.weights import Lexicons, WordVotes

TREES: Final = 260
LEAVES: Final = 31
RATE: Final = 0.06
"""Not swept: 200 trees at 0.07 were cross-validated on wcxb, and these are a little more and slower."""
NAMELESS: Final = 3
"""Every so many pages are seen as if they had no class and id names, so that the trees do not lean on them."""
SIZE_POWER: Final = 0.7
"""A block weighs its words to this power, so that long ones count, and short ones are not forgotten."""

Progress = Callable[[str, int, int], None]
"""Told the stage, how many steps of it are done, and of how many."""


@dataclass(frozen=True, slots=True, eq=False)
class Labelled:
    """A page with its labels."""

    page: Page
    site: str
    labels: Floats
    sizes: Floats
    """Words of each block."""
    weight: float
    """Of the page, against others."""


def label(page: Page, site: str, truth: str) -> Labelled:
    """Label a page by its truth; a page with much text weighs less a word."""
    labels, sizes = labels_of(page, truth)
    return Labelled(page, site, labels, sizes, 1 / np.sqrt(len(truth.split()) + 20))


def count_words(pages: Sequence[Labelled]) -> Lexicons:
    """What words tell on these pages."""
    votes = WordVotes()
    for known in pages:
        votes.add(known.page, known.site, known.labels, known.sizes, headings_of(known.page).tolist())
    return votes.lexicons()


def fit(pages: Sequence[Labelled], seed: int, progress: Progress) -> EngineModel:
    """Train the engine; the same pages and seed give the same bytes."""
    words = count_words(pages)
    tables = []
    for done, known in enumerate(pages, 1):
        lexicon = words.without(known.site)
        unnamed = replace(lexicon, names={}) if done % NAMELESS == 0 else lexicon
        tables.append(features_of(known.page, unnamed))
        progress("features", done, len(pages))
    names = tables[0][1]
    booster = _boost(
        np.concatenate([table for table, _ in tables]),
        np.concatenate([known.labels for known in pages]),
        np.concatenate([known.weight * (known.sizes + 1) ** SIZE_POWER for known in pages]),
        seed,
        progress,
    )
    trees, base = exported(booster.dump_model())
    return EngineModel(names, trees, base, words.shipped())


def _boost(table: Floats, labels: Floats, weights: npt.NDArray[Any], seed: int, progress: Progress) -> Any:
    try:
        import lightgbm
    except ImportError as error:
        raise MissingExtra("lightgbm", "train") from error

    settings = {
        "objective": "cross_entropy",
        "num_leaves": LEAVES,
        "learning_rate": RATE,
        "min_data_in_leaf": 60,
        "feature_fraction": 0.4,
        "bagging_fraction": 0.7,
        "bagging_freq": 1,
        "lambda_l2": 5,
        "max_bin": 127,
        "seed": seed,
        "deterministic": True,
        "force_row_wise": True,
        "num_threads": 1,
        "verbose": -1,
    }

    def told(state: Any) -> None:
        progress("trees", state.iteration + 1, TREES)

    data = lightgbm.Dataset(table, labels, weight=weights)
    return lightgbm.train(settings, data, TREES, callbacks=[told])


def exported(dumped: dict[str, Any]) -> tuple[Trees, float]:
    """The trees of LightGBM as flat arrays, and what they begin with."""
    feature: list[int] = []
    threshold: list[float] = []
    left: list[int] = []
    right: list[int] = []
    leaf: list[int] = []
    root: list[int] = []
    for tree in dumped["tree_info"]:
        waiting = [(tree["tree_structure"], root, -1)]
        while waiting:
            node, side, place = waiting.pop()
            if "leaf_value" in node:
                number = -1 - len(leaf)
                leaf.append(round(node["leaf_value"] * UNIT))
            else:
                number = len(feature)
                feature.append(node["split_feature"])
                threshold.append(_rounded_down(node["threshold"]))
                left.append(0)
                right.append(0)
                waiting += [(node["left_child"], left, number), (node["right_child"], right, number)]
            if place < 0:
                side.append(number)
            else:
                side[place] = number
    whole = (np.array(column, np.int32) for column in (feature, left, right, root, leaf))
    feature_column, left_column, right_column, root_column, leaf_column = whole
    trees = Trees(feature_column, np.array(threshold, np.float32), left_column, right_column, root_column, leaf_column)
    return trees, 0.0


def _rounded_down(threshold: float) -> float:
    """The largest float of 32 bits that is not above, so that comparing in 32 bits decides alike."""
    rounded = np.float32(threshold)
    return float(rounded if rounded <= threshold else np.nextafter(rounded, np.float32(-np.inf)))
