"""The items that a page is made of: the posts of a thread, the cards of a listing.

An item is one of several siblings (or cousins) that are built alike and each lead to a page, or are each signed. They
are looked for in what is kept, and given only where they make up a good part of it, so that a list of references in an
article is none. Posts may hold posts, as replies do; of everything else the outermost are given, unless they hold
nothing but items, as rows and columns do.
"""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from pagestrata.engine.prose import (
    SIGNATURE_WORDS,
    Floats,
    Ints,
    blocks_before,
    covered,
    running_sum,
    texts_of,
)
from pagestrata.engine.times import tells_time
from pagestrata.page import tags
from pagestrata.page.nodes import Bools
from pagestrata.page.nodes import Ints as Columns
from pagestrata.page.page import Page
from pagestrata.page.text import collapse
from pagestrata.results import Item, ItemKind

FEWEST: Final = 3
"""Items of one kind side by side from which they are items."""
MOSTLY: Final = 0.6
"""Share of those built alike that must be items."""
KEPT_SHARE: Final = 0.3
"""Share of an item that must be kept: names, times and buttons around its text may not be."""
ALIKE: Final = 0.5
"""Two elements are built alike from this Jaccard similarity of the tags of their children on."""
OWN_TEXT: Final = 0.2
"""An element with less text of its own beside the items in it only holds them."""
ITEMS_SHARE: Final = 0.3
"""Share of the kept text that items make up where a page is made of items."""
CARD_WORDS: Final = 250
"""What has more words is a text and no card, unless its title is a link and it is signed, as whole articles are that
stand one below the other."""
CARD_LINK: Final = 0.15
"""Share of links from which a card without a heading is there to lead elsewhere; less is a link in a text, unless it
has a line of its own."""
LINK_LINE: Final = 0.8
"""Share of links from which a line is a link."""
CARD_LINKS: Final = 0.3
"""Share of links from which signed items lead elsewhere: topics of a forum, not posts."""
POST_WORDS: Final = 3
"""Words without links from which a post says something."""
LOOKED_AT: Final = 500
"""Characters of an element that are looked at for a title or a name: elements may lie in each other."""
NAME_LENGTH: Final = 40
NAME_WORDS: Final = 4
"""Characters and words up to which a text may be the name of an author."""

_NO_ITEM = tuple(
    tags.TAG[name]
    for name in (
        "#text html body head p h1 h2 h3 h4 h5 h6 br span b i em strong img pre font u code small sub sup td th "
        "tbody thead tfoot dt figure picture figcaption label option select button svg g path"
    ).split()
)
_HEADINGS = tuple(tags.TAG[f"h{level}"] for level in range(1, 7))
_ELSEWHERE = re.compile(r"(?!#|javascript:|mailto:|tel:|data:)\S", re.IGNORECASE)
_PERSON: Final = ("author", "username", "user-name", "user_name", "user-_name", "poster", "nickname", "byline")
_PERSON_WORD: Final = ("user", "nick", "member")
_PERSON_ALONE = re.compile(r"(?<![\w-])(?:user|nick|member)(?![\w-])")
# But not where one logs in.
_PERSON_PAGE = re.compile(
    r"/(?:u|users?|members?|profiles?|authors?|people)/(?!log|sign|regist)|[?&](?:u|uid|user|member)=|member\.php|/[@~]",
    re.IGNORECASE,
)
_PLACE = re.compile(r"^(?!.*/(?:log|sign)-?in)(?:.*#.|.*/posts?[/-]\d|.*[?&]p=\d)")
_JOINED = re.compile(
    r"joined|registered|member since|registriert|mitglied seit|inscri|desde|dołączył|регистрация|注册", re.I
)
_CLOCK = re.compile(r"(?<!\d)\d{1,2}:\d\d(?!\d)")


_Link = tuple[int, str]
"""The node of a link, and where it leads."""


