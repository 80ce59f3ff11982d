"""Blocks: the pieces of running text that sections are made of."""

import re
from dataclasses import dataclass
from operator import mul
from typing import Any, Final

import numpy as np

from pagestrata.page import columns
from pagestrata.page.nodes import Bools, Ints

SPACELESS: Final = 2.0
"""Characters a word below which most of a page has no spaces between words: Chinese has little more than 1 as we count,
Korean 3, English 5."""
WORDS_A_CHARACTER: Final[dict[str, float]] = {
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af": 0.6,
    "\u3040-\u312f\u31a0-\u31ff": 0.35,
    "\u0e00-\u109f\u1780-\u17ff": 0.2,
}
"""What a character of such scripts says, in words: five Chinese characters are about three English words, twelve of
Japanese, half of them kana, about five, and five Thai letters one."""
LOOKED_AT: Final = 2_000
"""Characters of a page from which that is told."""


@dataclass(frozen=True, slots=True, eq=False)
class Blocks:
    """Contiguous inline text under the nearest block-level element. Columns are int32, one entry per block."""

    table: Ints
    word_rate: float = 1.0
    """What one of the words counted here would be in other scripts; see `word_rate`."""

    def __post_init__(self) -> None:
        self.table.flags.writeable = False

    def __reduce__(self) -> tuple[Any, ...]:
        return Blocks, (self.table, self.word_rate)

    def __len__(self) -> int:
        return int(self.table.shape[1])

    def _column(self, place: int) -> Ints:
        column: Ints = self.table[place]
        return column

    @property
    def node_start(self) -> Ints:
        """Its first text node."""
        return self._column(columns.NODE_START)

    @property
    def node_end(self) -> Ints:
        """One past its last text node."""
        return self._column(columns.NODE_END)

    @property
    def container(self) -> Ints:
        """The nearest block-level element that holds it."""
        return self._column(columns.BLOCK_CONTAINER)

    @property
    def text_start(self) -> Ints:
        """Where it begins in the page's text, in code points."""
        return self._column(columns.BLOCK_TEXT_START)

    @property
    def text_end(self) -> Ints:
        """Where it ends."""
        return self._column(columns.BLOCK_TEXT_END)

    @property
    def words(self) -> Ints:
        """Words; in scripts without spaces, characters."""
        return self._column(columns.BLOCK_WORDS)

    @property
    def normalised_words(self) -> Ints:
        """Words as other scripts would have them, for what was set or learned on pages with spaces between words."""
        return self.words if self.word_rate == 1 else np.asarray(self.words * self.word_rate + 0.5, np.int32)

    @property
    def characters(self) -> Ints:
        """Characters of its text nodes."""
        return self._column(columns.CHARACTERS)

    @property
    def link_characters(self) -> Ints:
        """Those inside links."""
        return self._column(columns.LINK_CHARACTERS)

    @property
    def hidden_by(self) -> Ints:
        """Why none of it is seen, as a number in `tags.HIDDEN_BY`; 0 when some is."""
        return self._column(columns.HIDDEN_BY)

    @property
    def is_unseen(self) -> Bools:
        """Whether a browser shows none of it."""
        is_unseen: Bools = columns.IS_UNSEEN[self.hidden_by]
        return is_unseen

    @property
    def is_hidden(self) -> Bools:
        """Whether none of it is seen."""
        is_hidden: Bools = self.hidden_by > 0
        return is_hidden


def word_rate(found: columns.Scan) -> float:
    """What one of the words that a page has, as we count, would be in other scripts: less than one in Chinese."""
    if found.characters >= SPACELESS * sum(found.words):
        return 1.0
    counts = [len(re.findall(f"[{script}]", found.text[:LOOKED_AT])) for script in WORDS_A_CHARACTER]
    said = sum(map(mul, counts, WORDS_A_CHARACTER.values()))
    return said / sum(counts) if any(counts) else 1.0
