"""The roles that classes and ids are named for, read in one compiled pass over the markup."""

from functools import cache
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from pagestrata.engine.nesting import Places
from pagestrata.engine.roles.words import rank_of_name, role_words
from pagestrata.native import kernel
from pagestrata.native.keywords import NO_RANK, SLOTS, UNREAD
from pagestrata.page import tags
from pagestrata.page.page import Page

Ranks = npt.NDArray[np.uint8]

_EMPTY_PHRASE: Final = 1
_kernel = kernel("keywords")


class _Vocabulary(NamedTuple):
    """The names of the table in the form that `native.keywords.rank_names` takes."""

    slots: npt.NDArray[np.uint16]
    letters: str
    edges: npt.NDArray[np.int32]
    next_phrase: npt.NDArray[np.uint16]
    rank_of_phrase: Ranks


def ranks_of_names(page: Page) -> tuple[Places, Ranks]:
    """Return the elements that are named for a role, in document order, and the rank of that role."""
    names, _, starts, ends = page.attributes
    ranks = np.full(len(names), NO_RANK, np.uint8)
    _kernel.rank_names(page.markup, names, starts, ends, _is_name(), *_vocabulary(), ranks)
    unread = np.flatnonzero(ranks == UNREAD)
    ranks[unread] = [rank_of_name(value) for _, value in page.values_at(unread)]
    places = np.flatnonzero(ranks != NO_RANK)
    nodes, ranks = np.searchsorted(page.nodes.attribute_end, places, side="right"), ranks[places]
    is_first = np.diff(nodes, prepend=-1) > 0  # an element with a class and an id is there twice
    best = np.minimum.reduceat(ranks, np.flatnonzero(is_first)) if len(nodes) else ranks
    return nodes[is_first], best


@cache
def _is_name() -> Ranks:
    is_name = np.zeros(len(tags.ATTRIBUTES), np.uint8)
    is_name[[tags.ATTRIBUTE["class"], tags.ATTRIBUTE["id"]]] = 1
    return is_name


@cache
def _vocabulary() -> _Vocabulary:
    table = role_words()
    phrases = {phrase: table.rank[role] for entries in table.names.values() for phrase, role in reversed(entries)}
    words = sorted({word for phrase in phrases for word in phrase})
    number = {word: place for place, word in enumerate(words, 1)}
    beginnings = sorted({phrase[:size] for phrase in phrases for size in range(1, len(phrase) + 1)})
    numbered = {(): _EMPTY_PHRASE} | {phrase: place for place, phrase in enumerate(beginnings, _EMPTY_PHRASE + 1)}
    next_phrase = np.zeros((len(numbered) + 1, len(words) + 1), np.uint16)
    rank_of_phrase = np.full(len(numbered) + 1, NO_RANK, np.uint8)
    for phrase in beginnings:
        next_phrase[numbered[phrase[:-1]], number[phrase[-1]]] = numbered[phrase]
        rank_of_phrase[numbered[phrase]] = phrases.get(phrase, NO_RANK)
    edges = np.cumsum([0, 0, *map(len, words)], dtype=np.int32)
    return _Vocabulary(_slots(words), "".join(words), edges, next_phrase, rank_of_phrase)


def _slots(words: list[str]) -> npt.NDArray[np.uint16]:
    """Return a hash table with open addressing: the number of a word in the first free slot from its place on."""
    slots = np.zeros(SLOTS, np.uint16)
    for number, word in enumerate(words, 1):
        first, second, last = (ord(word[place]) for place in (0, min(1, len(word) - 1), -1))
        slot = _kernel.word_slot(first, second, last, len(word))
        while slots[slot]:
            slot = (slot + 1) % SLOTS
        slots[slot] = number
    return slots
