"""Weights of words: the log odds that text under a word is main text, over the sites that use the word.

Each site has one vote: the mean label of the blocks under the word. While the trees are trained, the weights for a page
exclude the vote of its own site. Otherwise the trees would trust words more than is justified on an unknown site.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from pagestrata.engine.lexicon import STEPS, Lexicon
from pagestrata.landmarks import Landmarks, landmarks_of
from pagestrata.landmarks.comments import line_words_of
from pagestrata.landmarks.words import Words, name_words
from pagestrata.native.words import BUCKETS
from pagestrata.page.page import Page

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.intp]

PRIOR: Final = 4.0
"""Every word starts with so many votes for the average share of main text."""
MIN_SITES: Final = 3
"""A word that fewer sites use has weight 0."""
MIN_WEIGHT: Final = 0.25
"""Weights closer to 0 than this are set to 0."""
MAX_WEIGHT: Final = 3.9


@dataclass(slots=True)
class _Counts:
    """Counts as rows: a site, the buckets of its words, and the sums of labels and of sizes under each word."""

    rows: list[tuple[int, Ints, Floats, Floats]] = field(default_factory=list)

    def add(self, site: int, buckets: Ints, labels: Floats, sizes: Floats) -> None:
        distinct, group = np.unique(buckets, return_inverse=True)
        label_sums = np.asarray(np.bincount(group, labels), np.float64)
        size_sums = np.asarray(np.bincount(group, sizes), np.float64)
        self.rows.append((site, distinct, label_sums, size_sums))

    def votes(self, usual: float) -> "Votes":
        sites = np.concatenate([np.full(len(buckets), site) for site, buckets, _, _ in self.rows])
        buckets, labels, sizes = (np.concatenate([row[place] for row in self.rows]) for place in (1, 2, 3))
        pairs, group = np.unique(sites * BUCKETS + buckets, return_inverse=True)
        label_sums, size_sums = np.bincount(group, labels), np.bincount(group, sizes)
        votes = size_sums > 0
        pairs, mean = pairs[votes], label_sums[votes] / size_sums[votes]
        return Votes(pairs // BUCKETS, pairs % BUCKETS, mean, usual)


@dataclass(frozen=True, eq=False)
class Votes:
    """The votes of all sites: one row for each pair of site and word, ordered by site."""

    site: Ints
    bucket: Ints
    mean: Floats
    """The mean label under the word."""
    usual: float

    @cached_property
    def total(self) -> Floats:
        """Return the sum of the votes for each bucket."""
        return np.asarray(np.bincount(self.bucket, self.mean, minlength=BUCKETS), np.float64)

    @cached_property
    def count(self) -> Ints:
        """Return the number of sites that vote for each bucket."""
        return np.bincount(self.bucket, minlength=BUCKETS)

    def weights(self, without: int = -1) -> npt.NDArray[np.int8]:
        """Return the weight of each bucket in steps, without the vote of one site."""
        first, last = np.searchsorted(self.site, (without, without + 1))
        total, count = self.total.copy(), self.count.copy()
        total[self.bucket[first:last]] -= self.mean[first:last]
        count[self.bucket[first:last]] -= 1
        weights = _log_odds((total + PRIOR * self.usual) / (count + PRIOR)) - _log_odds(np.array(self.usual))
        is_significant = (count >= MIN_SITES) & (np.abs(weights) >= MIN_WEIGHT)
        clipped = np.where(is_significant, weights.clip(-MAX_WEIGHT, MAX_WEIGHT), 0.0)
        return np.round(clipped * STEPS).astype(np.int8)


def _log_odds(share: Floats) -> Floats:
    share = share.clip(0.01, 0.99)
    return np.asarray(np.log(share / (1 - share)))


@dataclass(frozen=True, slots=True, eq=False)
class Lexicons:
    """The votes of all sites."""

    sites: dict[str, int]
    names: Votes
    lines: Votes
    headings: Votes

    def lexicon(self, without: str | None = None) -> Lexicon:
        """Return the lexicon of all sites, or of all except one."""
        site = self.sites.get(without, -1) if without is not None else -1
        return Lexicon(*(votes.weights(site) for votes in (self.names, self.lines, self.headings)))


@dataclass(frozen=True, slots=True, eq=False)
class PageWords:
    """A page with its words and labels."""

    page: Page
    site: str
    labels: npt.NDArray[np.float32]
    """The share of the words of each block that is shown that are main text."""
    sizes: npt.NDArray[np.float32]
    """Words of each of these blocks."""
    counts: npt.NDArray[np.bool_]
    """Whether each of them is learned from; text that is optional in the truth is not."""

    @property
    def landmarks(self) -> Landmarks:
        """Return the landmarks of the shown blocks."""
        return landmarks_of(self.page).shown


def count_words(pages: Sequence[PageWords]) -> Lexicons:
    """Collect the votes of all sites from labelled pages."""
    sites = {site: number for number, site in enumerate(sorted({example.site for example in pages}))}
    names, lines, headings = _Counts(), _Counts(), _Counts()
    usual = 0.0
    for example in pages:
        site, weights = sites[example.site], (example.sizes.astype(np.float64) + 1) * example.counts
        good, all_words = _running(example.labels * weights), _running(weights)
        usual += float(good[-1] / max(1.0, all_words[-1])) / len(pages)
        _count_names(names, site, example, good, all_words)
        place, bucket = _columns(example.landmarks.once(line_words_of))
        labels, counts = (column.astype(np.float64) for column in (example.labels, example.counts))
        lines.add(site, bucket, (labels * counts)[place], counts[place])
        _count_headings(headings, site, example, good, all_words, place, bucket)
    return Lexicons(sites, *(counts.votes(usual) for counts in (names, lines, headings)))


def _count_names(counts: _Counts, site: int, example: PageWords, good: Floats, all_words: Floats) -> None:
    place, bucket = _columns(example.page.once(name_words))
    starts, ends = example.landmarks.blocks_of(place)
    some = ends > starts
    starts, ends = starts[some], ends[some]
    counts.add(site, bucket[some], good[ends] - good[starts], all_words[ends] - all_words[starts])


def _count_headings(
    counts: _Counts, site: int, example: PageWords, good: Floats, all_words: Floats, place: Ints, bucket: Ints
) -> None:
    """Add the labels of the blocks from each heading to the next under the words of the heading."""
    is_heading = example.landmarks.heading_level > 0
    edges = np.append(np.flatnonzero(is_heading), len(is_heading))
    next_heading = edges[np.minimum(np.searchsorted(edges, place, side="right"), len(edges) - 1)]
    some = is_heading[place] & (next_heading > place + 1) if len(place) else np.zeros(0, np.bool_)
    starts, ends = place[some] + 1, next_heading[some]
    counts.add(site, bucket[some], good[ends] - good[starts], all_words[ends] - all_words[starts])


def _columns(words: Words) -> tuple[Ints, Ints]:
    return np.asarray(words.place[: words.count], np.intp), np.asarray(words.bucket[: words.count], np.intp)


def _running(column: npt.NDArray[np.float64]) -> Floats:
    return np.concatenate(([0.0], np.cumsum(column, dtype=np.float64)))
