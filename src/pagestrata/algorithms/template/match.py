"""Matching a page with a template: which node of the template each node of the page is an example of."""

from dataclasses import dataclass, field
from typing import Final, NamedTuple

import numpy as np

from pagestrata.algorithms.template.align import FILLED_FIRST, MOST_CELLS, align_greedily, forced, takers
from pagestrata.algorithms.template.features import Leaves
from pagestrata.algorithms.template.loops import align, fit
from pagestrata.algorithms.template.structure import Structure, structure_of
from pagestrata.algorithms.template.tree import CHOICE, Tree
from pagestrata.page.nodes import Ints
from pagestrata.page.page import Page

MOST_SEEN: Final = 100_000
"""Subtrees remembered while matching: those of a hundred pages or more."""

Seen = dict[tuple[int, int, int], tuple[tuple[list[int], list[int]], int]]
"""By node of the template, form and text of a subtree: places and missing nodes of a page that had it, and where."""


@dataclass(frozen=True, eq=False)
class Match:
    """How a page fits a template."""

    template_node: Ints
    """int32, one per node of the page: the node of the template, or -1 for what fits nothing."""
    distance: float
    """In [0, 1]: the share of nodes without a partner, of those of the page and those the template requires."""
    missing: int
    """Nodes the template requires and the page has not."""
    structure: Structure = field(repr=False)
    places: list[int] = field(repr=False)
    """The node of the template for each node of the structure."""

    @property
    def leaves(self) -> Leaves:
        """The leaves of the structure, and what they show."""
        return self.structure.leaves


