"""Trains the engine from labelled pages: first weights of words, then trees, then the network.

While the trees are trained, the word weights of a page are computed without its own site. Otherwise the trees would
trust words more than is justified on an unknown site.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from pagestrata.engine.features import COLUMNS, features_of
from pagestrata.engine.lexicon import Lexicon
from pagestrata.engine.model import EngineModel
from pagestrata.engine.scope import ROW_IS_STRICT, page_means
from pagestrata.errors import needs
from pagestrata.page.page import Page
from pagestrata.page.raw import RawPage
from pagestrata.train.block_labels import labels_of
from pagestrata.train.fit_network import Example, fit_network
from pagestrata.train.word_weights import Lexicons, PageWords, count_words
from pagestrata.trees import UNIT, Table, Trees

SHRINKAGE: Final = 0.75
"""Factor on the log odds of the trees and of the network, which are overconfident on unknown sites. In cross-validation
on wcxb it brings the calibration error from .023 (with .85) to .015."""
LABELLED: Final = 0.5
"""Share of a block's words that must match for it to be main text, or optional text."""
SIZE_POWER: Final = 0.7
"""The weight of a block is its number of words to this power: long blocks count more, but short ones still count."""

MAX_ROWS: Final = 250_000
"""The most blocks that trees are trained on; of more, a weighted sample is drawn. Three times as many gave the same
scores and took three times as long."""
RSM: Final = 0.3
"""Share of the features that are tried for each level of a tree (random subspace method)."""
_ARTICLES: Final = frozenset({"", "article", "article_comments"})
"""Page types of articles; data sets that have only articles state no type."""

Progress = Callable[[str, int, int], None]
"""Called with the name of a stage, the number of its steps that are done, and the number of all its steps."""


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
    scope_trees: int = 200
    """Trees that recognise articles; see `engine.scope`."""
    scope_depth: int = 4


@dataclass(frozen=True, slots=True, eq=False)
class LabelledPage(PageWords):
    """A page with labels, to train on."""

    truth: str
    """The main text."""
    raw: RawPage | None = None
    """The page as it came, to be tested with and without its names."""
    dataset: str = ""
    group: str = ""
    """The site, or the theme that several sites share: pages of one group are in one fold."""
    page_type: str = ""
    """Its `PageType`, or empty if that is unknown."""
    titles: Sequence[str] | None = ()
    """Titles that an answer may have or not; None if they are searched for on the page."""
    must_have: Sequence[str] = ()
    """Pieces of text that a good answer contains, and below those that it does not contain, where they are known."""
    must_not_have: Sequence[str] = ()
    optional: str = ""
    """Text that a good answer may have or not."""
    is_strict: bool = False
    """Whether the truth has the body only; see `training_sets`."""
    weight: float = 1.0
    """How much the page counts."""

    @property
    def weights(self) -> npt.NDArray[np.float64]:
        """The weight of each block: it grows with its words, and is lower on a page with much text."""
        sizes = (self.sizes + 1.0) ** SIZE_POWER * self.counts
        return np.asarray(self.weight * sizes / np.sqrt(len(self.truth.split()) + 20), np.float64)


def label(page: Page, site: str, truth: str, optional: str = "") -> LabelledPage:
    """Label the blocks of a page by its true main text; blocks of optional text get weight 0."""
    labels, sizes = labels_of(page, truth)
    counts = np.ones(len(labels), np.bool_)
    if optional:
        counts = (labels > LABELLED) | (labels_of(page, optional)[0] <= LABELLED)
    return LabelledPage(page, site, labels, sizes, counts, truth, group=site, optional=optional)


def fit(pages: Sequence[LabelledPage], settings: Settings, progress: Progress) -> EngineModel:
    """Train the engine; the same pages and settings give the same bytes."""
    words = count_words(pages)
    tables = measure_pages(pages, words, progress)
    scope_trees, scope_base = grow_scope(pages, tables, settings)
    for example, table in zip(pages, tables, strict=True):
        table[ROW_IS_STRICT] = example.is_strict
    trees, base = grow_all(pages, tables, settings, progress)
    learned = (page.labels for page in pages), (page.weights.astype(np.float32) for page in pages)
    network = fit_network(list(map(Example, tables, *learned)), settings.seed, SHRINKAGE)
    progress("network", 1, 1)
    return EngineModel(COLUMNS, trees, base, network, words.lexicon(), scope_trees, scope_base)


def measure_pages(pages: Sequence[LabelledPage], words: Lexicons, progress: Progress) -> list[Table]:
    """Compute the features of each page, with weights of words that exclude its own site."""
    tables = []
    lexicons: dict[str, Lexicon] = {}
    for done, example in enumerate(pages, 1):
        if example.site not in lexicons:
            lexicons = {example.site: words.lexicon(without=example.site)}
        tables.append(features_of(example.landmarks, lexicons[example.site]))
        progress("features", done, len(pages))
    return tables


