"""A progress line on standard error, only where a person looks at it."""

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pagestrata.batch.manifest import Counts
    from pagestrata.batch.run import Watch

Advance = Callable[[int], None]
"""Call after each page with the number of failures so far."""
Step = Callable[[str, int, int], None]
"""Call with what is being done, how many steps of it are done, and of how many."""


@contextmanager
def progress(enabled: bool) -> Iterator[Advance]:
    """Show how many pages are done; silent when standard error is not a terminal."""
    if not enabled or not sys.stderr.isatty():
        yield lambda failed: None
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.completed} pages, {task.fields[failed]} failed"), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task("pages", total=None, failed=0)
        yield lambda failed: bar.update(task, advance=1, failed=failed)


@contextmanager
def steps(enabled: bool) -> Iterator[Step]:
    """Show how far a work of several stages is, each with its bar; silent when standard error is not a terminal."""
    if not enabled or not sys.stderr.isatty():
        yield lambda stage, done, total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        tasks = {}

        def step(stage: str, done: int, total: int) -> None:
            if stage not in tasks:
                tasks[stage] = bar.add_task(stage)
            bar.update(tasks[stage], completed=done, total=total)

        yield step


@contextmanager
def batch_progress(sources: Callable[[], Iterable[object]], enabled: bool) -> "Iterator[Watch]":
    """Show pages, failures, pages per second and an estimate of the time left; silent without a terminal."""
    if not enabled or not sys.stderr.isatty():
        yield lambda stage, counts, done: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    counts = TextColumn("{task.fields[pages]:,} pages, {task.fields[failed]:,} failed, {task.fields[rate]:.1f} pages/s")
    columns = (TextColumn("{task.description}"), BarColumn(), counts, TimeElapsedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as bar:
        tasks: dict[str, tuple[TaskID, int, float]] = {}

        def watch(stage: str, counts: "Counts", done: float) -> None:
            if stage not in tasks:
                total = sum(1 for _ in sources())
                task = bar.add_task(stage, total=total, pages=0, failed=0, rate=0.0)
                tasks[stage] = task, counts.records, time.monotonic()
            task, before, started = tasks[stage]
            rate = (counts.records - before) / max(time.monotonic() - started, 0.1)
            bar.update(task, completed=done, pages=counts.records, failed=counts.quarantined, rate=rate)

        yield watch
