"""Metrics: every figure that `pagestrata evaluate` prints, each with an example that is computed by hand.

A word is a run of letters and digits, lower-cased; in scripts without spaces, each character is a word. The functions
do not depend on pages, files or methods: their arguments are words, labels and numbers. All take linear time, except
`bcubed`, which is quadratic in the number of different label sets, that is, of true blocks.
"""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from pagestrata.page.text import words

MIN_MATCH_SIMILARITY: Final = 0.8
"""Jaccard similarity of tokens from which two blocks match. Above 0.5 a block has at most one match."""
RESAMPLES: Final = 2000
"""Resamples of the bootstrap: enough for two digits of a 95 % interval."""
SEED: Final = 20261115


@dataclass(frozen=True, slots=True)
class Score:
    """Precision and recall of an answer, both in [0, 1]."""

    precision: float
    recall: float

    @property
    def f1(self) -> float:
        """The harmonic mean of both.

        >>> Score(0.5, 1.0).f1, Score(0.0, 0.0).f1
        (0.6666666666666666, 0.0)
        """
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


def score_of(shared: float, answer: float, truth: float) -> Score:
    """The score from three sizes. Nothing is the right answer to nothing, and the only one.

    >>> score_of(2, 4, 2), score_of(0, 0, 0), score_of(0, 3, 0), score_of(0, 0, 3)
    (Score(precision=0.5, recall=1.0), Score(precision=1.0, recall=1.0), Score(precision=0.0, recall=0.0), \
Score(precision=0.0, recall=0.0))
    """
    if not answer and not truth:
        return Score(1.0, 1.0)
    return Score(shared / answer if answer else 0.0, shared / truth if truth else 0.0)


# -------------------------------------------------------------------------------------------------------------- text


def tokens(text: str) -> list[str]:
    """The words of a text, lower-cased.

    >>> tokens("Tea in 東京")
    ['tea', 'in', '東', '京']
    """
    return words(text.lower())


def folded(text: str) -> str:
    """The words of a text with one blank between two, alike in upper and lower case.

    >>> folded("Straße,  TEA")
    'strasse tea'
    """
    return " ".join(words(text.casefold()))


def is_part(answer: str, truth: str) -> bool:
    """Whether one of two folded texts contains the other.

    >>> is_part("green tea", "tea"), is_part("steam", "tea"), is_part("", "tea")
    (True, False, False)
    """
    return bool(answer and truth) and (f" {answer} " in f" {truth} " or f" {truth} " in f" {answer} ")


def word_score(answer: str, truth: str, optional: str = "") -> Score:
    """Words as multisets: `the` counts as often as it occurs. Words of `optional` beyond the truth do not count.

    Shared are `the`, `tea`; the answer has 4 words, the truth 3. Where the pot is optional, the answer has 3.

    >>> word_score("The tea, the pot", "the tea steeps")
    Score(precision=0.5, recall=0.6666666666666666)
    >>> word_score("The tea, the pot", "the tea steeps", "pot").precision
    0.6666666666666666
    """
    answered: Counter[Hashable] = Counter(tokens(answer))
    wanted: Counter[Hashable] = Counter(tokens(truth))
    if optional:
        answered -= (answered - wanted) & Counter(tokens(optional))
    return _bag_score(answered, wanted)


def gram_score(answer: str, truth: str) -> Score:
    """Runs of two words as sets, as FOREST measures: P = |G∩S| / |S|, R = |G∩S| / |G|.

    The answer has {a b, b a}, the truth {a b, b c}: one is shared.

    >>> gram_score("a b a b", "a b c")
    Score(precision=0.5, recall=0.5)
    """
    answered, wanted = set(runs(tokens(answer), 2)), set(runs(tokens(truth), 2))
    return score_of(len(answered & wanted), len(answered), len(wanted))


def gram_bag_score(answer: str, truth: str) -> Score:
    """Runs of two words as multisets.

    The answer has a b, b a, a b; the truth a b, b c: one is shared, out of three and out of two.

    >>> gram_bag_score("a b a b", "a b c")
    Score(precision=0.3333333333333333, recall=0.5)
    """
    return _bag_score(Counter(runs(tokens(answer), 2)), Counter(runs(tokens(truth), 2)))


def runs(items: Sequence[str], size: int) -> Iterable[tuple[str, ...]]:
    """All runs of `size` consecutive items.

    >>> list(runs(["a", "b", "c"], 2))
    [('a', 'b'), ('b', 'c')]
    """
    return zip(*(items[start:] for start in range(size)), strict=False)


