"""The roles of any ranges of a page's nodes: everything that can be seen of a section votes (see `votes`).

Tags and ARIA roles around it, where its links lead, where it stands, names of elements, the heading above it, whether
its text is kept. Columns of the page are summed up once, so that a section costs the same however long it is.
"""

from collections.abc import Iterator
from typing import Final

import numpy as np

from pagestrata.engine.nesting import Places
from pagestrata.engine.roles import votes as weights
from pagestrata.engine.roles.headings import roles_of_headings
from pagestrata.engine.roles.lines import COPYRIGHT, blocks_with, bylines, title_blocks
from pagestrata.engine.roles.links import LinkCounts, LinkKinds
from pagestrata.engine.roles.markers import MARKED, NAMED, RoleMarkers, Trust, roles_of_names, roles_of_tags
from pagestrata.engine.roles.votes import RoleVerdict, Vote, count_votes, ramp, votes_by_role
from pagestrata.landmarks import Floats, landmarks_of, running_sum
from pagestrata.landmarks.overlays import CONSENT
from pagestrata.page.nodes import Bools
from pagestrata.page.page import Page
from pagestrata.results import Role

LINKED: Final = (0.4, 0.7)
"""Share of links from which a section may be, and from which it certainly is, a list of links."""
LINK_WORDS: Final = (3.0, 6.0)
"""Words of a link up to which it is an entry of a menu, and from which it is a headline."""
EDGE: Final = 0.1
"""What lies in this first or last part of the page is at its edge."""
MAX_LABEL_WORDS: Final = 16
"""More words around a link are no label of it."""
MIN_FRAGMENTS: Final = 3
"""Links to places on the page from which they are its contents; fewer are for skipping."""


