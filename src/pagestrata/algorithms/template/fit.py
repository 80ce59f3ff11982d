"""How well a node of a page fits a node of a template. Tags decide; shape, name and text choose among equals."""

from typing import Final, Protocol

from pagestrata.algorithms.template.skeleton import Skeleton

SAME_TEXT: Final = 4.0
"""Worth of a text that is the same as on most pages: more than any likeness, since menus move but do not change."""
SAME_NAME: Final = 0.5
OTHER_NAME: Final = -0.25
"""Worth of class names; small, since many pages have none that mean anything."""
FILLED_FIRST: Final = {"": 0.05, "?": 0.02, "*": 0.0}
"""Worth by operator: of two equal places the one that must be filled is filled first, and a list takes what is left."""
LEAST: Final = 0.01
FITS_FROM: Final = 0.4
"""Likeness from which two of several elements with one tag may be the same place: a fifth of the shape shared."""


class TreeColumns(Protocol):
    """What is read of the template."""

    name: list[str]
    content: list[int]


def likeness(a: int, b: int) -> float:
    """Of two shapes: halfway between how much they share and how much of the smaller is in the larger.

    >>> likeness(0b111, 0b111), likeness(0b1111, 0b0001)
    (1.0, 0.7)
    """
    if a == b:
        return 1.0
    shared, of_a, of_b = (a & b).bit_count(), a.bit_count(), b.bit_count()
    of_all, of_smaller = (shared + 1) / (of_a + of_b - shared + 1), (shared + 1) / (min(of_a, of_b) + 1)
    return (of_all + of_smaller) / 2


def fit(tree: TreeColumns, shape: int, node: int, page: Skeleton, child: int) -> float:
    """The worth of pairing an element of the template with a node of the same tag."""
    worth = likeness(shape, page.shape[child])
    name, content = tree.name[node], tree.content[node]
    if name:
        worth += SAME_NAME if name == page.name[child] else OTHER_NAME
    if content and content == page.content[child]:
        worth += SAME_TEXT
    return worth if worth > LEAST else LEAST
