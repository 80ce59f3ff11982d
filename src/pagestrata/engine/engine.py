"""The default method: how likely each block is main text, from all that can be seen of it, then the best choice.

features → trees → importance of every block → threshold of the page → sections
"""

from dataclasses import dataclass, field
from typing import Final

import numpy as np

from pagestrata.algorithms.base import DEFAULTS, Part, Segmentation, section_tree
from pagestrata.engine.choose import expected_score, threshold, without_holes
from pagestrata.engine.features import features_of
from pagestrata.engine.model import EngineModel, shipped
from pagestrata.options import Options
from pagestrata.page import tags
from pagestrata.page.page import Page
from pagestrata.sites.comments import in_comments
from pagestrata.sites.parts import Judgement, data_tables, even_importance, parts_of, plain_lists
from pagestrata.sites.prose import Floats, in_control, link_shares, read_prose

NAME: Final = "engine"
LINKED: Final = 0.3
"""A block with a larger share of links is not taken for part of the text around it."""
REST: Final = Part(0, 0, 0.0, reasons=("outside of all sections",))


@dataclass(frozen=True, slots=True)
class Engine:
    """Reads any page."""

    model: EngineModel = field(default_factory=shipped)

    def segment(self, page: Page, options: Options = DEFAULTS) -> Segmentation:
        """The sections of a page."""
        links, words = link_shares(page), seen_words(page)
        wholes = (*plain_lists(page, links), *data_tables(page))
        importance = even_importance(page, self.importance(page), wholes)
        keep_from = threshold(importance, words, options.bias)
        may_be_text = is_usable(page) & (links < LINKED)
        lifted = without_holes(page, importance, may_be_text, wholes, keep_from)
        sections = section_tree(page, parts_of(page, judge(page, lifted, keep_from)), REST, options, keep_from)
        return Segmentation(sections, expected_score(importance, words, keep_from))

    def importance(self, page: Page) -> Floats:
        """The probability that a word of each block is main text; float64, one per block."""
        table, names = features_of(page, self.model.lexicon)
        assert names == self.model.columns  # noqa: S101 - a model of other features is a mistake of ours
        log_odds = self.model.base + self.model.trees.score(table)
        return np.asarray(1 / (1 + np.exp(-log_odds)) * is_usable(page), np.float64)


def is_usable(page: Page) -> np.ndarray:
    """Whether each block can be seen and is no control of a form."""
    return ~np.isin(page.blocks.hidden_by, tags.UNSEEN) & ~in_control(page)


def seen_words(page: Page) -> Floats:
    """The words of each block that can be seen."""
    return np.asarray(page.blocks.words * is_usable(page), np.float64)


def judge(page: Page, importance: Floats, keep_from: float) -> Judgement:
    """What is thought of every block, for cutting and for the reasons."""
    none = np.zeros(len(page.blocks))
    prose = read_prose(page, none)
    core = int(prose.core.argmax()) if len(prose.core) else 0
    end = int(page.nodes.end[core]) if len(page.nodes) else 0
    inside = (page.blocks.node_start >= core) & (page.blocks.node_start < end)
    return Judgement(
        importance=importance,
        in_core=inside,
        noise=none,
        links=link_shares(page),
        comments=in_comments(page, prose, core) & (importance < keep_from),
        usable=is_usable(page),
        related=none > 0,
        keep_from=keep_from,
    )
