"""What the model of a site is worth on some pages: what it removes and rescues, compared with the engine alone."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from pagestrata.algorithms.base import DEFAULTS
from pagestrata.engine.decide.decision import NOISE
from pagestrata.engine.engine import Engine
from pagestrata.page.nodes import Bools
from pagestrata.page.page import Page
from pagestrata.sites.cluster import LearnedSite
from pagestrata.sites.match import Fit, choose_cluster

PARAGRAPH_WORDS: Final = 8
"""Words from which a block counts as a paragraph."""


@dataclass(frozen=True, slots=True, eq=False)
class PageWorth:
    """What is kept of one page without the model and with it; arrays have one entry per block."""

    page: Page
    before: Bools
    """Whether the engine alone keeps it."""
    after: Bools
    """Whether it is kept with the model."""
    recurs: Bools
    """Whether its text stands on most pages of the site, and is not kept."""

    @property
    def recurring_words(self) -> int:
        """Words that recur and are not kept."""
        return self._words(self.recurs)

    @property
    def removed_words(self) -> int:
        """Words that the engine alone would keep."""
        return self._words(self.before & ~self.after)

    @property
    def rescued_paragraphs(self) -> int:
        """Paragraphs that the engine alone would drop."""
        return int((self.after & ~self.before & (self.page.blocks.words >= PARAGRAPH_WORDS)).sum())

    def __str__(self) -> str:
        return f"{self.removed_words:,} words removed, {_rescued(self.rescued_paragraphs)}"

    def _words(self, blocks: Bools) -> int:
        return int(self.page.blocks.words[blocks].sum())


@dataclass(frozen=True, slots=True)
class Worth:
    """What a model is worth on some pages."""

    pages: int
    recurring_words: float
    """Words that recur over the site and are left out, per page."""
    removed_words: float
    """Words that the engine alone would keep and that are left out with the model, per page."""
    rescued_paragraphs: int
    """Paragraphs that the engine alone would drop and that are kept with the model, on all pages."""

    def __str__(self) -> str:
        removed = f"{self.recurring_words:,.0f} recurring words removed per page"
        text = f"{self.pages:,} pages: {removed}, {_rescued(self.rescued_paragraphs)}"
        words = round(self.removed_words)
        if words == 0:
            return text
        left_out = "1 word per page is" if words == 1 else f"{words:,} words per page are"
        return f"{text}; {left_out} left out that the engine alone would keep"


def _rescued(paragraphs: int) -> str:
    return f"{paragraphs:,} paragraph{'' if paragraphs == 1 else 's'} rescued"


def measure(model: LearnedSite, pages: Sequence[Page]) -> Worth:
    """Measure what a model is worth on some pages of its site; edits are not counted."""
    figures = [page_worth(model, page) for page in pages]
    count = max(1, len(figures))
    return Worth(
        len(figures),
        sum(each.recurring_words for each in figures) / count,
        sum(each.removed_words for each in figures) / count,
        sum(each.rescued_paragraphs for each in figures),
    )


def page_worth(model: LearnedSite, page: Page, fit: Fit | None = None) -> PageWorth:
    """Compare what is kept of one page by the engine alone and with the model of its site."""
    before = Engine().segment(page, DEFAULTS).decision.keep
    fit = fit or choose_cluster(model, page)
    decision = fit.nearest.segmenter.segment(page, DEFAULTS, fit.match, fit.cluster is not None).decision
    noise = decision.site.noise if decision.site else np.zeros(len(before))
    return PageWorth(page, before, decision.keep, np.asarray((noise >= NOISE) & ~decision.keep))
