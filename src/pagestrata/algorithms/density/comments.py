"""Comment regions: texts below the article that are signed, and have one more sign of a comment."""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import Final

from pagestrata.algorithms.density.regions import Region, has_keyword, total
from pagestrata.algorithms.density.tree import BODY, SDTree

MAX_SIGNATURE_LINES: Final = 3
"""The number of lines beside a comment that may be its signature: name, date, "permalink"."""


def find_comments(tree: SDTree, article: Region, texts: Iterable[Region]) -> list[Region]:
    """Return the texts below the article that share a parent with it, are signed, and have one more sign."""
    end = tree.block_node[article.blocks[-1]] + 1
    below = [region for region in texts if region.node >= end]
    signed = [(region, lines) for region in below if (lines := signature(tree, region, end))]
    group_sizes = Counter(region.group for region, _ in signed)
    parents = tree.common_parents(article.node, [region.node for region, _ in signed])
    comments: defaultdict[int, list[Region]] = defaultdict(list)
    for (region, lines), parent in zip(signed, parents, strict=True):
        if (tree.tag[parent] != BODY or tree.parent[article.node] == parent) and (
            group_sizes[region.group] > 1
            or has_keyword_name(tree, region, article)
            or has_keyword_nearby(tree, region, lines, end)
            or has_text_box_below(tree, region, parent)
        ):
            comments[parent].append(region)
    return max(comments.values(), key=total, default=[])


def signature(tree: SDTree, region: Region, after: int = 0) -> list[int]:
    """Return the short lines beside a text if one of them contains a time, else an empty list."""
    lines = [*_lines_before(tree, region, after), *_lines_after(tree, region)]
    is_text = any(not tree.is_heading(block) and not tree.is_dated_line(block) for block in region.blocks)
    return lines if is_text and any(map(tree.is_dated_line, lines)) else []


def _lines_before(tree: SDTree, region: Region, after: int) -> Iterator[int]:
    first = region.blocks[0]
    if tree.is_line(first):
        yield first
    for block in range(first - 1, max(first - 1 - MAX_SIGNATURE_LINES, -1), -1):
        if tree.block_node[block] < after or not tree.is_line(block):
            return
        yield block


def _lines_after(tree: SDTree, region: Region) -> Iterator[int]:
    last = region.blocks[-1]
    for block in range(last + 1, min(last + MAX_SIGNATURE_LINES, len(tree.characters))):
        if not tree.is_line(block):
            return
        yield block


def has_keyword_name(tree: SDTree, region: Region, article: Region) -> bool:
    """Return whether a keyword is in its class or id, or in that of an ancestor that does not hold the article."""
    named = tree.named[region.node]
    return named != 0 and not named <= article.node < tree.end[named]


def has_keyword_nearby(tree: SDTree, region: Region, lines: Iterable[int], after: int) -> bool:
    """Return whether a keyword is in its title, below the article, or in a line beside it."""
    if region.title is not None and region.title >= after and tree.is_keyword_title(region.title):
        return True
    return any(has_keyword(tree.line(block)) for block in lines)


def has_text_box_below(tree: SDTree, region: Region, parent: int) -> bool:
    """Return whether a text box follows it below the parent that it shares with the article."""
    place = bisect_left(tree.boxes, region.end)
    return place < len(tree.boxes) and tree.boxes[place] < tree.end[parent]
