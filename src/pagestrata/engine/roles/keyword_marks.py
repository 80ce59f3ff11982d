"""The places where a page may have words for a role or a person: a compiled pass over attributes, and one over lines.

Of the thousand classes and links of a page some fifty matter. `native.keywords` marks those that may, in the markup
itself; only these are cut out and read. See there for what a mark promises.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
import numpy.typing as npt

from pagestrata.engine.nesting import Places
from pagestrata.engine.roles.words import role_words
from pagestrata.native import kernel
from pagestrata.native.keywords import (
    BUCKETS,
    FRAGMENT,
    HERE,
    HOME,
    NO_PAGE,
    PAID_LINK,
    PERSON_LINK,
    PERSON_NAME,
    ROLE_LINK,
)
from pagestrata.page import tags
from pagestrata.page.nodes import Bools
from pagestrata.page.page import Page

Marks = npt.NDArray[np.uint8]

PERSON_WINDOWS: Final = ("user", "nick", "memb", "utho", "oste", "ylin")
"""Each name of `people.names_person` holds one of these."""
PERSON_LINK_WORDS: Final = "u uid user users member members profile profiles author authors people".split()
"""Each target of `people.PERSON_PAGE` holds one of these, `@` or `~`."""
SCHEMES: Final = ("javascript", "mailto", "tel", "data")
"""Links of these schemes lead to no page."""

_LINK_MARKS: Final = {
    "href": ROLE_LINK | PERSON_LINK | NO_PAGE | FRAGMENT | HERE | HOME,
    "rel": PAID_LINK | PERSON_NAME,
    "itemprop": PERSON_NAME,
}
_CLASS_MARKS: Final = {"class": PERSON_NAME}
_WINDOW: Final = 4
_kernel = kernel("keywords")


@dataclass(frozen=True, slots=True, eq=False)
class Links:
    """The links of a page (`<a href>`) in document order; one entry per link."""

    nodes: Places
    places: Places
    """Of the `href` in the page's table of attributes."""
    marks: Marks


@dataclass(frozen=True, slots=True, eq=False)
class KeywordMarks:
    """Which attribute values of a page may hold a keyword."""

    places: Places
    """The marked attributes, as places in the page's table."""
    names: Marks
    """The number of the name of each."""
    marks: Marks
    """The bits of `native.keywords` for each."""
    links: Links

    def values(self, page: Page, name: str, mark: int) -> list[tuple[int, str]]:
        """Return the elements of the page whose attribute of this name has a mark, and its value."""
        is_wanted = (self.names == tags.ATTRIBUTE[name]) & (self.marks & mark > 0)
        return page.values_at(self.places[is_wanted])


def keyword_marks(page: Page) -> KeywordMarks:
    """Return the marks of links, `rel` and `itemprop`, which are made at the first call."""
    return page.once(_mark_links)


def _mark_links(page: Page) -> KeywordMarks:
    return _mark_attributes(page, _wanted(tuple(_LINK_MARKS.items())))


def class_marks(page: Page) -> KeywordMarks:
    """Return the marks of classes, which are made at the first call."""
    return page.once(_mark_classes)


def _mark_classes(page: Page) -> KeywordMarks:
    return _mark_attributes(page, _wanted(tuple(_CLASS_MARKS.items())))


def _mark_attributes(page: Page, wanted: Marks) -> KeywordMarks:
    names, _, starts, ends = page.attributes
    marks = np.zeros(len(names), np.uint8)
    words, windows = _value_tables()
    _kernel.mark_values(page.markup, names, starts, ends, wanted, words, windows, marks)
    places = np.flatnonzero(marks)
    return KeywordMarks(places, names[places].astype(np.uint8), marks[places], _links(page, marks))


def _links(page: Page, marks: Marks) -> Links:
    places = np.flatnonzero(page.attributes[0] == tags.ATTRIBUTE["href"])
    nodes = np.searchsorted(page.nodes.attribute_end, places, side="right")
    is_link = page.nodes.tag[nodes] == tags.TAG["a"]
    nodes, places = nodes[is_link], places[is_link]
    return Links(nodes, places, marks[places])


def lines_with_role_words(page: Page, candidates: Bools) -> Places:
    """Return the candidates among the blocks that may begin with a phrase of the table of roles."""
    marks = np.zeros(len(page.blocks), np.uint8)
    blocks = page.blocks
    _kernel.mark_lines(page.text, blocks.text_start, blocks.text_end, candidates.view(np.uint8), _line_table(), marks)
    return np.flatnonzero(marks)


@cache
def _wanted(marks: tuple[tuple[str, int], ...]) -> Marks:
    """Return the marks to look for, by the number of the attribute's name."""
    wanted = np.zeros(len(tags.ATTRIBUTES), np.uint8)
    for name, mark in marks:
        wanted[tags.ATTRIBUTE[name]] = mark
    return wanted


@cache
def _value_tables() -> tuple[Marks, Marks]:
    """Return the tables of whole words and of four characters."""
    words, windows = np.zeros((2, BUCKETS), np.uint8)
    _add_words(words, PERSON_LINK_WORDS, PERSON_LINK)
    _add_words(words, SCHEMES, NO_PAGE)
    _add_windows(windows, PERSON_WINDOWS, PERSON_NAME)
    _add_windows(windows, ("=htt",), ROLE_LINK)
    _add_windows(windows, ("spon",), PAID_LINK)
    _add_words(words, ("index",), HOME)
    for piece in (*role_words().share_targets, *role_words().advertisers):
        whole = _longest_whole_word(piece)
        if whole:
            _add_words(words, [whole], ROLE_LINK)
        else:
            _add_windows(windows, [_middle(piece)], ROLE_LINK)
    return words, windows


@cache
def _line_table() -> Marks:
    table = np.zeros(BUCKETS, np.uint8)
    for phrase in role_words().lines:
        table[_kernel.first_word_bucket(phrase[0], 0, len(phrase[0]))] = 1
    return table


def _add_words(table: Marks, words: Iterable[str], mark: int) -> None:
    for word in words:
        table[_kernel.word_bucket(word)] |= mark


def _add_windows(table: Marks, windows: Iterable[str], mark: int) -> None:
    for window in windows:
        number = 0
        for letter in window:
            number = number << 7 | ord(letter)
        table[_kernel.window_bucket(number)] |= mark


def _longest_whole_word(piece: str) -> str:
    """Return the longest word, except `com`, of a piece of an address that cannot go on after it; empty where none is.

    >>> _longest_whole_word("twitter.com/intent"), _longest_whole_word("adclick")
    ('twitter', '')
    """
    words = re.findall(r"(?<![a-z0-9])[a-z0-9]+(?=[^a-z0-9])", piece)
    return max(words, key=lambda word: (word != "com", len(word)), default="")


def _middle(piece: str) -> str:
    """Return four characters in the middle, which are rarer than those of the beginning.

    >>> _middle("adclick")
    'dcli'
    """
    start = (len(piece) - _WINDOW) // 2
    return piece[start : start + _WINDOW]
