"""The card of a model (training data, parameters, scores) and the report of a cross-validation, as Markdown."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Final

import numpy as np

from pagestrata.engine.model import EngineModel
from pagestrata.evaluate.plot import draw_model
from pagestrata.native.features import GROUPS
from pagestrata.native.network import WIDTH
from pagestrata.train.cross_validation import (
    FOLDS,
    HeldOutPage,
    bias_curve,
    by_type,
    calibration_error,
    rank_correlation,
    reliability,
)
from pagestrata.train.fit_engine import LabelledPage, Settings
from pagestrata.train.fit_page_types import PARTS, FittedTypes, TypedPage
from pagestrata.train.gate import GateRow, cross_validated_rows, write_gate
from pagestrata.train.training_sets import training_set

WORST: Final = 20
"""The number of pages in the list of the worst results."""

Sets = Sequence[tuple[str, Sequence[LabelledPage]]]


def write_card(
    sets: Sets,
    model: EngineModel,
    content: bytes,
    settings: Settings,
    tested: Sequence[HeldOutPage] = (),
    transfer: Sequence[GateRow] = (),
) -> str:
    """Write the card of an engine model, with the table of the gate if it was cross-validated."""
    lines = [
        "# Engine model",
        "",
        _made("train", [name for name, _ in sets], settings.seed, content),
        "",
        f"{len(model.trees.leaf)} trees of depth {settings.depth}, {settings.trees} from each of {settings.ensembles} "
        f"seeds, rate {settings.rate}, over {len(model.columns)} "
        f"features of a text block; {_words(model)}. A network of {WIDTH} outputs a layer over the same "
        f"features. {len(model.scope_trees.leaf)} trees of depth {settings.scope_depth} "
        "tell articles.",
        "",
        "| data set | pages | sites | weight | convention | licence and origin |",
        "|---|---|---|---|---|---|",
    ]
    for name, pages in sets:
        kind, strict = training_set(name), sum(page.is_strict for page in pages)
        convention = "strict" if strict == len(pages) else "generous" if strict == 0 else "articles strict"
        sites = len({page.site for page in pages})
        lines.append(f"| {name} | {len(pages):,} | {sites:,} | {kind.weight} | {convention} | {kind.origin} |")
    if tested:
        lines += ["", *write_gate(list(cross_validated_rows(tested)), transfer)]
    return "\n".join([*lines, ""])


def _words(model: EngineModel) -> str:
    counts = {name: int(np.count_nonzero(getattr(model.lexicon, name))) for name in ("names", "lines", "headings")}
    return ", ".join(f"{count:,} words of {name}" for name, count in counts.items())


def write_type_card(
    sets: Sequence[tuple[str, Sequence[TypedPage]]], learned: FittedTypes, content: bytes, seed: int
) -> str:
    """Write the card of a page type model."""
    model = learned.model
    word_count = sum(len(place.keys) for place in model.words)
    lines = [
        "# Model of page types",
        "",
        _made("train --page-types", [name for name, _ in sets], seed, content),
        "",
        f"{len(model.trees.feature)} trees of depth {model.trees.feature.shape[1]}, weights of "
        f"{word_count:,} words; temperature {model.temperature:.2f}. Accuracy is that on sites and themes left out, in "
        f"{PARTS} parts.",
        "",
        "| data set | pages | sites | accuracy | licence and origin |",
        "|---|---|---|---|---|",
        *(_typed_row(name, pages, learned.accuracy[name]) for name, pages in sets),
        "",
    ]
    return "\n".join(lines)


def _typed_row(name: str, pages: Sequence[TypedPage], accuracy: float) -> str:
    kind, sites = training_set(name), len({page.site for page in pages})
    return f"| {name} | {len(pages):,} | {sites:,} | {accuracy:.3f} | {kind.origin} |"


def _made(command: str, names: Iterable[str], seed: int, content: bytes) -> str:
    """State the date, the command, and the size and digest of the model."""
    day = datetime.now(UTC).date().isoformat()
    digest = sha256(content).hexdigest()
    how = f"pagestrata {command} {' '.join(names)} --seed {seed}"
    return f"Made on {day} by `{how}`. {len(content):,} bytes, SHA-256 {digest}."


def _scores(tested: Sequence[HeldOutPage]) -> list[str]:
    """Return the scores of a cross-validation as a table: all pages, then each page type."""
    return [
        "| pages | number | F1 | precision | recall |",
        "|---|---|---|---|---|",
        *(
            f"| {kind} | {len(pages):,} | {_mean(one.score.f1 for one in pages):.3f} | "
            f"{_mean(one.score.precision for one in pages):.3f} | {_mean(one.score.recall for one in pages):.3f} |"
            for kind, pages in by_type(tested)
        ),
    ]


def write_report(
    name: str, all_tested: Sequence[HeldOutPage], model: EngineModel, transfer: Sequence[GateRow] = ()
) -> str:
    """Write the report of a cross-validation: the gate for all sets, and details of the set `name`."""
    tested = [one for one in all_tested if one.example.dataset == name]
    scores = [one.score.f1 for one in tested]
    bins = reliability(tested)
    lines = [
        f"# {FOLDS}-fold cross-validation, sites kept apart",
        "",
        *write_gate(list(cross_validated_rows(all_tested)), transfer),
        f"## {name}",
        "",
        *_scores(tested),
        "",
        f"Expected calibration error of `importance`, by words: {calibration_error(bins):.3f}. Rank correlation of "
        f"`confidence` with F1: {rank_correlation([one.confidence for one in tested], scores):.2f}.",
        "",
        "| importance | main text | words |",
        "|---|---|---|",
        *(f"| {one.importance:.2f} | {one.share:.2f} | {one.words:,.0f} |" for one in bins),
        "",
        "| bias | precision | recall | F1 |",
        "|---|---|---|---|",
        *(f"| {one.bias:+.2f} | {one.precision:.3f} | {one.recall:.3f} | {one.f1:.3f} |" for one in bias_curve(tested)),
        "",
        *_snippet_lines(tested),
        "| features | share of what the trees say |",
        "|---|---|",
        *(f"| {group} | {share:.1%} |" for group, share in _shares(model)),
        "",
        "| worst pages | type | F1 | words of the truth |",
        "|---|---|---|---|",
        *(
            f"| {one.example.page.url or one.example.site} | {one.example.page_type} | {one.score.f1:.2f} | "
            f"{len(one.example.truth.split()):,} |"
            for one in sorted(tested, key=lambda one: (one.score.f1, one.example.site))[:WORST]
        ),
        "",
    ]
    return "\n".join(lines)


def _snippet_lines(tested: Sequence[HeldOutPage]) -> Iterator[str]:
    """State the shares of wanted and unwanted snippets that were found."""
    for name in ("with", "without"):
        shares = [one.snippets[name] for one in tested if name in one.snippets]
        if shares:
            yield f"`{name}` snippets found: {_mean(shares):.3f}, in the mean over {len(shares):,} pages."
            yield ""


def draw_report(tested: Sequence[HeldOutPage], path: Path) -> None:
    """Draw the reliability diagram and the curve of precision and recall."""
    points = [(one.importance, one.share) for one in reliability(tested)]
    draw_model(points, [(one.bias, one.precision, one.recall) for one in bias_curve(tested)], path)


def _shares(model: EngineModel) -> list[tuple[str, float]]:
    """Return the importance of each feature group: how far its splits move the leaf values, on average."""
    trees, moved = model.trees, dict.fromkeys(GROUPS, 0.0)
    group_of = [group for group, names in GROUPS.items() for _ in names]
    leaves = np.arange(trees.leaf.shape[1])
    for level in range(trees.feature.shape[1]):
        steps = np.abs(trees.leaf.astype(np.float64) - trees.leaf[:, leaves ^ (1 << level)]).mean(axis=1)
        for feature, step in zip(trees.feature[:, level].tolist(), steps.tolist(), strict=True):
            moved[group_of[feature]] += step
    total = max(1e-9, sum(moved.values()))
    return sorted(((group, step / total) for group, step in moved.items()), key=lambda pair: -pair[1])


def _mean(values: Iterable[float]) -> float:
    return float(np.mean(list(values)))
