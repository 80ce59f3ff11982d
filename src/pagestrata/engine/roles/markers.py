"""Elements that mark a role by tag, ARIA role, class or id, for all that stands inside them."""

from typing import Final

import numpy as np
import numpy.typing as npt

from pagestrata.engine.prose import covered
from pagestrata.engine.roles.keyword_marks import Places
from pagestrata.engine.roles.name_ranks import ranks_of_names
from pagestrata.engine.roles.votes import NO_ROLE, NUMBER_OF_ROLE
from pagestrata.engine.roles.words import role_words
from pagestrata.landmarks import landmarks_of, running_sum
from pagestrata.native import kernel
from pagestrata.native.keywords import NO_RANK
from pagestrata.page import tags
from pagestrata.page.nodes import Bools
from pagestrata.page.page import Page
from pagestrata.results import Role

MARKED: Final = "stands in an element that is marked up for {}"
NAMED: Final = "stands in an element named for {}"

_ROLE_OF_TAG: Final = {
    tags.TAG[name]: NUMBER_OF_ROLE[role]
    for name, role in (
        ("nav", Role.NAVIGATION),
        ("footer", Role.FOOTER),
        ("aside", Role.SIDEBAR),
        ("header", Role.HEADER),
    )
}
_REGION_TAGS: Final = tuple(_ROLE_OF_TAG)
_ARIA: Final = {
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
_ROLE_OF_ARIA: Final = {name: NUMBER_OF_ROLE[role] for name, role in _ARIA.items()}
_OF_PAGE: Final = (NUMBER_OF_ROLE[Role.HEADER], NUMBER_OF_ROLE[Role.FOOTER])
_SECTIONING: Final = tuple(tags.TAG[name] for name in ("article", "main"))
"""A header or footer in one of these is not that of the page (HTML standard, 4.3.8 and 4.3.9)."""
_NEVER_NAMED: Final = tuple(tags.TAG[name] for name in ("html", "body", "main"))
_NUMBER_OF_RANK: Final = np.array([NUMBER_OF_ROLE[role] for role in role_words().rank], np.intp)
_kernel = kernel("nesting")


class Trust:
    """Whether the tag or name of an element counts: not if most of the kept text is in it."""

    def __init__(self, page: Page, kept: Bools) -> None:
        sizes = page.blocks.characters * (kept if kept.any() else 1)
        self.sums, self.first_block, self.end = running_sum(sizes), landmarks_of(page).first_block, page.nodes.end

    def __call__(self, nodes: npt.NDArray[np.int32]) -> Bools:
        inside = self.sums[self.first_block[self.end[nodes]]] - self.sums[self.first_block[nodes]]
        return np.asarray(inside <= self.sums[-1] / 2)


def roles_of_tags(page: Page) -> dict[int, int]:
    """Return the numbers of the roles that elements have by their tag or ARIA role."""
    tag, numbers = page.nodes.tag, dict[int, int]()
    nodes = np.flatnonzero(page.nodes.is_one_of(_REGION_TAGS))
    if len(nodes):
        depth = covered(page, np.flatnonzero(page.nodes.is_one_of(_SECTIONING)))[nodes]
        for node, number, is_inside in zip(nodes.tolist(), tag[nodes].tolist(), (depth > 0).tolist(), strict=True):
            role = _ROLE_OF_TAG[number]
            if not (is_inside and role in _OF_PAGE):
                numbers[node] = role
    aria = [(node, name.strip().lower()) for node, name in page.values_of("role")]
    return numbers | {node: _ROLE_OF_ARIA[name] for node, name in aria if name in _ROLE_OF_ARIA}


def roles_of_names(page: Page) -> dict[int, int]:
    """Return the numbers of the roles that elements have by their class or id."""
    ranks = ranks_of_names(page)
    nodes = np.flatnonzero((ranks != NO_RANK) & ~page.nodes.is_one_of(_NEVER_NAMED))
    return dict(zip(nodes.tolist(), _NUMBER_OF_RANK[ranks[nodes]].tolist(), strict=True))


class RoleMarkers:
    """Elements with the number of a role, in document order."""

    def __init__(self, page: Page, numbers: dict[int, int], trusted: Trust) -> None:
        nodes = np.array(sorted(numbers), np.int32)
        nodes = nodes[trusted(nodes)]
        self.end = page.nodes.end[nodes]
        self.numbers = np.array([*(numbers[node] for node in nodes.tolist()), NO_ROLE], np.intp)
        """The last entry is for places in no marker, which have the number -1."""
        self.outer = np.zeros(len(nodes), np.int32)
        _kernel.nest(nodes, self.end, self.outer)
        self.of_block = np.zeros(len(page.blocks), np.int32)
        """The innermost marker around the first text of each block."""
        _kernel.find_innermost(nodes, self.end, self.outer, page.blocks.node_start, self.of_block)
        self.block_ends = page.blocks.node_end

    @property
    def role_numbers(self) -> Places:
        """The role of the innermost marker around the first text of each block."""
        return np.asarray(self.numbers[self.of_block])

    def around(self, first: Places, last: Places) -> Places:
        """Return the role of the innermost marker around all texts of each range of blocks."""
        marker = np.full(len(first), -1)
        ranges = np.flatnonzero(last > first)
        marker[ranges] = self.of_block[first[ranges]]
        while len(ranges):
            ranges = ranges[marker[ranges] >= 0]
            ranges = ranges[self.end[marker[ranges]] < self.block_ends[last[ranges] - 1]]
            marker[ranges] = self.outer[marker[ranges]]
        return np.asarray(self.numbers[marker])
