"""Landmarks: what can be recognised on a page before anything is decided, found once per page.

The main container, repeated records and those that are signed, lines with a time, plain lists and data tables, texts
that stand on the page twice, headings, the regions that tags name. All are columns over the nodes or the blocks of the
page. Features, decision, roles, items, page type and the methods of the papers read them; none of them looks again.
The loops are in `native.landmarks`.
"""

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from pagestrata.native import kernel
from pagestrata.native import landmarks as bits
from pagestrata.native.arrays import Column, as_column, zero_columns, zeros
from pagestrata.page import tags
from pagestrata.page.nodes import Bools, Ints
from pagestrata.page.page import Page

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
"""What the elements around a text say it is: one bit of `Landmarks.region` each, and the tags that set it."""
CONTROLS: Final = "select option optgroup datalist button textarea input"
_NO_CORE = "p h1 h2 h3 h4 h5 h6 br a span b i em strong img pre font u li tr dt dd code small sub sup"
_NO_RECORD = "#text p h1 h2 h3 h4 h5 h6 br a span b i em strong img pre font u ul ol figure hr center code"
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_LAYOUT = "table p div h1 h2 h3 h4 h5 h6 form section article"
_UNDRAWN = "script style template head base link meta title noscript noembed noframes param source track"
_SURE_TIME = re.compile(
    r"(?<![\d,.$€£¥₹])(?:(?:19|20)\d\d|\d{1,2}:\d\d|\d{1,2}([./-])\d{1,2}\1\d{2})(?![\d,]\d)|\bago\b|前"
)
"""A year, a time of day, a date in numbers, or so long ago; a price or a measure is none of these."""
_LINE_START: Final = 200
"""Characters of a line in which a time is looked for."""
PROSE: Final = 3
"""The place of the running sum of prose in `LandmarkColumns.sums`."""


def tag_bits(*sets: str) -> npt.NDArray[np.int32]:
    """For each tag one bit for each set that it is in; the last place is for tags without a number."""
    table = np.zeros(len(tags.TAGS) + 1, np.int32)
    for bit, tag_names in enumerate(sets):
        table[[tags.TAG[name] for name in tag_names.split()]] |= 1 << bit
    return table


def _region_of_tag() -> npt.NDArray[np.int32]:
    regions = tag_bits(*REGIONS.values())
    regions[tag_bits(CONTROLS) > 0] |= bits.CONTROL
    regions[tag_bits(_NO_CORE) == 0] |= bits.MAY_CORE
    regions[tag_bits(_NO_RECORD) == 0] |= bits.MAY_RECORD
    return regions


_REGION_OF_TAG: Final = as_column(_region_of_tag())
_KIND_OF_TAG: Final = as_column(tag_bits("ul ol dl", "table", _LAYOUT, _UNDRAWN))
_NO_WEIGHT: Final = as_column(np.zeros(0))
_HIDDEN: Final = np.zeros(len(tags.HIDDEN_BY), np.uint8)
_HIDDEN[list(tags.UNSEEN)] = bits.HIDDEN
_HIDDEN[list(tags.SHOWN_BY_SCRIPTS.values())] = bits.HIDDEN_IF_EMPTY
_LEVEL_OF_TAG: Final = np.zeros(len(tags.TAGS) + 1, np.int32)
_LEVEL_OF_TAG[[tags.TAG[name] for name in _HEADINGS]] = range(1, 7)


class LandmarkColumns(NamedTuple):
    """Columns of the page and of its landmarks, in the form and order that the compiled loops take."""

    nodes: tuple[Column, ...]
    """Tag, parent, end, container."""
    blocks: tuple[Column, ...]
    """First and last node, container, words, characters, link characters."""
    hidden: tuple[Column, Column]
    """How far each node is hidden; whether each block is."""
    of_nodes: tuple[Column, ...]
    """The landmarks with one entry per node and one more; see `native.landmarks`."""
    of_blocks: tuple[Column, ...]
    """Stamp, usable, group, ends a sentence, first copy."""
    sums: tuple[Column, ...]
    """Running sums over the blocks: words, characters, link characters, prose, long lines, stamps."""
    core_share: Column


