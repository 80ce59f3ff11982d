"""What each section of a page is for, and the reason in words.

Everything that can be seen of a section votes for a role: tags and ARIA roles around it, where its links lead, where it
stands, names of elements, the heading above it, whether its text is kept. Votes add up, the role with most of them
wins, and none decides alone: a kept text in an element named `sidebar` is main text.

    vote = weight × share of the section (by characters) for which it holds

Columns of the page are summed up once, so that a section costs the same however long it is.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from pagestrata.engine.items import tells_time
from pagestrata.engine.prose import (
    Floats,
    Ints,
    blocks_before,
    covered,
    host_in,
    own_host,
    running_sum,
    texts_of,
)
from pagestrata.engine.role_words import RoleWords, role_of_name, role_words
from pagestrata.page import tags
from pagestrata.page.nodes import Bools
from pagestrata.page.page import Page
from pagestrata.page.text import collapse
from pagestrata.results import Role

# Weights are set by hand, so that what is sure of itself (a title, a signed record, kept text) outweighs one sign of
# another kind, and a special purpose (sharing, author) outweighs the region that it stands in.
TITLE: Final = 6.0
COMMENTS: Final = 4.0
"""Of records with name and time, unless they are lists of links or come before the text, as dated headlines do."""
KEPT: Final = 3.0
SPECIAL: Final = 3.0
"""Links to share pages, to places on this page, to advertisers; an author in markup."""
TAG: Final = 2.0
NAME: Final = (2.0, 1.5)
"""The second number is that of regions (header, sidebar) and forms, whose names are given to much that is none."""
HEADING: Final = (2.0, 1.0)
AROUND: Final = 0.75
"""Part of the vote of a tag or name that is given by the element around all of the section; the rest is given by the
nearest ones around its texts."""
LINK_LIST: Final = 1.5
COPYRIGHT: Final = 1.5
LOGO: Final = 1.0
CONSENT_TEXT: Final = 1.2
PLACE: Final = 1.0
LEAST: Final = 0.75
"""Fewer votes than this say nothing."""

LINKED: Final = (0.4, 0.7)
"""Share of links from which something begins to be, and surely is, a list of links."""
LINK_WORDS: Final = (3.0, 6.0)
"""Words of a link up to which it is an entry of a menu, and from which it is a headline."""
EDGE: Final = 0.1
"""What lies in this first or last part of the page is at its edge."""
FEW_WORDS: Final = 16
"""A line of more words is no byline, and words around a link no label of it."""
FEW_FRAGMENTS: Final = 3
"""Links to places on the page from which they are its contents; fewer are for skipping."""
CLIMB: Final = 4
"""Elements around a heading that may hold nothing but it."""
LABEL_LENGTH: Final = 60
"""Characters up to which a line without a heading's tag may still be one."""
TITLE_WORDS: Final = 3
"""A shorter line that is part of `<title>` is as likely the name of the site."""
NEAR_TITLE: Final = (2, 4)
"""Blocks before and after the title among which a byline is looked for."""

