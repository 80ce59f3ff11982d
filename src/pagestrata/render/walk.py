"""The walk over the kept part of a page that every renderer makes.

What is written is decided here, once for all formats: the kept sections, without what is hidden, without what a `drop`
selector matched, without data tables when they are switched off. The work grows with what is kept, not with the page.
"""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final

import numpy as np
import numpy.typing as npt

from pagestrata.extraction import Extraction
from pagestrata.native import kernel
from pagestrata.native.arrays import as_column, zeros
from pagestrata.native.walk import CELL, MEDIA, NEW_BLOCK, ROW, VISITED, WRITES
from pagestrata.page import columns, tags
from pagestrata.page.page import Page
from pagestrata.page.text import collapse
from pagestrata.render.page_tools import page_tools, sharing_signs
from pagestrata.render.tables import data_tables
from pagestrata.results import Leaves

__all__ = ["NEW_BLOCK", "VISITED", "Marks", "Step", "shown_nodes", "tag_table", "walk"]

Step = tuple[int, int, int, str]
"""A node that the walk reaches: its number, its tag, how many of the open elements end before it, and the gap.

The gap is what stands between a text and the text before it: nothing, a blank, a line feed (`<br>`), or two line feeds
(`NEW_BLOCK`) where a block begins. It is empty for elements.
"""
Marks = npt.NDArray[np.uint8]
"""One number per node, 0 where it is not shown."""

_loops = kernel("walk")
_AT_ONCE: Final = 1 << 12
"""The number of steps in memory at a time: a page of 50 MB has five million nodes."""
_IMG, _A = tags.TAG["img"], tags.TAG["a"]
_HEADINGS = (tags.TAG["h1"], tags.TAG["h2"], tags.TAG["h3"])


def tag_table(numbers: Iterable[int]) -> Marks:
    """Return a table with 1 for each of these tags, by number; the last entry, 0, is for all tags without a number."""
    table = np.zeros(len(tags.TAGS) + 1, np.uint8)
    table[list(numbers)] = 1
    return table


def _numbers(names: str) -> list[int]:
    return [tags.TAG[name] for name in names.split()]


_KIND_OF_TAG: Final = as_column(
    WRITES * tag_table(_numbers("#text img hr br video audio iframe")).astype(np.int32)
    + MEDIA * tag_table(_numbers("video audio"))
    + ROW * tag_table(_numbers("tr"))
    + CELL * tag_table(_numbers("td th"))
)
_UNSEEN: Final = as_column(columns.IS_UNSEEN.view(np.uint8))
EVERY_TAG: Final = np.ones(1, np.uint8)
"""The table of a walk that visits every element."""


def walk(page: Page, shown: Marks, is_visited: Marks = EVERY_TAG, visited_flags: int = 0) -> Iterator[Step]:
    """Walk over the shown texts and elements in document order; the elements that are open at its end just end.

    Only elements that a renderer does something with are visited: by their tag (a `tag_table`), by their flags, or
    because they are marked with `VISITED`.
    """
    nodes = page.nodes
    of_nodes = (nodes.tag, nodes.end, nodes.flags, nodes.text_start, nodes.text_end)
    arrays = (*of_nodes, page.blocks.node_start, shown, is_visited)
    ends = zeros(len(nodes) + 1, np.int32)
    steps = _loops.Walk(*(as_column(array) for array in arrays), visited_flags, ends, page.text)
    return chain.from_iterable(iter(lambda: steps.take(_AT_ONCE), []))


def shown_nodes(extraction: Extraction, under_title: bool = True) -> Marks:
    """Mark what is written: nodes that write something themselves, all around them, and empty cells beside them.

    The title is not part of it: renderers write it where they want it. Where it is written first (`under_title`), a
    heading that repeats it right below is not marked either.
    """
    page = extraction.page
    removed = [*page.once(page_tools), *page.once(sharing_signs), *_dropped_elements(extraction)]
    shown = _marked(extraction, removed)
    repeated = _repeated_title(extraction, shown) if under_title else None
    return shown if repeated is None else _marked(extraction, [*removed, repeated])


def _marked(extraction: Extraction, removed: list[int]) -> Marks:
    nodes, leaves = extraction.page.nodes, _with_pictures(extraction.page, extraction.segmentation.leaves)
    is_removed = np.zeros(len(nodes) if removed else 0, np.uint8)
    for node in removed:
        is_removed[node : nodes.end[node]] = 1
    shown = zeros(len(nodes), np.uint8)
    tag, parent = as_column(nodes.tag), as_column(nodes.parent)
    leaf_start, kept = as_column(leaves.node_start), as_column(leaves.kept.view(np.uint8))
    hiding = (_UNSEEN, columns.HIDDEN_SHIFT, tags.BY_FALLBACK)
    _loops.mark_shown(
        tag, parent, as_column(nodes.flags), leaf_start, kept, _KIND_OF_TAG, *hiding, as_column(is_removed), shown
    )
    for kind in (ROW, CELL):
        _loops.mark_cells(tag, parent, _KIND_OF_TAG, kind, shown)
    return np.asarray(shown, np.uint8)


def _with_pictures(page: Page, leaves: Leaves) -> Leaves:
    """The leaves, with the pictures before kept text in the leaf of that text.

    A leaf reaches up to the next one, so that a picture between a title or byline and the text would be theirs.
    """
    rows: list[tuple[int, bool]] = []
    for start, is_kept in zip(leaves.node_start.tolist(), leaves.kept.tolist(), strict=True):
        if is_kept and rows and not rows[-1][1]:
            if rows[-1][0] == page.title_heading:
                rows.insert(-1, (_picture_start(page, rows[-1][0]), True))
            rows.append((_picture_start(page, start), True))
        else:
            rows.append((start, is_kept))
    starts, kept = (np.array([row[place] for row in rows]) for place in (0, 1))
    return Leaves(starts.astype(np.int32), kept.astype(np.bool_))


def _picture_start(page: Page, start: int) -> int:
    """Where the pictures begin that stand right before a node in the same element; the node itself if none does.

    What is linked may lead elsewhere, as the signs of other sites under a title do.
    """
    parent, tag, block = page.nodes.parent, page.nodes.tag, int(np.searchsorted(page.blocks.node_start, start))
    last = int(page.blocks.node_start[block - 1]) if block else start
    if _IMG not in tag[last:start]:
        return start
    node = start
    while parent[node] >= 0 and page.blocks_of(int(parent[node]))[0] >= block:
        node = int(parent[node])
    while parent[last] != parent[node]:
        last = int(parent[last])
    begin = int(page.nodes.end[last])
    return begin if _IMG in tag[begin:start] and _A not in tag[begin:start] else start


def _dropped_elements(extraction: Extraction) -> Iterator[int]:
    """The elements that options remove from kept sections."""
    page, options = extraction.page, extraction.options
    for selector in options.drop:
        yield from page.marks.get(selector, ())
    if not options.tables:
        yield from sorted(data_tables(extraction))


def _repeated_title(extraction: Extraction, shown: Marks) -> int | None:
    """The heading below the title with the same text: pages have both where their theme and their author write one."""
    title, page = extraction.page.title_heading, extraction.page
    if title is None or not extraction.shown_title:
        return None
    end = int(page.nodes.end[title])
    is_shown_text = (shown[end:] != 0) & (page.nodes.tag[end:] == tags.TEXT)
    if not is_shown_text.any():
        return None
    heading = int(page.nodes.container[end + int(np.argmax(is_shown_text))])
    if page.nodes.tag[heading] not in _HEADINGS or collapse(page.text_of(heading)) != collapse(page.text_of(title)):
        return None
    return heading