def snippets_found(answer: str, snippets: Sequence[str]) -> float:
    """The share of the snippets that occur in the answer, ignoring white space and case.

    >>> snippets_found("The tea\\nsteeps.", ["the tea steeps", "Cookies"])
    0.5
    """
    text = _plain(answer)
    return sum(_plain(snippet) in text for snippet in snippets) / len(snippets)


def _plain(text: str) -> str:
    return " ".join(text.lower().split())


def _bag_score(answer: Counter[Hashable], truth: Counter[Hashable]) -> Score:
    return score_of((answer & truth).total(), answer.total(), truth.total())


# ----------------------------------------------------------------------------------------------------------- regions


@dataclass(frozen=True, slots=True)
class Regions:
    """The scores of the regions of one page."""

    accuracy: float
    """RA of the density paper, in [0, 1]."""
    characters: Score
    """The score over the characters of all regions; unlike RA, it counts superfluous regions as errors."""


def region_score(answer: Sequence[str], truth: Sequence[str]) -> Regions:
    """RA = mean over the true regions of c / (|c - r| + c), where c and r are the answered and true size in characters.

    The measure itself compares sizes alone, so regions are first matched one to one, most shared characters first. A
    region with no match counts 0. Characters are those of words; regions overlap in words as multisets.

    The first region shares `tea pot` (6 characters): c = 6, r = 9, 6 / (3 + 6) = 2/3. The second has no match: 0.

    >>> region_score(["tea pot"], ["tea pot lid", "said mary"])
    Regions(accuracy=0.3333333333333333, characters=Score(precision=1.0, recall=0.35294117647058826))
    >>> region_score([], [])
    Regions(accuracy=1.0, characters=Score(precision=1.0, recall=1.0))
    """
    answers, wanted = [Counter(tokens(text)) for text in answer], [Counter(tokens(text)) for text in truth]
    pairs = _matched_regions(answers, wanted)
    closeness = [_size(answers[i]) / (abs(_size(answers[i]) - _size(wanted[j])) + _size(answers[i])) for i, j in pairs]
    shared = sum(_size(answers[i] & wanted[j]) for i, j in pairs)
    accuracy = sum(closeness) / len(wanted) if wanted else float(not answers)
    return Regions(accuracy, score_of(shared, sum(map(_size, answers)), sum(map(_size, wanted))))


def _matched_regions(answers: Sequence[Counter[str]], wanted: Sequence[Counter[str]]) -> list[tuple[int, int]]:
    """Pairs of one answered and one true region, those with the largest overlap first."""
    overlaps = sorted(
        (-_size(answer & region), i, j) for i, answer in enumerate(answers) for j, region in enumerate(wanted)
    )
    pairs: list[tuple[int, int]] = []
    for overlap, i, j in overlaps:
        if overlap and all(i != answer and j != region for answer, region in pairs):
            pairs.append((i, j))
    return pairs


def _size(bag: Counter[str]) -> int:
    return sum(len(word) * count for word, count in bag.items())


# ------------------------------------------------------------------------------------------------------------ blocks


def block_score(answer: Sequence[int], truth: Mapping[int, Iterable[int]]) -> Score:
    """Blocks that match one to one at a Jaccard similarity of at least 0.8 of their tokens.

    `answer` has the block of every token of the page; `truth` the tokens of every true block, which may lie in each
    other. Tokens are identified by their position, so that two blocks with the same words stay distinct. Blocks
    without tokens do not count.

    Answered are the blocks 0 (five tokens), 1 (four) and 2 (one). True block 7 is block 0 (4 of 5 tokens: 0.8), true
    block 8 shares 4 of 6 with block 1: too few. One of three answered and one of two true blocks is right.

    >>> block_score([0, 0, 0, 0, 0, 1, 1, 1, 1, 2], {7: range(4), 8: range(4, 10)})
    Score(precision=0.3333333333333333, recall=0.5)
    """
    sizes = Counter(answer)
    true_blocks = [places for block in truth.values() if (places := frozenset(block))]
    matched = {block for places in true_blocks if (block := _same_block(places, answer, sizes)) is not None}
    return score_of(len(matched), len(sizes), len(true_blocks))


def _same_block(places: frozenset[int], answer: Sequence[int], sizes: Counter[int]) -> int | None:
    """The answered block that matches a true block."""
    block, shared = Counter(answer[place] for place in sorted(places)).most_common(1)[0]
    return block if shared / (len(places) + sizes[block] - shared) >= MIN_MATCH_SIMILARITY else None


