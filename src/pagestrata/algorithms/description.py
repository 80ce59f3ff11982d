"""DESCRIPTION: the feed item of a page, taken for its content (the baseline of FOREST, Oita and Senellart, 2012).

The paper takes title and description of the feed item as they are: `text_of` returns that. A method that returns
sections can only point at the page, so `segment` keeps the blocks that the item quotes (ours).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from pagestrata.algorithms.base import DEFAULTS, Part, segmentation
from pagestrata.options import Options
from pagestrata.page.feed import Feed, FeedItem, find_item, item_by_link
from pagestrata.page.page import Page
from pagestrata.page.text import words
from pagestrata.results import Segmentation

MIN_QUOTED_SHARE: Final = 0.5
"""A block is quoted if this share of its pairs of words is in the item, or this share of the item's pairs is in it."""

_Pairs = frozenset[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Description:
    """Learns from the feed of a site; the sample pages are not used."""

    def learn(self, pages: Sequence[Page], feed: Feed | None = None) -> "Descriptions":
        """Return a segmenter that uses the feed."""
        return Descriptions(feed)


@dataclass(frozen=True, slots=True)
class Descriptions:
    """Cuts pages by the feed items that lead to them."""

    feed: Feed | None = None

    def text_of(self, page: Page) -> str:
        """Return title and description of the item that leads to the page, unchanged; empty if there is none."""
        item = find_item(self.feed, page) if self.feed else None
        return f"{item.title}\n{item.description}".strip() if item else ""

    def segment(self, page: Page, options: Options = DEFAULTS) -> Segmentation:
        """Return sections for the blocks that the item quotes, and for the other nodes of the page."""
        item = find_item(self.feed, page) if self.feed else None
        if self.feed is None or item is None:
            reason = "no item of the feed leads to this page" if self.feed else "there is no feed"
            return segmentation(page, [], options, notes=(reason,))
        notes = () if item_by_link(self.feed, page) else ("the feed item was found by its title",)
        starts, ends = page.blocks.node_start.tolist(), page.blocks.node_end.tolist()
        parts = [Part(starts[block], ends[block], 1.0, reasons=("the feed quotes it",)) for block in quoted(page, item)]
        return segmentation(page, parts, options, 0.5 if parts else 0.0, notes)


def quoted(page: Page, item: FeedItem) -> list[int]:
    """Return the blocks that are part of the description, or that contain it."""
    item_pairs = _pairs(item.description)
    return [
        place
        for place, pairs in enumerate(map(_pairs, page.block_texts()))
        if pairs and item_pairs and len(pairs & item_pairs) >= MIN_QUOTED_SHARE * min(len(pairs), len(item_pairs))
    ]


def _pairs(text: str) -> _Pairs:
    return frozenset(pairwise(words(text.lower())))
