"""Posts of a thread in Markdown: a line with author and time before each, replies as quotes, no signatures."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
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
REPLY_BOXES: Final = 4
"""The most elements between a reply and the box of replies that follows its post."""
TIME_LENGTH: Final = 40
"""The most characters of a line with a time that is written; longer lines contain more than the time."""

_SIGNATURE = re.compile(r"(?:-{10,}|_{10,})\s*[^\s_-]")
"""How a signature begins that a board sets off by a row of dashes; text follows in the same line of the page."""
_SIGNATURE_NAME = re.compile(r"(?i)(?:^|[\s_-])(?:post|user|forum)?(?:signature|sig)(?:$|[\s_-])")
_BETWEEN: Final = " ,;:·|-–—"
"""Separators between author and time."""


@dataclass(frozen=True, slots=True)
class Post:
    """What is written before a post."""

    author: str | None
    time: str | None
    quotes: int
    """How many quotes it opens: how much deeper it is nested than the post around it."""

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
    quotes = _quotes(extraction.page, items)
    posts = {item.start: _post(extraction.page, item, count, shown) for item, count in zip(items, quotes, strict=True)}
    hide_signatures(extraction.page, items, shown)
    shown[list(posts)] |= VISITED
    return posts


def reply_parents(page: Page, posts: Sequence[Item]) -> list[int | None]:
    """Return for each post, in document order, the place of the one that it answers; None if the page shows none.

    A reply lies in the post that it answers, or in a box behind that post. What stands in a box behind the only post of
    its kind may be the rest of the thread, so that a box counts only behind one of several posts or behind a reply.
    """
    parent = page.nodes.parent
    siblings = Counter(int(parent[post.start]) for post in posts)
    parents: list[int | None] = []
    last_in: dict[int, int] = {}
    for place, around in enumerate(_posts_around(posts)):
        parents.append(_post_before(page, posts[place].start, last_in, siblings, parents) if around is None else around)
        last_in[int(parent[posts[place].start])] = place
    return parents


def _post_before(
    page: Page, node: int, last_in: dict[int, int], siblings: Counter[int], parents: Sequence[int | None]
) -> int | None:
    """Return the place of the post that stands before a box around this node, if that box holds replies."""
    parent = page.nodes.parent
    for _ in range(REPLY_BOXES):
        node = int(parent[node])
        around = int(parent[node]) if node > 0 else -1
        place = last_in.get(around)
        if place is not None and (siblings[around] > 1 or parents[place] is not None):
            return place
    return None


def _posts_around(posts: Sequence[Item]) -> Iterator[int | None]:
    """Yield for each post, in document order, the place of the nearest one that it lies in."""
    opened: list[int] = []
    for place, post in enumerate(posts):
        while opened and posts[opened[-1]].end <= post.start:
            opened.pop()
        yield opened[-1] if opened else None
        opened.append(place)


def _quotes(page: Page, posts: Sequence[Item]) -> list[int]:
    """Return how many quotes each post opens; those of the post around it are open already."""
    depths: list[int] = []
    for parent in reply_parents(page, posts):
        depths.append(0 if parent is None else depths[parent] + 1)
    around = _posts_around(posts)
    return [depth - (0 if outer is None else depths[outer]) for depth, outer in zip(depths, around, strict=True)]


def _post(page: Page, item: Item, quotes: int, shown: Marks) -> Post:
    """Return what is written before an item, and hide the lines of the item that it repeats."""
    author, time = item.author, _time(item)
    lines = list(_first_lines(page, item, shown))
    if not time and author and any(author in line.text for line in lines):
        return Post(None, None, quotes)  # the post is signed as it stands
    hide_byline(page, item, shown)
    return Post(author, time, quotes)


def hide_byline(page: Page, item: Item, shown: Marks) -> None:
    """Hide the first lines of an item that say nothing but its author or time."""
    author, time = item.author or "", _time(item)
    times = page.once(_marked_times)
    for line in _first_lines(page, item, shown):
        rest = line.text.removeprefix(author).strip(_BETWEEN)
        if rest and not (time and (line.tells_time or rest in times)):
            break
        shown[line.nodes] = 0


def hide_signatures(page: Page, posts: Sequence[Item], shown: Marks) -> None:
    """Hide the signatures of posts: elements that are named so or begin with a row of dashes, behind other text."""
    if not posts:
        return
    named = page.once(_named_signatures)
    for post in posts:
        for node in named[bisect_left(named, post.start) : bisect_left(named, post.end)]:
            if shown[post.start : node].any():
                shown[node : page.nodes.end[node]] = 0
    if any(_SIGNATURE.search(page.text, *_text_span(page, post)) for post in posts):
        _hide_behind_dashes(page, posts, shown)


def _named_signatures(page: Page) -> list[int]:
    """Return the elements whose class names them a signature, in document order."""
    return sorted(node for node, value in page.values_of("class") if _SIGNATURE_NAME.search(value))


def _hide_behind_dashes(page: Page, posts: Sequence[Item], shown: Marks) -> None:
    blocks = page.blocks
    for post in posts:
        first, last = np.searchsorted(blocks.node_start, (post.start, post.end)).tolist()
        for block in range(first + 1, last):
            if _SIGNATURE.match(page.text, blocks.text_start[block], blocks.text_end[block]):
                node = _largest_from(page, int(blocks.node_start[block]))
                shown[node : page.nodes.end[node]] = 0


def _text_span(page: Page, item: Item) -> tuple[int, int]:
    return int(page.nodes.text_start[item.start]), int(page.nodes.text_end[item.end - 1])


def _largest_from(page: Page, node: int) -> int:
    """Return the largest element whose text begins where that of a node does, but not the page."""
    parent, text_start = page.nodes.parent, page.nodes.text_start
    while parent[node] > 0 and text_start[parent[node]] == text_start[node]:
        node = int(parent[node])
    return node


def _marked_times(page: Page) -> frozenset[str]:
    """Return the texts of all `<time>` elements."""
    return frozenset(collapse(page.text_of(node)) for node in page.nodes_tagged("time").tolist())


def _time(item: Item) -> str | None:
    """Return the time of an item without its author, if it is short enough to be one."""
    time = (item.time or "").removeprefix(item.author or "").strip(_BETWEEN)
    return time if 0 < len(time) <= TIME_LENGTH else None


def _first_lines(page: Page, item: Item, shown: Marks) -> Iterator[_FirstLine]:
    """Yield the first lines of an item that are shown."""
    blocks, tells_time = page.blocks, landmarks_of(page).tells_time
    first, last = np.searchsorted(blocks.node_start, (item.start, item.end)).tolist()
    for block in range(first, min(last, first + BYLINE_LINES)):
        nodes = slice(int(blocks.node_start[block]), int(blocks.node_end[block]))
        if shown[nodes].any():
            text = collapse(page.text[blocks.text_start[block] : blocks.text_end[block]])
            yield _FirstLine(text, nodes, bool(tells_time[block]) and len(text) <= TIME_LENGTH)
