"""Decision: which blocks of a page are kept, and the importance of every block. Plain data."""

from dataclasses import dataclass
from functools import cached_property
from typing import Final, Protocol

import numpy as np

from pagestrata.engine.decide.comments import comment_blocks
from pagestrata.landmarks import Floats, Landmarks
from pagestrata.page.nodes import Bools

NOISE: Final = 0.5
"""From this noise on, a block surely recurs over the site."""


class SiteEvidence(Protocol):
    """The evidence of a site model for each block of a page."""

    @property
    def noise(self) -> Floats:
        """The confidence that its text is on most pages of the site, in [0, 1]."""

    @cached_property
    def is_comment(self) -> Bools:
        """Whether it is a comment, judged with the records of other pages of the site."""

    @property
    def is_related(self) -> Bools:
        """Whether it links to other pages of the site; only roles and reasons need this."""


@dataclass(frozen=True, eq=False)
class Decision:
    """What was decided about a page; arrays have one entry per block."""

    landmarks: Landmarks
    importance: Floats
    """The probability that its words are main text, after all steps, in [0, 1]."""
    keep: Bools
    """Whether it is kept."""
    threshold: float
    """The importance from which on blocks are kept; above 1 if nothing is."""
    confidence: float
    """The expected F1 of what is kept."""
    is_copy: Bools
    """Whether it was dropped because the page has the same text elsewhere."""
    in_comments: Bools
    """Whether it was dropped because it is in the comments of an article."""
    is_strict: bool
    """Whether only the body of an article was wanted; see `engine.scope`."""
    core: int
    """The main container."""
    site: SiteEvidence | None = None
    """The evidence of a site model, if there is one."""

    @cached_property
    def in_core(self) -> Bools:
        """Whether each block is in the main container."""
        return self.landmarks.is_inside(self.core)

    @cached_property
    def is_comment(self) -> Bools:
        """Whether each block that the page shows is a comment, and dropped."""
        comments = self.site.is_comment if self.site else comment_blocks(self.landmarks, self.core)
        return np.asarray((comments | self.in_comments) & ~self.keep & self.landmarks.is_shown)
