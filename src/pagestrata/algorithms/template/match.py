"""Matching a page with a template: which node of the template each node of the page is an example of."""

from dataclasses import dataclass, field

import numpy as np

from pagestrata.algorithms.template.features import Leaves
from pagestrata.algorithms.template.loops import match_loops
from pagestrata.algorithms.template.structure import Structure, structure_of
from pagestrata.algorithms.template.tree import CHOICE, Tree
from pagestrata.page.nodes import Ints
from pagestrata.page.page import Page


@dataclass(frozen=True, eq=False)
class Match:
    """The match of a page with a template."""

    template_node: Ints
    """int32, one per node of the page: the node of the template, or -1 for what fits nothing."""
    distance: float
    """In [0, 1]: the share of nodes without a partner, of those of the page and those the template requires."""
    missing: int
    """The number of required nodes that the page does not have."""
    structure: Structure = field(repr=False)
    places: list[int] = field(repr=False)
    """The node of the template for each node of the structure."""

    @property
    def leaves(self) -> Leaves:
        """The leaves of the structure with their features."""
        return self.structure.leaves


class Matcher:
    """A template prepared for matching pages."""

    def __init__(self, tree: Tree) -> None:
        self.loops = match_loops(tree, tree.shapes(), required_nodes(tree), in_lists(tree)) if len(tree) else None

    def match(self, page: Page, structure: Structure | None = None) -> Match:
        """Find the node of the template that each node of the page is an example of, and how badly the two fit."""
        structure = structure or structure_of(page)
        template_node = np.full(len(page.nodes), -1, np.int32)
        places, missing = self._places(structure, template_node)
        lost = places.count(-1) + missing
        distance = lost / (len(places) + missing) if places else 1.0
        return Match(template_node, distance, missing, structure, places)

    def _places(self, structure: Structure, template_node: Ints) -> tuple[list[int], int]:
        """The node of the template for each node of the structure, and how many required nodes are missing."""
        if self.loops is None or not len(structure):
            return [-1] * len(structure), 0
        return self.loops.places(structure, template_node)


def required_nodes(tree: Tree) -> list[int]:
    """Return the number of nodes that each node requires, with itself; a choice requires its smallest member."""
    required = [1] * len(tree)
    for node in reversed(tree.preorder()[0]):
        if tree.tag[node] == CHOICE:
            required[node] = min((required[kid] for kid in tree.kids[node]), default=0)
        else:
            needs = [required[kid] for kid in tree.kids[node] if not tree.operator[kid]]
            required[node] = sum(needs) + (0 if tree.is_group(node) else 1)
    return required


def in_lists(tree: Tree) -> list[bool]:
    """Whether each node is in a list, or is one."""
    order, parents = tree.preorder()
    starred = [False] * len(tree)
    for place, node in enumerate(order):
        starred[node] = tree.operator[node] == "*" or (place > 0 and starred[order[parents[place]]])
    return starred
