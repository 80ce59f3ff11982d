"""Folds of a site: a page is tested with a model of other pages of its site, never of itself.

The pages of a site are dealt to folds. The model for a fold is learned from `k` pages of the other folds, once for all
pages of the fold. Near-duplicates are dealt to the same fold, so that no page is read with a model that was learned
from its copy. A site is counted at `k` only if every fold leaves `k` pages to learn from. All draws depend only on
names, and with the same folds the pages drawn for a small `k` are among those drawn for a larger one.
"""

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from pagestrata.evaluate.datasets.truth import MainText, SitePages, TruePage
from pagestrata.evaluate.metrics import runs, tokens

FOLDS: Final = 5
"""The minimal number of folds, where there are as many pages; each fold costs one learning."""
SHINGLE_LENGTH: Final = 5
"""Consecutive words in a shingle; two texts seldom share five unless one was copied."""
MIN_COPY_SIMILARITY: Final = 0.5
"""Jaccard similarity of shingles from which pages are near-duplicates."""


@dataclass(frozen=True, slots=True)
class Fold:
    """Pages of one site to test, and pages to learn from."""

    tested: tuple[TruePage, ...]
    learned: tuple[TruePage, ...]


def folds_of(site: SitePages, counts: Iterable[int]) -> dict[int, tuple[Fold, ...]]:
    """The folds of a site for each number of siblings at which it is counted, smallest first."""
    pages = sorted(site.pages, key=lambda page: page.name)
    groups = copies(pages)
    folds = {k: tuple(_fold(site.name, pages, k, tested) for tested in _deal(groups, k)) for k in sorted(set(counts))}
    return {k: site_folds for k, site_folds in folds.items() if site_folds}


def _deal(groups: Sequence[Sequence[TruePage]], k: int) -> list[list[TruePage]]:
    """The tested pages of each fold, in as few folds as leave k pages to each; none if no number of folds does."""
    pages = sum(map(len, groups))
    for count in range(min(FOLDS, len(groups)), len(groups) + 1):
        dealt = [[page for group in groups[place::count] for page in group] for place in range(count)]
        if all(pages - len(fold) >= k for fold in dealt):
            return dealt
    return []


def _fold(site: str, pages: Sequence[TruePage], k: int, tested: Sequence[TruePage]) -> Fold:
    names = {page.name for page in tested}
    others = [page for page in pages if page.name not in names]
    random.Random(f"{site}/{min(names)}").shuffle(others)  # noqa: S311 - not for secrets
    return Fold(tuple(tested), tuple(others[:k]))


def copies(pages: Sequence[TruePage]) -> list[list[TruePage]]:
    """Groups of near-duplicate pages, larger groups first; most groups have one page."""
    shingles = [_shingles(page) for page in pages]
    holders: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
    leader = list(range(len(pages)))
    for place, own in enumerate(shingles):
        shared = Counter(other for shingle in own for other in holders[shingle])
        for other, count in shared.items():
            if count >= MIN_COPY_SIMILARITY * (len(own) + len(shingles[other]) - count):
                old, new = leader[place], leader[other]
                leader = [new if each == old else each for each in leader]
        for shingle in own:
            holders[shingle].append(place)
    groups: defaultdict[int, list[TruePage]] = defaultdict(list)
    for place, page in enumerate(pages):
        groups[leader[place]].append(page)
    return sorted(groups.values(), key=lambda group: (-len(group), group[0].name))


def _shingles(page: TruePage) -> frozenset[tuple[str, ...]]:
    """The shingles of the main text; a short text is a single shingle."""
    words = tokens(page.truth.main or "") if isinstance(page.truth, MainText) else []
    return frozenset(runs(words, min(SHINGLE_LENGTH, len(words)))) if words else frozenset()
