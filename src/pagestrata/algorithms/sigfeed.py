"""SIGFEED: the `div` of one page that is densest in the words of its feed item (Oita and Senellart, 2010).

Known to us as the baseline of FOREST: significant nodes, those that hold a keyword of the item's title or description,
are clustered by their first `div` upwards, and the densest cluster is the article. We take the densest to be the one
with the most occurrences of keywords, and of equal ones the smallest (ours: by the share of keywords a heading would
win). A node without a `div` around it belongs to `body`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pagestrata.algorithms.base import DEFAULTS, Part, segmentation
from pagestrata.options import Options
from pagestrata.page import tags
from pagestrata.page.feed import Feed, FeedItem, item_by_link, item_by_title
from pagestrata.page.nodes import Ints
from pagestrata.page.page import Page
from pagestrata.page.terms import Vocabulary, language_of
from pagestrata.results import Segmentation

_DIV, _BODY = tags.TAG["div"], tags.TAG["body"]


@dataclass(frozen=True, slots=True)
class SigFeed:
    """Learns from the feed of a site; the sample pages are not used."""

    def learn(self, pages: Sequence[Page], feed: Feed | None = None) -> "FeedReader":
        """Return a segmenter that uses the feed."""
        return FeedReader(feed)


@dataclass(frozen=True, slots=True)
class FeedReader:
    """Cuts each page by the feed item that leads to it."""

    feed: Feed | None = None

    def segment(self, page: Page, options: Options = DEFAULTS) -> Segmentation:
        """Return the densest `div` as one section, and the other nodes of the page as sections."""
        by_link = item_by_link(self.feed, page) if self.feed else None
        item = by_link or (item_by_title(self.feed, page) if self.feed else None)
        notes = ("the feed item was found by its title",) if item and not by_link else ()
        if item is None or not len(page.nodes):
            why = "no item of the feed leads to this page" if self.feed else "there is no feed"
            return segmentation(page, [], options, notes=(why,))
        node, keywords = densest(page, item)
        if not keywords:
            return segmentation(page, [], options, notes=(*notes, "the page has no word of its feed item"))
        reason = f"the most words of the feed item: {keywords}"
        part = Part(node, int(page.nodes.end[node]), 1.0, reasons=(reason,), signals={"keywords": float(keywords)})
        return segmentation(page, [part], options, 0.5, notes)


def densest(page: Page, item: FeedItem) -> tuple[int, int]:
    """Return the `div` with most keywords of its own, and their number; of equal ones the smallest."""
    vocabulary = Vocabulary(language_of([page]))
    terms = vocabulary.read(page)
    keywords = np.array(vocabulary.numbers_of(f"{item.title} {item.description}"), np.int32)
    significant = terms.nodes[terms.are_of(keywords)]
    counts = np.bincount(first_div(page)[significant], minlength=len(page.nodes))
    maximum = int(counts.max())
    candidates = np.flatnonzero(counts == maximum)
    sizes = page.nodes.end[candidates] - candidates
    return int(candidates[np.argmin(sizes)]), maximum


def first_div(page: Page) -> Ints:
    """Return the first `div` upwards of each node, or `body`, or the root."""
    holder = list(range(len(page.nodes)))
    tag, parent = page.nodes.tag.tolist(), page.nodes.parent.tolist()
    for node in range(1, len(holder)):
        holder[node] = node if tag[node] in (_DIV, _BODY) else holder[parent[node]]
    return np.array(holder, np.int32)