def find_items(page: Page, kept: Bools) -> list[Item]:
    """The items among the kept blocks, in document order; none where the page is not made of them."""
    if not kept.any():
        return []
    measures = _Measures(page, kept)
    groups = [group for members in _alike(page, measures) if (group := _group(measures, members))]
    given = _with_replies(page, measures, _outermost(page, measures, groups))
    around = _nearest_around(page, list(given))
    sizes = dict.fromkeys(ItemKind, 0.0)
    for node, kind in given.items():
        sizes[kind] += measures.kept_sizes[node] if around[node] < 0 else 0.0
    is_made_of = {kind for kind, size in sizes.items() if size >= ITEMS_SHARE * measures.total}
    return list(_described(page, [(node, kind) for node, kind in given.items() if kind in is_made_of]))


class _Group(NamedTuple):
    """Elements built alike that are items."""

    kind: ItemKind
    members: list[int]


class _Measures:
    """What is known of every element that may be an item; lists and sets by node."""

    def __init__(self, page: Page, kept: Bools) -> None:
        blocks, nodes = page.blocks, page.nodes
        self.first, self.end = blocks_before(page), nodes.end
        self.kinds, self.inner_kinds = _kinds(page)
        may_be = np.flatnonzero(~nodes.is_one_of(_NO_ITEM))
        last = self.first[nodes.end[may_be]] - 1
        may_be = may_be[(last >= self.first[may_be]) & (blocks.node_end[last] <= nodes.end[may_be])]  # whole lines
        self.total = float((blocks.characters * kept).sum())
        size, kept_size = self.over(blocks.characters, may_be), self.over(blocks.characters * kept, may_be)
        self.elements = may_be[(kept_size > 0) & (kept_size >= KEPT_SHARE * size)]
        self.sizes = dict(zip(may_be.tolist(), size.tolist(), strict=True))
        self.kept_sizes = dict(zip(may_be.tolist(), kept_size.tolist(), strict=True))
        self.linked = dict(zip(may_be.tolist(), self.over(blocks.link_characters, may_be).tolist(), strict=True))
        self.say_something, self.are_signed, self.are_titled, self.are_cards = self.judged(page)

    def judged(self, page: Page) -> Iterator[set[int]]:
        """The elements that say something, those that also say who says it or when, those with a title, the cards."""
        blocks, elements = page.blocks, self.elements
        stamped, leads, is_heading = _stamped(page), _leading(page), page.nodes.is_one_of(_HEADINGS)
        plain = blocks.even_words * (1 - blocks.link_characters / np.maximum(1, blocks.characters))
        says_something = self.over((plain >= POST_WORDS) & ~stamped, elements) > 0
        is_signed = says_something & (self.over(stamped, elements) + self.inside(_signs(page), elements) > 0)
        is_titled = self.inside(leads & _in_or_around(page, is_heading), elements) > 0
        is_led = self.over(blocks.link_characters, elements) >= CARD_LINK * self.over(blocks.characters, elements)
        is_led |= self.over(blocks.link_characters > LINK_LINE * blocks.characters, elements) > 0
        is_short = self.over(blocks.even_words, elements) <= CARD_WORDS
        is_card = (self.inside(leads, elements) > 0) & (is_led | (self.inside(is_heading, elements) > 0))
        is_card &= is_short | (is_titled & is_signed)
        return (set(elements[has].tolist()) for has in (says_something, is_signed, is_titled, is_card))

    def over(self, column: npt.NDArray[Any], elements: Ints) -> Floats:
        """The sum of a column of blocks over elements."""
        sums = running_sum(column)
        return np.asarray(sums[self.first[self.end[elements]]] - sums[self.first[elements]])

    def inside(self, column: Bools, elements: Ints) -> Floats:
        """How many nodes of an element have something, itself included."""
        sums = running_sum(column)
        return np.asarray(sums[self.end[elements]] - sums[elements])


def _stamped(page: Page) -> Bools:
    """Whether each block is a short line with a time."""
    words = page.blocks.even_words
    found: Bools = (words <= SIGNATURE_WORDS) & (words > 0)
    found[found] = [tells_time(text) for text in texts_of(page, np.flatnonzero(found))]
    return found


