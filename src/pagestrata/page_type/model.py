"""The model of page types: the probability of each of seven types, from the words and the measures of a page.

words of each place → seven sums of learned weights ─┬─ a share of their total ─┐
measures ────────────────────────────────────────────┴──→ oblivious trees ─────┴→ softmax

The type informs; nothing depends on it. It is computed on request.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from io import BytesIO
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from pagestrata.errors import ModelError
from pagestrata.native import kernel
from pagestrata.native.arrays import Column, as_column, zeros
from pagestrata.page.page import Page
from pagestrata.page_type.numbers import NUMBERS, numbers_of
from pagestrata.page_type.words import PLACES, Words, reader_of, table_size, words_of
from pagestrata.results import PageType
from pagestrata.trees import DEEPEST, Trees, reading_model

Floats = npt.NDArray[np.float32]

FORMAT: Final = 3
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
_loops = kernel("type_text")


def probabilities_of(page: Page) -> dict[PageType, float]:
    """Return the probability of each type, most likely first; empty for a page without text."""
    return shipped().probabilities(page) if page.text else {}


class Signs(NamedTuple):
    """The evidence for the type of a page: its words and measures."""

    words: Words
    """The keys of its words, by place."""
    numbers: Floats
    """Its measures, in the order of `NUMBERS`."""


def signs_of(page: Page) -> Signs:
    """Read what tells the type of a page.

    No sign is indispensable: a page without an address, without class and id names or in a language that the model has
    not seen has the others left.
    """
    reader = reader_of(page)
    return Signs(words_of(page, reader), numbers_of(page, reader))


@dataclass(frozen=True, eq=False)
class WordWeights:
    """How much the words of one place speak for each type."""

    keys: npt.NDArray[np.int64]
    """The known words."""
    weights: npt.NDArray[np.int8]
    """Words × types, in parts of `scale`."""
    scale: float
    base: Floats
    """One per type: what a page with words in this place starts from."""

    def score(self, keys: Column) -> Floats:
        """Return `base` plus the weights of the known words over the root of their number; zeros if none is known."""
        sums, seen = zeros(self.weights.shape[1], np.int64), zeros(len(self.keys), np.int8)
        count = _loops.sum_weights(keys, *self._table, seen, sums)
        if not count:
            return np.zeros(len(sums), np.float32)
        return np.asarray(self.base + np.asarray(sums) * (self.scale / count**0.5), np.float32)

    @cached_property
    def _table(self) -> tuple[Column, Column, Column]:
        """The keys, a table in which they are found, and the weights, for the loops."""
        keys, slots = as_column(self.keys), zeros(table_size(len(self.keys)), np.int32)
        _loops.fill_slots(keys, slots)
        return keys, slots, as_column(self.weights.ravel())


@dataclass(frozen=True, slots=True, eq=False)
class PageTypeModel:
    """A trained model of page types, as plain arrays."""

    words: tuple[WordWeights, ...]
    """One for each of the `PLACES`."""
    trees: Trees
    """Over the `NUMBERS` of a page and then the `SCORES` of its words; one output per type."""
    word_share: float
    """How much of the sum of the `SCORES` is added to what the trees say."""
    temperature: float = 1.0
    """The divisor of the sums, which calibrates the probabilities for pages that were not trained on."""

    def probabilities(self, page: Page) -> dict[PageType, float]:
        """Return the probability of each type, most likely first."""
        chances = self.chances(self.row(signs_of(page)))
        order = sorted(range(len(TYPES)), key=lambda place: -chances[place])
        return {TYPES[place]: float(chances[place]) for place in order}

    def row(self, signs: Signs) -> Floats:
        """Return the input row of the trees."""
        scores = [known.score(keys) for known, keys in zip(self.words, signs.words, strict=True)]
        return np.concatenate([signs.numbers, *scores])

    def chances(self, row: Floats) -> npt.NDArray[np.float64]:
        """Return the probabilities in the order of `TYPES`."""
        return softmax(self.sums(row) / self.temperature)

    def sums(self, row: Floats) -> npt.NDArray[np.float64]:
        """Return the sum for each type: what the trees say, and a share of what the words of all places say."""
        scores = row[len(NUMBERS) :].reshape(len(PLACES), len(TYPES))
        words = np.asarray(scores.sum(axis=0, dtype=np.float64), np.float64)
        return self.word_share * words + self.trees.score(row[:, None])[:, 0]

    def to_bytes(self) -> bytes:
        """Return the model as a file; the same model gives the same bytes."""
        arrays: dict[str, npt.NDArray[Any]] = {
            "format": np.array(FORMAT),
            "numbers": _packed(NUMBERS),
            "words": np.concatenate([known.keys for known in self.words]),
            "word_counts": np.array([len(known.keys) for known in self.words], np.int32),
            "word_weights": np.concatenate([known.weights for known in self.words]),
            "word_scales": np.array([known.scale for known in self.words]),
            "word_bases": np.stack([known.base for known in self.words]),
            "word_share": np.array(self.word_share),
            "feature": self.trees.feature.astype(np.uint16),
            "threshold": self.trees.threshold,
            "leaf": self.trees.leaf.transpose(1, 2, 0).astype(np.int8, order="C"),
            "leaf_unit": np.array(self.trees.unit),
            "temperature": np.array(self.temperature),
        }
        file = BytesIO()
        np.savez(file, **arrays)  # type: ignore[arg-type] # compressed, it would take twice as long to read
        return file.getvalue()

    @classmethod
    def from_bytes(cls, data: bytes) -> "PageTypeModel":
        """Read a model from a file; raise `ModelError` for other or inconsistent data."""
        with reading_model(data, "page type") as arrays:
            return cls._from_arrays(dict(arrays))

    @classmethod
    def _from_arrays(cls, arrays: Mapping[str, npt.NDArray[Any]]) -> "PageTypeModel":
        if int(arrays["format"]) != FORMAT:
            raise ModelError(f"this page type model has format {int(arrays['format'])}, and only {FORMAT} is known")
        if arrays["numbers"].tobytes() != _packed(NUMBERS).tobytes():
            raise ModelError("this page type model was trained on other measures than are taken here: train it anew")
        trees = Trees(
            _checked(arrays["feature"], np.uint16, 2).astype(np.int32),
            _checked(arrays["threshold"], np.float32, 2),
            np.ascontiguousarray(_checked(arrays["leaf"], np.int8, 3).transpose(2, 0, 1), np.int32),
            int(arrays["leaf_unit"]),
        )
        keys, weights = _checked(arrays["words"], np.int64, 1), _checked(arrays["word_weights"], np.int8, 2)
        ends = np.cumsum(_checked(arrays["word_counts"], np.int32, 1)).tolist()
        scales = _checked(arrays["word_scales"], np.float64, 1).tolist()
        bases = _checked(arrays["word_bases"], np.float32, 2)
        words = tuple(
            WordWeights(keys[start:end], weights[start:end], scale, base)
            for start, end, scale, base in zip([0, *ends], ends, scales, bases, strict=False)
        )
        model = cls(words, trees, float(arrays["word_share"]), float(arrays["temperature"]))
        model._check(len(keys))
        return model

    def _check(self, word_count: int) -> None:
        """Refuse arrays that do not fit together, which would fail or give wrong results later."""
        trees, width = self.trees, len(NUMBERS) + len(SCORES)
        scales = [trees.unit, self.temperature, self.word_share, *(known.scale for known in self.words)]
        fits = (
            len(self.words) == len(PLACES)
            and sum(len(known.keys) for known in self.words) == word_count
            and all(known.weights.shape == (len(known.keys), len(TYPES)) for known in self.words)
            and all(known.base.shape == (len(TYPES),) and np.isfinite(known.base).all() for known in self.words)
            and trees.feature.shape == trees.threshold.shape
            and trees.feature.shape[1] <= DEEPEST
            and trees.leaf.shape == (len(TYPES), len(trees.feature), 1 << trees.feature.shape[1])
            and int(trees.feature.max(initial=0)) < width
            and all(np.isfinite(scale) and scale > 0 for scale in scales)
        )
        if not fits:
            raise ModelError("the arrays of this page type model do not fit together")


def softmax(sums: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Turn sums into probabilities, along the last axis.

    >>> softmax(np.array([1.0, 1.0]))
    array([0.5, 0.5])
    """
    powers = np.exp(sums - sums.max(axis=-1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True), np.float64)


@cache
def shipped() -> PageTypeModel:
    """Return the model in the package, read once."""
    return PageTypeModel.from_bytes(files("pagestrata.page_type").joinpath("data", "page_types.npz").read_bytes())


def _checked(array: npt.NDArray[Any], kind: type[np.generic], dimensions: int) -> npt.NDArray[Any]:
    if array.dtype != kind or array.ndim != dimensions:
        raise ModelError(f"a page type model may not have an array of {array.dtype} in {array.ndim} dimensions there")
    return array


def _packed(names: Iterable[str]) -> npt.NDArray[np.uint8]:
    return np.frombuffer("\n".join(names).encode(), np.uint8)
