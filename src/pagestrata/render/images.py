"""Which picture an `<img>` shows, when scripts load it late, and which film or frame a page embeds.

A page that loads images late writes a stand-in as `src` and the real source in an attribute, in `<source>` next to it,
or in a `<noscript>` behind it. The order of attempts is written down in `_candidates`.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Final
from urllib.parse import urlsplit

from pagestrata.page import tags
from pagestrata.page.page import Page
from pagestrata.page.text import collapse
from pagestrata.render.links import WEB_SCHEMES, safe_link

# Where the common lazy loaders (lazysizes, WP Rocket, jQuery Lazy Load and its heirs) keep the real source.
_LATE_SOURCES: Final = ("data-src", "data-lazy-src", "data-original", "data-lazy", "data-orig-src")
_SETS: Final = ("srcset", "data-srcset", "data-lazy-srcset")
# The names that lazy loaders and old layouts give to a picture of nothing.
_STAND_IN = re.compile(
    r"(?i)(?:(?:default|gr[ae]y|image|img|lazy|video|white)[_-])?"
    r"(?:1x1|blank|clear|dot|empty|lazy|loading|pixel|placeholder|spacer|trans|transparent)"
    r"(?:[_-]?(?:gif|gr[ae]y|image|img|lazy|load|pixel|placeholder|white|\d+(?:x\d+)?))?"
    r"(?:[._-][0-9a-f]{8,40})?\.(?:gif|png|svg|jpe?g|webp)"
)
# How other loaders name such attributes ("nitro-lazy-src", "data-src-1440"), tried last.
_LATE_NAME = re.compile(r"-src(?:set|-\d+)?$")
_FORMULA_STARTS: Final = ("{\\displaystyle", "{\\textstyle", "{\\scriptstyle", "\\displaystyle", "$")
_FORMULA_CLASSES: Final = frozenset(("latex", "tex", "math-image", "mwe-math-fallback-image-inline"))
_TAGS_BEHIND: Final = 8
"""Between an image and the text behind it."""
_SIZE = re.compile(r"\s*(\d{1,9})(?:px)?\s*")
_IMG, _PICTURE, _SOURCE, _NOSCRIPT = (tags.TAG[name] for name in ("img", "picture", "source", "noscript"))


def image_source(page: Page, node: int, attributes: Mapping[str, str]) -> str | None:
    """The absolute source of an `<img>`, or None when it shows nothing: a blank, a tracking pixel, inline data."""
    return None if is_dot(attributes) else _first_safe(page, _candidates(page, node, attributes))


def image_formula(attributes: Mapping[str, str]) -> str | None:
    """The TeX that an image draws, if its alternative text is TeX."""
    alt = collapse(attributes.get("alt", ""))
    if not alt:
        return None
    classes = attributes.get("class", "").split()
    if not alt.startswith(_FORMULA_STARTS) and _FORMULA_CLASSES.isdisjoint(classes):
        return None
    if len(alt) > 2 and alt[0] == alt[-1] == "$":
        alt = alt.strip("$").strip()
    return alt if alt and "$" not in alt else None


def media_source(page: Page, node: int) -> str | None:
    """The absolute source of a `<video>`, `<audio>` or `<iframe>`, or None when there is none to be seen."""
    attributes = dict(page.attributes_of(node))
    if is_dot(attributes):
        return None
    inside = (page.attribute(child, "src") for child in page.nodes.children(node) if page.nodes.tag[child] == _SOURCE)
    own = (attributes.get(name) for name in ("src", *_LATE_SOURCES))
    return _first_safe(page, (*own, *inside, *_of_other_names(attributes)))


def media_name(page: Page, node: int, source: str) -> str:
    """The text of a link to a video, an audio file or a frame: its title or label, otherwise its address."""
    named = (collapse(page.attribute(node, name) or "") for name in ("title", "aria-label"))
    return next(filter(None, named), source)


def is_dot(attributes: Mapping[str, str]) -> bool:
    """Whether an image has the size of a dot or a line: a tracking pixel or a spacer, which nobody sees."""
    if "width" not in attributes or "height" not in attributes:
        return False
    width, height = (_SIZE.fullmatch(attributes[side]) for side in ("width", "height"))
    return width is not None and height is not None and min(int(width[1]), int(height[1])) <= 1


def _first_safe(page: Page, candidates: Iterator[str | None] | tuple[str | None, ...]) -> str | None:
    links = (safe_link(page, candidate, WEB_SCHEMES) for candidate in candidates if candidate)
    return next((link for link in links if link is not None and not _is_stand_in(link)), None)


def _is_stand_in(link: str) -> bool:
    name = link.partition("#")[0].partition("?")[0].rpartition("/")[2]
    return _STAND_IN.fullmatch(name) is not None and urlsplit(link).path.endswith(name)


def _candidates(page: Page, node: int, attributes: Mapping[str, str]) -> Iterator[str | None]:
    for name in _LATE_SOURCES:
        yield attributes.get(name)
    yield attributes.get("src")
    yield from _of_sets(attributes)
    yield from _of_picture(page, node)
    yield from _of_noscript(page, node)
    yield from _of_other_names(attributes)


def _of_sets(attributes: Mapping[str, str]) -> Iterator[str]:
    for name in _SETS:
        if name in attributes:
            yield from largest_first(attributes[name])


def _of_picture(page: Page, node: int) -> Iterator[str]:
    around = int(page.nodes.parent[node])
    if around < 0 or page.nodes.tag[around] != _PICTURE:
        return
    for child in page.nodes.children(around):
        if page.nodes.tag[child] == _SOURCE:
            yield from _of_sets(dict(page.attributes_of(child)))


def _of_noscript(page: Page, node: int) -> Iterator[str | None]:
    """The twin that browsers without scripts see right behind it."""
    behind = int(page.nodes.end[node])
    if behind >= len(page.nodes) or page.nodes.tag[behind] != _NOSCRIPT:
        return
    for twin in range(behind + 1, int(page.nodes.end[behind])):
        if page.nodes.tag[twin] == _IMG:
            yield page.attribute(twin, "src")
            return


def _of_other_names(attributes: Mapping[str, str]) -> Iterator[str]:
    for name, value in attributes.items():
        is_address = ("/" in value or "." in value) and "{" not in value  # with braces, scripts have to fill it
        if _LATE_NAME.search(name) and is_address:
            yield from largest_first(value) if name.endswith("set") else (value,)


def largest_first(source_set: str) -> list[str]:
    """The links of a `srcset`, the largest picture first.

    >>> largest_first("small.jpg 480w, large.jpg 1200w, middle,1.jpg 800w")
    ['large.jpg', 'middle,1.jpg', 'small.jpg']
    """
    sized = sorted(_parsed(source_set), key=lambda candidate: -candidate[1])
    return [link for link, _ in sized]


def _parsed(source_set: str) -> Iterator[tuple[str, float]]:
    """Links with their widths or densities, as in the HTML standard: a comma ends a descriptor, not a link."""
    link, size = "", 1.0
    for word in source_set.split():
        if not link:
            link, size = word.lstrip(","), 1.0
            if link.endswith(","):
                yield link.rstrip(","), size
                link = ""
            continue
        descriptor, comma, rest = word.partition(",")
        size = _size(descriptor, size)
        if comma:
            yield link, size
            link, size = rest.lstrip(","), 1.0
    if link:
        yield link, size


def _size(descriptor: str, otherwise: float) -> float:
    try:
        return float(descriptor[:-1]) if descriptor[-1:] in ("w", "x") else otherwise
    except ValueError:
        return otherwise


def is_followed_by_blank(page: Page, node: int) -> bool:
    """Whether white space stands behind an element without text, before the text that follows in the markup."""
    place = page.tag_end(node)
    for _ in range(_TAGS_BEHIND):
        if page.markup[place : place + 1] != "<":
            break
        place = page.markup.find(">", place) + 1
    return page.markup[place : place + 1].isspace()
