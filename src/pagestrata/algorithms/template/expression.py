"""A template as text, and back: `html[body[nav[ul[li[a[#text]]*]] (h3 p)* (p|h2)* footer?]]`.

An element is its tag, with its name if it has one (`div.post`); its children follow in square brackets. Round
brackets hold a sequence that repeats, `(dt dd)*`, or a choice, `(E|F)`; their members are elements without operators.
After an item comes its operator: `*` for any number of times, `?` for at most once. Supports and features are not
written: an expression describes the structure of pages, not the counts that were learned from them.
"""

import re
from collections.abc import Iterator
from typing import Final, NoReturn

from pagestrata.algorithms.template.frozen import FrozenTree
from pagestrata.algorithms.template.tree import CHOICE, SEQUENCE, Tree
from pagestrata.errors import UsageError

MAX_LINE_LENGTH: Final = 100
"""The length of a line; longer expressions are split over several lines."""
MAX_INDENT: Final = 40

_TOKEN = re.compile(r"\s*(?:(?P<tag>#text|[A-Za-z][A-Za-z0-9:_-]*)(?P<name>[.#][A-Za-z_][A-Za-z_-]*)?|(?P<sign>\S))")


def expression_of(template: FrozenTree) -> str:
    """Return the template as text."""
    return "".join(_pieces(template)) if len(template) else ""


def _pieces(template: FrozenTree) -> Iterator[str]:
    """Yield the text from left to right: on one line if it fits, else with each item on its own indented line."""
    kids: list[list[int]] = [[] for _ in template.label]
    for node in range(1, len(template)):
        kids[template.parent[node]].append(node)
    lengths = _lengths(template)
    stack: list[tuple[str | int, int]] = [(0, 0)]
    while stack:
        piece, indent = stack.pop()
        if isinstance(piece, str):
            yield piece
            continue
        opening, bar, closing = _marks(template.label[piece], bool(kids[piece]))
        is_spread = lengths[piece] + indent > MAX_LINE_LENGTH and len(kids[piece]) > 1
        inner = min(indent + 1, MAX_INDENT) if is_spread else indent
        gap = "\n" + " " * inner if is_spread else "" if bar else " "
        yield opening + (gap if is_spread else "")
        stack.append((closing + template.operator[piece], 0))
        for place in range(len(kids[piece]) - 1, -1, -1):
            stack.append((kids[piece][place], inner))
            if place:
                stack.append((bar + gap, 0))


def _lengths(template: FrozenTree) -> list[int]:
    """Return the approximate length of each node on one line."""
    lengths = [len(label) + len(sign) + 1 for label, sign in zip(template.label, template.operator, strict=True)]
    for node in range(len(template) - 1, 0, -1):
        lengths[template.parent[node]] += lengths[node]
    return lengths


def _marks(label: str, has_kids: bool) -> tuple[str, str, str]:
    """Return the text before, between and after the children of a node."""
    if label in (CHOICE, SEQUENCE):
        return "(", label, ")"
    return (f"{label}[", "", "]") if has_kids else (label, "", "")


def read_tree(text: str) -> Tree:
    """Return the tree that an expression describes; each node has the support of one page."""
    tree = _Reader(text).tree()
    tree.support = [1] * len(tree)
    return tree


class _Reader:
    """Reads an expression from left to right; `open` are the nodes whose bracket is not closed yet."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.read = Tree(pages=1)
        self.open: list[int] = []
        self.bars: list[int] = []
        self.last = -1
        self.place = 0

    def tree(self) -> Tree:
        for token in _TOKEN.finditer(self.text):
            self.place = token.start()
            if token["tag"]:
                self.add(token["tag"], token["name"] or "")
            else:
                self.sign(token["sign"])
        self.check()
        return self.read

    def check(self) -> None:
        tree = self.read
        if self.open:
            self.fail("a bracket is not closed")
        if not tree.tag or tree.operator[0]:
            self.fail("an expression is one element without operator")
        if any(tree.tag[kid] == SEQUENCE and tree.operator[kid] != "*" for kids in tree.kids for kid in kids):
            self.fail("a sequence in round brackets comes with *")

    def add(self, tag: str, name: str = "") -> None:
        if not self.open and self.read.tag:
            self.fail("there is more than one root")
        node = self.read.add(tag, name)
        if self.open:
            self.read.kids[self.open[-1]].append(node)
            if self.read.is_group(self.open[-1]):
                self.read.group[node] = self.open[-1]
        self.last = node

    def sign(self, sign: str) -> None:
        if sign == "[" and self.last >= 0 and not self.read.is_group(self.last) and not self.read.kids[self.last]:
            self.enter(self.last)
        elif sign == "(" and self.open and not self.read.is_group(self.open[-1]):
            self.add(SEQUENCE)
            self.enter(self.last)
        elif sign == "|" and self.open and self.read.is_group(self.open[-1]) and self.last >= 0:
            self.bars[-1] += 1
            self.last = -1
        elif sign == "]" and self.open and not self.read.is_group(self.open[-1]):
            self.last = self.leave()
        elif sign == ")" and self.open and self.read.is_group(self.open[-1]):
            self.close_group()
        elif sign in "*?" and self.last >= 0 and not self.read.operator[self.last]:
            self.read.operator[self.last] = sign
        else:
            self.fail(f"{sign!r} does not belong here")

    def enter(self, node: int) -> None:
        self.open.append(node)
        self.bars.append(0)
        self.last = -1

    def leave(self) -> int:
        self.bars.pop()
        return self.open.pop()

    def close_group(self) -> None:
        bars, group = self.bars[-1], self.leave()
        members = self.read.kids[group]
        self.last = group
        if len(members) == 1 and not bars:
            self.unwrap(group, members[0])
        elif any(self.read.operator[member] for member in members):
            self.fail("what stands in round brackets has no operators of its own")
        elif bars and bars == len(members) - 1:
            self.read.tag[group] = CHOICE
        elif bars or not members:
            self.fail("a choice has one element between its bars")

    def unwrap(self, group: int, member: int) -> None:
        """`(A)*` is `A*`."""
        siblings = self.read.kids[self.open[-1]]
        siblings[siblings.index(group)] = member
        self.read.group[member] = -1
        self.last = member

    def fail(self, why: str) -> NoReturn:
        raise UsageError(f"cannot read the expression at character {self.place}: {why}")
