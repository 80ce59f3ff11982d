"""Train the model of page types: first weights of words, then trees over their sums and the measures of a page.

While the trees are trained, the word weights of a page are computed without its own site. Otherwise the trees would
trust words too much. Every page is used a second time with something removed: its address, its class and id names, or
all words of its text. Pages count as much as in the training of the engine.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from pagestrata.errors import UsageError, needs
from pagestrata.native.arrays import as_column
from pagestrata.page.page import Page
from pagestrata.page_type.model import TYPES, PageTypeModel, Signs, WordWeights, signs_of, softmax
from pagestrata.page_type.words import PLACES
from pagestrata.results import PageType
from pagestrata.train.folds import kept_together
from pagestrata.trees import Trees

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.intp]
Progress = Callable[[str, int, int], None]
"""Called with the name of a stage, the number of its steps that are done, and the number of all its steps."""

PARTS: Final = 5
"""Folds: the sites are divided into so many parts, and each part is left out once."""
MIN_SITES: Final = 4
"""A word is used if at least so many sites have it."""
MAX_WORDS: Final = 1_200
"""The number of words that are kept for each place, the most informative ones. With 1,000 and 3,000 the accuracy was
the same within its error."""
PENALTY: Final = 0.1
"""The penalty on the squares of the weights. At .03 and at .1 the accuracy was the same within its error."""
BALANCE: Final = 0.5
"""A page counts less by the number of pages of its type, to this power, so that rare types count enough."""
STEPS: Final = 60
"""Steps of the optimiser that finds the weights; other values were not tried."""
WORD_SHARE: Final = 0.3
"""Factor on the sum of the word scores of all places, which is added to the output of the trees. It is below 1 since
the places are correlated. With .2 and .4 the accuracy was the same within its error; without it, .007 lower."""
TREES: Final = 300
DEPTH: Final = 5
RATE: Final = 0.08
"""Other values were not tried."""
REMOVED_PLACES: Final = (("address",), ("names",), ("title", "meta", "lines", "text"))
"""The places that the second view of a page lacks; pages take these three in turn."""
TEMPERATURES: Final = np.linspace(0.5, 2.0, 31)
_NO_WORDS: Final = np.zeros(0, np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class TypedPage:
    """The signs of a page whose type is known."""

    site: str
    page_type: PageType
    words: tuple[npt.NDArray[np.int64], ...]
    """For each of the `PLACES` the keys of the words there, each once, in ascending order."""
    numbers: npt.NDArray[np.float32]
    numbers_without_address: npt.NDArray[np.float32]
    dataset: str = ""
    group: str = ""
    """The site, or the theme that several sites share: pages of one group are in one part."""
    weight: float = 1.0
    """How much the page counts."""


def read_typed_page(page: Page, site: str, page_type: PageType) -> TypedPage:
    """Read the signs of the type of a page, so that the page itself need not stay in memory."""
    signs = signs_of(page)
    words = tuple(np.unique(np.asarray(keys, np.int64)) for keys in signs.words)
    return TypedPage(site, page_type, words, signs.numbers, signs_of(replace(page, url=None)).numbers, group=site)


@dataclass(frozen=True, slots=True, eq=False)
class FittedTypes:
    """A model, and the accuracy of the same recipe on sites and themes that it was not trained on."""

    model: PageTypeModel
    accuracy: Mapping[str, float]
    """For each data set."""


def fit(pages: Sequence[TypedPage], seed: int, progress: Progress) -> FittedTypes:
    """Train a model; the same pages and seed give the same bytes."""
    corpus = gather(pages)
    sums = out_of_fold(corpus, seed, progress)[()]
    model = fit_once(corpus, np.arange(len(pages)), seed)
    progress("page types", PARTS + 1, PARTS + 1)
    temperature = best_temperature(sums, corpus.types, corpus.weights)
    return FittedTypes(replace(model, temperature=temperature), accuracies(corpus, sums))


def accuracies(corpus: "Corpus", sums: Floats) -> dict[str, float]:
    """Return the share of the pages of each data set whose type has the largest sum."""
    is_right = sums.argmax(axis=1) == corpus.types
    datasets = np.array([page.dataset for page in corpus.pages])
    return {name: float(is_right[datasets == name].mean()) for name in dict.fromkeys(datasets.tolist())}


@dataclass(frozen=True, slots=True, eq=False)
class Corpus:
    """All training pages as tables."""

    pages: Sequence[TypedPage]
    types: Ints
    """The place of each page's type in `TYPES`."""
    weights: Floats
    """How much each page counts."""
    words: tuple[npt.NDArray[np.int64], ...]
    """For each place the keys of the words that enough sites use, in ascending order."""
    uses: tuple[Any, ...]
    """For each place a sparse table, pages × words: 1 where the page has the word."""


