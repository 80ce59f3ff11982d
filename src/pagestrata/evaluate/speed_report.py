"""The report of a speed measurement: figures and where they are from, as a table for people and as JSON."""

import os
import platform
import sys
from collections.abc import Sequence
from statistics import median
from typing import TYPE_CHECKING

import msgspec

from pagestrata.evaluate.figures_table import figures_table
from pagestrata.evaluate.peers import MARKDOWN
from pagestrata.evaluate.speed import SpeedRow
from pagestrata.evaluate.stages import TEXT, version_of
from pagestrata.native import SCANNER

if TYPE_CHECKING:
    from rich.table import Table

_NOTES = (
    "Processor time for a page, the median of its repetitions; one process, order shuffled per page and repetition.",
    "x NAME: mean over the mean of NAME, on the pages that both read; below 1 is faster.",
    "peak: the highest rise of resident memory on any page, each page in a forked child of its own.",
    "failed: pages on which it raised, died or took too long; they are left out of its figures.",
)


class SpeedReport(msgspec.Struct, frozen=True):
    """The figures of a run, and where they are from."""

    command: str
    scanner: str
    """`kernel` or `pure`: whether our loops were compiled."""
    versions: dict[str, str]
    machine: str
    load: list[float]
    """The load of the machine over the last 1, 5 and 15 minutes, when the run ended."""
    pages: int
    kilobytes: float
    """The median size of a page."""
    repeat: int
    seed: int
    rows: list[SpeedRow]


def make_report(command: str, rows: list[SpeedRow], sizes: Sequence[int], repeat: int, seed: int) -> SpeedReport:
    """Add the machine and the versions to the figures."""
    versions = {row.package: row.version for row in rows}
    return SpeedReport(
        command=command,
        scanner=SCANNER,
        versions=versions | {"numpy": version_of("numpy"), "Python": platform.python_version()},
        machine=f"{sys.platform} {platform.machine()}, {os.cpu_count()} cores",
        load=[round(value, 2) for value in os.getloadavg()],
        pages=len(sizes),
        kilobytes=round(median(sizes) / 1000, 1),
        repeat=repeat,
        seed=seed,
        rows=rows,
    )


def to_table(report: SpeedReport) -> "Table":
    """Write the report as one table; the title has the pages and versions, the caption the meaning of the rows."""
    others = [
        TEXT.name,
        *(row.name for row in report.rows if row.package != TEXT.package and not row.name.endswith(MARKDOWN)),
    ]
    numbers = ("median ms", "mean", "p95", "p99", *(f"x {name}" for name in others), "peak MiB", "failed")
    table = figures_table(_title(report), [""], numbers, markdown=False, caption=_caption(report))
    for row in report.rows:
        ratios = {row.name: 1.0, **row.times}
        times = (f"{ratios[name]:.3g}" if name in ratios else "" for name in others)
        table.add_row(row.name, *_milliseconds(row), *times, f"{row.peak:.1f}", str(row.failures))
    return table


def _milliseconds(row: SpeedRow) -> list[str]:
    if row.milliseconds is None:
        return ["-"] * 4
    return [f"{value:.2f}" for value in msgspec.structs.astuple(row.milliseconds)]


def _title(report: SpeedReport) -> str:
    versions = ", ".join(f"{name} {version}" for name, version in report.versions.items())
    return (
        f"$ {report.command}\n{report.pages} pages, median {report.kilobytes:.0f} KB, {report.repeat} repetitions; "
        f"scanner: {report.scanner}\n{versions}\n{report.machine}, load {report.load[0]:.1f}"
    )


def _caption(report: SpeedReport) -> str:
    calls = (f"{row.name}: {row.about}" for row in report.rows)
    return "\n".join((*calls, *_NOTES))
