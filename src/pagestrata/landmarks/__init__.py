"""Landmarks: what can be recognised on a page before anything is decided, computed once per page.

These are the main container, repeated records and which of them are signed, lines with a time, plain lists and data
tables, texts that occur twice, headings and the outline they form, and the regions that tags name. All are columns over
the nodes or the blocks of the page. Features, decision, roles, items, page type and the methods of the papers read them
and compute none of it. The loops are in `native.landmarks`.

They are measured on what a visitor sees of the page itself. Hidden blocks and overlays (see `landmarks.overlays`) count
for nothing, so that a page with a consent notice has the landmarks of the page without it.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final, NamedTuple, TypeVar
from weakref import ReferenceType, ref

import numpy as np
import numpy.typing as npt

from pagestrata.landmarks.outline import Outline
from pagestrata.landmarks.overlays import overlays_of
from pagestrata.native import kernel
from pagestrata.native import landmarks as bits
from pagestrata.native.arrays import Column, as_column, zero_columns, zeros
from pagestrata.page import tags
from pagestrata.page.blocks import Blocks
from pagestrata.page.columns import BLOCK_TEXT_END, BLOCK_TEXT_START, BLOCK_WORDS, CHARACTERS, LINK_CHARACTERS
from pagestrata.page.nodes import Bools, Ints
from pagestrata.page.page import Page

T = TypeVar("T")
Floats = npt.NDArray[np.float64]
_loops, _words = kernel("landmarks"), kernel("words")

REGIONS: Final[dict[str, str]] = {
    "nav": "nav menu",
    "header": "header hgroup",
    "footer": "footer",
    "aside": "aside",
    "main": "main",
    "article": "article",
    "form": "form fieldset select button",
    "table": "table",
    "list": "ul ol dl",
    "figure": "figure picture",
    "quote": "blockquote",
    "section": "section",
    "code": "pre code",
}
"""The kinds of elements around a text: one bit of `Landmarks.region` each, and the tags that set it."""
CONTROLS: Final = "select option optgroup datalist button textarea input"
_NOT_CORE = "p h1 h2 h3 h4 h5 h6 br a span b i em strong img pre font u li tr dt dd code small sub sup"
_NOT_RECORD = "#text p h1 h2 h3 h4 h5 h6 br a span b i em strong img pre font u ul ol figure hr center code"
_LAYOUT = "table div h1 h2 h3 h4 h5 h6 form section article"
_UNDRAWN = "script style template head base link meta title noscript noembed noframes param source track"
_UNAMBIGUOUS_TIME = re.compile(
    r"(?<![\d,.$€£¥₹])(?:(?:19|20)\d\d|\d{1,2}:\d\d|\d{1,2}([./-])\d{1,2}\1\d{2})(?![\d,]\d)|\bago\b|前"
)
"""A year, a time of day, a date in numbers, or "ago"; a price or a measure does not match."""
_SEARCHED_LENGTH: Final = 200
"""Characters of a line that are searched for a time."""
PROSE: Final = 3
"""The place of the running sum of prose in `LandmarkColumns.sums`."""


def tag_bits(*sets: str) -> npt.NDArray[np.int32]:
    """Return, for each tag, one bit for each set that contains it; the last place is for tags without a number."""
    table = np.zeros(len(tags.TAGS) + 1, np.int32)
    for bit, tag_names in enumerate(sets):
        table[list(tags.numbers_of(tag_names))] |= 1 << bit
    return table


def _region_of_tag() -> npt.NDArray[np.int32]:
    regions = tag_bits(*REGIONS.values())
    regions[tag_bits(CONTROLS) > 0] |= bits.CONTROL
    regions[tag_bits(_NOT_CORE) == 0] |= bits.MAY_CORE
    regions[tag_bits(_NOT_RECORD) == 0] |= bits.MAY_RECORD
    return regions


_REGION_OF_TAG: Final = as_column(_region_of_tag())
_KIND_OF_TAG: Final = as_column(tag_bits("ul ol dl", "table", _LAYOUT, _UNDRAWN, "pre"))
_CUTS_BLOCK: Final = tag_bits(f"#text {_UNDRAWN}") == 0
_NO_WEIGHT: Final = as_column(np.zeros(0))
_HIDDEN: Final = np.zeros(len(tags.HIDDEN_BY), np.uint8)
_HIDDEN[list(tags.UNSEEN)] = bits.HIDDEN
_HIDDEN[list(tags.SHOWN_BY_SCRIPTS.values())] = bits.HIDDEN_IF_EMPTY
_LEVEL_OF_TAG: Final = np.zeros(len(tags.TAGS) + 1, np.int32)
_LEVEL_OF_TAG[list(tags.numbers_of("h1 h2 h3 h4 h5 h6"))] = range(1, 7)


class LandmarkColumns(NamedTuple):
    """Columns of the page and of its landmarks, in the form and order that the compiled loops take."""

    nodes: tuple[Column, ...]
    """Tag, parent, end, container."""
    blocks: tuple[Column, ...]
    """First node, that node plus the number of pieces, container, words, characters, link characters. The elements that
    are drawn between the first and the last text cut a block into pieces."""
    hidden: Column
    """Per node, `HIDDEN` (overlays, too), `HIDDEN_IF_EMPTY` or 0."""
    of_nodes: tuple[Column, ...]
    """The landmarks with one entry per node and one more; see `native.landmarks`."""
    of_blocks: tuple[Column, ...]
    """Stamp, usable, group, ends a sentence, first copy."""
    sums: tuple[Column, ...]
    """Running sums over the blocks: words, characters, link characters, prose, long lines, stamps."""
    core_share: Column


def _of_nodes(place: int) -> "cached_property[Ints]":
    """Return a landmark with one entry per node: a view of the column at this place that cannot be written to."""
    return cached_property(lambda found: _frozen(found.columns.of_nodes[place], np.int32)[: len(found.page.nodes)])


def _of_blocks(place: int) -> "cached_property[Ints]":
    """Return a landmark with one entry per block: a view of the column at this place that cannot be written to."""
    return cached_property(lambda found: _frozen(found.columns.of_blocks[place], np.int32))


@dataclass(frozen=True, eq=False)
class Landmarks:
    """The landmarks of one page: frozen columns, int32 or bool unless they say float64."""

    held_by: "ReferenceType[Page]"
    """The page. It holds its landmarks; if they held it, too, both would stay until the garbage collector finds them,
    and a page can have a hundred megabytes."""
    blocks: Blocks
    """The blocks that the columns have entries for: all of the page, or those that are shown."""
    columns_of_shown: LandmarkColumns
    """The columns with entries for the blocks that are shown."""
    core: int
    """The main container: the node that holds the running text; 0 on a page without any."""
    is_shown: Bools
    """Per block of the page, whether it counts: it is neither hidden nor in an overlay."""
    measured: "Landmarks | None" = None
    """The landmarks of the shown blocks alone, from which these were made; None if the page shows all of its blocks."""

    @cached_property
    def columns(self) -> LandmarkColumns:
        """The columns in the form of the loops, for further loops."""
        return self.columns_of_shown if self.measured is None else _columns_of_all_blocks(self.measured)

    def __reduce__(self) -> tuple[Callable[[Page], "Landmarks"], tuple[Page]]:
        return _shown_landmarks if self is landmarks_of(self.page).measured else landmarks_of, (self.page,)

    @property
    def page(self) -> Page:
        """The page; whoever uses its landmarks holds it."""
        page = self.held_by()
        if page is None:
            raise ReferenceError("the page of these landmarks is gone: hold it as long as them")
        return page

    @property
    def shown(self) -> "Landmarks":
        """The landmarks whose columns have entries for the shown blocks only: what decides about the page."""
        return self.measured or self

    @cached_property
    def shown_before(self) -> Ints:
        """Per block of the page and one more, the number of shown blocks before it."""
        return _counts_before(self.is_shown)

    def spread(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return values of the shown blocks as values of all blocks of the page, with 0 for the others."""
        if len(values) == len(self.is_shown):
            return values
        spread = np.zeros(len(self.is_shown), values.dtype)
        spread[self.is_shown] = values
        return spread

    def once(self, compute: "Callable[[Landmarks], T]") -> T:
        """Return the result of a function of the landmarks alone; computed at the first call."""
        if compute not in self._computed:
            self._computed[compute] = compute(self)
        result: T = self._computed[compute]
        return result

    @cached_property
    def _computed(self) -> "dict[Callable[[Landmarks], Any], Any]":
        return {}

    region = _of_nodes(0)
    """Per node, bits of `REGIONS` for the elements around it and itself."""

    @cached_property
    def first_block(self) -> Ints:
        """Per node and one more: node i has the blocks first_block[i] to first_block[end[i]]."""
        return _frozen(self.columns.of_nodes[1], np.int32)

    tag_path = _of_nodes(2)
    """Per node, a number for the tags from the root to it."""
    signed_depth = _of_nodes(4)
    """Per node, the number of records with a stamp and a text (comments, posts) that contain it."""
    record = _of_nodes(5)
    """Per node, the innermost record that contains it; 0 for none."""
    records_inside = _of_nodes(6)
    """Per node, the number of its children that are records."""

    @cached_property
    def core_share(self) -> Floats:
        """Per node, float64: the running text that counts for it as container, relative to the core, which has 1."""
        return _frozen(self.columns.core_share, np.float64)

    @cached_property
    def is_stamp(self) -> Bools:
        """Per block, whether it is a short line with numbers like those of a time, as in a byline."""
        return _frozen(self.columns.of_blocks[0], np.int32) > 0

    @cached_property
    def is_usable(self) -> Bools:
        """Per block, whether it is shown and not part of a form control."""
        return _frozen(self.columns.of_blocks[1], np.int32) > 0

    group = _of_blocks(2)
    """Per block, the plain list, data table or preformatted text that it belongs to, as a node; -1 for none."""
    first_copy = _of_blocks(4)
    """Per block, the first block with the same text."""

    @cached_property
    def prose(self) -> Floats:
        """Per block, float64: its words of running text; short lines and links count less, unusable blocks nothing."""
        return np.diff(_frozen(self.columns.sums[PROSE], np.float64))

    @cached_property
    def link_share(self) -> Floats:
        """Per block, float64: the share of link text."""
        blocks = self.blocks
        return np.asarray(blocks.link_characters / np.maximum(1, blocks.characters), np.float64)

    @cached_property
    def heading_level(self) -> Ints:
        """Per block, 1 to 6 in a heading, 0 for all others."""
        return np.asarray(_LEVEL_OF_TAG.take(self.page.nodes.tag[self.blocks.container], mode="clip"), np.int32)

    @cached_property
    def outline(self) -> Outline:
        """The outline that all headings of the page form."""
        return find_outline(self, self.heading_level)

    @cached_property
    def tells_time(self) -> Bools:
        """Per block, whether it is a stamp with a time that cannot be a price or a measure."""
        return self.is_stamp & self._matches(np.flatnonzero(self.is_stamp))

    def _matches(self, blocks: npt.NDArray[np.intp]) -> Bools:
        matches = np.zeros(len(self.blocks), np.bool_)
        matches[blocks] = [is_time(line) for line in texts_of(self.page, blocks, self.blocks)]
        return matches

    @cached_property
    def records(self) -> npt.NDArray[np.intp]:
        """The nodes that are records, in document order."""
        return np.flatnonzero((self.record == np.arange(len(self.record))) & (self.record > 0))

    @cached_property
    def is_signed(self) -> Bools:
        """Per entry of `records`, whether it is signed."""
        parents = self.page.nodes.parent[self.records]
        return np.asarray(self.signed_depth[self.records] > self.signed_depth[parents])

    @cached_property
    def is_drawn(self) -> Bools:
        """Per node, whether a visitor could see something of it; `native.landmarks` uses the same rule."""
        hidden, kinds = np.asarray(self.columns.hidden), np.asarray(_KIND_OF_TAG)[np.asarray(self.columns.nodes[0])]
        is_empty = self.first_block[:-1] == self.first_block[self.page.nodes.end]
        may_be_undrawn = (hidden == bits.HIDDEN_IF_EMPTY) | (kinds & bits.UNDRAWN > 0)
        return np.asarray((hidden != bits.HIDDEN) & ~(may_be_undrawn & is_empty))

    def is_inside(self, node: int) -> Bools:
        """Return, per block, whether it begins in the subtree of a node."""
        starts = self.blocks.node_start
        end = int(self.page.nodes.end[node]) if len(self.page.nodes) else 0
        return np.asarray((starts >= node) & (starts < end))

    def blocks_of(self, elements: npt.NDArray[Any]) -> tuple[Ints, Ints]:
        """Return the first block of each element, and one past its last."""
        return self.first_block[elements], self.first_block[self.page.nodes.end[elements]]

    def range_of(self, element: int) -> tuple[int, int]:
        """Return the first block of one element, and one past its last."""
        first_block, end = self._block_edges
        return first_block[element], first_block[end[element]]

    @cached_property
    def _block_edges(self) -> tuple[memoryview, memoryview]:
        """Views of two columns: reading a single number from a view takes a fifth of the time that an array takes."""
        return self.first_block.data, self.page.nodes.end.data


