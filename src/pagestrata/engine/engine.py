"""The default method: how likely each block is main text, from all that can be seen of it, then the best choice."""

from dataclasses import dataclass, field
from typing import Final

import numpy as np

from pagestrata.algorithms.base import DEFAULTS
from pagestrata.engine.decide.comments import comments_to_drop
from pagestrata.engine.decide.decision import NOISE, Decision, SiteEvidence
from pagestrata.engine.decide.duplicates import suppress_duplicates
from pagestrata.engine.decide.gaps import fill_gaps
from pagestrata.engine.decide.smooth import smooth_groups
from pagestrata.engine.decide.structures import keep_structures
from pagestrata.engine.decide.threshold import TINY_PAGE, choose_threshold, expected_score
from pagestrata.engine.features import Table, features_of
from pagestrata.engine.model import EngineModel, shipped
from pagestrata.engine.scope import set_scope
from pagestrata.engine.sections import DecidedSections
from pagestrata.landmarks import Floats, Landmarks, landmarks_of
from pagestrata.options import Options, Scope
from pagestrata.page.page import Page

NAME: Final = "engine"


@dataclass(frozen=True, slots=True)
class Engine:
    """Reads any page."""

    model: EngineModel = field(default_factory=shipped)

    def segment(self, page: Page, options: Options = DEFAULTS) -> DecidedSections:
        """Return the sections of a page; the decision and everything else are computed on request."""
        return DecidedSections(page, options, self, self.model)

    def decide(self, page: Page, options: Options = DEFAULTS) -> Decision:
        """Decide which blocks of a page are kept."""
        landmarks = landmarks_of(page)
        scores, is_strict = self.score(landmarks, options.scope)
        return decide(landmarks, scores, options.bias, is_strict)

    def score(self, landmarks: Landmarks, scope: Scope = "auto") -> tuple[Floats, bool]:
        """The probability that a word of each block is main text, float64, and whether that means the body only."""
        table = features_of(landmarks, self.model.lexicon)
        is_strict = set_scope(table, landmarks, self.model, scope)
        return landmarks.spread(self.score_table(table, landmarks)), is_strict

    def score_table(self, table: Table, landmarks: Landmarks) -> Floats:
        """The same probability from features that are measured already: 0 for what is part of a form."""
        log_odds = (self.model.base + self.model.trees.score(table) + self.model.network.score(table)) / 2
        return np.asarray(1 / (1 + np.exp(-log_odds)) * landmarks.shown.is_usable, np.float64)


def decide(
    landmarks: Landmarks,
    scores: Floats,
    bias: float = 0.0,
    is_strict: bool = False,
    core: int | None = None,
    site: SiteEvidence | None = None,
) -> Decision:
    """The steps from scores to a decision; the site method takes the same ones, with its own scores and core.

    They are taken over the blocks that are shown; all others have importance 0.
    """
    shown, spread = landmarks.shown, landmarks.spread
    scores = scores[landmarks.is_shown]
    recurs = (site.noise >= NOISE)[landmarks.is_shown] if site else None
    words = np.asarray(shown.blocks.words * shown.is_usable, np.float64)
    in_comments = comments_to_drop(scores, words, shown) if is_strict else np.zeros(len(scores), np.bool_)
    smoothed = smooth_groups(np.where(in_comments, 0.0, scores), shown, recurs)
    unique = suppress_duplicates(smoothed, shown)
    is_tiny = bool(words.sum() < TINY_PAGE and shown.prose.any())
    threshold = choose_threshold(unique, words, bias, is_tiny)
    filled = fill_gaps(unique, shown, threshold, recurs)
    filled = keep_structures(filled, shown, threshold, recurs, is_strict)
    keep = filled >= threshold
    # Dropped for its copy is what would be kept if the page had it once.
    is_copy = (unique < smoothed) & ~keep
    if is_copy.any():
        is_copy &= smoothed >= choose_threshold(smoothed, words, bias, is_tiny)
    return Decision(
        landmarks=landmarks,
        importance=spread(np.where(keep | is_copy, filled, smoothed)),
        keep=spread(keep),
        threshold=threshold,
        confidence=expected_score(unique, words, threshold),
        is_copy=spread(is_copy),
        in_comments=spread(in_comments & ~keep),
        is_strict=is_strict,
        core=landmarks.core if core is None else core,
        site=site,
    )
