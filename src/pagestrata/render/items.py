"""The items of a page as data: posts, comments and cards, with what they show of prices, pictures and votes."""

import re
from collections.abc import Iterator, Sequence
from itertools import dropwhile
from typing import Final

import numpy as np

from pagestrata.engine.item_details import time_in
from pagestrata.engine.items import MAX_CARD_TEXT
from pagestrata.extraction import Extraction
from pagestrata.landmarks import landmarks_of
from pagestrata.page.nodes import Ints
from pagestrata.page.page import Page
from pagestrata.page.prices import PRICE
from pagestrata.page.text import collapse
from pagestrata.parts import Items, PageItem
from pagestrata.render.images import image_source
from pagestrata.render.posts import hide_byline, hide_signatures, reply_parents
from pagestrata.render.walk import Marks, shown_nodes
from pagestrata.results import Item, ItemKind

MAX_BESIDE_NAME: Final = 12
"""The most characters in a byline besides the name of the author: "says:", "by"."""
VOTE_LENGTH: Final = 20
"""The most characters of a line with a number of votes."""

_VOTES = re.compile(r"([+\-−]?\d[\d,.]*)(k?)(?:\s*(?:points?|votes?|upvotes?|likes?))?", re.I)
_VOTE_NAME = re.compile(r"vote|score|point|karma|like|reaction", re.I)


def items_of(extraction: Extraction) -> Items:
    """Return the items of the returned content."""
    page, items = extraction.page, list(extraction.segmentation.items)
    if not items:
        return Items()
    shown = shown_nodes(extraction)
    items = [item for item in items if shown[item.start]]
    for item in items:
        hide_byline(page, item, shown)
    hide_signatures(page, [item for item in items if item.kind is ItemKind.POST], shown)
    reader = _ItemReader(page, shown)
    following = [*(item.start for item in items[1:]), len(page.nodes)]
    rows = zip(items, following, _parents(page, items), strict=True)
    return Items(_each_card_once([reader.read(item, min(item.end, end), parent) for item, end, parent in rows]))


def _each_card_once(items: list[PageItem]) -> list[PageItem]:
    """Return the items without copies of cards, which say the same as another or nothing beside its title.

    Pages repeat the cards of a carousel. With posts all items are returned, as replies point to them by their places.
    """
    if any(item.kind == ItemKind.POST for item in items):
        return items
    described = {(item.title, item.link) for item in items if item.text}
    once: dict[tuple[str | None, ...], PageItem] = {}
    for place, item in enumerate(items):
        if item.text or (item.title, item.link) not in described:
            is_named = item.title is not None and item.link is not None
            once.setdefault((item.title, item.link, item.price, item.text) if is_named else (f"{place}",), item)
    return list(once.values())


def _parents(page: Page, items: Sequence[Item]) -> list[int | None]:
    """Return for each item the index of the post that it replies to."""
    places = [place for place, item in enumerate(items) if item.kind is ItemKind.POST]
    parents: list[int | None] = [None] * len(items)
    for place, parent in zip(places, reply_parents(page, [items[place] for place in places]), strict=True):
        parents[place] = None if parent is None else places[parent]
    return parents


