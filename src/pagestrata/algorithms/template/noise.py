"""Noise confidence: PS(feature) / PS(node) of the strongest feature of a leaf, and its mean by size above."""

from typing import Final

import numpy as np
import numpy.typing as npt

from pagestrata.algorithms.template.features import long_text_features, text_features
from pagestrata.algorithms.template.frozen import FrozenTree
from pagestrata.algorithms.template.labels import number
from pagestrata.algorithms.template.loops import block_means, recurring
from pagestrata.algorithms.template.match import Match
from pagestrata.landmarks import running_sum
from pagestrata.native.arrays import as_column, zero_columns
from pagestrata.page.box_estimates import CHARACTER_WIDTH, FONT_SIZE, LINE_HEIGHT
from pagestrata.page.page import Page

Floats = npt.NDArray[np.float64]

CHARACTER_AREA: Final = FONT_SIZE * CHARACTER_WIDTH * FONT_SIZE * LINE_HEIGHT
"""The area of a character in square pixels, which makes images and texts comparable."""
IMAGE_SIZE: Final = 20.0
"""The size of an image that no browser drew, in characters: that of a short link. With the 65 of 100 × 100 pixels
recall on big9 falls from .65 to .59 at the same precision: most images of unknown size are small."""


def noise_of(template: FrozenTree, page: Page, match: Match, inside: bool) -> npt.NDArray[np.float32]:
    """Noise confidence of each node, in [0, 1]; for elements the mean of the leaves by size."""
    size = leaf_sizes(page, match)
    sums = running_sum(np.stack((size, size * leaf_noise(template, match, inside))))
    sizes, noisy = sums[:, page.nodes.end] - sums[:, :-1]
    means: Floats = np.divide(noisy, sizes, out=np.zeros(len(sizes)), where=sizes > 0)
    return means.astype(np.float32)


def leaf_noise(template: FrozenTree, match: Match, inside: bool) -> Floats:
    """Noise confidence of the leaves; 0 for all other nodes."""
    found = np.zeros(len(match.template_node))
    found[match.leaves.nodes] = _leaf_shares(template, match, inside)
    return found


def block_noise(template: FrozenTree, page: Page, match: Match, inside: bool) -> tuple[Floats, Floats]:
    """Mean noise confidence of the texts of each block, and the share of its text with any; both by length."""
    blocks, shares = page.blocks, _leaf_shares(template, match, inside)
    columns = as_column(blocks.node_start), as_column(blocks.node_end), as_column(blocks.characters)
    means = zero_columns(2, len(blocks), np.float64)
    block_means(match.leaves, shares, *columns, *means)
    mean, recurring_share = (np.asarray(column, np.float64) for column in means)
    return mean, recurring_share


def _leaf_shares(template: FrozenTree, match: Match, inside: bool) -> list[float]:
    """Noise confidence of each leaf."""
    counted = template.known, template.by_path, 1 if inside else 0
    return recurring(match.leaves, match.places, *counted, text_features, long_text_features, number)


def leaf_sizes(page: Page, match: Match) -> Floats:
    """Size of each leaf in characters, of images by their area; 0 for all other nodes."""
    nodes = page.nodes
    places = match.leaves.nodes
    sizes = np.zeros(len(nodes))
    lengths = nodes.text_end[places] - nodes.text_start[places]
    images = IMAGE_SIZE if page.boxes is None else page.boxes.area[places] / CHARACTER_AREA
    sizes[places] = np.where(nodes.is_text[places], lengths, images)
    return sizes
