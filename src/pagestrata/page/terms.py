"""Terms: the words of a page as methods compare them, each told where it stands.

A term is a lower-cased word brought to its stem (Snowball), stop words left out; where a script has no spaces, each
pair of neighbouring characters is a term. The stop words are few (see data/stop_words.json): what stands on all pages
of a site weighs nothing by its idf anyway.
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

from pagestrata.page import tags
from pagestrata.page.nodes import Bools, Ints
from pagestrata.page.page import Page
from pagestrata.page.text import UNSPACED_RANGES

Floats = npt.NDArray[np.float64]

LONGEST_TERM: Final = 64
"""Longer words are cut here: nobody wrote them, and a line of base64 needs no stem."""
SAMPLE_LENGTH: Final = 2_000
"""Characters that are enough to tell a language by."""
CONFIDENT: Final = 0.95
"""As in the metadata: from here on the detector is right on 99.8 % of the pages that declare their language."""

_NODE_ENDS = "\0"
"""Stands between the texts of two nodes; no page has it, since parsers replace it."""
_UNSPACED = "".join(f"{chr(low)}-{chr(high)}" for low, high in UNSPACED_RANGES)
_WORD = re.compile(rf"\w+|{_NODE_ENDS}")
_DROPPED, _BOUNDARY = -1, -2
_IS_SEEN = np.array([reason not in tags.UNSEEN for reason in range(len(tags.HIDDEN_BY))])


@dataclass(frozen=True, slots=True, eq=False)
class Terms:
    """The terms of a page in document order. Columns are int32, one entry per occurrence."""

    numbers: Ints
    """The number of the term in its `Vocabulary`."""
    nodes: Ints
    """The text node it stands in."""
    node_count: int

    def frequencies(self) -> tuple[Ints, Ints]:
        """The numbers of the different terms, in the order of their first occurrence, and how often each occurs."""
        numbers, firsts, counts = np.unique(self.numbers, return_index=True, return_counts=True)
        order = np.argsort(firsts)
        return numbers[order], counts[order].astype(np.int32)

    def are_of(self, wanted: Ints) -> Bools:
        """Which occurrences are of one of these terms."""
        table = np.zeros(int(max(self.numbers.max(initial=0), wanted.max(initial=0))) + 1, np.bool_)
        table[wanted] = True
        return table[self.numbers]

    def within(self, chosen: Bools) -> "Terms":
        """Those in the chosen nodes; bool, one per node."""
        kept = chosen[self.nodes]
        return Terms(self.numbers[kept], self.nodes[kept], self.node_count)

    def before(self, chosen: Bools | None = None) -> Ints:
        """How many (of the chosen) stand before each node; one entry more than nodes, so that ends can be asked too."""
        nodes = self.nodes if chosen is None else self.nodes[chosen]
        counts = np.zeros(self.node_count + 1, np.int32)
        np.cumsum(np.bincount(nodes, minlength=self.node_count), out=counts[1:])
        return counts


class Vocabulary:
    """Gives terms their numbers. Each different word is stemmed once for all pages that are read with it."""

    def __init__(self, language: str | None = None) -> None:
        self.language = language
        self.terms: list[str] = []
        """Each at the place that is its number."""
        self._stem = _stemmer(language)
        self._stop_words = _stop_words(language)
        self._numbers: dict[str, int] = {}
        self._words = {_NODE_ENDS: _BOUNDARY}

    def read(self, page: Page) -> Terms:
        """The terms of what can be seen on a page."""
        nodes = page.nodes
        seen = np.flatnonzero(nodes.is_text & _IS_SEEN[nodes.hidden_by])
        spans = zip(nodes.text_start[seen].tolist(), nodes.text_end[seen].tolist(), strict=True)
        numbers = self._numbers_of(_NODE_ENDS.join([page.text[start:end] for start, end in spans]))
        places = np.cumsum(numbers == _BOUNDARY)
        kept = numbers >= 0
        return Terms(numbers[kept], seen[places[kept]].astype(np.int32), len(nodes))

    def numbers_of(self, text: str) -> list[int]:
        """The numbers of the terms of a text, in order."""
        return [number for number in self._numbers_of(text).tolist() if number >= 0]

    def _numbers_of(self, text: str) -> Ints:
        has_runs = not text.isascii() and _unspaced().search(text)
        words = list(_with_pairs(_word_or_run().findall(text))) if has_runs else _WORD.findall(text)
        self._learn([word for word in dict.fromkeys(words) if word not in self._words])
        return np.fromiter(map(self._words.__getitem__, words), np.int32, len(words))

    def _learn(self, words: Sequence[str]) -> None:
        lowered = [word[:LONGEST_TERM].lower() for word in words]
        for word, low, stem in zip(words, lowered, self._stem(lowered), strict=True):
            if low in self._stop_words:
                self._words[word] = _DROPPED
                continue
            self._words[word] = number = self._numbers.setdefault(stem, len(self.terms))
            if number == len(self.terms):
                self.terms.append(stem)


def _with_pairs(words: Iterable[str]) -> Iterator[str]:
    """Take runs of a script without spaces apart into pairs of characters.

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
    return re.compile(f"{_NODE_ENDS}|[{_UNSPACED}]+|[^\\W{_UNSPACED}]+")


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
    """The language that most of the pages declare; if none does, that of the first one's text. An ISO 639 code."""
    declared = [code for code in map(_declared, pages) if code]
    if declared:
        return max(declared, key=declared.count)
    return _detected(pages[0]) if pages else None


