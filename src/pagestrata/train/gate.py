"""The gate: the table that decides whether a model ships.

A model ships if the mean over all rows rises and no row falls by more than its noise. The rows are cross-validation by
data set and page type, and sets that are never trained on; each is measured with class and id names kept and removed.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pagestrata.engine.engine import Engine
from pagestrata.engine.model import EngineModel, shipped
from pagestrata.evaluate.metrics import Mean, mean
from pagestrata.train.cross_validation import HeldOutPage, kept_text, pages_of, score_text
from pagestrata.train.fit_engine import LabelledPage, Progress


@dataclass(frozen=True, slots=True)
class GateRow:
    """The scores of one group of pages."""

    name: str
    kept: Mean
    """F1 with names kept."""
    removed: Mean
    """F1 with names removed."""
    change: Mean | None = None
    """F1 with names kept against the shipped model, page by page; None where that was trained on the pages."""


def cross_validated_rows(tested: Sequence[HeldOutPage]) -> Iterator[GateRow]:
    """Yield a row for each data set, and one for each page type of a set with several."""
    for dataset in dict.fromkeys(one.example.dataset for one in tested):
        pages = [one for one in tested if one.example.dataset == dataset]
        types = sorted({one.example.page_type for one in pages})
        yield _row(dataset, pages)
        if len(types) > 1:
            for page_type in types:
                yield _row(f"{dataset}, {page_type}", [one for one in pages if one.example.page_type == page_type])


def _row(name: str, pages: Sequence[HeldOutPage]) -> GateRow:
    return GateRow(name, _mean(one.score.f1 for one in pages), _mean(one.nameless_score.f1 for one in pages))


def transfer_row(name: str, pages: Sequence[LabelledPage], model: EngineModel, progress: Progress) -> GateRow:
    """Measure a new model and the shipped one on a set that neither was trained on."""
    rows = []
    for done, example in enumerate(pages, 1):
        kept, removed = pages_of(example)
        new, nameless, old = (
            score_text(kept_text(engine, page), example, page).f1
            for engine, page in ((Engine(model), kept), (Engine(model), removed), (Engine(shipped()), kept))
        )
        rows.append((new, nameless, new - old))
        progress(f"pages of {name}", done, len(pages))
    return GateRow(name, *(_mean(column) for column in zip(*rows, strict=True)))


def write_gate(cross_validated: Sequence[GateRow], transfer: Sequence[GateRow]) -> list[str]:
    """Write the table as lines of Markdown."""
    return [
        "| pages | number | F1, names kept | names removed | against the shipped model |",
        "|---|---|---|---|---|",
        *(_line(row) for row in (*cross_validated, *transfer)),
        "",
        "Cross-validation with sites and themes kept apart, then sets that are not trained on. In brackets 95 % "
        "intervals by bootstrap; differences are paired.",
        "",
    ]


def _line(row: GateRow) -> str:
    change = f"{row.change.value:+.4f} [{row.change.low:+.4f}, {row.change.high:+.4f}]" if row.change else ""
    return f"| {row.name} | {row.kept.count:,} | {_shown(row.kept)} | {_shown(row.removed)} | {change} |"


def _shown(value: Mean) -> str:
    return f"{value.value:.4f} [{value.low:.3f}, {value.high:.3f}]"


def _mean(values: Iterator[float] | Sequence[float]) -> Mean:
    found = mean(list(values))
    assert found is not None  # noqa: S101 - no group is empty
    return found
