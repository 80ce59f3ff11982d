"""Cross-validation of the engine on sites that it was not trained on, from the page to the extracted text."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from pagestrata.api import parse
from pagestrata.engine.engine import Engine
from pagestrata.evaluate.metrics import Score, snippets_found, word_score
from pagestrata.evaluate.names import without_names
from pagestrata.evaluate.title_lines import titles_of, without_titles
from pagestrata.landmarks import landmarks_of
from pagestrata.options import Options
from pagestrata.page.page import Page
from pagestrata.page.raw import RawPage
from pagestrata.render.text import text_of_blocks
from pagestrata.train.block_labels import labels_of
from pagestrata.train.fit_engine import LabelledPage, Progress, Settings, fit
from pagestrata.train.folds import kept_together

FOLDS: Final = 5
BINS: Final = 10
"""Bins of the reliability diagram."""
BIASES: Final = (-1.0, -0.75, -0.5, -0.25, 0.0, 0.25, 0.5, 0.75, 1.0)
"""Biases at which precision and recall are measured."""


@dataclass(frozen=True, slots=True, eq=False)
class HeldOutPage:
    """A page, and its results from an engine that was trained without the site of the page."""

    example: LabelledPage
    scores: Mapping[float, Score]
    """Word scores for each of the biases."""
    nameless_score: Score
    """The word score of the page without its class and id names."""
    snippets: Mapping[str, float]
    """The shares of the wanted (`with`) and unwanted (`without`) snippets that the text has, where they are known."""
    confidence: float
    importance: npt.NDArray[np.float64]
    labels: npt.NDArray[np.float32]
    """The true share of main text of each block that the page shows."""
    sizes: npt.NDArray[np.float32]

    @property
    def score(self) -> Score:
        """Return the word score at bias 0."""
        return self.scores[0.0]


def cross_validate(pages: Sequence[LabelledPage], settings: Settings, progress: Progress) -> list[HeldOutPage]:
    """Test each page with an engine of the other folds; sites that share a theme are in one fold."""
    folds = kept_together(pages, FOLDS)
    tested: list[HeldOutPage] = []
    for fold in range(FOLDS):
        chosen = [example for example, place in zip(pages, folds, strict=True) if place != fold]
        held_out = [example for example, place in zip(pages, folds, strict=True) if place == fold]
        engine = Engine(fit(chosen, settings, progress))
        tested += (examine(engine, example) for example in held_out)
        progress("folds", fold + 1, FOLDS)
    return tested


def examine(engine: Engine, example: LabelledPage) -> HeldOutPage:
    """Run an engine on one page with every bias, and once with class and id names removed."""
    page, nameless = pages_of(example)
    texts = {bias: kept_text(engine, page, Options(bias=bias)) for bias in BIASES}
    pieces = {"with": example.must_have, "without": example.must_not_have}
    decision, landmarks = engine.decide(page), landmarks_of(page)
    return HeldOutPage(
        example,
        scores={bias: score_text(text, example, page) for bias, text in texts.items()},
        nameless_score=score_text(kept_text(engine, nameless), example, nameless),
        snippets={name: snippets_found(texts[0.0], each) for name, each in pieces.items() if each},
        confidence=decision.confidence,
        importance=engine.score(landmarks)[0][landmarks.is_shown],
        labels=(known := labels_of(page, example.truth))[0],
        sizes=known[1],
    )


def pages_of(example: LabelledPage) -> tuple[Page, Page]:
    """Return the page unchanged, and with class and id names removed."""
    if example.raw is None:
        return example.page, example.page
    return parse(example.raw), parse(RawPage(without_names(example.raw.markup), url=example.raw.url))


def kept_text(engine: Engine, page: Page, options: Options | None = None) -> str:
    """Return the text that an engine keeps of a page."""
    kept = engine.segment(page, options or Options()).kept_blocks
    assert kept is not None  # noqa: S101 - where nothing but importance decides, the engine always sets it
    return text_of_blocks(page, kept)


def score_text(text: str, example: LabelledPage, page: Page) -> Score:
    """Return the word score of a text; titles and optional text neither raise nor lower it."""
    return word_score(without_titles(text, titles_of(page, example.titles)), example.truth, example.optional)


@dataclass(frozen=True, slots=True)
class Bin:
    """A bin of the reliability diagram: words of similar importance, and the share of them that is main text."""

    importance: float
    share: float
    words: float


def reliability(tested: Sequence[HeldOutPage]) -> list[Bin]:
    """Return the bins of the reliability diagram: mean importance against the true share of main text."""
    importance = np.concatenate([one.importance for one in tested])
    words = np.concatenate([one.sizes for one in tested]).astype(np.float64)
    labels = np.concatenate([one.labels for one in tested])
    place = np.minimum((importance * BINS).astype(np.intp), BINS - 1)
    size, predicted, actual = (np.bincount(place, words * what, minlength=BINS) for what in (1.0, importance, labels))
    return [Bin(predicted[i] / size[i], actual[i] / size[i], float(size[i])) for i in range(BINS) if size[i] > 0]


@dataclass(frozen=True, slots=True)
class BiasPoint:
    """Mean scores over all pages with one bias."""

    bias: float
    precision: float
    recall: float
    f1: float


def bias_curve(tested: Sequence[HeldOutPage]) -> list[BiasPoint]:
    """Return the mean scores for each bias, from high precision to high recall."""
    curve = []
    for bias in BIASES:
        scores = [one.scores[bias] for one in tested]
        means = np.mean([(each.precision, each.recall, each.f1) for each in scores], axis=0)
        curve.append(BiasPoint(bias, *means.tolist()))
    return curve


def calibration_error(bins: Sequence[Bin]) -> float:
    """Return the expected calibration error: the mean distance between importance and true share, weighted by words."""
    words = sum(one.words for one in bins)
    return sum(one.words * abs(one.importance - one.share) for one in bins) / max(1.0, words)


def rank_correlation(first: Sequence[float], second: Sequence[float]) -> float:
    """Return Spearman's rank correlation; 1 if both sequences have the same order.

    >>> round(rank_correlation([0.1, 0.5, 0.9], [1, 2, 3]), 9)
    1.0
    """
    ranks = np.array([_ranks(np.array(first)), _ranks(np.array(second))])
    return float(np.corrcoef(ranks)[0, 1])


def _ranks(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return the rank of each value; equal values share the mean of their ranks."""
    _, group, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return np.asarray((last - (counts - 1) / 2)[group], np.float64)


def by_type(tested: Sequence[HeldOutPage]) -> Iterator[tuple[str, list[HeldOutPage]]]:
    """Yield all pages as one group, then the pages of each type."""
    yield "all", list(tested)
    for page_type in sorted({one.example.page_type for one in tested} - {""}):
        yield page_type, [one for one in tested if one.example.page_type == page_type]
