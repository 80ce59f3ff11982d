"""Aligns the truth with the page: decides for every visible word whether it is main text or noise.

A word is main text when a run of 4 words around it (8 where scripts without spaces prevail) is in the truth; else it is
noise. So text that repeats a run of the main text elsewhere counts as main. The title and the comments of readers
count as neither. Words that a browser does not show are left out.
"""

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Final

import numpy as np

from pagestrata.evaluate.datasets.truth import MainText
from pagestrata.evaluate.metrics import covered, runs, tokens
from pagestrata.evaluate.title_lines import titles_of
from pagestrata.page import tags
from pagestrata.page.page import Page
from pagestrata.page.text import word_pattern
from pagestrata.results import Section

RUN_LENGTH: Final = 4
CHARACTER_RUN_LENGTH: Final = 8
"""For scripts without spaces, where a word is a character: runs of four would occur in unrelated texts."""
MIN_CONTENT_IMPORTANCE: Final = 0.25
"""Sections of lower importance count as noise (template paper)."""

Key = tuple[int, str]
"""Identifies a text or link that may recur on other pages: a hash of its tag path, and its text or target."""


@dataclass(frozen=True)
class Words:
    """The visible words of a page in document order; one entry per word in each list."""

    page: Page
    lowered: list[str]
    """The words in lower case."""
    starts: list[int]
    """The offset of each in the text of the page."""
    blocks: list[int]
    """The block of each."""

    @cached_property
    def sizes(self) -> list[int]:
        """The number of characters of each."""
        return [len(word) for word in self.lowered]

    @cached_property
    def nodes(self) -> list[int]:
        """The text node in which each begins."""
        texts = np.flatnonzero(self.page.nodes.is_text)
        places = np.searchsorted(self.page.nodes.text_start[texts], self.starts, side="right") - 1
        return [int(node) for node in texts[places]] if self.starts else []


def words_of(page: Page) -> Words:
    """Read the words of a page."""
    visible = Words(page, [], [], [])
    unseen = page.blocks.is_unseen.tolist()
    spans = zip(page.blocks.text_start.tolist(), page.blocks.text_end.tolist(), strict=True)
    for block, (start, end) in enumerate(spans):
        if not unseen[block]:
            for match in word_pattern().finditer(page.text, start, end):
                visible.lowered.append(match[0].lower())
                visible.starts.append(match.start())
                visible.blocks.append(block)
    return visible


def noise_truth(words: Words, truth: MainText) -> list[bool | None]:
    """Whether each word is noise; None for the title and for comments."""
    main = occurs_in(words.lowered, truth.main or "")
    comments = occurs_in(words.lowered, truth.comments)
    title = _titles(words, truth)
    return [
        None if is_title else False if is_main else None if is_comment else True
        for is_main, is_comment, is_title in zip(main, comments, title, strict=True)
    ]


def occurs_in(lowered: Sequence[str], text: str) -> list[bool]:
    """Whether each word is part of a run of words that occurs in the text.

    >>> occurs_in("home news tea is best served hot contact".split(), "Tea is best served hot.")
    [False, False, True, True, True, True, True, False]
    """
    wanted = tokens(text)
    size = min(len(wanted), RUN_LENGTH if _has_spaces(wanted) else CHARACTER_RUN_LENGTH)
    return covered(lowered, set(runs(wanted, size)), size) if size else [False] * len(lowered)


def _has_spaces(lowered: Sequence[str]) -> bool:
    """Whether most words are more than one character of a script without spaces."""
    single = sum(len(word) == 1 and word > "\u0e00" for word in lowered)
    return 2 * single <= len(lowered)


def _titles(words: Words, truth: MainText) -> list[bool]:
    """Whether each word is in a block that consists of a title."""
    wanted = [tokens(title) for title in titles_of(words.page, truth.titles)]
    blocks = {
        block
        for block, places in groupby(range(len(words.lowered)), lambda place: words.blocks[place])
        if [words.lowered[place] for place in places] in wanted
    }
    return [block in blocks for block in words.blocks]


def noise_by_importance(words: Words, leaves: Iterable[Section]) -> list[bool]:
    """Whether each word is in a section of low importance."""
    sections = [leaf for leaf in leaves if leaf.has_blocks]
    starts = [leaf.block_start for leaf in sections]
    places = (bisect_right(starts, block) - 1 for block in words.blocks)
    return [sections[place].importance < MIN_CONTENT_IMPORTANCE for place in places]


# --------------------------------------------------------------------------------------------------- recurring texts


def keys_by_text(page: Page) -> dict[int, tuple[Key, ...]]:
    """The key of every text node, and the key of the link around it if there is one.

    The path is that of tags from the root, without positions. The text is in lower case; the target of a link is
    resolved against the address of the page, if it has one.
    """
    nodes = page.nodes
    parents, numbers = nodes.parent.tolist(), nodes.tag.tolist()
    starts, ends = nodes.text_start.tolist(), nodes.text_end.tolist()
    links = {node: target for node, target in page.values_of("href") if numbers[node] == tags.TAG["a"]}
    targets = {link: link if link.startswith("http") else page.resolve(link) for link in links.values()}
    paths: list[int] = []
    around: list[int] = []
    keys: dict[int, tuple[Key, ...]] = {}
    for node, (parent, number) in enumerate(zip(parents, numbers, strict=True)):
        paths.append(hash((paths[parent] if parent >= 0 else 0, nodes.names[number])))
        around.append(node if node in links else around[parent] if parent >= 0 else -1)
        if number == tags.TEXT:
            key = (paths[node], page.text[starts[node] : ends[node]].strip().lower())
            link = around[node]
            keys[node] = (key,) if link < 0 else (key, (paths[link], targets[links[link]]))
    return keys


def recurring(words: Words, keys: Mapping[int, Sequence[Key]], siblings: Sequence[Set[Key]]) -> list[bool]:
    """Whether the text node of each word, or the link around it, occurs on at least half of the siblings.

    Images have no characters, and so do not count.
    """
    recurring_nodes = {
        node
        for node, own in keys.items()
        if any(2 * sum(key in sibling for sibling in siblings) >= len(siblings) > 0 for key in own)
    }
    return [node in recurring_nodes for node in words.nodes]
