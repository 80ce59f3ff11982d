"""Writers that are killed with signal 9 while they write to a store, and a count of what must have survived.

Each writer counts up in the model of a site of its own, and in one model that all of them share. It says so on its
standard output after each save. Whatever it said before it died must be in the store, and nothing that nobody wrote.
Writers are forked by a process that has imported everything, so that a life takes no longer than its saves.
"""

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import NoReturn

from pagestrata.sites.model import Edit, SiteModel
from pagestrata.sites.postgres import PostgresStore
from pagestrata.sites.store import SiteStore, Store, open_store

ROOT = Path(__file__).resolve().parent.parent.parent
SHARED = "shared.example"
KILLED = "killed"
LONGEST_LIFE = 0.15
"""Seconds, from birth for every other writer and from its first save for the rest: a save takes some hundredths, and
the first also makes the file, so that the end comes anywhere in them."""


@dataclass
class Tally:
    """What was seen."""

    kills: int = 0
    acknowledged: int = 0
    unsaid: int = 0
    """Saves that were there though their writer died before it could say so; each must be its last."""


def kill_writers(
    folder: Path, base: SiteModel, kills: int, writers: int, seed: int, store: SiteStore | None = None
) -> Tally:
    """Start and kill so many writers, some at the same time; fails at the first write that is lost or unreadable."""
    sample, store = folder / "base.model", store or Store(folder / "sites.db")
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


def _kill_in_turn(store: SiteStore, sample: Path, place: int, kills: int, seed: int) -> Counter[str]:
    """Kill one writer after the other; how many saves of each site were acknowledged."""
    chance, site, told = random.Random(f"{seed}/{place}"), f"writer{place}.example", Counter[str]()
    address = store.address if isinstance(store, PostgresStore) else store.where
    command = [sys.executable, "-m", "tests.sites.kills", address, str(sample), site]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([*sys.path, str(ROOT)])}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment, cwd=ROOT
    ) as nursery:
        for life in range(kills):
            before = number_of(store.load(site))
            said = _said_in_a_life(nursery, life % 2 == 0, chance.uniform(0, LONGEST_LIFE))
            told.update(said)
            after = number_of(store.load(site))
            assert said.count(site) <= after - before <= said.count(site) + 1, f"{site}: {before} {said} {after}"
    return told


def _said_in_a_life(nursery: "subprocess.Popen[str]", has_saved: bool, seconds: float) -> list[str]:
    """Let a writer live so long, perhaps only counted from its first save; kill it, and give back what it said."""
    assert nursery.stdin is not None
    assert nursery.stdout is not None
    nursery.stdin.write("write\n")
    nursery.stdin.flush()
    writer = int(nursery.stdout.readline())
    said = [nursery.stdout.readline().strip()] if has_saved else []
    time.sleep(seconds)
    os.kill(writer, signal.SIGKILL)
    said += [line.strip() for line in iter(nursery.stdout.readline, f"{KILLED}\n")]
    assert "" not in said, "the nursery ended by itself"
    return said


def _check_file(store: SiteStore) -> None:
    if isinstance(store, Store):
        with closing(sqlite3.connect(store.path)) as connection:
            assert [("ok",)] == connection.execute("PRAGMA integrity_check").fetchall()
    assert all(store.load(row.name) for row in store.sites())


def number_of(model: SiteModel | None) -> int:
    """How far the writers have counted in this model."""
    return int(model.edits[0].note) if model else 0


def counted(model: SiteModel, site: str, number: int) -> SiteModel:
    """The same model for that site, with a number in it."""
    return replace(model, site=site, edits=(Edit(action="drop", selector=".x", note=str(number)),))


def raise_writers(store: SiteStore, base: SiteModel, own: str) -> None:
    """Fork a writer for each line that comes in, and say when it was killed."""
    store.sites()  # imports what it needs
    for _ in sys.stdin:
        writer = os.fork()
        if not writer:
            write_until_killed(store, base, own)
        _, status = os.waitpid(writer, 0)
        print(KILLED if os.waitstatus_to_exitcode(status) == -signal.SIGKILL else "ended by itself", flush=True)


def write_until_killed(store: SiteStore, base: SiteModel, own: str) -> NoReturn:
    """Count up, and tell after each save."""
    print(os.getpid(), flush=True)
    for number in count(number_of(store.load(own)) + 1):
        store.save(counted(base, own, number))
        print(own, flush=True)
        store.change(SHARED, lambda old: counted(base, SHARED, number_of(old) + 1))
        print(SHARED, flush=True)
    raise AssertionError("counting has no end")


if __name__ == "__main__":
    raise_writers(open_store(sys.argv[1]), SiteModel.load(Path(sys.argv[2])), sys.argv[3])