def gather(pages: Sequence[TypedPage]) -> Corpus:
    """Number the words of all pages."""
    types = np.array([TYPES.index(page.page_type) for page in pages], np.intp)
    words, uses = zip(*(_uses(pages, place) for place in range(len(PLACES))), strict=True)
    return Corpus(pages, types, np.array([page.weight for page in pages]), words, uses)


def _uses(pages: Sequence[TypedPage], place: int) -> tuple[npt.NDArray[np.int64], Any]:
    """Return the words of a place that enough sites use, and a sparse table of the pages that use each."""
    numbers = {site: number for number, site in enumerate(dict.fromkeys(page.site for page in pages))}
    keys = np.concatenate([page.words[place] for page in pages])
    sizes = [len(page.words[place]) for page in pages]
    sites = np.repeat([numbers[page.site] for page in pages], sizes)
    users = np.unique(np.stack([keys, sites]), axis=1)[0]
    different, counts = np.unique(users, return_counts=True)
    frequent = different[counts >= MIN_SITES]
    columns = [np.flatnonzero(np.isin(frequent, page.words[place], assume_unique=True)) for page in pages]
    ends = np.cumsum([0, *map(len, columns)])
    places = np.concatenate(columns)
    shape = (len(pages), len(frequent))
    return frequent, _scipy().sparse.csr_array((np.ones(len(places)), places, ends), shape=shape)


def assign_parts(pages: Sequence[TypedPage], seed: int) -> Ints:
    """Assign each page to a part; all pages of a site, and all of a theme, are in the same one."""
    groups = len({page.group for page in pages})
    if groups < PARTS:
        raise UsageError(f"page types are learned from {PARTS} sites or more; there are {groups}")
    return np.array(kept_together(pages, PARTS, seed), np.intp)


Views = dict[tuple[str, ...], Floats]
"""For each set of removed places a table of pages × types: the sums before the softmax."""


def out_of_fold(corpus: Corpus, seed: int, progress: Progress, views: Sequence[tuple[str, ...]] = ((),)) -> Views:
    """Return the sums of each page from a model trained without its site, for each set of removed places."""
    part = assign_parts(corpus.pages, seed)
    sums: Views = {removed: np.zeros((len(part), len(TYPES))) for removed in views}
    for number in range(PARTS):
        model = fit_once(corpus, np.flatnonzero(part != number), seed)
        for place in np.flatnonzero(part == number).tolist():
            for removed in views:
                sums[removed][place] = model.sums(model.row(view(corpus.pages[place], removed)))
        progress("page types", number + 1, PARTS + 1)
    return sums


def view(page: TypedPage, removed: Sequence[str]) -> Signs:
    """Return the signs of a page with some places empty."""
    words = [_NO_WORDS if place in removed else keys for place, keys in zip(PLACES, page.words, strict=True)]
    numbers = page.numbers_without_address if "address" in removed else page.numbers
    return Signs(tuple(map(as_column, words)), numbers)


def best_temperature(sums: Floats, types: Ints, weights: Floats) -> float:
    """Return the temperature that gives the true types the highest likelihood."""
    likelihoods = [
        weights @ np.log(softmax(sums / temperature)[np.arange(len(types)), types]) for temperature in TEMPERATURES
    ]
    return float(TEMPERATURES[np.argmax(likelihoods)])


def fit_once(corpus: Corpus, chosen: Ints, seed: int) -> PageTypeModel:
    """Train the weights of words and the trees on the chosen pages."""
    pages = [corpus.pages[place] for place in chosen.tolist()]
    part = assign_parts(pages, seed + 1)
    without = [fit_words(corpus, chosen[part != number]) for number in range(PARTS)]
    rows, types, weights = [], [], []
    for place, page in enumerate(pages):
        blind = PageTypeModel(without[part[place]], NO_TREES, WORD_SHARE)
        for removed in ((), REMOVED_PLACES[place % len(REMOVED_PLACES)]):
            rows.append(blind.row(view(page, removed)))
            types.append(corpus.types[chosen[place]])
            weights.append(page.weight)
    trees = boost(np.array(rows), np.array(types), np.array(weights), seed)
    return PageTypeModel(fit_words(corpus, chosen), trees, WORD_SHARE)


def fit_words(corpus: Corpus, chosen: Ints) -> tuple[WordWeights, ...]:
    """Return the word weights of each place, learned from the chosen pages."""
    types, weights = corpus.types[chosen], corpus.weights[chosen]
    return tuple(
        _weigh(words, uses[chosen], types, weights) for words, uses in zip(corpus.words, corpus.uses, strict=True)
    )


def _weigh(words: npt.NDArray[np.int64], uses: Any, types: Ints, page_weights: Floats) -> WordWeights:
    """Learn the weights of the most informative words by softmax regression, scaled as by `WordWeights.score`."""
    kept = np.sort(np.argsort(-information(uses, types, page_weights), kind="stable")[:MAX_WORDS])
    uses = uses[:, kept]
    scaled = uses.multiply(1 / np.sqrt(np.maximum(1, uses.sum(axis=1)))[:, None]).tocsr()
    weights, base = regress(scaled, types, page_weights)
    scale = max(float(np.abs(weights).max(initial=0)), 1e-6) / np.iinfo(np.int8).max
    return WordWeights(words[kept], np.round(weights / scale).astype(np.int8), scale, base.astype(np.float32))


