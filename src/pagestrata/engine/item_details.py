"""What items say of themselves: author, time, title and link."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from pagestrata.engine.people import leads_elsewhere, leads_to_person, people_in
from pagestrata.engine.roles.keyword_marks import keyword_marks
from pagestrata.landmarks import is_time, landmarks_of, texts_of
from pagestrata.page.page import Page
from pagestrata.page.text import collapse
from pagestrata.results import Item, ItemKind

MAX_LINE_START: Final = 500
"""Characters of an element that are read for a title or a name: elements may lie in each other."""
NAME_LENGTH: Final = 40
NAME_WORDS: Final = 4
"""Characters and words up to which a text may be the name of an author."""

_PLACE = re.compile(r"^(?!.*/(?:log|sign)-?in)(?:.*#.|.*/posts?[/-]\d|.*[?&]p=\d)")
_JOINED = re.compile(
    r"joined|registered|member since|registriert|mitglied seit|inscri|desde|dołączył|регистрация|注册", re.I
)
_CLOCK = re.compile(r"(?<!\d)\d{1,2}:\d\d(?!\d)")
_NUMBER = re.compile(r"\d+")

_Link = tuple[int, str]
"""The node of a link, and where it leads."""


def describe_items(page: Page, kinds: Sequence[tuple[int, ItemKind]]) -> Iterator[Item]:
    """Yield the items at these nodes; what a reply in a post says is not said by the post."""
    if kinds:
        details = _Details(page, [node for node, _ in kinds])
        starts = [*(node for node, _ in kinds), len(page.nodes)]
        for (node, kind), following in zip(kinds, starts[1:], strict=True):
            end = int(page.nodes.end[node])
            yield details.item(kind, node, end, min(end, following))


class _Details:
    """Reads the details of items."""

    def __init__(self, page: Page, items: Sequence[int]) -> None:
        """`items` are the nodes of all items to be read."""
        self.page, self.landmarks = page, landmarks_of(page)
        start, end = page.nodes.parent[items].min(), page.nodes.end[items].max()  # an item may stand in a link
        links = keyword_marks(page).links
        first, last = np.searchsorted(links.nodes, (start, end))
        self.links = page.values_at(links.places[first:last])
        self.link_nodes = links.nodes[first:last].tolist()
        self.headings = page.nodes_tagged(*(f"h{level}" for level in range(1, 7))).tolist()
        self.times = page.nodes_tagged("time").tolist()
        self.people = people_in(page).tolist()

    def item(self, kind: ItemKind, start: int, end: int, own_end: int) -> Item:
        """Return one item; what it says is read up to the first item inside it."""
        around = self.link_around(start)
        links = [*around, *self.links[bisect_left(self.link_nodes, start) : bisect_left(self.link_nodes, own_end)]]
        headings = [node for node in _between(self.headings, start, own_end) if self.line(node)]
        title, link = self.post_title(links, headings) if kind is ItemKind.POST else self.card_title(links, headings)
        author = self.author(links, start, own_end)
        return Item(
            start,
            end,
            kind,
            author=author,
            time=self.time(start, own_end, title),
            title=title if title and title != author else None,
            link=self.page.resolve(link) if link else None,
        )

    def link_around(self, node: int) -> list[_Link]:
        """Return the link that an item stands in, if it does."""
        parent = int(self.page.nodes.parent[node])
        place = bisect_left(self.link_nodes, parent)
        return self.links[place : place + 1] if self.link_nodes[place : place + 1] == [parent] else []

    def post_title(self, links: Sequence[_Link], headings: Sequence[int]) -> tuple[str, str]:
        """Return the first heading of a post, and the link to the post itself: to a place on a page."""
        title = next((self.line(node) for node in headings), "")
        return title, next((target for _, target in links if _PLACE.search(target)), "")

    def card_title(self, links: Sequence[_Link], headings: Sequence[int]) -> tuple[str, str]:
        """Return the first heading of a card and its link, or else the longest text of a link."""
        leads = [(node, target) for node, target in links if leads_elsewhere(target)]
        if not headings:
            return max(((self.line(node), target) for node, target in leads), key=_length, default=("", ""))
        heading = headings[0]
        near = [target for node, target in leads if self.is_around(node, heading) or self.is_around(heading, node)]
        return self.line(heading), next(iter(near or [target for _, target in leads]), "")

    def is_around(self, outer: int, inner: int) -> bool:
        """Whether one node is in the subtree of another."""
        return bool(outer <= inner < self.page.nodes.end[outer])

    def author(self, links: Sequence[_Link], start: int, end: int) -> str | None:
        """Return the name of who is linked to, or of who is marked up as a person."""
        people = (self.line(node) for node in _between(self.people, start, end))
        linked = (self.line(node) for node, target in links if leads_to_person(target))
        return next((name for names in (linked, people) for name in names if _may_be_name(name)), None)

    def time(self, start: int, end: int, title: str) -> str | None:
        """Return the first time of day, or else the first date: other dates in a post are when its author joined."""
        marked = _between(self.times, start, end)
        times = [self.page.attribute(node, "datetime") or self.line(node) for node in marked]
        times = times if any(times) else self.stamps(start, end)
        times = [collapse(line) for line in times if line and collapse(line) != title]
        return min(times, key=lambda line: (_JOINED.match(line) is not None, _CLOCK.search(line) is None), default=None)

    def stamps(self, start: int, end: int) -> list[str]:
        """Return the lines in a range of nodes that tell a time."""
        first, last = self.landmarks.first_block[start], self.landmarks.first_block[end]
        return texts_of(self.page, first + np.flatnonzero(self.landmarks.tells_time[first:last]))

    def line(self, node: int) -> str:
        """Return the first line with letters in it, as far as it is read."""
        start, end = int(self.page.nodes.text_start[node]), int(self.page.nodes.text_end[node])
        lines = map(collapse, self.page.text[start : min(end, start + MAX_LINE_START)].split("\n"))
        return next((line for line in lines if any(map(str.isalpha, line))), "")


def _length(pair: tuple[str, str]) -> int:
    return len(pair[0])


def _may_be_name(text: str) -> bool:
    """Whether a text is short, has letters, and is no time; a name may have one number, as `nessa2004` does.

    >>> _may_be_name("Nessa K."), _may_be_name("nessa2004"), _may_be_name("9 May 2004"), _may_be_name("2 days ago")
    (True, True, False, False)
    """
    is_short = len(text) <= NAME_LENGTH and len(text.split()) <= NAME_WORDS
    is_numbered = len(_NUMBER.findall(text)) == 1 and " ago" not in text and "前" not in text
    return is_short and sum(map(str.isalpha, text)) > 1 and (is_numbered or not is_time(text))


def _between(nodes: Sequence[int], start: int, end: int) -> Sequence[int]:
    """Return the nodes in a range, of nodes in document order."""
    return nodes[bisect_left(nodes, start) : bisect_left(nodes, end)]
