"""What collects blocks while they are gathered: of a quote or an item, of a list, of a definition list."""

from dataclasses import dataclass, field
from typing import Final

from pagestrata.render.md_blocks import Block, Definitions, Description, Item, List, Paragraph, Term

LARGEST_NUMBER: Final = 999_999_999
"""Of an item: CommonMark reads nine digits, and no sign."""


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
        """What stands in a list outside of its items belongs to the item before it, or is one if there is none."""
        if not self.items:
            self.items.append(self.new_item())
        self.items[-1].children.append(block)

    def new_item(self) -> Item:
        """An item with the next number, as far as CommonMark can write it."""
        number, self.next_number = self.next_number, self.next_number + self.step
        return Item(min(LARGEST_NUMBER, max(0, number)))

    def lists(self) -> list[Block]:
        """Lists whose numbers follow each other: Markdown numbers only the first item."""
        found: list[List] = []
        for item in self.items:
            follows = found and (not self.ordered or item.number == found[-1].items[-1].number + 1)
            if not follows:
                found.append(List(self.ordered))
            found[-1].items.append(item)
        return [*found]


@dataclass(slots=True)
class Entries:
    """Collects the terms and descriptions of a definition list, and what else stands in it."""

    entries: list[Term | Description | Block] = field(default_factory=list)

    def add(self, block: Block) -> None:
        """Take a block that is no part of a definition."""
        self.entries.append(block)

    def blocks(self) -> list[Block]:
        """Pairs as definitions; a term without description as a paragraph, a description without term as its blocks."""
        found: list[Block] = []
        pair: list[Term | Description] = []
        for entry in self.entries:
            if isinstance(entry, Description) and pair:
                pair.append(entry)
                continue
            _add_pair(found, pair)
            pair = [entry] if isinstance(entry, Term) else []
            if isinstance(entry, Description):
                found.extend(entry.children)
            elif not isinstance(entry, Term):
                found.append(entry)
        _add_pair(found, pair)
        return found


def _add_pair(found: list[Block], pair: list[Term | Description]) -> None:
    if len(pair) > 1:
        if not (found and isinstance(found[-1], Definitions)):
            found.append(Definitions())
        found[-1].entries.extend(pair)  # type: ignore[union-attr]  # put there above
    elif pair and isinstance(pair[0], Term):
        found.append(Paragraph(pair[0].line))


Container = Blocks | Items | Entries
"""Where the next block goes."""