def _signs(page: Page) -> Bools:
    """Whether each node says who wrote something, or when."""
    found: Bools = page.nodes.tag == tags.TAG["time"]
    found[list(_people(page))] = True
    found[[node for node, target in page.links if _PERSON_PAGE.search(target)]] = True
    return found


def _leading(page: Page) -> Bools:
    """Whether each node is a link that leads elsewhere."""
    found = np.zeros(len(page.nodes), np.bool_)
    found[[node for node, target in page.links if _leads_elsewhere(target)]] = True
    return found


def _leads_elsewhere(target: str) -> bool:
    """Whether a link leads to another page: not to a place on one, as those to single posts do, nor to who wrote it."""
    return bool(_ELSEWHERE.match(target)) and "#" not in target and not _PERSON_PAGE.search(target)


def _in_or_around(page: Page, some: Bools) -> Bools:
    """Whether each node lies in one of these, or holds one."""
    before = running_sum(some)
    return np.asarray((covered(page, np.flatnonzero(some)) > 0) | (before[page.nodes.end] > before[:-1]))


# -------------------------------------------------------------------------------------------------------------- groups


def _alike(page: Page, measures: _Measures) -> Iterator[tuple[int, ...]]:
    """Kept elements that are built alike: siblings of one tag, or, where they are few, cousins."""
    elements, kinds = measures.elements, measures.kinds
    parent, tag = page.nodes.parent, page.nodes.tag
    few: list[int] = []
    for members in _grouped(elements, (parent[elements], tag[elements])):
        if len(members) >= FEWEST:
            yield _like_most(kinds, members)
        else:
            few += members
    rest = np.array(sorted(few), np.intp)
    above = parent[rest]
    for members in _grouped(rest, (parent[above], tag[above], tag[rest])):
        if len(members) >= FEWEST:
            yield _like_most(kinds, members)


def _grouped(elements: Ints, keys: Sequence[Columns]) -> Iterable[list[int]]:
    """The elements with equal keys, in document order."""
    found: dict[tuple[int, ...], list[int]] = {}
    for node, *key in zip(elements.tolist(), *(key.tolist() for key in keys), strict=True):
        found.setdefault(tuple(key), []).append(node)
    return found.values()


def _like_most(kinds: Sequence[int], members: Sequence[int]) -> tuple[int, ...]:
    """Those with about the same tags right below them as most have."""
    counts = Counter(kinds[node] for node in members)
    usual = min(counts, key=lambda kind: (-counts[kind], kind))
    return tuple(node for node in members if _similarity(kinds[node], usual) >= ALIKE)


def _kinds(page: Page) -> tuple[list[int], list[int]]:
    """The tags of the children of each node, and those of theirs, as sets of bits.

    Tags may share a bit, which does no harm.
    """
    nodes, kinds, inner = page.nodes, *np.zeros((2, len(page.nodes)), np.uint64)
    children = np.flatnonzero(nodes.tag[1:] != tags.TEXT) + 1
    np.bitwise_or.at(kinds, nodes.parent[children], np.uint64(1) << (nodes.tag[children] % 64).astype(np.uint64))
    np.bitwise_or.at(inner, nodes.parent[children], kinds[children])
    return kinds.tolist(), inner.tolist()


def _similarity(one: int, other: int) -> float:
    """Jaccard similarity of two sets of bits; two empty ones are the same.

    >>> _similarity(0b0110, 0b0011), _similarity(0, 0)
    (0.3333333333333333, 1.0)
    """
    return (one & other).bit_count() / (one | other).bit_count() if one or other else 1.0


def _group(measures: _Measures, members: Sequence[int]) -> _Group | None:
    """The members that are items, if most are."""

    def share(wanted: set[int]) -> float:
        return sum(node in wanted for node in members) / len(members)

    linked = sum(measures.linked[node] for node in members)
    is_talk = linked < CARD_LINKS * sum(measures.sizes[node] for node in members)
    if share(measures.are_signed) >= MOSTLY and is_talk and share(measures.are_titled) < MOSTLY:
        kind, fitting = ItemKind.POST, measures.say_something
    else:
        kind, fitting = ItemKind.CARD, measures.are_cards
    found = [node for node in members if node in fitting]
    return _Group(kind, found) if len(found) >= max(FEWEST, MOSTLY * len(members)) else None


