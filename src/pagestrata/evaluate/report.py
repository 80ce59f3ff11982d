"""The figures with all that one must know to believe them: as a table for people, as JSON for machines."""

import os
import platform
import sys
from collections.abc import Sequence
from statistics import median
from typing import TYPE_CHECKING

import msgspec

from pagestrata.evaluate.bench import Row
from pagestrata.evaluate.peers import version_of
from pagestrata.native import SCANNER

if TYPE_CHECKING:
    from rich.table import Table

_NOTES = (
    "Processor time for a page, the median of its repetitions; one process, order shuffled per page and repetition.",
    "x NAME: mean over the mean of NAME, on the pages that both read; below 1 is faster.",
    "peak: the highest rise of resident memory on any page, each page in a forked child of its own.",
    "failed: pages on which it raised, died or took too long; they are left out of its figures.",
)


class Report(msgspec.Struct, frozen=True):
    """Figures, and where they are from."""

    command: str
    scanner: str
    """`kernel` or `pure`: which of our two scanners ran."""
    versions: dict[str, str]
    machine: str
    load: list[float]
    """Of the last 1, 5 and 15 minutes, when the run ended."""
    pages: int
    kilobytes: float
    """The median size of a page."""
    repeat: int
    seed: int
    rows: list[Row]


def make_report(command: str, rows: list[Row], sizes: Sequence[int], repeat: int, seed: int) -> Report:
    """Add what is known of the machine and the versions."""
    versions = {row.package: row.version for row in rows}
    return Report(
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


def to_json(report: Report) -> bytes:
    """All figures, indented."""
    return msgspec.json.format(msgspec.json.encode(report), indent=2) + b"\n"


def to_table(report: Report) -> "Table":
    """One table; its title says on what, its caption says how."""
    from rich.table import Table

    others = [row.name for row in report.rows if row.package != "pagestrata"]
    table = Table(title=_title(report), caption=_caption(report), title_justify="left", caption_justify="left")
    table.add_column("method")
    for heading in ("median ms", "mean", "p95", "p99", *(f"x {name}" for name in others), "peak MiB", "failed"):
        table.add_column(heading, justify="right")
    for row in report.rows:
        times = (f"{row.times[name]:.3g}" if name in row.times else "" for name in others)
        table.add_row(row.name, *_milliseconds(row), *times, f"{row.peak:.1f}", str(row.failures))
    return table


def _milliseconds(row: Row) -> list[str]:
    found = row.milliseconds
    return (
        ["-"] * 4 if found is None else [f"{value:.2f}" for value in (found.median, found.mean, found.p95, found.p99)]
    )


def _title(report: Report) -> str:
    versions = ", ".join(f"{name} {version}" for name, version in report.versions.items())
    return (
        f"$ {report.command}\n{report.pages} pages, median {report.kilobytes:.0f} KB, {report.repeat} repetitions; "
        f"scanner: {report.scanner}\n{versions}\n{report.machine}, load {report.load[0]:.1f}"
    )


def _caption(report: Report) -> str:
    methods = (f"{row.name}: {row.about}" for row in report.rows)
    return "\n".join((*methods, *_NOTES))
