"""A page read with a template: the slot of each block, its noise confidence, and the container of the running text."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from pagestrata.algorithms.template import Match, Template
from pagestrata.algorithms.template.noise import block_noise
from pagestrata.engine.engine import Engine
from pagestrata.landmarks import Floats, Landmarks, landmarks_of, weighted_core_share
from pagestrata.options import Scope
from pagestrata.page.nodes import Bools
from pagestrata.page.page import Page

RECURRING_SHARE: Final = 0.9
"""The share of its characters that must recur for a line to recur: words of program code recur everywhere."""


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """The columns computed from a page and a template; arrays have one entry per block unless stated otherwise."""

    landmarks: Landmarks
    match: Match
    slot: npt.NDArray[np.intp]
    """The template node of the element around each block, or -1."""
    noise: Floats
    """The confidence that its text is on most pages of the site, in [0, 1]."""
    recurs: Bools
    """Whether (nearly) all of its text is on another page too."""
    core_share: Floats
    """The core share of each node, counting only running text that does not recur; one per node."""
    scores: Floats
    """The engine's probability that its words are main text, computed from this page alone."""
    is_strict: bool
    """Whether that means the body of an article only; see `engine.scope`."""

    @property
    def page(self) -> Page:
        """The page that was read."""
        return self.landmarks.page


def read(
    template: Template, page: Page, match: Match | None = None, inside: bool = False, scope: Scope = "auto"
) -> Reading:
    """Read a page with a template; `inside` if the template was learned from it."""
    match = match or template.match(page)
    mean_noise, recurring_share = block_noise(template, page, match, inside)
    noise = mean_noise * recurring_share
    slot = match.template_node[page.blocks.container].astype(np.intp)
    landmarks = landmarks_of(page)
    core_share = weighted_core_share(landmarks, 1 - noise)
    recurs = recurring_share >= RECURRING_SHARE
    return Reading(landmarks, match, slot, noise, recurs, core_share, *Engine().score(landmarks, scope))