_ROLES: Final = tuple(Role)
_NUMBER: Final = {role: number for number, role in enumerate(_ROLES)}
_REGIONS: Final = (Role.NAVIGATION, Role.FOOTER, Role.SIDEBAR, Role.HEADER, Role.OTHER)
_BY_TAG: Final = {"nav": Role.NAVIGATION, "footer": Role.FOOTER, "aside": Role.SIDEBAR, "header": Role.HEADER}
_BY_ARIA: Final = {
    "navigation": Role.NAVIGATION,
    "menu": Role.NAVIGATION,
    "menubar": Role.NAVIGATION,
    "contentinfo": Role.FOOTER,
    "complementary": Role.SIDEBAR,
    "banner": Role.HEADER,
    "search": Role.OTHER,
    "doc-toc": Role.CONTENTS,
    "alertdialog": Role.CONSENT,
    "comment": Role.COMMENTS,
}
_INSIDE: Final = ("article", "main")
"""A header or footer in one of these is not that of the page (HTML standard, 4.3.8 and 4.3.9)."""
_NEVER_NAMED: Final = tuple(tags.TAG[name] for name in ("html", "body", "main"))
_LEVEL: Final = {tags.TAG[f"h{level}"]: level for level in range(1, 7)}
_LABEL_LEVEL: Final = 7
_FOR: Final = {
    Role.COMMENTS: "what readers wrote",
    Role.NAVIGATION: "navigation",
    Role.HEADER: "the header of the page",
    Role.FOOTER: "the footer of the page",
    Role.SIDEBAR: "a sidebar",
    Role.RELATED: "related pages",
    Role.ADVERTISEMENT: "advertising",
    Role.CONSENT: "consent",
    Role.SHARE: "sharing",
    Role.AUTHOR: "the author",
    Role.CONTENTS: "a table of contents",
    Role.OTHER: "a form",
}
_MARKED: Final = "stands in an element that is marked up for {}"
_NAMED: Final = "stands in an element named for {}"
_HOME: Final = frozenset(
    {"/", "./", "..", "../", "index.html", "/index.html", "../index.html", "index.php", "/index.php"}
)
_IMAGES: Final = tuple(tags.TAG[name] for name in ("img", "svg", "picture"))
_SKIP: Final = frozenset({"#top", "#content", "#main", "#main-content", "#maincontent", "#primary", "#site-content"})
_HOLDS_ADDRESS = re.compile(r"[?&][^=]*=https?(?:%3a|:)", re.IGNORECASE)
# Pieces of words, to be found in either case of the first letter, and much faster than by a pattern.
_CONSENT: Final = ("ookie", "GDPR", "DSGVO", "RGPD", "CCPA")
_COPYRIGHT: Final = (
    "©",
    "opyright",
    "ights reserved",
    "ights Reserved",
    "RIGHTS RESERVED",
    "Rechte vorbehalten",
    "版权所有",
)


class Told(NamedTuple):
    """What a section is for, and why we think so."""

    role: Role
    reason: str


@dataclass(frozen=True, slots=True, eq=False)
class _Vote:
    """How far something speaks for a role, for each section (or each block, before they are summed up)."""

    role: Role
    weight: float
    reason: str
    strength: Floats


