"""Trains the page type model: first weights of words, then trees over them and over measures of the page.

The trees see a page with weights of words that were computed without its site, so that they do not trust words more
than they may. Every page is used a second time with something removed: its address, its names, or all natural language.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from pagestrata.engine.page_signs import PLACES, Words, numbers_of, words_of
from pagestrata.engine.page_type import TYPES, PageTypeModel, TypeTrees, WordWeights, softmax
from pagestrata.errors import MissingExtra, UsageError
from pagestrata.page.page import Page
from pagestrata.results import PageType

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.intp]
Progress = Callable[[str, int, int], None]
"""Called with the name of a stage, how many of its steps are done, and how many there are."""

PARTS: Final = 5
"""Parts that the sites are divided into; one is held out at a time."""
MIN_SITES: Final = 4
"""Sites that must use a word; other words are ignored."""
MAX_WORDS: Final = 1_500
"""Words of a place that are kept, the most informative ones. With 1,000 and 3,000 accuracy was the same within
its error."""
PENALTY: Final = 0.1
"""L2 penalty on the weights. At .03 and at .1 accuracy was the same within its error."""
BALANCE: Final = 0.5
"""A page weighs one over the number of pages of its type to this power, so that rare types are not forgotten."""
STEPS: Final = 60
"""Iterations of the regression; not swept."""
TREES: Final = 300
DEPTH: Final = 5
RATE: Final = 0.08
"""Not swept."""
REMOVED_PLACES: Final = (("address",), ("names",), ("title", "meta", "lines", "text"))
"""What is removed from the second copy of a page, in turn."""
TEMPERATURES: Final = np.linspace(0.5, 2.0, 31)


@dataclass(frozen=True, slots=True, eq=False)
class TypedPage:
    """The words and measures of a page, with its true type."""

    site: str
    page_type: PageType
    words: Words
    numbers: dict[str, float]
    numbers_without_address: dict[str, float]


def read_typed_page(page: Page, site: str, page_type: PageType) -> TypedPage:
    """Read the words and measures of a page, so that the page itself can be freed."""
    without = numbers_of(replace(page, url=None))
    return TypedPage(site, page_type, words_of(page), numbers_of(page), without)


@dataclass(frozen=True, slots=True, eq=False)
class FittedTypes:
    """A model, and the accuracy of the same training on held-out sites."""

    model: PageTypeModel
    accuracy: float


def fit(pages: Sequence[TypedPage], seed: int, progress: Progress) -> FittedTypes:
    """Train a model; the same pages and seed give the same bytes."""
    corpus = gather(pages)
    sums = out_of_fold(corpus, seed, progress)[()]
    model = fit_once(corpus, np.arange(len(pages)), seed)
    progress("page types", PARTS + 1, PARTS + 1)
    accuracy = float((sums.argmax(axis=1) == corpus.types).mean())
    return FittedTypes(replace(model, temperature=best_temperature(sums, corpus.types)), accuracy)


@dataclass(frozen=True, slots=True, eq=False)
class Corpus:
    """The types and words of all pages as arrays."""

    pages: Sequence[TypedPage]
    types: Ints
    """The place of each page's type in `TYPES`."""
    words: tuple[tuple[str, ...], ...]
    """For each place the words that enough sites use, sorted."""
    uses: tuple[Any, ...]
    """For each place a sparse matrix, pages × words: 1 where the page has the word."""


def gather(pages: Sequence[TypedPage]) -> Corpus:
    """Number the words of all pages."""
    types = np.array([TYPES.index(page.page_type) for page in pages], np.intp)
    words, uses = zip(*(_uses(pages, place) for place in PLACES), strict=True)
    return Corpus(pages, types, words, uses)


def _uses(pages: Sequence[TypedPage], place: str) -> tuple[tuple[str, ...], Any]:
    sites: dict[str, set[str]] = {}
    for page in pages:
        for word in page.words[place]:
            sites.setdefault(word, set()).add(page.site)
    frequent = tuple(sorted(word for word, users in sites.items() if len(users) >= MIN_SITES and "\n" not in word))
    numbers = {word: number for number, word in enumerate(frequent)}
    columns = [sorted(numbers[word] for word in page.words[place] if word in numbers) for page in pages]
    ends = np.cumsum([0, *map(len, columns)])
    places = np.array([number for column in columns for number in column], np.intp)
    shape = (len(pages), len(frequent))
    return frequent, _scipy().sparse.csr_array((np.ones(len(places)), places, ends), shape=shape)


