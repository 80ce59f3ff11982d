"""The structure of a page with its leaves: all that templates are learned from and matched with."""

from dataclasses import dataclass, fields
from functools import cached_property

from pagestrata.algorithms.template.features import Leaves
from pagestrata.algorithms.template.loops import columns
from pagestrata.algorithms.template.skeleton import Skeleton
from pagestrata.page.page import Page


@dataclass(frozen=True, eq=False)
class Structure(Skeleton):
    """The content of a page and the elements around it, and what its leaves show."""

    @cached_property
    def leaves(self) -> Leaves:
        """The leaves, and what they show. They hold the bare skeleton, which does not hold them."""
        return Leaves(Skeleton(*(getattr(self, column.name) for column in fields(Skeleton))))


def structure_of(page: Page) -> Structure:
    """Return the structure of a page: the part of it that a template describes."""
    return Structure(page, *columns(page))


def similarity(a: int, b: int) -> float:
    """Return the similarity of two shapes: (shared + 1) / (all + 1).

    >>> similarity(0b111, 0b011), similarity(0, 0)
    (0.75, 1.0)
    """
    return 1.0 if a == b else ((a & b).bit_count() + 1) / ((a | b).bit_count() + 1)
