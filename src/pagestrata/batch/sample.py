"""The first pass of a batch that learns: a sample of the pages of each site, and from it the model of the site.

The sample holds the pages with the smallest SHA-256: it depends neither on the order of arrival nor on the number of
machines, and two samples can be merged. It is kept on disk, so the number of sites is not limited by memory.
"""

import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import Final

import msgspec

from pagestrata.batch.definition import Batch
from pagestrata.batch.manifest import Counts, LearnedSites, models_digest
from pagestrata.batch.shards import QUARANTINE, write_whole
from pagestrata.batch.sources import Placed
from pagestrata.errors import InputError
from pagestrata.options import Options
from pagestrata.page.raw import RawPage
from pagestrata.sites.choice import AUTO, StoredModel
from pagestrata.sites.store import SiteStore, Store
from pagestrata.work.guard import Failure, Guard, GuardLimits
from pagestrata.work.job import Job, page_digest
from pagestrata.work.rows import Record, failed, line_of
from pagestrata.work.site_sample import LEARN_SECONDS, LEAST_PAGES, learn_sample, site_of

MODELS: Final = "sites.db"
_SPOOL = ".sample.db"
_COMMIT_EVERY = 500

_TABLE = """
CREATE TABLE pages (site TEXT NOT NULL, digest BLOB NOT NULL, url TEXT, content_type TEXT, markup BLOB NOT NULL);
CREATE UNIQUE INDEX by_site ON pages (site, digest);
"""
# Of two copies of a page, the one with the smaller address is kept, whichever came first.
_TAKE = """
INSERT INTO pages VALUES (?, ?, ?, ?, ?)
ON CONFLICT (site, digest) DO UPDATE
SET url = excluded.url, content_type = excluded.content_type, markup = excluded.markup
WHERE (ifnull(excluded.url, ''), ifnull(excluded.content_type, '')) < (ifnull(url, ''), ifnull(content_type, ''))
"""
_TRIM = """
DELETE FROM pages WHERE site = :site AND (SELECT COUNT(*) FROM pages WHERE site = :site) > :count
AND digest = (SELECT MAX(digest) FROM pages WHERE site = :site)
"""


class PageKey(msgspec.Struct, array_like=True, frozen=True):
    """What identifies a page in the sample; the result of a worker in the first pass."""

    site: str
    """Its host; "" if it is not known."""
    digest: bytes


def models_in(folder: Path) -> StoredModel:
    """The models that a run has learned; each page is read with the model of its host."""
    return StoredModel(AUTO, Store(folder / MODELS))


def learn_sites(records: Iterable[Placed], batch: Batch, watch: Callable[[Counts, float], None]) -> LearnedSites:
    """Draw a sample of all sites and learn them one by one; starts again if an earlier attempt was broken off."""
    spool, models = batch.folder / _SPOOL, batch.folder / f".{MODELS}"
    for place in (spool, models, Path(f"{models}-wal"), Path(f"{models}-shm")):
        place.unlink(missing_ok=True)
    with closing(Spool(spool, batch.learn)) as sample:
        draw(records, sample, batch, watch)
        sites = sample.sites()
    learned, failures = 0, []
    with Guard(
        partial(learn_site, spool=spool, options=batch.reading.options),
        batch.workers,
        GuardLimits(seconds=LEARN_SECONDS),
    ) as guard:
        for site, outcome in guard.map(sites):
            if isinstance(outcome, Failure):
                failures.append(failed(Record(site), outcome))
            else:
                _keep(outcome, Store(models))
                learned += 1
    if failures:
        write_whole(batch.folder / QUARANTINE / "learn.jsonl", b"".join(map(line_of, failures)))
    spool.unlink()
    with suppress(FileNotFoundError):  # no site had pages enough
        os.replace(models, batch.folder / MODELS)
    return LearnedSites(learned, len(failures), models_digest(models_in(batch.folder)))


def draw(records: Iterable[Placed], sample: "Spool", batch: Batch, watch: Callable[[Counts, float], None]) -> None:
    """Offer all pages to the sample; what cannot be read is reported in the second pass."""
    counts = Counts()
    with Guard(_site_and_digest, batch.workers, batch.limits) as guard:
        for placed, outcome in guard.map(records):
            counts += Counts(records=1)
            if not isinstance(outcome, Failure) and placed.record.job is not None:
                sample.offer(msgspec.msgpack.decode(outcome, type=PageKey), placed.record.job)
            watch(counts, placed.done)


def _site_and_digest(placed: Placed) -> bytes:
    """Runs in a worker: a page that came without its address is parsed to find its site."""
    if placed.record.job is None:
        return msgspec.msgpack.encode(PageKey("", b""))
    raw = placed.record.job.read()
    return msgspec.msgpack.encode(PageKey(site_of(raw), bytes.fromhex(page_digest(raw))))


def learn_site(site: str, spool: Path, options: Options) -> bytes:
    """Runs in a worker: the model of a site in its compact form."""
    return learn_sample(sampled(spool, site), site, options)


def _keep(model: bytes, store: SiteStore) -> None:
    from pagestrata.sites.model import SiteModel

    store.save(SiteModel.from_bytes(model))


class Spool:
    """The sample, kept in an SQLite file."""

    def __init__(self, path: Path, count: int) -> None:
        self._count = count
        self._offers = 0
        self._database = sqlite3.connect(path)
        self._database.execute("PRAGMA synchronous = OFF")  # it is drawn again if anything happens to it
        self._database.executescript(_TABLE)

    def close(self) -> None:
        """Write the pages that are not yet on disk."""
        self._database.commit()
        self._database.close()

    def offer(self, key: PageKey, job: Job) -> None:
        """Take a page in if its digest is among the smallest of its site."""
        if not key.site:
            return
        query = "SELECT COUNT(*), MAX(digest) FROM pages WHERE site = ?"
        count, largest = self._database.execute(query, (key.site,)).fetchone()
        if count < self._count or key.digest <= largest:
            self._take(key, job)
        self._offers += 1
        if self._offers % _COMMIT_EVERY == 0:
            self._database.commit()

    def _take(self, key: PageKey, job: Job) -> None:
        with suppress(InputError):  # the file is gone; the second pass will report it
            raw = job.read()
            row = (key.site, key.digest, raw.url, raw.content_type, raw.markup)
            self._database.execute(_TAKE, row)
            self._database.execute(_TRIM, {"site": key.site, "count": self._count})

    def sites(self) -> list[str]:
        """The names of the sites with enough pages to be learned."""
        query = "SELECT site FROM pages GROUP BY site HAVING COUNT(*) >= ? ORDER BY site"
        return [site for (site,) in self._database.execute(query, (LEAST_PAGES,))]


def sampled(spool: Path, site: str) -> Iterator[RawPage]:
    """The sampled pages of a site in the order of their digests."""
    query = "SELECT markup, url, content_type FROM pages WHERE site = ? ORDER BY digest"
    with closing(sqlite3.connect(f"{spool.absolute().as_uri()}?mode=ro", uri=True)) as database:
        for markup, url, content_type in database.execute(query, (site,)):
            yield RawPage(markup, url, content_type)
