"""Content blocks: runs of text in one element that organises the page, the units in which older methods segment."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from pagestrata.page import tags
from pagestrata.page.nodes import Ints
from pagestrata.page.page import Page

TABULAR: Final = frozenset(tags.numbers_of("table thead tbody tfoot tr ul ol dl menu dir"))
"""Tags that organise rows and items."""
ORGANISING: Final = TABULAR.union(
    tags.numbers_of(
        "html body main article section header footer nav aside hgroup search div form fieldset center address details "
        "dialog"
    )
)
"""Tags that organise a page; all others only format their content."""


@dataclass(frozen=True, slots=True)
class ContentBlock:
    """A run of visible neighbouring blocks in the same organising element."""

    node: int
    """The organising element."""
    start: int
    """The first text node."""
    end: int
    """One past the last text node."""
    blocks: tuple[int, ...]


def content_blocks(page: Page) -> list[ContentBlock]:
    """Return all content blocks, in document order."""
    organiser_of = organising(page)
    columns = page.blocks.container, page.blocks.node_start, page.blocks.node_end
    visible = np.flatnonzero(~page.blocks.is_unseen).tolist()
    containers, starts, ends = (column.tolist() for column in columns)
    runs: list[list[int]] = []
    for block in visible:
        if runs and organiser_of[containers[runs[-1][-1]]] == organiser_of[containers[block]]:
            runs[-1].append(block)
        else:
            runs.append([block])
    return [ContentBlock(organiser_of[containers[run[0]]], starts[run[0]], ends[run[-1]], tuple(run)) for run in runs]


def organising(page: Page) -> list[int]:
    """Return, for each node, the nearest organising element, itself included."""
    parents, numbers = page.nodes.parent.tolist(), page.nodes.tag.tolist()
    organiser_of = [0] * len(numbers)
    for node in range(1, len(numbers)):
        organiser_of[node] = node if numbers[node] in ORGANISING else organiser_of[parents[node]]
    return organiser_of


def block_of(blocks: Sequence[ContentBlock], nodes: Ints) -> Ints:
    """Return the place of the content block that each text node is in; -1 for none."""
    starts = np.array([block.start for block in blocks], np.int32)
    ends = np.array([block.end for block in blocks], np.int32)
    places = np.searchsorted(starts, nodes, side="right") - 1
    inside = (places >= 0) & (nodes < ends[places]) if len(blocks) else np.zeros(len(nodes), np.bool_)
    return np.where(inside, places, -1).astype(np.int32)
