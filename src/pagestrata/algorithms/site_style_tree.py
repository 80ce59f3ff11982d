"""Site Style Tree: what every page shows in the same way and the same words is noise (Yi, Liu and Li, KDD 2003).

The trees of a site's pages are laid on each other. Where pages agree on an element they may still differ in its
presentation style, the row of its children; each style has its own elements again. With m pages that have element E,
and the share p_i of them that use the i-th of its l styles,

    NodeImp(E) = - sum of p_i log_m p_i, or 1 if m = 1
    CompImp(E) = (1 - g^l) NodeImp(E) + g^l sum of p_i CompImp(S_i), g = 0.9
    CompImp(S) = the mean of CompImp of its elements
    CompImp(leaf) = 1 - the mean entropy over the m pages of its features, or 1 if m = 1

From memory of the original paper. Ours: leaves are the texts, and their features words. A child is told by its tag:
classes of today name single posts (`post-557`), and one of them on `body` would make every page a style of its own. In
the paper an element is noise if it and all below it are under a threshold, so that in the end texts decide;
the same here. A text whose place is in no learned page is kept.
"""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from pagestrata.algorithms.base import DEFAULTS, Part, segmentation
from pagestrata.options import Options
from pagestrata.page import tags
from pagestrata.page.content_blocks import content_blocks
from pagestrata.page.feed import Feed
from pagestrata.page.page import Page
from pagestrata.page.text import words
from pagestrata.results import Segmentation

ATTENUATION: Final = 0.9
"""The paper's g: the weight of the elements below."""
_SILENT = tuple(bool(flags & tags.SILENT) for flags in tags.BEHAVIOUR)

Style = tuple[str, ...]
"""The tags of the children of an element, in their order."""


def style_entropy(counts: Sequence[int], pages: int) -> float:
    """Return NodeImp of an element, from the number of pages with each of its styles.

    One style on all four pages; another on each; on half of them each: 1/2.

    >>> style_entropy([4], 4), style_entropy([1, 1, 1, 1], 4), style_entropy([2, 2], 4), style_entropy([1], 1)
    (0.0, 1.0, 0.5, 1.0)
    """
    if pages <= 1:
        return 1.0
    return sum(-count / pages * math.log(count / pages, pages) for count in counts if count) + 0.0


def composite(node_importance: float, styles: int, below: float) -> float:
    """Return CompImp of an inner element; its own styles have more weight, the more of them there are.

    With two styles, 1 - 0.9² = 0.19 of its own 0.5 and 0.81 of 1.

    >>> round(composite(0.5, 2, 1.0), 4)
    0.905
    """
    weight = ATTENUATION**styles
    return (1 - weight) * node_importance + weight * below


@dataclass(slots=True)
class Element:
    """An element that pages agree on."""

    pages: int = 0
    styles: dict[Style, list[int]] = field(default_factory=dict)
    """The elements of each style."""
    uses: Counter[Style] = field(default_factory=Counter)
    total: Counter[str] = field(default_factory=Counter)
    """For a text, the frequency f of each word there over all pages,"""
    logs: dict[str, float] = field(default_factory=dict)
    """and the sum of f · ln f over the pages."""

    def read(self, text: str) -> None:
        """Count the words that one more page has here."""
        for word, count in Counter(words(text.lower())).items():
            self.total[word] += count
            self.logs[word] = self.logs.get(word, 0.0) + count * math.log(count)

    def leaf_importance(self) -> float:
        """Return 1 - the mean entropy of its words; 0 for an element without words."""
        if self.pages <= 1:
            return 1.0
        if not self.total:
            return 0.0
        entropies = [math.log(total) - self.logs[word] / total for word, total in self.total.items()]
        return 1 - min(1.0, sum(entropies) / len(entropies) / math.log(self.pages))


