"""DESCRIPTION: what the feed says of a page, taken for its content (the baseline of FOREST, Oita and Senellart, 2012).

The paper takes title and description of the feed item as they are: `text_of` gives that. A method that answers with
sections can only point at the page, so `segment` keeps the blocks that the item quotes (ours).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from pagestrata.algorithms.base import DEFAULTS, Part, section_tree
from pagestrata.options import Options
from pagestrata.page.feed import Feed, FeedItem, find_item, item_by_link
from pagestrata.page.page import Page
from pagestrata.page.text import words
from pagestrata.results import SectionTree, Segmentation

QUOTED: Final = 0.5
"""A block is quoted if as much of it is in the item, or as much of the item is in it, counted in pairs of words."""

_Pairs = frozenset[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Description:
    """Takes the feed of a site; the sample pages are not looked at."""

    def learn(self, pages: Sequence[Page], feed: Feed | None = None) -> "Descriptions":
        """What reads pages by that feed."""
        return Descriptions(feed)


@dataclass(frozen=True, slots=True)
class Descriptions:
    """What a feed says of pages."""

    feed: Feed | None = None

    def text_of(self, page: Page) -> str:
        """Title and description of the item that leads to the page, as they are; empty if none does."""
        item = find_item(self.feed, page) if self.feed else None
        return f"{item.title}\n{item.description}".strip() if item else ""

    def segment(self, page: Page, options: Options = DEFAULTS) -> Segmentation:
        """The blocks that the item quotes, and the rest of the page."""
        item = find_item(self.feed, page) if self.feed else None
        if self.feed is None or item is None:
            why = "no item of the feed leads to this page" if self.feed else "there is no feed"
            return SectionTree(section_tree(page, [], options=options), notes=(why,))
        notes = () if item_by_link(self.feed, page) else ("the feed item was found by its title",)
        starts, ends = page.blocks.node_start.tolist(), page.blocks.node_end.tolist()
        parts = [Part(starts[block], ends[block], 1.0, reasons=("the feed quotes it",)) for block in quoted(page, item)]
        return SectionTree(section_tree(page, parts, options=options), 0.5 if parts else 0.0, notes=notes)


def quoted(page: Page, item: FeedItem) -> list[int]:
    """The blocks that stand in the description, or that hold it."""
    said = _pairs(item.description)
    spans = zip(page.blocks.text_start.tolist(), page.blocks.text_end.tolist(), strict=True)
    blocks = [_pairs(page.text[start:end]) for start, end in spans]
    return [
        place
        for place, pairs in enumerate(blocks)
        if pairs and said and len(pairs & said) >= QUOTED * min(len(pairs), len(said))
    ]


def _pairs(text: str) -> _Pairs:
    return frozenset(pairwise(words(text.lower())))
