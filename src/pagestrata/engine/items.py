"""The items that a page consists of: the posts of a thread, the cards of a listing.

An item is one of several siblings (or cousins) that are built alike and each lead to a page, or are each signed. They
are looked for in what is kept, and returned only where they make up a good part of it, so that a list of references in
an article is none. Posts may hold posts, as replies do; of everything else the outermost are returned, unless they hold
nothing but items, as rows and columns do.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from pagestrata.engine.item_details import describe_items
from pagestrata.engine.nesting import Places, are_inside, nearest_around, sibling_before
from pagestrata.engine.people import leads_to_reply, links_elsewhere, links_to_people, links_to_posts, people_in
from pagestrata.landmarks import Floats, landmarks_of, running_sum
from pagestrata.page import tags
from pagestrata.page.nodes import Bools
from pagestrata.page.page import Page
from pagestrata.page.prices import PRICE
from pagestrata.results import Item, ItemKind

MIN_ITEMS: Final = 3
"""Elements of one kind side by side from which they are items; two posts are enough if both name author and time."""
MOST: Final = 0.6
"""Share of the elements built alike that must be items."""
KEPT_SHARE: Final = 0.1
"""Share of an item that must be kept: names, times and buttons around its text may not be."""
ALIKE: Final = 0.5
"""Two elements are built alike from this Jaccard similarity of the tags of their children on."""
OWN_TEXT: Final = 0.2
"""An element with less text of its own beside the items in it only holds them."""
ITEMS_SHARE: Final = 0.3
"""Share of the kept text that items make up where a page is made of items."""
PRICED_SHARE: Final = 0.15
"""Share of the kept text from which cards are items if most have a price: shops describe their categories at length."""
CARD_WORDS: Final = 250
"""What has more words is a text and no card, unless its title is a link and it is signed, as whole articles are that
stand one below the other."""
MAX_CARD_TEXT: Final = 3_000
"""Characters of a card in which a price is looked for."""
PRICE_LENGTH: Final = 40
"""Characters up to which a line with a price in it says little else."""
CARD_LINK: Final = 0.15
"""Share of links from which a card without a heading is there to lead elsewhere; less is a link in a text, unless it
has a line of its own."""
LINK_LINE: Final = 0.8
"""Share of links from which a line is a link."""
CARD_LINKS: Final = 0.3
"""Share of links from which signed items lead elsewhere: topics of a forum, not posts."""
POST_WORDS: Final = 3
"""The fewest words outside links of a post with content of its own."""

_NO_ITEM = tuple(
    tags.TAG[name]
    for name in (
        "#text html body head p h1 h2 h3 h4 h5 h6 br span b i em strong img pre font u code small sub sup td th "
        "tbody thead tfoot dt figure picture figcaption label option select button svg g path"
    ).split()
)
_HEADINGS = tuple(tags.TAG[f"h{level}"] for level in range(1, 7))


def find_items(page: Page, kept: Bools) -> list[Item]:
    """Return the items among the kept blocks, in document order; none where the page is not made of them."""
    return list(describe_items(page, _item_kinds(page, kept)))


def find_posts(page: Page, kept: Bools) -> list[Item]:
    """Return the posts among the items; this costs less where there are none."""
    kinds = _item_kinds(page, kept, only_threads=True)
    return list(describe_items(page, [(node, kind) for node, kind in kinds if kind is ItemKind.POST]))


def _item_kinds(page: Page, kept: Bools, only_threads: bool = False) -> list[tuple[int, ItemKind]]:
    """Return the nodes that are items and what they are; with `only_threads` none for a page without a thread."""
    if not kept.any():
        return []
    text = _KeptText(page, kept)
    groups = list(_siblings_and_cousins(page, text.elements))
    share = ITEMS_SHARE if only_threads else PRICED_SHARE
    if not (groups and text.is_made_of(np.concatenate(groups), share)):
        return []
    shapes = _Shapes(page)
    item_groups = _item_groups(text, [_like_most(shapes, members) for members in groups], only_threads)
    items = _with_short_posts(text, _outermost(text, item_groups))
    items = _with_replies(text, shapes, items)
    return _of_main_kinds(text, items)


@dataclass(frozen=True, eq=False)
class _KeptText:
    """The elements of a page with kept text, and sums over elements."""

    page: Page
    kept: Bools

    @cached_property
    def kept_sums(self) -> Floats:
        """Running sum of the kept characters over the blocks."""
        return running_sum(self.page.blocks.characters * self.kept)

    @cached_property
    def first_block(self) -> npt.NDArray[np.int32]:
        """The first block at or after each node."""
        return landmarks_of(self.page).first_block

    @cached_property
    def elements(self) -> Places:
        """The elements that may be items: they hold whole lines, and enough of these is kept."""
        nodes, blocks, first_block = self.page.nodes, self.page.blocks, self.first_block
        may_be = np.flatnonzero(~nodes.is_one_of(_NO_ITEM))
        first, end = first_block[may_be], nodes.end[may_be]
        last = first_block[end]
        kept_size = self.kept_sums[last] - self.kept_sums[first]
        sizes = running_sum(blocks.characters)
        is_kept = (kept_size > 0) & (kept_size >= KEPT_SHARE * (sizes[last] - sizes[first]))
        may_be, last, end = may_be[is_kept], last[is_kept], end[is_kept]
        return may_be[blocks.node_end[last - 1] <= end]

    def is_made_of(self, members: Places, share: float = ITEMS_SHARE) -> bool:
        """Whether these elements, taken together, hold enough of the kept text to be what the page is made of."""
        steps = np.zeros(len(self.kept) + 1, np.intp)
        np.add.at(steps, self.first_block[members], 1)
        np.subtract.at(steps, self.first_block[self.page.nodes.end[members]], 1)
        is_inside = np.cumsum(steps[:-1]) > 0
        size = (self.page.blocks.characters * (self.kept & is_inside)).sum()
        return bool(size >= share * self.kept_sums[-1])

    def kept_sizes(self, members: Places) -> Floats:
        """Return the kept characters in each of these elements."""
        return self.over(self.kept_sums, members)

    def over(self, sums: Floats, members: Places) -> Floats:
        """Return the sums over elements of columns of blocks, given their running sums."""
        first, last = self.first_block[members], self.first_block[self.page.nodes.end[members]]
        return np.asarray(sums[..., last] - sums[..., first])

    def count(self, nodes: Places, members: Places) -> Places:
        """Return how many of some nodes, in document order, are in each element, itself included."""
        return np.searchsorted(nodes, self.page.nodes.end[members]) - np.searchsorted(nodes, members)

    def names_author_and_time(self, starts: Places, ends: Places) -> Bools:
        """Whether each range of nodes names who wrote something, or leads to it as a single post, and names when."""
        authors, times = self._authors_and_times
        has_time, has_author = _have_any(times, starts, ends), _have_any(authors, starts, ends)
        if (has_time & ~has_author).any():
            has_author |= _have_any(links_to_posts(self.page), starts, ends)
        return np.asarray(has_author & has_time)

    @cached_property
    def _authors_and_times(self) -> tuple[Places, Places]:
        """The nodes that name an author, and those that are or begin a line with a time, in document order."""
        page = self.page
        authors = np.sort(np.concatenate((people_in(page), links_to_people(page))))
        stamps = page.blocks.node_start[np.flatnonzero(landmarks_of(page).tells_time)]
        marked = np.flatnonzero(page.nodes.tag == tags.TAG["time"])
        return authors, np.sort(np.concatenate((marked, stamps)))


def _have_any(nodes: Places, starts: Places, ends: Places) -> Bools:
    """Whether each range has one of some nodes, which are in document order."""
    return np.asarray(np.searchsorted(nodes, ends) > np.searchsorted(nodes, starts))


# -------------------------------------------------------------------------------------------------------------- groups


def _siblings_and_cousins(page: Page, elements: Places) -> Iterator[Places]:
    """Yield siblings of one tag, of those that are few, cousins (their parents are siblings of one tag), and pairs."""
    parent, tag, size = page.nodes.parent.astype(np.int64), page.nodes.tag, len(page.nodes.names)
    groups, rest = _by_key(elements, parent[elements] * size + tag[elements])
    yield from groups
    above = parent[rest]
    groups, rest = _by_key(rest, (parent[above] * size + tag[above]) * size + tag[rest])
    yield from groups
    yield from _by_key(rest, parent[rest] * size + tag[rest], minimum=2)[0]


def _by_key(elements: Places, keys: npt.NDArray[np.int64], minimum: int = MIN_ITEMS) -> tuple[list[Places], Places]:
    """Return the groups of elements with one key that are large enough, and the rest; all in document order."""
    order = np.argsort(keys, kind="stable")
    elements, keys = elements[order], keys[order]
    edges = np.flatnonzero(np.diff(keys, prepend=keys[:1] - 1, append=keys[-1:] + 1))
    is_large = np.diff(edges) >= minimum
    starts, ends = edges[:-1][is_large].tolist(), edges[1:][is_large].tolist()
    rest = elements[~np.repeat(is_large, np.diff(edges))]
    return [elements[start:end] for start, end in zip(starts, ends, strict=True)], np.sort(rest)


class _Shapes:
    """How elements are built: the tags of their drawn children, as sets of bits. That tags share a bit does no harm."""

    def __init__(self, page: Page) -> None:
        nodes = page.nodes
        self.children = np.flatnonzero((landmarks_of(page).is_drawn & (nodes.tag != tags.TEXT))[1:]) + 1
        self.parents = nodes.parent[self.children]
        self.outer = np.zeros(len(nodes), np.uint64)
        bits = np.uint64(1) << (nodes.tag[self.children] % 64).astype(np.uint64)
        np.bitwise_or.at(self.outer, self.parents, bits)

    @cached_property
    def inner(self) -> npt.NDArray[np.uint64]:
        """The tags of the children of the children of each node."""
        inner = np.zeros(len(self.outer), np.uint64)
        np.bitwise_or.at(inner, self.parents, self.outer[self.children])
        return inner


def _like_most(shapes: _Shapes, members: Places) -> Places:
    """Return the members with about the same tags right below them as most have."""
    kinds = shapes.outer[members].tolist()
    counts = Counter(kinds)
    usual = min(counts, key=lambda kind: (-counts[kind], kind == 0, kind))
    similar = {kind for kind in counts if _similarity(kind, usual) >= ALIKE}
    return members[[kind in similar for kind in kinds]]


def _similarity(one: int, other: int) -> float:
    """Return the Jaccard similarity of two sets of bits; two empty ones are the same.

    >>> _similarity(0b0110, 0b0011), _similarity(0, 0)
    (0.3333333333333333, 1.0)
    """
    return (one & other).bit_count() / (one | other).bit_count() if one or other else 1.0


@dataclass(frozen=True, slots=True, eq=False)
class _ItemGroup:
    """Elements built alike that are items."""

    kind: ItemKind
    members: list[int]


@dataclass(frozen=True, eq=False)
class _Traits:
    """Properties of some elements: their lines, links and names; one entry per element."""

    text: _KeptText
    elements: Places

    @cached_property
    def sums(self) -> Floats:
        """Characters, characters of links, words, lines that say something, stamps, links; and of what is kept.

        Of that, characters, characters of links, and lines that are neither stamp nor link.
        """
        page, blocks, kept = self.text.page, self.text.page.blocks, self.text.kept
        is_stamp, link_share = landmarks_of(page).tells_time, landmarks_of(page).link_share
        says_something = (blocks.normalised_words * (1 - link_share) >= POST_WORDS) & ~is_stamp
        is_link = blocks.link_characters > LINK_LINE * blocks.characters
        size, linked = blocks.characters, blocks.link_characters
        has_words = (blocks.normalised_words > 0) & ~is_link & ~is_stamp & kept
        lines = (
            *(size, linked, blocks.normalised_words, says_something, is_stamp, is_link),
            *(size * kept, linked * kept, has_words),
        )
        return self.text.over(running_sum(np.array(lines, np.float64)), self.elements)

    @cached_property
    def links(self) -> Places:
        """The links of the page that lead elsewhere."""
        return links_elsewhere(self.text.page)

    @cached_property
    def headings(self) -> Places:
        """The headings of the page."""
        return np.flatnonzero(self.text.page.nodes.is_one_of(_HEADINGS))

    @cached_property
    def says_something(self) -> Bools:
        """Whether a line is more than a label."""
        return np.asarray(self.sums[3] > 0)

    @cached_property
    def has_words(self) -> Bools:
        """Whether a kept line is neither a time nor a link."""
        return np.asarray(self.sums[8] > 0)

    @cached_property
    def is_signed(self) -> Bools:
        """Whether it has content, and an author or a time. Names are read only where no line tells a time."""
        is_signed: Bools = self.says_something & (self.sums[4] > 0)
        rest = np.flatnonzero(self.says_something & ~is_signed)
        if len(rest):
            is_signed[rest] = self.text.count(_signatures(self.text.page), self.elements[rest]) > 0
        return is_signed

    @cached_property
    def is_fully_signed(self) -> Bools:
        """Whether it has content, an author and a time."""
        return self.says_something & self.text.names_author_and_time(
            self.elements, self.text.page.nodes.end[self.elements]
        )

    @cached_property
    def is_byline(self) -> Bools:
        """Whether it contains only a time, like a row before the row of a post."""
        return np.asarray(~self.says_something & (self.sums[4] > 0))

    @cached_property
    def has_heading(self) -> Bools:
        """Whether there is a heading in it."""
        return np.asarray(self.text.count(self.headings, self.elements) > 0)

    @cached_property
    def is_titled(self) -> Bools:
        """Whether a heading in it is a link."""
        titles = _links_of_headings(self.text.page, self.links, self.headings)
        return np.asarray(self.text.count(titles, self.elements) > 0)

    @cached_property
    def is_card(self) -> Bools:
        """Whether it leads to another page."""
        size, linked, words, _, _, link_lines, *_ = self.sums
        leads = (linked >= CARD_LINK * size) | (link_lines > 0) | self.has_heading
        is_card: Bools = (self.text.count(self.links, self.elements) > 0) & leads
        is_long = is_card & (words > CARD_WORDS)
        if is_long.any():
            is_card &= ~is_long | (self.is_titled & self.is_signed)
        return is_card


def _signatures(page: Page) -> Places:
    """Return the nodes that say who wrote something, or when, in document order."""
    times = np.flatnonzero(page.nodes.tag == tags.TAG["time"])
    return np.sort(np.concatenate((times, people_in(page), links_to_people(page))))


def _links_of_headings(page: Page, links: Places, headings: Places) -> Places:
    """Return the links inside or around a heading, but for those that lead to a reply."""
    holds = _have_any(headings, links, page.nodes.end[links])
    titles = links[holds | are_inside(page, links, headings)]
    return np.array(
        [node for node in titles.tolist() if not leads_to_reply(page.attribute(node, "href") or "")], np.intp
    )


def _item_groups(text: _KeptText, groups: Sequence[Places], only_threads: bool) -> list[_ItemGroup]:
    """Return the members of each group that are items, if most are; with `only_threads` none without a thread."""
    members, sizes = np.concatenate(groups), np.array([len(group) for group in groups])
    starts, traits = np.cumsum(sizes) - sizes, _Traits(text, members)
    is_thread = np.ones(len(sizes), np.bool_)
    for step in (_may_be_threads, _without_titles, _signed):
        is_thread &= step(traits, is_thread, starts, sizes)
        if only_threads and not text.is_made_of(members[np.repeat(is_thread, sizes)]):
            return []
    fits = traits.is_card
    if is_thread.any():
        are_posts = traits.says_something | _short_posts(traits, is_thread, starts, sizes)
        fits = np.where(np.repeat(is_thread, sizes), are_posts, fits)
    counts = np.add.reduceat(fits, starts, dtype=np.intp)
    posts = sizes - _bylines(traits, starts) if is_thread.any() else sizes
    enough = np.where(is_thread, np.clip(posts, 2, MIN_ITEMS), np.maximum(MIN_ITEMS, MOST * sizes))
    return [
        _ItemGroup(
            ItemKind.POST if is_thread[place] else ItemKind.CARD,
            members[start : start + size][fits[start : start + size]].tolist(),
        )
        for place, (start, size) in enumerate(zip(starts.tolist(), sizes.tolist(), strict=True))
        if counts[place] >= enough[place]
    ]


def _may_be_threads(traits: _Traits, groups: Bools, starts: Places, sizes: Places) -> Bools:
    """Whether the lines of each group allow a thread: most members say something, and what is kept has few links."""
    size, linked = np.add.reduceat(traits.sums[6:8], starts, axis=1)
    says_something = _shares(traits.says_something, starts, sizes - _bylines(traits, starts))
    return np.asarray((linked < CARD_LINKS * size) & (says_something >= MOST))


def _short_posts(traits: _Traits, threads: Bools, starts: Places, sizes: Places) -> Bools:
    """Whether each member is a post of a word or two: it names author and time, and most others of its thread do.

    Where half of the members are bylines, the others are named by these, so that what names both says no more.
    """
    has_bylines = 2 * _bylines(traits, starts) >= sizes - _bylines(traits, starts)
    are_short = np.repeat(threads & ~has_bylines, sizes) & ~traits.says_something & traits.has_words
    places = np.flatnonzero(are_short)
    if len(places):
        members, posts = traits.elements[places], traits.elements[traits.says_something]
        are_short[places] = _name_author_and_time(traits.text, members, posts)
    return np.asarray(are_short)


def _bylines(traits: _Traits, starts: Places) -> Places:
    """Return how many members of each group are bylines of other members; not more than there are posts."""
    bylines, posts = (
        np.add.reduceat(each, starts, dtype=np.intp) for each in (traits.is_byline, traits.says_something)
    )
    return np.minimum(bylines, posts)


def _without_titles(traits: _Traits, groups: Bools, starts: Places, sizes: Places) -> Bools:
    """Whether few members have a link for a title; links are read only if that decides on one of these groups."""
    has_no_headings = _shares(traits.has_heading, starts, sizes) < MOST
    if (groups & ~has_no_headings).any():
        return np.asarray(_shares(traits.is_titled, starts, sizes) < MOST)
    return np.asarray(has_no_headings)


def _signed(traits: _Traits, groups: Bools, starts: Places, sizes: Places) -> Bools:
    """Whether most members are signed; two posts must both name author and time. Names are read only for that."""
    if not groups.any():
        return groups
    posts = sizes - _bylines(traits, starts)
    are_signed = _shares(traits.is_signed, starts, posts) >= MOST
    for place in np.flatnonzero(groups & are_signed & (posts < MIN_ITEMS)).tolist():
        start = int(starts[place])
        are_signed[place] = _are_fully_signed(traits, range(start, start + int(sizes[place])))
    return np.asarray(are_signed)


def _are_fully_signed(traits: _Traits, places: range) -> bool:
    """Whether these members are posts that name author and time, or bylines of these."""
    members = traits.elements[places.start : places.stop]
    says_something, is_byline = (each[places.start : places.stop] for each in (traits.says_something, traits.is_byline))
    return bool((_name_author_and_time(traits.text, members, members[says_something]) | is_byline).all())


def _name_author_and_time(text: _KeptText, members: Places, posts: Places) -> Bools:
    """Whether each of some members names both by itself, or in the element right before it, if that is no post."""
    before = np.array([sibling_before(text.page, node) for node in members.tolist()], np.intp)
    starts = np.where(np.isin(before, posts), members, before)
    return text.names_author_and_time(starts, text.page.nodes.end[members])


def _shares(column: Bools, starts: Places, sizes: Places) -> Floats:
    return np.asarray(np.add.reduceat(column, starts, dtype=np.float64) / sizes)


# -------------------------------------------------------------------------------------------------------------- choice


def _outermost(text: _KeptText, groups: Iterable[_ItemGroup]) -> dict[int, ItemKind]:
    """Return the items that lie in no other, by their node; what only holds several of them is none.

    Of several items in one element of which one has a heading, that one is the head of a card and the others its rest.
    """
    depth = text.page.nodes.depth
    groups = sorted(groups, key=lambda group: (-int(depth[group.members[0]]), group.members[0]))
    members = sorted(node for group in groups for node in group.members)
    around = nearest_around(text.page, members)
    traits = _Traits(text, np.array(members, np.intp))
    columns = (text.kept_sizes(traits.elements), traits.has_heading.astype(np.float64))
    own = {node: np.array((1.0, *values)) for node, *values in zip(members, *columns, strict=True)}
    chosen: dict[int, ItemKind] = {}
    held = {node: np.zeros(3) for node in (-1, *members)}  # items in each member, their kept characters and headings
    for group in groups:  # the deepest first, so that what is inside is known
        only_hold = [_only_holds(own[node], held[node]) for node in group.members]
        is_item = sum(only_hold) < ALIKE * len(only_hold)
        chosen |= dict.fromkeys(group.members, group.kind) if is_item else {}
        for node in group.members:
            held[around[node]] += own[node] if is_item else held[node]
    around = nearest_around(text.page, sorted(chosen))
    return {node: chosen[node] for node in sorted(chosen) if around[node] < 0}


def _only_holds(own: Floats, held: Floats) -> bool:
    """Whether an element is no item beside those in it: several, with little text around them."""
    count, size, headings = held
    return bool(count > 1 and headings != 1 and own[1] - size < OWN_TEXT * own[1])


def _with_short_posts(text: _KeptText, items: dict[int, ItemKind]) -> dict[int, ItemKind]:
    """Return the items, and what is named like the posts beside it though less is kept: a word beside a profile."""
    posts = [node for node, kind in items.items() if kind is ItemKind.POST]
    if len(posts) < MIN_ITEMS:
        return items
    page, parent = text.page, text.page.nodes.parent
    boxes = np.unique(parent[posts])
    is_boxed = len(boxes) == len(posts)  # each post has a box of its own
    beside = parent[parent] if is_boxed else parent
    candidates = np.flatnonzero(np.isin(beside, parent[boxes] if is_boxed else boxes))
    candidates = candidates[text.kept_sizes(candidates) > 0]
    class_names = set.intersection(*(_class_names(page, node) for node in posts))
    others = [node for node in candidates.tolist() if node not in items and class_names & _class_names(page, node)]
    if others:
        members = np.array(others, np.intp)
        are_posts = _Traits(text, members).has_words & _name_author_and_time(text, members, np.array(posts))
        items = dict(sorted((items | dict.fromkeys(members[are_posts].tolist(), ItemKind.POST)).items()))
    return items


def _with_replies(text: _KeptText, shapes: _Shapes, items: dict[int, ItemKind]) -> dict[int, ItemKind]:
    """Return the items, and what is built like a post in a post or in a box beside it, however few there are.

    What shares a class name with all posts, and names author and time, may differ more inside: the comments on a post
    may look a little different from posts.
    """
    posts = [node for node, kind in items.items() if kind is ItemKind.POST]
    threads = np.unique(text.page.nodes.parent[posts])
    inside = text.elements[are_inside(text.page, text.elements, threads)]
    if not len(inside):
        return items
    tag, first_block = text.page.nodes.tag, text.first_block
    built = {(int(tag[node]), int(shapes.outer[node]), int(shapes.inner[node])) for node in posts}
    begun = {int(first_block[node]) for node in posts}
    replies = dict(items)
    traits = _Traits(text, inside)
    class_names = set.intersection(*(_class_names(text.page, node) for node in posts))
    columns = (inside, tag[inside], shapes.outer[inside], shapes.inner[inside], first_block[inside], traits.is_signed)
    for place, (node, number, outer, inner, first, signed) in enumerate(
        zip(*(column.tolist() for column in columns), strict=True)
    ):
        if signed and first not in begun:
            is_named = not class_names.isdisjoint(_class_names(text.page, node)) and traits.is_fully_signed[place]
            if any(_is_built_like((number, outer, inner), post, bool(is_named)) for post in built):
                replies[node] = ItemKind.POST
                begun.add(first)
    return dict(sorted(replies.items()))


def _class_names(page: Page, node: int) -> set[str]:
    return set((page.attribute(node, "class") or "").split())


def _is_built_like(one: tuple[int, int, int], other: tuple[int, int, int], is_named: bool) -> bool:
    """Whether two elements have the same tag and much the same tags one and two levels below."""
    inside = _similarity(one[2], other[2])
    is_like_inside = inside >= ALIKE if is_named else inside > ALIKE
    return one[0] == other[0] and _similarity(one[1], other[1]) > ALIKE and is_like_inside


def _of_main_kinds(text: _KeptText, items: dict[int, ItemKind]) -> list[tuple[int, ItemKind]]:
    """Return the items of those kinds that make up enough of the kept text; replies do not count twice."""
    around, sizes = nearest_around(text.page, list(items)), dict.fromkeys(ItemKind, 0.0)
    kept_sizes = text.kept_sizes(np.array(list(items), np.intp)).tolist()
    for (node, kind), size in zip(items.items(), kept_sizes, strict=True):
        sizes[kind] += size if around[node] < 0 else 0.0
    total = text.kept_sums[-1]
    main = {kind for kind, size in sizes.items() if size >= ITEMS_SHARE * total}
    if not main and sizes[ItemKind.CARD] >= PRICED_SHARE * total:
        main = {ItemKind.CARD} if _are_goods(text, items) else main
    return [(node, kind) for node, kind in items.items() if kind in main]


def _are_goods(text: _KeptText, items: dict[int, ItemKind]) -> bool:
    """Whether most cards show a price, and nothing else does in a line of its own, as the product of a page would."""
    page, blocks = text.page, text.page.blocks
    cards = np.array([node for node, kind in items.items() if kind is ItemKind.CARD], np.intp)
    priced = sum(bool(PRICE.search(page.text_of(node)[:MAX_CARD_TEXT])) for node in cards.tolist())
    is_outside = text.kept & (blocks.characters <= PRICE_LENGTH)
    for node in cards.tolist():
        first, last = page.blocks_of(node)
        is_outside[first:last] = False
    others = (page.text[blocks.text_start[block] : blocks.text_end[block]] for block in np.flatnonzero(is_outside))
    return priced >= MOST * len(cards) and not any(map(PRICE.search, others))