# -------------------------------------------------------------------------------------------------------------- choice


def _outermost(page: Page, measures: _Measures, groups: Iterable[_Group]) -> dict[int, ItemKind]:
    """The items that lie in no other, by their node; what only holds several of them is none."""
    depth, sizes = page.nodes.depth, measures.kept_sizes
    groups = sorted(groups, key=lambda group: (-int(depth[group.members[0]]), group.members[0]))
    around = _nearest_around(page, sorted(node for group in groups for node in group.members))
    chosen: dict[int, ItemKind] = {}
    held = dict.fromkeys((-1, *around), (0, 0.0))  # how many items are in each member, and their kept characters
    for group in groups:  # the deepest first, so that what is inside is known
        only_hold = [
            held[node][0] > 1 and sizes[node] - held[node][1] < OWN_TEXT * sizes[node] for node in group.members
        ]
        is_given = sum(only_hold) < ALIKE * len(only_hold)
        chosen |= dict.fromkeys(group.members, group.kind) if is_given else {}
        for node in group.members:
            count, size = (1, sizes[node]) if is_given else held[node]
            before = held[around[node]]
            held[around[node]] = before[0] + count, before[1] + size
    around = _nearest_around(page, sorted(chosen))
    return {node: chosen[node] for node in sorted(chosen) if around[node] < 0}


def _with_replies(page: Page, measures: _Measures, given: dict[int, ItemKind]) -> dict[int, ItemKind]:
    """The items, and what is built like a post inside of a post, however few there are side by side."""
    posts = [node for node, kind in given.items() if kind is ItemKind.POST]
    tag, first = page.nodes.tag.tolist(), measures.first.tolist()
    kinds, inner = measures.kinds, measures.inner_kinds
    built = {(tag[node], kinds[node]): inner[node] for node in posts}
    begun = {first[node] for node in posts}
    is_inside = covered(page, np.array(posts, np.intp))[measures.elements] > 0
    found = dict(given)
    for node in measures.elements[is_inside].tolist():
        usual = built.get((tag[node], kinds[node]), -1)
        is_new = usual >= 0 and node in measures.are_signed and first[node] not in begun
        if is_new and _similarity(inner[node], usual) > ALIKE:
            found[node] = ItemKind.POST
            begun.add(first[node])
    return dict(sorted(found.items()))


def _nearest_around(page: Page, members: Sequence[int]) -> dict[int, int]:
    """For each of these elements, in document order, the nearest other one that holds it; -1 where none does."""
    ends, around, open_members = page.nodes.end.tolist(), dict[int, int](), [-1]
    for node in members:
        while open_members[-1] >= 0 and ends[open_members[-1]] <= node:
            open_members.pop()
        around[node] = open_members[-1]
        open_members.append(node)
    return around


# ------------------------------------------------------------------------------------------------------------- details


def _described(page: Page, found: Sequence[tuple[int, ItemKind]]) -> Iterator[Item]:
    """The items with what they say of themselves; a reply in a post says nothing of that."""
    details = _Details(page)
    starts = [*(node for node, _ in found), len(page.nodes)]
    for (node, kind), following in zip(found, starts[1:], strict=True):
        end = int(page.nodes.end[node])
        yield details.item(kind, node, end, min(end, following))