def information(uses: Any, types: Ints, weights: Floats) -> Floats:
    """Return the information of each word about the type: observed against expected counts (G statistic)."""
    is_type = np.eye(len(TYPES))[types] * weights[:, None]
    of_type = is_type.sum(axis=0)
    with_word = np.asarray(uses.T @ is_type)
    expected = with_word.sum(axis=1, keepdims=True) * of_type / weights.sum()
    sides = (with_word, expected), (of_type - with_word, of_type - expected)
    return np.asarray(sum((seen * np.log((seen + 0.1) / (mean + 0.1))).sum(axis=1) for seen, mean in sides))


def regress(scaled: Any, types: Ints, page_weights: Floats) -> tuple[Floats, Floats]:
    """Return the weights of a softmax regression (words × types), and its constants without the type frequencies."""
    is_type = np.eye(len(TYPES))[types]
    counts = np.maximum(1, page_weights @ is_type)
    heavy = (page_weights * ((page_weights.sum() / len(TYPES) / counts) ** BALANCE)[types])[:, None]
    size, transposed = scaled.shape[1], scaled.T.tocsr()

    def loss(flat: Floats) -> tuple[float, Floats]:
        weights, common = flat[: -len(TYPES)].reshape(size, len(TYPES)), flat[-len(TYPES) :]
        chances = softmax(scaled @ weights + common)
        wrong = heavy * (chances - is_type)
        entropy = -(heavy[:, 0] * np.log(np.maximum(1e-300, chances[np.arange(len(types)), types]))).sum()
        slope = np.concatenate([(transposed @ wrong + PENALTY * weights).ravel(), wrong.sum(axis=0)])
        return entropy + PENALTY / 2 * (weights**2).sum(), slope

    start = np.zeros((size + 1) * len(TYPES))
    best = _scipy().optimize.minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": STEPS})
    common = best.x[-len(TYPES) :] - np.log((heavy * is_type).sum(axis=0).clip(1))
    return np.asarray(best.x[: -len(TYPES)].reshape(size, len(TYPES)), np.float64), common - common.mean()


def boost(table: npt.NDArray[np.float32], types: Ints, weights: Floats, seed: int) -> Trees:
    """Train the trees with CatBoost."""
    absent = [page_type for place, page_type in enumerate(TYPES) if place not in types]
    if absent:
        raise UsageError(f"page types are learned from pages of all types, on many sites; too few are {absent[0]}")
    with needs("catboost", "train"):
        from catboost import CatBoostClassifier
    booster = CatBoostClassifier(
        loss_function="MultiClass",
        classes_count=len(TYPES),
        iterations=TREES,
        depth=DEPTH,
        learning_rate=RATE,
        l2_leaf_reg=5,
        rsm=0.2,
        bootstrap_type="Bernoulli",
        subsample=0.7,
        border_count=64,
        random_seed=seed,
        thread_count=1,
        allow_writing_files=False,
        verbose=False,
    )
    booster.fit(table, types, sample_weight=weights)
    with TemporaryDirectory() as folder:
        file = Path(folder) / "trees.json"
        booster.save_model(str(file), format="json")
        return exported(json.loads(file.read_bytes()))


def exported(saved: dict[str, Any]) -> Trees:
    """Return the trees of CatBoost as arrays; a level that a tree lacks gets a condition that is never true."""
    trees = saved["oblivious_trees"]
    feature = np.zeros((len(trees), DEPTH), np.int32)
    threshold = np.full((len(trees), DEPTH), np.inf, np.float32)
    leaf = np.zeros((len(TYPES), len(trees), 1 << DEPTH))
    for place, tree in enumerate(trees):
        splits, values = tree["splits"] or [], np.array(tree["leaf_values"]).reshape(-1, len(TYPES))
        feature[place, : len(splits)] = [split["float_feature_index"] for split in splits]
        threshold[place, : len(splits)] = [split["border"] for split in splits]
        leaf[:, place, : len(values)] = values.T
    # The model file stores a leaf in one byte.
    unit = max(1, int(np.iinfo(np.int8).max / max(float(np.abs(leaf).max(initial=0)), 1e-6)))
    return Trees(feature, threshold, np.round(leaf * unit).astype(np.int32), unit)


NO_TREES: Final = Trees(
    np.zeros((0, DEPTH), np.int32),
    np.zeros((0, DEPTH), np.float32),
    np.zeros((len(TYPES), 0, 1 << DEPTH), np.int32),
)


def _scipy() -> Any:
    with needs("scipy", "train"):
        import scipy.optimize
        import scipy.sparse
    return scipy
