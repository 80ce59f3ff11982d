"""Labels of blocks: how much of each shown block is main text, found by aligning the page with its true text.

Runs of four words are matched in document order as far as possible, then runs whose order differs. A short line counts
as matched if it is also a line of the truth and a block near it is matched. A label is the matched share of the words.
"""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import pairwise
from typing import Final

import numpy as np
import numpy.typing as npt

from pagestrata.landmarks import landmarks_of, texts_of
from pagestrata.page.page import Page
from pagestrata.page.text import words

Floats = npt.NDArray[np.float32]

RUN: Final = 4
"""Words in a run: so many in a row are unlikely to match by chance."""
MAX_PLACES: Final = 8
"""The most places in the truth at which the same run is tried."""
MAX_GAP: Final = 60
"""Between two matched runs that are at most so many words apart, single words are matched."""
NEAR: Final = 3
"""A short line counts if one of so many blocks before or after it is matched."""


def labels_of(page: Page, truth: str) -> tuple[Floats, Floats]:
    """Return for each shown block the share of its words that are in the truth, and the number of its words."""
    blocks = landmarks_of(page).shown.blocks
    lines = [_lowered(text) for text in texts_of(page, np.arange(len(blocks)), blocks)]
    page_words = [word for line in lines for word in line]
    block = [place for place, line in enumerate(lines) for _ in line]
    sizes, hits = np.zeros(len(lines), np.float32), np.zeros(len(lines), np.float32)
    np.add.at(sizes, block, 1)
    np.add.at(hits, block, np.array(matched(page_words, _lowered(truth)), np.float32))
    labels = (hits / np.maximum(1, sizes)).astype(np.float32)
    _match_short_lines(labels, lines, truth)
    return labels, sizes


def _lowered(text: str) -> list[str]:
    return [word.lower() for word in words(text)]


def matched(page_words: Sequence[str], truth: Sequence[str]) -> list[bool]:
    """Return for each word of the page whether it was matched with a word of the truth.

    >>> sum(matched("menu a b c d e f foot".split(), "a b c d e f".split()))
    6
    """
    places = defaultdict(list)
    for place in range(len(truth) - RUN + 1):
        places[tuple(truth[place : place + RUN])].append(place)
    is_matched, used = [False] * len(page_words), [False] * len(truth)
    chain = _longest_in_order(page_words, places)
    for here, there in chain:
        is_matched[here : here + RUN] = used[there : there + RUN] = [True] * RUN
    _match_gaps(page_words, truth, chain, is_matched, used)
    for here in range(len(page_words) - RUN + 1):
        if not is_matched[here]:
            for moved in places.get(tuple(page_words[here : here + RUN]), ()):
                if not used[moved]:
                    is_matched[here : here + RUN] = used[moved : moved + RUN] = [True] * RUN
                    break
    return is_matched


def _match_gaps(
    page_words: Sequence[str],
    truth: Sequence[str],
    chain: list[tuple[int, int]],
    is_matched: list[bool],
    used: list[bool],
) -> None:
    """Match single words between two matched runs, in order; this finds short lines within the text."""
    for (here, there), (next_here, next_there) in pairwise(sorted(chain)):
        start, begin = here + RUN, there + RUN
        if 0 < next_here - start <= MAX_GAP and 0 < next_there - begin <= MAX_GAP:
            sides = SequenceMatcher(None, page_words[start:next_here], truth[begin:next_there], autojunk=False)
            for match in sides.get_matching_blocks():
                for step in range(match.size):
                    is_matched[start + match.a + step] = used[begin + match.b + step] = True


def _longest_in_order(page_words: Sequence[str], places: dict[tuple[str, ...], list[int]]) -> list[tuple[int, int]]:
    """Return as many pairs of equal runs as possible that have the same order in the page and in the truth."""
    ends: list[int] = []  # the smallest last place of a chain of each length
    last: list[int] = []  # the pair that ends this chain
    pairs: list[tuple[int, int, int]] = []
    for here in range(len(page_words) - RUN + 1):
        for there in reversed(places.get(tuple(page_words[here : here + RUN]), ())[:MAX_PLACES]):
            length = bisect_left(ends, there)
            pairs.append((here, there, last[length - 1] if length else -1))
            ends[length : length + 1] = [there]
            last[length : length + 1] = [len(pairs) - 1]
    chain, pair = [], last[-1] if last else -1
    while pair >= 0:
        here, there, pair = pairs[pair]
        chain.append((here, there))
    return chain


def _match_short_lines(labels: Floats, lines: Sequence[Sequence[str]], truth: str) -> None:
    """Set the labels of lines that are shorter than a run: 1 if the truth has the line near a match, else 0."""
    wanted = Counter(" ".join(_lowered(line)) for line in truth.split("\n"))
    is_long_match = [label > 0.5 and len(line) >= RUN for label, line in zip(labels.tolist(), lines, strict=True)]
    # A line of the truth is used up by the first line that matches it: a second copy on the page is no main text.
    wanted.subtract(" ".join(line) for line, matched in zip(lines, is_long_match, strict=True) if matched)
    good = np.concatenate(([0], np.cumsum(labels > 0.5)))
    for place, line in enumerate(lines):
        if is_long_match[place]:
            continue
        near = good[min(len(lines), place + NEAR + 1)] > good[max(0, place - NEAR)]
        text = " ".join(line)
        if line and wanted[text] > 0 and (near or len(line) >= RUN):
            labels[place], wanted[text] = 1.0, wanted[text] - 1
        elif len(line) < RUN and labels[place] < 1:
            labels[place] = 0.0