def _declared(page: Page) -> str | None:
    said = (page.attribute(0, "lang") or page.attribute(0, "xml:lang")) if len(page.nodes) else None
    code = re.match(r"\s*([A-Za-z]{2,3})(?![A-Za-z])", said or "")
    return code[1].lower() if code else None


def _detected(page: Page) -> str | None:
    middle = max(0, (len(page.text) - SAMPLE_LENGTH) // 2)
    found = detect_language(page.text[middle : middle + SAMPLE_LENGTH], LanguageDetection(threshold=CONFIDENT))
    return found.language


@dataclass(frozen=True, slots=True)
class Frequencies:
    """On how many pages each term stands: what idf needs, and all that has to be kept of the pages for it."""

    pages: int = 0
    counts: Mapping[str, int] = field(default_factory=dict)
    """By term; a term that is not listed is taken to be new."""

    def of(self, vocabulary: Vocabulary) -> Floats:
        """Those of all terms of a vocabulary, by their numbers."""
        counts = self.counts
        return np.array([counts.get(term, 0) for term in vocabulary.terms], np.float64)


def page_counts(vocabulary: Vocabulary, pages: Iterable[Terms]) -> Floats:
    """On how many of the pages each term stands, by its number."""
    counts = np.zeros(len(vocabulary.terms))
    for terms in pages:
        counts[np.unique(terms.numbers)] += 1
    return counts


def most_frequent(vocabulary: Vocabulary, counts: Floats, pages: int, most: int) -> Frequencies:
    """The frequencies as plain data: of terms on more than one page (if there are more), those on most pages."""
    known = zip((-counts).tolist(), vocabulary.terms, strict=False)  # terms that are on no page come last
    kept = sorted((count, term) for count, term in known if -count >= min(2, pages))[:most]
    return Frequencies(pages, {term: int(-count) for count, term in kept})


def by_tf_idf(tf: Ints, df: Floats, pages: int, most: int) -> tuple[Ints, Floats]:
    """The places and weights of the terms with the highest tf · ln(pages / df); ties in their order, no weight of 0.

    >>> places, weights = by_tf_idf(np.array([9, 1, 2, 2]), np.array([2.0, 1, 1, 1]), pages=2, most=2)
    >>> places.tolist(), weights.round(2).tolist()
    ([2, 3], [1.39, 1.39])
    """
    weights = tf.astype(np.float64) * np.log(pages / np.maximum(df, 1))
    places = np.argsort(-weights, kind="stable")[:most]
    places = places[weights[places] > 0]
    return places.astype(np.int32), weights[places]
