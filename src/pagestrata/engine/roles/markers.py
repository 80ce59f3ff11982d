"""Elements that mark a role by tag, ARIA role, class or id, for all that stands inside them."""

from functools import cache
from typing import Final

import numpy as np

from pagestrata.engine.nesting import Places, are_inside
from pagestrata.engine.roles.name_ranks import ranks_of_names
from pagestrata.engine.roles.votes import NO_ROLE, NUMBER_OF_ROLE
from pagestrata.engine.roles.words import role_words
from pagestrata.landmarks import landmarks_of, running_sum
from pagestrata.native import kernel
from pagestrata.page import tags
from pagestrata.page.nodes import Bools
from pagestrata.page.page import Page
from pagestrata.results import Role

MARKED: Final = "in an element that is marked up as {}"
NAMED: Final = "in an element named after {}"

_REGIONS: Final = {"nav": Role.NAVIGATION, "footer": Role.FOOTER, "aside": Role.SIDEBAR, "header": Role.HEADER}
_REGION_TAGS: Final = tuple(tags.TAG[name] for name in _REGIONS)
_ROLE_OF_TAG: Final = np.full(len(tags.TAGS), NO_ROLE)
_ROLE_OF_TAG[list(_REGION_TAGS)] = [NUMBER_OF_ROLE[role] for role in _REGIONS.values()]
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
_HEADER: Final = NUMBER_OF_ROLE[Role.HEADER]
_FOOTER: Final = NUMBER_OF_ROLE[Role.FOOTER]
_SECTIONING: Final = tuple(tags.TAG[name] for name in ("article", "main"))
"""A header or footer in one of these is not that of the page (HTML standard, 4.3.8 and 4.3.9)."""
_IS_NEVER_NAMED: Final = np.array([name in ("html", "body", "main") for name in (*tags.TAGS, "")], np.bool_)
_kernel = kernel("nesting")


class Trust:
    """Whether the tag or name of an element counts: not if most of the kept text is in it."""

    def __init__(self, page: Page, kept: Bools) -> None:
        sizes = page.blocks.characters * (kept if kept.any() else 1)
        self.sums, self.first_block, self.end = running_sum(sizes), landmarks_of(page).first_block, page.nodes.end

    def __call__(self, nodes: Places) -> Bools:
        """Whether each of these elements is trusted."""
        inside = self.sums[self.first_block[self.end[nodes]]] - self.sums[self.first_block[nodes]]
        return np.asarray(inside <= self.sums[-1] / 2)


def roles_of_tags(page: Page) -> tuple[Places, Places]:
    """Return the elements with a role by their tag or ARIA role, in document order, and the numbers of the roles."""
    nodes = np.flatnonzero(page.nodes.is_one_of(_REGION_TAGS))
    roles = _ROLE_OF_TAG[page.nodes.tag[nodes]]
    is_local = (roles == _HEADER) | (roles == _FOOTER)
    if is_local.any():
        is_local &= are_inside(page, nodes, np.flatnonzero(page.nodes.is_one_of(_SECTIONING)))
        nodes, roles = nodes[~is_local], roles[~is_local]
    numbers = dict(zip(nodes.tolist(), roles.tolist(), strict=True))
    aria = [(node, _ROLE_OF_ARIA.get(name.strip().lower())) for node, name in page.values_of("role")]
    numbers |= {node: number for node, number in aria if number is not None}
    marked = sorted(numbers)
    return np.array(marked, np.intp), np.array([numbers[node] for node in marked], np.intp)


def roles_of_names(page: Page) -> tuple[Places, Places]:
    """Return the elements with a role by their class or id, in document order, and the numbers of the roles."""
    nodes, ranks = ranks_of_names(page)
    may_be_named = ~_IS_NEVER_NAMED.take(page.nodes.tag[nodes], mode="clip")
    return nodes[may_be_named], _numbers_of_ranks()[ranks[may_be_named]]


@cache
def _numbers_of_ranks() -> Places:
    return np.array([NUMBER_OF_ROLE[role] for role in role_words().rank], np.intp)


class RoleMarkers:
    """Elements with the number of a role, in document order."""

    def __init__(self, page: Page, nodes: Places, numbers: Places, trusted: Trust) -> None:
        is_trusted = trusted(nodes)
        starts = nodes[is_trusted].astype(np.int32)
        self.end = page.nodes.end[starts]
        self.numbers = np.append(numbers[is_trusted], NO_ROLE)
        """The last entry is for places in no marker, which have the number -1."""
        self.outer, self.of_block = np.zeros(len(starts), np.int32), np.zeros(len(page.blocks), np.int32)
        """The next marker around each marker; the innermost marker around the first text of each block."""
        _kernel.nest(starts, self.end, self.outer)
        _kernel.find_innermost(starts, self.end, self.outer, page.blocks.node_start, self.of_block)
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
