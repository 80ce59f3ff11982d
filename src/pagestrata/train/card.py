"""The card of a model, what it was made of and how; and the report, how good the same recipe is on sites unseen."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Final

import numpy as np

from pagestrata.engine.model import EngineModel
from pagestrata.evaluate.plot import draw_model
from pagestrata.native.features import GROUPS
from pagestrata.train.cross import (
    FOLDS,
    Examined,
    bias_curve,
    by_type,
    calibration_error,
    rank_correlation,
    reliability,
)
from pagestrata.train.fit import Labelled, Settings
from pagestrata.train.page_type import PARTS, TrainedTypes, TypedPage

ORIGIN: Final = {
    "wcxb": "WCXB, Murrough Foley, 2026, CC BY 4.0",
    "fundus": "test pages of the Fundus project, MIT; 81 news publishers",
    "sitesets": "42 public blogs and sites, each under its own terms; no text of theirs is in the model",
    "kreuzer-seg": "Kreuzer et al., public domain",
}
"""Of the sets that we train on ourselves."""
WORST: Final = 20
"""Pages in the list of errors."""

Sets = Sequence[tuple[str, Sequence[Labelled]]]


def write_card(
    sets: Sets, model: EngineModel, content: bytes, settings: Settings, tested: Sequence[Examined] = ()
) -> str:
    """The card as Markdown; with scores, if the recipe was tested on the first of the sets."""
    lines = [
        "# Engine model",
        "",
        _made("train", [name for name, pages in sets for _ in range(pages[0].times)], settings.seed, content),
        "",
        f"{len(model.trees.leaf)} trees of depth {settings.depth}, {settings.trees} from each of {settings.ensembles} "
        f"seeds, rate {settings.rate}, over {len(model.columns)} "
        f"features of a text block; {_words(model)}.",
        "",
        "| data set | pages | sites | main text | licence and origin |",
        "|---|---|---|---|---|",
    ]
    for name, pages in sets:
        words = sum(float(page.sizes.sum()) for page in pages)
        good = sum(float((page.labels * page.sizes).sum()) for page in pages)
        sites, share = len({page.site for page in pages}), good / max(1.0, words)
        lines.append(f"| {name} | {len(pages):,} | {sites:,} | {share:.0%} | {ORIGIN.get(name, 'not stated')} |")
    if tested:
        lines += ["", f"{FOLDS}-fold cross-validation on {sets[0][0]}, sites kept apart:", "", *_scores(tested)]
    return "\n".join([*lines, ""])


def _words(model: EngineModel) -> str:
    known = {name: int(np.count_nonzero(getattr(model.lexicon, name))) for name in ("names", "lines", "headings")}
    return ", ".join(f"{count:,} words of {name}" for name, count in known.items())


def write_type_card(
    sets: Sequence[tuple[str, Sequence[TypedPage]]], trained: TrainedTypes, content: bytes, seed: int
) -> str:
    """The card of a model of page types, as Markdown."""
    model = trained.model
    known = sum(len(place.keys) for place in model.words)
    lines = [
        "# Model of page types",
        "",
        _made("train --page-types", [name for name, _ in sets], seed, content),
        "",
        f"{len(model.trees.leaf)} trees of depth {model.trees.feature.shape[1]}, weights of "
        f"{known:,} words; temperature {model.temperature:.2f}. Accuracy on sites left out, in {PARTS} parts: "
        f"{trained.accuracy:.3f}.",
        "",
        "| data set | pages | sites | licence and origin |",
        "|---|---|---|---|",
        *(
            f"| {name} | {len(pages):,} | {len({page.site for page in pages}):,} | {ORIGIN.get(name, 'not stated')} |"
            for name, pages in sets
        ),
        "",
    ]
    return "\n".join(lines)


def _made(command: str, names: Iterable[str], seed: int, content: bytes) -> str:
    """When and how, and what came out."""
    day = datetime.now(UTC).date().isoformat()
    digest = sha256(content).hexdigest()
    how = f"`pagestrata {command} {' '.join(names)}`, seed {seed}"
    return f"Made on {day} by {how}. {len(content):,} bytes, SHA-256 {digest}."


def _scores(tested: Sequence[Examined]) -> list[str]:
    """How good the recipe is on sites it has not seen, over all and by type."""
    return [
        "| pages | number | F1 | precision | recall |",
        "|---|---|---|---|---|",
        *(
            f"| {kind} | {len(pages):,} | {_mean(one.score.f1 for one in pages):.3f} | "
            f"{_mean(one.score.precision for one in pages):.3f} | {_mean(one.score.recall for one in pages):.3f} |"
            for kind, pages in by_type(tested)
        ),
    ]


def write_report(name: str, tested: Sequence[Examined], model: EngineModel) -> str:
    """What cross-validation showed, as Markdown."""
    scores = [one.score.f1 for one in tested]
    bins = reliability(tested)
    lines = [
        f"# {FOLDS}-fold cross-validation on {name}, sites kept apart",
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
            f"| {one.known.page.url or one.known.site} | {one.known.page_type} | {one.score.f1:.2f} | "
            f"{len(one.known.truth.split()):,} |"
            for one in sorted(tested, key=lambda one: (one.score.f1, one.known.site))[:WORST]
        ),
        "",
    ]
    return "\n".join(lines)


def _snippet_lines(tested: Sequence[Examined]) -> Iterator[str]:
    """How many of the pieces are found that should be there, and that should not."""
    for name in ("with", "without"):
        found = [one.snippets[name] for one in tested if name in one.snippets]
        if found:
            yield f"`{name}` snippets found: {_mean(found):.3f}, in the mean over {len(found):,} pages."
            yield ""


def draw_report(tested: Sequence[Examined], path: Path) -> None:
    """The two curves of the report as a drawing."""
    points = [(one.importance, one.share) for one in reliability(tested)]
    draw_model(points, [(one.bias, one.precision, one.recall) for one in bias_curve(tested)], path)


def _shares(model: EngineModel) -> list[tuple[str, float]]:
    """How much each group of features moves the leaves: the mean step between the two answers to its questions."""
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