class _Details:
    """What is read of items, with the columns of the page as lists."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.links = page.links
        self.link_nodes = [node for node, _ in page.links]
        self.headings = page.nodes_tagged(*(f"h{level}" for level in range(1, 7))).tolist()
        self.times = page.nodes_tagged("time").tolist()
        self.people = sorted(set(_people(page)))
        self.first = blocks_before(page).tolist()
        self.end = page.nodes.end

    def item(self, kind: ItemKind, start: int, end: int, own_end: int) -> Item:
        """One item; what it says is read up to the first item inside of it."""
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
        """The link that an item stands in, if it does."""
        parent = int(self.page.nodes.parent[node])
        place = bisect_left(self.link_nodes, parent)
        return self.links[place : place + 1] if self.link_nodes[place : place + 1] == [parent] else []

    def post_title(self, links: Sequence[_Link], headings: Sequence[int]) -> tuple[str, str]:
        """The first heading of a post, and the link to the post itself: to a place on a page."""
        title = next((self.line(node) for node in headings), "")
        return title, next((target for _, target in links if _PLACE.search(target)), "")

    def card_title(self, links: Sequence[_Link], headings: Sequence[int]) -> tuple[str, str]:
        """The first heading of a card and its link, or else the longest text of a link."""
        leads = [(node, target) for node, target in links if _leads_elsewhere(target)]
        if not headings:
            return max(((self.line(node), target) for node, target in leads), key=_length, default=("", ""))
        heading = headings[0]
        near = [target for node, target in leads if self.is_around(node, heading) or self.is_around(heading, node)]
        return self.line(heading), next(iter(near or [target for _, target in leads]), "")

    def is_around(self, outer: int, inner: int) -> bool:
        return bool(outer <= inner < self.end[outer])

    def author(self, links: Sequence[_Link], start: int, end: int) -> str | None:
        """Who is named as such, or whose page is linked to."""
        people = (self.line(node) for node in _between(self.people, start, end))
        linked = (self.line(node) for node, target in links if _PERSON_PAGE.search(target))
        return next((name for names in (linked, people) for name in names if _may_be_name(name)), None)

    def time(self, start: int, end: int, title: str) -> str | None:
        """The first time of day, or else the first date: other dates in a post are of the day its author joined."""
        said = [self.page.attribute(node, "datetime") or self.line(node) for node in _between(self.times, start, end)]
        if not any(said):
            blocks = range(self.first[start], self.first[end])
            short = [block for block in blocks if self.page.blocks.words[block] <= SIGNATURE_WORDS]
            said = [line for line in texts_of(self.page, np.array(short, np.intp)) if tells_time(line)]
        said = [collapse(line) for line in said if line and collapse(line) != title]
        return min(said, key=lambda line: (_JOINED.match(line) is not None, _CLOCK.search(line) is None), default=None)

    def line(self, node: int) -> str:
        """The first line with letters in it, as far as it is looked at."""
        start, end = int(self.page.nodes.text_start[node]), int(self.page.nodes.text_end[node])
        lines = map(collapse, self.page.text[start : min(end, start + LOOKED_AT)].split("\n"))
        return next((line for line in lines if any(map(str.isalpha, line))), "")


def _length(pair: tuple[str, str]) -> int:
    return len(pair[0])


def _people(page: Page) -> Iterator[int]:
    """Elements that are marked up or named as who wrote something."""
    for attribute in ("class", "rel", "itemprop"):
        for node, value in page.values_of(attribute):
            if _names_person(value):
                yield node


@lru_cache(maxsize=50_000)
def _names_person(value: str) -> bool:
    """Whether a class or the like is that of who wrote something.

    >>> [_names_person(value) for value in ("post-Author", "is user", "user-menu", "members", "byline__text")]
    [True, True, False, False, True]
    """
    said = value[:200].lower()
    if any(word in said for word in _PERSON):  # nearly three times as fast as a pattern
        return True
    return any(word in said for word in _PERSON_WORD) and bool(_PERSON_ALONE.search(said))


def _may_be_name(text: str) -> bool:
    """Whether a text is short, has letters, and tells no time."""
    is_short = len(text) <= NAME_LENGTH and len(text.split()) <= NAME_WORDS
    return is_short and sum(map(str.isalpha, text)) > 1 and not tells_time(text)


def _between(nodes: Sequence[int], start: int, end: int) -> Sequence[int]:
    """Those in a range, of nodes in document order."""
    return nodes[bisect_left(nodes, start) : bisect_left(nodes, end)]
