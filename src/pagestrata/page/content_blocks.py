"""Content blocks: runs of text under one element that organises the page, the grain in which older methods cut."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from pagestrata.page import tags
from pagestrata.page.nodes import Ints
from pagestrata.page.page import Page

TABULAR: Final = frozenset(tags.TAG[name] for name in "table thead tbody tfoot tr ul ol dl menu dir".split())
"""Tags that organise rows and items."""
ORGANISING: Final = TABULAR | frozenset(
    tags.TAG[name]
    for name in "html body main article section header footer nav aside hgroup search div form fieldset center address "
    "details dialog".split()
)
"""Tags that organise a page; all others show what is in them."""


@dataclass(frozen=True, slots=True)
class ContentBlock:
    """A run of neighbouring blocks that can be seen and have the same organising element around them."""

    node: int
    """That element."""
    start: int
    """The first node of its text."""
    end: int
    """One past the last."""
    blocks: tuple[int, ...]


def content_blocks(page: Page) -> list[ContentBlock]:
    """All content blocks, in the order of the page."""
    around = organising(page)
    columns = page.blocks.container, page.blocks.node_start, page.blocks.node_end
    seen = np.flatnonzero(~np.isin(page.blocks.hidden_by, tags.UNSEEN)).tolist()
    containers, starts, ends = (column.tolist() for column in columns)
    runs: list[list[int]] = []
    for block in seen:
        if runs and around[containers[runs[-1][-1]]] == around[containers[block]]:
            runs[-1].append(block)
        else:
            runs.append([block])
    return [ContentBlock(around[containers[run[0]]], starts[run[0]], ends[run[-1]], tuple(run)) for run in runs]


def organising(page: Page) -> list[int]:
    """For each node the nearest element that organises, itself included."""
    parents, numbers = page.nodes.parent.tolist(), page.nodes.tag.tolist()
    around = [0] * len(numbers)
    for node in range(1, len(numbers)):
        around[node] = node if numbers[node] in ORGANISING else around[parents[node]]
    return around


def block_of(blocks: Sequence[ContentBlock], nodes: Ints) -> Ints:
    """The place of the content block that each text node stands in; -1 for those in none."""
    starts = np.array([block.start for block in blocks], np.int32)
    ends = np.array([block.end for block in blocks], np.int32)
    places = np.searchsorted(starts, nodes, side="right") - 1
    inside = (places >= 0) & (nodes < ends[places]) if len(blocks) else np.zeros(len(nodes), np.bool_)
    return np.where(inside, places, -1).astype(np.int32)
