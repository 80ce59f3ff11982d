"""Compares the engine with other extractors on the same pages: quality by page type, and processor time."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from pagestrata.errors import UsageError
from pagestrata.evaluate.contenders import contender, peer
from pagestrata.evaluate.datasets import read_dataset
from pagestrata.evaluate.figures_table import figures_table
from pagestrata.evaluate.metrics import Mean
from pagestrata.evaluate.peers import load
from pagestrata.evaluate.plot import Point, draw_points
from pagestrata.evaluate.quality import Advance, PageResult, Plan, evaluate
from pagestrata.evaluate.speed import measure
from pagestrata.evaluate.stages import TEXT, TimedCall
from pagestrata.evaluate.summary import SummaryLine, cell, summarise
from pagestrata.evaluate.training_note import ENGINE, training_note

if TYPE_CHECKING:
    from rich.table import Table

ALL = "all"
FIGURES = {"word_f1": "F1", "word_p": "P", "word_r": "R", "with": "with", "without": "without"}
"""The columns of the table and their headings."""


class Standing(msgspec.Struct, frozen=True):
    """The scores of one method on the pages of one type."""

    method: str
    page_type: str
    """A type, or `all`."""
    pages: int
    failed: int
    figures: dict[str, Mean]
    """By the names in `FIGURES`; those that the data set does not have are left out."""
    milliseconds: float | None = None
    """Mean processor time for a page, on all pages and where it was measured."""


class ComparisonReport(msgspec.Struct, frozen=True):
    """The scores of a comparison, and where they are from."""

    command: str
    dataset: str
    note: str
    """A caution if the engine was trained on these pages, otherwise empty."""
    versions: dict[str, str]
    standings: list[Standing]

    def label(self, method: str) -> str:
        """The name of a method as it is shown, with a caution where one is needed."""
        return f"{method} (has seen these pages)" if self.note and method == ENGINE else method


def compare(
    command: str,
    data: str,
    peers: Sequence[str],
    pages: int | None,
    seed: int,
    repeat: int,
    advance: Advance = lambda failed: None,
) -> ComparisonReport:
    """Measure the quality of the engine and of peers, and with `repeat` their speed."""
    dataset = read_dataset(data)
    contenders = [contender(ENGINE), *map(peer, peers)]
    answers = evaluate(dataset, contenders, Plan(pages=pages, seed=seed), advance)
    rows = [row for row in answers if "word_f1" in row.figures]
    if not rows:
        raise UsageError(f"{dataset.name} has no main text: there is nothing to compare")
    methods = [replace(TEXT, name=ENGINE), *map(load, peers)]
    read = {(row.site, row.page) for row in rows}
    contents = [page.read() for site in dataset.sites for page in site.pages if (page.site, page.name) in read]
    return ComparisonReport(
        command=command,
        dataset=dataset.name,
        note=training_note(dataset.name, [each.name for each in contenders]),
        versions={method.package: method.version for method in methods},
        standings=standings(rows, _milliseconds(methods, contents, repeat, seed, advance) if repeat else {}),
    )


def _milliseconds(
    calls: Sequence[TimedCall], contents: Sequence[bytes], repeat: int, seed: int, advance: Advance
) -> dict[str, float]:
    """The mean processor time for a page, for each method that read any page."""
    rows = measure(calls, contents, repeat, seed, advance)
    return {row.name: row.milliseconds.mean for row in rows if row.milliseconds}


def standings(rows: Sequence[PageResult], milliseconds: Mapping[str, float]) -> list[Standing]:
    """The scores on all pages, then by type, the most frequent type first."""
    counts = Counter(row.true_type for row in rows if row.true_type)
    types = sorted(counts, key=lambda kind: (-counts[kind], kind))
    lines = [_standing(line, ALL, milliseconds.get(line.method)) for line in summarise(rows)]
    for kind in types if len(types) > 1 else ():
        lines += [_standing(line, kind) for line in summarise(row for row in rows if row.true_type == kind)]
    return lines


def _standing(line: SummaryLine, page_type: str, milliseconds: float | None = None) -> Standing:
    figures = {name: line.figures[name] for name in FIGURES if name in line.figures}
    return Standing(line.method, page_type, line.pages, line.failed, figures, milliseconds)


def to_table(report: ComparisonReport, markdown: bool) -> "Table":
    """Write the report as one table with a part for every page type."""
    has_times = any(each.milliseconds is not None for each in report.standings)
    names = [name for name in FIGURES if any(name in each.figures for each in report.standings)]
    title = "\n".join(filter(None, (f"$ {report.command}", report.note)))
    numbers = ("pages", *(FIGURES[name] for name in names), *["ms"] * has_times, "failed")
    table = figures_table(title, ("type", "method"), numbers, markdown, _caption(report, names, has_times))
    for place, each in enumerate(report.standings):
        cells = [cell(name, each.figures.get(name)) for name in names]
        times = [f"{each.milliseconds:.2f}" if each.milliseconds is not None else ""] * has_times
        is_last = [*report.standings, each][place + 1].page_type != each.page_type
        row = (each.page_type, report.label(each.method), str(each.pages), *cells, *times, str(each.failed))
        table.add_row(*row, end_section=is_last and not markdown)
    return table


def _caption(report: ComparisonReport, names: Sequence[str], has_times: bool) -> str:
    versions = ", ".join(f"{name} {version}" for name, version in report.versions.items())
    lines = [versions, "F1, P, R: words as multisets, by page, then the mean; brackets are 95 % intervals."]
    if "with" in names:
        lines.append("with, without: the share of snippets found of those that should be there, and should not.")
    if has_times:
        lines.append("ms: mean processor time for a page, one process, order shuffled for every page.")
    return "\n".join(lines)


def draw(report: ComparisonReport, path: Path) -> None:
    """Draw quality against speed, one point for each method."""
    points = [
        Point(
            report.label(each.method),
            each.figures["word_f1"],
            each.milliseconds,
            report.label(each.method) != each.method,
        )
        for each in report.standings
        if each.milliseconds is not None and "word_f1" in each.figures
    ]
    pages = max(each.pages for each in report.standings)
    draw_points(points, "\n".join(filter(None, (f"{report.dataset}, {pages:,} pages", report.note))), path)
