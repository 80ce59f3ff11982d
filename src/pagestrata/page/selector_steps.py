"""An estimate of what an XPath costs on a page, before it is run: nothing can stop the parser's engine in the middle.

The engine sorts the nodes of an axis in squared time: `//div[ancestor::div]` took 27 seconds on 20,000 nested elements.
CSS selectors and the axes of children are linear there, or nearly so, and need no estimate.
"""

import re
from collections import Counter
from typing import Final, NamedTuple

from turbohtml import Document, Element

MAX_STEPS: Final = 500_000_000
"""Up to 3 seconds (2026-11-18); `//p[preceding::h2]` on an article with 2,000 paragraphs has a thousandth of them."""
_WIDE_AXES = r"ancestor(?:-or-self)?|following(?:-sibling)?|preceding(?:-sibling)?"
_TEST = r"\s*[\w*-]*(?:\(\))?"
_TOKEN = re.compile(
    r"(?P<literal>\"[^\"]*\"|'[^']*')"
    r"|(?P<open>\[)|(?P<close>\])"
    rf"|(?P<axis>(?P<name>{_WIDE_AXES})\s*::(?P<test>{_TEST}))"
    rf"|(?:descendant(?:-or-self)?\s*::|//)(?P<below>{_TEST})"
    r"|(?P<narrow>@[\w-]+|(?:parent|self|attribute)\s*::\s*[\w*-]+)"
    r"|(?P<fresh>[\w-]+\s*\((?!\))|\b(?:or|and)\b|[|(,=<>+])"
    r"|(?P<child>[\w*-]+(?:\(\))?)"
)


class _Shape(NamedTuple):
    """How many elements a page has, how deep they are nested, and how many of them have one parent at most."""

    tags: Counter[str]
    depth: int
    siblings: int

    def count(self, test: str) -> int:
        """Return how many elements a test may find on the page; at least 1, as factors go."""
        test = test.strip()
        return max(1, self.tags.total() if test in ("", "*") or test.endswith(")") else self.tags[test])

    def width(self, axis: str, test: str) -> int:
        """Return how many nodes an axis may find from one node."""
        if axis.startswith("ancestor"):
            return min(self.count(test), self.depth)
        return min(self.count(test), self.siblings) if axis.endswith("sibling") else self.count(test)


def estimate_steps(document: Document, xpath: str) -> int:
    """Return an upper bound of the steps that the wide axes of an XPath take on a page."""
    if not re.search(rf"{_WIDE_AXES}|descendant|\[.*//", xpath):
        return 0
    shape = _shape_of(document)
    steps, runs, found = 0, 1, 1  # how often the path is run, and how many nodes it has found each time
    outside: list[tuple[int, int]] = []
    for token in _TOKEN.finditer(xpath):
        match token.lastgroup:
            case "open":
                outside.append((runs, found))
                runs, found = runs * found, 1
            case "close" if outside:
                runs, found = outside.pop()
            case "fresh":
                found = 1
            case "axis":
                width = shape.width(token["name"], token["test"])
                steps += runs * found * width * width
                found *= width
            case "below":  # what is below a node is in order already
                found = shape.count(token["below"])
                steps += runs * found
            case "child":
                found = min(shape.count(token["child"]), found * shape.siblings)
    return steps


def _shape_of(document: Document) -> _Shape:
    tags, depth, siblings = Counter[str](), 0, 1
    level = [document.root] if document.root is not None else []
    while level:
        tags.update(element.tag for element in level)
        children = [[child for child in element.children if isinstance(child, Element)] for element in level]
        depth, siblings = depth + 1, max(siblings, *map(len, children))
        level = [child for family in children for child in family]
    return _Shape(tags, depth, siblings)