def landmarks_of(page: Page) -> Landmarks:
    """Return the landmarks of a page; they are computed at the first call."""
    return page.once(find_landmarks)


def find_landmarks(page: Page) -> Landmarks:
    """Compute all landmarks of a page: those of the shown blocks, and from these, on request, those of all blocks."""
    hidden, is_shown = _HIDDEN.take(page.nodes.hidden_by), ~page.blocks.is_unseen
    for node in overlays_of(page):
        (first, last), end = page.blocks_of(node), page.nodes.end[node]
        hidden[node:end] = bits.HIDDEN
        is_shown[first:last] &= page.blocks.node_end[first:last] > end
    shown = _shown_blocks(page, hidden, is_shown)
    measured = _measure(page, shown, hidden, is_shown)
    return measured if shown is page.blocks else replace(measured, blocks=page.blocks, measured=measured)


def _shown_landmarks(page: Page) -> Landmarks:
    return landmarks_of(page).shown


def _shown_blocks(page: Page, hidden: npt.NDArray[np.uint8], is_shown: Bools) -> Blocks:
    """Return the blocks that are shown, without the hidden texts in their lines."""
    texts = (page.nodes.is_text & (hidden == bits.HIDDEN)).nonzero()[0]
    is_mixed = np.zeros(len(is_shown), np.bool_)
    is_mixed[_block_of(page, texts)] = True
    is_mixed &= is_shown
    if not is_mixed.any():
        return page.blocks if is_shown.all() else Blocks(page.blocks.table[:, is_shown], page.blocks.word_rate)
    table = page.blocks.table.copy()
    _count_shown_texts(page, hidden, is_mixed, table)
    return Blocks(np.ascontiguousarray(table[:, is_shown]), page.blocks.word_rate)


