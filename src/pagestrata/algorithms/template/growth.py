"""Growing a tree regular expression: the first page gives its structure, each further page generalises it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from pagestrata.algorithms.template.features import Leaves
from pagestrata.algorithms.template.fold import ALIKE, MEDLEY, RUN, SINGLE, Item, fold
from pagestrata.algorithms.template.loops import align, align_greedily, fit, forced, likeness, takers
from pagestrata.algorithms.template.structure import Structure, similarity, structure_of
from pagestrata.algorithms.template.tree import CHOICE, SEQUENCE, Tree
from pagestrata.native.template import FILLED_FIRST, MOST_CELLS
from pagestrata.page.page import Page

FITS_FROM: Final = 0.4
"""The likeness from which two elements with one tag may be at the same place: a fifth of the shape is shared."""
MOST_NODES: Final = 20_000
"""The limit on the nodes of a template; the rest is cut, with a note. The largest of a development site has 977."""
MOST_ITEMS: Final = 40
"""The limit on a sequence, above which it becomes a repeated choice of its tags; it may double before."""
MOST_MEMBERS: Final = 24
"""The limit on the members of a choice."""
MOST_OF_ONE_TAG: Final = 3
"""The limit on members with one tag in a choice: more would be repetitions."""
JUST_LIKE: Final = 0.8
"""The similarity of shapes from which a neighbour is one more item of a list: four fifths are shared."""
MOST_SEEN: Final = 100_000
"""The number of subtrees that are cached while learning: those of a hundred pages or more."""

Pairs = list[tuple[int, int]]
"""A node of the template, a node of the page."""


@dataclass(slots=True)
class _Memory:
    """A cache of subtrees that joined the template: while it is unchanged, the same subtree need not join again."""

    known: dict[tuple[int, int, int], tuple[list[int], int, int]] = field(default_factory=dict)
    """By node of the template, form and text: the mapping of a page, the place in it, the number of that page."""
    changed: dict[int, int] = field(default_factory=dict)
    """The number of the last page that changed the template at or below a node."""


class TreeBuilder:
    """A tree that grows page by page."""

    def __init__(self, most_nodes: int = MOST_NODES, tree: Tree | None = None, cut: int = 0) -> None:
        self.most_nodes = most_nodes
        self.tree = tree or Tree()
        self.cut = cut
        """Nodes of the pages that had no room."""
        self.memory = _Memory()

    def add(self, page: Page, structure: Structure | None = None) -> None:
        """Generalise the template so that it accepts this page, and count the nodes and features of the page."""
        structure = structure or structure_of(page)
        growth = _Growth(self.tree, structure, self.most_nodes, self.memory)
        mapping = growth.run()
        self.cut += mapping.count(-1)
        self._count(structure, mapping)
        self._count_features(structure.leaves, mapping)
        for node in growth.crowded:
            gather(self.tree, node)
        if growth.crowded or len(self.memory.known) > MOST_SEEN:
            self.memory = _Memory()

    def _count(self, page: Structure, mapping: list[int]) -> None:
        tree = self.tree
        tree.pages += 1
        found = set(mapping)
        found.discard(-1)
        groups = {tree.group[node] for node in found}
        groups.discard(-1)
        for node in found | groups:
            tree.support[node] += 1
        lists = {node for node in found if tree.repeats(node)}
        in_list = [False] * (len(mapping) + 1)  # the last one for the parent of the root
        for place, (node, parent, content) in enumerate(zip(mapping, page.parent, page.content, strict=True)):
            if node in lists or in_list[parent]:
                in_list[place] = True
            elif node >= 0 and content:
                _vote(tree, node, content)

    def _count_features(self, leaves: Leaves, mapping: list[int]) -> None:
        found = {(mapping[leaf], feature) for leaf, features in leaves if mapping[leaf] >= 0 for feature in features}
        features = self.tree.features
        for node, feature in found:
            counts = features[node]
            counts[feature] = counts.get(feature, 0) + 1


def _vote(tree: Tree, node: int, content: int) -> None:
    if tree.content[node] == content:
        tree.votes[node] += 1
    elif tree.votes[node] > 0:
        tree.votes[node] -= 1
    else:
        tree.content[node], tree.votes[node] = content, 1


class _Growth:
    """Adds one page to a template."""

    def __init__(self, tree: Tree, page: Structure, most_nodes: int, memory: _Memory) -> None:
        self.tree, self.page, self.most_nodes, self.memory = tree, page, most_nodes, memory
        self.changes = 0
        self.shapes = tree.shapes()
        self.fresh: set[int] = set()
        self.crowded: list[int] = []
        self.chosen: dict[tuple[int, str, int], int] = {}

    def run(self) -> list[int]:
        """Return for each node of the page the node of the template that it matches now."""
        if not self.tree.tag and len(self.page):
            self.create(0)
        tree, page, mapping = self.tree, self.page, [-1] * len(self.page)
        known, changed, now = self.memory.known, self.memory.changed, self.tree.pages
        in_list = [False] * len(page)
        stack: Pairs = [(0, 0)] if tree.tag[:1] == page.tag[:1] != [] else []
        while stack:
            node, place = stack.pop()
            mapping[place] = node
            if tree.name[node] != page.name[place]:
                tree.name[node] = ""
            end = page.end[place]
            if end == place + 1 and not tree.kids[node]:
                self.fresh.discard(node)
                continue
            in_list[place] = tree.repeats(node) or (place > 0 and in_list[page.parent[place]])
            key = (node, page.form[place], 0 if in_list[place] else page.content[place])
            before, same, when = known.get(key, (mapping, place, -1))
            if when == now or when > changed.get(node, now):
                mapping[place:end] = before[same : same + end - place]
                continue
            known[key] = (mapping, place, now)
            changes = self.changes
            stack += reversed(self.expand(node, place))
            if self.changes > changes:
                self.mark(mapping, place)
        return mapping

    def mark(self, mapping: list[int], place: int) -> None:
        """Record that the template changed at a node, and therefore below all nodes above it."""
        changed, now = self.memory.changed, self.tree.pages
        while place >= 0 and changed.get(mapping[place]) != now:
            changed[mapping[place]] = now
            place = self.page.parent[place]

    def expand(self, node: int, place: int) -> Pairs:
        """Merge the children of a node of the page into the template; return the pairs of nodes."""
        children, kids = self.page.children(place), self.tree.kids[node]
        if node in self.fresh:
            self.fresh.discard(node)
            pairs = self.insert(kids, fold(self.page, children), "")
        elif self.is_as_expected(kids, children):
            pairs = list(zip(kids, children, strict=True))
        else:
            pairs = self.merge(node, fold(self.page, children))
        if len(self.tree.kids[node]) > MOST_ITEMS:
            self.crowded.append(node)
        return pairs

    def is_as_expected(self, kids: list[int], children: list[int]) -> bool:
        """Whether the children have exactly the tags of the template, each once, so that no alignment is needed."""
        if len(kids) != len(children):
            return False
        tags = [self.page.tag[child] for child in children]
        return tags == [self.tree.tag[kid] for kid in kids] and len(set(tags)) == len(tags)

    # ------------------------------------------------------------------------------------------------- new nodes

    def create(self, child: int, operator: str = "") -> int:
        """Create a node like one of the page; its children are created when it is visited."""
        node = self.tree.add(self.page.tag[child], self.page.name[child], operator)
        self.shapes.append(self.page.shape[child])
        self.changes += 1
        self.fresh.add(node)
        return node

    def create_group(self, tag: str, operator: str, members: Iterable[int] = ()) -> int:
        """Create a sequence or a choice."""
        group = self.tree.add(tag, "", operator)
        self.shapes.append(0)
        self.changes += 1
        for member in members:
            self.tree.support[group] = max(self.tree.support[group], self.tree.support[member])
            self.join(group, member)
        return group

    def join(self, group: int, member: int) -> None:
        """Make an element a member of a sequence or choice."""
        self.tree.kids[group].append(member)
        self.tree.group[member] = group
        self.tree.operator[member] = ""

    def set_operator(self, node: int, operator: str) -> None:
        if self.tree.operator[node] != operator:
            self.tree.operator[node] = operator
            self.changes += 1

    def insert(self, kids: list[int], items: Iterable[Item], operator: str) -> Pairs:
        """Create nodes for items that the template does not have."""
        pairs: Pairs = []
        for item in items:
            if len(self.tree) + item.period >= self.most_nodes or len(kids) >= 2 * MOST_ITEMS:
                break
            if item.sort == SINGLE:
                kids.append(self.create(item.children[0], operator))
                pairs.append((kids[-1], item.children[0]))
            elif item.sort == RUN and item.period == 1:
                kids.append(self.create(item.children[0], "*"))
                pairs += [(kids[-1], child) for child in item.children]
            elif item.sort == RUN:
                members = [self.create(child) for child in item.children[: item.period]]
                kids.append(self.create_group(SEQUENCE, "*", members))
                pairs += [(members[i % item.period], child) for i, child in enumerate(item.children)]
            else:
                kids.append(self.create_group(CHOICE, "*"))
                pairs += self.choose(kids[-1], item.children)
        return pairs

    def choose(self, group: int, children: Sequence[int]) -> Pairs:
        """Return the member of a choice that each child matches; children without a match become members."""
        page, pairs = self.page, []
        for child in children:
            key = (group, page.tag[child], page.shape[child])
            member = self.chosen.get(key)
            if member is None:
                member = self.chosen[key] = self.member(group, child)
            if member >= 0:
                pairs.append((member, child))
        return pairs

    def member(self, group: int, child: int) -> int:
        members = self.tree.kids[group]
        same = [member for member in members if self.tree.tag[member] == self.page.tag[child]]
        shape = self.page.shape[child]
        best = max(same, key=lambda member: likeness(self.shapes[member], shape), default=-1)
        is_like = best >= 0 and likeness(self.shapes[best], shape) >= ALIKE
        room = len(members) < MOST_MEMBERS and len(same) < MOST_OF_ONE_TAG and len(self.tree) < self.most_nodes
        if is_like or not room:
            return best
        new = self.create(child)
        self.join(group, new)
        return new

    # ------------------------------------------------------------------------------------------------- merging

    def merge(self, node: int, items: list[Item]) -> Pairs:
        """Align items with those of the template and generalise where they differ."""
        kids = self.tree.kids[node]
        taken = self.pair(kids, items)
        if -1 in taken:
            taken = self.with_more_of_the_same(kids, items, taken)
        last_of = {kid: place for place, kid in enumerate(taken)}
        merged: list[int] = []
        pairs: Pairs = []
        reached = waiting = 0
        while waiting < len(items):
            first = waiting
            while first < len(items) and taken[first] < 0:
                first += 1
            kid = taken[first] if first < len(items) else len(kids)
            if reached < kid or waiting < first:
                pairs += self.fill_gap(merged, kids[reached:kid], items[waiting:first])
            reached, waiting = kid, first
            if first == len(items):
                break
            last = last_of[kid]
            children = [child for item in items[first : last + 1] for child in item.children]
            absorbed, found = self.absorb(kids[kid], children)
            merged.append(absorbed)
            pairs += found
            reached, waiting = kid + 1, last + 1
        if reached < len(kids):
            pairs += self.fill_gap(merged, kids[reached:], [])
        self.tree.kids[node] = merged
        return pairs

    def pair(self, kids: list[int], items: list[Item]) -> list[int]:
        """Return the item of the template for each item of the page, or -1."""
        tree, page = self.tree, self.page
        if not kids or not items:
            return [-1] * len(items)
        repeats = [tree.operator[kid] == "*" for kid in kids]
        takes = takers([[tree.tag[member] for member in tree.members(kid)] for kid in kids])
        if not any(item.sort == MEDLEY or item.period > 1 for item in items):
            tags = [page.tag[item.children[0]] for item in items]
            taken = forced(takes, repeats, tags) if len(set(tags)) == len(tags) else None
            if taken is not None:
                return taken
        if len(kids) * len(items) > MOST_CELLS:
            return align_greedily(takes, repeats, [page.tag[item.children[0]] for item in items])
        many = self.ambiguous(takes, items)
        examples = [self.examples(item) for item in items]
        return align([[self.worth(kid, each, many) for each in examples] for kid in kids], repeats)

    def with_more_of_the_same(self, kids: list[int], items: list[Item], taken: list[int]) -> list[int]:
        """Make an item a list if the page has one more item like it beside it."""
        for place in range(1, len(items)):
            if taken[place] < 0 <= taken[place - 1] and self.is_another(kids[taken[place - 1]], items[place]):
                taken[place] = taken[place - 1]
        for place in range(len(items) - 2, -1, -1):
            if taken[place] < 0 <= taken[place + 1] and self.is_another(kids[taken[place + 1]], items[place]):
                taken[place] = taken[place + 1]
        return taken

    def is_another(self, kid: int, item: Item) -> bool:
        child = item.children[0]
        if item.sort != SINGLE or self.tree.tag[kid] != self.page.tag[child]:
            return False
        return similarity(self.shapes[kid], self.page.shape[child]) >= JUST_LIKE

    def ambiguous(self, takes: dict[str, list[int]], items: list[Item]) -> set[str]:
        """Return the tags that occur in several items, which must be distinguished by likeness."""
        given = takers([[self.page.tag[child] for child in item.children] for item in items])
        return {tag for side in (takes, given) for tag, places in side.items() if len(places) > 1}

    def examples(self, item: Item) -> list[tuple[int, int]]:
        """Return examples of the children of an item, each with the number of children that it represents."""
        if item.sort != MEDLEY:
            return [(child, 1) for child in item.children[: item.period]]
        found: dict[str, tuple[int, int]] = {}
        for child in item.children:
            first, count = found.get(self.page.tag[child], (child, 0))
            found[self.page.tag[child]] = first, count + 1
        return list(found.values())

    def worth(self, kid: int, examples: list[tuple[int, int]], many: set[str]) -> float:
        """Return the weight of pairing an item of the template with one of the page; 0 for different kinds."""
        if len(examples) == 1:
            return self.best_fit(kid, examples[0][0], many)
        total = sum(count * self.best_fit(kid, child, many) for child, count in examples)
        return total / sum(count for _, count in examples)

    def best_fit(self, kid: int, child: int, many: set[str]) -> float:
        tree, page, tag, best = self.tree, self.page, self.page.tag[child], 0.0
        for member in tree.members(kid):
            if tree.tag[member] == tag:
                worth = fit(tree, self.shapes[member], member, page, child)
                is_better = worth > best
                if is_better and (worth >= 1 or tag not in many or self.is_like(member, child)):
                    best = worth
        return best + FILLED_FIRST[tree.operator[kid]] if best else 0.0

    def is_like(self, member: int, child: int) -> bool:
        return likeness(self.shapes[member], self.page.shape[child]) >= FITS_FROM

    def absorb(self, kid: int, children: list[int]) -> tuple[int, Pairs]:
        """Extend an item of the template by these children; return the item, which may be a new one around it."""
        tree, tags = self.tree, [self.page.tag[child] for child in children]
        if not tree.is_group(kid):
            if all(tag == tree.tag[kid] for tag in tags):
                if len(children) > 1:
                    self.set_operator(kid, "*")
                return kid, [(kid, child) for child in children]
            kid = self.create_group(CHOICE, "*", [kid])
        members = tree.kids[kid]
        if tree.tag[kid] == SEQUENCE:
            period = [tree.tag[member] for member in members]
            if len(tags) % len(period) == 0 and tags == period * (len(tags) // len(period)):
                return kid, [(members[i % len(members)], child) for i, child in enumerate(children)]
            tree.tag[kid] = CHOICE
            self.changes += 1
        if len(children) > 1:
            self.set_operator(kid, "*")
        return kid, self.choose(kid, children)

    def fill_gap(self, merged: list[int], kids: list[int], items: list[Item]) -> Pairs:
        """Make items of the template optional, and insert those of the page; one on each side becomes a choice."""
        tree = self.tree
        if len(kids) == 1 and len(items) == 1 and self.is_replaced(kids[0], items[0]):
            choice = kids[0] if tree.tag[kids[0]] == CHOICE else self.create_group(CHOICE, "", kids)
            merged.append(choice)
            return self.choose(choice, items[0].children)
        for kid in kids:
            if not tree.operator[kid]:
                self.set_operator(kid, "?")
        merged += kids
        return self.insert(merged, items, "?")

    def is_replaced(self, kid: int, item: Item) -> bool:
        return not self.tree.operator[kid] and self.tree.tag[kid] != SEQUENCE and item.sort == SINGLE


def gather(tree: Tree, node: int) -> None:
    """Turn the children of a node into a repeated choice of their tags; of each tag the most frequent remains."""
    best: dict[str, int] = {}
    for kid in tree.kids[node]:
        for member in tree.members(kid):
            known = best.get(tree.tag[member], -1)
            if known < 0 or tree.support[member] > tree.support[known]:
                best[tree.tag[member]] = member
    group = tree.add(CHOICE, "", "*")
    tree.support[group] = tree.support[node]
    for member in list(best.values())[:MOST_MEMBERS]:
        tree.kids[group].append(member)
        tree.group[member] = group
        tree.operator[member] = ""
    tree.kids[node] = [group]
