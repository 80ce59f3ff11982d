"""Blocks: the pieces of running text that sections are made of."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from pagestrata.page import columns
from pagestrata.page.nodes import Bools, Ints

SPACELESS: Final = 2.0
"""Characters a word below which most of a page has no spaces between words: Chinese has little more than 1 as we count,
Korean 3, English 5."""
WORDS_A_CHARACTER: Final = 0.6
"""What a character of such a script says, in words: five Chinese characters are about three English words."""


@dataclass(frozen=True, slots=True, eq=False)
class Blocks:
    """Contiguous inline text under the nearest block-level element. Columns are int32, one entry per block."""

    table: Ints

    def __post_init__(self) -> None:
        self.table.flags.writeable = False

    def __reduce__(self) -> tuple[Any, ...]:
        return Blocks, (self.table,)

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
    def even_words(self) -> Ints:
        """Words as other scripts would have them, for what was set or learned on pages with spaces between words."""
        words = self.words
        if int(self.characters.sum()) >= SPACELESS * int(words.sum()):
            return words
        return np.asarray(words * WORDS_A_CHARACTER + 0.5, np.int32)

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
