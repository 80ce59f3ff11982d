"""The data of the SD Algorithm: regions with their features, and the kind of a page."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

KEYWORDS: Final = ("comment", "reply", "response", "user", "wrote:", "said:")
"""The paper's keywords of comment regions."""
MAJORITY_SHARE: Final = 0.5
"""From this share on, most of a region is link text, a heading is linked, and a form is around the whole page."""


def has_keyword(text: str) -> bool:
    """Return whether a text contains one of the keywords.

    >>> has_keyword("3 Comments"), has_keyword("3 Kommentare")
    (True, False)
    """
    lowered = text.lower()
    return any(keyword in lowered for keyword in KEYWORDS)


class PageKind(StrEnum):
    """The kinds of pages that the paper distinguishes."""

    ARTICLE = "article"
    ARTICLE_WITH_COMMENTS = "article with comments"
    MULTIPLE = "multiple"


@dataclass(frozen=True, slots=True)
class Region:
    """A strong node with the text merged into it, and its features."""

    node: int
    start: int
    """Its first node: of itself, or of the title before it."""
    end: int
    density: int
    """Characters."""
    link_share: float
    dfr: int
    """Distance from root."""
    title: int | None
    """The nearest ancestor title, a heading."""
    title_diff: int | None
    """The number of levels between it and its title."""
    cardinality: int
    class_name: str
    id: str
    style: str
    group: int
    """Regions of the same group have the same CSS class and the same tags above them."""
    blocks: tuple[int, ...]
    dfm: float = 0.0
    """Distance from the region of maximum density: 0 for itself, 100 for nothing."""


@dataclass(frozen=True, slots=True)
class Regions:
    """The kind of a page, its regions and their relations."""

    kind: PageKind
    article: Region | None = None
    comments: tuple[Region, ...] = ()
    """Comments on the article."""
    area: tuple[int, int] | None = None
    """The first node, and one past the last, of the comments with their names, dates and heading."""
    multiple: tuple[Region, ...] = ()
    """Areas of equal rank."""
    common_parent: int | None = None
    """The node that holds the article and its comments, or all areas."""
    reason: str = ""


def total(regions: Iterable[Region]) -> int:
    """Return the sum of their densities."""
    return sum(region.density for region in regions)
