"""Summarises results in one table: the mean over the pages of a site, then over sites, with a 95 % interval."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING, Final

import numpy as np

from pagestrata.algorithms.density.measures import mean_precision, mean_recall
from pagestrata.evaluate.figures_table import figures_table
from pagestrata.evaluate.metrics import Mean, diversity, mean
from pagestrata.evaluate.quality import PageResult

if TYPE_CHECKING:
    from rich.table import Table


def _headings(name: str, title: str, measures: str = "p r f1") -> dict[str, str]:
    """The headings of the measures of one kind by their names; the first one says the kind."""
    first, *others = measures.split()
    return {f"{name}_{first}": f"{title} {first.upper()}"} | {f"{name}_{each}": each.upper() for each in others}


COLUMNS: Final = {
    **_headings("word", "word"),
    **_headings("gram", "2-gram"),
    **_headings("gram_bag", "2-gram bag", "f1"),
    "with": "with",
    "without": "without",
    **_headings("noise", "noise", "p r"),
    **_headings("recurring", "recurring", "p r"),
    "ra": "RA",
    "ra_multiple": "RA multiple",
    **_headings("region", "region"),
    **_headings("comments", "comments", "f1"),
    **_headings("block1", "block 1"),
    **_headings("block2", "block 2"),
    **_headings("block_best", "better", "f1"),
    **_headings("bcubed1", "B³ 1"),
    **_headings("bcubed2", "B³ 2"),
}
"""All figures in the order of the table, with their headings."""
SECTION_COLUMNS: Final = {"section_p": "noisy sections P", "section_r": "R", "noise_share": "content called noise"}
"""The figures of the template paper, in a table of their own."""
PERCENTILES: Final = (9, 25, 50, 75, 91)
"""The percentiles in the figure of the FOREST paper: whiskers, quartiles and median."""


@dataclass(frozen=True, slots=True)
class SummaryLine:
    """The mean figures of one method with one number of siblings, with or without names."""

    method: str
    siblings: int | None
    names_removed: bool
    sites: int
    pages: int
    failed: int
    figures: dict[str, Mean]
    type_recall: float | None
    """The mean of the recall of each page type."""
    type_precision: float | None = None
    """The mean of the precision of each page type."""
    gram_percentiles: tuple[float, ...] = ()
    """The `PERCENTILES` of the 2-gram F1 of pages; empty without such a figure."""


def summarise(rows: Iterable[PageResult]) -> list[SummaryLine]:
    """Group the results by method, siblings and names, and compute the means of each group."""
    groups: defaultdict[tuple[str, int | None, bool], list[PageResult]] = defaultdict(list)
    for row in rows:
        groups[row.method, row.siblings, row.names_removed].append(row)
    return [_line(*key, group) for key, group in groups.items()]


def _line(method: str, siblings: int | None, names_removed: bool, rows: Sequence[PageResult]) -> SummaryLine:
    figures = {name: value for name in (*COLUMNS, *SECTION_COLUMNS) if (value := macro(rows, name)) is not None}
    types = [(row.page_type, row.true_type) for row in rows if row.page_type and row.true_type]
    return SummaryLine(
        method=method,
        siblings=siblings,
        names_removed=names_removed,
        sites=len({row.site for row in rows}),
        pages=len(rows),
        failed=sum(row.failed is not None for row in rows),
        figures=figures,
        type_recall=mean_recall(types) if types else None,
        type_precision=mean_precision(types) if types else None,
        gram_percentiles=percentiles([row.figures["gram_f1"] for row in rows if "gram_f1" in row.figures]),
    )


def percentiles(values: Sequence[float]) -> tuple[float, ...]:
    """The `PERCENTILES` of some values, interpolated between neighbours; none without a value.

    >>> percentiles([0.0, 1.0])
    (0.09, 0.25, 0.5, 0.75, 0.91)
    """
    return tuple(np.percentile(values, PERCENTILES).tolist()) if values else ()


def macro(rows: Iterable[PageResult], name: str) -> Mean | None:
    """The mean over sites of the mean over their pages; sites without the figure do not count."""
    by_site: defaultdict[str, list[float]] = defaultdict(list)
    for row in rows:
        if name in row.figures:
            by_site[row.site].append(row.figures[name])
    return mean([fmean(values) for values in by_site.values()])


def to_table(title: str, lines: Sequence[SummaryLine], markdown: bool) -> "Table":
    """Write the lines as one table; F1 has its interval."""
    names = [name for name in COLUMNS if any(name in line.figures for line in lines)]
    has_types = any(line.type_recall is not None for line in lines)
    table = _empty_table(title, [*(COLUMNS[name] for name in names), *["types P", "R"] * has_types, "failed"], markdown)
    for line in lines:
        types = [_three_digits(line.type_precision), _three_digits(line.type_recall)] * has_types
        cells = [cell(name, line.figures.get(name)) for name in names]
        table.add_row(*_first_cells(line), *cells, *types, str(line.failed))
    return table


def to_section_table(title: str, lines: Sequence[SummaryLine], markdown: bool) -> "Table":
    """Write the figures of noisy sections as a table."""
    table = _empty_table(title, list(SECTION_COLUMNS.values()), markdown)
    for line in lines:
        table.add_row(*_first_cells(line), *(cell(name, line.figures.get(name)) for name in SECTION_COLUMNS))
    return table


def to_percentile_table(title: str, lines: Sequence[SummaryLine], markdown: bool) -> "Table":
    """Write percentiles of the 2-gram F1 of pages as a table."""
    table = _empty_table(title, [f"{percentile} %" for percentile in PERCENTILES], markdown)
    for line in lines:
        table.add_row(*_first_cells(line), *(f"{value:.3f}" for value in line.gram_percentiles))
    return table


def _empty_table(title: str, headings: Sequence[str], markdown: bool) -> "Table":
    """Return a table that begins with what a line is about."""
    return figures_table(title, ["method"], ["k", "names", "sites", "pages", *headings], markdown)


def _first_cells(line: SummaryLine) -> tuple[str, ...]:
    k = "-" if line.siblings is None else str(line.siblings)
    kept = "removed" if line.names_removed else "kept"
    return line.method, k, kept, str(line.sites), str(line.pages)


def cell(name: str, figure: Mean | None) -> str:
    """Format a figure for the table.

    >>> cell("word_p", Mean(0.5, 0.4, 0.6, 9)), cell("word_f1", Mean(0.5, 0.4, 0.6, 9)), cell("word_p", None)
    ('0.500', '0.500 [.40, .60]', '')
    """
    if figure is None:
        return ""
    short = f"{figure.value:.3f}"
    return f"{short} [{_short(figure.low)}, {_short(figure.high)}]" if name.endswith("f1") else short


def _three_digits(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


def _short(value: float) -> str:
    return f"{value:.2f}".removeprefix("0")


def describe(sites: Sequence[str]) -> str:
    """The size and diversity of a corpus, from the site of every page.

    >>> describe(["a.org", "a.org", "b.org", "a.org"])
    '4 pages of 2 sites, diversity 0.500'
    """
    return f"{len(sites)} pages of {len(set(sites))} sites, diversity {diversity(sites):.3f}"
