"""The targets of the links of a page, counted over any range of nodes."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np

from pagestrata.engine.nesting import Places
from pagestrata.engine.roles.keyword_marks import KeywordMarks, Links, keyword_marks
from pagestrata.engine.roles.words import role_words
from pagestrata.landmarks import Floats, running_sum
from pagestrata.native import kernel
from pagestrata.native.keywords import HERE, HOME, PAID_LINK, ROLE_LINK
from pagestrata.page import tags
from pagestrata.page.hosts import host_in
from pagestrata.page.hosts import own_host as most_common_host
from pagestrata.page.nodes import Bools
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
_kernel = kernel("keywords")


class LinkCounts(NamedTuple):
    """The number of links that begin in each range of nodes, in all and by kind."""

    all: Floats
    share: Floats
    advertisers: Floats
    fragments: Floats
    logos: Floats


class LinkKinds:
    """The kinds of a page's links."""

    def __init__(self, page: Page, text_start: int) -> None:
        """`text_start` is the node where the kept text begins; logos are looked for before it."""
        marks = keyword_marks(page)
        nodes, is_kind = marks.links.nodes, np.zeros((KINDS, len(marks.links.nodes)))
        paid = _paid_nodes(page, marks)
        is_paid = np.isin(nodes, paid) if paid else np.zeros(len(nodes), np.bool_)
        for kind, link in (*_kinds(page, marks.links, is_paid), *_logos(page, marks.links, text_start)):
            is_kind[:, link] = 0
            is_kind[kind, link] = 1
        self.nodes, self.sums = nodes, running_sum(is_kind)

    def count(self, starts: Places, ends: Places) -> LinkCounts:
        """Count the links that begin in each range of nodes."""
        first, last = np.searchsorted(self.nodes, (starts, ends))
        return LinkCounts((last - first).astype(np.float64), *(self.sums[:, last] - self.sums[:, first]))


def _paid_nodes(page: Page, marks: KeywordMarks) -> list[int]:
    return [node for node, rel in marks.values(page, "rel", PAID_LINK) if "sponsored" in rel.lower()]


def _kinds(page: Page, links: Links, is_paid: Bools) -> Iterator[tuple[int, int]]:
    """Yield the kind and the place of each link to a share page, an advertiser or a place on the page."""
    candidates = np.flatnonzero((links.marks & (ROLE_LINK | HERE) > 0) | is_paid)
    values = page.values_at(links.places[candidates])
    for link, paid, (_, target) in zip(candidates.tolist(), is_paid[candidates].tolist(), values, strict=True):
        kind = _kind_of(target, paid, page)
        if kind is not None:
            yield kind, link


def _logos(page: Page, links: Links, text_start: int) -> Iterator[tuple[int, int]]:
    """Yield the links before the text that show an image and lead home, as `_kinds` does."""
    is_candidate = links.marks[: np.searchsorted(links.nodes, text_start)] & HOME > 0
    candidates = np.flatnonzero(is_candidate)
    if len(candidates):
        nodes = links.nodes[candidates]
        images = np.flatnonzero(page.nodes.is_one_of(_IMAGES))
        shows_image = np.searchsorted(images, page.nodes.end[nodes]) > np.searchsorted(images, nodes)
        candidates = candidates[shows_image]
    values = page.values_at(links.places[candidates])
    yield from (
        (LOGO, link) for link, (_, target) in zip(candidates.tolist(), values, strict=True) if _is_home(target, page)
    )


def own_host(page: Page) -> str:
    """Return the host of the page: that of its address, or else the one that most links lead to."""
    return host_in(page.url or "") or page.once(_most_linked_host)


def _most_linked_host(page: Page) -> str:
    links = keyword_marks(page).links
    starts, ends = page.attributes[2:, links.places]
    hashes = np.zeros(len(starts), np.int32)
    _kernel.hash_hosts(page.markup, starts, ends, hashes)
    if (hashes < 0).any():
        return most_common_host(page, [host_in(target) for _, target in page.links])
    counts = Counter(hashes[hashes > 0].tolist())
    most = [host for host, count in counts.items() if count == max(counts.values())]
    values = page.values_at(links.places[[np.argmax(hashes == host) for host in most]]) if most else []
    return min((host_in(target) for _, target in values), default="")


def _is_home(target: str, page: Page) -> bool:
    """Whether a link leads to the first page of the site."""
    address = target.strip().lower()
    host = host_in(address)
    if not host:
        return address in _HOME
    path = "/" + address.partition("//")[2].partition("/")[2]
    return path in _HOME and host == own_host(page)


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
    if _HOLDS_ADDRESS.search(address) and host_in(address) not in ("", own_host(page)):
        return SHARE
    return None
