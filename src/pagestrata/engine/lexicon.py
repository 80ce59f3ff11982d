"""What words tell: those in class and id names, those of short lines, those of the heading above.

The weights are learned (see `train`), as log odds of being main text over the sites that use a word. They are features
among others: with all names gone the engine works on.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt

from pagestrata.page.levels import Levels
from pagestrata.page.page import Page
from pagestrata.page.text import words

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

SHORT_LINE: Final = 100
"""Characters below which the words of a line are looked at one by one."""
LONGEST_NAME: Final = 200
"""Characters of a class or id that are looked at."""
NAMED_BY: Final = ("class", "id", "role", "itemprop")

_WORD_EDGE = re.compile(r"[^A-Za-z]+|(?<=[a-z])(?=[A-Z])")


@lru_cache(maxsize=50_000)
def name_words(value: str) -> tuple[str, ...]:
    """The words in a class or id.

    >>> name_words("post-123 entryContent col-md-6")
    ('post', 'entry', 'content', 'col')
    """
    found = (word.lower() for word in _WORD_EDGE.split(value[:LONGEST_NAME]) if 2 < len(word) < 20)
    return tuple(dict.fromkeys(found))


def names_of(page: Page) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Each element with the words of its names."""
    for attribute in NAMED_BY:
        for node, value in page.values_of(attribute):
            yield node, name_words(value)


def short_lines(page: Page) -> list[frozenset[str]]:
    """The words of each block that is short; none for the others."""
    spans = zip(page.blocks.text_start.tolist(), page.blocks.text_end.tolist(), strict=True)
    return [
        frozenset(words(page.text[start:end].lower())) if end - start < SHORT_LINE else frozenset()
        for start, end in spans
    ]


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Weights of words; 0 says nothing, above 0 speaks for main text."""

    names: Mapping[str, float]
    lines: Mapping[str, float]
    headings: Mapping[str, float]

    def columns(self, page: Page, levels: Levels, is_heading: Bools) -> Iterator[tuple[str, Floats]]:
        """What the words tell of each block."""
        yield from self.name_columns(page, levels)
        lines = short_lines(page)
        yield from zip(("line_mean", "line_low", "line_high"), _over(self.lines, lines), strict=True)
        mean, low, _ = _over(
            self.headings, [line if head else () for line, head in zip(lines, is_heading, strict=True)]
        )
        above = (
            np.maximum.accumulate(np.where(is_heading, np.arange(len(lines)), -1))
            if len(lines)
            else np.zeros(0, np.intp)
        )
        for name, column in (("heading_mean", mean), ("heading_low", low)):
            yield name, np.where(above >= 0, column[np.maximum(above, 0)], 0.0) if len(lines) else column

    def name_columns(self, page: Page, levels: Levels) -> Iterator[tuple[str, Floats]]:
        """What the names of the elements around each block tell: in sum, the worst, the best, the nearest."""
        own = np.zeros(len(page.nodes))
        for node, found in names_of(page):
            own[node] += sum(self.names.get(word, 0.0) for word in found)
        at = page.blocks.container
        yield "names_sum", levels.down(own, np.add)[at]
        yield "names_low", levels.down(own, np.minimum)[at]
        yield "names_high", levels.down(own, np.maximum)[at]
        yield "names_near", levels.down(own, _nearest)[at]


def _nearest(above: Floats, own: Floats) -> Floats:
    return np.where(own != 0, own, above)


def _over(weights: Mapping[str, float], lines: Sequence[Iterable[str]]) -> tuple[Floats, Floats, Floats]:
    """Mean, lowest and highest weight of the words of each line that have one."""
    mean, low, high = np.zeros((3, len(lines)))
    for place, line in enumerate(lines):
        found = [weights[word] for word in line if word in weights]
        if found:
            # Sorted, since a sum of floats depends on the order, and sets have none that stays.
            mean[place] = sum(sorted(found)) / len(found)
            low[place], high[place] = min(found), max(found)
    return mean, low, high
