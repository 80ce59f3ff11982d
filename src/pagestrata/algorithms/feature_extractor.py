"""FeatureExtractor: blocks fall into two clusters, and one of them has what is wanted (Debnath et al., 2005).

A content block is described by how much text, link text, images, items of lists and controls of forms it has. The
blocks of a site are parted in two (k-means); the cluster with more of the wanted feature is content. Ours: the clusters
are learned once from all sample pages, starting from the blocks with the least and the most of the wanted feature, so
that nothing is drawn by chance; a feature is measured by the page's largest block; a block has the importance
d₀ / (d₀ + d₁), with d₁ its distance from the centre that is wanted and d₀ that from the other.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, get_args

import numpy as np

from pagestrata.algorithms.base import DEFAULTS, Part, segmentation
from pagestrata.options import Options
from pagestrata.page.content_blocks import ContentBlock, content_blocks, organising
from pagestrata.page.feed import Feed
from pagestrata.page.page import Page
from pagestrata.page.terms import Floats
from pagestrata.results import Segmentation

Feature = Literal["text", "links", "images", "lists", "forms"]
FEATURES: Final = get_args(Feature)
_TAGS = {"images": ("img", "picture", "svg"), "lists": ("li", "dt", "dd"), "forms": ("input", "select", "textarea")}

MAX_ROUNDS: Final = 100
"""The limit on rounds of k-means, which has always converged long before."""


def features_of(page: Page, blocks: Sequence[ContentBlock]) -> Floats:
    """Return how much of each feature a block has, relative to the page's largest block: float64, a row per block."""
    rows = np.zeros((len(blocks), len(FEATURES)))
    characters, link_characters = page.blocks.characters.tolist(), page.blocks.link_characters.tolist()
    for place, block in enumerate(blocks):
        links = sum(link_characters[part] for part in block.blocks)
        rows[place, :2] = sum(characters[part] for part in block.blocks) - links, links
    holder = organising(page)
    place_of = {block.node: place for place, block in reversed(list(enumerate(blocks)))}
    for feature, names in _TAGS.items():
        for node in page.nodes_tagged(*names).tolist():
            if holder[node] in place_of:
                rows[place_of[holder[node]], FEATURES.index(feature)] += 1
    scaled: Floats = rows / np.maximum(rows.max(axis=0, initial=0.0), 1.0)
    return scaled


def two_means(rows: Floats, wanted: int) -> Floats:
    """Return the centres of two clusters as two rows, the second with more of the wanted feature.

    >>> two_means(np.array([[0.0, 1.0], [0.2, 0.8], [0.9, 0.0], [0.7, 0.0]]), wanted=0)
    array([[0.1, 0.9],
           [0.8, 0. ]])
    """
    centres = rows[[int(rows[:, wanted].argmin()), int(rows[:, wanted].argmax())]]
    for _ in range(MAX_ROUNDS):
        distances = distances_to(centres, rows)
        is_wanted = distances[:, 1] < distances[:, 0]
        if is_wanted.all() or not is_wanted.any():
            break
        moved = np.stack((rows[~is_wanted].mean(axis=0), rows[is_wanted].mean(axis=0)))
        if np.array_equal(moved, centres):
            break
        centres = moved
    return centres if centres[0, wanted] <= centres[1, wanted] else centres[::-1]


def distances_to(centres: Floats, rows: Floats) -> Floats:
    """Return the distance of each row from each centre; float64, a row per block."""
    distances: Floats = np.sqrt(((rows[:, np.newaxis] - centres[np.newaxis]) ** 2).sum(axis=2))
    return distances


@dataclass(frozen=True, slots=True)
class FeatureExtractor:
    """Learns two clusters of blocks, with and without the wanted feature."""

    wanted: Feature = "text"

    def learn(self, pages: Sequence[Page], feed: Feed | None = None) -> "Clusters":
        """Split the blocks of all pages into two clusters."""
        rows = np.concatenate(
            [np.zeros((0, len(FEATURES))), *(features_of(page, content_blocks(page)) for page in pages)]
        )
        if not len(rows):
            rows = np.eye(len(FEATURES))  # no block at all: each feature by itself is a block
        centres = two_means(rows, FEATURES.index(self.wanted)).tolist()
        return Clusters(self.wanted, tuple(centres[0]), tuple(centres[1]))


@dataclass(frozen=True, slots=True)
class Clusters:
    """Classifies blocks by the nearer of two centres."""

    wanted: Feature
    other: tuple[float, ...]
    chosen: tuple[float, ...]
    """The centre with more of the wanted feature."""

    def segment(self, page: Page, options: Options = DEFAULTS) -> Segmentation:
        """Return a section for each content block; the nearer to the chosen centre, the more important."""
        blocks = content_blocks(page)
        distances = distances_to(np.array((self.other, self.chosen)), features_of(page, blocks))
        totals = distances.sum(axis=1)
        importance = np.where(totals > 0, distances[:, 0] / np.maximum(totals, 1e-12), 0.5)
        parts = [
            Part(block.start, block.end, value, reasons=(f"{value:.2f} towards blocks with much {self.wanted}",))
            for block, value in zip(blocks, importance.tolist(), strict=True)
        ]
        return segmentation(page, parts, options, 0.5)
