"""The three kinds of page of the density paper, with probabilities: article, article with comments, multiple areas.

The paper's method says one kind. How often it says so of pages of each kind is known, so that its answer is evidence
(Bayes), weighed together with how likely the page is one of many areas by its type.
"""

from collections.abc import Mapping
from typing import Final

from pagestrata.algorithms.density import Density, PageKind
from pagestrata.engine.page_type import probabilities_of
from pagestrata.page.page import Page
from pagestrata.results import PageType

OF_MANY: Final = (PageType.LISTING, PageType.COLLECTION)
"""The types of pages with areas of equal standing."""
OPEN: Final = 0.05
"""What the type leaves open at least: it informs and does not decide. Without it, indexes of blogs with whole posts,
which look like articles, were lost: of the pages of many areas .86 were found, not .95."""
SAID: Final[Mapping[PageKind, Mapping[PageKind, int]]] = {
    PageKind.ARTICLE: {PageKind.ARTICLE: 407, PageKind.ARTICLE_WITH_COMMENTS: 29, PageKind.MULTIPLE: 4},
    PageKind.ARTICLE_WITH_COMMENTS: {PageKind.ARTICLE: 3, PageKind.ARTICLE_WITH_COMMENTS: 109, PageKind.MULTIPLE: 0},
    PageKind.MULTIPLE: {PageKind.ARTICLE: 5, PageKind.ARTICLE_WITH_COMMENTS: 0, PageKind.MULTIPLE: 98},
}
"""What the method says of the 655 pages of sitesets, by their kind."""


def kinds_of(page: Page) -> dict[PageKind, float]:
    """The probability of each kind, most likely first; no kind is known of a page without text."""
    types = probabilities_of(page)
    return weigh(Density().regions(page).kind, sum(types[of_many] for of_many in OF_MANY)) if types else {}


def weigh(said: PageKind, many: float) -> dict[PageKind, float]:
    """The kinds, given what the method says and how likely the page has many areas by its type.

    >>> {str(kind): round(chance, 2) for kind, chance in weigh(PageKind.MULTIPLE, 0.5).items()}
    {'multiple': 0.99, 'article': 0.01, 'article with comments': 0.0}
    """
    many = min(max(many, OPEN), 1 - OPEN)
    before = {kind: many if kind is PageKind.MULTIPLE else (1 - many) / 2 for kind in PageKind}
    # One more of each than was counted: what was never seen is not impossible.
    weights = {
        kind: before[kind] * (counts[said] + 1) / (sum(counts.values()) + len(counts)) for kind, counts in SAID.items()
    }
    order = sorted(weights, key=lambda kind: -weights[kind])
    return {kind: weights[kind] / sum(weights.values()) for kind in order}
