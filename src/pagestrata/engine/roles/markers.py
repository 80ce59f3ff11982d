"""Elements that mark a role by tag, ARIA role, class or id, for all that stands inside them."""

from typing import Final

import numpy as np

from pagestrata.engine.prose import Ints, covered, running_sum
from pagestrata.engine.roles.keyword_marks import keyword_marks
from pagestrata.engine.roles.votes import NO_ROLE, NUMBER_OF_ROLE
from pagestrata.engine.roles.words import role_of_name, role_words
from pagestrata.native.keywords import ROLE_NAME
from pagestrata.page import tags
from pagestrata.page.nodes import Bools
from pagestrata.page.page import Page
from pagestrata.results import Role

MARKED: Final = "stands in an element that is marked up for {}"
NAMED: Final = "stands in an element named for {}"

_ROLE_OF_TAG: Final = {"nav": Role.NAVIGATION, "footer": Role.FOOTER, "aside": Role.SIDEBAR, "header": Role.HEADER}
_ROLE_OF_ARIA: Final = {
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
_SECTIONING: Final = tuple(tags.TAG[name] for name in ("article", "main"))
"""A header or footer in one of these is not that of the page (HTML standard, 4.3.8 and 4.3.9)."""
_NEVER_NAMED: Final = tuple(tags.TAG[name] for name in ("html", "body", "main"))


class Trust:
    """Whether the tag or name of an element counts: not if most of the kept text is in it."""

    def __init__(self, page: Page, first_block: Ints, kept: Bools) -> None:
        sizes = page.blocks.characters * (kept if kept.any() else 1)
        self.sums, self.first_block, self.end = running_sum(sizes), first_block, page.nodes.end

    def __call__(self, nodes: Ints) -> Bools:
        inside = self.sums[self.first_block[self.end[nodes]]] - self.sums[self.first_block[nodes]]
        return np.asarray(inside <= self.sums[-1] / 2)


def roles_of_tags(page: Page) -> dict[int, Role]:
    """Return the elements with a role by their tag or ARIA role."""
    roles: dict[int, Role] = {}
    for tag, role in _ROLE_OF_TAG.items():
        nodes = np.flatnonzero(page.nodes.tag == tags.TAG[tag])
        if len(nodes) and role in (Role.HEADER, Role.FOOTER):
            nodes = nodes[covered(page, np.flatnonzero(page.nodes.is_one_of(_SECTIONING)))[nodes] == 0]
        roles |= dict.fromkeys(nodes.tolist(), role)
    aria = [(node, name.strip().lower()) for node, name in page.values_of("role")]
    return roles | {node: _ROLE_OF_ARIA[name] for node, name in aria if name in _ROLE_OF_ARIA}


def roles_of_names(page: Page) -> dict[int, Role]:
    """Return the elements with a role by their class or id."""
    rank, roles, marks = role_words().rank, dict[int, Role](), keyword_marks(page)
    for attribute in ("class", "id"):
        for node, name in marks.values(attribute, ROLE_NAME):
            role = role_of_name(name)
            if role is not None and (node not in roles or rank[role] < rank[roles[node]]):
                roles[node] = role
    for node in np.flatnonzero(page.nodes.is_one_of(_NEVER_NAMED)).tolist():
        roles.pop(node, None)
    return roles


class RoleMarkers:
    """Elements with the number of a role. The first entry is the page as a whole, with `NO_ROLE`."""

    def __init__(self, page: Page, roles: dict[int, Role], trusted: Trust) -> None:
        nodes = np.array(sorted(roles), np.intp)
        nodes = nodes[trusted(nodes)]
        elements = nodes.tolist()
        self.numbers = np.array([NO_ROLE, *(NUMBER_OF_ROLE[roles[node]] for node in elements)], np.intp)
        self.end = np.array([len(page.nodes), *page.nodes.end[nodes].tolist()], np.intp)
        self.outer, places, innermost = _nesting(elements, self.end.tolist())
        self.block_ends = page.blocks.node_end
        at = np.searchsorted(places, page.blocks.node_start, side="right") - 1
        self.of_block: Ints = innermost[at]
        """The innermost marker around the first text of each block, as a place in the other columns."""

    @property
    def role_numbers(self) -> Ints:
        """The role of the innermost marker around the first text of each block."""
        return np.asarray(self.numbers[self.of_block])

    def around(self, first: Ints, last: Ints) -> Ints:
        """Return the role of the innermost marker around all texts of each range of blocks."""
        marker = np.zeros(len(first), np.intp)
        ranges = np.flatnonzero(last > first)
        marker[ranges] = self.of_block[first[ranges]]
        while len(ranges):
            ranges = ranges[self.end[marker[ranges]] < self.block_ends[last[ranges] - 1]]
            marker[ranges] = self.outer[marker[ranges]]
        return np.asarray(self.numbers[marker])


def _nesting(elements: list[int], ends: list[int]) -> tuple[Ints, Ints, Ints]:
    """Return the marker around each marker, and the nodes where the innermost marker changes, with what it is then.

    Markers are numbered from 1 on; 0 is the page.
    """
    count = ends[0]
    outer, places, innermost, open_markers = [0], [0], [0], [0]
    for marker, node in enumerate((*elements, count), 1):
        while len(open_markers) > 1 and ends[open_markers[-1]] <= node:
            places.append(ends[open_markers.pop()])
            innermost.append(open_markers[-1])
        outer.append(open_markers[-1])
        open_markers.append(marker)
        places.append(node)
        innermost.append(marker)
    return np.array(outer[:-1], np.intp), np.array(places, np.intp), np.array(innermost, np.intp)