def _block_of(page: Page, texts: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
    """Return the block of each text node."""
    return np.searchsorted(page.blocks.node_start, texts, side="right") - 1


def _count_shown_texts(page: Page, hidden: npt.NDArray[np.uint8], is_mixed: Bools, table: Ints) -> None:
    """Write into a table of blocks where the shown texts of the mixed ones begin and end, and how much they have."""
    nodes = page.nodes
    texts = np.flatnonzero(nodes.is_text & (hidden != bits.HIDDEN))
    block = _block_of(page, texts)
    texts, block = texts[is_mixed[block]], block[is_mixed[block]]
    first = np.flatnonzero(np.diff(block, prepend=-1))
    size = nodes.text_end[texts] - nodes.text_start[texts]
    size[1:] += block[1:] == block[:-1]  # the blank between two of them
    mixed = block[first]
    table[BLOCK_TEXT_START, mixed] = nodes.text_start[texts[first]]
    table[BLOCK_TEXT_END, mixed] = nodes.text_end[texts[np.append(first[1:], len(texts)) - 1]]
    table[BLOCK_WORDS, mixed] = np.add.reduceat(nodes.words[texts], first)
    table[CHARACTERS, mixed] = np.add.reduceat(size, first)
    table[LINK_CHARACTERS, mixed] = np.add.reduceat(size * nodes.in_link[texts], first)


def _measure(page: Page, blocks: Blocks, hidden: npt.NDArray[np.uint8], is_shown: Bools) -> Landmarks:
    """Run all loops over some blocks of a page."""
    columns = _read_columns(page, blocks, hidden)
    size, count = len(page.nodes), len(blocks)
    loops = _loops.LandmarkLoops(*columns, _REGION_OF_TAG, _KIND_OF_TAG)
    loops.walk()
    loops.sum_up()
    loops.find_records(zeros(size, np.int64), zeros(size, np.int32))
    loops.hand_down_records(zeros(count + 1, np.int32))
    loops.find_core(_NO_WEIGHT)
    loops.find_branches()
    loops.find_groups(zeros(size + 1, np.int32))
    return Landmarks(ref(page), blocks, columns, loops.core, is_shown)


def _columns_of_all_blocks(shown: Landmarks) -> LandmarkColumns:
    """Return the columns with entries for all blocks of the page; those that are not shown count for nothing."""
    page, is_shown = shown.page, shown.is_shown
    region, _, *of_nodes = shown.columns.of_nodes
    begins_block = np.zeros(len(page.nodes), np.bool_)
    begins_block[page.blocks.node_start] = True
    is_stamp, is_usable, _, ends_sentence, first_copy = (
        np.asarray(column, np.int32) for column in shown.columns.of_blocks
    )
    copies = np.arange(len(is_shown), dtype=np.int32)
    copies[is_shown] = np.flatnonzero(is_shown)[first_copy]
    of_blocks = (*map(shown.spread, (is_stamp, is_usable)), _groups(shown), shown.spread(ends_sentence), copies)
    return shown.columns._replace(
        blocks=_block_columns(page, page.blocks, np.asarray(shown.columns.hidden)),
        of_nodes=(region, as_column(_counts_before(begins_block)), *of_nodes),
        of_blocks=tuple(map(as_column, of_blocks)),
        sums=tuple(as_column(np.asarray(sums)[shown.shown_before]) for sums in shown.columns.sums),
    )


def _groups(shown: Landmarks) -> Ints:
    """Return the group of each block of the page: a hidden item of a list belongs to the list."""
    group, end = shown.group, shown.page.nodes.end
    is_first = group >= 0  # groups do not overlap
    is_first[1:] &= group[1:] != group[:-1]
    groups = group[is_first]
    changes = np.zeros(len(end) + 1, np.int32)
    changes[groups] = groups + 1
    np.subtract.at(changes, end[groups], groups + 1)
    return np.asarray(np.cumsum(changes, dtype=np.int32)[shown.page.blocks.node_start] - 1)


def _counts_before(flags: Bools) -> Ints:
    """Return, for each place and one more, how many of the places before it are flagged."""
    counts = np.zeros(len(flags) + 1, np.int32)
    np.cumsum(flags, out=counts[1:])
    return counts


def find_outline(landmarks: Landmarks, level: Ints, may_be_headed: Bools | None = None) -> Outline:
    """Return the outline that the blocks with a level above 0 form.

    A heading with nothing behind it in its element heads what follows the element. By default every block is something,
    otherwise those that `may_be_headed`.
    """
    columns, count = landmarks.columns, len(landmarks.blocks)
    texts_before = np.zeros(count + 1, np.int32)
    texts_before[1:] = np.arange(1, count + 1) if may_be_headed is None else np.cumsum(may_be_headed)
    _, parent, end, _ = columns.nodes
    stack, heading, above, scope_end = zero_columns(4, count, np.int32)
    read = (as_column(level), as_column(texts_before), columns.blocks[2], parent, end, columns.of_nodes[1])
    _loops.find_outline(*read, stack, heading, above, scope_end)
    return Outline(level, *(_frozen(column, np.int32) for column in (heading, above, scope_end)))


def _read_columns(page: Page, blocks: Blocks, hidden: npt.NDArray[np.uint8]) -> LandmarkColumns:
    """Return the columns that the loops read and those that they fill; stamps and copies are filled here."""
    nodes, size, count = page.nodes, len(page.nodes), len(blocks)
    block_columns = _block_columns(page, blocks, hidden)
    lengths, starts, ends = block_columns[3], *map(as_column, (blocks.text_start, blocks.text_end))
    of_blocks = zero_columns(5, count, np.int32)
    is_stamp, _, _, ends_sentence, first_copy = of_blocks
    _words.read_marks(page.text, starts, ends, lengths, is_stamp, ends_sentence)
    _words.find_copies(page.text, starts, ends, first_copy)
    tag = np.minimum(nodes.tag, len(tags.TAGS))
    return LandmarkColumns(
        nodes=tuple(map(as_column, (tag, nodes.parent, nodes.end, nodes.container))),
        blocks=block_columns,
        hidden=as_column(hidden),
        of_nodes=zero_columns(9, size + 1, np.int32),
        of_blocks=of_blocks,
        sums=zero_columns(6, count + 1, np.float64),
        core_share=zeros(size, np.float64),
    )


def _block_columns(page: Page, blocks: Blocks, hidden: npt.NDArray[np.uint8]) -> tuple[Column, ...]:
    tag = page.nodes.tag
    is_drawn = (hidden != bits.HIDDEN) & (_CUTS_BLOCK.take(tag, mode="clip"))
    before = _counts_before(is_drawn)
    last_piece = blocks.node_start + 1 + before[blocks.node_end] - before[blocks.node_start]
    places, counts = (blocks.node_start, last_piece, blocks.container), (blocks.characters, blocks.link_characters)
    return tuple(map(as_column, (*places, blocks.normalised_words, *counts)))


def weighted_core_share(landmarks: Landmarks, weight: Floats) -> Floats:
    """Return `core_share` (float64, one per node) with the running text of each block multiplied by a weight."""
    columns = landmarks.columns._replace(core_share=zeros(len(landmarks.page.nodes), np.float64))
    _loops.LandmarkLoops(*columns, _REGION_OF_TAG, _KIND_OF_TAG).find_core(as_column(weight))
    return _frozen(columns.core_share, np.float64)


def _frozen(column: Column, kind: npt.DTypeLike) -> npt.NDArray[Any]:
    """Return a read-only view of a column; the loops may still write to the column."""
    view = np.asarray(column, kind).view()
    view.flags.writeable = False
    return view


def running_sum(column: npt.NDArray[Any]) -> Floats:
    """Return the sums up to each place, so that the sum over a range is one subtraction."""
    sums = np.zeros((*column.shape[:-1], column.shape[-1] + 1))
    np.cumsum(column, axis=-1, dtype=np.float64, out=sums[..., 1:])
    return sums


def texts_of(page: Page, places: npt.NDArray[np.intp], blocks: Blocks | None = None) -> list[str]:
    """Return the texts of the blocks at these places, among all of the page or among those given."""
    among = blocks or page.blocks
    spans = zip(among.text_start[places].tolist(), among.text_end[places].tolist(), strict=True)
    return [page.text[start:end] for start, end in spans]


def is_time(line: str) -> bool:
    """Return whether a stamp is a time that cannot be a price or a measure.

    >>> is_time("Nessa, 9 May 2024"), is_time("2 hours ago"), is_time("$ 2,099.99"), is_time("1.5 l, 24 h")
    (True, True, False, False)
    """
    return _UNAMBIGUOUS_TIME.search(line[:_SEARCHED_LENGTH]) is not None


def covered(page: Page, roots: npt.NDArray[np.intp]) -> Ints:
    """Return the number of these subtrees that contain each node; int32, one per node."""
    if len(roots) == 0:
        return np.zeros(len(page.nodes), np.int32)
    changes = np.zeros(len(page.nodes) + 1, np.int32)
    np.add.at(changes, roots, 1)
    np.subtract.at(changes, page.nodes.end[roots], 1)
    return np.cumsum(changes[:-1], dtype=np.int32)
