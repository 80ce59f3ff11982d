"""The default method: how likely each block is main text, from all that can be seen of it, then the best choice.

features → trees → importance of every block → threshold of the page → what is kept; when asked for: sections
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final

import numpy as np

from pagestrata.algorithms.base import DEFAULTS, Part, section_tree
from pagestrata.engine.choose import HAIR, expected_score, threshold
from pagestrata.engine.comments import in_comments
from pagestrata.engine.explain import Explainer
from pagestrata.engine.features import Features, features_of
from pagestrata.engine.model import EngineModel, shipped
from pagestrata.engine.parts import Judgement, parts_of
from pagestrata.engine.prose import Floats, link_shares, read_prose
from pagestrata.engine.purposes import with_purposes
from pagestrata.options import Options
from pagestrata.page.nodes import Bools
from pagestrata.page.page import Page
from pagestrata.results import Leaves, PageType, Section, SectionTree, Segmentation, leaf_columns

NAME: Final = "engine"
REST: Final = Part(0, 0, 0.0, reasons=("outside of all sections",))


@dataclass(frozen=True, eq=False)
class LazySections:
    """A `Segmentation` whose sections are made when they are asked for."""

    make: Callable[[], tuple[Section, ...]]
    confidence: float
    page_type: PageType = PageType.UNKNOWN
    notes: tuple[str, ...] = ()
    kept_blocks: Bools | None = None

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        """The roots."""
        return self.make()

    @cached_property
    def leaves(self) -> Leaves:
        """The leaves as columns."""
        return leaf_columns(self.sections)

    def __reduce__(self) -> tuple[Any, ...]:
        return SectionTree, (self.sections, self.confidence, self.page_type, self.notes)


@dataclass(frozen=True, slots=True)
class Engine:
    """Reads any page."""

    model: EngineModel = field(default_factory=shipped)

    def segment(self, page: Page, options: Options = DEFAULTS) -> Segmentation:
        """What is kept of a page; its sections are cut when they are asked for."""
        features = features_of(page, self.model.lexicon)
        even, whole = features.evened(self.importance(features))
        importance = features.without_copies(even, whole)
        words = np.asarray(page.blocks.words * features.usable, np.float64)
        keep_from = threshold(importance, words, options.bias)
        lifted = features.without_holes(importance, whole, keep_from, keep_from + HAIR)
        usable, tables = features.usable > 0, [features.table]
        copied = (importance < even) & (even >= keep_from) & (lifted < keep_from)

        def sections() -> tuple[Section, ...]:
            # The table, on pages of many blocks the largest thing there is, goes when it has told its reasons.
            try:
                table = tables.pop()
            except IndexError:  # two threads asked for the sections at once
                table = features_of(page, self.model.lexicon).table
            explainer = Explainer(table, self.model.trees, page.blocks.words)
            del table
            told = np.where((lifted < keep_from) & ~copied, even, lifted)  # what is left anyway keeps its importance
            judged = judge(page, told, usable, copied, keep_from)
            parts = with_purposes(page, parts_of(page, judged), judged)
            return section_tree(page, explained(page, parts, explainer, keep_from), REST, options, keep_from)

        confidence = expected_score(importance, words, keep_from)
        if not is_plain(options):
            return SectionTree(sections(), confidence)
        return LazySections(sections, confidence, kept_blocks=kept_blocks(page, lifted >= keep_from))

    def scores(self, page: Page) -> tuple[Floats, Bools]:
        """The importance of each block of a page, before anything is chosen, and what was left as a second copy."""
        features = features_of(page, self.model.lexicon)
        even, whole = features.evened(self.importance(features))
        importance = features.without_copies(even, whole)
        return importance, importance < even

    def importance(self, features: Features) -> Floats:
        """The probability that a word of each block is main text; float64, one per block."""
        log_odds = self.model.base + self.model.trees.score(features.table)
        return np.asarray(1 / (1 + np.exp(-log_odds)) * features.usable, np.float64)


def explained(page: Page, parts: Sequence[Part], explainer: Explainer, keep_from: float) -> Iterator[Part]:
    """The parts with the signals that moved them, and with the strongest of these in words."""
    edges = np.searchsorted(page.blocks.node_start, [(part.start, part.end) for part in parts]).reshape(-1, 2)
    has_blocks = edges[:, 1] > edges[:, 0]
    kept = [part.importance >= keep_from for part, some in zip(parts, has_blocks, strict=True) if some]
    told = explainer.tell(edges[has_blocks], kept)
    for part, some in zip(parts, has_blocks, strict=True):
        if some:
            reasons, signals = next(told)
            yield replace(part, reasons=(*part.reasons, *reasons), signals=signals)
        else:
            yield part


def is_plain(options: Options) -> bool:
    """Whether nothing but the importance of a block decides on it."""
    return not options.keep and not options.drop and options.comments == "off"


def kept_blocks(page: Page, good: Bools) -> Bools:
    """The blocks given back: the good ones without the title, which is written apart."""
    title = page.title_heading
    if title is not None:
        first, last = page.blocks_of(title)
        good[first:last] = False
    return good


def judge(page: Page, importance: Floats, usable: Bools, copied: Bools, keep_from: float) -> Judgement:
    """What is thought of every block, for cutting and for the reasons."""
    none = np.zeros(len(page.blocks))
    prose = read_prose(page, none)
    core = int(prose.core.argmax()) if len(prose.core) else 0
    end = int(page.nodes.end[core]) if len(page.nodes) else 0
    return Judgement(
        importance=importance,
        in_core=(page.blocks.node_start >= core) & (page.blocks.node_start < end),
        noise=none,
        links=link_shares(page),
        comments=in_comments(page, prose, core) & (importance < keep_from),
        usable=usable,
        related=none > 0,
        copied=copied,
        keep_from=keep_from,
    )
