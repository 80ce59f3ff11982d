"""A page read with a template: which slot each block fills, how sure it is noise, where the running text is."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from pagestrata.algorithms.template import Match, Template
from pagestrata.algorithms.template.noise import leaf_noise
from pagestrata.engine.engine import Engine
from pagestrata.landmarks import Floats, Landmarks, landmarks_of, running_sum, weighted_core_share
from pagestrata.page.nodes import Bools
from pagestrata.page.page import Page

RECURRING_SHARE: Final = 0.9
"""The share of a line that must recur for the line to recur: words of program code recur everywhere."""


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """What a template tells about a page; arrays have one entry per block unless said otherwise."""

    landmarks: Landmarks
    match: Match
    slot: npt.NDArray[np.intp]
    """The template node of the element around each block, or -1."""
    noise: Floats
    """How sure its text stands on most pages of the site, in [0, 1]."""
    recurs: Bools
    """Whether (nearly) all of its text stands on another page too."""
    core_share: Floats
    """How far each node is the container of the running text that does not recur; one per node."""
    scores: Floats
    """How likely the engine thinks its words main text, when it sees this page alone."""

    @property
    def page(self) -> Page:
        """The page that was read."""
        return self.landmarks.page


def read(template: Template, page: Page, match: Match | None = None, inside: bool = False) -> Reading:
    """Read a page with a template; `inside` if the template was learned from it."""
    match = match or template.match(page)
    leaves = leaf_noise(template, match, inside).astype(np.float32)  # as precise as `Template.noise`
    mean, covered = means(page, np.stack((leaves, leaves > 0)))
    noise = mean * covered
    slot = match.template_node[page.blocks.container].astype(np.intp)
    landmarks = landmarks_of(page)
    core_share = weighted_core_share(landmarks, 1 - noise)
    return Reading(landmarks, match, slot, noise, covered >= RECURRING_SHARE, core_share, Engine().score(landmarks))


def means(page: Page, of_texts: Floats) -> Floats:
    """The mean of each row over the texts of each block, by length."""
    nodes, blocks = page.nodes, page.blocks
    sums = running_sum(of_texts * np.where(nodes.is_text, nodes.text_end - nodes.text_start, 0))
    totals = sums[:, blocks.node_end] - sums[:, blocks.node_start]
    return np.asarray(totals / np.maximum(1, blocks.characters), np.float64)
