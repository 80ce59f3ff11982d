"""Records → the same records as a browser drew them, several at once, in their order.

Drawing comes before the guard: the browser has walls and budgets of its own, and what it gives is read by workers as
any page is.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from pagestrata.batch.sources import Placed, is_address
from pagestrata.errors import InputError
from pagestrata.inputs.browser import Browser, Fetched
from pagestrata.inputs.browser.browser import Place
from pagestrata.page.raw import RawPage
from pagestrata.work.job import Job
from pagestrata.work.rows import Record


def drawn(records: Iterable[Placed], browser: Browser) -> Iterator[Placed]:
    """Each record with its page drawn, or with why it could not be; one that holds no page stays as it is."""
    for placed, page in browser.draw_many(records, lambda each: _place_of(each, browser.limits.size)):
        record = placed.record
        if record.job is None:
            yield placed
        elif isinstance(page, RawPage):
            yield replace(placed, record=replace(record, job=replace(record.job, page=page)))
        else:
            yield replace(placed, record=Record(record.name, stage="draw", problem=str(page), url=record.url))


def _place_of(placed: Placed, most: int) -> tuple[Place, Path | None]:
    """What to draw: a page that was fetched for this run may ask for its parts, any other is drawn without the web."""
    record = placed.record
    if record.job is None:
        raise InputError(record.problem)
    if record.job.page is not None and is_address(record.name):
        return Fetched(record.job.page), None
    return _saved(record.job, most)


def _saved(job: Job, most: int) -> tuple[Place, Path | None]:
    """A page that is here, and its folder. It is read by us and not by a worker: its file must be a file, and small."""
    if job.path is None:
        return job.read(), None
    if job.path.exists() and not job.path.is_file():
        raise InputError(f"cannot read {job.name}: not a file")  # a pipe would keep all pages waiting
    if job.path.is_file() and job.path.stat().st_size > most:
        raise InputError(f"cannot draw {job.name}: it has more than {most:,} bytes")
    return job.read(), job.path.parent
