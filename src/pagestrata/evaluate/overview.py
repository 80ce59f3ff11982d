"""The table of the README: a row for each data set, with the F1 of the engine and of other extractors.

The engine ships trained on all pages of most sets, so its figures cannot be measured with the shipped model. They are
those of its card: cross-validated, or of sets that were not trained on. The others are measured on the same pages.
"""

from collections.abc import Sequence
from statistics import fmean

from pagestrata.errors import UsageError, suggestion
from pagestrata.evaluate.contenders import peer
from pagestrata.evaluate.datasets import read_dataset
from pagestrata.evaluate.quality import Advance, Plan, evaluate
from pagestrata.evaluate.training_note import card_scores

README_ROWS = (
    "l3s-gn1",
    "big9",
    "cnnews10",
    "cleanportaleval",
    "magichtml:article",
    "forums",
    "docs",
    "shops:product",
    "wpsites:listing",
    "templates",
)
"""The rows of the README: a data set, or the pages of one type in it."""


def heading_rows(peers: Sequence[str]) -> list[str]:
    """The first two lines of the table.

    >>> heading_rows(["justext"])
    ['| word F1 | pagestrata | justext |', '|---|---|---|']
    """
    return [_line(["word F1", "pagestrata", *peers]), "|---" * (len(peers) + 2) + "|"]


def overview_row(name: str, peers: Sequence[str], advance: Advance = lambda failed: None) -> str:
    """Measure the peers on one data set, or on the pages of one type as in `shops:product`; return the row.

    They read all pages, as the engine did for its card: scores on a sample could not stand beside its own.
    """
    set_name, _, page_type = name.partition(":")
    engine = engine_score(name)
    results = [
        row
        for row in evaluate(read_dataset(set_name), [peer(each) for each in peers], Plan(), advance)
        if "word_f1" in row.figures and page_type in ("", row.true_type)
    ]
    means = [_mean([row.figures["word_f1"] for row in results if row.method == each]) for each in peers]
    return _line([name, engine, *means])


def engine_score(name: str) -> str:
    """The F1 of the engine on a row, with its interval, from the card.

    >>> engine_score("foruns")
    Traceback (most recent call last):
    pagestrata.errors.UsageError: the card of the engine has no score of 'foruns'; did you mean forums?
    """
    scores = {label.replace(", ", ":"): score for label, score in card_scores().items()}
    if name not in scores:
        raise UsageError(f"the card of the engine has no score of {name!r}; {suggestion(name, scores)}")
    f1, _, interval = scores[name].partition(" ")
    return f"{_short(float(f1))} {interval.replace('0.', '.')}".strip()


def _mean(figures: Sequence[float]) -> str:
    return _short(fmean(figures)) if figures else ""


def _short(figure: float) -> str:
    """Three decimals without the zero before them.

    >>> _short(0.9530), _short(1.0)
    ('.953', '1.000')
    """
    return f"{figure:.3f}".removeprefix("0")


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
