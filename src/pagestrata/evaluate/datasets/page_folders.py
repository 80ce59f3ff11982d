"""Pages to measure on: a data set with its truth, or any folder of pages.

A data set is a folder with `html/ID.html` and `truth/ID.json`, as wcxb is. It is named by its path, or by its name
under the folder in the environment variable PAGESTRATA_DATA.
"""

import os
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

import msgspec

from pagestrata.errors import InputError
from pagestrata.inputs.files import walk

VARIABLE: Final = "PAGESTRATA_DATA"
Drawn = TypeVar("Drawn")


class Truth(msgspec.Struct, frozen=True, rename={"must_have": "with", "must_not_have": "without"}):
    """The right answer, as annotated by a person."""

    id: str
    main_content: str
    url: str = ""
    domain: str = ""
    page_type: str = ""
    title: str | None = None
    author: str | None = None
    publish_date: str | None = None
    must_have: list[str] = []
    """Pieces of text that a good answer contains."""
    must_not_have: list[str] = []
    """Pieces of text that it does not contain."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A page of a data set; the file is read on demand."""

    id: str
    path: Path
    truth_path: Path | None = None

    def read(self) -> bytes:
        """The page as it was fetched."""
        return self.path.read_bytes()

    def truth(self) -> Truth | None:
        """The right answer, where the data set has one."""
        if self.truth_path is None:
            return None
        try:
            return msgspec.json.decode(self.truth_path.read_bytes(), type=Truth)
        except (OSError, msgspec.DecodeError) as error:
            raise InputError(f"cannot read {self.truth_path}: {error}") from error


def find_folder(name: str) -> Path:
    """The folder of that path, or of that name under PAGESTRATA_DATA."""
    home = os.environ.get(VARIABLE)
    for folder in (Path(name), Path(home, name) if home else None):
        if folder is not None and folder.is_dir():
            return folder
    tried = f"{VARIABLE} is {home}" if home else f"{VARIABLE} is not set"
    raise InputError(f"there is no folder {name} ({tried})")


def samples_of(folder: Path) -> list[Sample]:
    """All pages of a data set or a folder, in the order of their names."""
    inside, truth = folder / "html", folder / "truth"
    pages = list(walk(inside if inside.is_dir() else folder))
    if not pages:
        raise InputError(f"there are no pages in {folder}")
    return [_sample(path, truth / f"{path.stem}.json") for path in pages]


def _sample(path: Path, truth: Path) -> Sample:
    return Sample(path.stem, path, truth if truth.is_file() else None)


def draw(samples: Sequence[Drawn], count: int, seed: int) -> list[Drawn]:
    """Draw a number of samples, the same ones for the same seed, in their order."""
    if count >= len(samples):
        return list(samples)
    chosen = random.Random(seed).sample(range(len(samples)), count)  # noqa: S311 - not for secrets
    return [samples[place] for place in sorted(chosen)]
