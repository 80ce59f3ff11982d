"""What the card of the engine states: which data sets it was trained on, and its scores on pages of unknown sites."""

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from itertools import takewhile

ENGINE = "engine"


@cache
def trained_on() -> frozenset[str]:
    """The names of the data sets that the shipped model was trained on, read from its card."""
    return frozenset(name for name, *_ in _rows("| data set |"))


@cache
def card_scores() -> dict[str, str]:
    """The F1 on each data set and each of its page types with the interval, on sites that were not trained on."""
    return {name: f1 for name, _, f1, *_ in _rows("| pages |")}


def _rows(heading: str) -> list[list[str]]:
    """The rows of the table of the card that begins with this heading."""
    card = files("pagestrata.engine").joinpath("data", "card.md").read_text(encoding="utf-8").splitlines()
    start = next(place for place, line in enumerate(card) if line.startswith(heading))
    rows = takewhile(lambda line: line.startswith("|"), card[start + 2 :])
    return [[text.strip() for text in row.strip("|").split("|")] for row in rows]


def training_note(dataset: str, methods: Sequence[str]) -> str:
    """A caution for figures on training pages; empty for other pages."""
    if ENGINE not in methods or dataset not in trained_on():
        return ""
    return (
        f"CAUTION: the {ENGINE} was trained on {dataset}. Its figures here are of pages that it has seen, and not to "
        "be quoted or held against those of others: unseen pages will score lower."
    )
