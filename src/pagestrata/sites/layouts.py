"""Group the pages of a site by layout: drop near-duplicates, then compare skeletons, addresses and languages.

The skeleton of a page is the set of tag paths of its containers: the parts of a template, without the paragraphs and
the words in them. Sets are compared by MinHash sketches, so that a site of many pages is grouped in one pass.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

import numpy as np

from pagestrata.page import tags
from pagestrata.page.levels import Levels
from pagestrata.page.page import Page
from pagestrata.page.tag_paths import Hashes, mix, tag_paths, text_hash
from pagestrata.page.text import words

SKETCH_SIZE: Final = 64
"""The length of a sketch; with 64 numbers, the error of a similarity is about 0.06."""
MIN_LAYOUT_LIKENESS: Final = 0.55
"""Pages at least this similar share a template. On sitesets, two articles of a site have 0.80 in the median and 0.54
at the lowest percent; an article and a listing have 0.66: many listings are laid out like the articles, and go with
them."""
MIN_SHARED_LINES: Final = 0.9
"""Pages that share this much of their lines are one page under two addresses."""
SHAPE_WEIGHT: Final = 0.2
"""The weight of the form of the address beside the layout, if both pages have an address."""
MIN_LANGUAGE_PAGES: Final = 3
"""The number of pages in a language from which they form a group: each language has its own menu."""
MAX_TITLE_LENGTH: Final = 300
COUNT_BINS: Final = (2, 5)
"""The number of containers with one path is reduced to one, a few (2 or more) or many (5 or more)."""
MAX_DEPTH: Final = 12
"""Containers deeper than this are not part of the skeleton: they belong to the content."""

_ADDRESS = re.compile(r"\s*(?:(?:[a-z][a-z0-9+.-]*:)?//([^/?#]*))?([^?#]*)", re.IGNORECASE)
_DIGITS = re.compile(r"\d+")
_INDEX = re.compile(r"(?:index|default)\.[a-z]{3,5}", re.IGNORECASE)
_TITLE_MARK = re.compile(r"[-_+%~.\d]|[^\x00-\x7f]")

# Elements that belong to the text, not to the layout.
_TEXTUAL = tags.numbers_of(
    "p h1 h2 h3 h4 h5 h6 li dt dd pre blockquote figure figcaption table caption tbody thead tfoot tr td th hr option "
    "optgroup textarea listing xmp plaintext col colgroup ul ol dl"
)
_CONTAINERS = np.array(
    [bool(flags & tags.BLOCK) and tag not in _TEXTUAL for tag, flags in enumerate(tags.BEHAVIOUR)], np.bool_
)
_MULTIPLIERS, _OFFSETS = np.random.default_rng(20080421).integers(1, 2**63, (2, SKETCH_SIZE, 1), np.uint64)


@dataclass(frozen=True)
class Layout:
    """The properties of a page that decide whether two pages have the same layout."""

    sketch: Hashes
    """uint64, `SKETCH_SIZE` numbers."""
    shape: str
    """The form of its address, or "" if that is not known."""
    language: str

    @cached_property
    def numbers(self) -> tuple[int, ...]:
        """The sketch as plain data."""
        return tuple(self.sketch.tolist())


def layout_of(page: Page) -> Layout:
    """Compute the layout of a page."""
    return Layout(sketch(skeleton(page)), url_shape(page.url), language_of(page))


def skeleton(page: Page) -> Hashes:
    """Return the distinct tag paths of the containers, each also combined with its count; uint64.

    The count distinguishes a listing, where the container of an article repeats, from the article.
    """
    nodes = page.nodes
    is_known_tag = nodes.tag < len(_CONTAINERS)
    is_container = is_known_tag & _CONTAINERS[np.where(is_known_tag, nodes.tag, 0)] & (nodes.depth <= MAX_DEPTH)
    paths, counts = np.unique(tag_paths(nodes, Levels(nodes, MAX_DEPTH))[is_container], return_counts=True)
    return np.concatenate((paths, mix(paths, np.digitize(counts, COUNT_BINS).astype(np.uint64))))


def sketch(items: Hashes) -> Hashes:
    """Compute the MinHash sketch of a set: two sketches agree in as many numbers as the sets overlap."""
    if len(items) == 0:
        return np.zeros(SKETCH_SIZE, np.uint64)
    mixed: Hashes = (items[None, :] * (_MULTIPLIERS | np.uint64(1)) + _OFFSETS) * np.uint64(0xFF51AFD7ED558CCD)
    minima: Hashes = (mixed ^ (mixed >> np.uint64(32))).min(axis=1)
    return minima


def likeness(one: Layout, other: Layout) -> float:
    """Return the similarity of two layouts, in [0, 1]."""
    same = float(np.mean(one.sketch == other.sketch))
    if one.shape and other.shape:
        return (1 - SHAPE_WEIGHT) * same + SHAPE_WEIGHT * (one.shape == other.shape)
    return same


def url_shape(url: str | None) -> str:
    """Return the form of an address, with placeholders for the parts that differ between articles.

    >>> url_shape("https://tidewater.example/articles/2024/10/the-mud.html?page=2")
    'tidewater.example/articles/0/0/*.html'
    >>> url_shape("https://tidewater.example/2008/05/mud/"), url_shape("https://tidewater.example/the-mud/index.html")
    ('tidewater.example/0/0/*/', 'tidewater.example/*/')
    >>> url_shape("https://tidewater.example/tags/"), url_shape("https://tidewater.example/page/2/")
    ('tidewater.example/tags/', 'tidewater.example/page/0/')
    """
    return _shape(*_host_and_path(url)) if url else ""


def link_shape(host: str, folder: str, link: str) -> str:
    """Return the form of the address that a link leads to, from a page in that folder of that host.

    >>> link_shape("tidewater.example", "/articles", "mud.html"), link_shape("tidewater.example", "", "/tags/")
    ('tidewater.example/articles/*.html', 'tidewater.example/tags/')
    """
    link_host, path = _host_and_path(link)
    if link_host:
        return _shape(link_host, path)
    return _shape(host, path if path.startswith("/") else f"{folder}/{path}")


def _host_and_path(address: str) -> tuple[str, str]:
    match = _ADDRESS.match(address)
    return (match[1] or "", match[2]) if match else ("", "")


@lru_cache(maxsize=20_000)
def _shape(host: str, path: str) -> str:
    folders, _, name = path.rpartition("/")
    if not name or _INDEX.fullmatch(name):
        folders, _, folder = folders.rpartition("/")
        last = f"{_folder_shape(folders, folder)}/" if folder else ""
    else:
        stem, dot, ending = name.rpartition(".")
        last = f"*.{ending}" if dot and stem else "*"
    return host.lower().removeprefix("www.") + _DIGITS.sub("0", folders) + "/" + last


def _folder_shape(above: str, name: str) -> str:
    """Return the form of the last folder of an address that ends with one: an article has a title there.

    A title has several words, letters of other scripts or digits, or comes after a date; sections of a site have one
    plain word.
    """
    if name.isdigit():
        return "0"
    is_title = _TITLE_MARK.search(name) is not None or above.rpartition("/")[2].isdigit()
    return "*" if is_title else name


@lru_cache(maxsize=4096)
def title_number(text: str) -> int:
    """Return a hash of the letters and digits of a title, so that marks around it do not matter.

    >>> title_number("The Mud, again") == title_number("the mud again »")
    True
    """
    return text_hash("".join(words(text.lower()))) >> 12 if len(text) < MAX_TITLE_LENGTH else 0


def title_of(page: Page) -> str:
    """Return the text of the title heading, or else of `<title>`."""
    node = page.title_heading
    return page.title if node is None else page.text_of(node)


def language_of(page: Page) -> str:
    """Return the language of `<html lang>`, without the country."""
    return (page.attribute(0, "lang") or "").strip().lower().partition("-")[0] if len(page.nodes) else ""


def drop_near_duplicates(pages: Sequence[Page]) -> tuple[list[Page], int]:
    """Return the pages without near-duplicates of an earlier one, and the number of pages left out.

    Only pages that share a rare line are compared, so that the cost stays near the number of lines.
    """
    lines = [_lines(page) for page in pages]
    frequency = Counter(line for page_lines in lines for line in page_lines)
    kept: list[int] = []
    seen: dict[int, list[int]] = {}
    for place, page_lines in enumerate(lines):
        rare = sorted(page_lines, key=lambda line: (frequency[line], line))[:3]
        candidates = sorted({candidate for line in rare for candidate in seen.get(line, [])[:8]})
        if any(_overlap(page_lines, lines[candidate]) >= MIN_SHARED_LINES for candidate in candidates):
            continue
        kept.append(place)
        for line in rare:
            seen.setdefault(line, []).append(place)
    return [pages[place] for place in kept], len(pages) - len(kept)


def _lines(page: Page) -> frozenset[int]:
    return frozenset(map(text_hash, page.block_texts()))


def _overlap(one: frozenset[int], other: frozenset[int]) -> float:
    return len(one & other) / max(1, len(one | other))


def group(layouts: Sequence[Layout]) -> list[list[int]]:
    """Group pages of one layout and language; largest group first, pages in their order.

    Each page joins the group whose first page is most like it. The order of pages can matter for pages between two
    layouts, and only for those.
    """
    groups: list[list[int]] = []
    for place, layout in enumerate(layouts):
        best = max(range(len(groups)), key=lambda g: (likeness(layouts[groups[g][0]], layout), -g), default=None)
        if best is not None and likeness(layouts[groups[best][0]], layout) >= MIN_LAYOUT_LIKENESS:
            groups[best].append(place)
        else:
            groups.append([place])
    by_language = [part for members in groups for part in _split_by_language(members, layouts)]
    return sorted(by_language, key=lambda members: (-len(members), members[0]))


def _split_by_language(members: list[int], layouts: Sequence[Layout]) -> Iterable[list[int]]:
    counts = Counter(layouts[place].language for place in members)
    frequent = sorted(language for language, count in counts.items() if count >= MIN_LANGUAGE_PAGES)
    if len(frequent) < 2:
        return [members]
    main = max(frequent, key=lambda language: (counts[language], language))
    assigned = [layouts[place].language if layouts[place].language in frequent else main for place in members]
    return [[place for place, own in zip(members, assigned, strict=True) if own == language] for language in frequent]
