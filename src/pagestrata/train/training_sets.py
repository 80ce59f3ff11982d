"""The data sets that the shipped models are trained on: the weight, the convention and the origin of each.

True texts follow different conventions. wcxb includes more of what surrounds an article (generous); sets of articles
have its body only (strict). The convention is an input of the model, so that it can learn from both kinds at once.
"""

from dataclasses import dataclass
from typing import Final

MAX_SITE_PAGES: Final = 6
"""Up to so many pages of a site count fully; if there are more, each counts less."""
MAX_THEME_PAGES: Final = 12
"""The same for the pages of a theme that several sites use."""


@dataclass(frozen=True, slots=True)
class TrainingSet:
    """How a data set is learned from."""

    origin: str
    """Its licence and origin, for the card of the model."""
    weight: float = 1.0
    """How much one of its pages counts."""
    strict_types: frozenset[str] = frozenset()
    """The page types whose truths have the body only."""
    labelled_by_rules: bool = False
    """Whether its truths were found by class names of its platforms: half of its pages are then seen without names."""
    is_capped: bool = False
    """Whether pages of large sites and themes count less."""
    has_judged_types: bool = False
    """Whether a person judged the type of each page; in others it follows from the set or the software of a site."""


_ARTICLES: Final = frozenset({"", "article", "article_comments"})
SETS: Final = {
    "wcxb": TrainingSet("WCXB, Murrough Foley, 2026, CC BY 4.0", has_judged_types=True),
    "sitesets": TrainingSet(
        "42 public blogs and sites, each under its own terms; no text of theirs is in the model", 1.0, _ARTICLES
    ),
    "fundus": TrainingSet("test pages of the Fundus project, MIT; 81 news publishers", 2.0, _ARTICLES),
    "magichtml": TrainingSet(
        "benchmark of opendatalab/magic-html, Apache-2.0; human labels", 1.0, _ARTICLES, is_capped=True
    ),
    "forums": TrainingSet(
        "threads of 16 forum platforms in public repositories, mostly without stated terms; no text of theirs is in "
        "the model",
        0.7,
        labelled_by_rules=True,
        is_capped=True,
    ),
    "templates": TrainingSet(
        "company pages of public repositories, mostly MIT", 0.5, labelled_by_rules=True, is_capped=True
    ),
    "docs": TrainingSet(
        "documentation in public repositories, each under its own terms", 0.5, labelled_by_rules=True, is_capped=True
    ),
    "shops": TrainingSet(
        "WooCommerce and Shopify pages in public repositories, mostly without stated terms; no text of theirs is in "
        "the model",
        0.5,
        labelled_by_rules=True,
        is_capped=True,
    ),
    "wpsites": TrainingSet(
        "WordPress sites in public repositories, mostly without stated terms; no text of theirs is in the model",
        0.5,
        frozenset({"article"}),
        labelled_by_rules=True,
        is_capped=True,
    ),
    "kreuzer-seg": TrainingSet("Kreuzer et al., public domain"),
}
"""The weights were set once, by the number and the quality of the labels; they were not tuned."""
UNKNOWN_SET: Final = TrainingSet("not stated")
LEFT_OUT: Final = frozenset({"article-listing"})
"""Annotators whose true texts are too poor to learn from."""


def training_set(name: str) -> TrainingSet:
    """Return how the data set of this name is learned from."""
    return SETS.get(name, UNKNOWN_SET)
