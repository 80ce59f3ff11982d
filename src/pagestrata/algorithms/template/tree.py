"""The template while it grows: parallel lists, one entry per node, nodes in the order they were made.

A node is an element (`tag` says which), a sequence (`tag` is empty) or a choice (`tag` is `|`). Its operator says how
often it comes: once, `?` at most once, `*` any number of times. Sequences come only with `*`: `(dt dd)*`; the members
of sequences and choices are elements.
"""

from dataclasses import dataclass, field
from typing import Final

from pagestrata.algorithms.template.structure import shapes

SEQUENCE: Final = ""
CHOICE: Final = "|"


@dataclass(slots=True)
class Tree:
    """A tree regular expression with supports; node 0 is the root element."""

    tag: list[str] = field(default_factory=list)
    name: list[str] = field(default_factory=list)
    operator: list[str] = field(default_factory=list)
    kids: list[list[int]] = field(default_factory=list)
    support: list[int] = field(default_factory=list)
    """Pages that have the node."""
    features: list[dict[str, int]] = field(default_factory=list)
    """Of leaves: pages that have the feature there."""
    content: list[int] = field(default_factory=list)
    """The hash of the text most pages have there; 0 for none."""
    votes: list[int] = field(default_factory=list)
    """By how many pages it leads (majority vote of Boyer and Moore)."""
    group: list[int] = field(default_factory=list)
    """The sequence or choice that an element is a member of, or -1."""
    pages: int = 0

    def __len__(self) -> int:
        return len(self.tag)

    def add(self, tag: str, name: str = "", operator: str = "") -> int:
        """Make a node; it has no place yet."""
        self.tag.append(tag)
        self.name.append(name)
        self.operator.append(operator)
        self.kids.append([])
        self.support.append(0)
        self.features.append({})
        self.content.append(0)
        self.votes.append(0)
        self.group.append(-1)
        return len(self.tag) - 1

    def is_group(self, node: int) -> bool:
        """Whether it is a sequence or a choice."""
        return self.tag[node] == SEQUENCE or self.tag[node] == CHOICE

    def repeats(self, node: int) -> bool:
        """Whether it, or the sequence or choice it is a member of, comes any number of times."""
        group = self.group[node]
        return self.operator[node] == "*" or (group >= 0 and self.operator[group] == "*")

    def members(self, node: int) -> list[int]:
        """The elements that an item of a sequence stands for."""
        return self.kids[node] if self.is_group(node) else [node]

    def preorder(self) -> tuple[list[int], list[int]]:
        """All nodes in document order, and the place of the parent of each in that order; -1 for the root."""
        order: list[int] = []
        parents: list[int] = []
        stack = [(0, -1)] if self.tag else []
        while stack:
            node, parent = stack.pop()
            if self.kids[node]:
                stack += [(kid, len(order)) for kid in reversed(self.kids[node])]
            order.append(node)
            parents.append(parent)
        return order, parents

    def shapes(self) -> list[int]:
        """The shape of each node, of all that may stand below it."""
        order, parents = self.preorder()
        found = [0] * len(self)
        tags = ["#text" if self.is_group(node) else self.tag[node] for node in order]  # groups leave no trace
        shape = shapes(tags, _elements_above(self, order, parents))
        for place, node in enumerate(order):
            found[node] = shape[place]
        return found


def _elements_above(tree: Tree, order: list[int], parents: list[int]) -> list[int]:
    """The nearest element above each node: groups stand for nothing in the page."""
    above = list(parents)
    for place, parent in enumerate(parents):
        if parent > 0 and tree.is_group(order[parent]):
            above[place] = above[parent]
    return above