class RoleReader:
    """Tells the role of any range of a page's nodes."""

    def __init__(self, page: Page, kept: Bools, comments: Bools | None = None, noise: Floats | None = None) -> None:
        """`kept`, `comments` (part of a signed record) and `noise` (sure to recur over the site): one per block."""
        self.page = page
        blocks = page.blocks
        self.first = blocks_before(page)
        self.size = running_sum(blocks.characters + 1)
        words = blocks.even_words
        self.words = running_sum(words)
        self.linked = running_sum(blocks.link_characters)
        self.link_words = running_sum(words * blocks.link_characters / np.maximum(1, blocks.characters))
        self.noise = None if noise is None else running_sum(noise * (blocks.characters + 1))
        self.links = _Links(page)
        self.kept = np.flatnonzero(kept)
        self.comments = None if comments is None else running_sum(comments * (blocks.characters + 1))
        self.copyright = running_sum(_says(page, _COPYRIGHT))
        trusted = _Trust(page, self.first, kept)
        self.marked, self.named = _by_tags(page, trusted), _by_names(page, trusted)
        votes = [*_block_votes(page, self.first, kept)]
        votes += _by_role(self.marked.told, (TAG, TAG), _MARKED, 1 - AROUND)
        votes += _by_role(self.named.told, NAME, _NAMED, 1 - AROUND)
        self.votes = [(vote.role, vote.weight, vote.reason) for vote in votes]
        columns = np.array([vote.strength for vote in votes]).reshape(len(votes), len(blocks))
        self.sums = running_sum(columns * (blocks.characters + 1))

    def role(self, start: int, end: int) -> Told:
        """The role of one range of nodes."""
        return self.roles(np.array([start]), np.array([end]))[0]

    def roles(self, starts: Ints, ends: Ints) -> list[Told]:
        """The roles of many ranges of nodes; much cheaper than one by one."""
        first, last = self.first[starts], self.first[ends]
        size = np.maximum(1, self.size[last] - self.size[first])
        means = (self.sums[:, last] - self.sums[:, first]) / size
        votes = [_Vote(*vote, mean) for vote, mean in zip(self.votes, means, strict=True)]
        votes += _by_role(self.marked.around(first, last), (TAG, TAG), _MARKED, AROUND)
        votes += _by_role(self.named.around(first, last), NAME, _NAMED, AROUND)
        votes += self.link_votes(starts, ends, size)
        votes += self.place_votes(starts, ends)
        return _winners(votes, len(starts))

    def link_votes(self, starts: Ints, ends: Ints, size: Floats) -> Iterator[_Vote]:
        """Where the links of a section lead, and what lists of links are not."""
        first, last = self.first[starts], self.first[ends]
        words = self.words[last] - self.words[first]
        linked = (self.linked[last] - self.linked[first]) / size
        count = self.links.count(starts, ends)
        is_list = _ramp(linked, *LINKED)
        is_label = np.maximum(is_list, (words <= FEW_WORDS) & (count.all > 0))
        for role, part, reason in (
            (Role.SHARE, count.share, "its links go to share pages"),
            (Role.ADVERTISEMENT, count.advertisers, "its links are paid for"),
        ):
            yield _Vote(role, SPECIAL, reason, is_label * part / np.maximum(1, count.all))
        fragments = is_list * count.fragments / np.maximum(1, count.all) * (count.fragments >= FEW_FRAGMENTS)
        yield _Vote(Role.CONTENTS, SPECIAL, "its links go to places on this page", fragments)
        headlines = _ramp((self.link_words[last] - self.link_words[first]) / np.maximum(1, count.all), *LINK_WORDS)
        if self.noise is not None:
            headlines *= 1 - (self.noise[last] - self.noise[first]) / size  # what recurs leads around in the site
        yield _Vote(Role.NAVIGATION, LINK_LIST, "a list of short links", is_list * (1 - headlines))
        yield _Vote(Role.RELATED, LINK_LIST, "a list of headlines that are links", is_list * headlines)
        if self.comments is not None:
            share = (self.comments[last] - self.comments[first]) / size * (1 - is_list)
            is_after = first > self.kept[0] if len(self.kept) else first >= 0
            yield _Vote(Role.COMMENTS, COMMENTS, "records with name and time, side by side", share * is_after)

    def place_votes(self, starts: Ints, ends: Ints) -> Iterator[_Vote]:
        """Before and after what is kept, at the edges of the page."""
        first, last = self.first[starts], self.first[ends]
        total = max(1.0, float(self.size[-1]))
        before, after = self.size[first] / total, 1 - self.size[last] / total
        is_before = last <= self.kept[0] if len(self.kept) else before < EDGE
        is_after = first > self.kept[-1] if len(self.kept) else after < EDGE
        is_before, is_after = is_before & (last > first), is_after & (last > first)
        at_top, at_bottom = is_before * _ramp(before, EDGE, 0), is_after * _ramp(after, EDGE, 0)
        yield _Vote(Role.HEADER, PLACE, "the first of the page, before the text", at_top)
        yield _Vote(Role.FOOTER, PLACE, "the last of the page, after the text", at_bottom)
        has_logo = is_before & (self.links.count(starts, ends).logos > 0)
        yield _Vote(Role.HEADER, LOGO, "an image in it leads home, before the text", has_logo.astype(np.float64))
        owned = is_after & (self.copyright[last] > self.copyright[first])
        yield _Vote(Role.FOOTER, COPYRIGHT, "says whose the page is, after the text", owned.astype(np.float64))


def _winners(votes: Sequence[_Vote], sections: int) -> list[Told]:
    """The role with most votes for each section, and its strongest vote."""
    counted = np.array([vote.weight * vote.strength for vote in votes]).reshape(len(votes), sections)
    totals = np.zeros((len(_ROLES), sections))
    for vote, count in zip(votes, counted, strict=True):
        totals[_NUMBER[vote.role]] += count
    winner = totals.argmax(axis=0)
    is_sure = totals.max(axis=0, initial=0) >= LEAST
    is_for_winner = np.array([_NUMBER[vote.role] for vote in votes])[:, None] == winner
    reason = np.where(is_for_winner, counted, -1.0).argmax(axis=0)
    return [
        Told(_ROLES[role], votes[why].reason) if sure else Told(Role.OTHER, "nothing tells what it is for")
        for role, why, sure in zip(winner.tolist(), reason.tolist(), is_sure.tolist(), strict=True)
    ]


