"""Pages to measure on: a data set with its truth, or any folder of pages.

A data set is a folder with `html/ID.html` and `truth/ID.json`, as wcxb is; or with `truth/ID.txt`, the main text, and
what else is known of the page in its row of `pages.tsv`. It is named by its path, or by its name under the folder in
the environment variable PAGESTRATA_DATA.
"""

import csv
import os
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

import msgspec

from pagestrata.errors import InputError, raising
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
    optional: str = ""
    """Text that a good answer may have or not."""
    theme: str = ""
    """The theme or generator that the site was made with: sites that share one are alike."""
    labeller: str = ""
    """The person or program that marked the main text."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A page of a data set; the file is read on demand."""

    id: str
    path: Path
    truth_path: Path | None = None
    row: Mapping[str, str] | None = None
    """Its row of `pages.tsv`, where the truth is a text."""

    def read(self) -> bytes:
        """The page as it was fetched."""
        return self.path.read_bytes()

    def truth(self) -> Truth | None:
        """The right answer, where the data set has one."""
        if self.truth_path is None:
            return None
        with raising(InputError, f"cannot read {self.truth_path}", msgspec.DecodeError):
            if self.row is not None:
                return _text_truth(self.id, self.truth_path, self.row)
            return msgspec.json.decode(self.truth_path.read_bytes(), type=Truth)


def find_folder(name: str) -> Path:
    """The folder of that name under PAGESTRATA_DATA, or else of that path; `./docs` is always the path."""
    home = os.environ.get(VARIABLE)
    for folder in (Path(home, name) if home and name == Path(name).name else None, Path(name)):
        if folder is not None and folder.is_dir():
            return folder
    tried = f"{VARIABLE} is {home}" if home else f"{VARIABLE} is not set"
    raise InputError(f"there is no folder {name} ({tried})")


def samples_of(folder: Path) -> list[Sample]:
    """All pages of a data set or a folder, in the order of their names."""
    inside = folder / "html"
    pages = list(walk(inside if inside.is_dir() else folder))
    if not pages:
        raise InputError(f"there are no pages in {folder}")
    rows = _rows(folder / "pages.tsv")
    return [_sample(path, folder / "truth", rows.get(path.stem)) for path in pages]


def _sample(path: Path, truths: Path, row: Mapping[str, str] | None) -> Sample:
    record, text = truths / f"{path.stem}.json", truths / f"{path.stem}.txt"
    if record.is_file():
        return Sample(path.stem, path, record)
    return Sample(path.stem, path, text, row or {}) if text.is_file() else Sample(path.stem, path)


def _rows(table: Path) -> dict[str, Mapping[str, str]]:
    """The rows of a table by the name of the page; none without the table."""
    if not table.is_file():
        return {}
    with table.open(encoding="utf-8", newline="") as file:
        return {
            row["name"]: row for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE) if "name" in row
        }


def _text_truth(name: str, path: Path, row: Mapping[str, str]) -> Truth:
    optional = path.parent.with_name("opt") / path.name
    return Truth(
        name,
        path.read_text(encoding="utf-8", errors="replace"),
        url=row.get("url", ""),
        domain=row.get("site", ""),
        page_type=row.get("type", ""),
        optional=optional.read_text(encoding="utf-8", errors="replace") if optional.is_file() else "",
        theme=row.get("theme", ""),
        labeller=row.get("labeller", ""),
    )


def draw(samples: Sequence[Drawn], count: int, seed: int) -> list[Drawn]:
    """Draw a number of samples, the same ones for the same seed, in their order."""
    if count >= len(samples):
        return list(samples)
    chosen = random.Random(seed).sample(range(len(samples)), count)  # noqa: S311 - not for secrets
    return [samples[place] for place in sorted(chosen)]
