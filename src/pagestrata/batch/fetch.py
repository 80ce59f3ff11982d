"""The addresses in sitemaps and feeds, and the pages at addresses, fetched a few ahead of their use."""

from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Final

from pagestrata.batch.sources import Placed, is_address
from pagestrata.errors import AddressRefused, FetchError
from pagestrata.inputs.feeds import is_feed, read_feed
from pagestrata.inputs.files import read_file
from pagestrata.inputs.http import FetchLimits
from pagestrata.inputs.polite import PoliteFetcher
from pagestrata.inputs.sitemaps import MAX_BYTES, read_sitemap
from pagestrata.page.raw import RawPage
from pagestrata.work.job import Job
from pagestrata.work.rows import Record

MOST_SITEMAPS: Final = 1_000
"""Sitemaps that are read for one index."""
FETCHED_AHEAD: Final = 8
"""Pages that are fetched at the same time, from as many hosts."""
_LISTS = (".xml", ".xml.gz", ".rss", ".atom")
_LARGE = FetchLimits(max_bytes=MAX_BYTES)


def expand(inputs: Iterable[str], fetcher: PoliteFetcher) -> dict[str, list[str]]:
    """The addresses in each sitemap and feed among the inputs, by input; other inputs are left out."""
    addresses_by_input: dict[str, list[str]] = {}
    for name in inputs:
        if is_address(name):
            data = _bytes_of(fetcher.fetch(name, _LARGE))
        elif name.lower().endswith(_LISTS):
            data = _bytes_of(read_file(Path(name)))
        else:
            continue
        addresses = _addresses_in(data, fetcher)
        if addresses is not None:
            addresses_by_input[name] = addresses
    return addresses_by_input


def _addresses_in(data: bytes, fetcher: PoliteFetcher) -> list[str] | None:
    """The addresses of pages in a sitemap or feed, each once; None if the data are neither."""
    sitemap = read_sitemap(data)
    if sitemap is not None:
        return [*dict.fromkeys((*sitemap.pages, *_follow(sitemap.sitemaps, fetcher)))]
    if is_feed(data):
        return [*dict.fromkeys(item.link for item in read_feed(data).items if is_address(item.link))]
    return None


def _follow(sitemaps: Iterable[str], fetcher: PoliteFetcher) -> Iterator[str]:
    """The pages of all sitemaps below an index; one that cannot be read is yielded itself, and fails as a record."""
    waiting = deque(sitemaps)
    seen: set[str] = set()
    while waiting:
        url = waiting.popleft()
        if url in seen or len(seen) >= MOST_SITEMAPS:
            continue
        seen.add(url)
        try:
            sitemap = read_sitemap(_bytes_of(fetcher.fetch(url, _LARGE)))
        except FetchError:
            sitemap = None
        if sitemap is None:
            yield url
        else:
            waiting.extend(sitemap.sitemaps)
            yield from sitemap.pages


def _bytes_of(raw: RawPage) -> bytes:
    return raw.markup.encode() if isinstance(raw.markup, str) else raw.markup


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
        problem = (isinstance(error, AddressRefused) and error.cause) or str(error)
        return replace(placed, record=Record(record.name, stage="fetch", problem=problem, url=record.url))
    return replace(placed, record=replace(record, job=Job(record.name, page=replace(raw, source=record.name))))