class _ItemReader:
    """Reads the details of items; each item is read up to the first item inside it."""

    def __init__(self, page: Page, shown: Marks) -> None:
        self.page, self.shown = page, shown
        self.tells_time = landmarks_of(page).tells_time
        self.images = page.nodes_tagged("img")
        self.new_prices = page.nodes_tagged("ins")
        self.old_prices = page.nodes_tagged("del", "s", "strike")

    def read(self, item: Item, end: int, reply_to: int | None) -> PageItem:
        """Return an item as data."""
        is_card, fields = item.kind is ItemKind.CARD, (item.author, item.time, item.title)
        return PageItem(
            kind=item.kind.value,
            author=item.author,
            time=item.time,
            title=item.title,
            link=item.link,
            price=self.price(item.start, end) if is_card else None,
            image=self.image(item.start, end) if is_card else None,
            votes=None if is_card else self.votes(item.start, end),
            reply_to=reply_to,
            text="\n".join(line for line in self.text_lines(item, end) if line not in fields),
        )

    def price(self, start: int, end: int) -> str | None:
        """Return the first price that replaces another, or else the first that is not struck out."""
        nodes, text = self.page.nodes, self.page.text
        new = PRICE.search("\n".join(map(self.page.text_of, _between(self.new_prices, start, end))))
        if new:
            return collapse(new[0])
        first = int(nodes.text_start[start])
        last = min(int(nodes.text_end[end - 1]), first + MAX_CARD_TEXT)
        struck = [(nodes.text_start[node], nodes.text_end[node]) for node in _between(self.old_prices, start, end)]
        edges = [first, *(int(edge) for span in struck for edge in span), last]
        match = PRICE.search("\n".join(text[begin:stop] for begin, stop in zip(edges[::2], edges[1::2], strict=True)))
        return collapse(match[0]) if match else None

    def image(self, start: int, end: int) -> str | None:
        """Return the address of the first picture that shows something."""
        images = _between(self.images, start, end)
        sources = (image_source(self.page, node, dict(self.page.attributes_of(node))) for node in images)
        return next(filter(None, sources), None)

    def votes(self, start: int, end: int) -> int | None:
        """Return the number in a short line inside an element with a name for votes."""
        for block in self.blocks(start, end):
            if self.page.blocks.characters[block] <= VOTE_LENGTH:
                match = _VOTES.fullmatch(self.line(block))
                if match and self.is_vote(int(self.page.blocks.node_start[block])):
                    return _count(*match.groups())
        return None

    def is_vote(self, node: int) -> bool:
        """Whether the element around a text or the one around that is named after votes."""
        parent = self.page.nodes.parent
        around = int(parent[node])
        names = (
            self.page.attribute(each, name) or ""
            for each in (around, int(parent[around]))
            for name in ("class", "itemprop")
        )
        return any(map(_VOTE_NAME.search, names))

    def text_lines(self, item: Item, end: int) -> Iterator[str]:
        """Yield the returned lines, without the byline at the beginning and the line with the time."""
        blocks = self.page.blocks
        shown = (
            block
            for block in self.blocks(item.start, end)
            if self.shown[blocks.node_start[block] : blocks.node_end[block]].any()
        )
        text = dropwhile(lambda block: self.is_byline(block, item.author), shown)
        return (self.line(block) for block in text if not self.tells(block, item.time))

    def tells(self, block: int, time: str | None) -> bool:
        """Whether a line tells this time, and little else."""
        return time is not None and bool(self.tells_time[block]) and time_in(self.line(block)) == time

    def is_byline(self, block: int, author: str | None) -> bool:
        """Whether a line tells little but a time or the author."""
        line = self.line(block)
        is_name = author is not None and author in line and len(line) <= len(author) + MAX_BESIDE_NAME
        return is_name or bool(self.tells_time[block])

    def blocks(self, start: int, end: int) -> range:
        """Return the blocks in a range of nodes."""
        return range(*np.searchsorted(self.page.blocks.node_start, (start, end)).tolist())

    def line(self, block: int) -> str:
        """Return the text of a block on one line."""
        blocks = self.page.blocks
        return collapse(self.page.text[blocks.text_start[block] : blocks.text_end[block]])


def _count(number: str, thousands: str) -> int:
    """Return a number of votes.

    >>> _count("1.2", "k"), _count("1,204", ""), _count("−3", "")
    (1200, 1204, -3)
    """
    if thousands:
        return round(float(number.replace(",", ".").replace("−", "-")) * 1000)
    return int(number.replace(",", "").replace(".", "").replace("−", "-"))


def _between(nodes: Ints, start: int, end: int) -> Iterator[int]:
    """Yield the nodes in a range, of nodes in document order."""
    first, last = np.searchsorted(nodes, (start, end))
    yield from nodes[first:last].tolist()
