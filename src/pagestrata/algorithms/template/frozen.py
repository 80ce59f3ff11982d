"""FrozenTree: a tree regular expression with supports that no longer grows, and matching pages with it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final, Self

from pagestrata.algorithms.template.features import Counts, counts_of
from pagestrata.algorithms.template.labels import number
from pagestrata.algorithms.template.loops import path_hash
from pagestrata.algorithms.template.match import Match, Matcher, in_lists
from pagestrata.algorithms.template.structure import Structure
from pagestrata.algorithms.template.tree import CHOICE, SEQUENCE, Tree
from pagestrata.errors import ModelError
from pagestrata.page.page import Page

NODE_SUPPORT: Final = 0.20
"""Features are kept at nodes that more than this share of the pages have. From the paper."""
MIN_SUPPORT: Final = 2
"""A feature of only one page is no evidence for others. Ours, for small samples."""


@dataclass(frozen=True)
class FrozenTree:
    """A tree regular expression in document order, with supports: one entry per node, node 0 is the root element."""

    label: tuple[str, ...]
    """A tag with its name if that is always the same (`div.post`), `|` for a choice, empty for a sequence."""
    operator: tuple[str, ...]
    """Empty for exactly once, `?` for at most once, `*` for any number of times."""
    parent: tuple[int, ...]
    end: tuple[int, ...]
    """One past the last node below."""
    support: tuple[int, ...]
    """The number of sample pages that have the node: PS(node)."""
    features: tuple[Mapping[str, int], ...]
    """For leaves, the number of sample pages that have a text, link or image there: PS(feature)."""
    content: tuple[int, ...]
    """A hash of the text that most pages have there, 0 for none; it identifies a menu that has moved."""
    votes: tuple[int, ...]
    """By how many pages that text is ahead of others."""
    pages: int = 0
    """The number of pages it was learned from: k."""
    cut: int = 0
    """The number of nodes of the sample that did not fit into the template."""
    node_support: float = NODE_SUPPORT
    """Features are kept at nodes that more than this share of the pages have."""
    cut_mixed: bool = True
    """Whether sections with repeated and new lines are cut further. Ours; the paper does not."""

    @classmethod
    def freeze(cls, tree: Tree, node_support: float, cut: int = 0, cut_mixed: bool = True) -> Self:
        """Freeze a tree that has grown: nodes in document order, without features of too few pages."""
        order, parents = tree.preorder()
        votes = _votes(tree, order)
        return cls(
            label=tuple(tree.tag[node] + tree.name[node] for node in order),
            operator=tuple(tree.operator[node] for node in order),
            parent=tuple(parents),
            end=ends_of(parents),
            support=tuple(tree.support[node] for node in order),
            features=tuple(_supported_features(tree, node, node_support) for node in order),
            content=tuple(tree.content[node] if count else 0 for node, count in zip(order, votes, strict=True)),
            votes=tuple(votes),
            pages=tree.pages,
            cut=cut,
            node_support=node_support,
            cut_mixed=cut_mixed,
        )

    def __len__(self) -> int:
        return len(self.label)

    def match(self, page: Page, structure: Structure | None = None) -> Match:
        """Match a page: find the template node of each of its nodes, and compute the distance between the two.

        A caller that matches or learns a page more than once can compute its `structure` once and pass it.
        """
        return self.matcher.match(page, structure)

    @cached_property
    def matcher(self) -> Matcher:
        """The matcher of this template, created once."""
        return Matcher(self.tree())

    @cached_property
    def known(self) -> list[Counts | None]:
        """The counted features of each node with enough support; the last entry is for no node."""
        min_pages = self.node_support * self.pages
        counted = zip(self.features, self.support, strict=True)
        return [*(counts_of(features, pages) if pages > min_pages else None for features, pages in counted), None]

    @cached_property
    def by_path(self) -> dict[int, Counts]:
        """The features at each path of tags with their largest support there, for leaves that match no node."""
        paths: list[int] = []
        counts_by_path: dict[int, dict[str, int]] = {}
        for label, parent, features in zip(self.label, self.parent, self.features, strict=True):
            tag = split_label(label)[0]
            above = paths[parent] if parent >= 0 else 0
            paths.append(above if tag in (CHOICE, SEQUENCE) else path_hash(above, number(tag)))
            path_counts = counts_by_path.setdefault(paths[-1], {}) if features else {}
            for feature, count in features.items():
                path_counts[feature] = max(count, path_counts.get(feature, 0))
        return {path: counts_of(counts, self.pages) for path, counts in counts_by_path.items()}

    def tree(self) -> Tree:
        """Return a tree that can grow; features of only one page are missing."""
        labels = [split_label(label) for label in self.label]
        kids: list[list[int]] = [[] for _ in labels]
        for node in range(1, len(labels)):
            kids[self.parent[node]].append(node)
        is_group = [tag in (CHOICE, SEQUENCE) for tag, _ in labels]
        return Tree(
            tag=[tag for tag, _ in labels],
            name=[name for _, name in labels],
            operator=list(self.operator),
            kids=kids,
            support=list(self.support),
            features=[dict(features) for features in self.features],
            content=list(self.content),
            votes=list(self.votes),
            group=[parent if parent >= 0 and is_group[parent] else -1 for parent in self.parent],
            pages=self.pages,
        )

    def check(self) -> None:
        """Raise `ModelError` if the columns are not those of a tree in document order."""
        columns = (self.operator, self.parent, self.end, self.support, self.features, self.content, self.votes)
        if any(len(column) != len(self.label) for column in columns):
            raise ModelError("this is no template: its columns differ in length")
        if not set(self.operator) <= {"", "?", "*"}:
            raise ModelError("this is no template: it has an unknown operator")
        open_nodes: list[int] = []
        ends = [0] * len(self)
        for node, parent in enumerate(self.parent):
            while open_nodes and open_nodes[-1] != parent:
                ends[open_nodes.pop()] = node
            if (parent == -1) != (node == 0) or (node > 0 and not open_nodes):
                raise ModelError(f"this is no template: node {node} has no place in it")
            open_nodes.append(node)
        for node in open_nodes:
            ends[node] = len(self)
        if tuple(ends) != self.end:
            raise ModelError("this is no template: its nodes do not end where they should")


@lru_cache(maxsize=4096)
def split_label(label: str) -> tuple[str, str]:
    """Split a label into tag and name.

    >>> split_label("div.post"), split_label("div#main"), split_label("#text"), split_label("|")
    (('div', '.post'), ('div', '#main'), ('#text', ''), ('|', ''))
    """
    dot, hash_sign = label.find(".", 1), label.find("#", 1)
    place = min(dot, hash_sign) if dot > 0 and hash_sign > 0 else max(dot, hash_sign)
    return (label[:place], label[place:]) if place > 0 else (label, "")


def ends_of(parents: Sequence[int]) -> tuple[int, ...]:
    """Return one past the last node below each node of a tree in document order."""
    ends = list(range(1, len(parents) + 1))
    for place in range(len(parents) - 1, 0, -1):
        ends[parents[place]] = max(ends[parents[place]], ends[place])
    return tuple(ends)


def _votes(tree: Tree, order: list[int]) -> list[int]:
    """Return the lead of each node's text, 0 with fewer than two pages and in lists, whose items may come and go."""
    is_in_list = in_lists(tree)
    return [0 if is_in_list[node] or tree.votes[node] < MIN_SUPPORT else tree.votes[node] for node in order]


def _supported_features(tree: Tree, node: int, node_support: float) -> dict[str, int]:
    """Return the features with enough support, sorted by name so that the same pages give the same file."""
    if tree.support[node] <= node_support * tree.pages:
        return {}
    return {name: count for name, count in sorted(tree.features[node].items()) if count >= MIN_SUPPORT}
