"""States whether the engine was trained on the pages that it is measured on."""

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from itertools import takewhile

ENGINE = "engine"
_HEADING = "| data set |"


@cache
def trained_on() -> frozenset[str]:
    """The names of the data sets that the shipped model was trained on, read from its card."""
    card = files("pagestrata.engine").joinpath("data", "card.md").read_text(encoding="utf-8").splitlines()
    start = next(place for place, line in enumerate(card) if line.startswith(_HEADING))
    rows = takewhile(lambda line: line.startswith("|"), card[start + 2 :])
    return frozenset(row.split("|")[1].strip() for row in rows)


def training_note(dataset: str, methods: Sequence[str]) -> str:
    """A caution for figures on training pages; empty for other pages."""
    if ENGINE not in methods or dataset not in trained_on():
        return ""
    return (
        f"CAUTION: the {ENGINE} was trained on {dataset}. Its figures here are of pages that it has seen, and not to "
        "be quoted or held against those of others: unseen pages will score lower."
    )