def _ramp(values: Floats, low: float, high: float) -> Floats:
    """0 up to `low`, 1 from `high` on (which may be the smaller one), and a straight line between."""
    return np.asarray((values - low) / (high - low), np.float64).clip(0, 1)


# --------------------------------------------------------------------------------------------------------------- links


class _Counts(NamedTuple):
    """Of links in ranges of nodes: how many, and how many of each kind."""

    all: Floats
    share: Floats
    advertisers: Floats
    fragments: Floats
    logos: Floats


class _Links:
    """Where the links of a page lead, to be counted over any range."""

    def __init__(self, page: Page) -> None:
        table = role_words()
        own = host_in(page.url or "") or own_host(page, [host_in(target) for _, target in page.links])
        paid = {node for node, rel in page.values_of("rel") if "sponsored" in rel.lower()}
        self.nodes = np.array([node for node, _ in page.links], np.intp)
        images = running_sum(page.nodes.is_one_of(_IMAGES))
        shows = (images[page.nodes.end[self.nodes]] > images[self.nodes]).tolist()
        kinds = [
            "logo" if shown and _is_home(target, own) else _kind(target, node in paid, own, table)
            for (node, target), shown in zip(page.links, shows, strict=True)
        ]
        is_kind = np.array([[kind == wanted for kind in kinds] for wanted in _KINDS], np.float64)
        self.sums = running_sum(is_kind)

    def count(self, starts: Ints, ends: Ints) -> _Counts:
        """How many links begin in each range."""
        first, last = np.searchsorted(self.nodes, (starts, ends))
        return _Counts((last - first).astype(np.float64), *(self.sums[:, last] - self.sums[:, first]))


_KINDS: Final = ("share", "advertiser", "fragment", "logo")


def _is_home(target: str, own: str) -> bool:
    """Whether a link leads to the first page of the site."""
    way = target.strip().lower()
    if host_in(way) == own:
        way = "/" + way.partition("//")[2].partition("/")[2]
    return way in _HOME


def _kind(target: str, is_paid: bool, own: str, table: RoleWords) -> str:
    """The kind of a link; nothing for most.

    A share page is told by its address, or by being given the address of a page as a parameter, on another host.
    """
    low = target[:500].strip().lower()
    if low.startswith("#"):
        return "fragment" if len(low) > 1 and low not in _SKIP else ""
    if is_paid or table.advertisers.search(low):
        return "advertiser"
    if ":" not in low[:12] and not low.startswith("//"):
        return ""
    if table.share.search(low):
        return "share"
    return "share" if _HOLDS_ADDRESS.search(low) and host_in(low) not in ("", own) else ""


# -------------------------------------------------------------------------------------------------------------- blocks


def _block_votes(page: Page, first: Ints, kept: Bools) -> Iterator[_Vote]:
    """What can be said of single blocks."""
    yield _Vote(Role.MAIN, KEPT, "its text is kept", kept.astype(np.float64))
    title = _title(page, first)
    yield _Vote(Role.TITLE, TITLE, "the title of the page", title)
    yield _Vote(Role.AUTHOR, SPECIAL, "says who wrote the page, or when", _bylines(page, title))
    yield _Vote(Role.CONSENT, CONSENT_TEXT, "speaks of cookies", _says(page, _CONSENT).astype(np.float64))
    yield from _by_role(_by_headings(page, first), HEADING, "the heading above it speaks of {}")


def _by_role(told: Ints, weights: tuple[float, float], reason: str, share: float = 1.0) -> Iterator[_Vote]:
    """A vote for each role that is told of some block or section; -1 tells nothing."""
    for number in np.flatnonzero(np.bincount(told[told >= 0], minlength=1)).tolist():
        role = _ROLES[number]
        weight = weights[role in _REGIONS] * share
        yield _Vote(role, weight, reason.format(_FOR[role]), (told == number).astype(np.float64))


class _Trust:
    """Whether an element may be told by its tag or name: not if most of the kept text is in it."""

    def __init__(self, page: Page, first: Ints, kept: Bools) -> None:
        sizes = page.blocks.characters * (kept if kept.any() else 1)
        self.sums, self.first, self.end = running_sum(sizes), first, page.nodes.end

    def __call__(self, nodes: Ints) -> Bools:
        inside = self.sums[self.first[self.end[nodes]]] - self.sums[self.first[nodes]]
        return np.asarray(inside <= self.sums[-1] / 2)


