"""What type of page it is: the probability of each of seven, from the words and the measures of the page.

words of each place → seven sums of learned weights ┐
measures ───────────────────────────────────────────┴→ oblivious trees → softmax

The type informs; nothing depends on it. It is worked out when asked for.
"""

import zlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from io import BytesIO
from typing import Any, Final
from zipfile import BadZipFile, ZipFile

import numpy as np
import numpy.typing as npt

from pagestrata.engine.page_signs import PLACES, Words, numbers_of, words_of
from pagestrata.errors import ModelError
from pagestrata.page.page import Page
from pagestrata.results import PageType

Floats = npt.NDArray[np.float32]

FORMAT: Final = 1
LARGEST: Final = 4_000_000
"""Bytes that a model may unfold to; ours has a tenth of it."""
TYPES: Final = (
    PageType.ARTICLE,
    PageType.FORUM,
    PageType.PRODUCT,
    PageType.COLLECTION,
    PageType.LISTING,
    PageType.DOCUMENTATION,
    PageType.SERVICE,
)
"""In the order of the columns of all arrays here."""
SCORES: Final = tuple(f"{place} {page_type}" for place in PLACES for page_type in TYPES)


def probabilities_of(page: Page) -> dict[PageType, float]:
    """The probability of each type, most likely first; no type is known of a page without text."""
    return shipped().probabilities(page) if page.text else {}


