"""Terms: the words of a page in the form in which methods compare them, each with its node.

A term is a lower-cased word brought to its stem (Snowball), stop words left out; where a script has no spaces, each
pair of neighbouring characters is a term. The stop words are few (see data/stop_words.json): a term on all pages of
a site has an idf of 0 anyway.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import Final

import msgspec
import numpy as np
import numpy.typing as npt
from turbohtml.detect import LanguageDetection, detect_language

from pagestrata.page.nodes import Bools, Ints
from pagestrata.page.page import Page
from pagestrata.page.text import UNSPACED_RANGES

Floats = npt.NDArray[np.float64]

MAX_TERM_LENGTH: Final = 64
"""Longer words are cut: they are not words of people, and a line of base64 needs no stem."""
SAMPLE_LENGTH: Final = 2_000
"""Characters that are enough to detect a language."""
MIN_CONFIDENCE: Final = 0.95
"""As in the metadata: above this, the detector is right on 99.8 % of the pages that declare their language."""

_NODE_SEPARATOR = "\0"
"""Separates the texts of two nodes; it occurs on no page, since parsers replace it."""
_UNSPACED = "".join(f"{chr(low)}-{chr(high)}" for low, high in UNSPACED_RANGES)
_WORD = re.compile(rf"\w+|{_NODE_SEPARATOR}")
_DROPPED, _BOUNDARY = -1, -2


@dataclass(frozen=True, slots=True, eq=False)
class Terms:
    """The terms of a page in document order. Columns are int32, one entry per occurrence."""

    numbers: Ints
    """The number of the term in its `Vocabulary`."""
    nodes: Ints
    """The text node that contains the occurrence."""
    node_count: int

    def frequencies(self) -> tuple[Ints, Ints]:
        """Return the numbers of the distinct terms, in the order of first occurrence, and their counts."""
        numbers, firsts, counts = np.unique(self.numbers, return_index=True, return_counts=True)
        order = np.argsort(firsts)
        return numbers[order], counts[order].astype(np.int32)

    def are_of(self, wanted: Ints) -> Bools:
        """Return which occurrences are of one of these terms."""
        table = np.zeros(int(max(self.numbers.max(initial=0), wanted.max(initial=0))) + 1, np.bool_)
        table[wanted] = True
        return table[self.numbers]

    def within(self, chosen: Bools) -> "Terms":
        """Return the terms in the chosen nodes; `chosen` is bool, one per node."""
        kept = chosen[self.nodes]
        return Terms(self.numbers[kept], self.nodes[kept], self.node_count)

    def before(self, chosen: Bools | None = None) -> Ints:
        """Count the (chosen) occurrences before each node; one entry more than nodes, for ends of subtrees."""
        nodes = self.nodes if chosen is None else self.nodes[chosen]
        counts = np.zeros(self.node_count + 1, np.int32)
        np.cumsum(np.bincount(nodes, minlength=self.node_count), out=counts[1:])
        return counts


class Vocabulary:
    """The numbers of terms. Each distinct word is stemmed once for all pages that are read with one vocabulary.

    With a `length` of 2 or more, a term is a run of so many neighbouring words of one text, stop words left out.
    """

    def __init__(self, language: str | None = None, length: int = 1) -> None:
        self.language, self.length = language, length
        self.terms: list[str] = []
        """The terms by number."""
        self._single = Vocabulary(language) if length > 1 else self
        self._stem = _stemmer(language)
        self._stop_words = _stop_words(language)
        self._numbers: dict[str, int] = {}
        self._words = {_NODE_SEPARATOR: _BOUNDARY}

    def read(self, page: Page) -> Terms:
        """Return the terms of the visible text of a page."""
        if self.length > 1:
            return self._runs(self._single.read(page))
        nodes = page.nodes
        visible = np.flatnonzero(nodes.is_text & ~nodes.is_unseen)
        spans = zip(nodes.text_start[visible].tolist(), nodes.text_end[visible].tolist(), strict=True)
        numbers = self._numbers_of(_NODE_SEPARATOR.join([page.text[start:end] for start, end in spans]))
        places = np.cumsum(numbers == _BOUNDARY)
        kept = numbers >= 0
        return Terms(numbers[kept], visible[places[kept]].astype(np.int32), len(nodes))

    def numbers_of(self, text: str) -> list[int]:
        """Return the numbers of the terms of a text, in order."""
        if self.length > 1:
            words = np.array(self._single.numbers_of(text), np.int32)
            return list(map(int, self._runs(Terms(words, np.zeros_like(words), 1)).numbers))
        return [number for number in self._numbers_of(text).tolist() if number >= 0]

    def _runs(self, words: Terms) -> Terms:
        """Return the runs of neighbouring words; each belongs to the text node that all of its words are in."""
        count = max(0, len(words.numbers) - self.length + 1)
        starts = np.flatnonzero(words.nodes[:count] == words.nodes[len(words.nodes) - count :])
        names = self._single.terms
        runs = words.numbers[starts[:, None] + np.arange(self.length)].tolist()
        numbers = [self._number(" ".join(map(names.__getitem__, run))) for run in runs]
        return Terms(np.array(numbers, np.int32), words.nodes[starts], words.node_count)

    def _numbers_of(self, text: str) -> Ints:
        has_runs = not text.isascii() and _unspaced().search(text)
        words = list(_with_pairs(_word_or_run().findall(text))) if has_runs else _WORD.findall(text)
        self._learn([word for word in dict.fromkeys(words) if word not in self._words])
        return np.fromiter(map(self._words.__getitem__, words), np.int32, len(words))

    def _learn(self, words: Sequence[str]) -> None:
        lowered = [word[:MAX_TERM_LENGTH].lower() for word in words]
        for word, low, stem in zip(words, lowered, self._stem(lowered), strict=True):
            if low in self._stop_words:
                self._words[word] = _DROPPED
                continue
            self._words[word] = self._number(stem)

    def _number(self, term: str) -> int:
        """Return the number of a term, a new one if it is not known yet."""
        number = self._numbers.setdefault(term, len(self.terms))
        if number == len(self.terms):
            self.terms.append(term)
        return number


def _with_pairs(words: Iterable[str]) -> Iterator[str]:
    """Split runs of a script without spaces into pairs of characters.

    >>> list(_with_pairs(["in", "東京都", "駅"]))
    ['in', '東京', '京都', '駅']
    """
    unspaced = _unspaced()
    for word in words:
        if len(word) > 2 and unspaced.match(word):
            yield from map("".join, pairwise(word))
        else:
            yield word


@cache
def _word_or_run() -> re.Pattern[str]:
    """A word, or a run of a script without spaces, or the end of a node. Made when needed: it takes milliseconds."""
    return re.compile(f"{_NODE_SEPARATOR}|[{_UNSPACED}]+|[^\\W{_UNSPACED}]+")


@cache
def _unspaced() -> re.Pattern[str]:
    return re.compile(f"[{_UNSPACED}]")


@cache
def _stop_words(language: str | None) -> frozenset[str]:
    lists = msgspec.json.decode(files(__package__).joinpath("data/stop_words.json").read_bytes())["words"]
    return frozenset(word for codes, words in lists.items() if language in codes.split() for word in words.split())


def _stemmer(language: str | None) -> Callable[[list[str]], list[str]]:
    import Stemmer  # type: ignore[import-not-found]  # loads a library; not needed by those who never learn a site

    code = "no" if language in ("nb", "nn", "nob", "nno") else language or ""
    try:
        stem: Callable[[list[str]], list[str]] = Stemmer.Stemmer(code, 0).stemWords
    except KeyError:  # a language without a stemmer: words as they are
        return list
    return stem


def language_of(pages: Sequence[Page]) -> str | None:
    """Return the language that most of the pages declare, or else that of the first page's text, as ISO 639 code."""
    declared = [code for code in map(_declared_language, pages) if code]
    if declared:
        return max(declared, key=declared.count)
    return _detected_language(pages[0]) if pages else None


