"""The details of items: author, time, title and link."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import islice
from typing import Final

import numpy as np

from pagestrata.engine.nesting import sibling_before
from pagestrata.engine.people import leads_elsewhere, leads_to_person, people_in
from pagestrata.engine.roles.keyword_marks import keyword_marks
from pagestrata.landmarks import is_time, landmarks_of, texts_of
from pagestrata.metadata.dates import read_date
from pagestrata.page.page import Page
from pagestrata.page.text import collapse
from pagestrata.results import Item, ItemKind

MAX_LINE_START: Final = 500
"""Characters of an element that are read for a title or a name: elements may lie in each other."""
MIN_SHARED: Final = 3
"""Cards that have the same line from which it is no title."""
NAME_LINES: Final = 3
"""Lines at the start of a post of which one may be the name of its author."""
NAMED_SHARE: Final = 0.8
"""Share of the posts that must begin with what may be a name."""
NAME_LENGTH: Final = 40
NAME_WORDS: Final = 4
"""Characters and words up to which a text may be the name of an author."""

_PLACE = re.compile(r"^(?!.*/(?:log|sign)-?in)(?:.*#.|.*/posts?[/-]\d|.*[?&]p=\d)")
_JOINED = re.compile(
    r"joined|registered|member since|registriert|mitglied seit|inscri|desde|dołączył|регистрация|注册", re.I
)
_TITLE_NAME = re.compile(r"(?:^|[\s_-])title(?:$|\s)", re.I)
_CLOCK = re.compile(r"(?<!\d)\d{1,2}:\d\d(?!\d)")
_AGO = re.compile(r"(?:\b(?:an?|one)|\d+)\+? [a-z]+ ago\b|\d+ ?(?:秒|分钟|小时|天|周|个月|月|年)[之以]?前", re.I)
_ISO = re.compile(r"\d{4}-\d\d-\d\d(?:$|T)")
_NUMBER = re.compile(r"\d+")
_BESIDE_NAME = re.compile(r"^(?:[Bb]y|BY)(?:\s*:?\s+|$)|\s+(?:says|said|writes|wrote)\s*:?$")
"""Words before or after the name of an author."""

_Link = tuple[int, str]
"""The node of a link, and where it leads."""


def describe_items(page: Page, kinds: Sequence[tuple[int, ItemKind]]) -> Iterator[Item]:
    """Yield the items at these nodes; the details of a reply inside a post are not those of the post."""
    if kinds:
        details = _Details(page, [node for node, _ in kinds])
        details.shared_lines = details.find_shared_lines([node for node, kind in kinds if kind is ItemKind.CARD])
        starts = [*(node for node, _ in kinds), len(page.nodes)]
        items, last_ends = [], dict[int, int]()
        for (node, kind), following in zip(kinds, starts[1:], strict=True):
            end, parent = int(page.nodes.end[node]), int(page.nodes.parent[node])
            byline = last_ends[parent] if parent in last_ends else sibling_before(page, node)
            last_ends[parent] = end
            items.append(details.item(kind, node, end, min(end, following), byline))
        yield from details.with_first_names(items)


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
        self.times = _marked_times(page)
        self.people = people_in(page).tolist()
        self.shared_lines: frozenset[str] = frozenset()
        """Lines that most cards have, such as "Add to cart": none is a title."""

    @cached_property
    def titles(self) -> list[int]:
        """The elements that are named titles; read only for cards without headings."""
        return [node for node, value in self.page.values_of("class") if _TITLE_NAME.search(value)]

    def with_first_names(self, items: Sequence[Item]) -> Iterator[Item]:
        """Yield the items; where few posts name their authors in a known way, their first short lines do, if most can.

        Lines that most posts share, such as "Post subject", are no names.
        """
        posts = [item for item in items if item.kind is ItemKind.POST]
        if len(posts) < MIN_SHARED or 2 * sum(post.author is not None for post in posts) > len(posts):
            yield from items
            return
        shared = self.find_shared_lines([post.start for post in posts], NAMED_SHARE)
        names = {post.start: self.first_name(post, shared) for post in posts}
        has_names = sum(map(bool, names.values())) >= NAMED_SHARE * len(posts)
        yield from (replace(item, author=names.get(item.start)) if has_names else item for item in items)

    def first_name(self, post: Item, shared: frozenset[str]) -> str | None:
        """Return the first of the first lines of a post that may be a name; a marked time may stand behind it."""
        times = [self.line_of_time(node) for node in _between(self.times, post.start, post.end)]
        lines = islice((line for line in self.lines(post.start) if line not in (*shared, post.title)), NAME_LINES)
        names = (_without_end(line, times) for line in lines)
        return next((name for name in names if name != post.time and _may_be_name(name)), None)

    def line_of_time(self, node: int) -> str:
        """Return what a marked time shows."""
        return collapse(self.page.text_of(node)[:MAX_LINE_START])

    def item(self, kind: ItemKind, start: int, end: int, own_end: int, byline: int) -> Item:
        """Return one item; what it says is read up to the first item inside it, of a post also from its byline on."""
        around = self.link_around(start)
        links = [*around, *self.links[bisect_left(self.link_nodes, start) : bisect_left(self.link_nodes, own_end)]]
        headings = [node for node in _between(self.headings, start, own_end) if self.title_line(node)]
        is_post = kind is ItemKind.POST
        title, link = self.post_title(links, headings) if is_post else self.card_title(links, headings, start, own_end)
        author, time = self.author(links, start, own_end), self.time(start, own_end, title)
        if kind is ItemKind.POST and byline < start:
            before = self.links[bisect_left(self.link_nodes, byline) : bisect_left(self.link_nodes, start)]
            author = author or self.author(before, byline, start)
            time = time or self.time(byline, start, title)
        return Item(
            start,
            end,
            kind,
            author=author,
            time=time,
            title=title if title and title != author else None,
            link=self.page.resolve(link) if link else None,
        )

    def link_around(self, node: int) -> list[_Link]:
        """Return the link around an item, if there is one."""
        parent = int(self.page.nodes.parent[node])
        place = bisect_left(self.link_nodes, parent)
        return self.links[place : place + 1] if self.link_nodes[place : place + 1] == [parent] else []

    def post_title(self, links: Sequence[_Link], headings: Sequence[int]) -> tuple[str, str]:
        """Return the first heading of a post, and the link to the post itself: to a place on a page."""
        title = next((self.title_line(node) for node in headings), "")
        return title, next((target for _, target in links if _PLACE.search(target)), "")

    def card_title(self, links: Sequence[_Link], headings: Sequence[int], start: int, end: int) -> tuple[str, str]:
        """Return the first heading of a card and its link, or what is named its title, or else the longest link."""
        leads = [(node, target) for node, target in links if leads_elsewhere(target)]
        headings = headings or [node for node in _between(self.titles, start, end) if self.title_line(node)]
        if not headings:
            return max(((self.title_line(node), target) for node, target in leads), key=_length, default=("", ""))
        heading = headings[0]
        near = [target for node, target in leads if self.is_around(node, heading) or self.is_around(heading, node)]
        return self.title_line(heading), next(iter(near or [target for _, target in leads]), "")

    def is_around(self, outer: int, inner: int) -> bool:
        """Whether one node is in the subtree of another."""
        return bool(outer <= inner < self.page.nodes.end[outer])

    def author(self, links: Sequence[_Link], start: int, end: int) -> str | None:
        """Return the name of the person who is linked to or marked up."""
        people = (self.line(node) for node in _between(self.people, start, end))
        linked = (self.line(node) for node, target in links if leads_to_person(target))
        names = (_BESIDE_NAME.sub("", name) for name in (*linked, *people))
        return next((name for name in names if _may_be_name(name)), None)

    def time(self, start: int, end: int, title: str) -> str | None:
        """Return the first time of day, or else the first date, but for dates at which its author joined."""
        marked = _between(self.times, start, end)
        times = [(self.page.attribute(node, "datetime") or self.line(node), self.is_joined(node)) for node in marked]
        if not any(text for text, _ in times):
            times = [(line, _JOINED.match(line) is not None) for line in self.stamps(start, end)]
        own_times = [collapse(text) for text, joined in times if text and not joined and collapse(text) != title]
        time = min(own_times, key=lambda text: _CLOCK.search(text) is None, default=None)
        return time and time_in(time)

    def is_joined(self, node: int) -> bool:
        """Whether the line around a marked time says when its author joined."""
        blocks = self.page.blocks
        block = int(np.searchsorted(blocks.node_start, node + 1, side="right")) - 1
        text = self.page.text[blocks.text_start[block] : blocks.text_end[block]] if block >= 0 else ""
        return _JOINED.match(text.lstrip()) is not None

    def stamps(self, start: int, end: int) -> list[str]:
        """Return the lines in a range of nodes that contain a time."""
        first, last = self.landmarks.first_block[start], self.landmarks.first_block[end]
        return texts_of(self.page, first + np.flatnonzero(self.landmarks.tells_time[first:last]))

    def find_shared_lines(self, items: Sequence[int], share: float = 0.5) -> frozenset[str]:
        """Return the lines that at least this many of the items have."""
        counts = Counter(line for node in items for line in set(self.lines(node)))
        return frozenset(line for line, count in counts.items() if count >= max(MIN_SHARED, share * len(items)))

    def title_line(self, node: int) -> str:
        """Return the first line that may be a title."""
        return next((line for line in self.lines(node) if line not in self.shared_lines), "")

    def line(self, node: int) -> str:
        """Return the first line."""
        return next(self.lines(node), "")

    def lines(self, node: int) -> Iterator[str]:
        """Yield the lines with letters in them, as far as the element is read."""
        start, end = int(self.page.nodes.text_start[node]), int(self.page.nodes.text_end[node])
        lines = map(collapse, self.page.text[start : min(end, start + MAX_LINE_START)].split("\n"))
        return (line for line in lines if any(map(str.isalpha, line)))


def _without_end(line: str, ends: Sequence[str]) -> str:
    """Return a line without the first of some texts that it ends with, and the marks before that.

    >>> _without_end("Nessa K. · 9:40", ["9:40"])
    'Nessa K.'
    """
    end = next((end for end in ends if end and line.endswith(end)), "")
    return line.removesuffix(end).rstrip(" ,:;|·•–—-") if end else line


def time_in(line: str) -> str:
    """Return the time in a line that contains one: as ISO 8601 if it has a date, or else as it is printed.

    >>> time_in("Posted: Tue Dec 14, 2004 11:58 am Post subject: Mud"), time_in("nessa 3 days ago in Harbour")
    ('2004-12-14T11:58:00', '3 days ago')
    >>> time_in("Yesterday, 10:15")
    'Yesterday, 10:15'
    """
    if _ISO.match(line):
        return line
    ago = _AGO.search(line)
    return read_date(line) or (ago[0] if ago else line)


def _marked_times(page: Page) -> list[int]:
    """Return the elements that are marked as a time, by their tag or by what they state; changes of a text are none."""
    changes = page.nodes_tagged("del", "ins")
    return sorted({*page.nodes_tagged("time").tolist(), *page.nodes_with("datetime").tolist()} - {*changes.tolist()})


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