def assign_parts(pages: Sequence[TypedPage], seed: int) -> Ints:
    """Assign each page to a part; all pages of a site are in the same one."""
    sites = sorted({page.site for page in pages})
    if len(sites) < PARTS:
        raise UsageError(f"page types are learned from {PARTS} sites or more; there are {len(sites)}")
    order = np.random.default_rng(seed).permutation(len(sites)).tolist()
    part = {site: place % PARTS for site, place in zip(sites, order, strict=True)}
    return np.array([part[page.site] for page in pages], np.intp)


Views = dict[tuple[str, ...], Floats]
"""By what is removed: pages × types, sums before the softmax."""


def out_of_fold(corpus: Corpus, seed: int, progress: Progress, views: Sequence[tuple[str, ...]] = ((),)) -> Views:
    """The sums of models that were trained without the site of each page, with each of these places removed."""
    part = assign_parts(corpus.pages, seed)
    sums: Views = {removed: np.zeros((len(part), len(TYPES))) for removed in views}
    for number in range(PARTS):
        model = fit_once(corpus, np.flatnonzero(part != number), seed)
        for place in np.flatnonzero(part == number).tolist():
            for removed in views:
                sums[removed][place] = model.trees.score(model.row(*view(corpus.pages[place], removed)))
        progress("page types", number + 1, PARTS + 1)
    return sums


def view(page: TypedPage, removed: Sequence[str]) -> tuple[Words, dict[str, float]]:
    """The words and measures of a page, with some places emptied."""
    words = {place: frozenset[str]() if place in removed else page.words[place] for place in PLACES}
    return words, page.numbers_without_address if "address" in removed else page.numbers


def best_temperature(sums: Floats, types: Ints) -> float:
    """The temperature under which the true types are most likely."""
    likelihoods = [
        np.log(softmax(sums / temperature)[np.arange(len(types)), types]).sum() for temperature in TEMPERATURES
    ]
    return float(TEMPERATURES[np.argmax(likelihoods)])


def fit_once(corpus: Corpus, chosen: Ints, seed: int) -> PageTypeModel:
    """Train words and trees on the chosen pages."""
    pages = [corpus.pages[place] for place in chosen.tolist()]
    part = assign_parts(pages, seed + 1)
    without = [fit_words(corpus, chosen[part != number]) for number in range(PARTS)]
    numbers = tuple(pages[0].numbers)
    rows, types = [], []
    for place, page in enumerate(pages):
        blind = PageTypeModel(numbers, without[part[place]], NO_TREES)
        for removed in ((), REMOVED_PLACES[place % len(REMOVED_PLACES)]):
            rows.append(blind.row(*view(page, removed)))
            types.append(corpus.types[chosen[place]])
    trees = boost(np.array(rows), np.array(types), seed)
    return PageTypeModel(numbers, fit_words(corpus, chosen), trees)


def fit_words(corpus: Corpus, chosen: Ints) -> tuple[WordWeights, ...]:
    """Fit the weights of the words of each place on the chosen pages."""
    types = corpus.types[chosen]
    return tuple(_weigh(words, uses[chosen], types) for words, uses in zip(corpus.words, corpus.uses, strict=True))


def _weigh(words: Sequence[str], uses: Any, types: Ints) -> WordWeights:
    """Softmax regression over the most informative words, each page scaled as `WordWeights.score` scales it."""
    statistic = information(uses, types)
    kept = np.sort(np.argsort(-statistic, kind="stable")[:MAX_WORDS])
    uses = uses[:, kept]
    scaled = uses.multiply(1 / np.sqrt(np.maximum(1, uses.sum(axis=1)))[:, None]).tocsr()
    weights = regress(scaled, types)
    scale = max(float(np.abs(weights).max(initial=0)), 1e-6) / np.iinfo(np.int8).max
    rows = {words[place]: row for row, place in enumerate(kept.tolist())}
    return WordWeights(rows, np.round(weights / scale).astype(np.int8), scale)


