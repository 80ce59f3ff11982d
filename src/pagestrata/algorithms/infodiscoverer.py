"""InfoDiscoverer: terms spread evenly over the pages of a site are redundant (Lin and Ho, KDD 2002).

A term has the entropy of its frequency over the pages; a content block that of its terms. Near 1, the block is
redundant; near 0, informative. Ours: content blocks come from all tags that organise a page, not from `<table>` alone;
the page that is read counts as one more page of the site, so that one known page is enough; the cut lies in the middle,
where the paper searches for one site by site.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from pagestrata.algorithms.base import DEFAULTS, Part, segmentation
from pagestrata.options import Options
from pagestrata.page.content_blocks import block_of, content_blocks
from pagestrata.page.feed import Feed
from pagestrata.page.nodes import Ints
from pagestrata.page.page import Page
from pagestrata.page.terms import Floats, Terms, Vocabulary, language_of
from pagestrata.results import Segmentation

Spread = tuple[float, float]
"""The sum of the frequencies f of a term over the pages, and the sum of f · ln f: its entropy follows from these."""
NOWHERE: Final = (0.0, 0.0)


def entropy(spread: Spread, pages: int) -> float:
    """H(F) = - sum of w_j log_n w_j, where w_j is the share of page j in all occurrences: 1 if on all pages alike.

    Twice on each of two pages; once on one of two; 3, 1, 0 and 0 times on four: (2 - 3/4 · log2 3) / 2.

    >>> entropy(added(added(NOWHERE, 2), 2), 2), entropy(added(NOWHERE, 1), 2)
    (1.0, 0.0)
    >>> round(entropy(added(added(NOWHERE, 3), 1), 4), 4)
    0.4056
    """
    total, logs = spread
    return (math.log(total) - logs / total) / math.log(pages) if pages > 1 else 0.0


def added(spread: Spread, frequency: int) -> Spread:
    """Return the spread after one more page, on which the term has this frequency."""
    return spread[0] + frequency, spread[1] + frequency * math.log(frequency)


@dataclass(frozen=True, slots=True)
class InfoDiscoverer:
    """Learns how terms are spread over a site."""

    def learn(self, pages: Sequence[Page], feed: Feed | None = None) -> "Discovered":
        """Count the terms of each page."""
        language = language_of(pages)
        spreads: dict[str, Spread] = {}
        for page in pages:
            vocabulary = Vocabulary(language)
            numbers, counts = vocabulary.read(page).frequencies()
            for number, count in zip(numbers.tolist(), counts.tolist(), strict=True):
                term = vocabulary.terms[number]
                spreads[term] = added(spreads.get(term, NOWHERE), count)
        return Discovered(len(pages), language, spreads)


@dataclass(frozen=True, slots=True)
class Discovered:
    """Computes how redundant each content block of a page is on its site."""

    pages: int
    language: str | None = None
    spreads: Mapping[str, Spread] = field(default_factory=dict, repr=False)

    def segment(self, page: Page, options: Options = DEFAULTS) -> Segmentation:
        """Return a section for each content block; importance = 1 - H(block)."""
        blocks = content_blocks(page)
        vocabulary = Vocabulary(self.language)
        terms = vocabulary.read(page)
        redundancy = block_entropies(
            terms, block_of(blocks, terms.nodes), self.entropies(vocabulary, terms), len(blocks)
        )
        parts = [
            Part(block.start, block.end, 1 - mean_entropy, reasons=(f"mean entropy {mean_entropy:.2f} of its terms",))
            for block, mean_entropy in zip(blocks, redundancy.tolist(), strict=True)
        ]
        notes = ("learned from no other page: nothing can be redundant",) if not self.pages else ()
        return segmentation(page, parts, options, float(self.pages > 0), notes)

    def entropies(self, vocabulary: Vocabulary, terms: Terms) -> Floats:
        """Compute the entropy of each term of a page, over the learned pages and this one."""
        counts = np.bincount(terms.numbers, minlength=len(vocabulary.terms)).tolist()
        spreads = [self.spreads.get(term, NOWHERE) for term in vocabulary.terms]
        values = [entropy(added(spread, count), self.pages + 1) for spread, count in zip(spreads, counts, strict=True)]
        return np.array(values, np.float64)


def block_entropies(terms: Terms, places: Ints, entropies: Floats, count: int) -> Floats:
    """Compute H(block), the mean entropy of its different terms; 1 for a block without any."""
    pairs = np.unique(np.stack((places, terms.numbers))[:, places >= 0], axis=1)
    sums = np.bincount(pairs[0], entropies[pairs[1]], minlength=count)
    sizes = np.bincount(pairs[0], minlength=count)
    means: Floats = np.where(sizes > 0, sums / np.maximum(sizes, 1), 1.0)
    return np.clip(means, 0.0, 1.0)
