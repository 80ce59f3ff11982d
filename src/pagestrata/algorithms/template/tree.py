"""The template while it grows: parallel lists, one entry per node, nodes in the order they were made.

A node is an element (`tag` says which), a sequence (`tag` is empty) or a choice (`tag` is `|`). Its operator says how
often it comes: once, `?` at most once, `*` any number of times. Sequences come only with `*`: `(dt dd)*`; the members
of sequences and choices are elements.
"""

from dataclasses import dataclass, field
from typing import Final

from pagestrata.algorithms.template.loops import preorder, shapes

SEQUENCE: Final = ""
CHOICE: Final = "|"
_GROUPS = (SEQUENCE, CHOICE)


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
        return self.tag[node] in _GROUPS

    def repeats(self, node: int) -> bool:
        """Whether it, or the sequence or choice it is a member of, comes any number of times."""
        group = self.group[node]
        return self.operator[node] == "*" or (group >= 0 and self.operator[group] == "*")

    def members(self, node: int) -> list[int]:
        """The elements that an item of a sequence stands for."""
        return self.kids[node] if self.tag[node] in _GROUPS else [node]

    def preorder(self) -> tuple[list[int], list[int]]:
        """All nodes in document order, and the place of the parent of each in that order; -1 for the root."""
        return preorder(self.kids)

    def shapes(self) -> list[int]:
        """The shape of each node, of all that may stand below it."""
        order, parents = self.preorder()
        found = [0] * len(self)
        is_group = [self.tag[node] in _GROUPS for node in order]
        tags = ["#text" if group else self.tag[node] for node, group in zip(order, is_group, strict=True)]
        above = [parents[parent] if is_group[parent] else parent for parent in parents]  # groups are not in the page
        for node, shape in zip(order, shapes(tags, above), strict=True):
            found[node] = shape
        return found