def information(uses: Any, types: Ints) -> Floats:
    """How much the use of each word depends on the type: observed against expected counts (G statistic)."""
    is_type = np.eye(len(TYPES))[types]
    of_type = is_type.sum(axis=0)
    with_word = np.asarray(uses.T @ is_type)
    expected = with_word.sum(axis=1, keepdims=True) * of_type / len(types)
    sides = (with_word, expected), (of_type - with_word, of_type - expected)
    return np.asarray(sum((seen * np.log((seen + 0.1) / (mean + 0.1))).sum(axis=1) for seen, mean in sides))


def regress(scaled: Any, types: Ints) -> Floats:
    """Fit a softmax regression, and return its weights: words × types. The biases of the types are left out."""
    is_type = np.eye(len(TYPES))[types]
    counts = np.maximum(1, is_type.sum(axis=0))
    heavy = ((len(types) / len(TYPES) / counts) ** BALANCE)[types, None]
    size, transposed = scaled.shape[1], scaled.T.tocsr()

    def loss(flat: Floats) -> tuple[float, Floats]:
        weights, common = flat[: -len(TYPES)].reshape(size, len(TYPES)), flat[-len(TYPES) :]
        chances = softmax(scaled @ weights + common)
        wrong = heavy * (chances - is_type)
        negative_likelihood = -(heavy[:, 0] * np.log(np.maximum(1e-300, chances[np.arange(len(types)), types]))).sum()
        slope = np.concatenate([(transposed @ wrong + PENALTY * weights).ravel(), wrong.sum(axis=0)])
        return negative_likelihood + PENALTY / 2 * (weights**2).sum(), slope

    start = np.zeros((size + 1) * len(TYPES))
    solution = _scipy().optimize.minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": STEPS})
    return np.asarray(solution.x[: -len(TYPES)].reshape(size, len(TYPES)), np.float64)


def boost(table: npt.NDArray[np.float32], types: Ints, seed: int) -> TypeTrees:
    """Train the trees."""
    absent = [page_type for place, page_type in enumerate(TYPES) if place not in types]
    if absent:
        raise UsageError(f"page types are learned from pages of all types, on many sites; too few are {absent[0]}")
    try:
        from catboost import CatBoostClassifier
    except ImportError as error:
        raise MissingExtra("catboost", "train") from error

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
    booster.fit(table, types)
    with TemporaryDirectory() as folder:
        file = Path(folder) / "trees.json"
        booster.save_model(str(file), format="json")
        return from_catboost(json.loads(file.read_bytes()))


def from_catboost(saved: dict[str, Any]) -> TypeTrees:
    """Convert a CatBoost model to arrays; the missing levels of a less deep tree get conditions that never hold."""
    trees = saved["oblivious_trees"]
    feature = np.zeros((len(trees), DEPTH), np.uint16)
    threshold = np.full((len(trees), DEPTH), np.inf, np.float32)
    leaf = np.zeros((len(trees), 1 << DEPTH, len(TYPES)))
    for place, tree in enumerate(trees):
        splits, values = tree["splits"] or [], np.array(tree["leaf_values"]).reshape(-1, len(TYPES))
        feature[place, : len(splits)] = [split["float_feature_index"] for split in splits]
        threshold[place, : len(splits)] = [split["border"] for split in splits]
        leaf[place, : len(values)] = values
    scale = max(float(np.abs(leaf).max(initial=0)), 1e-6) / np.iinfo(np.int8).max
    return TypeTrees(feature, threshold, np.round(leaf / scale).astype(np.int8), scale)


NO_TREES: Final = TypeTrees(
    np.zeros((0, DEPTH), np.uint16),
    np.zeros((0, DEPTH), np.float32),
    np.zeros((0, 1 << DEPTH, len(TYPES)), np.int8),
    1.0,
)


def _scipy() -> Any:
    try:
        import scipy.optimize
        import scipy.sparse
    except ImportError as error:
        raise MissingExtra("scipy", "train") from error
    return scipy