class Matcher:
    """A template made ready to match pages. It remembers subtrees by form and text: they match as before."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.shapes = tree.shapes()
        self.required = _required(tree)
        self.items: dict[int, _Items] = {}
        self.members = {node: _by_tag(tree, kids) for node, kids in enumerate(tree.kids) if tree.is_group(node)}
        self.expected = [_expected(tree, kids) for kids in tree.kids]
        self.starred = _starred(tree)
        self.is_leaf = [not kids for kids in tree.kids]
        self.seen: Seen = {}

    def match(self, page: Page, structure: Structure | None = None) -> Match:
        """Which node of the template each node of the page is an example of, and how badly the two fit."""
        structure = structure or structure_of(page)
        places, missing = self._places(structure) if len(self.tree) and len(structure) else ([-1] * len(structure), 0)
        template_node = np.full(len(page.nodes), -1, np.int32)
        template_node[structure.nodes] = places
        lost = places.count(-1) + missing
        distance = lost / (len(places) + missing) if places else 1.0
        return Match(template_node, distance, missing, structure, places)

    def _places(self, page: Structure) -> tuple[list[int], int]:
        """The node of the template for each node of the page, and how many required nodes are missing."""
        tree, seen, ends = self.tree, self.seen, page.end
        new: Seen = {}
        places, missing = [-1] * len(page), [0] * len(page)
        both = (places, missing)
        stack = [(0, 0)] if tree.tag[0] == page.tag[0] else []
        while stack:
            node, place = stack.pop()
            places[place] = node
            end = ends[place]
            content = 0 if self.starred[node] else page.content[place]
            key = (node, page.form[place], content)
            known, same = seen.get(key) or new.setdefault(key, (both, place))
            if known is not both or same != place:
                places[place:end] = known[0][same : same + end - place]
                missing[place:end] = known[1][same : same + end - place]
                continue
            pairs, missing[place] = self._pair(node, page, page.children(place))
            for pair in reversed(pairs):
                kid, child = pair
                if self.is_leaf[kid] and ends[child] == child + 1:
                    places[child] = kid
                else:
                    stack.append(pair)
        if len(seen) > MOST_SEEN:
            seen.clear()
        seen.update(new)  # only now are they whole, should another thread match at the same time
        return places, sum(missing)

    def _pair(self, node: int, page: Structure, children: list[int]) -> tuple[list[tuple[int, int]], int]:
        """Partners for the children of a node of the page, and how many required nodes have none."""
        tree, kids = self.tree, self.tree.kids[node]
        tags = [page.tag[child] for child in children]
        if tags == self.expected[node]:
            return list(zip(kids, children, strict=True)), 0
        taken = self._taken(node, page, children, tags)
        pairs = []
        by_kid: dict[int, list[int]] = {}
        for child, kid in zip(children, taken, strict=True):
            if kid >= 0:
                by_kid.setdefault(kid, []).append(child)
        lost = 0
        for place, kid in enumerate(kids):
            mine = by_kid.get(place)
            if mine is None:
                lost += 0 if tree.operator[kid] else self.required[kid]
            elif not tree.is_group(kid):
                pairs += [(kid, child) for child in mine]
            elif tree.tag[kid] == CHOICE:
                members, tag = self.members[kid], page.tag
                alike = [members[tag[child]] for child in mine]
                pairs += [
                    (same[0] if len(same) == 1 else self._best(same, page, child), child)
                    for same, child in zip(alike, mine, strict=True)
                ]
            else:
                found, without = self._cycle(kid, page, mine)
                pairs += found
                lost += without
        return pairs, lost

    def _taken(self, node: int, page: Structure, children: list[int], tags: list[str]) -> list[int]:
        """The item of the template for each child, or -1."""
        items = self._items(node)
        taken = forced(items.takes, items.repeats, tags)
        if taken is not None:
            return taken
        if len(items.repeats) * len(children) > MOST_CELLS:
            return align_greedily(items.takes, items.repeats, tags)
        return align(self._scores(node, page, children, tags), items.repeats)

    def _items(self, node: int) -> "_Items":
        """What the items of a node take, made when first needed."""
        if node not in self.items:
            self.items[node] = _items(self.tree, self.tree.kids[node])
        return self.items[node]

    def _scores(self, node: int, page: Structure, children: list[int], tags: list[str]) -> list[list[float]]:
        """The worth of each child at each item of a node, as `align` wants it; 0 where the tag does not fit.

        Children that look alike are compared once; their text matters only where an item expects a text.
        """
        kids, items = self.tree.kids[node], self._items(node)
        scores = [[0.0] * len(children) for _ in kids]
        columns: dict[tuple[str, int, str, int], list[tuple[int, float]]] = {}
        for place, (child, tag) in enumerate(zip(children, tags, strict=True)):
            content = page.content[child]
            look = (tag, page.shape[child], page.name[child], content if content in items.contents else 0)
            column = columns.get(look)
            if column is None:
                column = [(item, self._worth(kids[item], page, child, tag)) for item in items.takes.get(tag, ())]
                columns[look] = column
            for item, worth in column:
                scores[item][place] = worth
        return scores

    def _worth(self, kid: int, page: Structure, child: int, tag: str) -> float:
        """The worth of a child at an item that takes its tag."""
        tree, shapes = self.tree, self.shapes
        members = self.members[kid][tag] if kid in self.members else (kid,)
        worths = [fit(tree, shapes[member], member, page, child) for member in members]
        return max(worths) + FILLED_FIRST[tree.operator[kid]]

    def _best(self, members: list[int], page: Structure, child: int) -> int:
        """The one of several elements of one tag that a child fits best."""
        return max(members, key=lambda member: fit(self.tree, self.shapes[member], member, page, child))

    def _cycle(self, sequence: int, page: Structure, children: list[int]) -> tuple[list[tuple[int, int]], int]:
        """Go round a repeated sequence; what is skipped on the way is missing."""
        members, pairs, lost, turn = self.tree.kids[sequence], [], 0, 0
        for child in children:
            skipped = 0
            while self.tree.tag[members[turn % len(members)]] != page.tag[child]:
                skipped += self.required[members[turn % len(members)]]
                turn += 1
            lost += skipped
            pairs.append((members[turn % len(members)], child))
            turn += 1
        lost += sum(self.required[member] for member in members[turn % len(members) or len(members) :])
        return pairs, lost


class _Items(NamedTuple):
    """The sequence of items in a node of the template."""

    takes: dict[str, list[int]]
    """For each tag the items that take it."""
    repeats: list[bool]
    """Which items come any number of times."""
    contents: frozenset[int]
    """The texts that items expect, as hashes."""


def _items(tree: Tree, kids: list[int]) -> _Items:
    members = [tree.members(kid) for kid in kids]
    return _Items(
        takers([tree.tag[member] for member in found] for found in members),
        [tree.operator[kid] == "*" for kid in kids],
        frozenset(tree.content[member] for found in members for member in found),
    )


def _by_tag(tree: Tree, members: list[int]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for member in members:
        found.setdefault(tree.tag[member], []).append(member)
    return found


def _expected(tree: Tree, kids: list[int]) -> list[str] | None:
    """The tags of a sequence if each comes once: children of just these tags leave nothing to choose."""
    tags = [tree.tag[kid] for kid in kids]
    return tags if len(set(tags)) == len(tags) else None


def _required(tree: Tree) -> list[int]:
    """How many nodes each node requires, itself included; of a choice the smallest member."""
    order, _ = tree.preorder()
    required = [1] * len(tree)
    for node in reversed(order):
        needs = [required[kid] for kid in tree.kids[node] if not tree.operator[kid]]
        if tree.tag[node] == CHOICE:
            required[node] = min((required[kid] for kid in tree.kids[node]), default=0)
        else:
            required[node] = sum(needs) + (0 if tree.is_group(node) else 1)
    return required


def _starred(tree: Tree) -> list[bool]:
    order, parents = tree.preorder()
    starred = [False] * len(tree)
    for place, node in enumerate(order):
        starred[node] = tree.operator[node] == "*" or (place > 0 and starred[order[parents[place]]])
    return starred
