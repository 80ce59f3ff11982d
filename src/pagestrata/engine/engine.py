"""The default method: how likely each block is main text, from all that can be seen of it, then the best choice."""

from dataclasses import dataclass, field
from typing import Final

import numpy as np

from pagestrata.algorithms.base import DEFAULTS
from pagestrata.engine.decide.decision import NOISE, Decision, SiteEvidence
from pagestrata.engine.decide.duplicates import suppress_duplicates
from pagestrata.engine.decide.gaps import fill_gaps
from pagestrata.engine.decide.smooth import smooth_groups
from pagestrata.engine.decide.threshold import choose_threshold, expected_score
from pagestrata.engine.features import Table, features_of
from pagestrata.engine.model import EngineModel, shipped
from pagestrata.engine.sections import DecidedSections
from pagestrata.landmarks import Floats, Landmarks, landmarks_of
from pagestrata.options import Options
from pagestrata.page.page import Page

NAME: Final = "engine"


@dataclass(frozen=True, slots=True)
class Engine:
    """Reads any page."""

    model: EngineModel = field(default_factory=shipped)

    def segment(self, page: Page, options: Options = DEFAULTS) -> DecidedSections:
        """The answer to a page; the decision and all that follows from it are computed on request."""
        return DecidedSections(page, options, self, self.model)

    def decide(self, page: Page, options: Options = DEFAULTS) -> Decision:
        """Decide which blocks of a page are kept."""
        landmarks = landmarks_of(page)
        return decide(landmarks, self.score(landmarks), options.bias)

    def score(self, landmarks: Landmarks) -> Floats:
        """The probability that a word of each block is main text, before anything is decided; float64."""
        return self.score_table(features_of(landmarks, self.model.lexicon), landmarks)

    def score_table(self, table: Table, landmarks: Landmarks) -> Floats:
        """As `score`, for features that are measured already."""
        log_odds = self.model.base + self.model.trees.score(table)
        return np.asarray(1 / (1 + np.exp(-log_odds)) * landmarks.is_usable, np.float64)


def decide(
    landmarks: Landmarks, scores: Floats, bias: float = 0.0, core: int | None = None, site: SiteEvidence | None = None
) -> Decision:
    """The steps from scores to a decision; the site method takes the same ones, with its own scores and core."""
    recurs = site.noise >= NOISE if site else None
    smoothed = smooth_groups(scores, landmarks, recurs)
    unique = suppress_duplicates(smoothed, landmarks)
    words = np.asarray(landmarks.page.blocks.words * landmarks.is_usable, np.float64)
    threshold = choose_threshold(unique, words, bias)
    filled = fill_gaps(unique, landmarks, threshold, recurs)
    keep = filled >= threshold
    is_copy = (unique < smoothed) & (smoothed >= threshold) & ~keep
    return Decision(
        landmarks=landmarks,
        importance=np.where(keep | is_copy, filled, smoothed),
        keep=keep,
        threshold=threshold,
        confidence=expected_score(unique, words, threshold),
        is_copy=is_copy,
        core=landmarks.core if core is None else core,
        site=site,
    )
