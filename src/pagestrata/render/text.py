"""Plain text: a blank line between paragraphs, one line for an item or a row, tabs between cells, code as it stands."""

import numpy as np
import numpy.typing as npt

from pagestrata.extraction import Extraction
from pagestrata.page import columns, tags
from pagestrata.page.nodes import Bools
from pagestrata.page.page import Page
from pagestrata.render.page_tools import page_tools
from pagestrata.render.walk import NEW_BLOCK, shown_nodes, tag_table, walk

Ints = npt.NDArray[np.intp]

_GAPS = np.array(["\n\n", "\n", "\t"], object)
_ITEM, _CELL = 1, 2
# What stands in these follows line by line; the last place is for tags without a number.
_ITEM_OR_CELL = np.zeros(len(tags.TAGS) + 1, np.int8)
_ITEM_OR_CELL[[tags.TAG[name] for name in "li dt dd caption figcaption option summary".split()]] = _ITEM
_ITEM_OR_CELL[[tags.TAG["td"], tags.TAG["th"]]] = _ITEM | _CELL


def render_text(extraction: Extraction) -> str:
    """Write the kept sections as text, the title first if the options ask for it."""
    kept, options = extraction.segmentation.kept_blocks, extraction.options
    if kept is not None and options.tables and not options.title_in_text:
        return text_of_blocks(extraction.page, kept)
    title = extraction.shown_title if options.title_in_text else ""
    return "".join([title, *_walked(extraction, after_title=bool(title))])


def text_of_blocks(page: Page, kept: Bools) -> str:
    """Write the kept blocks as text: the same bytes as by sections, without cutting the page into any."""
    blocks = page.blocks
    places = (kept & ~blocks.is_unseen).nonzero()[0]
    starts, ends = blocks.text_start[places].tolist(), blocks.text_end[places].tolist()
    lines = [page.text[start:end] for start, end in zip(starts, ends, strict=True)]
    unwritten = _unwritten(page)
    if len(unwritten):
        for at in np.flatnonzero(_is_cut(page, unwritten)[places]).tolist():
            lines[at] = _written_text(page, int(places[at]), unwritten)
        some = [at for at, line in enumerate(lines) if line]
        lines, places = [lines[at] for at in some], places[some]
    containers = blocks.container[places]
    pieces = [""] * (2 * len(lines))
    pieces[0::2] = lines
    pieces[1:-1:2] = _gaps(page, containers)
    return "".join(pieces)


def _walked(extraction: Extraction, after_title: bool) -> list[str]:
    """The texts of the kept sections, with the gaps between them."""
    page = extraction.page
    steps = walk(page, shown_nodes(extraction, after_title), tag_table([tags.TEXT]))
    texts = [(node, gap) for node, tag, _, gap in steps if tag == tags.TEXT]
    if not texts:
        return []
    containers = page.nodes.container[[node for node, _ in texts]]
    between = [NEW_BLOCK if after_title else "", *_gaps(page, containers)]
    pieces = []
    for (node, gap), parts in zip(texts, between, strict=True):
        pieces += [parts if gap == NEW_BLOCK else gap, page.text_of(node)]
    return pieces


def _gaps(page: Page, containers: npt.NDArray[np.int32]) -> list[str]:
    """The gaps between blocks that follow each other, by their containers."""
    kinds, parents = _ITEM_OR_CELL.take(page.nodes.tag[containers], mode="clip"), page.nodes.parent[containers]
    both, is_other = kinds[:-1] & kinds[1:], containers[:-1] != containers[1:]
    same_row = (both & _CELL > 0) & is_other & (parents[:-1] == parents[1:])
    gaps: list[str] = _GAPS[np.where(same_row, _CELL, both & _ITEM)].tolist()
    return gaps


def _unwritten(page: Page) -> Ints:
    """The texts that are left out of written blocks: hidden ones, and tools of the page."""
    nodes = page.nodes
    unseen = (columns.IS_UNSEEN.take(nodes.hidden_by) & (nodes.tag == tags.TEXT)).nonzero()[0]
    marks = [node + np.flatnonzero(nodes.tag[node : nodes.end[node]] == tags.TEXT) for node in page.once(page_tools)]
    return np.union1d(unseen, np.concatenate(marks)) if marks else unseen


def _is_cut(page: Page, unwritten: Ints) -> Bools:
    """For each block: whether one of its texts is left out."""
    is_cut = np.zeros(len(page.blocks), np.bool_)
    is_cut[np.searchsorted(page.blocks.node_start, unwritten, side="right") - 1] = True
    return is_cut


def _written_text(page: Page, block: int, unwritten: Ints) -> str:
    """The text of a block without what is not written."""
    nodes, pieces, last_end = page.nodes, list[str](), -1
    first, last = int(page.blocks.node_start[block]), int(page.blocks.node_end[block])
    start, end = np.searchsorted(unwritten, (first, last))
    left_out = set(unwritten[start:end].tolist())
    for node in range(first, last):
        if node in left_out or nodes.tag[node] != tags.TEXT:
            continue
        start, end = int(nodes.text_start[node]), int(nodes.text_end[node])
        between = page.text[last_end:start] if last_end >= 0 else ""
        if between.strip():  # something unwritten stood there
            between = " " if between[0].isspace() or between[-1].isspace() else ""
        pieces += [between, page.text[start:end]]
        last_end = end
    return "".join(pieces)
