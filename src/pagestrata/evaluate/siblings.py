"""Folds of a site: a page is tested with a model of other pages of its site, never of itself.

The pages of a site are dealt to folds. What is tested in a fold is learned from `k` pages of the other folds, once for
all pages of the fold. Pages that say nearly the same are dealt to the same fold, so that no page is read by what was
learned from its copy. A site is counted at `k` only if every fold leaves `k` pages to learn from. All draws depend on
names alone, and with the same folds the pages drawn for a small `k` are among those drawn for a larger one.
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
SHINGLE: Final = 5
"""Words in a row; two texts seldom share five unless one was copied."""
COPIED_FROM: Final = 0.5
"""Pages are near-duplicates if they have this share of their shingles in common (Jaccard)."""


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
    return {k: found for k, found in folds.items() if found}


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
    """The pages in groups that say nearly the same, larger groups first; mostly each is alone."""
    shingles = [_shingles(page) for page in pages]
    holders: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
    leader = list(range(len(pages)))
    for place, own in enumerate(shingles):
        shared = Counter(other for shingle in own for other in holders[shingle])
        for other, count in shared.items():
            if count >= COPIED_FROM * (len(own) + len(shingles[other]) - count):
                old, new = leader[place], leader[other]
                leader = [new if each == old else each for each in leader]
        for shingle in own:
            holders[shingle].append(place)
    groups: defaultdict[int, list[TruePage]] = defaultdict(list)
    for place, page in enumerate(pages):
        groups[leader[place]].append(page)
    return sorted(groups.values(), key=lambda group: (-len(group), group[0].name))


def _shingles(page: TruePage) -> frozenset[tuple[str, ...]]:
    """The runs of words in the main text; of a short text, all of it as one."""
    said = tokens(page.truth.main or "") if isinstance(page.truth, MainText) else []
    return frozenset(runs(said, min(SHINGLE, len(said)))) if said else frozenset()
