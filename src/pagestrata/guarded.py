"""Extract untrusted pages in a process that can be killed, with a deadline and a memory limit.

>>> page = extract("<title>Tea</title><h1>Tea</h1><p>" + "Warm the pot, then wait a while. " * 9)
>>> page.text[:17], page.title
('Warm the pot, the', 'Tea')

An `Extraction` computes on request, so that each request could hang; here all is computed by the worker, and what comes
back is plain data. Worker processes are started when they are needed, at most one per core, and stay for later calls.
"""

import asyncio
import os
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from os import PathLike
from pathlib import Path
from typing import Any, Unpack

import msgspec

from pagestrata.api import DEFAULTS, parse
from pagestrata.errors import InputError, PageKilled, PageOutOfMemory, PageTimeout
from pagestrata.inputs.sources import Source, check_url, raw_page
from pagestrata.options import Options, OptionValues, with_values
from pagestrata.parts import PageItem
from pagestrata.render.json import ChunkRecord
from pagestrata.work.guard import Failure, Guard, GuardLimits
from pagestrata.work.job import Job
from pagestrata.work.rows import ALL_FIELDS, Reading, Record, SectionRow, read_record, record_digest, result_of

__all__ = ["GuardLimits", "GuardedExtraction", "aextract", "extract"]

_LIMITS = GuardLimits()
_ERRORS = {"deadline": PageTimeout, "memory": PageOutOfMemory, "died": PageKilled, "exception": InputError}


class GuardedExtraction(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a worker for a page, with the fields of a batch row (`--fields all`)."""

    text: str
    markdown: str
    html: str
    title: str | None
    language: str | None
    page_type: str
    confidence: float
    method: str
    reason: str
    """Why nothing was kept; empty if something was."""
    metadata: dict[str, Any]
    sections: list[SectionRow]
    chunks: list[ChunkRecord]
    items: list[PageItem]
    limits: list[str]
    warnings: list[str]
    encoding: str
    url: str | None
    digest: str
    """The SHA-256 of the page in hex."""

    def as_dict(self) -> dict[str, Any]:
        """Return everything as plain values, ready for JSON."""
        return msgspec.to_builtins(self)  # type: ignore[no-any-return]


@dataclass(frozen=True, slots=True)
class _Request:
    record: Record
    options: Options


def extract(
    source: Source,
    url: str | None = None,
    options: Options = DEFAULTS,
    *,
    limits: GuardLimits = _LIMITS,
    **values: Unpack[OptionValues],
) -> GuardedExtraction:
    """Read a page under the guard.

    Raises `PageTimeout`, `PageOutOfMemory` or `PageKilled` if the worker was stopped or died, `InputError` if it could
    not read the page.
    """
    return _submit(source, url, with_values(options, values), limits).result()


async def aextract(
    source: Source,
    url: str | None = None,
    options: Options = DEFAULTS,
    *,
    limits: GuardLimits = _LIMITS,
    **values: Unpack[OptionValues],
) -> GuardedExtraction:
    """Run `extract` without blocking the event loop."""
    return await asyncio.wrap_future(_submit(source, url, with_values(options, values), limits))


def _submit(source: Source, url: str | None, options: Options, limits: GuardLimits) -> "Future[GuardedExtraction]":
    parse(b"", options=options)  # a selector that cannot be read is an error of the caller, not of the page
    job = _job_of(source, url)
    return _pool(os.getpid(), limits).submit(_read, _Request(Record(job.name, job, url=url), options), limits)


def _job_of(source: Source, url: str | None) -> Job:
    """The page as a job; files are read, and unpacked, by the worker."""
    check_url(url)
    if isinstance(source, PathLike):
        return Job(str(source), path=Path(source), url=url)
    raw = raw_page(source, url)
    return Job(raw.name, page=raw)


@cache
def _pool(process: int, limits: GuardLimits) -> ThreadPoolExecutor:
    """Threads with a worker process each. A process that was forked has none of its parent's threads."""
    return ThreadPoolExecutor(os.cpu_count() or 1, "pagestrata-guard")


_own = threading.local()


def _read(request: _Request, limits: GuardLimits) -> GuardedExtraction:
    """Run one page in the worker of this thread: a worker dies with the thread that started it."""
    guard: Guard[_Request] | None = getattr(_own, "guard", None)
    if guard is None:
        guard = _own.guard = Guard(
            _work, 1, limits, name=lambda each: each.record.name, digest=lambda each: record_digest(each.record)
        )
    [(_, outcome)] = guard.map([request])
    if isinstance(outcome, Failure):
        what = ", ".join(filter(None, (outcome.reason, outcome.limit, outcome.detail)))
        raise _ERRORS[outcome.reason](f"the worker could not read {outcome.source}: {what}")
    return msgspec.json.decode(result_of(request.record, outcome).line, type=GuardedExtraction)


def _work(request: _Request) -> bytes:
    return read_record(request.record, Reading(request.options, fields=ALL_FIELDS))
