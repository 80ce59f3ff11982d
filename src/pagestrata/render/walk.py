"""The walk over the kept part of a page that every renderer makes.

What is written is decided here, once for all formats: the kept sections, without what is hidden, without what a `drop`
selector matched, without data tables when they are switched off. The work grows with what is kept, not with the page.
"""

from collections.abc import Iterator
from itertools import chain
from typing import Final

import numpy as np
import numpy.typing as npt

from pagestrata.extraction import Extraction
from pagestrata.page import columns, tags
from pagestrata.page.nodes import Bools
from pagestrata.page.page import Page
from pagestrata.page.permalinks import permalinks
from pagestrata.page.text import collapse

Step = tuple[int, int, int, str]
"""A node that the walk reaches: its number, its tag, how many of the open elements end before it, and the gap.

The gap is what stands between a text and the text before it: nothing, a blank, a line feed (`<br>`), or two line feeds
(`NEW_BLOCK`) where a block begins. It is empty for elements.
"""
NEW_BLOCK: Final = "\n\n"

_Places = npt.NDArray[np.intp]
_CHUNK: Final = 1 << 16
"""Steps that are turned into Python objects at a time: a page of 50 MB has five million nodes."""

_ROW, _CELLS = tags.TAG["tr"], (tags.TAG["td"], tags.TAG["th"])
_HEADINGS = (tags.TAG["h1"], tags.TAG["h2"], tags.TAG["h3"])


def tag_table(numbers: list[int]) -> Bools:
    """Whether a tag is one of these, by its number; the last entry, False, is for all tags without a number."""
    table = np.zeros(len(tags.TAGS) + 1, np.bool_)
    table[numbers] = True
    return table


_IS_MEDIA = tag_table([tags.TAG["video"], tags.TAG["audio"]])
_WRITES_ITSELF = tag_table([tags.TEXT, *(tags.TAG[name] for name in "img hr br video audio iframe".split())])


def walk(page: Page, nodes: Bools) -> Iterator[Step]:
    """Walk over these nodes in document order. Elements that are open after the last step have no step to end them."""
    places = np.flatnonzero(nodes)
    tag = page.nodes.tag[places]
    is_text = tag == tags.TEXT
    ends = np.sort(page.nodes.end[places[~is_text]])
    ended = np.diff(np.searchsorted(ends, places, side="right"), prepend=0)
    gaps = np.full(len(places), "", object)
    gaps[is_text] = _gaps(page, places[is_text])
    parts = (slice(start, start + _CHUNK) for start in range(0, len(places), _CHUNK))
    return chain.from_iterable(
        zip(*(column[part].tolist() for column in (places, tag, ended, gaps)), strict=True) for part in parts
    )


def _gaps(page: Page, texts: _Places) -> npt.NDArray[np.object_]:
    """The gap before each of these texts, whatever was left out between them."""
    gaps = np.full(len(texts), NEW_BLOCK, object)
    block = np.searchsorted(page.blocks.node_start, texts, side="right")
    inner = np.flatnonzero(block[1:] == block[:-1]) + 1
    ends, starts = page.nodes.text_end[texts[inner - 1]].tolist(), page.nodes.text_start[texts[inner]].tolist()
    text = page.text
    gaps[inner] = [_gap(text[end:start]) if start > end else "" for end, start in zip(ends, starts, strict=True)]
    return gaps


def _gap(between: str) -> str:
    if between.isspace():
        return between
    return " " if between[0].isspace() or between[-1].isspace() else ""


def shown_nodes(extraction: Extraction, under_title: bool = True) -> Bools:
    """Mark what is written: nodes that write something themselves, all around them, and empty cells beside them.

    The title is not part of it: renderers write it where they want it. Where it is written first (`under_title`), a
    heading that repeats it right below is not marked either.
    """
    nodes, own = extraction.page.nodes, _writing_nodes(extraction)
    if under_title:
        repeated = _repeated_title(extraction, own)
        own = own[(own < repeated.start) | (own >= repeated.stop)]
    writes = np.zeros(len(nodes) + 1, np.int32)
    writes[own + 1] = 1
    before = np.cumsum(writes, dtype=np.int32)
    shown: Bools = before[nodes.end] > before[:-1]
    rows = np.flatnonzero(nodes.tag == _ROW)
    if len(rows):
        shown[rows] |= shown[nodes.parent[rows]]
        cells = np.flatnonzero(nodes.is_one_of(_CELLS))
        shown[cells] |= shown[nodes.parent[cells]]
    return shown


def _writing_nodes(extraction: Extraction) -> _Places:
    """The kept nodes that write something themselves: texts, and the few elements that show without text."""
    page, leaves = extraction.page, extraction.segmentation.leaves
    nodes = page.nodes
    is_kept = np.repeat(leaves.kept, np.diff(leaves.node_start, append=len(nodes)))
    first = len(nodes) - len(is_kept)
    found = first + np.flatnonzero(is_kept)
    found = found[_WRITES_ITSELF.take(nodes.tag[found], mode="clip")]
    hidden_by = (nodes.flags[found] & columns.HIDDEN_BITS) >> columns.HIDDEN_SHIFT
    if hidden_by.any():
        # A video is seen; what is hidden as its fallback is only what stands inside of it.
        is_media = _IS_MEDIA.take(nodes.tag[found], mode="clip") & (hidden_by == tags.BY_FALLBACK)
        found = found[~columns.IS_UNSEEN[hidden_by] | is_media]
    removed = [*page.once(permalinks), *_dropped_elements(extraction)]
    if removed:
        is_removed = np.zeros(len(nodes), np.bool_)
        for node in removed:
            is_removed[node : nodes.end[node]] = True
        found = found[~is_removed[found]]
    return found


def _dropped_elements(extraction: Extraction) -> Iterator[int]:
    """The elements that options remove from kept sections."""
    page, options = extraction.page, extraction.options
    for selector in options.drop:
        yield from page.marks.get(selector, ())
    if not options.tables:
        starts = extraction.segmentation.leaves.node_start
        for node in page.nodes_tagged("table").tolist():
            first, last = np.searchsorted(starts, (node + 1, page.nodes.end[node]))
            if first == last:  # otherwise sections begin inside: the table is layout, not data
                yield node


def _repeated_title(extraction: Extraction, own: _Places) -> range:
    """The heading below the title with the same text: pages have both where their theme and their author write one."""
    title, page = extraction.page.title_heading, extraction.page
    if title is None or not extraction.shown_title:
        return range(0)
    below = own[np.searchsorted(own, page.nodes.end[title]) :]
    texts = below[page.nodes.tag[below] == tags.TEXT]
    if not len(texts):
        return range(0)
    heading = int(page.nodes.container[texts[0]])
    if page.nodes.tag[heading] not in _HEADINGS or collapse(page.text_of(heading)) != collapse(page.text_of(title)):
        return range(0)
    return range(heading, int(page.nodes.end[heading]))
