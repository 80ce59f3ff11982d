"""Kept nodes → a stream that every renderer reads: enter an element, a text, leave an element.

One walk over the arrays decides once, for all formats, what is written: the kept sections, without what is hidden,
without what a `drop` selector found, without tables when they are off. A subtree with nothing to write is not entered.
"""

from collections.abc import Iterator
from enum import IntEnum
from typing import NamedTuple

import numpy as np

from pagestrata.extraction import Extraction
from pagestrata.page import columns, tags
from pagestrata.page.nodes import Bools
from pagestrata.page.page import Page
from pagestrata.page.permalinks import permalinks
from pagestrata.page.text import collapse

_ALWAYS = tuple(tags.TAG[name] for name in ("img", "hr", "br", "video", "audio", "iframe"))
_MEDIA = (tags.TAG["video"], tags.TAG["audio"])
_ROWS, _CELLS = (tags.TAG["tr"],), (tags.TAG["td"], tags.TAG["th"])
_HEADINGS = (tags.TAG["h1"], tags.TAG["h2"], tags.TAG["h3"])


class Kind(IntEnum):
    """What happens at an event."""

    ENTER = 0
    TEXT = 1
    LEAVE = 2


class Event(NamedTuple):
    """One step of the walk."""

    kind: Kind
    node: int
    gap: str = ""
    """What stands before a text: nothing, a blank, a line feed (`<br>`), or two where a new block begins."""


def events(extraction: Extraction, titled: bool = True) -> Iterator[Event]:
    """Walk over what is kept, the title left out: renderers write it themselves, where they want it."""
    return walk(extraction.page, shown_nodes(extraction, titled))


def walk(page: Page, nodes: Bools) -> Iterator[Event]:
    """Walk over these nodes; what stands in others is passed over."""
    # Views, not lists: a page of 50 MB has five million nodes, and a list of their numbers takes 200 MB.
    shown, tag, end = nodes.data, page.nodes.tag.data, page.nodes.end.data
    gaps = _Gaps(page)
    opened: list[int] = []
    node = 0
    while node < len(tag):
        while opened and end[opened[-1]] <= node:
            yield Event(Kind.LEAVE, opened.pop())
        if not shown[node]:
            node = end[node]
            continue
        if tag[node] == tags.TEXT:
            yield Event(Kind.TEXT, node, gaps.before(node))
        else:
            yield Event(Kind.ENTER, node)
            opened.append(node)
        node += 1
    while opened:
        yield Event(Kind.LEAVE, opened.pop())


def shown_nodes(extraction: Extraction, titled: bool = True) -> Bools:
    """Which nodes the walk comes to: those with something to write, and the empty cells beside them.

    Under a title that is written (`titled`) the heading that says the same once more is left out.
    """
    nodes, wanted = extraction.page.nodes, _wanted(extraction)
    if titled:
        wanted[_second_title(extraction, wanted)] = False
    before = np.concatenate(([0], np.cumsum(wanted, dtype=np.int32)))
    shown: Bools = before[nodes.end] > before[:-1]
    for cells in (_ROWS, _CELLS):
        shown |= nodes.is_one_of(cells) & shown[nodes.parent]
    return shown


class _Gaps:
    """Says what stands between two written texts, whatever was left out there."""

    def __init__(self, page: Page) -> None:
        nodes = page.nodes
        starts = nodes.is_text & ((nodes.flags & columns.STARTS_BLOCK) != 0)
        self.text = page.text
        self.start, self.end = nodes.text_start.data, nodes.text_end.data
        self.block = np.cumsum(starts, dtype=np.int32).data
        self.last_node = self.last_end = -1

    def before(self, node: int) -> str:
        start = self.start[node]
        between = self.text[self.last_end : start] if self.last_node >= 0 else ""
        new_block = self.last_node < 0 or self.block[node] != self.block[self.last_node]
        self.last_node, self.last_end = node, self.end[node]
        if new_block:
            return "\n\n"
        if not between or between.isspace():
            return between
        return " " if between[0].isspace() or between[-1].isspace() else ""


def _wanted(extraction: Extraction) -> Bools:
    """Which nodes are written for their own sake: texts, and the few elements that show without text."""
    nodes = extraction.page.nodes
    wanted = np.zeros(len(nodes), np.bool_)
    leaves = extraction.segmentation.leaves
    edges = [*leaves.node_start.tolist(), len(nodes)]
    for place in np.flatnonzero(leaves.kept).tolist():
        wanted[edges[place] : edges[place + 1]] = True
    wanted &= nodes.is_text | np.isin(nodes.tag, _ALWAYS)
    # A video is seen; what is hidden as its fallback is only what stands inside of it.
    is_media = np.isin(nodes.tag, _MEDIA) & (nodes.hidden_by == tags.BY_FALLBACK)
    wanted &= ~np.isin(nodes.hidden_by, tags.UNSEEN) | is_media
    for node in permalinks(extraction.page):
        wanted[node : nodes.end[node]] = False
    for start, stop in _left_out(extraction):
        wanted[start:stop] = False
    return wanted


def _second_title(extraction: Extraction, wanted: Bools) -> slice:
    """The heading under the title that says the same: pages have both where their theme and their author write one."""
    title, page = extraction.page.title_heading, extraction.page
    if title is None or not extraction.shown_title:
        return slice(0)
    end = int(page.nodes.end[title])
    texts = wanted[end:] & page.nodes.is_text[end:]
    if not texts.any():
        return slice(0)
    heading = int(page.nodes.container[end + int(np.argmax(texts))])
    if page.nodes.tag[heading] not in _HEADINGS or collapse(page.text_of(heading)) != collapse(page.text_of(title)):
        return slice(0)
    return slice(heading, int(page.nodes.end[heading]))


def _left_out(extraction: Extraction) -> Iterator[tuple[int, int]]:
    """Subtrees that options take away from kept sections."""
    page, options = extraction.page, extraction.options
    for selector in options.drop:
        for node in page.marks.get(selector, ()):
            yield node, int(page.nodes.end[node])
    if not options.tables:
        starts = extraction.segmentation.leaves.node_start
        for node in page.nodes_tagged("table"):
            stop = int(page.nodes.end[node])
            first, last = np.searchsorted(starts, (node + 1, stop))
            if first == last:  # else sections begin inside: the table is layout, not data
                yield int(node), stop
