"""Where the links of a page lead, counted over any range of nodes."""

import re
from typing import Final, NamedTuple

import numpy as np

from pagestrata.engine.prose import Floats, Ints, host_in, own_host, running_sum
from pagestrata.engine.roles.keyword_marks import KeywordMarks, keyword_marks
from pagestrata.engine.roles.words import role_words
from pagestrata.native.keywords import FRAGMENT, ROLE_LINK
from pagestrata.page import tags
from pagestrata.page.page import Page

SHARE, ADVERTISER, FRAGMENTS, LOGO = range(4)
"""Kinds of links, as rows of the counts; most links are of none."""
KINDS: Final = 4
MAX_TARGET: Final = 500
"""Characters of a target that are read."""

_HOME: Final = frozenset(
    {"/", "./", "..", "../", "index.html", "/index.html", "../index.html", "index.php", "/index.php"}
)
_IMAGES: Final = tuple(tags.TAG[name] for name in ("img", "svg", "picture"))
_SKIP: Final = frozenset({"#top", "#content", "#main", "#main-content", "#maincontent", "#primary", "#site-content"})
_HOLDS_ADDRESS = re.compile(r"[?&][^=]*=https?(?:%3a|:)", re.IGNORECASE)


class LinkCounts(NamedTuple):
    """How many links begin in each range of nodes, and how many of each kind."""

    all: Floats
    share: Floats
    advertisers: Floats
    fragments: Floats
    logos: Floats


class LinkKinds:
    """The kinds of a page's links."""

    def __init__(self, page: Page) -> None:
        marks = keyword_marks(page)
        links = marks.links
        images = running_sum(page.nodes.is_one_of(_IMAGES))
        shows_image = images[page.nodes.end[links.nodes]] > images[links.nodes]
        is_paid = np.isin(links.nodes, _paid_nodes(marks))
        may_matter = np.flatnonzero((links.marks & (ROLE_LINK | FRAGMENT) != 0) | shows_image | is_paid)
        is_kind = np.zeros((KINDS, len(links.nodes)))
        values = page.values_at(links.places[may_matter])
        for place, (_, target) in zip(may_matter.tolist(), values, strict=True):
            is_logo = shows_image[place] and _is_home(target, page)
            kind = LOGO if is_logo else _kind_of(target, bool(is_paid[place]), page)
            if kind is not None:
                is_kind[kind, place] = 1
        self.nodes, self.sums = links.nodes, running_sum(is_kind)

    def count(self, starts: Ints, ends: Ints) -> LinkCounts:
        """Count the links that begin in each range of nodes."""
        first, last = np.searchsorted(self.nodes, (starts, ends))
        return LinkCounts((last - first).astype(np.float64), *(self.sums[:, last] - self.sums[:, first]))


def _paid_nodes(marks: KeywordMarks) -> list[int]:
    return [node for node, rel in marks.values("rel", ROLE_LINK) if "sponsored" in rel.lower()]


def _own_host(page: Page) -> str:
    """Return the host of the page: that of its address, or else the one that most links lead to."""
    return host_in(page.url or "") or own_host(page, [host_in(target) for _, target in page.links])


def _is_home(target: str, page: Page) -> bool:
    """Whether a link leads to the first page of the site."""
    address = target.strip().lower()
    host = host_in(address)
    if not host:
        return address in _HOME
    path = "/" + address.partition("//")[2].partition("/")[2]
    return path in _HOME and host == page.once(_own_host)


def _kind_of(target: str, is_paid: bool, page: Page) -> int | None:
    """Return the kind of a link.

    A share page is known by its address, or by getting the address of a page as a parameter, on another host.
    """
    address, table = target[:MAX_TARGET].strip().lower(), role_words()
    if address.startswith("#"):
        return FRAGMENTS if len(address) > 1 and address not in _SKIP else None
    if is_paid or table.advertiser_pattern.search(address):
        return ADVERTISER
    if ":" not in address[:12] and not address.startswith("//"):
        return None
    if table.share_pattern.search(address):
        return SHARE
    if _HOLDS_ADDRESS.search(address) and host_in(address) not in ("", page.once(_own_host)):
        return SHARE
    return None
