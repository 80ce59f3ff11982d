"""What the engine has learned, as plain arrays in one file; `card.md` beside it says from what, when and how well."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from io import BytesIO
from typing import Final
from zipfile import BadZipFile

import numpy as np

from pagestrata.engine.lexicon import Lexicon
from pagestrata.engine.trees import Trees
from pagestrata.errors import ModelError

FORMAT: Final = 1
_TREES = ("feature", "threshold", "left", "right", "root", "leaf")
_LEXICON = ("names", "lines", "headings")


@dataclass(frozen=True, slots=True, eq=False)
class EngineModel:
    """Trees over the features of a block, and the words they know."""

    columns: tuple[str, ...]
    """The features that the trees look at, in their order."""
    trees: Trees
    base: float
    """The log odds of a block that nothing is known of."""
    lexicon: Lexicon

    def to_bytes(self) -> bytes:
        """As a file; the same model gives the same bytes."""
        arrays: dict[str, np.ndarray] = {"format": np.array(FORMAT), "base": np.array(self.base)}
        arrays["columns"] = _packed(self.columns)
        arrays |= {f"trees_{name}": getattr(self.trees, name) for name in _TREES}
        for name in _LEXICON:
            weights: Mapping[str, float] = getattr(self.lexicon, name)
            arrays[f"{name}_words"] = _packed(sorted(weights))
            arrays[f"{name}_weights"] = np.array([weights[word] for word in sorted(weights)], np.float32)
        file = BytesIO()
        np.savez_compressed(file, **arrays)  # type: ignore[arg-type]
        return file.getvalue()

    @classmethod
    def from_bytes(cls, data: bytes) -> "EngineModel":
        """Back from a file."""
        try:
            with np.load(BytesIO(data), allow_pickle=False) as arrays:
                if int(arrays["format"]) != FORMAT:
                    raise ModelError(
                        f"this engine model has format {int(arrays['format'])}, and only {FORMAT} is known"
                    )
                lexicon = {
                    name: dict(zip(_unpacked(arrays[f"{name}_words"]), arrays[f"{name}_weights"].tolist(), strict=True))
                    for name in _LEXICON
                }
                trees = Trees(**{name: arrays[f"trees_{name}"] for name in _TREES})
                return cls(tuple(_unpacked(arrays["columns"])), trees, float(arrays["base"]), Lexicon(**lexicon))
        except (OSError, ValueError, KeyError, BadZipFile) as error:
            raise ModelError(f"this is no engine model: {error}") from error


def _packed(words: list[str] | tuple[str, ...]) -> np.ndarray:
    return np.frombuffer("\n".join(words).encode(), np.uint8)


def _unpacked(array: np.ndarray) -> list[str]:
    return array.tobytes().decode().split("\n") if array.size else []


@cache
def shipped() -> EngineModel:
    """The model in the package, read once."""
    return EngineModel.from_bytes(files("pagestrata.engine").joinpath("data", "model.npz").read_bytes())
