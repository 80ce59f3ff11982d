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

from pagestrata.engine.kernel import words
from pagestrata.native import kernel
from pagestrata.native import landmarks as bits
from pagestrata.native.arrays import Column, as_column, zero_columns, zeros
from pagestrata.page import tags
from pagestrata.page.nodes import Bools, Ints
from pagestrata.page.page import Page

Floats = npt.NDArray[np.float64]
_loops = kernel("landmarks")

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
    """The landmarks of one page. Columns are frozen; int32 or bool unless they say float64."""

    page: Page
    columns: LandmarkColumns
    """The columns as the loops have them, for those that go on from here."""
    core: int
    """The main container: the node that holds the running text; 0 on a page without any."""

    # One entry per node.
    region: Ints
    """Bits of `REGIONS`: what the elements around and including this one are."""
    first_block: Ints
    """The first block at or after the node, and one entry more: the blocks of node i are first_block[i : end[i]]."""
    tag_path: Ints
    """A number for the tags from the root to the node."""
    record: Ints
    """The innermost repeated record that holds the node; 0 for none."""
    record_depth: Ints
    """In how many records it lies."""
    signed_depth: Ints
    """In how many records it lies that have a stamp and a text: comments, posts."""
    records_inside: Ints
    """How many of its children are records."""
    core_share: Floats
    """float64: how far it is the container of the running text; 1 for the core."""
    branch: Ints
    """The child of the core, or of an element around the core, that leads to it."""

    # One entry per block.
    is_usable: Bools
    """Whether it is visible and not part of a form control."""
    is_stamp: Bools
    """Whether it is a short line with numbers like those of a time: who wrote something, and when."""
    first_copy: Ints
    """The first block with the same text."""
    group: Ints
    """The plain list or data table that it belongs to, as a node; -1 for none."""
    prose: Floats
    """float64: its words of running text; short lines and links count less, what is not usable counts nothing."""

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
    found.find_core(as_column(np.ones(count)))
    found.find_branches()
    found.find_groups(zeros(size + 1, np.int32))
    region, first_block, tag_path, record_depth, signed_depth, record, records_inside, branch, *_ = (
        _frozen(column, np.int32) for column in columns.of_nodes
    )
    is_stamp, is_usable, group, _, first_copy = (_frozen(column, np.int32) for column in columns.of_blocks)
    return Landmarks(
        page=page,
        columns=columns,
        core=found.core,
        region=region[:size],
        first_block=first_block,
        tag_path=tag_path[:size],
        record=record[:size],
        record_depth=record_depth[:size],
        signed_depth=signed_depth[:size],
        records_inside=records_inside[:size],
        core_share=_frozen(columns.core_share, np.float64),
        branch=branch[:size],
        is_usable=is_usable > 0,
        is_stamp=is_stamp > 0,
        first_copy=first_copy,
        group=group,
        prose=np.diff(_frozen(columns.sums[PROSE], np.float64)),
    )


def _read_columns(page: Page) -> LandmarkColumns:
    """The columns of the page that landmarks are found in, and room for the landmarks; lines are read for times."""
    nodes, blocks = page.nodes, page.blocks
    size, count = len(nodes), len(blocks)
    lengths, starts, ends = map(as_column, (blocks.even_words, blocks.text_start, blocks.text_end))
    of_blocks = zero_columns(5, count, np.int32)
    is_stamp, _, _, ends_sentence, first_copy = of_blocks
    words.read_marks(page.text, starts, ends, lengths, is_stamp, ends_sentence)
    words.find_copies(page.text, starts, ends, first_copy)
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
    array = np.asarray(column, kind)
    array.flags.writeable = False
    return array


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