class RoleReader:
    """Reads the roles of ranges of a page's nodes."""

    def __init__(self, page: Page, kept: Bools, comments: Bools | None = None, noise: Floats | None = None) -> None:
        """`kept`, `comments` (part of a signed record) and `noise` (sure to recur over the site): one per block."""
        self.landmarks = landmarks_of(page)
        self.first_block = self.landmarks.first_block
        blocks, sizes = page.blocks, page.blocks.characters + 1
        self.kept = np.flatnonzero(kept)
        text_start = int(blocks.node_start[self.kept[0]]) if len(self.kept) else len(page.nodes)
        self.links = LinkKinds(page, text_start)
        trusted = Trust(page, kept)
        self.marked = RoleMarkers(page, *roles_of_tags(page), trusted)
        self.named = RoleMarkers(page, *roles_of_names(page), trusted)
        words = blocks.normalised_words
        after_text = int(self.kept[-1]) + 1 if len(self.kept) else 0
        copyright = blocks_with(page, COPYRIGHT, after_text)
        votes = list(self._block_votes(kept))
        self.votes = [(vote.role, vote.weight, vote.reason) for vote in votes]
        nothing = np.zeros(len(blocks))
        columns = [
            sizes,
            words,
            blocks.link_characters,
            words * blocks.link_characters / np.maximum(1, blocks.characters),
            copyright,
            nothing if noise is None else noise * sizes,
            nothing if comments is None else comments * sizes,
            *(vote.strength * sizes for vote in votes),
        ]
        self.sums = running_sum(np.array(columns, np.float64))

    def role(self, start: int, end: int) -> RoleVerdict:
        """Return the role of one range of nodes."""
        return self.roles(np.array([start]), np.array([end]))[0]

    def roles(self, starts: Places, ends: Places) -> list[RoleVerdict]:
        """Return the roles of many ranges of nodes; much cheaper than one by one."""
        first, last = self.first_block[starts].astype(np.intp), self.first_block[ends].astype(np.intp)
        size, words, linked, link_words, copyright, noise, comments, *held = self.sums[:, last] - self.sums[:, first]
        size = np.maximum(1, size)
        counts = self.links.count(starts, ends)
        votes = [Vote(*vote, strength / size) for vote, strength in zip(self.votes, held, strict=True)]
        votes += votes_by_role(self.marked.around(first, last), weights.TAG, MARKED, weights.AROUND)
        votes += votes_by_role(self.named.around(first, last), weights.NAME, NAMED, weights.AROUND)
        is_list = ramp(linked / size, *LINKED)
        votes += _target_votes(is_list, words, counts)
        votes += _list_votes(is_list, link_words, noise / size, counts)
        is_after_first = first > self.kept[0] if len(self.kept) else first >= 0
        votes.append(_comment_vote(is_list, comments / size * is_after_first))
        votes += self._place_votes(first, last, counts, copyright)
        return count_votes(votes, len(starts))

    def _block_votes(self, kept: Bools) -> Iterator[Vote]:
        """Yield the votes that hold for single blocks."""
        page, is_title = self.landmarks.page, title_blocks(self.landmarks)
        yield Vote(Role.MAIN, weights.KEPT, "its text is kept", kept)
        yield Vote(Role.TITLE, weights.TITLE, "the title of the page", is_title)
        yield Vote(Role.AUTHOR, weights.SPECIAL, "says who wrote the page, or when", bylines(self.landmarks, is_title))
        yield Vote(Role.CONSENT, weights.CONSENT_TEXT, "mentions cookies", blocks_with(page, CONSENT))
        headings = roles_of_headings(self.landmarks)
        yield from votes_by_role(headings, weights.HEADING, "the heading above it names {}")
        inner = 1 - weights.AROUND
        yield from votes_by_role(self.marked.role_numbers, weights.TAG, MARKED, inner)
        yield from votes_by_role(self.named.role_numbers, weights.NAME, NAMED, inner)

    def _place_votes(self, first: Places, last: Places, counts: LinkCounts, copyright: Floats) -> Iterator[Vote]:
        """Yield the votes for standing before or after what is kept, at the edges of the page."""
        sizes = self.sums[0]
        total = max(1.0, float(sizes[-1]))
        before, after = sizes[first] / total, 1 - sizes[last] / total
        is_before = last <= self.kept[0] if len(self.kept) else before < EDGE
        is_after = first > self.kept[-1] if len(self.kept) else after < EDGE
        is_before, is_after = is_before & (last > first), is_after & (last > first)
        at_top, at_bottom = is_before * ramp(before, EDGE, 0), is_after * ramp(after, EDGE, 0)
        yield Vote(Role.HEADER, weights.PLACE, "the first of the page, before the text", at_top)
        yield Vote(Role.FOOTER, weights.PLACE, "the last of the page, after the text", at_bottom)
        has_logo = is_before & (counts.logos > 0)
        yield Vote(Role.HEADER, weights.LOGO, "an image in it links to the home page, before the text", has_logo)
        has_owner = is_after & (copyright > 0)
        yield Vote(Role.FOOTER, weights.COPYRIGHT, "names the owner of the page, after the text", has_owner)


def _target_votes(is_list: Floats, words: Floats, counts: LinkCounts) -> Iterator[Vote]:
    """Yield the votes for where the links of a section lead."""
    links = np.maximum(1, counts.all)
    is_label = np.maximum(is_list, (words <= MAX_LABEL_WORDS) & (counts.all > 0))
    yield Vote(Role.SHARE, weights.SPECIAL, "its links lead to share pages", is_label * counts.share / links)
    yield Vote(
        Role.ADVERTISEMENT, weights.SPECIAL, "its links lead to advertisers", is_label * counts.advertisers / links
    )
    contents = is_list * counts.fragments / links * (counts.fragments >= MIN_FRAGMENTS)
    yield Vote(Role.CONTENTS, weights.SPECIAL, "its links lead to places on this page", contents)


def _list_votes(is_list: Floats, link_words: Floats, noise: Floats, counts: LinkCounts) -> Iterator[Vote]:
    """Yield the votes for lists of short links and of headlines; what recurs over the site is navigation in it."""
    headlines = ramp(link_words / np.maximum(1, counts.all), *LINK_WORDS) * (1 - noise)
    yield Vote(Role.NAVIGATION, weights.LINK_LIST, "a list of short links", is_list * (1 - headlines))
    yield Vote(Role.RELATED, weights.LINK_LIST, "a list of headlines that are links", is_list * headlines)


def _comment_vote(is_list: Floats, comments: Floats) -> Vote:
    return Vote(Role.COMMENTS, weights.COMMENTS, "records with name and time, side by side", comments * (1 - is_list))
