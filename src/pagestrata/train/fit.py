"""Labelled pages → an engine model: words first, then trees that see the words as if the page's own site had no say."""

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
from pagestrata.train.labels import labels_of
from pagestrata.train.weights import Lexicons, Read, count_words
from pagestrata.trees import UNIT, Table, Trees

NAMELESS: Final = 3
"""Every so many pages are seen as if they had no class and id names, so that the trees do not lean on them."""
CALM: Final = 0.85
"""What the trees say is taken by this share: they are too sure on sites that they have not seen. Chosen in
cross-validation on wcxb, where it brought the calibration error from .029 to .012 and left F1 at .8725."""
SIZE_POWER: Final = 0.7
"""A block weighs its words to this power, so that long ones count, and short ones are not forgotten."""

Progress = Callable[[str, int, int], None]
"""Told the stage, how many steps of it are done, and of how many."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How the trees are grown."""

    trees: int = 350
    """Of one ensemble."""
    ensembles: int = 2
    """Grown from seeds of their own; their mean is taken. F1 in cross-validation on wcxb is .870 to .873 by the seed
    alone, and what one is not sure of (comments below an article) is kept by one and left by another."""
    depth: int = 6
    rate: float = 0.1
    seed: int = 1


@dataclass(frozen=True, slots=True, eq=False)
class Labelled(Read):
    """A page to learn from."""

    truth: str
    """The main text."""
    page_type: str = ""
    """One of the seven, where it is known."""
    must_have: Sequence[str] = ()
    """Pieces of text that a good answer has, where they are known; and that it has not."""
    must_not_have: Sequence[str] = ()
    times: int = 1
    """How often it counts."""

    @property
    def weights(self) -> npt.NDArray[np.float64]:
        """Of each block: by its words, and less on a page with much text."""
        sizes = (self.sizes + 1.0) ** SIZE_POWER
        return np.asarray(self.times * sizes / np.sqrt(len(self.truth.split()) + 20), np.float64)


def label(page: Page, site: str, truth: str) -> Labelled:
    """Label a page by its truth."""
    labels, sizes = labels_of(page, truth)
    return Labelled(page, site, labels, sizes, name_words(page), line_words(page), truth)


def fit(pages: Sequence[Labelled], settings: Settings, progress: Progress) -> EngineModel:
    """Train the engine; the same pages and settings give the same bytes."""
    words = count_words(pages)
    tables = list(seen_pages(pages, words, progress))
    trees, base = grow_all(
        np.concatenate(tables, axis=1),
        np.concatenate([known.labels for known in pages]),
        np.concatenate([known.weights for known in pages]),
        settings,
        progress,
    )
    return EngineModel(COLUMNS, trees, base, words.lexicon())


def seen_pages(pages: Sequence[Labelled], words: Lexicons, progress: Progress) -> "list[Table]":
    """The features of each page, with words that its own site had no say in."""
    tables = []
    nameless = np.zeros_like(Lexicon.empty().names)
    lexicons: dict[str, Lexicon] = {}
    for done, known in enumerate(pages, 1):
        if known.site not in lexicons:
            lexicons = {known.site: words.lexicon(without=known.site)}
        lexicon = lexicons[known.site]
        unnamed = replace(lexicon, names=nameless) if done % NAMELESS == 0 else lexicon
        tables.append(measured(landmarks_of(known.page), unnamed, known.names, known.lines))
        progress("features", done, len(pages))
    return tables


def grow_all(
    table: Table, labels: npt.NDArray[Any], weights: npt.NDArray[Any], settings: Settings, progress: Progress
) -> tuple[Trees, float]:
    """The mean of all ensembles, as one."""
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
    """Grow oblivious trees, one column of the table an example."""
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
        return exported(json.loads(file.read_text()), settings.depth)


def exported(model: dict[str, Any], depth: int) -> tuple[Trees, float]:
    """The trees of CatBoost as flat arrays, and what they begin with."""
    grown = model["oblivious_trees"]
    feature = np.zeros((len(grown), depth), np.int32)
    threshold = np.full((len(grown), depth), np.inf, np.float32)  # a level that is not there says no to all
    leaf = np.zeros((len(grown), 2**depth), np.int32)
    scale, (base,) = model["scale_and_bias"]
    for place, tree in enumerate(grown):
        splits = tree["splits"] or []
        feature[place, : len(splits)] = [split["float_feature_index"] for split in splits]
        threshold[place, : len(splits)] = [split["border"] for split in splits]
        values = np.array(tree["leaf_values"]) * scale * CALM
        leaf[place, : len(values)] = np.round(values * UNIT)
    return Trees(feature, threshold, leaf), float(base) * CALM
