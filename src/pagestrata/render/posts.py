"""Posts of a thread in Markdown: a line with author and time before each, replies as quotes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Final, NamedTuple

import numpy as np

from pagestrata.extraction import Extraction
from pagestrata.landmarks import landmarks_of
from pagestrata.page.page import Page
from pagestrata.page.text import collapse
from pagestrata.render.md_blocks import STRONG, Line, Run
from pagestrata.render.walk import VISITED, Marks
from pagestrata.results import Item

BYLINE_LINES: Final = 8
"""Lines at the start of a post that may be its author or time."""
TIME_LENGTH: Final = 40
"""Characters up to which the line with the time is written; longer ones say other things too."""


@dataclass(frozen=True, slots=True)
class Post:
    """What is written before a post."""

    author: str | None
    time: str | None
    is_reply: bool
    """Whether it lies in another post."""

    def line(self, formatting: bool) -> Line:
        """Author and time as a line of Markdown; empty if neither is known."""
        line = [Run("text", self.author, styles=STRONG if formatting else 0)] if self.author else []
        return [*line, Run("text", f"· {self.time}" if line else self.time, gap=" ")] if self.time else line


class _FirstLine(NamedTuple):
    """A line at the start of a post."""

    text: str
    nodes: slice
    tells_time: bool


def find_posts(extraction: Extraction, shown: Marks) -> dict[int, Post]:
    """Return the shown posts by their elements, and mark these so that the walk stops at them.

    Lines of a post that say nothing but its author or time are no longer shown: the line before it says that.
    """
    if not extraction.options.bylines:
        return {}
    items = [item for item in extraction.segmentation.posts if shown[item.start]]
    posts = {item.start: _post(extraction.page, item, is_reply, shown) for item, is_reply in _with_depth(items)}
    shown[list(posts)] |= VISITED
    return posts


def _with_depth(items: Sequence[Item]) -> Iterator[tuple[Item, bool]]:
    """Yield the items, in document order, with whether each lies in one before it."""
    end = 0
    for item in items:
        yield item, item.start < end
        end = max(end, item.end)


def _post(page: Page, item: Item, is_reply: bool, shown: Marks) -> Post:
    """Return what is written before an item, and hide the lines of the item that it repeats."""
    author, time = item.author, _time(item)
    lines = list(_first_lines(page, item, shown))
    if not time and author and any(author in line.text for line in lines):
        return Post(None, None, is_reply)  # the post is signed as it stands
    for line in takewhile(lambda line: line.text == author or (time and line.tells_time), lines):
        shown[line.nodes] = 0
    return Post(author, time, is_reply)


def _time(item: Item) -> str | None:
    """Return the time of an item without its author, if it is short enough to be one."""
    time = (item.time or "").removeprefix(item.author or "").strip(" ,;:·|-–—")
    return time if 0 < len(time) <= TIME_LENGTH else None


def _first_lines(page: Page, item: Item, shown: Marks) -> Iterator[_FirstLine]:
    """Yield the shown ones of the first lines of an item."""
    blocks, tells_time = page.blocks, landmarks_of(page).tells_time
    first, last = np.searchsorted(blocks.node_start, (item.start, item.end)).tolist()
    for block in range(first, min(last, first + BYLINE_LINES)):
        nodes = slice(int(blocks.node_start[block]), int(blocks.node_end[block]))
        if shown[nodes].any():
            text = collapse(page.text[blocks.text_start[block] : blocks.text_end[block]])
            yield _FirstLine(text, nodes, bool(tells_time[block]) and len(text) <= TIME_LENGTH)
