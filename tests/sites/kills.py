"""Writers that are killed with signal 9 while they write to a store, and a count of what must have survived.

Each writer counts up in the model of a site of its own, and in one model that all of them share. It says so on its
standard output after each save. Whatever it said before it died must be in the store, and nothing that nobody wrote.
"""

import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path

from pagestrata.sites.model import Edit, SiteModel
from pagestrata.sites.store import Store

ROOT = Path(__file__).resolve().parent.parent.parent
SHARED = "shared.example"
AT_THE_START = 0.2
"""The share of writers that are killed while they start; all others when they have saved something."""
LONGEST_START = 1.0
LONGEST_LIFE = 0.1
"""Seconds: a save takes some thousandths, so that the end comes anywhere in it."""


@dataclass
class Tally:
    """What was seen."""

    kills: int = 0
    acknowledged: int = 0
    unsaid: int = 0
    """Saves that were there though their writer died before it could say so; each must be its last."""


def kill_writers(folder: Path, base: SiteModel, kills: int, writers: int, seed: int) -> Tally:
    """Start and kill so many writers, some at the same time; fails at the first write that is lost or unreadable."""
    sample, store = folder / "base.model", Store(folder / "sites.db")
    base.save(sample)
    with ThreadPoolExecutor(writers) as pool:
        shares = [len(range(place, kills, writers)) for place in range(writers)]
        slots = [pool.submit(_kill_in_turn, store, sample, place, shares[place], seed) for place in range(writers)]
        told = [slot.result() for slot in slots]
    tally = Tally(kills, sum(each.total() for each in told))
    shared = number_of(store.load(SHARED))
    said = sum(each[SHARED] for each in told)
    assert said <= shared <= said + kills, f"{said} saves were acknowledged, {shared} are there"
    tally.unsaid = shared - said
    _check_file(store)
    return tally


def _kill_in_turn(store: Store, sample: Path, place: int, kills: int, seed: int) -> Counter[str]:
    """Kill one writer after the other; how many saves of each site were acknowledged."""
    chance, site, told = random.Random(f"{seed}/{place}"), f"writer{place}.example", Counter[str]()
    for _ in range(kills):
        before = number_of(store.load(site))
        said = list(_said_before_the_end(store, sample, site, chance))
        told.update(said)
        after = number_of(store.load(site))
        assert said.count(site) <= after - before <= said.count(site) + 1, f"{site}: {before} {said} {after}"
    return told


def _said_before_the_end(store: Store, sample: Path, site: str, chance: random.Random) -> Iterator[str]:
    command = [sys.executable, "-m", "tests.sites.kills", str(store.path), str(sample), site]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([*sys.path, str(ROOT)])}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment, cwd=ROOT) as writer:
        assert writer.stdout is not None
        try:
            if chance.random() < AT_THE_START:
                writer.wait(chance.uniform(0, LONGEST_START))
            else:
                yield writer.stdout.readline().strip()
                writer.wait(chance.uniform(0, LONGEST_LIFE))
        except subprocess.TimeoutExpired:
            writer.kill()
        assert -9 == writer.wait(), "the writer ended by itself"
        yield from (line.strip() for line in writer.stdout)


def _check_file(store: Store) -> None:
    import sqlite3

    with closing(sqlite3.connect(store.path)) as connection:
        assert [("ok",)] == connection.execute("PRAGMA integrity_check").fetchall()
    assert all(store.load(row.name) for row in store.sites())


def number_of(model: SiteModel | None) -> int:
    """How far the writers have counted in this model."""
    return int(model.edits[0].note) if model else 0


def counted(model: SiteModel, site: str, number: int) -> SiteModel:
    """The same model for that site, with a number in it."""
    return replace(model, site=site, edits=(Edit(action="drop", selector=".x", note=str(number)),))


def write_until_killed(store: Store, base: SiteModel, own: str) -> None:
    """Count up, and tell after each save."""
    for number in count(number_of(store.load(own)) + 1):
        store.save(counted(base, own, number))
        print(own, flush=True)
        store.change(SHARED, lambda old: counted(base, SHARED, number_of(old) + 1))
        print(SHARED, flush=True)


if __name__ == "__main__":
    write_until_killed(Store(Path(sys.argv[1])), SiteModel.load(Path(sys.argv[2])), sys.argv[3])
