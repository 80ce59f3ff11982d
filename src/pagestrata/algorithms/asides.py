"""Asides: parts in or around an article that do not belong to it, recognised from the page alone.

Lists of anchors and elements named comments are FOREST's (Oita and Senellart, 2012). The paper found that they miss
lists without list markup and comments without a name, so there are two of our own: runs of blocks that are links, and
records with a time each. All are returned as ranges of nodes.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import numpy as np

from pagestrata.landmarks import landmarks_of, running_sum
from pagestrata.landmarks.overlays import outermost
from pagestrata.page import tags
from pagestrata.page.element_types import tolerant
from pagestrata.page.page import Page

Range = tuple[int, int]
"""The first node, and one past the last."""
_Stamp = tuple[int, int, str]
"""The element of a block with a time, its length, and its shape from the first number to the last."""

MIN_ANCHOR_SHARE: Final = 0.75
"""A list is one of anchors if at least this share of its characters is in links."""
MIN_LINK_RUN: Final = 3
"""The number of consecutive blocks that are links from which they are a list of anchors, whatever their markup."""
MAX_HEADING_WORDS: Final = 6
"""A block of at most this many words between or before such links is their heading."""
MIN_RECORDS: Final = 2
"""The number of records from which an element is a list of records."""
MIN_RECORD_SHARE: Final = 0.8
"""The share of the text of a list of records that must be in its records."""
MAX_STAMP_LENGTH: Final = 60
"""The limit on the characters of a text with the time of a record."""
MAX_CLIMB: Final = 8
"""The number of levels that a time may lie below its list of records."""

_LISTS = tags.numbers_of("ul ol dl menu dir")
_NUMBERS = re.compile(r"\d.*\D.*\d", re.DOTALL)
_SHAPE = re.compile(r"(\d+)|[^\W\d]+(?:\s+[^\W\d]+)*")
_COMMENTS = re.compile("omments")  # matches "Comments" and "comments", much faster than (?i)
_NAMES = tuple(tags.ATTRIBUTE[name] for name in ("class", "id"))
_NEVER_RECORDS = tags.numbers_of("html body main table tbody thead tr")
_NEVER_COMMENTS = tags.numbers_of("html body main article")


def anchor_lists(page: Page) -> list[Range]:
    """Return the lists whose text is mostly links."""
    nodes = page.nodes
    lists = np.flatnonzero(nodes.is_one_of(_LISTS)).astype(np.int32)
    sizes = np.where(nodes.is_text, nodes.text_end - nodes.text_start, 0)
    sums = running_sum(np.stack((sizes, sizes * nodes.in_link)))
    size, linked = sums[:, nodes.end[lists]] - sums[:, lists]
    return _ranges(page, lists[(size > 0) & (linked >= MIN_ANCHOR_SHARE * size)].tolist())


def link_runs(page: Page) -> list[Range]:
    """Return runs of blocks that are links, in any markup, as nodes, with the headings between and before."""
    blocks = page.blocks
    is_link = ((blocks.characters > 0) & (blocks.link_characters >= MIN_ANCHOR_SHARE * blocks.characters)).tolist()
    is_short = (blocks.words <= MAX_HEADING_WORDS).tolist()
    starts, ends = blocks.node_start.tolist(), blocks.node_end.tolist()
    return [(starts[first], ends[last]) for first, last, links in _runs(is_link, is_short) if links >= MIN_LINK_RUN]


def _runs(is_match: Sequence[bool], is_bridge: Sequence[bool]) -> Iterator[tuple[int, int, int]]:
    """Yield runs of matches as (first, last, count). A single bridge does not end a run; one in front belongs to it.

    >>> list(_runs([False, True, False, True, False, False, True], [True, False, True, False, True, True, False]))
    [(0, 3, 2), (5, 6, 1)]
    """
    first, last, count = 0, -2, 0
    for place in np.flatnonzero(is_match).tolist():
        if place - last > 2 or (place - last == 2 and not is_bridge[place - 1]):
            if count:
                yield first, last, count
            first, count = place - (place > 0 and is_bridge[place - 1]), 0
        last, count = place, count + 1
    if count:
        yield first, last, count


def comment_regions(page: Page) -> list[Range]:
    """Return the elements with "comments" in the tolerant form of their class or id."""
    names, _, starts, ends = page.attributes
    positions = [match.start() for match in _COMMENTS.finditer(page.markup)]
    attributes = np.unique(np.searchsorted(starts, positions, side="right") - 1)
    attributes = attributes[attributes >= 0]  # the text before the first attribute may mention comments, too
    attributes = attributes[np.isin(names[attributes], _NAMES)]
    nodes = np.searchsorted(page.nodes.attribute_end, attributes, side="right").tolist()
    spans = zip(nodes, starts[attributes].tolist(), ends[attributes].tolist(), strict=True)
    named = {node for node, start, end in spans if _COMMENTS.search(tolerant(page.markup[start:end]))}
    return _ranges(page, sorted(node for node in named if page.nodes.tag[node] not in _NEVER_COMMENTS))


def record_lists(page: Page) -> list[Range]:
    """Return the outermost elements that are lists of records with a time each: comments, and teasers with a date.

    Records are children of one element that hold a short text with a time in it, written the same way, at the same
    place below them. They have more text than that, and together most of the text of the element.
    """
    stamps = list(_stamps(page))
    if len(stamps) < MIN_RECORDS:
        return []
    sizes = (page.nodes.text_end - page.nodes.text_start).tolist()
    tag = page.nodes.tag
    lists = set()
    for (around, _, _), records in _records(page, stamps, sizes).items():
        size = sum(sizes[record] for record in records)
        if (
            len(records) >= MIN_RECORDS
            and size >= MIN_RECORD_SHARE * sizes[around]
            and tag[around] not in _NEVER_RECORDS
        ):
            lists.add(around)
    return _ranges(page, outermost(page, sorted(lists)))


def _records(page: Page, stamps: Iterable[_Stamp], sizes: Sequence[int]) -> dict[tuple[int, int, str], list[int]]:
    """Group candidates for records by their parent, the tags from them down to the time, and the shape of the time."""
    tag, parent = page.nodes.tag.tolist(), page.nodes.parent.tolist()
    candidates: dict[tuple[int, int, str], list[int]] = {}
    for holder, size, shape in stamps:
        record, path = holder, 0
        for _ in range(MAX_CLIMB):
            around = parent[record]
            if around < 0:
                break
            path = path * len(page.nodes.names) + tag[record]
            records = candidates.setdefault((around, path, shape), [])
            if sizes[record] >= 2 * size and records[-1:] != [record]:
                records.append(record)
            record = around
    return candidates


def _stamps(page: Page) -> Iterator[_Stamp]:
    """Yield the short blocks that contain a time with two numbers or more."""
    blocks = page.blocks
    is_short = blocks.text_end - blocks.text_start <= MAX_STAMP_LENGTH
    stamps = np.flatnonzero(is_short & landmarks_of(page).tells_time)
    columns = (blocks.container, blocks.text_start, blocks.text_end)
    for holder, start, end in zip(*(column[stamps].tolist() for column in columns), strict=True):
        numbers = _NUMBERS.search(page.text, start, end)
        if numbers:
            yield holder, end - start, _SHAPE.sub(_shape_of, numbers[0])


def _shape_of(match: re.Match[str]) -> str:
    """Replace a number with 0 and a run of words with a."""
    return "0" if match[1] else "a"


def _ranges(page: Page, elements: Iterable[int]) -> list[Range]:
    return [(node, int(page.nodes.end[node])) for node in elements]
