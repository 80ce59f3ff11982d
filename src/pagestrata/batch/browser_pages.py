"""Records with their pages as a browser draws them, several at once, in the order of the records.

Drawing comes before the guard: the browser has its own sandbox and limits, and workers read its result like any page.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from pagestrata.batch.sources import Placed
from pagestrata.errors import InputError
from pagestrata.inputs.addresses import is_address
from pagestrata.inputs.browser import Browser, Fetched
from pagestrata.inputs.browser.browser import Place
from pagestrata.page.raw import RawPage
from pagestrata.work.job import Job
from pagestrata.work.rows import Record


def drawn(records: Iterable[Placed], browser: Browser) -> Iterator[Placed]:
    """Draw the page of each record; a failure becomes a record without a page. Such records pass unchanged."""
    for placed, page in browser.draw_many(records, lambda each: _place_of(each, browser.limits.size)):
        record = placed.record
        if record.job is None:
            yield placed
        elif isinstance(page, RawPage):
            yield replace(placed, record=replace(record, job=replace(record.job, page=page)))
        else:
            yield replace(placed, record=Record(record.name, stage="draw", problem=str(page), url=record.url))


def _place_of(placed: Placed, max_bytes: int) -> tuple[Place, Path | None]:
    """The page to draw: only one that was fetched for this run may load its resources, others are drawn offline."""
    record = placed.record
    if record.job is None:
        raise InputError(record.problem)
    if record.job.page is not None and is_address(record.name):
        return Fetched(record.job.page), None
    return _saved(record.job, max_bytes)


def _saved(job: Job, max_bytes: int) -> tuple[Place, Path | None]:
    """A local page and its folder. We read it ourselves, not in a worker, so it must be a regular file and small."""
    if job.path is None:
        return job.read(), None
    if job.path.exists() and not job.path.is_file():
        raise InputError(f"cannot read {job.name}: not a file")  # a pipe would keep all pages waiting
    if job.path.is_file() and job.path.stat().st_size > max_bytes:
        raise InputError(f"cannot draw {job.name}: it has more than {max_bytes:,} bytes")
    return job.read(), job.path.parent
