"""Asides: what stands in or around an article and is not part of it, as far as the page alone can tell.

Lists of anchors and elements named comments are FOREST's (Oita and Senellart, 2012). The paper found that they miss
what is not marked up as a list or not named, so there are two of our own: blocks in a row that are links, and records
with a time each. All are given as ranges of nodes.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import numpy as np

from pagestrata.landmarks import landmarks_of
from pagestrata.page import tags
from pagestrata.page.element_types import tolerant
from pagestrata.page.nodes import Ints
from pagestrata.page.page import Page

Range = tuple[int, int]
"""The first node, and one past the last."""
_Stamp = tuple[int, int, str]
"""The element of a block with a time, its length, and its shape from the first number to the last."""

ANCHOR_LIST: Final = 0.75
"""A list is one of anchors if at least this share of its characters is in links."""
LINK_RUN: Final = 3
HEADING_WORDS: Final = 6
"""As many blocks in a row that are links are a list of anchors too, whatever their markup; a block of at most so many
words between or before them is its heading."""
RECORDS: Final = 2
MOSTLY: Final = 0.8
STAMP_LENGTH: Final = 60
CLIMB: Final = 8
"""A list of records has at least as many, which hold at least this share of its text; the time is in a text of at most
so many characters, at most so many levels below the list."""

_LISTS = tuple(tags.TAG[name] for name in "ul ol dl menu dir".split())
_NUMBERS = re.compile(r"\d.*\D.*\d", re.DOTALL)
_SHAPE = re.compile(r"(\d+)|[^\W\d]+(?:\s+[^\W\d]+)*")
_COMMENTS = re.compile("omments")  # with a first letter of either kind, and found much faster than by (?i)
_NAMES = tuple(tags.ATTRIBUTE[name] for name in ("class", "id"))
_NEVER_RECORDS = tuple(tags.TAG[name] for name in "html body main table tbody thead tr".split())
_NEVER_COMMENTS = tuple(tags.TAG[name] for name in "html body main article".split())


def anchor_lists(page: Page) -> list[Range]:
    """The lists that are lists of links."""
    nodes = page.nodes
    is_list = np.zeros(len(nodes.names), np.bool_)
    is_list[list(_LISTS)] = True
    lists = np.flatnonzero(is_list[nodes.tag]).astype(np.int32)
    sizes = np.where(nodes.is_text, nodes.text_end - nodes.text_start, 0)
    size, linked = (_sums(column, lists, nodes.end[lists]) for column in (sizes, sizes * nodes.in_link))
    return _ranges(page, lists[(size > 0) & (linked >= ANCHOR_LIST * size)].tolist())


def _sums(column: Ints, starts: Ints, ends: Ints) -> Ints:
    before = np.concatenate(([0], np.cumsum(column)))
    sums: Ints = before[ends] - before[starts]
    return sums


def link_runs(page: Page) -> list[Range]:
    """Runs of blocks that are links, whatever elements they are in, as nodes; with the headings between and before."""
    blocks = page.blocks
    is_link = ((blocks.characters > 0) & (blocks.link_characters >= ANCHOR_LIST * blocks.characters)).tolist()
    is_short = (blocks.words <= HEADING_WORDS).tolist()
    starts, ends = blocks.node_start.tolist(), blocks.node_end.tolist()
    return [(starts[first], ends[last]) for first, last, links in _runs(is_link, is_short) if links >= LINK_RUN]


def _runs(wanted: Sequence[bool], bridged: Sequence[bool]) -> Iterator[tuple[int, int, int]]:
    """Runs of what is wanted: first, last, how many. Single bridges do not end one, and one in front belongs to it.

    >>> list(_runs([False, True, False, True, False, False, True], [True, False, True, False, True, True, False]))
    [(0, 3, 2), (5, 6, 1)]
    """
    first, last, count = 0, -2, 0
    for place in np.flatnonzero(wanted).tolist():
        if place - last > 2 or (place - last == 2 and not bridged[place - 1]):
            if count:
                yield first, last, count
            first, count = place - (place > 0 and bridged[place - 1]), 0
        last, count = place, count + 1
    if count:
        yield first, last, count


def comment_regions(page: Page) -> list[Range]:
    """The elements with "comments" in the tolerant form of their class or id."""
    names, _, starts, ends = page.attributes
    said = [place.start() for place in _COMMENTS.finditer(page.markup)]
    attributes = np.unique(np.searchsorted(starts, said, side="right") - 1)
    attributes = attributes[attributes >= 0]  # the text before the first attribute may mention comments, too
    attributes = attributes[np.isin(names[attributes], _NAMES)]
    nodes = np.searchsorted(page.nodes.attribute_end, attributes, side="right").tolist()
    spans = zip(nodes, starts[attributes].tolist(), ends[attributes].tolist(), strict=True)
    named = {node for node, start, end in spans if _COMMENTS.search(tolerant(page.markup[start:end]))}
    return _ranges(page, sorted(node for node in named if page.nodes.tag[node] not in _NEVER_COMMENTS))


def record_lists(page: Page) -> list[Range]:
    """The outermost elements that are lists of records with a time each: comments, and teasers with a date.

    Records are children of one element that hold a short text with a time in it, written the same way, at the same
    place below them. They have more to say than that, and together most of what the element says.
    """
    stamps = list(_stamps(page))
    if len(stamps) < RECORDS:
        return []
    sizes = (page.nodes.text_end - page.nodes.text_start).tolist()
    tag = page.nodes.tag
    found = set()
    for (around, _, _), records in _records(page, stamps, sizes).items():
        told = sum(sizes[record] for record in records)
        if len(records) >= RECORDS and told >= MOSTLY * sizes[around] and tag[around] not in _NEVER_RECORDS:
            found.add(around)
    return _ranges(page, _outermost(page, found))


def _records(page: Page, stamps: Iterable[_Stamp], sizes: Sequence[int]) -> dict[tuple[int, int, str], list[int]]:
    """The candidates for records: children, by their parent, the tags from them down to the time, and its shape."""
    tag, parent = page.nodes.tag.tolist(), page.nodes.parent.tolist()
    found: dict[tuple[int, int, str], list[int]] = {}
    for holder, size, shape in stamps:
        record, way = holder, 0
        for _ in range(CLIMB):
            around = parent[record]
            if around < 0:
                break
            way = way * len(page.nodes.names) + tag[record]
            records = found.setdefault((around, way, shape), [])
            if sizes[record] >= 2 * size and records[-1:] != [record]:
                records.append(record)
            record = around
    return found


def _stamps(page: Page) -> Iterator[_Stamp]:
    """The short blocks that tell a time with two numbers or more."""
    blocks = page.blocks
    is_short = blocks.text_end - blocks.text_start <= STAMP_LENGTH
    stamps = np.flatnonzero(is_short & landmarks_of(page).tells_time)
    columns = (blocks.container, blocks.text_start, blocks.text_end)
    for holder, start, end in zip(*(column[stamps].tolist() for column in columns), strict=True):
        numbers = _NUMBERS.search(page.text, start, end)
        if numbers:
            yield holder, end - start, _SHAPE.sub(_shape_of, numbers[0])


def _shape_of(match: re.Match[str]) -> str:
    """Numbers are all alike, and so are words."""
    return "0" if match[1] else "a"


def _ranges(page: Page, elements: Iterable[int]) -> list[Range]:
    return [(node, int(page.nodes.end[node])) for node in elements]


def _outermost(page: Page, elements: Iterable[int]) -> list[int]:
    ends, found, reached = page.nodes.end, [], 0
    for node in sorted(elements):
        if node >= reached:
            found.append(node)
            reached = int(ends[node])
    return found
