"""How good the engine is on sites it has not seen: cross-validation, by the whole way from page to text."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from pagestrata.engine.engine import Engine
from pagestrata.evaluate.metrics import Score, snippets_found, word_score
from pagestrata.landmarks import landmarks_of
from pagestrata.options import Options
from pagestrata.render.text import text_of_blocks
from pagestrata.results import Segmentation
from pagestrata.train.fit_engine import LabelledPage, Progress, Settings, fit

FOLDS: Final = 5
BINS: Final = 10
"""Of the reliability diagram."""
BIASES: Final = (-1.0, -0.75, -0.5, -0.25, 0.0, 0.25, 0.5, 0.75, 1.0)
"""Where the curve of precision and recall is measured."""


@dataclass(frozen=True, slots=True, eq=False)
class HeldOutPage:
    """What an engine that knew nothing of the page's site made of it."""

    known: LabelledPage
    scores: Mapping[float, Score]
    """For each of the biases."""
    snippets: Mapping[str, float]
    """The share found of what should be there (`with`), and of what should not (`without`), where that is known."""
    confidence: float
    importance: npt.NDArray[np.float64]

    @property
    def score(self) -> Score:
        """Without a bias."""
        return self.scores[0.0]


def cross_validate(
    pages: Sequence[LabelledPage], others: Sequence[LabelledPage], settings: Settings, progress: Progress
) -> list[HeldOutPage]:
    """Test each page with an engine of the other folds and of `others`; a site is in one fold only."""
    folds = assign_folds(pages)
    tested: list[HeldOutPage] = []
    for fold in range(FOLDS):
        chosen = [known for known, place in zip(pages, folds, strict=True) if place != fold]
        held_out = [known for known, place in zip(pages, folds, strict=True) if place == fold]
        sites = {known.site for known in held_out}
        chosen += [known for known in others if known.site not in sites]
        engine = Engine(fit(chosen, settings, progress))
        tested += (examine(engine, known) for known in held_out)
        progress("folds", fold + 1, FOLDS)
    return tested


def assign_folds(pages: Sequence[LabelledPage]) -> list[int]:
    """The fold of each page; the sites are drawn with a fixed seed."""
    sites = sorted({known.site for known in pages})
    order = np.random.default_rng(0).permutation(len(sites))
    fold = {site: int(place) % FOLDS for site, place in zip(sites, order, strict=True)}
    return [fold[known.site] for known in pages]


def examine(engine: Engine, known: LabelledPage) -> HeldOutPage:
    """Run the engine on one page."""
    texts = {bias: _text(engine.segment(known.page, Options(bias=bias)), known) for bias in BIASES}
    pieces = {"with": known.must_have, "without": known.must_not_have}
    return HeldOutPage(
        known,
        scores={bias: word_score(text, known.truth) for bias, text in texts.items()},
        snippets={name: snippets_found(texts[0.0], each) for name, each in pieces.items() if each},
        confidence=engine.segment(known.page).confidence,
        importance=engine.score(landmarks_of(known.page)),
    )


def _text(found: Segmentation, known: LabelledPage) -> str:
    assert found.kept_blocks is not None  # noqa: S101 - where nothing but importance decides, the engine says what it keeps
    return text_of_blocks(known.page, found.kept_blocks)


@dataclass(frozen=True, slots=True)
class Bin:
    """Words of about one importance, and how many of them are main text."""

    importance: float
    share: float
    words: float


def reliability(tested: Sequence[HeldOutPage]) -> list[Bin]:
    """The reliability diagram: what the importance says, and what holds."""
    importance = np.concatenate([one.importance for one in tested])
    words = np.concatenate([one.known.sizes for one in tested]).astype(np.float64)
    labels = np.concatenate([one.known.labels for one in tested])
    place = np.minimum((importance * BINS).astype(np.intp), BINS - 1)
    size, said, held = (np.bincount(place, words * what, minlength=BINS) for what in (1.0, importance, labels))
    return [Bin(said[i] / size[i], held[i] / size[i], float(size[i])) for i in range(BINS) if size[i] > 0]


@dataclass(frozen=True, slots=True)
class BiasPoint:
    """What a bias does, in the mean over pages."""

    bias: float
    precision: float
    recall: float
    f1: float


def bias_curve(tested: Sequence[HeldOutPage]) -> list[BiasPoint]:
    """From precision to recall."""
    curve = []
    for bias in BIASES:
        scores = [one.scores[bias] for one in tested]
        means = np.mean([(each.precision, each.recall, each.f1) for each in scores], axis=0)
        curve.append(BiasPoint(bias, *means.tolist()))
    return curve


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


def by_type(tested: Sequence[HeldOutPage]) -> Iterator[tuple[str, list[HeldOutPage]]]:
    """All pages, then those of each type."""
    yield "all", list(tested)
    for page_type in sorted({one.known.page_type for one in tested} - {""}):
        yield page_type, [one for one in tested if one.known.page_type == page_type]
