"""Blocks: the pieces of running text that sections are made of."""

import re
from dataclasses import dataclass
from operator import mul
from typing import Final

import numpy as np

from pagestrata.page import columns
from pagestrata.page.arrays import Column, Table
from pagestrata.page.nodes import Bools, Ints

MIN_CHARACTERS_PER_WORD: Final = 2.0
"""With fewer characters per word, most of a page has no spaces between words: as we count, Chinese has little more than
1, Korean 3, English 5."""
WORDS_PER_CHARACTER: Final[dict[str, float]] = {
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af": 0.6,
    "\u3040-\u312f\u31a0-\u31ff": 0.35,
    "\u0e00-\u109f\u1780-\u17ff": 0.2,
}
"""English words that correspond to one character of a script: five Chinese characters are about three words, twelve of
Japanese, half of them kana, about five, and five Thai letters one."""
SCRIPT_SAMPLE_LENGTH: Final = 2_000
"""Characters of a page by which its scripts are recognised."""


@dataclass(frozen=True, slots=True, eq=False)
class Blocks(Table):
    """Contiguous inline text under the nearest block-level element. Columns are int32, one entry per block."""

    word_rate: float = 1.0
    """How many words of a script with spaces one word counted here corresponds to; see the function `word_rate`."""

    node_start = Column(columns.NODE_START)
    """The first text node of the block."""
    node_end = Column(columns.NODE_END)
    """One past the last text node of the block."""
    container = Column(columns.BLOCK_CONTAINER)
    """The nearest block-level element that contains the block."""
    text_start = Column(columns.BLOCK_TEXT_START)
    """Where the block begins in the page's text, in code points."""
    text_end = Column(columns.BLOCK_TEXT_END)
    """Where the block ends in the page's text."""
    words = Column(columns.BLOCK_WORDS)
    """The number of words; in scripts without spaces, of characters."""
    characters = Column(columns.CHARACTERS)
    """The number of characters of the text nodes."""
    link_characters = Column(columns.LINK_CHARACTERS)
    """The number of characters inside links."""
    hidden_by = Column(columns.HIDDEN_BY)
    """Why the block is hidden, as a number in `tags.HIDDEN_BY`; 0 if some of it is visible."""

    @property
    def normalised_words(self) -> Ints:
        """The number of words, scaled by `word_rate`, for thresholds and models of pages with spaces between words."""
        return self.words if self.word_rate == 1 else np.asarray(self.words * self.word_rate + 0.5, np.int32)

    @property
    def is_unseen(self) -> Bools:
        """Whether a browser shows nothing of the block."""
        is_unseen: Bools = columns.IS_UNSEEN.take(self.hidden_by)
        return is_unseen


def word_rate(scan: columns.Scan) -> float:
    """Return how many words of a script with spaces one counted word corresponds to: less than 1 in Chinese."""
    if scan.characters >= MIN_CHARACTERS_PER_WORD * sum(scan.words):
        return 1.0
    counts = [len(re.findall(f"[{script}]", scan.text[:SCRIPT_SAMPLE_LENGTH])) for script in WORDS_PER_CHARACTER]
    word_count = sum(map(mul, counts, WORDS_PER_CHARACTER.values()))
    return word_count / sum(counts) if any(counts) else 1.0
