"""The learned model of the engine, as arrays in one file; `card.md` beside it has its data, date and results."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from importlib.resources import files
from io import BytesIO
from typing import Final

import numpy as np

from pagestrata.engine.features import COLUMNS
from pagestrata.engine.lexicon import Lexicon
from pagestrata.engine.network import Network
from pagestrata.errors import ModelError
from pagestrata.native.words import BUCKETS
from pagestrata.trees import DEEPEST, Trees, reading_model

FORMAT: Final = 6
_TREES = ("feature", "threshold", "leaf")
_LEXICON = ("names", "lines", "headings")
_NETWORK = tuple(field.name for field in fields(Network))


@dataclass(frozen=True, slots=True, eq=False)
class EngineModel:
    """Trees and a network over the features of a block, and the words they know."""

    columns: tuple[str, ...]
    """The features that the trees look at, in their order."""
    trees: Trees
    base: float
    """The log odds that the trees begin with."""
    network: Network
    """Reads the features of the blocks in their order. See `engine.network`."""
    lexicon: Lexicon
    scope_trees: Trees
    """Trees over the means of the features over a page; they tell whether it is an article. See `engine.scope`."""
    scope_base: float

    def to_bytes(self) -> bytes:
        """Return the model as a file; equal models give equal bytes."""
        arrays: dict[str, np.ndarray] = {"format": np.array(FORMAT), "base": np.array(self.base)}
        arrays["scope_base"] = np.array(self.scope_base)
        arrays["columns"] = np.frombuffer("\n".join(self.columns).encode(), np.uint8)
        for kind, trees in (("trees", self.trees), ("scope", self.scope_trees)):
            arrays |= {f"{kind}_{name}": getattr(trees, name) for name in _TREES}
        arrays |= {f"network_{name}": getattr(self.network, name) for name in _NETWORK}
        arrays |= {f"words_{name}": getattr(self.lexicon, name) for name in _LEXICON}
        file = BytesIO()
        np.savez_compressed(file, **arrays)  # type: ignore[arg-type]
        return file.getvalue()

    @classmethod
    def from_bytes(cls, data: bytes) -> "EngineModel":
        """Read a model from a file."""
        with reading_model(data, "engine") as arrays:
            if int(arrays["format"]) != FORMAT:
                raise ModelError(f"this engine model has format {int(arrays['format'])}, and only {FORMAT} is known")
            columns = tuple(arrays["columns"].tobytes().decode().split("\n"))
            if columns != COLUMNS:
                raise ModelError("this engine model looks at other features than are taken here: train it anew")
            trees, scope_trees = (_checked(_trees(arrays, kind), len(columns)) for kind in ("trees", "scope"))
            network = Network(*(arrays[f"network_{name}"] for name in _NETWORK))
            words = _checked_words(Lexicon(*(arrays[f"words_{name}"] for name in _LEXICON)))
            bases = float(arrays["base"]), float(arrays["scope_base"])
            return cls(columns, trees, bases[0], network.checked(len(columns)), words, scope_trees, bases[1])


def _trees(arrays: Mapping[str, np.ndarray], kind: str) -> Trees:
    feature, threshold, leaf = (arrays[f"{kind}_{name}"] for name in _TREES)
    return Trees(feature, threshold, leaf)


def _checked(trees: Trees, columns: int) -> Trees:
    """Refuse inconsistent arrays: the compiled loops do not check bounds."""
    count, depth = trees.feature.shape
    fits = trees.threshold.shape == (count, depth) and trees.leaf.shape == (count, 2**depth)
    types = tuple(getattr(trees, name).dtype for name in _TREES)
    if not fits or depth > DEEPEST or types != (np.int32, np.float32, np.int32):
        raise ValueError("the arrays of the trees do not fit each other")
    if count and not 0 <= trees.feature.min() <= trees.feature.max() < columns:
        raise ValueError("the trees look at features that are not there")
    if np.abs(trees.leaf.astype(np.int64)).max(axis=1, initial=0).sum() >= 2**31:
        raise ValueError("the leaves are too large to be summed")
    return trees


def _checked_words(words: Lexicon) -> Lexicon:
    """Refuse weights of words in another form than the loops expect."""
    for column in (words.names, words.lines, words.headings):
        if column.dtype != np.int8 or column.shape != (BUCKETS,):
            raise ValueError("the weights of words are not one byte for each bucket")
    return words


@cache
def shipped() -> EngineModel:
    """The model in the package, read once."""
    return EngineModel.from_bytes(files("pagestrata.engine").joinpath("data", "model.npz").read_bytes())