def bcubed(answer: Sequence[int], truth: Sequence[frozenset[int]], weights: Sequence[float]) -> Score:
    """Extended B-cubed (Amigó et al. 2009): whether pieces that are together in the truth are so in the answer.

    One entry per piece of text: its block in the answer, the true blocks it lies in (some lie in others), its
    characters. For a piece, precision is over the pieces in the same answered block: the share that has a true block
    in common with it. Recall is over the pieces that have c > 0 true blocks in common with it: each counts 1 / c
    if it is in the same answered block, else 0. Pieces in no true block are left out.

    All in one block, where two pieces are a true pair and one stands alone (weights 1, 1, 2): precision is 2/4 for each
    of them, recall 1.

    >>> bcubed([0, 0, 0], [frozenset({7}), frozenset({7}), frozenset({8})], [1, 1, 2])
    Score(precision=0.5, recall=1.0)

    One piece lies in block 7, another in 8 inside of 7; answered as one block. Precision is 1. Recall of the first is
    1; the second has one block in common with the first (1), two with itself (1/2): 3/4. The mean is 7/8.

    >>> bcubed([0, 0], [frozenset({7}), frozenset({7, 8})], [1, 1])
    Score(precision=1.0, recall=0.875)
    """
    together: defaultdict[tuple[int, frozenset[int]], float] = defaultdict(float)
    by_block: defaultdict[int, float] = defaultdict(float)
    by_labels: defaultdict[frozenset[int], float] = defaultdict(float)
    for block, labels, weight in zip(answer, truth, weights, strict=True):
        if labels and weight:
            together[block, labels] += weight
            by_block[block] += weight
            by_labels[labels] += weight
    partners = {labels: [other for other in by_labels if labels & other] for labels in by_labels}
    precision = recall = 0.0
    for (block, labels), weight in together.items():
        near = [(together.get((block, other), 0.0), len(labels & other)) for other in partners[labels]]
        related = sum(by_labels[other] for other in partners[labels])
        precision += weight * sum(size for size, _ in near) / by_block[block]
        recall += weight * sum(size / common for size, common in near) / related
    total = sum(by_labels.values())
    return score_of(0, 0, 0) if not total else Score(precision / total, recall / total)


# ------------------------------------------------------------------------------------------------------------- noise


@dataclass(frozen=True, slots=True)
class NoiseScore:
    """Precision and recall of noise; None if the denominator is zero."""

    precision: float | None
    recall: float | None


def noise_score(sizes: Sequence[int], truth: Sequence[bool | None], answer: Sequence[bool]) -> NoiseScore:
    """Score the characters of a page that were classified as noise. None in the truth is not counted.

    Of 4 + 3 characters of noise, 4 were classified as noise, and 2 of the main text; the last word is in the title.

    >>> noise_score([4, 3, 2, 9], [True, True, False, None], [True, False, True, True])
    NoiseScore(precision=0.6666666666666666, recall=0.5714285714285714)
    >>> noise_score([4], [False], [False])
    NoiseScore(precision=None, recall=None)
    """
    answered = wanted = shared = 0
    for size, is_noise, is_answered in zip(sizes, truth, answer, strict=True):
        if is_noise is not None:
            answered += size * is_answered
            wanted += size * is_noise
            shared += size * (is_answered and is_noise)
    return NoiseScore(shared / answered if answered else None, shared / wanted if wanted else None)


def covered(items: Sequence[str], truth: Iterable[tuple[str, ...]], size: int) -> list[bool]:
    """Whether each item is part of a run of `size` items that is among the runs of the truth.

    >>> covered("a b c d e".split(), {("b", "c")}, 2)
    [False, True, True, False, False]
    """
    wanted = truth if isinstance(truth, set | frozenset) else set(truth)
    is_covered = [False] * len(items)
    reached = 0
    for place, run in enumerate(runs(items, size)):
        if run in wanted:
            reached = max(reached, place)
            is_covered[reached : place + size] = [True] * (place + size - reached)
            reached = place + size
    return is_covered


# ---------------------------------------------------------------------------------------------------- many pages


def diversity(domains: Sequence[str]) -> float:
    """The diversity of a corpus: the number of domains divided by the number of pages.

    >>> diversity(["a.org", "a.org", "b.org", "a.org"])
    0.5
    """
    return len(set(domains)) / len(domains) if domains else 0.0


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean with its 95 % interval."""

    value: float
    low: float
    high: float
    count: int
    """The number of values."""


def mean(values: Sequence[float], seed: int = SEED) -> Mean | None:
    """The mean of the values and its 95 % interval, computed by bootstrap resampling.

    >>> mean([0.5, 0.5, 0.5])
    Mean(value=0.5, low=0.5, high=0.5, count=3)
    >>> mean([])
    """
    if not values:
        return None
    array = np.array(values, np.float64)
    drawn = np.random.default_rng(seed).integers(0, len(array), (RESAMPLES, len(array)))
    low, high = np.quantile(array[drawn].mean(axis=1), (0.025, 0.975)).tolist()
    return Mean(float(array.mean()), low, high, len(values))
