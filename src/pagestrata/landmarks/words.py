"""Words of a page, each as a 16-bit hash: those of class and id names, and those at the start of a line.

Found once per page: comment regions and the features of the engine read them.
"""

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

import numpy as np

from pagestrata.native import kernel
from pagestrata.native.arrays import Column, as_column
from pagestrata.native.words import BUCKETS, LINE_START
from pagestrata.page import tags
from pagestrata.page.blocks import Blocks
from pagestrata.page.page import Page

_words = kernel("words")

_NAMED_BY: Final = tuple(tags.ATTRIBUTE[name] for name in ("class", "id", "role", "itemprop"))
_IS_NAME: Final = np.isin(np.arange(len(tags.ATTRIBUTES)), _NAMED_BY)


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """Words of a page in document order: each as a bucket, with the number of its element or block."""

    place: Column
    bucket: Column
    count: int


def name_words(page: Page) -> Words:
    """Return the words in the class, id, role and itemprop of each element."""
    return Words(*_words.name_words(page.markup, page.attributes, page.nodes.attribute_end, _IS_NAME))


def line_words(text: str, blocks: Blocks) -> Words:
    """Return the words at the start of each block of a text."""
    return Words(*_words.line_words(text, blocks.text_start, blocks.text_end, LINE_START))


@dataclass(frozen=True, slots=True)
class OverlayWords:
    """Words of names by what they say about an element that may lie over the page, separated by spaces."""

    about: str
    consent: str
    """It asks for consent: also names of the products that do."""
    cookie: str
    """It is about cookies, of either kind."""
    over_page: str
    """It lies over the page."""
    fixed: str
    """It stays where it is when the page is scrolled."""
    modal: str
    """It is a dialog, open or not."""
    pressed: str
    """It is pressed."""
    entry: str
    """It is one of several things of a page."""
    policy: str
    """It is a text about cookies."""


@dataclass(frozen=True, slots=True)
class _WordList:
    """The words of `name_words.json`."""

    about: str
    groups: dict[str, str]
    comment_headings: str
    overlays: OverlayWords


@cache
def _word_list() -> _WordList:
    data = files("pagestrata.landmarks").joinpath("data", "name_words.json").read_bytes()
    stated = json.loads(data)
    return _WordList(**stated | {"overlays": OverlayWords(**stated["overlays"])})


def buckets_of(text: str) -> list[int]:
    """Return the buckets of the words of a text.

    >>> buckets_of("Comments") == buckets_of("comments")
    True
    """
    ends = np.array([len(text)], np.int32)
    _, buckets, count = _words.line_words(text, np.zeros(1, np.int32), ends, len(text))
    return [int(bucket) for bucket in buckets[:count]]


@cache
def group_of_bucket() -> Column:
    """Return, for each bucket, one more than the number of the group that its word belongs to; 0 for none."""
    groups = np.zeros(BUCKETS, np.uint8)
    for number, group_words in enumerate(_word_list().groups.values(), 1):
        groups[buckets_of(group_words)] = number
    return as_column(groups)


@cache
def is_comment_heading() -> Column:
    """Return, for each bucket, whether its word is one of those that a heading of comments has."""
    is_heading = np.zeros(BUCKETS, np.uint8)
    is_heading[buckets_of(_word_list().comment_headings)] = 1
    return as_column(is_heading)


def overlay_words() -> OverlayWords:
    """Return the words by which overlays are recognised."""
    return _word_list().overlays


def name_groups() -> tuple[str, ...]:
    """Return the names of the groups, in their order."""
    return tuple(_word_list().groups)
