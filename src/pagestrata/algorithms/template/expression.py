"""A template as text, and back: `html[body[nav[ul[li[a[#text]]*]] (h3 p)* (p|h2)* footer?]]`.

An element is its tag, with its name if it has one (`div.post`); what stands in it follows in brackets. Round brackets
hold a sequence that repeats, `(dt dd)*`, or a choice, `(E|F)`. Then comes the operator: `*` for any number of times,
`?` for at most once. White space separates.
"""

import re
from typing import TYPE_CHECKING, Final

from pagestrata.algorithms.template.tree import CHOICE, SEQUENCE, Tree
from pagestrata.errors import UsageError

if TYPE_CHECKING:
    from pagestrata.algorithms.template.template import Template

_TOKEN = re.compile(r"\s*(?:(#text|[A-Za-z][A-Za-z0-9:_-]*(?:[.#][A-Za-z_][A-Za-z_-]*)?)|([\[\]()|*?]))")
WIDTH: Final = 100
"""Of a line; longer elements are spread over several."""


def expression_of(template: "Template") -> str:
    """The template as text."""
    pieces: list[str] = []
    written = [""] * len(template)
    below: list[list[int]] = [[] for _ in template.label]
    for node in range(len(template) - 1, -1, -1):
        kids = below[node][::-1]
        label, inside = template.label[node], [written[kid] for kid in kids]
        if label == CHOICE:
            text = f"({_joined(inside, '|')})"
        elif label == SEQUENCE:
            text = f"({_joined(inside, ' ')})"
        else:
            text = label + (f"[{_joined(inside, ' ')}]" if inside else "")
        written[node] = text + template.operator[node]
        for kid in kids:
            written[kid] = ""
        if node:
            below[template.parent[node]].append(node)
    return written[0] if written else ""


def _joined(pieces: list[str], separator: str) -> str:
    """On one line if there is room, else on lines of their own, moved in."""
    line = separator.join(pieces)
    if len(line) <= WIDTH and "\n" not in line:
        return line
    lines = f"{separator.strip()}\n".join(pieces).replace("\n", "\n ")
    return f"\n {lines}"
