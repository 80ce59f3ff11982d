"""Blocks: the pieces of running text that sections are made of."""

from dataclasses import dataclass
from typing import Any

from pagestrata.page import columns
from pagestrata.page.nodes import Bools, Ints


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

    @property
    def node_start(self) -> Ints:
        """Its first text node."""
        return self.table[columns.NODE_START]

    @property
    def node_end(self) -> Ints:
        """One past its last text node."""
        return self.table[columns.NODE_END]

    @property
    def container(self) -> Ints:
        """The nearest block-level element that holds it."""
        return self.table[columns.BLOCK_CONTAINER]

    @property
    def text_start(self) -> Ints:
        """Where it begins in the page's text, in code points."""
        return self.table[columns.BLOCK_TEXT_START]

    @property
    def text_end(self) -> Ints:
        """Where it ends."""
        return self.table[columns.BLOCK_TEXT_END]

    @property
    def words(self) -> Ints:
        """Words; in scripts without spaces, characters."""
        return self.table[columns.BLOCK_WORDS]

    @property
    def characters(self) -> Ints:
        """Characters of its text nodes."""
        return self.table[columns.CHARACTERS]

    @property
    def link_characters(self) -> Ints:
        """Those inside links."""
        return self.table[columns.LINK_CHARACTERS]

    @property
    def hidden_by(self) -> Ints:
        """Why none of it is seen, as a number in `tags.HIDDEN_BY`; 0 when some is."""
        return self.table[columns.HIDDEN_BY]

    @property
    def is_hidden(self) -> Bools:
        """Whether none of it is seen."""
        return self.hidden_by > 0
