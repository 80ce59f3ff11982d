"""What a leaf shows that may come again on other pages: a text, a link target, an image source."""

import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import urlsplit
from zlib import crc32

from pagestrata.algorithms.template.structure import Structure
from pagestrata.page import tags
from pagestrata.page.page import Page

TEXT: Final = "text "
MASKED: Final = "like "
LINK: Final = "link "
IMAGE: Final = "image "

LONGEST: Final = 80
"""Of a feature, in characters; longer ones are cut and end in a number made of the rest."""
LETTERS: Final = 3
"""A masked text says something from as many letters on: `0.0` would be all numbers of a table."""

_DIGITS = re.compile(r"\d+(?:[.,:/-]\d+)*")
_LETTER = re.compile(r"[^\W\d_]")
_TRACKING = re.compile(r"(?:utm_\w*|fbclid|gclid|dclid|msclkid|mc_[ce]id|igshid|yclid|ref|ref_src|cmpid|ocid)\Z", re.I)
_SOURCES = ("src", "data-src", "data-original", "data-lazy-src")


def features_of(page: Page, structure: Structure) -> list[tuple[int, tuple[str, ...]]]:
    """Each leaf of a page, and its features."""
    links, images = _link_targets(page, structure), _image_sources(page)
    nodes, text = structure.nodes.tolist(), page.text
    starts, ends = page.nodes.text_start[structure.nodes].tolist(), page.nodes.text_end[structure.nodes].tolist()
    found = []
    for leaf, below in enumerate(structure.children):
        if below:
            continue
        if structure.tag[leaf] == "#text":
            found.append((leaf, (*text_features(text[starts[leaf] : ends[leaf]]), *links.get(leaf, ()))))
        else:
            found.append((leaf, (*images.get(nodes[leaf], ()), *links.get(leaf, ()))))
    return found


def text_features(text: str) -> tuple[str, ...]:
    """The text as it stands, and with its numbers masked if it has any.

    >>> text_features("About  us")
    ('text about us',)
    >>> text_features("12 Comments")
    ('text 12 comments', 'like 0 comments')
    """
    text = " ".join(text.lower().split())
    masked, numbers = _DIGITS.subn("0", text)
    if not numbers or len(_LETTER.findall(masked[:LONGEST])) < LETTERS:
        return (TEXT + shortened(text),)
    return (TEXT + shortened(text), MASKED + shortened(masked))


def shortened(text: str) -> str:
    """A key of bounded length that people can still read."""
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 20]}… {crc32(text.encode()):08x}"


def _link_targets(page: Page, structure: Structure) -> dict[int, tuple[str]]:
    """The target of the link that each leaf is in; the innermost counts."""
    nodes = structure.nodes
    base = urlsplit(page.base_url or "")
    found: dict[int, tuple[str]] = {}
    place = {node: i for i, node in enumerate(nodes.tolist())}
    for node, href in page.values_of("href"):
        if node in place and page.nodes.tag[node] == tags.TAG["a"]:
            target = link_key(page, base.netloc, href)
            if target:
                feature = (LINK + shortened(target),)
                for leaf in range(place[node], structure.end[place[node]]):
                    found[leaf] = feature
    return found


def link_key(page: Page, host: str, link: str) -> str:
    """A link target without scheme, fragment and tracking parameters; nothing if it stays on the page."""
    link = link.partition("#")[0].strip()
    if not link or link[:11].lower() == "javascript:":
        return ""
    if "?" in link:
        link = without_tracking(link)
    scheme, separator, rest = link.partition("://")
    if separator and scheme.isalpha():
        return rest
    if link.startswith("//"):
        return link[2:]
    if link.startswith("/"):
        return host + link
    return page.resolve(link).partition("://")[2] or link


def without_tracking(link: str) -> str:
    """Drop the parameters that only say where a visitor came from.

    >>> without_tracking("/a?id=7&utm_source=feed"), without_tracking("/a?fbclid=x")
    ('/a?id=7', '/a')
    """
    path, _, query = link.partition("?")
    kept = [part for part in query.split("&") if not _TRACKING.match(part.partition("=")[0])]
    return f"{path}?{'&'.join(kept)}" if kept else path


def _image_sources(page: Page) -> dict[int, tuple[str]]:
    found: dict[int, tuple[str]] = {}
    for attribute in _SOURCES:
        for node, source in page.values_of(attribute):
            if source and not source.startswith("data:"):
                found[node] = (IMAGE + shortened(page.resolve(source).partition("://")[2] or source),)
    return found
