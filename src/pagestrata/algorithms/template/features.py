"""What a leaf shows that may come again on other pages: a text, a link target, an image source."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Final
from zlib import crc32

import numpy as np

from pagestrata.page import tags
from pagestrata.page.nodes import Bools
from pagestrata.page.page import Page
from pagestrata.page.text import collapse

if TYPE_CHECKING:
    from pagestrata.algorithms.template.structure import Structure

TEXT: Final = "text "
MASKED: Final = "like "
LINK: Final = "link "
IMAGE: Final = "image "

LONGEST: Final = 80
"""Of a feature, in characters; longer ones are cut and end in a number made of the rest."""
LETTERS: Final = 3
"""A masked text says something from as many letters on: `0.0` would be all numbers of a table."""

LONGEST_LINK: Final = 500
"""Longer ones are not remembered."""
MOST_FOLDERS: Final = 8
"""Steps up from the folder of a page that are made without asking the library."""
REMEMBERED: Final = 8192
"""Short texts and links whose features are kept: pages of a site say the same again and again."""

_DIGITS = re.compile(r"\d+(?:[.,:/-]\d+)*")
_LETTER = re.compile(r"[^\W\d_]")
_TRACKING = re.compile(r"(?:utm_\w*|fbclid|gclid|dclid|msclkid|mc_[ce]id|igshid|yclid|ref|ref_src|cmpid|ocid)\Z", re.I)
_WHOLE = ("/", "#", "http://", "https://")
_SOURCES = ("src", "data-src", "data-original", "data-lazy-src")


def features_of(structure: "Structure") -> list[tuple[int, tuple[str, ...]]]:
    """Each leaf of a page, and its features."""
    page, nodes = structure.page, structure.nodes
    is_leaf = np.array(structure.end, np.intp) == np.arange(1, len(nodes) + 1)
    leaves, leaf_nodes = np.flatnonzero(is_leaf), nodes[is_leaf]
    starts, ends, text = page.nodes.text_start[leaf_nodes], page.nodes.text_end[leaf_nodes], page.text
    hashes = map(structure.content.__getitem__, leaves.tolist())
    found = [
        text_features(text[start:end]) if end - start <= LONGEST else long_text_features(text[start : start + 60], said)
        for start, end, said in zip(starts.tolist(), ends.tolist(), hashes, strict=True)
    ]
    media = np.flatnonzero(starts == ends)
    images = _image_sources(page, set(leaf_nodes[media].tolist())) if len(media) else {}
    for place, node in zip(media.tolist(), leaf_nodes[media].tolist(), strict=True):
        found[place] = images.get(node, ())
    for first, last, link in _links(structure, is_leaf):
        for place in range(first, last):
            found[place] += link
    return list(zip(leaves.tolist(), found, strict=True))


@lru_cache(maxsize=REMEMBERED)
def text_features(text: str) -> tuple[str, ...]:
    """The text as it stands, and with its numbers masked if it has any.

    >>> text_features("About  us")
    ('text about us',)
    >>> text_features("12 Comments")
    ('text 12 comments', 'like 0 comments')
    """
    text = collapse(text.casefold())
    masked, numbers = _DIGITS.subn("0", text)
    if not numbers or len(_LETTER.findall(masked)) < LETTERS:
        return (TEXT + text,)
    return (TEXT + text, MASKED + masked)


def long_text_features(beginning: str, content: int) -> tuple[str, ...]:
    """The same for a long text: its beginning, and the hash of all of it. Its numbers are not masked.

    >>> long_text_features("It was a dark and stormy night", 0xC0FFEE)
    ('text it was a dark and stormy night… c0ffee',)
    """
    return (f"{TEXT}{collapse(beginning.casefold())}… {content:x}",)


def shortened(text: str) -> str:
    """A key of bounded length that people can still read."""
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 20]}… {crc32(text.encode(errors='surrogatepass')):08x}"


def _links(structure: "Structure", is_leaf: Bools) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """Each link as a range of leaves, with its feature."""
    page, nodes, base = structure.page, structure.nodes, _Base(structure.page)
    targets = dict(page.links)
    links = np.flatnonzero(page.nodes.tag[nodes] == tags.TAG["a"])
    before = np.concatenate(([0], np.cumsum(is_leaf)))
    first, last = before[links], before[np.array(structure.end, np.intp)[links]]
    for node, start, end in zip(nodes[links].tolist(), first.tolist(), last.tolist(), strict=True):
        href = targets.get(node)
        if href:
            read = link_features if len(href) <= LONGEST_LINK else link_features.__wrapped__
            yield start, end, read(*base.split(href))


class _Base:
    """What links of a page are relative to. Resolves the plain ones itself, which is much faster."""

    def __init__(self, page: Page) -> None:
        self.page = page
        address = (page.base_url or "").partition("://")[2].partition("?")[0].partition("#")[0]
        self.host = address.partition("/")[0]
        self.folder = address.rpartition("/")[0] + "/" if "/" in address else address + "/" if address else ""
        self.above = {"./": self.folder}
        """What `../` and more of them lead to, as far as there are folders."""
        folder, steps = self.folder, "../"
        while folder.count("/") > 1 and len(self.above) <= MOST_FOLDERS:
            folder = folder[: folder.rindex("/", 0, -1) + 1]
            self.above[steps] = folder
            steps += "../"

    def split(self, link: str) -> tuple[str, str]:
        """What to put before a link to make it whole, and the link."""
        if link.startswith(_WHOLE) or not link or "://" in link[:12]:
            return self.host, link
        if link[:1].isalnum() and ":" not in link[:12]:
            return self.folder, link
        way = link.lstrip("./")
        steps = link[: len(link) - len(way)]
        if steps in self.above and way[:1].isalnum() and "./" not in way and ".." not in way:
            return self.above[steps], way
        return "", self.page.resolve(link)


@lru_cache(maxsize=REMEMBERED)
def link_features(before: str, link: str) -> tuple[str, ...]:
    """The target of a link without scheme, fragment and tracking parameters; none if it stays on the page.

    >>> link_features("tea.example", "/pots?utm_source=feed#lid"), link_features("tea.example", "#lid")
    (('link tea.example/pots',), ())
    """
    link = link.partition("#")[0].strip()
    if not link or link[:11].lower() == "javascript:":
        return ()
    if "?" in link:
        link = without_tracking(link)
    scheme, separator, rest = link.partition("://")
    if separator and scheme.isalpha():
        return (LINK + shortened(rest),)
    if link.startswith("//"):
        return (LINK + shortened(link[2:]),)
    return (LINK + shortened(before + link),)


def without_tracking(link: str) -> str:
    """Drop the parameters that only say where a visitor came from.

    >>> without_tracking("/a?id=7&utm_source=feed"), without_tracking("/a?fbclid=x")
    ('/a?id=7', '/a')
    """
    path, _, query = link.partition("?")
    kept = [part for part in query.split("&") if not _TRACKING.match(part.partition("=")[0])]
    return f"{path}?{'&'.join(kept)}" if kept else path


def _image_sources(page: Page, media: set[int]) -> dict[int, tuple[str, ...]]:
    base = _Base(page)
    found: dict[int, tuple[str, ...]] = {}
    for attribute in _SOURCES:
        for node, source in page.values_of(attribute):
            if node in media and source and not source.startswith("data:"):
                before, rest = base.split(source)
                _, separator, path = rest.partition("://")
                found[node] = (IMAGE + shortened(path if separator else before + rest),)
    return found
