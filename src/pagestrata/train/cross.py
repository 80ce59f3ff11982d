"""How good the engine is on sites it has not seen: cross-validation, by the whole way from page to text."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from pagestrata.engine.engine import Engine
from pagestrata.engine.features import features_of
from pagestrata.evaluate.metrics import Score, word_score
from pagestrata.render.text import text_of_blocks
from pagestrata.train.fit import Labelled, Progress, Settings, fit

FOLDS: Final = 5
BINS: Final = 10
"""Of the reliability diagram."""


@dataclass(frozen=True, slots=True, eq=False)
class Tested:
    """What an engine that knew nothing of the page's site made of it."""

    known: Labelled
    score: Score
    confidence: float
    importance: npt.NDArray[np.float64]


def cross_validate(
    pages: Sequence[Labelled], others: Sequence[Labelled], settings: Settings, progress: Progress
) -> list[Tested]:
    """Test each page with an engine of the other folds and of `others`; a site is in one fold only."""
    folds = assign_folds(pages)
    tested: list[Tested] = []
    for fold in range(FOLDS):
        chosen = [known for known, place in zip(pages, folds, strict=True) if place != fold]
        held_out = [known for known, place in zip(pages, folds, strict=True) if place == fold]
        sites = {known.site for known in held_out}
        chosen += [known for known in others if known.site not in sites]
        engine = Engine(fit(chosen, settings, progress))
        tested += (test_page(engine, known) for known in held_out)
        progress("folds", fold + 1, FOLDS)
    return tested


def assign_folds(pages: Sequence[Labelled]) -> list[int]:
    """The fold of each page; the sites are drawn with a fixed seed."""
    sites = sorted({known.site for known in pages})
    order = np.random.default_rng(0).permutation(len(sites))
    fold = {site: int(place) % FOLDS for site, place in zip(sites, order, strict=True)}
    return [fold[known.site] for known in pages]


def test_page(engine: Engine, known: Labelled) -> Tested:
    """Run the engine on one page."""
    found = engine.segment(known.page)
    assert found.kept is not None  # noqa: S101 - with options as they are by default, the engine says what it keeps
    importance = engine.importance(features_of(known.page, engine.model.lexicon))
    text = text_of_blocks(known.page, found.kept)
    return Tested(known, word_score(text, known.truth), found.confidence, importance)


@dataclass(frozen=True, slots=True)
class Bin:
    """Words of about one importance, and how many of them are main text."""

    importance: float
    share: float
    words: float


def reliability(tested: Sequence[Tested]) -> list[Bin]:
    """The reliability diagram: what the importance says, and what holds."""
    importance = np.concatenate([one.importance for one in tested])
    words = np.concatenate([one.known.sizes for one in tested]).astype(np.float64)
    labels = np.concatenate([one.known.labels for one in tested])
    place = np.minimum((importance * BINS).astype(np.intp), BINS - 1)
    size, said, held = (np.bincount(place, words * what, minlength=BINS) for what in (1.0, importance, labels))
    return [Bin(said[i] / size[i], held[i] / size[i], float(size[i])) for i in range(BINS) if size[i] > 0]


def calibration_error(bins: Sequence[Bin]) -> float:
    """The expected calibration error: how far the two sides of the diagram are apart, in the mean over words."""
    words = sum(one.words for one in bins)
    return sum(one.words * abs(one.importance - one.share) for one in bins) / max(1.0, words)


def rank_correlation(first: Sequence[float], second: Sequence[float]) -> float:
    """Spearman's: 1 if both rank alike.

    >>> round(rank_correlation([0.1, 0.5, 0.9], [1, 2, 3]), 9)
    1.0
    """
    ranks = np.array([_ranks(np.array(first)), _ranks(np.array(second))])
    return float(np.corrcoef(ranks)[0, 1])


def _ranks(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The place of each value among all; equal ones share the mean of their places."""
    _, group, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return np.asarray((last - (counts - 1) / 2)[group], np.float64)


def by_type(tested: Sequence[Tested]) -> Iterator[tuple[str, list[Tested]]]:
    """All pages, then those of each type."""
    yield "all", list(tested)
    for page_type in sorted({one.known.page_type for one in tested} - {""}):
        yield page_type, [one for one in tested if one.known.page_type == page_type]