def grow_scope(pages: Sequence[LabelledPage], tables: Sequence[Table], settings: Settings) -> tuple[Trees, float]:
    """Train the trees that recognise articles, one example per page."""
    means = [page_means(table, page.landmarks) for page, table in zip(pages, tables, strict=True)]
    is_article = np.array([page.page_type in _ARTICLES for page in pages], np.float32)
    if is_article.min() == is_article.max():  # nothing to distinguish
        no_trees = np.zeros((0, settings.scope_depth))
        leaves = np.zeros((0, 2**settings.scope_depth), np.int32)
        return Trees(no_trees.astype(np.int32), no_trees.astype(np.float32), leaves), float(is_article[0] - 0.5)
    weights = np.array([page.weight for page in pages])
    scope = replace(settings, trees=settings.scope_trees, depth=settings.scope_depth)
    return grow(np.concatenate(means, axis=1), is_article, weights, scope, shrinkage=1.0)


def thinned(weights: npt.NDArray[Any], most: int, seed: int) -> tuple[npt.NDArray[np.intp], npt.NDArray[Any]]:
    """Draw about `most` rows or fewer, preferably those with a large weight; return them with corrected weights.

    >>> rows, weights = thinned(np.array([0.0, 1.0, 4.0]), 5, seed=1)
    >>> rows.tolist(), weights.tolist()
    ([1, 2], [1.0, 4.0])
    """
    chances = np.sqrt(weights)
    if np.count_nonzero(weights) > most:
        for _ in range(3):  # a probability is at most 1: what is above it is spread over the other rows
            chances = np.minimum(1.0, chances * most / chances.sum())
    else:
        chances = (weights > 0).astype(np.float64)
    rows = np.flatnonzero(np.random.default_rng(seed).random(len(weights)) < chances)
    return rows, weights[rows] / chances[rows]


def grow_all(
    pages: Sequence[LabelledPage], tables: Sequence[Table], settings: Settings, progress: Progress
) -> tuple[Trees, float]:
    """Train all ensembles and average them into one."""
    grown = []
    for number in range(settings.ensembles):
        grown.append(grow_blocks(pages, tables, replace(settings, seed=settings.seed + number)))
        progress("ensembles", number + 1, settings.ensembles)
    trees = [each for each, _ in grown]
    leaf = np.concatenate([each.leaf for each in trees])
    mean = Trees(
        np.concatenate([each.feature for each in trees]),
        np.concatenate([each.threshold for each in trees]),
        np.round(leaf / settings.ensembles).astype(np.int32),
    )
    return mean, sum(base for _, base in grown) / settings.ensembles


def grow_blocks(
    pages: Sequence[LabelledPage],
    tables: Sequence[Table],
    settings: Settings,
) -> tuple[Trees, float]:
    """Train trees that recognise main text, one example per block."""
    labels, weights = ([getattr(page, name) for page in pages] for name in ("labels", "weights"))
    return grow(np.concatenate(tables, axis=1), np.concatenate(labels), np.concatenate(weights), settings)


def grow(
    table: Table,
    labels: npt.NDArray[Any],
    weights: npt.NDArray[Any],
    settings: Settings,
    shrinkage: float = SHRINKAGE,
) -> tuple[Trees, float]:
    """Train oblivious trees; each column of the table is one example."""
    with needs("catboost", "train"):
        import catboost
    booster = catboost.CatBoostClassifier(
        loss_function="CrossEntropy",
        iterations=settings.trees,
        depth=settings.depth,
        learning_rate=settings.rate,
        l2_leaf_reg=5,
        border_count=64,
        rsm=RSM,
        bootstrap_type="Bernoulli",
        subsample=0.6,
        boosting_type="Plain",
        thread_count=2,
        random_seed=settings.seed,
        verbose=0,
        allow_writing_files=False,
    )
    rows, row_weights = thinned(weights, MAX_ROWS, settings.seed)
    examples = np.ascontiguousarray(table[:, rows].T)
    booster.fit(catboost.Pool(examples, labels[rows], weight=row_weights))
    with TemporaryDirectory() as folder:
        file = Path(folder) / "trees.json"
        booster.save_model(str(file), format="json")
        return from_catboost(json.loads(file.read_text()), settings.depth, shrinkage)


def from_catboost(model: dict[str, Any], depth: int, shrinkage: float = SHRINKAGE) -> tuple[Trees, float]:
    """Convert a CatBoost model to flat arrays, with the leaves multiplied by a factor; also return its base score."""
    grown = model["oblivious_trees"]
    feature = np.zeros((len(grown), depth), np.int32)
    threshold = np.full((len(grown), depth), np.inf, np.float32)  # an absent level sends every example to the same side
    leaf = np.zeros((len(grown), 2**depth), np.int32)
    scale, (base,) = model["scale_and_bias"]
    for place, tree in enumerate(grown):
        splits = tree["splits"] or []
        feature[place, : len(splits)] = [split["float_feature_index"] for split in splits]
        threshold[place, : len(splits)] = [split["border"] for split in splits]
        values = np.array(tree["leaf_values"]) * scale * shrinkage
        leaf[place, : len(values)] = np.round(values * UNIT)
    return Trees(feature, threshold, leaf), float(base) * shrinkage
