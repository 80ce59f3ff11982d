"""A batch on one machine: records in, shards out, each page read by a worker that can be killed.

Shard n holds what became of the n-th run of `shard_records` records, in their order. So a run that was broken off goes
on at its first shard that is not finished, and its output is that of a run without a break.
"""

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from functools import partial
from itertools import chain, islice
from pathlib import Path

import msgspec

from pagestrata.api import parse
from pagestrata.batch.dedup import SeenKeys
from pagestrata.batch.definition import ADDRESSES, Batch
from pagestrata.batch.fetch import expand
from pagestrata.batch.manifest import (
    MANIFEST,
    Counts,
    Journal,
    Manifest,
    Reached,
    ShardNote,
    check_same,
    read_manifest,
)
from pagestrata.batch.sample import MODELS, learn_sites, models_in
from pagestrata.batch.shards import QUARANTINE, Shard, usage_errors, write_whole
from pagestrata.batch.sources import Placed, check_inputs
from pagestrata.errors import UsageError
from pagestrata.inputs.polite import PoliteFetcher
from pagestrata.work.guard import Failure, Guard
from pagestrata.work.rows import Reading, RecordResult, read_record, record_digest, result_of

Outcome = tuple[Placed, bytes | Failure]
Watch = Callable[[str, Counts, float], None]
"""Called with the current stage, the counts so far, and the number of sources that were read."""


def run(batch: Batch, watch: Watch = lambda stage, counts, done: None) -> Manifest:
    """Run a batch, or the rest of it."""
    check(batch)
    if batch.folder.is_file():
        raise UsageError(f"{batch.folder} is a file: give a folder")
    with usage_errors():
        batch.folder.mkdir(parents=True, exist_ok=True)
    with closing(Journal(batch.folder)) as journal:
        reached = journal.recover()
        if not batch.resume and not reached.counts.rows and read_manifest(batch.folder) is not None:
            discard(batch.folder)
            reached = journal.clear()
        manifest = begin(batch)
        if manifest.complete and manifest.shards == reached.shards:
            return manifest
        if batch.learn and manifest.learned is None:
            learned = learn_sites(batch.records(), batch, partial(watch, "learning"))
            manifest = msgspec.structs.replace(manifest, learned=learned)
            manifest.write(batch.folder)
        if batch.learn:
            batch = replace(batch, reading=replace(batch.reading, choice=models_in(batch.folder)))
        reached = write_shards(batch, reached, journal, partial(watch, "reading"))
        manifest = msgspec.structs.replace(manifest, complete=True, shards=reached.shards, counts=reached.counts)
        manifest.write(batch.folder)
        return manifest


def check(batch: Batch) -> None:
    """Raise now the errors that every page would fail with."""
    check_inputs(batch.inputs)
    parse(b"", options=batch.reading.options)
    if batch.browser is not None:
        batch.browser.check()
    folder = batch.folder.resolve()
    if any(folder.is_relative_to(Path(name).resolve()) for name in batch.inputs if Path(name).is_dir()):
        raise UsageError(f"{batch.folder} is in a folder that is read: give one outside of it")


def discard(folder: Path) -> None:
    """Remove what a run without rows has left, so that it does not block the next attempt."""
    quarantined = (folder / QUARANTINE).glob("*.jsonl*")
    with usage_errors():
        for path in (*folder.glob("part-*"), *quarantined, folder / ADDRESSES, folder / MODELS, folder / MANIFEST):
            path.unlink(missing_ok=True)


def begin(batch: Batch) -> Manifest:
    """The manifest of the run that is resumed, or a new one."""
    old, plan = read_manifest(batch.folder), batch.plan()
    if old is not None and not batch.resume:
        raise UsageError(f"there is a run in {batch.folder} already: --resume continues it; or give another folder")
    if old is not None:
        check_same(old.plan, plan)
        return old
    if any(batch.folder.glob("part-*")):
        raise UsageError(f"there are parts of another run in {batch.folder}, but no manifest: give another folder")
    with closing(PoliteFetcher(batch.policy, batch.delay)) as fetcher:
        write_whole(batch.folder / ADDRESSES, msgspec.json.encode(expand(batch.inputs, fetcher)) + b"\n")
    manifest = Manifest(plan)
    manifest.write(batch.folder)
    return manifest


def write_shards(batch: Batch, reached: Reached, journal: Journal, watch: Callable[[Counts, float], None]) -> Reached:
    """Read the remaining records shard by shard; each finished shard is entered in the journal."""
    seen = SeenKeys(journal.keys) if batch.dedup else None
    with Guard(
        partial(_work, reading=batch.reading),
        batch.workers,
        batch.limits,
        name=lambda placed: placed.record.name,
        digest=lambda placed: record_digest(placed.record),
    ) as guard:
        answers = guard.map(batch.records(reached.after))
        for first in answers:
            outcomes = chain((first,), islice(answers, batch.shard_records - 1))
            note = write_shard(batch, reached, outcomes, watch, seen)
            journal.add(note)
            reached += note
    return reached


def _work(placed: Placed, reading: Reading) -> bytes:
    return read_record(placed.record, reading)


def write_shard(
    batch: Batch,
    reached: Reached,
    outcomes: Iterator[Outcome],
    watch: Callable[[Counts, float], None],
    seen: SeenKeys | None,
) -> ShardNote:
    """Write the next shard, with the outcome of each of its records; near-duplicates of what was seen are left out."""
    counts, after, keys = Counts(), reached.after, list[str]()
    with Shard(batch.folder, reached.shards, batch.reading.form, batch.reading.fields) as shard:
        for placed, outcome in outcomes:
            answer = result_of(placed.record, outcome)
            if answer.outcome == "row" and seen is not None and not seen.add(answer.key):
                counts += Counts(records=1, duplicates=1, skipped=placed.skipped)
            else:
                counts += _put(shard, placed, answer)
                keys += [answer.key] if seen is not None and answer.key else []
            after = placed.after
            watch(reached.counts + counts, placed.done)
        return ShardNote(reached.shards, counts, shard.finish(), after, tuple(keys))


def _put(shard: Shard, placed: Placed, answer: RecordResult) -> Counts:
    """Add the outcome of a record to the shard, and count it."""
    if answer.outcome == "row":
        shard.add_row(answer.line)
        return Counts(records=1, rows=1, skipped=placed.skipped)
    if answer.outcome == "quarantined":
        shard.add_quarantined(answer.line)
        return Counts(records=1, quarantined=1, skipped=placed.skipped)
    return Counts(records=1, filtered=1, skipped=placed.skipped)