def _declared_language(page: Page) -> str | None:
    value = (page.attribute(0, "lang") or page.attribute(0, "xml:lang")) if len(page.nodes) else None
    code = re.match(r"\s*([A-Za-z]{2,3})(?![A-Za-z])", value or "")
    return code[1].lower() if code else None


def _detected_language(page: Page) -> str | None:
    middle = max(0, (len(page.text) - SAMPLE_LENGTH) // 2)
    detection = detect_language(page.text[middle : middle + SAMPLE_LENGTH], LanguageDetection(threshold=MIN_CONFIDENCE))
    return detection.language


@dataclass(frozen=True, slots=True)
class Frequencies:
    """The number of pages that each term is on, which is all that has to be kept of the pages to compute idf."""

    pages: int = 0
    counts: Mapping[str, int] = field(default_factory=dict)
    """By term; a term that is not listed is taken to be new."""

    def of(self, vocabulary: Vocabulary) -> Floats:
        """Return the frequencies of all terms of a vocabulary, by their numbers."""
        counts = self.counts
        return np.array([counts.get(term, 0) for term in vocabulary.terms], np.float64)


def page_counts(vocabulary: Vocabulary, pages: Iterable[Terms]) -> Floats:
    """Return the number of pages that each term is on, by the number of the term."""
    counts = np.zeros(len(vocabulary.terms))
    for terms in pages:
        counts[np.unique(terms.numbers)] += 1
    return counts


def most_frequent(vocabulary: Vocabulary, counts: Floats, pages: int, limit: int) -> Frequencies:
    """Return the frequencies of the terms on most pages; of several pages, terms on only one are left out."""
    negated = zip((-counts).tolist(), vocabulary.terms, strict=False)  # terms that are on no page come last
    kept = sorted((count, term) for count, term in negated if -count >= min(2, pages))[:limit]
    return Frequencies(pages, {term: int(-count) for count, term in kept})


def by_tf_idf(tf: Ints, df: Floats, pages: int, limit: int) -> tuple[Ints, Floats]:
    """Return places and weights of the terms with the highest tf · ln(pages / df) > 0; ties stay in their order.

    >>> places, weights = by_tf_idf(np.array([9, 1, 2, 2]), np.array([2.0, 1, 1, 1]), pages=2, limit=2)
    >>> places.tolist(), weights.round(2).tolist()
    ([2, 3], [1.39, 1.39])
    """
    weights = tf.astype(np.float64) * np.log(pages / np.maximum(df, 1))
    places = np.argsort(-weights, kind="stable")[:limit]
    places = places[weights[places] > 0]
    return places.astype(np.int32), weights[places]
