"""Why a section has its importance: which signals moved it, in words that need no knowledge of the engine.

Each answer on the way down a tree moves the mean of the leaves that are still in reach; the sum of these steps over all
trees is what a feature contributes to the log odds of a block. Features are gathered to a few signals, each told
against the mean block of the page. A section tells the three that moved it most to where it is: kept or left.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from sys import intern
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from pagestrata.engine.features import COLUMNS
from pagestrata.engine.prose import Ints, running_sum
from pagestrata.trees import Table, Trees, sum_steps

Floats = npt.NDArray[np.float64]
Means = Mapping[str, float]
"""The mean of each feature over the blocks of a section, by their words."""

TOLD: Final = 3
"""Signals that are told of a section."""
LEAST: Final = 0.05
"""Log odds from which a signal is worth a word."""
RUN: Final = 1024
"""Sections told of at a time."""

_SIGNAL_OF: Final[dict[str, str]] = {
    "links": "link_share links_ record_links path_links branch_links",
    "tags": "in_ is_ heading_level texts",
    "running text": "prose path_prose long_ branch_prose words_at",
    "core": "in_core after_core blocks_from_core core_ branch_words branch_share branch_blocks branch_place",
    "names": "names_ branch_names",
    "its own words": "line_ titled described stamp ends_sentence",
    "heading above": "heading_mean heading_low branch_heading since_heading words_since last_",
    "others like it": "path_blocks path_words path_share",
    "repetition": "records record_words",
    "copies": "copies copied_",
    "signatures": "signed branch_signed",
    "talk": "stamps_ prose_since_stamp prose_until_stamp talk_ after_longest own_stretch",
    "place": "place words_before prose_before prose_after blocks_from_title words_from_title",
    "size": "words share_ words_ blocks_ hidden_by usable",
    "kind of page": "page_ says_ url_",
}
_CONTAINING: Final = "nav header footer aside main article form table list figure quote section code".split()


def _signal(column: str) -> str:
    """The signal of a feature: that of the longest beginning of its name."""
    found = [
        (len(start), signal)
        for signal, starts in _SIGNAL_OF.items()
        for start in starts.split()
        if column.startswith(start)
    ]
    return max(found)[1]


SIGNALS: Final = tuple(_SIGNAL_OF)
_PLACE: Final = {signal: place for place, signal in enumerate(SIGNALS)}
_PLACE_OF: Final = np.array([_PLACE[_signal(column)] for column in COLUMNS])


_TOLD_OF: Final = (
    "link_share links_2 prose_2 in_core after_core core_words last_level path_blocks path_share records_beside signed "
    "stamps_before stamps_after words_before prose_before words words_2 copies copied_2"
).split() + [f"in_{name}" for name in _CONTAINING]
"""Features that the words below speak of."""
_TOLD_ROWS: Final = [COLUMNS.index(name) for name in _TOLD_OF]


def contributions(trees: Trees, table: Table) -> Floats:
    """Signals × blocks: what each adds to the log odds."""
    levels = _PLACE_OF[trees.feature].astype(np.int32)
    return sum_steps(trees, levels, len(SIGNALS), table)


class Signals(Mapping[str, float]):
    """What each signal adds for one section: a row of a table of all of them, as a page may have 100,000."""

    __slots__ = ("_row", "_table")

    def __init__(self, table: Floats, row: int) -> None:
        self._table, self._row = table, row

    def __getitem__(self, name: str) -> float:
        return float(self._table[self._row, _PLACE[name]])

    def __iter__(self) -> Iterator[str]:
        """Those that move most first."""
        order = np.argsort(-np.abs(self._table[self._row]), kind="stable")
        return (SIGNALS[place] for place in order.tolist())

    def __len__(self) -> int:
        return len(SIGNALS)

    def __repr__(self) -> str:
        return repr(dict(self))


class Explainer:
    """Tells of ranges of blocks of one page; of its features it keeps only what is told."""

    def __init__(self, table: Table, trees: Trees, words: npt.NDArray[np.int32]) -> None:
        self.features = table[_TOLD_ROWS]
        self.found = contributions(trees, table)
        self.weights = words + 1.0

    def tell(self, ranges: Ints, kept: Sequence[bool]) -> Iterator[tuple[tuple[str, ...], Signals]]:
        """For ranges of blocks (one row each: first, one past the last) their reasons, and what each signal adds.

        Signals are in log odds against the mean block, those that move most first. Reasons are those that did most for
        the blocks to be kept, or left.
        """
        # What all blocks of a page have in common explains none of them.
        moved = self._means((row - row.mean() for row in self.found), ranges).round(3)
        told = self._means(self.features, ranges)
        for start in range(0, len(ranges), RUN):  # a page may have 100,000 sections
            some = slice(start, start + RUN)
            order = np.argsort(-np.abs(moved[some]), axis=1, kind="stable").tolist()
            rows = zip(moved[some].tolist(), order, told[some].tolist(), kept[some], strict=True)
            for row, (steps, places, means, is_kept) in enumerate(rows, start):
                most = [(SIGNALS[place], steps[place]) for place in places if (steps[place] > 0) == is_kept][:TOLD]
                yield _reasons(most, dict(zip(_TOLD_OF, means, strict=True))), Signals(moved, row)

    def _means(self, columns: Iterable[npt.NDArray[Any]], ranges: Ints) -> Floats:
        """Ranges × columns: their means by words. One column at a time, as pages may have a million blocks."""
        first, last = ranges.T
        sizes = running_sum(self.weights)
        sums = (running_sum(column * self.weights) for column in columns)
        totals = np.stack([each[last] - each[first] for each in sums], axis=1)
        return np.asarray(totals / (sizes[last] - sizes[first])[:, None], np.float64)


def _reasons(most: Sequence[tuple[str, float]], means: Means) -> tuple[str, ...]:
    told = (f"{_TELL[signal](means, step > 0)} ({step:+.1f})" for signal, step in most if abs(step) >= LEAST)
    return tuple(map(intern, told))  # what is said of thousands of sections is held once


def _links(means: Means, good: bool) -> str:
    return f"{means['link_share']:.0%} of its text is links, {means['links_2']:.0%} around it"


def _tags(means: Means, good: bool) -> str:
    inside = [name for name in _CONTAINING if means[f"in_{name}"] > 0.5]
    return f"stands in <{'>, <'.join(inside)}>" if inside else "stands in no element that says what it is for"


def _running_text(means: Means, good: bool) -> str:
    return f"{means['prose_2']:.0%} of the words around it are running text"


def _core(means: Means, good: bool) -> str:
    where = "in" if means["in_core"] > 0.5 else "after" if means["after_core"] > 0.5 else "before"
    return f"{where} the core of the page, which has {means['core_words']:.0%} of all words"


def _typical(what: str) -> Callable[[Means, bool], str]:
    return lambda means, good: f"{what} {'are typical of main text' if good else 'are not typical of main text'}"


def _heading(means: Means, good: bool) -> str:
    if means["last_level"] == 0:
        return "no heading stands above it"
    return f"what follows such a heading is {'often' if good else 'seldom'} main text"


def _alike(means: Means, good: bool) -> str:
    return f"{means['path_blocks']:.0f} blocks with the same tags hold {means['path_share']:.0%} of all words"


def _repetition(means: Means, good: bool) -> str:
    beside = means["records_beside"]
    return f"one of {beside:.0f} records side by side" if beside >= 1 else "no record that repeats"


def _copies(means: Means, good: bool) -> str:
    around = f"{means['copied_2']:.0%} of the words around it stand elsewhere on the page too"
    return around if means["copies"] < 1.5 else f"the page says the same {means['copies']:.0f} times, and {around}"


def _signatures(means: Means, good: bool) -> str:
    return "in records with a name and a time" if means["signed"] > 0.5 else "in no record with a name and a time"


def _talk(means: Means, good: bool) -> str:
    before, after = means["stamps_before"], means["stamps_after"]
    return f"{before:.0f} lines with a name or a time come before it, {after:.0f} after it"


def _place(means: Means, good: bool) -> str:
    return (
        f"{means['words_before']:.0%} of all words and {means['prose_before']:.0%} of the running text come before it"
    )


def _size(means: Means, good: bool) -> str:
    return f"about {means['words']:.0f} words a block, {means['words_2']:.0f} around it"


def _page(means: Means, good: bool) -> str:
    return f"on pages like this, more such blocks are {'main text' if good else 'not main text'} than elsewhere"


_TELL: Final[dict[str, Callable[[Means, bool], str]]] = {
    "links": _links,
    "tags": _tags,
    "running text": _running_text,
    "core": _core,
    "names": _typical("the class and id names around it"),
    "its own words": _typical("its first words"),
    "heading above": _heading,
    "others like it": _alike,
    "repetition": _repetition,
    "copies": _copies,
    "signatures": _signatures,
    "talk": _talk,
    "place": _place,
    "size": _size,
    "kind of page": _page,
}
