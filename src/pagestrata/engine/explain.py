"""Why a section has its importance: which signals moved it, in words that need no knowledge of the engine.

Each answer on the way down a tree moves the mean of the leaves that are still in reach; the sum of these steps over all
trees is what a feature contributes to the log odds of a block. Features are gathered to a few signals, each told
against the mean block of the page. A section tells the three that moved it most to where it is: kept or left.
"""

from collections.abc import Callable
from typing import Final

import numpy as np
import numpy.typing as npt

from pagestrata.engine.features import COLUMNS, Features
from pagestrata.engine.trees import RUN, UNIT, Table, Trees, leaves_reached

Floats = npt.NDArray[np.float64]
Mean = Callable[[str], float]
"""The mean of a feature over the blocks of a section, by their words."""

TOLD: Final = 3
"""Signals that are told of a section."""
LEAST: Final = 0.05
"""Log odds from which a signal is worth a word."""

_SIGNAL_OF: Final[dict[str, str]] = {
    "links": "link_share links_ record_links path_links branch_links",
    "tags": "in_ is_ heading_level texts",
    "running text": "prose path_prose long_ branch_prose words_at",
    "core": "in_core after_core blocks_from_core core_ branch_words branch_share branch_blocks branch_place",
    "names": "names_ branch_names",
    "its own words": "line_ titled described stamp price ends_sentence",
    "heading above": "heading_mean heading_low branch_heading since_heading words_since last_",
    "others like it": "path_blocks path_words path_share",
    "repetition": "records record_words",
    "signatures": "signed branch_signed",
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
_PLACE_OF: Final = np.array([SIGNALS.index(_signal(column)) for column in COLUMNS])


def contributions(trees: Trees, table: Table) -> Floats:
    """Signals × blocks: what each adds to the log odds."""
    return np.concatenate(
        [_contributions(trees, table[:, start : start + RUN]) for start in range(0, max(1, table.shape[1]), RUN)],
        axis=1,
    )


def _contributions(trees: Trees, table: Table) -> Floats:
    found = np.zeros((len(SIGNALS), table.shape[1]))
    reached = leaves_reached(trees, table)
    count, depth = trees.feature.shape
    rows = np.arange(count)[:, None]
    before = np.broadcast_to(trees.leaf.mean(axis=1)[:, None], reached.shape)
    for level in range(depth):
        in_reach = 2 ** (level + 1)
        means = trees.leaf.reshape(count, -1, in_reach).mean(axis=1)
        after = means[rows, reached % in_reach]
        is_of = _PLACE_OF[trees.feature[:, level]] == np.arange(len(SIGNALS))[:, None]
        found += is_of.astype(np.float64) @ (after - before)  # of whole units and halves of them: exact in any order
        before = after
    return found / UNIT


class Explainer:
    """Tells of ranges of blocks of one page."""

    def __init__(self, features: Features, trees: Trees, words: npt.NDArray[np.int32]) -> None:
        self.table = features.table
        self.weights = words + 1.0
        found = contributions(trees, features.table)
        # What all blocks of a page have in common explains none of them.
        moved = (found - found.mean(axis=1, keepdims=True)) * self.weights if found.shape[1] else found
        self.sums = np.concatenate((np.zeros((len(SIGNALS), 1)), np.cumsum(moved, axis=1)), axis=1)
        self.sizes = np.concatenate(([0.0], np.cumsum(self.weights)))

    def signals(self, first: int, last: int) -> dict[str, float]:
        """What each signal adds to the log odds of these blocks, against the mean block, those that move most first."""
        moved = (self.sums[:, last] - self.sums[:, first]) / max(1e-9, self.sizes[last] - self.sizes[first])
        order = np.argsort(-np.abs(moved), kind="stable")
        return {SIGNALS[place]: round(float(moved[place]), 3) for place in order}

    def reasons(self, first: int, last: int, kept: bool) -> tuple[str, ...]:
        """The signals that did most for these blocks to be kept, or left, in words."""
        most = [(signal, step) for signal, step in self.signals(first, last).items() if (step > 0) == kept][:TOLD]

        def mean(column: str) -> float:
            values = self.table[COLUMNS.index(column), first:last]
            return float(np.average(values, weights=self.weights[first:last]))

        return tuple(f"{_TELL[signal](mean, step > 0)} ({step:+.1f})" for signal, step in most if abs(step) >= LEAST)


def _links(mean: Mean, good: bool) -> str:
    return f"{mean('link_share'):.0%} of its text is links, {mean('links_2'):.0%} around it"


def _tags(mean: Mean, good: bool) -> str:
    inside = [name for name in _CONTAINING if mean(f"in_{name}") > 0.5]
    return f"stands in <{'>, <'.join(inside)}>" if inside else "stands in no element that says what it is for"


def _running_text(mean: Mean, good: bool) -> str:
    return f"{mean('prose_2'):.0%} of the words around it are running text"


def _core(mean: Mean, good: bool) -> str:
    where = "in" if mean("in_core") > 0.5 else "after" if mean("after_core") > 0.5 else "before"
    return f"{where} the core of the page, which has {mean('core_words'):.0%} of all words"


def _typical(what: str) -> Callable[[Mean, bool], str]:
    return lambda mean, good: f"{what} {'are typical of main text' if good else 'are not typical of main text'}"


def _heading(mean: Mean, good: bool) -> str:
    if mean("last_level") == 0:
        return "no heading stands above it"
    return f"what follows such a heading is {'often' if good else 'seldom'} main text"


def _alike(mean: Mean, good: bool) -> str:
    return f"{mean('path_blocks'):.0f} blocks with the same tags hold {mean('path_share'):.0%} of all words"


def _repetition(mean: Mean, good: bool) -> str:
    beside = mean("records_beside")
    return f"one of {beside:.0f} records side by side" if beside >= 1 else "no record that repeats"


def _signatures(mean: Mean, good: bool) -> str:
    return "in records with a name and a time" if mean("signed") > 0.5 else "in no record with a name and a time"


def _place(mean: Mean, good: bool) -> str:
    return f"{mean('words_before'):.0%} of all words and {mean('prose_before'):.0%} of the running text come before it"


def _size(mean: Mean, good: bool) -> str:
    return f"about {mean('words'):.0f} words a block, {mean('words_2'):.0f} around it"


def _page(mean: Mean, good: bool) -> str:
    return f"on pages like this, more such blocks are {'main text' if good else 'not main text'} than elsewhere"


_TELL: Final[dict[str, Callable[[Mean, bool], str]]] = {
    "links": _links,
    "tags": _tags,
    "running text": _running_text,
    "core": _core,
    "names": _typical("the class and id names around it"),
    "its own words": _typical("its first words"),
    "heading above": _heading,
    "others like it": _alike,
    "repetition": _repetition,
    "signatures": _signatures,
    "place": _place,
    "size": _size,
    "kind of page": _page,
}
