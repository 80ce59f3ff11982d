"""Trains the engine from labelled pages: first weights of words, then trees.

The trees see a page with weights of words that were computed without its own site, so that they do not trust words more
than they may on an unknown site.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from pagestrata.engine.features import COLUMNS, measured
from pagestrata.engine.lexicon import Lexicon, line_words, name_words
from pagestrata.engine.model import EngineModel
from pagestrata.errors import MissingExtra
from pagestrata.landmarks import landmarks_of
from pagestrata.page.page import Page
from pagestrata.train.block_labels import labels_of
from pagestrata.train.word_weights import Lexicons, PageWords, count_words
from pagestrata.trees import UNIT, Table, Trees

NAMELESS_EVERY: Final = 3
"""One page in this many is measured as if it had no class and id names, so that the trees do not depend on them."""
SHRINKAGE: Final = 0.85
"""Factor on the leaves of the trees, which are overconfident on sites that they have not seen. Chosen in
cross-validation on wcxb, where it brought the calibration error from .029 to .012 and left F1 at .8725."""
SIZE_POWER: Final = 0.7
"""A block weighs its words to this power, so that long ones count, and short ones are not forgotten."""

Progress = Callable[[str, int, int], None]
"""Called with the name of a stage, how many of its steps are done, and how many there are."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Parameters of the training of the trees."""

    trees: int = 350
    """Trees in each ensemble."""
    ensembles: int = 2
    """Ensembles that are trained from different seeds and averaged. F1 in cross-validation on wcxb is .870 to .873 by
    the seed alone, and where a model is unsure (comments below an article), one keeps what another drops."""
    depth: int = 6
    rate: float = 0.1
    seed: int = 1


@dataclass(frozen=True, slots=True, eq=False)
class LabelledPage(PageWords):
    """A page with labels, to train on."""

    truth: str
    """The main text."""
    page_type: str = ""
    """Its `PageType`, or empty if that is unknown."""
    must_have: Sequence[str] = ()
    """Pieces of text that a good answer contains, and below those that it does not contain, where they are known."""
    must_not_have: Sequence[str] = ()
    times: int = 1
    """How many times the page counts."""

    @property
    def weights(self) -> npt.NDArray[np.float64]:
        """The weight of each block: it grows with its words, and is lower on a page with much text."""
        sizes = (self.sizes + 1.0) ** SIZE_POWER
        return np.asarray(self.times * sizes / np.sqrt(len(self.truth.split()) + 20), np.float64)


def label(page: Page, site: str, truth: str) -> LabelledPage:
    """Label the blocks of a page by its true main text."""
    labels, sizes = labels_of(page, truth)
    return LabelledPage(page, site, labels, sizes, name_words(page), line_words(page), truth)


def fit(pages: Sequence[LabelledPage], settings: Settings, progress: Progress) -> EngineModel:
    """Train the engine; the same pages and settings give the same bytes."""
    words = count_words(pages)
    tables = list(measure_pages(pages, words, progress))
    trees, base = grow_all(
        np.concatenate(tables, axis=1),
        np.concatenate([example.labels for example in pages]),
        np.concatenate([example.weights for example in pages]),
        settings,
        progress,
    )
    return EngineModel(COLUMNS, trees, base, words.lexicon())


def measure_pages(pages: Sequence[LabelledPage], words: Lexicons, progress: Progress) -> "list[Table]":
    """Compute the features of each page, with weights of words that exclude its own site."""
    tables = []
    nameless = np.zeros_like(Lexicon.empty().names)
    lexicons: dict[str, Lexicon] = {}
    for done, example in enumerate(pages, 1):
        if example.site not in lexicons:
            lexicons = {example.site: words.lexicon(without=example.site)}
        lexicon = lexicons[example.site]
        unnamed = replace(lexicon, names=nameless) if done % NAMELESS_EVERY == 0 else lexicon
        tables.append(measured(landmarks_of(example.page), unnamed, example.names, example.lines))
        progress("features", done, len(pages))
    return tables


def grow_all(
    table: Table, labels: npt.NDArray[Any], weights: npt.NDArray[Any], settings: Settings, progress: Progress
) -> tuple[Trees, float]:
    """Train all ensembles and average them into one."""
    grown = []
    for number in range(settings.ensembles):
        grown.append(grow(table, labels, weights, replace(settings, seed=settings.seed + number)))
        progress("ensembles", number + 1, settings.ensembles)
    trees = [each for each, _ in grown]
    leaf = np.concatenate([each.leaf for each in trees])
    mean = Trees(
        np.concatenate([each.feature for each in trees]),
        np.concatenate([each.threshold for each in trees]),
        np.round(leaf / settings.ensembles).astype(np.int32),
    )
    return mean, sum(base for _, base in grown) / settings.ensembles


def grow(table: Table, labels: npt.NDArray[Any], weights: npt.NDArray[Any], settings: Settings) -> tuple[Trees, float]:
    """Train oblivious trees; each column of the table is one example."""
    try:
        import catboost
    except ImportError as error:
        raise MissingExtra("catboost", "train") from error

    booster = catboost.CatBoostClassifier(
        loss_function="CrossEntropy",
        iterations=settings.trees,
        depth=settings.depth,
        learning_rate=settings.rate,
        l2_leaf_reg=5,
        border_count=64,
        rsm=0.3,
        bootstrap_type="Bernoulli",
        subsample=0.6,
        boosting_type="Plain",
        thread_count=2,
        random_seed=settings.seed,
        verbose=0,
        allow_writing_files=False,
    )
    booster.fit(catboost.Pool(table.T, labels, weight=weights))
    with TemporaryDirectory() as folder:
        file = Path(folder) / "trees.json"
        booster.save_model(str(file), format="json")
        return from_catboost(json.loads(file.read_text()), settings.depth)


def from_catboost(model: dict[str, Any], depth: int) -> tuple[Trees, float]:
    """Convert a CatBoost model to flat arrays; also return its base score."""
    grown = model["oblivious_trees"]
    feature = np.zeros((len(grown), depth), np.int32)
    threshold = np.full((len(grown), depth), np.inf, np.float32)  # an absent level sends every example to the same side
    leaf = np.zeros((len(grown), 2**depth), np.int32)
    scale, (base,) = model["scale_and_bias"]
    for place, tree in enumerate(grown):
        splits = tree["splits"] or []
        feature[place, : len(splits)] = [split["float_feature_index"] for split in splits]
        threshold[place, : len(splits)] = [split["border"] for split in splits]
        values = np.array(tree["leaf_values"]) * scale * SHRINKAGE
        leaf[place, : len(values)] = np.round(values * UNIT)
    return Trees(feature, threshold, leaf), float(base) * SHRINKAGE