@dataclass(frozen=True, eq=False)
class Landmarks:
    """The landmarks of one page: frozen columns, int32 or bool unless they say float64."""

    page: Page
    columns: LandmarkColumns
    """The columns as the loops have them, for those that go on from here."""
    core: int
    """The main container: the node that holds the running text; 0 on a page without any."""

    @cached_property
    def region(self) -> Ints:
        """Per node, bits of `REGIONS`: what the elements around and including it are."""
        return self._of_nodes(0)

    @cached_property
    def first_block(self) -> Ints:
        """Per node and one more: node i has the blocks first_block[i] to first_block[end[i]]."""
        return _frozen(self.columns.of_nodes[1], np.int32)

    @cached_property
    def tag_path(self) -> Ints:
        """Per node, a number for the tags from the root to it."""
        return self._of_nodes(2)

    @cached_property
    def record_depth(self) -> Ints:
        """Per node, in how many repeated records it lies."""
        return self._of_nodes(3)

    @cached_property
    def signed_depth(self) -> Ints:
        """Per node, in how many records it lies that have a stamp and a text: comments, posts."""
        return self._of_nodes(4)

    @cached_property
    def record(self) -> Ints:
        """Per node, the innermost record that holds it; 0 for none."""
        return self._of_nodes(5)

    @cached_property
    def records_inside(self) -> Ints:
        """Per node, how many of its children are records."""
        return self._of_nodes(6)

    @cached_property
    def branch(self) -> Ints:
        """Per node, the child of the core, or of an element around the core, that leads to it."""
        return self._of_nodes(7)

    @cached_property
    def core_share(self) -> Floats:
        """Per node, float64: how far it is the container of the running text; 1 for the core."""
        return _frozen(self.columns.core_share, np.float64)

    @cached_property
    def is_stamp(self) -> Bools:
        """Per block: a short line with numbers like those of a time, that says who wrote something and when."""
        return _frozen(self.columns.of_blocks[0], np.int32) > 0

    @cached_property
    def is_usable(self) -> Bools:
        """Per block: it is visible, and not part of a form control."""
        return _frozen(self.columns.of_blocks[1], np.int32) > 0

    @cached_property
    def group(self) -> Ints:
        """Per block, the plain list or data table that it belongs to, as a node; -1 for none."""
        return _frozen(self.columns.of_blocks[2], np.int32)

    @cached_property
    def first_copy(self) -> Ints:
        """Per block, the first block with the same text."""
        return _frozen(self.columns.of_blocks[4], np.int32)

    @cached_property
    def prose(self) -> Floats:
        """Per block, float64: its words of running text; short lines and links count less, unusable blocks nothing."""
        return np.diff(_frozen(self.columns.sums[PROSE], np.float64))

    def _of_nodes(self, place: int) -> Ints:
        return _frozen(self.columns.of_nodes[place], np.int32)[: len(self.page.nodes)]

    @cached_property
    def link_share(self) -> Floats:
        """float64: the share of link text in each block."""
        blocks = self.page.blocks
        return np.asarray(blocks.link_characters / np.maximum(1, blocks.characters), np.float64)

    @cached_property
    def heading_level(self) -> Ints:
        """1 to 6 for a block in a heading, 0 for all others."""
        return np.asarray(_LEVEL_OF_TAG.take(self.page.nodes.tag[self.page.blocks.container], mode="clip"), np.int32)

    @cached_property
    def tells_time(self) -> Bools:
        """Whether each block is a stamp that surely is a time, and no price or measure."""
        return self.is_stamp & self._matches(np.flatnonzero(self.is_stamp))

    def _matches(self, blocks: npt.NDArray[np.intp]) -> Bools:
        matches = np.zeros(len(self.page.blocks), np.bool_)
        matches[blocks] = [is_time(line) for line in texts_of(self.page, blocks)]
        return matches

    @cached_property
    def records(self) -> npt.NDArray[np.intp]:
        """The records, in document order."""
        return np.flatnonzero((self.record == np.arange(len(self.record))) & (self.record > 0))

    @cached_property
    def is_signed(self) -> Bools:
        """Whether each of the `records` is signed."""
        parents = self.page.nodes.parent[self.records]
        return np.asarray(self.signed_depth[self.records] > self.signed_depth[parents])

    @cached_property
    def is_drawn(self) -> Bools:
        """Whether a visitor could see something of each node; see `native.landmarks`, which goes by the same rule."""
        hidden, kinds = np.asarray(self.columns.hidden[0]), np.asarray(_KIND_OF_TAG)[np.asarray(self.columns.nodes[0])]
        is_empty = self.first_block[:-1] == self.first_block[self.page.nodes.end]
        may_be_undrawn = (hidden == bits.HIDDEN_IF_EMPTY) | (kinds & bits.UNDRAWN > 0)
        return np.asarray((hidden != bits.HIDDEN) & ~(may_be_undrawn & is_empty))

    @property
    def in_core(self) -> Bools:
        """Whether each block is in the main container."""
        return self.is_inside(self.core)

    def is_inside(self, node: int) -> Bools:
        """Whether each block begins in the subtree of a node."""
        starts = self.page.blocks.node_start
        end = int(self.page.nodes.end[node]) if len(self.page.nodes) else 0
        return np.asarray((starts >= node) & (starts < end))

    def blocks_of(self, elements: npt.NDArray[Any]) -> tuple[Ints, Ints]:
        """The first block of each element, and one past its last."""
        return self.first_block[elements], self.first_block[self.page.nodes.end[elements]]


