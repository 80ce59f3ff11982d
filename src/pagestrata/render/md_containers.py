"""Collectors of blocks while they are gathered: for a quote or an item, a list, a definition list."""

from dataclasses import dataclass, field
from typing import Final

from pagestrata.render.md_blocks import Block, Definitions, Description, Item, List, Paragraph, Term

LARGEST_NUMBER: Final = 999_999_999
"""The largest number of an item: CommonMark reads nine digits, and no sign."""


@dataclass(slots=True)
class Blocks:
    """Collects the blocks of a quote, an item, a description, a note, or of the page."""

    children: list[Block]

    def add(self, block: Block) -> None:
        """Take the next block."""
        self.children.append(block)


@dataclass(slots=True)
class Items:
    """Collects the items of a list."""

    ordered: bool
    next_number: int = 0
    step: int = 1
    items: list[Item] = field(default_factory=list)

    def add(self, block: Block) -> None:
        """Add a block that is outside of the items: it belongs to the item before it, or becomes the first item."""
        if not self.items:
            self.items.append(self.new_item())
        self.items[-1].children.append(block)

    def new_item(self) -> Item:
        """An item with the next number, as far as CommonMark can write it."""
        number, self.next_number = self.next_number, self.next_number + self.step
        return Item(min(LARGEST_NUMBER, max(0, number)))

    def lists(self) -> list[Block]:
        """Lists whose numbers follow each other: Markdown numbers only the first item."""
        lists: list[List] = []
        for item in self.items:
            follows = lists and (not self.ordered or item.number == lists[-1].items[-1].number + 1)
            if not follows:
                lists.append(List(self.ordered))
            lists[-1].items.append(item)
        return [*lists]


@dataclass(slots=True)
class Entries:
    """Collects the terms and descriptions of a definition list, and what else stands in it."""

    entries: list[Term | Description | Block] = field(default_factory=list)

    def add(self, block: Block) -> None:
        """Take a block that is no part of a definition."""
        self.entries.append(block)

    def blocks(self) -> list[Block]:
        """Pairs as definitions; a term without description as a paragraph, a description without term as its blocks."""
        blocks: list[Block] = []
        pair: list[Term | Description] = []
        for entry in self.entries:
            if isinstance(entry, Description) and pair:
                pair.append(entry)
                continue
            _add_pair(blocks, pair)
            pair = [entry] if isinstance(entry, Term) else []
            if isinstance(entry, Description):
                blocks.extend(entry.children)
            elif not isinstance(entry, Term):
                blocks.append(entry)
        _add_pair(blocks, pair)
        return blocks


def _add_pair(blocks: list[Block], pair: list[Term | Description]) -> None:
    if len(pair) > 1:
        if not (blocks and isinstance(blocks[-1], Definitions)):
            blocks.append(Definitions())
        blocks[-1].entries.extend(pair)  # type: ignore[union-attr]  # put there above
    elif pair and isinstance(pair[0], Term):
        blocks.append(Paragraph(pair[0].line))


Container = Blocks | Items | Entries
"""Where the next block goes."""
