"""A progress line on standard error, only where a person looks at it."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

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
