"""How well density recognises page types, by T1 and by the number of pages that T1 is learned from."""

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean, pstdev
from typing import Final

from pagestrata.algorithms.density import Density, PageKind
from pagestrata.algorithms.density.measures import mean_precision, mean_recall
from pagestrata.api import parse
from pagestrata.evaluate.datasets.truth import DataSet, MainText
from pagestrata.evaluate.metrics import SEED
from pagestrata.page.page import Page
from pagestrata.page.raw import RawPage

T1_VALUES: Final = tuple(range(0, 101, 10))
"""The values of T1 that are tried."""
SAMPLE_SIZES: Final = (5, 10, 20, 40, 80)
"""The numbers of pages of each kind that T1 is learned from."""
RUNS: Final = 10
"""Random samples of each size, as in the paper."""

KINDS: Final = {
    "article": PageKind.ARTICLE,
    "article_comments": PageKind.ARTICLE_WITH_COMMENTS,
    "multiple": PageKind.MULTIPLE,
}
"""The kinds by the names of page types in data sets."""


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """The answers at one T1."""

    t1: int
    precision: float
    recall: float
    recalls: dict[PageKind, float]
    """The recall of each kind of page."""


@dataclass(frozen=True, slots=True)
class LearningPoint:
    """The precision, on all other pages, of the T1 learned from a number of pages of each kind."""

    pages: int
    precision: float
    deviation: float
    """The standard deviation of the precision over the random samples."""


def labelled_pages(dataset: DataSet) -> list[tuple[Page, PageKind]]:
    """Return the pages of a data set that has the three page types of the paper."""
    pages = [page for site in dataset.sites for page in (*site.pages, *site.listings)]
    truths = [(page, page.truth.page_type) for page in pages if isinstance(page.truth, MainText)]
    return [(parse(RawPage(page.read(), page.url)), KINDS[kind]) for page, kind in truths if kind in KINDS]


class DensityCurves:
    """The answers to labelled pages at each T1."""

    def __init__(self, samples: Iterable[tuple[Page, PageKind]], published: bool = False) -> None:
        self.truth: list[PageKind] = []
        self.answers: dict[int, list[PageKind]] = {t1: [] for t1 in T1_VALUES}
        methods = {t1: Density(float(t1), published=published) for t1 in T1_VALUES}
        for page, kind in samples:
            tree = methods[0].tree(page)
            self.truth.append(kind)
            for t1, method in methods.items():
                self.answers[t1].append(method.decide(tree).kind)

    def by_t1(self) -> list[CurvePoint]:
        """Return precision and recall at each T1."""
        everything = range(len(self.truth))
        return [
            CurvePoint(t1, mean_precision(pairs), mean_recall(pairs), {kind: _recall(pairs, kind) for kind in PageKind})
            for t1 in T1_VALUES
            for pairs in [self._pairs(t1, everything)]
        ]

    def by_sample_size(self) -> list[LearningPoint]:
        """Return the precision of T1 learned from random samples, on other pages, as many of each kind at each size.

        Precision depends on how frequent the kinds are among the pages tested, so that these must not change with the
        size. The paper has the precision of fixed extreme thresholds on growing samples; ours is of the learned T1.
        """
        by_kind = [[i for i, truth in enumerate(self.truth) if truth is kind] for kind in sorted(set(self.truth))]
        fewest = min(map(len, by_kind), default=0)
        sizes = [size for size in SAMPLE_SIZES if 2 * size <= fewest]
        points = []
        for size in sizes:
            runs = (random.Random(SEED + run) for run in range(RUNS))  # noqa: S311
            values = [
                self._learned([draw.sample(places, fewest) for places in by_kind], size, sizes[-1]) for draw in runs
            ]
            points.append(LearningPoint(size, fmean(values), pstdev(values)))
        return points

    def _learned(self, by_kind: Sequence[Sequence[int]], size: int, largest: int) -> float:
        """Return the precision, behind the largest sample, of the T1 with the best precision on the first pages."""
        sample = [place for places in by_kind for place in places[:size]]
        best = max(T1_VALUES, key=lambda t1: (mean_precision(self._pairs(t1, sample)), -abs(t1 - 50)))
        return mean_precision(self._pairs(best, [place for places in by_kind for place in places[largest:]]))

    def _pairs(self, t1: int, places: Iterable[int]) -> list[tuple[str, str]]:
        return [(self.answers[t1][place], self.truth[place]) for place in places]


def _recall(pairs: Sequence[tuple[str, str]], kind: PageKind) -> float:
    answers = [answer for answer, truth in pairs if truth == kind]
    return answers.count(kind) / max(1, len(answers))
