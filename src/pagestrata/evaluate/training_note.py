"""Whether the engine has seen the pages that it is measured on."""

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from itertools import takewhile

ENGINE = "engine"
_HEADING = "| data set |"


@cache
def trained_on() -> frozenset[str]:
    """The names of the data sets that the model in the package was made of, as its card says."""
    card = files("pagestrata.engine").joinpath("data", "card.md").read_text(encoding="utf-8").splitlines()
    start = next(place for place, line in enumerate(card) if line.startswith(_HEADING))
    rows = takewhile(lambda line: line.startswith("|"), card[start + 2 :])
    return frozenset(row.split("|")[1].strip() for row in rows)


def training_note(dataset: str, methods: Sequence[str]) -> str:
    """What must be said of figures that are of training pages; empty if they are not."""
    if ENGINE not in methods or dataset not in trained_on():
        return ""
    return (
        f"CAUTION: the {ENGINE} was trained on {dataset}. Its figures here are of pages that it has seen, and not to "
        "be quoted or held against those of others: unseen pages will score lower."
    )