@dataclass(frozen=True, slots=True, eq=False)
class WordWeights:
    """How much the words of one place speak for each type."""

    rows: Mapping[str, int]
    """The row of each known word."""
    weights: npt.NDArray[np.int8]
    """Words × types, in parts of `scale`."""
    scale: float

    def score(self, words: Collection[str]) -> Floats:
        """The sum of the weights of the known words, over the root of their number; zeros if none is known."""
        found = [row for row in map(self.rows.get, words) if row is not None]
        sums = self.weights[found].sum(axis=0, dtype=np.int64)
        return np.asarray(sums * (self.scale / max(1, len(found)) ** 0.5), np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class TypeTrees:
    """Oblivious trees of one depth with a leaf value for each type."""

    feature: npt.NDArray[np.uint16]
    """Trees × depth: the place in the row that a level looks at."""
    threshold: Floats
    """Trees × depth: the answer is yes if the value is above this."""
    leaf: npt.NDArray[np.int8]
    """Trees × 2 ** depth × types, in parts of `scale`; the first question is the lowest bit."""
    scale: float

    def score(self, row: Floats) -> npt.NDArray[np.float64]:
        """The sum over all trees for each type."""
        yes = row[self.feature] > self.threshold
        reached = yes @ (1 << np.arange(self.feature.shape[1]))
        sums = self.leaf[np.arange(len(self.leaf)), reached].sum(axis=0, dtype=np.int64)
        return np.asarray(sums * self.scale, np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class PageTypeModel:
    """What was learned of page types, as plain arrays."""

    numbers: tuple[str, ...]
    """The measures of a page that stand first in a row; after them come the `SCORES` of its words."""
    words: tuple[WordWeights, ...]
    """One for each of the `PLACES`."""
    trees: TypeTrees
    temperature: float = 1.0
    """What sums are divided by, so that probabilities hold on pages that were not learned from."""

    def probabilities(self, page: Page) -> dict[PageType, float]:
        """The probability of each type, most likely first."""
        chances = self.chances(self.row(words_of(page), numbers_of(page)))
        order = sorted(range(len(TYPES)), key=lambda place: -chances[place])
        return {TYPES[place]: float(chances[place]) for place in order}

    def row(self, words: Words, numbers: Mapping[str, float]) -> Floats:
        """What the trees look at."""
        if not numbers.keys() >= set(self.numbers):
            raise ModelError("this page type model looks at measures that are not taken")
        scores = [known.score(words[place]) for place, known in zip(PLACES, self.words, strict=True)]
        return np.concatenate([np.array([numbers[name] for name in self.numbers], np.float32), *scores])

    def chances(self, row: Floats) -> npt.NDArray[np.float64]:
        """The probabilities in the order of `TYPES`."""
        return softmax(self.trees.score(row) / self.temperature)

    def to_bytes(self) -> bytes:
        """As a file; the same model gives the same bytes."""
        arrays: dict[str, npt.NDArray[Any]] = {
            "format": np.array(FORMAT),
            "numbers": _packed(self.numbers),
            "words": _packed([word for known in self.words for word in known.rows]),
            "word_counts": np.array([len(known.rows) for known in self.words], np.int32),
            "word_weights": np.concatenate([known.weights for known in self.words]),
            "word_scales": np.array([known.scale for known in self.words]),
            "feature": self.trees.feature,
            "threshold": self.trees.threshold,
            "leaf": self.trees.leaf,
            "leaf_scale": np.array(self.trees.scale),
            "temperature": np.array(self.temperature),
        }
        file = BytesIO()
        np.savez(file, **arrays)  # type: ignore[arg-type] # packed, it would take twice as long to read
        return file.getvalue()

    @classmethod
    def from_bytes(cls, data: bytes) -> "PageTypeModel":
        """Back from a file; what is no such file, or does not fit together, is refused."""
        try:
            with ZipFile(BytesIO(data)) as inside:
                if sum(entry.file_size for entry in inside.infolist()) > LARGEST:
                    raise ModelError(f"this page type model unfolds to more than {LARGEST:,} bytes")
            with np.load(BytesIO(data), allow_pickle=False) as arrays:
                return cls._from_arrays(dict(arrays))
        except (
            ArithmeticError,
            BadZipFile,
            EOFError,
            KeyError,
            MemoryError,
            NotImplementedError,
            OSError,
            RuntimeError,
            TypeError,
            ValueError,
            zlib.error,
        ) as error:
            raise ModelError(f"this is no page type model: {error}") from error

    @classmethod
    def _from_arrays(cls, arrays: Mapping[str, npt.NDArray[Any]]) -> "PageTypeModel":
        if int(arrays["format"]) != FORMAT:
            raise ModelError(f"this page type model has format {int(arrays['format'])}, and only {FORMAT} is known")
        trees = TypeTrees(
            _like(arrays["feature"], np.uint16, 2),
            _like(arrays["threshold"], np.float32, 2),
            _like(arrays["leaf"], np.int8, 3),
            float(arrays["leaf_scale"]),
        )
        words, weights = _unpacked(arrays["words"]), _like(arrays["word_weights"], np.int8, 2)
        ends = np.cumsum(_like(arrays["word_counts"], np.int32, 1)).tolist()
        scales = _like(arrays["word_scales"], np.float64, 1).tolist()
        known = []
        for start, end, scale in zip([0, *ends], ends, scales, strict=False):
            rows = dict(zip(words[start:end], range(end - start), strict=True))
            known.append(WordWeights(rows, weights[start:end], scale))
        model = cls(tuple(_unpacked(arrays["numbers"])), tuple(known), trees, float(arrays["temperature"]))
        model._check(len(words))
        return model

    def _check(self, word_count: int) -> None:
        """Refuse arrays that do not fit together, which would fail or lie later."""
        trees, width = self.trees, len(self.numbers) + len(SCORES)
        counts = [(len(known.rows), len(known.weights)) for known in self.words]
        scales = [trees.scale, self.temperature, *(known.scale for known in self.words)]
        fits = (
            len(self.words) == len(PLACES)
            and sum(count for count, _ in counts) == word_count
            and all(count == rows for count, rows in counts)
            and all(known.weights.shape[1] == len(TYPES) for known in self.words)
            and trees.feature.shape == trees.threshold.shape
            and trees.leaf.shape == (len(trees.feature), 1 << trees.feature.shape[1], len(TYPES))
            and int(trees.feature.max(initial=0)) < width
            and all(np.isfinite(scale) and scale > 0 for scale in scales)
        )
        if not fits:
            raise ModelError("this page type model does not fit together")


def softmax(sums: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Sums to probabilities, along the last axis.

    >>> softmax(np.array([1.0, 1.0]))
    array([0.5, 0.5])
    """
    powers = np.exp(sums - sums.max(axis=-1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True), np.float64)


@cache
def shipped() -> PageTypeModel:
    """The model in the package, read once."""
    return PageTypeModel.from_bytes(files("pagestrata.engine").joinpath("data", "page_types.npz").read_bytes())


def _like(array: npt.NDArray[Any], kind: type[np.generic], dimensions: int) -> npt.NDArray[Any]:
    if array.dtype != kind or array.ndim != dimensions:
        raise ModelError(f"an array of {array.dtype} in {array.ndim} dimensions stands where it may not")
    return array


def _packed(words: Collection[str]) -> npt.NDArray[np.uint8]:
    return np.frombuffer("\n".join(words).encode(), np.uint8)


def _unpacked(array: npt.NDArray[Any]) -> list[str]:
    return _like(array, np.uint8, 1).tobytes().decode().split("\n") if array.size else []