def _by_tags(page: Page, trusted: _Trust) -> "_Telling":
    """The elements that tell a role by their tag or ARIA role."""
    found: dict[int, Role] = {}
    depth = covered(page, page.nodes_tagged(*_INSIDE).astype(np.intp))
    for tag, role in _BY_TAG.items():
        nodes = page.nodes_tagged(tag)
        is_of_page = depth[nodes] == 0 if role in (Role.HEADER, Role.FOOTER) else nodes >= 0
        found |= dict.fromkeys(nodes[is_of_page].tolist(), role)
    aria = [(node, name.strip().lower()) for node, name in page.values_of("role")]
    found |= {node: _BY_ARIA[name] for node, name in aria if name in _BY_ARIA}
    return _Telling(page, found, trusted)


def _by_names(page: Page, trusted: _Trust) -> "_Telling":
    """The elements that tell a role by their class or id."""
    rank, found = role_words().rank, dict[int, Role]()
    for attribute in ("class", "id"):
        for node, name in page.values_of(attribute):
            role = role_of_name(name)
            if role is not None and (node not in found or rank[role] < rank[found[node]]):
                found[node] = role
    for node in np.flatnonzero(page.nodes.is_one_of(_NEVER_NAMED)).tolist():
        found.pop(node, None)
    return _Telling(page, found, trusted)


class _Telling:
    """Elements that tell the number of a role. The first of them stands for none: it tells -1 of the whole page."""

    def __init__(self, page: Page, told: dict[int, Role], trusted: _Trust) -> None:
        nodes = np.array(sorted(told), np.intp)
        nodes = nodes[trusted(nodes)]
        count, elements = len(page.nodes), nodes.tolist()
        ends = [count, *page.nodes.end[nodes].tolist()]
        outer = [0]
        places, inside, open_elements = [0], [0], [0]
        for place, node in enumerate((*elements, count), 1):
            while len(open_elements) > 1 and ends[open_elements[-1]] <= node:
                places.append(ends[open_elements.pop()])
                inside.append(open_elements[-1])
            outer.append(open_elements[-1])
            open_elements.append(place)
            places.append(node)
            inside.append(place)
        self.end, self.outer = np.array(ends, np.intp), np.array(outer[: len(ends)], np.intp)
        self.number = np.array([-1, *(_NUMBER[told[node]] for node in elements)], np.intp)
        self.ends = page.blocks.node_end
        at = np.searchsorted(places, page.blocks.node_start, side="right") - 1
        self.of_block = np.array(inside, np.intp)[at]
        """The innermost element around the first text of each block, as a place in the other columns."""

    @property
    def told(self) -> Ints:
        """What the innermost element around the first text of each block tells."""
        told: Ints = self.number[self.of_block]
        return told

    def around(self, first: Ints, last: Ints) -> Ints:
        """What the innermost element around all texts of each range of blocks tells."""
        found = np.zeros(len(first), np.intp)
        some = np.flatnonzero(last > first)
        found[some] = self.of_block[first[some]]
        while len(some):
            some = some[self.end[found[some]] < self.ends[last[some] - 1]]
            found[some] = self.outer[found[some]]
        told: Ints = self.number[found]
        return told


def _says(page: Page, pieces: Sequence[str]) -> Bools:
    """Whether each block has one of these in it."""
    found = np.zeros(len(page.blocks) + 1, np.bool_)
    places = [place for piece in pieces for place in _places(page.text, piece)]
    found[np.searchsorted(page.blocks.text_start, places, side="right") - 1] = True
    return found[:-1]


def _places(text: str, piece: str) -> Iterator[int]:
    place = text.find(piece)
    while place >= 0:
        yield place
        place = text.find(piece, place + 1)


# --------------------------------------------------------------------------------------------------- title and byline


def _title(page: Page, first: Ints) -> Floats:
    """Whether each block is the title: the line that is the longest part of `<title>`, or else the heading that is."""
    found = np.zeros(len(page.blocks))
    line, node = _title_line(page), page.title_heading
    if line is not None:
        found[line] = 1
    elif node is not None:
        found[first[node] : first[page.nodes.end[node]]] = 1
    return found


