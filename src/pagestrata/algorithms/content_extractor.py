"""ContentExtractor: content blocks that rarely recur over the pages of a site are content (Debnath et al., 2005).

Two blocks are the same if the cosine of their words is at least 0.9. The block document frequency is the number of
pages that have the same block; its inverse, ln((n + 1) / (f + 1)) / ln(n + 1), is 1 for a block on no other page and 0
for one on all. Ours: this form of the inverse, within [0, 1]; the cut in its middle; words as multisets.

Few pairs are compared: of two vectors with a cosine of at least t, sorted by rarity, the heads up to where the
remainder is shorter than t must share a term. So an index of the heads finds all pairs.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

from pagestrata.algorithms.base import DEFAULTS, Part, segmentation
from pagestrata.options import Options
from pagestrata.page.content_blocks import ContentBlock, content_blocks
from pagestrata.page.feed import Feed
from pagestrata.page.page import Page
from pagestrata.page.text import words
from pagestrata.results import Segmentation

SIMILAR: Final = 0.9
"""The paper's threshold for the cosine of two blocks."""
MAX_COMPARISONS: Final = 16
"""The limit on blocks that one is compared with, those with its rarest words first; it bounds the cost of odd pages."""

Vector = Mapping[str, float]
"""Words with their weights, of length 1."""


def vector_of(text: str) -> Vector:
    """Return the words of a text as a vector of length 1.

    >>> vector_of("Tea, tea, tea and leaves leaves leaves leaves")["leaves"]
    0.7844645405527362
    """
    counts = Counter(words(text.lower()))
    length = math.sqrt(sum(count * count for count in counts.values()))
    return {word: count / length for word, count in counts.items()}


def cosine(first: Vector, second: Vector) -> float:
    """Return the cosine of the angle between two vectors.

    >>> round(cosine(vector_of("a a b"), vector_of("a b b")), 6)
    0.8
    """
    small, large = sorted((first, second), key=len)
    return sum(weight * large[word] for word, weight in small.items() if word in large)


def head(vector: Vector, frequencies: Mapping[str, int], similar: float = SIMILAR) -> Iterator[str]:
    """Yield the rarest words of a vector, up to where the remainder is shorter than the threshold."""
    remainder = 1.0
    for word in sorted(vector, key=lambda word: (frequencies.get(word, 0), word)):
        if remainder < similar * similar:
            return
        yield word
        remainder -= vector[word] ** 2


@dataclass(frozen=True, slots=True)
class ContentExtractor:
    """Learns which blocks recur on a site."""

    similar: float = SIMILAR

    def learn(self, pages: Sequence[Page], feed: Feed | None = None) -> "RecurringBlocks":
        """Count on how many pages each block is."""
        page_vectors = [[vector_of(text_of(page, block)) for block in content_blocks(page)] for page in pages]
        frequencies = Counter(word for vectors in page_vectors for vector in vectors for word in vector)
        recurring = RecurringBlocks(len(pages), self.similar, frequencies)
        for vectors in page_vectors:
            recurring.add_page(vectors)
        return recurring


@dataclass(frozen=True, slots=True)
class RecurringBlocks:
    """The blocks of a site, each with the number of pages that have the same block."""

    pages: int
    similar: float = SIMILAR
    frequencies: Mapping[str, int] = field(default_factory=dict, repr=False)
    """The number of blocks with each word, which defines the order of rarity."""
    vectors: list[Vector] = field(default_factory=list, repr=False)
    counts: list[int] = field(default_factory=list, repr=False)
    """Block document frequencies."""
    exact: dict[frozenset[tuple[str, float]], int] = field(default_factory=dict, repr=False)
    """The index of the block with exactly the same words."""
    heads: defaultdict[str, list[int]] = field(default_factory=lambda: defaultdict(list), repr=False)
    """The indices of the blocks with a word in their head."""

    def add_page(self, vectors: Sequence[Vector]) -> None:
        """Count the blocks of one more page, each once."""
        page_blocks = set()
        for vector in filter(None, vectors):
            place = self.find(vector)
            if place is None:
                place = len(self.vectors)
                self.vectors.append(vector)
                self.exact[frozenset(vector.items())] = place
                self.counts.append(0)
                for word in head(vector, self.frequencies, self.similar):
                    self.heads[word].append(place)
            page_blocks.add(place)
        for place in page_blocks:
            self.counts[place] += 1

    def find(self, vector: Vector) -> int | None:
        """Return the learned block that is the same: of several, the most similar, the first of equals."""
        same = self.exact.get(frozenset(vector.items()))
        if same is not None:
            return same
        candidates = (
            place for word in head(vector, self.frequencies, self.similar) for place in self.heads.get(word, ())
        )
        places = dict.fromkeys(islice(candidates, MAX_COMPARISONS))
        similarities = [(-round(cosine(vector, self.vectors[place]), 9), place) for place in places]
        likeness, place = min(similarities, default=(0.0, 0))
        return place if -likeness >= self.similar else None

    def inverse_frequency(self, vector: Vector) -> float:
        """Return a value in [0, 1]: 1 for a block on no learned page, 0 for one on all, and for one without words."""
        place = self.find(vector) if vector else None
        if not vector or not self.pages:
            return float(bool(vector))
        count = 0 if place is None else self.counts[place]
        return math.log((self.pages + 1) / (count + 1)) / math.log(self.pages + 1)

    def segment(self, page: Page, options: Options = DEFAULTS) -> Segmentation:
        """Return a section for each content block; its importance is its inverse block document frequency."""
        parts = [
            Part(block.start, block.end, importance, reasons=(f"inverse block document frequency {importance:.2f}",))
            for block in content_blocks(page)
            for importance in [self.inverse_frequency(vector_of(text_of(page, block)))]
        ]
        notes = ("learned from no page: nothing can recur",) if not self.pages else ()
        return segmentation(page, parts, options, float(self.pages > 0), notes)


def text_of(page: Page, block: ContentBlock) -> str:
    """Return the text of a content block."""
    first, last = block.blocks[0], block.blocks[-1]
    return page.text[int(page.blocks.text_start[first]) : int(page.blocks.text_end[last])]
