"""How much a word speaks for main text: log odds over the sites that use it.

Each site has one vote, the mean label of the blocks under the word. While the trees are trained, a page sees weights in
which its own site has no vote: else the trees would trust the words more than they may.
"""

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from pagestrata.engine.lexicon import Lexicon, names_of, short_lines
from pagestrata.page.page import Page
from pagestrata.train.labels import Floats

PRIOR: Final = 4.0
"""Votes for the usual share of main text that every word begins with."""
LEAST_SITES: Final = 3
SHIPPED_SITES: Final = 5
"""Sites that must use a word before it is shipped."""
SHIPPED_WEIGHT: Final = 0.25
"""Weights nearer to 0 are left out."""

Sums = dict[str, list[float]]


@dataclass(slots=True)
class Votes:
    """For each word and site: the sum of labels, and of what they are the mean over."""

    of_word: dict[str, Sums] = field(default_factory=dict)

    def add(self, word: str, site: str, label: float, size: float) -> None:
        """Let a stretch of blocks under a word count for its site."""
        sums = self.of_word.setdefault(word, {}).setdefault(site, [0.0, 0.0])
        sums[0] += label
        sums[1] += size

    def means(self) -> "SiteVotes":
        """The vote of each site: the mean label under a word."""
        return {
            word: {site: label / size for site, (label, size) in sites.items()} for word, sites in self.of_word.items()
        }


SiteVotes = dict[str, dict[str, float]]


@dataclass(frozen=True, slots=True)
class Weights(Mapping[str, float]):
    """The weight of each word that enough sites use, as if one site were not there; worked out when asked for."""

    votes: SiteVotes
    usual: float
    without: str | None = None
    least: int = LEAST_SITES

    def __getitem__(self, word: str) -> float:
        sites = self.votes[word]
        own = sites.get(self.without) if self.without is not None else None
        count = len(sites) - (own is not None)
        if count < self.least:
            raise KeyError(word)
        total = sum(sites.values()) - (own or 0.0)
        return _log_odds((total + PRIOR * self.usual) / (count + PRIOR)) - _log_odds(self.usual)

    def __contains__(self, word: object) -> bool:
        sites = self.votes.get(word)  # type: ignore[call-overload]
        return sites is not None and len(sites) - (self.without in sites) >= self.least

    def __iter__(self) -> Iterator[str]:
        return (word for word in self.votes if word in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)


def _log_odds(share: float) -> float:
    share = min(max(share, 0.01), 0.99)
    return math.log(share / (1 - share))


@dataclass(slots=True)
class WordVotes:
    """All that is counted for a lexicon."""

    names: Votes = field(default_factory=Votes)
    lines: Votes = field(default_factory=Votes)
    headings: Votes = field(default_factory=Votes)
    label: float = 0.0
    pages: int = 0

    @property
    def usual(self) -> float:
        """The share of main text on a page, in the mean."""
        return self.label / max(1, self.pages)

    def add(self, page: Page, site: str, labels: Floats, sizes: Floats, is_heading: Iterable[bool]) -> None:
        """Count one page."""
        weights = sizes + 1
        good, all_words = _running(labels * weights), _running(weights)
        self.label += float(good[-1] / max(1.0, all_words[-1]))
        self.pages += 1
        first = np.searchsorted(page.blocks.node_start, np.arange(len(page.nodes) + 1)).tolist()
        ends = page.nodes.end.tolist()
        for node, found in names_of(page):
            start, end = first[node], first[ends[node]]
            for word in found if end > start else ():
                self.names.add(word, site, good[end] - good[start], all_words[end] - all_words[start])
        above: frozenset[str] = frozenset()
        for line, heading, label, weight in zip(
            short_lines(page), is_heading, labels.tolist(), weights.tolist(), strict=True
        ):
            for word in line:
                self.lines.add(word, site, label, 1.0)
            if heading:
                above = line
            else:
                for word in above:
                    self.headings.add(word, site, label * weight, weight)

    def lexicons(self) -> "Lexicons":
        """What was counted, made ready."""
        return Lexicons(self.names.means(), self.lines.means(), self.headings.means(), self.usual)


@dataclass(frozen=True, slots=True)
class Lexicons:
    """The votes of all sites."""

    names: SiteVotes
    lines: SiteVotes
    headings: SiteVotes
    usual: float

    def without(self, site: str) -> Lexicon:
        """The words as a page of that site sees them while the trees are trained."""
        return Lexicon(*(Weights(votes, self.usual, site) for votes in (self.names, self.lines, self.headings)))

    def shipped(self) -> Lexicon:
        """The words that go into the package."""
        return Lexicon(
            *(
                _telling(Weights(votes, self.usual, None, SHIPPED_SITES))
                for votes in (self.names, self.lines, self.headings)
            )
        )


def _telling(weights: Mapping[str, float]) -> dict[str, float]:
    found = {word: round(weight, 2) for word, weight in sorted(weights.items())}
    return {word: weight for word, weight in found.items() if abs(weight) >= SHIPPED_WEIGHT}


def _running(column: Floats) -> list[float]:
    return [0.0, *np.cumsum(column, dtype=np.float64).tolist()]