def landmarks_of(page: Page) -> Landmarks:
    """The landmarks of a page, found at the first call."""
    return page.once(find_landmarks)


def find_landmarks(page: Page) -> Landmarks:
    """Find all landmarks of a page."""
    columns = _read_columns(page)
    size, count = len(page.nodes), len(page.blocks)
    found = _loops.LandmarkLoops(*columns, _REGION_OF_TAG, _KIND_OF_TAG)
    found.walk()
    found.sum_up()
    found.find_records(zeros(size, np.int64), zeros(size, np.int32))
    found.hand_down_records(zeros(count + 1, np.int32))
    found.find_core(_NO_WEIGHT)
    found.find_branches()
    found.find_groups(zeros(size + 1, np.int32))
    return Landmarks(page, columns, found.core)


def _read_columns(page: Page) -> LandmarkColumns:
    """The columns of the page that landmarks are found in, and room for the landmarks; lines are read for times."""
    nodes, blocks = page.nodes, page.blocks
    size, count = len(nodes), len(blocks)
    lengths, starts, ends = map(as_column, (blocks.normalised_words, blocks.text_start, blocks.text_end))
    of_blocks = zero_columns(5, count, np.int32)
    is_stamp, _, _, ends_sentence, first_copy = of_blocks
    _words.read_marks(page.text, starts, ends, lengths, is_stamp, ends_sentence)
    _words.find_copies(page.text, starts, ends, first_copy)
    tag = np.minimum(nodes.tag, len(tags.TAGS))
    return LandmarkColumns(
        nodes=tuple(map(as_column, (tag, nodes.parent, nodes.end, nodes.container))),
        blocks=(
            *map(as_column, (blocks.node_start, blocks.node_end, blocks.container)),
            lengths,
            *map(as_column, (blocks.characters, blocks.link_characters)),
        ),
        hidden=(as_column(_HIDDEN[nodes.hidden_by]), as_column(blocks.is_unseen.view(np.uint8))),
        of_nodes=zero_columns(9, size + 1, np.int32),
        of_blocks=of_blocks,
        sums=zero_columns(6, count + 1, np.float64),
        core_share=zeros(size, np.float64),
    )


def weighted_core_share(landmarks: Landmarks, weight: Floats) -> Floats:
    """float64, one per node: `core_share` if the running text of each block counted only as much as its weight."""
    columns = landmarks.columns._replace(core_share=zeros(len(landmarks.page.nodes), np.float64))
    _loops.LandmarkLoops(*columns, _REGION_OF_TAG, _KIND_OF_TAG).find_core(as_column(weight))
    return _frozen(columns.core_share, np.float64)


def _frozen(column: Column, kind: npt.DTypeLike) -> npt.NDArray[Any]:
    """A view that cannot be written to; the loops may still write to the column."""
    view = np.asarray(column, kind).view()
    view.flags.writeable = False
    return view


def running_sum(column: npt.NDArray[Any]) -> Floats:
    """Sums up to each place, so that the sum over a range is one subtraction."""
    sums = np.zeros((*column.shape[:-1], column.shape[-1] + 1))
    np.cumsum(column, axis=-1, dtype=np.float64, out=sums[..., 1:])
    return sums


def texts_of(page: Page, blocks: npt.NDArray[np.intp]) -> list[str]:
    """The texts of these blocks."""
    spans = zip(page.blocks.text_start[blocks].tolist(), page.blocks.text_end[blocks].tolist(), strict=True)
    return [page.text[start:end] for start, end in spans]


def is_time(line: str) -> bool:
    """Whether a stamp is surely a time.

    >>> is_time("Nessa, 9 May 2024"), is_time("2 hours ago"), is_time("$ 2,099.99"), is_time("1.5 l, 24 h")
    (True, True, False, False)
    """
    return _SURE_TIME.search(line[:_LINE_START]) is not None


def covered(page: Page, roots: npt.NDArray[np.intp]) -> Ints:
    """In how many of these subtrees each node lies; int32, one per node."""
    if len(roots) == 0:
        return np.zeros(len(page.nodes), np.int32)
    steps = np.zeros(len(page.nodes) + 1, np.int32)
    np.add.at(steps, roots, 1)
    np.subtract.at(steps, page.nodes.end[roots], 1)
    return np.cumsum(steps[:-1], dtype=np.int32)
