"""Page types in the terms of a data set."""

from collections.abc import Iterable
from typing import Final

from pagestrata.results import PageType

DENSITY_TYPES: Final = frozenset({"article", "article_comments", "multiple"})
"""The types of the density paper: an article, one with comments, and a page of many areas."""


def is_three_way(types: Iterable[str]) -> bool:
    """Whether a data set has the three types of the density paper; otherwise it has those of `PageType`.

    >>> is_three_way(["article", "multiple"]), is_three_way(["article", "forum"])
    (True, False)
    """
    return set(types) <= DENSITY_TYPES


def answered_type(page_type: PageType, has_comments: bool, three_way: bool) -> str | None:
    """The page type of an answer in the terms of the data set; None if the method returns none.

    >>> answered_type(PageType.ARTICLE, True, True), answered_type(PageType.ARTICLE, True, False)
    ('article_comments', 'article')
    >>> answered_type(PageType.LISTING, True, True), answered_type(PageType.UNKNOWN, True, True)
    ('multiple', None)
    """
    if page_type is PageType.UNKNOWN:
        return None
    if not three_way:
        return page_type.value
    if page_type is not PageType.ARTICLE:
        return "multiple"
    return "article_comments" if has_comments else "article"
