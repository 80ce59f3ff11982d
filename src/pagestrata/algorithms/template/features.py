"""The features of leaves, which may recur on other pages: texts, link targets, image sources."""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property, lru_cache
from typing import Final
from zlib import crc32

import numpy as np

from pagestrata.algorithms.template.loops import leaf_columns
from pagestrata.algorithms.template.skeleton import Skeleton
from pagestrata.native import kernel
from pagestrata.native.template import LONGEST_FEATURE, MASKED, TEXT_FEATURE
from pagestrata.page.page import Page
from pagestrata.page.text import collapse

LINK: Final = "link "
IMAGE: Final = "image "


LONGEST_LINK: Final = 500
"""The most characters of a link target that is a feature."""
MOST_FOLDERS: Final = 8
"""The most steps (`../`) up from the folder of a page that are resolved here and not by the library."""
REMEMBERED: Final = 8192
"""The number of short texts and links whose features are cached: the pages of a site repeat them."""

_read_text: Callable[..., tuple[str, ...]] = kernel("template").read_text
_DIGITS = re.compile(r"\d+(?:[.,:/-]\d+)*")
_THREE_LETTERS = re.compile(r"(?:[^\W\d_][\W\d_]*){3}")
"""A masked text is a feature from three letters on: `0.0` would match every number of a table."""
_TRACKING = re.compile(r"(?:utm_\w*|fbclid|gclid|dclid|msclkid|mc_[ce]id|igshid|yclid|ref|ref_src|cmpid|ocid)\Z", re.I)
_WHOLE = ("/", "#", "http://", "https://")
_SOURCES = ("src", "data-src", "data-original", "data-lazy-src")


class Leaves:
    """The leaves of a page. Links and images are read on request: the text of most leaves is sufficient."""

    def __init__(self, structure: Skeleton) -> None:
        self.structure = structure
        nodes = structure.page.nodes
        texts = nodes.text_start, nodes.text_end, nodes.in_link.view(np.uint8)
        self.places, self.nodes, self.starts, self.ends, self.may_lead = leaf_columns(
            structure.nodes, structure.end, *texts
        )
        """Their places in the structure and on the page, their texts, and whether they are images or in a link."""

    def __iter__(self) -> Iterator[tuple[int, tuple[str, ...]]]:
        """Yield each leaf with its features."""
        for number, (place, may_lead) in enumerate(zip(self.places, self.may_lead, strict=True)):
            yield place, self.texts(number) + self.targets(number) if may_lead else self.texts(number)

    def texts(self, number: int) -> tuple[str, ...]:
        """Return the features of the text of a leaf."""
        content = self.structure.content[self.places[number]]
        start, end = self.starts[number], self.ends[number]
        return _read_text(self.structure.page.text, start, end, content, text_features, long_text_features)

    def targets(self, number: int) -> tuple[str, ...]:
        """Return the targets of the links around a leaf, and the source of an image."""
        found: tuple[str, ...] = ()
        if self.starts[number] == self.ends[number] and (source := self._source(int(self.nodes[number]))):
            found = self._base.image_features(source)
        for link in self._links_around(self.places[number]):
            found += self._base.link_features(link)
        return found

    @cached_property
    def _base(self) -> "_Base":
        return _Base(self.structure.page)

    @cached_property
    def _links(self) -> dict[int, tuple[str, ...]]:
        """The targets of the requested links by place, outer links first; for most pages few are requested."""
        return {-1: ()}

    def _links_around(self, place: int) -> tuple[str, ...]:
        """Return the targets of the links around a place, the outermost first; links are rarely nested."""
        links, tag, parent = self._links, self.structure.tag, self.structure.parent
        anchors = []
        while place not in links:
            if tag[place] == "a":
                anchors.append(place)
            place = parent[place]
        targets = links[place]
        for anchor in reversed(anchors):
            target = self.structure.page.attribute(int(self.structure.nodes[anchor]), "href")
            targets = links[anchor] = (*targets, target) if target else targets
        return targets

    def _source(self, node: int) -> str | None:
        """Return the source of an image; the source that scripts load later takes precedence over a placeholder."""
        sources = (self.structure.page.attribute(node, name) for name in reversed(_SOURCES))
        return next((source for source in sources if source and not source.startswith("data:")), None)


Counts = tuple[dict[str, int], int, int]
"""The numbers of pages with each feature at a place, with the place, and with its most frequent target."""


def counts_of(features: Mapping[str, int], pages: int) -> Counts:
    """Return the features that are counted at a place, in the form that `loops.recurring` reads."""
    targets = (count for feature, count in features.items() if feature.startswith((LINK, IMAGE)))
    return dict(features), pages, max(targets, default=0)


@lru_cache(maxsize=REMEMBERED)
def text_features(text: str) -> tuple[str, ...]:
    """Return the text unchanged, and with its numbers masked if it has any.

    >>> text_features("About  us")
    ('text about us',)
    >>> text_features("12 Comments")
    ('text 12 comments', 'like 0 comments')
    """
    text = collapse(text.casefold())
    masked, numbers = _DIGITS.subn("0", text)
    if not numbers or not _THREE_LETTERS.search(masked):
        return (TEXT_FEATURE + text,)
    return (TEXT_FEATURE + text, MASKED + masked)


def long_text_features(beginning: str, content: int) -> tuple[str, ...]:
    """Return the feature of a long text: its beginning and the hash of all of it; numbers are not masked.

    >>> long_text_features("It was a dark and stormy night", 0xC0FFEE)
    ('text it was a dark and stormy night… c0ffee',)
    """
    return (f"{TEXT_FEATURE}{collapse(beginning.casefold())}… {content:x}",)


def shortened(text: str) -> str:
    """Return a key of limited length that people can read."""
    if len(text) <= LONGEST_FEATURE:
        return text
    return f"{text[: LONGEST_FEATURE - 20]}… {crc32(text.encode(errors='surrogatepass')):08x}"


class _Base:
    """The base address of the links of a page. It resolves plain links itself, which is much faster."""

    def __init__(self, page: Page) -> None:
        self.page = page
        address = (page.base_url or "").partition("://")[2].partition("?")[0].partition("#")[0]
        self.host = address.partition("/")[0]
        self.folder = address.rpartition("/")[0] + "/" if "/" in address else address + "/" if address else ""
        self.above = {"./": self.folder}
        """The folders that `../`, `../../` and so on lead to."""
        folder, steps = self.folder, "../"
        while folder.count("/") > 1 and len(self.above) <= MOST_FOLDERS:
            folder = folder[: folder.rindex("/", 0, -1) + 1]
            self.above[steps] = folder
            steps += "../"

    def split(self, link: str) -> tuple[str, str]:
        """Return the prefix that makes a link absolute, and the link."""
        if link.startswith(_WHOLE) or not link or "://" in link[:12]:
            return self.host, link
        if link[:1].isalnum() and ":" not in link[:12]:
            return self.folder, link
        way = link.lstrip("./")
        steps = link[: len(link) - len(way)]
        if steps in self.above and way[:1].isalnum() and "./" not in way and ".." not in way:
            return self.above[steps], way
        return "", self.page.resolve(link)

    def link_features(self, link: str) -> tuple[str, ...]:
        """Return the features of the target of a link."""
        read = link_features if len(link) <= LONGEST_LINK else link_features.__wrapped__
        return read(*self.split(link))

    def image_features(self, source: str) -> tuple[str, ...]:
        """Return the features of the source of an image."""
        before, rest = self.split(source)
        _, separator, path = rest.partition("://")
        return (IMAGE + shortened(path if separator else before + rest),)


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