@dataclass(frozen=True, slots=True)
class SiteStyleTree:
    """Learns the style tree of a site."""

    def learn(self, pages: Sequence[Page], feed: Feed | None = None) -> "StyledSite":
        """Merge the trees of the pages."""
        elements = [Element()]
        for page in pages:
            lay_on(elements, page)
        return StyledSite(len(pages), elements, importances(elements))


def lay_on(elements: list[Element], page: Page) -> None:
    """Add a page to the tree."""
    shape = _Shape(page)
    places = {0: 0}
    for node in shape.shown():
        element = elements[places[node]]
        element.pages += 1
        if shape.tag[node] == tags.TEXT:
            element.read(page.text_of(node))
            continue
        children = shape.children[node]
        style = shape.style(children)
        if style not in element.styles:
            element.styles[style] = list(range(len(elements), len(elements) + len(children)))
            elements.extend(Element() for _ in children)
        element.uses[style] += 1
        places.update(zip(children, element.styles[style], strict=True))


def importances(elements: Sequence[Element]) -> list[float]:
    """Compute CompImp of all elements from the leaves up; each element comes after its parent in the list."""
    values = [0.0] * len(elements)
    for place in range(len(elements) - 1, -1, -1):
        element = elements[place]
        if not any(element.styles):
            values[place] = element.leaf_importance()
            continue
        node_importance = style_entropy(list(element.uses.values()), element.pages)
        below = sum(
            element.uses[style] / element.pages * sum(values[child] for child in children) / len(children)
            for style, children in element.styles.items()
            if children
        )
        values[place] = composite(node_importance, len(element.styles), below)
    return values


@dataclass(frozen=True, slots=True)
class StyledSite:
    """The style tree of a site with the importance of its elements."""

    pages: int
    elements: list[Element] = field(repr=False)
    importance: list[float] = field(repr=False)

    def segment(self, page: Page, options: Options = DEFAULTS) -> Segmentation:
        """Return a section for each content block; its importance is the mean of its texts', weighted by characters."""
        texts = dict(self.texts(page))
        sizes = (page.nodes.text_end - page.nodes.text_start).tolist()
        parts = []
        for block in content_blocks(page):
            inside = [node for node in range(block.start, block.end) if node in texts]
            size = sum(sizes[node] for node in inside)
            importance = sum(sizes[node] * texts[node] for node in inside) / size if size else 1.0
            parts.append(Part(block.start, block.end, importance, reasons=(f"composite importance {importance:.2f}",)))
        notes = ("learned from one page or none: nothing can be noise",) if self.pages < 2 else ()
        return segmentation(page, parts, options, float(self.pages > 1), notes)

    def texts(self, page: Page) -> Iterator[tuple[int, float]]:
        """Yield each text of a page with the importance of its element; 1 if no learned page has that element."""
        shape = _Shape(page)
        places = {0: 0}
        for node in shape.shown():
            place = places.get(node)
            if shape.tag[node] == tags.TEXT:
                yield node, 1.0 if place is None else self.importance[place]
            elif place is not None:
                children = shape.children[node]
                child_places = self.elements[place].styles.get(shape.style(children))
                if child_places:
                    places.update(zip(children, child_places, strict=True))


class _Shape:
    """The elements and texts of a page that can show something."""

    def __init__(self, page: Page) -> None:
        nodes = page.nodes
        self.tag = nodes.tag.tolist()
        self.names = nodes.names
        self.children: list[list[int]] = [[] for _ in self.tag]
        self.is_shown = [True] * len(self.tag)
        for node, parent in enumerate(nodes.parent.tolist()):
            number = self.tag[node]
            is_silent = number < len(_SILENT) and _SILENT[number]
            if parent >= 0:
                self.is_shown[node] = self.is_shown[parent] and not is_silent
                if self.is_shown[node]:
                    self.children[parent].append(node)

    def shown(self) -> Iterator[int]:
        """Return all nodes that can show something, parents first."""
        return (node for node, shown in enumerate(self.is_shown) if shown)

    def style(self, children: Sequence[int]) -> Style:
        """Return the tags of children."""
        return tuple(self.names[self.tag[child]] for child in children)
