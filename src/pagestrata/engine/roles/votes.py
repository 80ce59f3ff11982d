"""Votes for the roles of sections, and how they are counted.

    vote = weight × share of the section (by characters) for which it holds

Votes add up and the role with most of them wins; none decides alone: a kept text in an element named `sidebar` is main
text. Weights are set by hand, so that what is certain (a title, a signed record, kept text) outweighs one sign of
another kind, and a special purpose (sharing, author) outweighs the region that it stands in.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np

from pagestrata.engine.nesting import Places
from pagestrata.landmarks import Floats
from pagestrata.page.nodes import Bools
from pagestrata.results import Role

TITLE: Final = 6.0
COMMENTS: Final = 4.0
"""For records with name and time, unless they are lists of links or come before the text, as dated headlines do."""
KEPT: Final = 3.0
SPECIAL: Final = 3.0
"""For links to share pages, to places on this page, to advertisers, and for an author in markup."""
TAG: Final = (2.0, 2.0)
NAME: Final = (2.0, 1.5)
"""The second number is for regions (header, sidebar) and forms, whose names are given to much else."""
HEADING: Final = (2.0, 1.0)
AROUND: Final = 0.75
"""Part of the vote of a tag or name that goes to the element around all of the section; the rest goes to the nearest
ones around its texts."""
LINK_LIST: Final = 1.5
COPYRIGHT: Final = 1.5
LOGO: Final = 1.0
CONSENT_TEXT: Final = 1.2
PLACE: Final = 1.0
MIN_VOTES: Final = 0.75
"""A section with fewer votes for its best role has no role."""

ROLES: Final = tuple(Role)
NUMBER_OF_ROLE: Final = {role: number for number, role in enumerate(ROLES)}
NO_ROLE: Final = -1
_NUMBER_BY_VALUE: Final = {role.value: number for role, number in NUMBER_OF_ROLE.items()}
"""For the many look-ups of a count: the hash of a member of an enumeration is computed in Python."""

_REGIONS: Final = (Role.NAVIGATION, Role.FOOTER, Role.SIDEBAR, Role.HEADER, Role.OTHER)
_PURPOSES: Final = {
    Role.COMMENTS: "reader comments",
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


class RoleVerdict(NamedTuple):
    """The role of a section, and the reason for it."""

    role: Role
    reason: str


class Vote(NamedTuple):
    """A sign for a role: its weight, its reason, and where it holds."""

    role: Role
    weight: float
    reason: str
    strength: Floats | Bools
    """From 0 to 1, one per section; one per block before blocks are summed up."""


def votes_by_role(numbers: Places, weights: tuple[float, float], reason: str, share: float = 1.0) -> Iterator[Vote]:
    """Yield a vote for each role in a column of role numbers, in which `NO_ROLE` counts for nothing."""
    for number in np.flatnonzero(np.bincount(numbers + 1)[1:]).tolist():
        role = ROLES[number]
        weight = weights[role in _REGIONS] * share
        yield Vote(role, weight, reason.format(_PURPOSES[role]), numbers == number)


def count_votes(votes: Sequence[Vote], sections: int) -> list[RoleVerdict]:
    """Return the role with most votes for each section, with the reason of its strongest vote."""
    counted = np.array([vote.strength for vote in votes], np.float64).reshape(len(votes), sections)
    counted *= np.array([vote.weight for vote in votes])[:, None]
    numbers = np.array([_NUMBER_BY_VALUE[vote.role.value] for vote in votes])
    totals = np.zeros((len(ROLES), sections))
    np.add.at(totals, numbers, counted)
    winner = totals.argmax(axis=0)
    has_role = totals.max(axis=0, initial=0) >= MIN_VOTES
    reason = np.where(numbers[:, None] == winner, counted, -1.0).argmax(axis=0)
    return [
        RoleVerdict(ROLES[role], votes[why].reason) if has else RoleVerdict(Role.OTHER, "no sign of its purpose")
        for role, why, has in zip(winner.tolist(), reason.tolist(), has_role.tolist(), strict=True)
    ]


def ramp(values: Floats, low: float, high: float) -> Floats:
    """Return 0 up to `low`, 1 from `high` on (which may be the smaller one), and a straight line between them."""
    return np.minimum(np.maximum((values - low) / (high - low), 0.0), 1.0)