def _title_line(page: Page) -> int | None:
    """The longest line of some words, and no link, that is part of `<title>`; headings before others of its length."""
    whole, blocks = collapse(page.title).casefold(), page.blocks
    may_be = (blocks.characters <= len(whole)) & (blocks.even_words >= TITLE_WORDS)
    may_be &= 2 * blocks.link_characters < blocks.characters
    places = np.flatnonzero(may_be).tolist()
    texts = (collapse(text).casefold() for text in texts_of(page, np.array(places, np.intp)))
    found = [
        (len(text), page.nodes.tag[blocks.container[place]] in _LEVEL, -place)
        for place, text in zip(places, texts, strict=True)
        if text in whole
    ]
    return -max(found)[2] if found else None


def _bylines(page: Page, title: Floats) -> Floats:
    """Whether each block is a short line that says who wrote the page, or when: in markup, or near the title."""
    marked = [node for node, value in page.values_of("rel") if "author" in value.lower().split()]
    marked += [node for node, value in page.values_of("itemprop") if "author" in value.lower().split()]
    found = np.zeros(len(page.blocks) + 1)
    found[np.searchsorted(page.blocks.node_end, marked, side="right")] = 1
    called = np.flatnonzero(title)
    if len(called):
        near = np.arange(max(0, called[0] - NEAR_TITLE[0]), min(called[-1] + 1 + NEAR_TITLE[1], len(page.blocks)))
        bylines = role_words().bylines
        said = [tells_time(text) or _first_word(text) in bylines for text in texts_of(page, near)]
        found[near] = np.maximum(found[near], said)
    return np.asarray(found[:-1] * (page.blocks.even_words <= FEW_WORDS), np.float64)


def _first_word(text: str) -> str:
    return text[:40].replace(":", " ").lower().partition(" ")[0]


# ------------------------------------------------------------------------------------------------------------ headings


class _Heading(NamedTuple):
    """A block that may head others."""

    block: int
    level: int
    told: int
    """The number of a role; -1 for nothing."""


def _by_headings(page: Page, first: Ints) -> Ints:
    """What the nearest telling heading above each block tells: up to the next of its level, inside of its element."""
    headings = list(_headings(page))
    told = np.full(len(page.blocks), -1, np.intp)
    # Those of one level do not overlap, and there are seven levels, so that this is linear.
    for heading, following in zip(headings, _following(headings), strict=True):
        if heading.told >= 0:
            told[heading.block : min(following, _scope(page, first, heading.block))] = heading.told
    return told


def _headings(page: Page) -> Iterator[_Heading]:
    """Headings by tag, and short lines that say no more than a phrase of the table."""
    table, blocks = role_words(), page.blocks
    levels = [_LEVEL.get(tag, 0) for tag in page.nodes.tag[blocks.container].tolist()]
    is_label = (blocks.text_end - blocks.text_start <= LABEL_LENGTH) & (2 * blocks.link_characters < blocks.characters)
    spans = zip(levels, is_label.tolist(), blocks.text_start.tolist(), blocks.text_end.tolist(), strict=True)
    for block, (level, label, start, end) in enumerate(spans):
        if level:
            role = table.heading(page.text[start : min(end, start + 2 * LABEL_LENGTH)])
            yield _Heading(block, level, -1 if role is None else _NUMBER[role])
        elif label:
            role = table.line(page.text[start:end])
            if role is not None:
                yield _Heading(block, _LABEL_LEVEL, _NUMBER[role])


def _following(headings: Sequence[_Heading]) -> list[int]:
    """The block of the next heading of the same level or a higher one; far away where there is none."""
    far = 1 << 62
    following, open_headings = [far] * len(headings), list[int]()
    for place, heading in enumerate(headings):
        while open_headings and headings[open_headings[-1]].level >= heading.level:
            following[open_headings.pop()] = heading.block
        open_headings.append(place)
    return following


def _scope(page: Page, first: Ints, block: int) -> int:
    """One past the last block that a heading may head: the end of the smallest element that holds more than it."""
    node, parent, end = int(page.blocks.container[block]), page.nodes.parent, page.nodes.end
    for _ in range(CLIMB):
        if parent[node] < 0 or first[end[node]] > block + 1:
            break
        node = int(parent[node])
    return int(first[end[node]])
