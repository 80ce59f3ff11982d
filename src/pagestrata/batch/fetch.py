"""The addresses in sitemaps and feeds, and the pages at addresses, fetched a few ahead of their use."""

from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Final

from pagestrata.batch.sources import Placed
from pagestrata.errors import FetchError
from pagestrata.inputs.addresses import is_address
from pagestrata.inputs.files import read_file
from pagestrata.inputs.polite import PoliteFetcher
from pagestrata.inputs.site_addresses import LARGE, addresses_in
from pagestrata.work.job import Job
from pagestrata.work.rows import Record

FETCHED_AHEAD: Final = 8
"""Pages that are fetched at the same time, from as many hosts."""
_LISTS = (".xml", ".xml.gz", ".rss", ".atom")


def expand(inputs: Iterable[str], fetcher: PoliteFetcher) -> dict[str, list[str]]:
    """The addresses in each sitemap and feed among the inputs, by input; other inputs are left out."""
    addresses_by_input: dict[str, list[str]] = {}
    for name in inputs:
        if is_address(name):
            data = fetcher.fetch(name, LARGE).data
        elif name.lower().endswith(_LISTS):
            data = read_file(Path(name)).data
        else:
            continue
        addresses = addresses_in(data, fetcher)
        if addresses is not None:
            addresses_by_input[name] = addresses
    return addresses_by_input


def fetched(records: Iterable[Placed], fetcher: PoliteFetcher) -> Iterator[Placed]:
    """Fetch the pages of records at addresses, in their order; a failure becomes a record without a page."""
    waiting: deque[Placed | Future[Placed]] = deque()
    with ThreadPoolExecutor(FETCHED_AHEAD) as threads:
        try:
            for placed in records:
                is_local = placed.record.job is None or placed.record.job.address is None
                if is_local and not waiting:
                    yield placed
                    continue
                waiting.append(placed if is_local else threads.submit(_fetch, placed, fetcher))
                if len(waiting) >= FETCHED_AHEAD:
                    yield _done(waiting.popleft())
            while waiting:
                yield _done(waiting.popleft())
        finally:
            fetcher.close()
            threads.shutdown(wait=False, cancel_futures=True)


def _done(placed: "Placed | Future[Placed]") -> Placed:
    return placed.result() if isinstance(placed, Future) else placed


def _fetch(placed: Placed, fetcher: PoliteFetcher) -> Placed:
    record = placed.record
    try:
        raw = fetcher.fetch(record.url or record.name)
    except FetchError as error:
        failed = Record(record.name, stage="fetch", problem=error.explanation, url=record.url)
        return replace(placed, record=failed)
    return replace(placed, record=replace(record, job=Job(record.name, page=replace(raw, source=record.name))))
