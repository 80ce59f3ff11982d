"""COVERAGE: the element type that holds most of the signifiers' weight (a baseline of Oita and Senellart, 2012).

Signifiers, patterns and ranking are those of FOREST, but what an element is worth is the weight of the signifiers in
it: Cov = (sum of their normalised tf-idf weights) / (number of signifiers). The element is taken as it is.

The paper does not say how weights are normalised: here those of a page add up to 1 (ours).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from pagestrata.algorithms.base import DEFAULTS, Part, segmentation
from pagestrata.options import Options
from pagestrata.page.element_types import ElementTypes, Occurrence, Wrapper, rank
from pagestrata.page.feed import Feed
from pagestrata.page.nodes import Ints
from pagestrata.page.page import Page
from pagestrata.page.terms import (
    Floats,
    Frequencies,
    Terms,
    Vocabulary,
    by_tf_idf,
    language_of,
    most_frequent,
    page_counts,
)
from pagestrata.results import Segmentation

SIGNIFIERS: Final = 10
"""Terms a page: FOREST's k."""
MAX_PATTERNS_PER_PAGE: Final = 32
MAX_PATTERNS: Final = 64
MAX_TERMS: Final = 2_048
"""Limits on the patterns and terms that are stored for a site, the best first."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """Learns which element type covers the signifiers of a site's pages best."""

    signifiers: int = SIGNIFIERS

    def learn(self, pages: Sequence[Page], feed: Feed | None = None) -> "Covering":
        """Rank the patterns of all sample pages."""
        vocabulary = Vocabulary(language_of(pages))
        page_terms = [vocabulary.read(page) for page in pages]
        counts = page_counts(vocabulary, page_terms)
        occurrences = [
            self.best_patterns(page, *self.coverage(page, terms, counts, len(pages)))
            for page, terms in zip(pages, page_terms, strict=True)
        ]
        frequencies = most_frequent(vocabulary, counts, len(pages), MAX_TERMS)
        return Covering(self, rank(occurrences)[:MAX_PATTERNS], len(pages), vocabulary.language, frequencies)

    def best_patterns(self, page: Page, nodes: Ints, values: Floats) -> list[Occurrence]:
        """Return the best patterns of a page with their coverage."""
        best = np.argsort(-values * page.nodes.depth[nodes], kind="stable")[:MAX_PATTERNS_PER_PAGE]
        return ElementTypes(page).occurrences(nodes[best].tolist(), values[best].tolist())

    def coverage(self, page: Page, terms: Terms, counts: Floats, pages: int) -> tuple[Ints, Floats]:
        """Return the elements on significant paths and Cov of each; `counts` has the number of pages per term."""
        numbers, tf = terms.frequencies()
        places, weights = by_tf_idf(tf, counts[numbers], pages, self.signifiers)
        values = np.zeros(len(page.nodes))
        for number, weight in zip(numbers[places], weights / max(weights.sum(), 1e-9), strict=True):
            before = terms.before(terms.numbers == number)
            values += weight * (before[page.nodes.end] > before[:-1])
        nodes = np.flatnonzero((values > 0) & ~page.nodes.is_text).astype(np.int32)
        return nodes, values[nodes] / max(len(places), 1)


@dataclass(frozen=True, slots=True)
class Covering:
    """The ranked patterns that were learned of a site, as plain data."""

    method: Coverage
    ranked: tuple[Wrapper, ...]
    pages: int
    language: str | None = None
    frequencies: Frequencies = field(default_factory=Frequencies)

    def segment(self, page: Page, options: Options = DEFAULTS) -> Segmentation:
        """Return the element of the first pattern on the page as one section, and the other nodes as sections."""
        notes = () if self.pages > 1 else ("learned from fewer than two pages: there is no idf, so no signifier",)
        wrapper, node = next(ElementTypes(page).led_to(self.ranked, self._coverage(page)), (None, 0))
        if wrapper is None:
            return segmentation(page, [], options, notes=(*notes, "no pattern of the site is on this page"))
        reason = f"{wrapper.pattern} covers the signifiers best, on {wrapper.pages} of {self.pages} sample pages"
        signals = {"relevance": wrapper.relevance}
        part = Part(node, int(page.nodes.end[node]), 1.0, reasons=(reason,), signals=signals)
        return segmentation(page, [part], options, wrapper.pages / self.pages, notes)

    def _coverage(self, page: Page) -> dict[int, float]:
        vocabulary = Vocabulary(self.language)
        terms = vocabulary.read(page)
        counts = self.frequencies.of(vocabulary) + 1
        nodes, values = self.method.coverage(page, terms, counts, self.pages + 1)
        return dict(zip(nodes.tolist(), values.tolist(), strict=True))
