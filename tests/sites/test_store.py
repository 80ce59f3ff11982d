"""Both stores keep what they were told to keep, for many processes at once, and say clearly what they cannot read."""

import pickle
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from pagestrata.errors import ModelError, StoreError
from pagestrata.sites import postgres as postgres_module
from pagestrata.sites import store as store_module
from pagestrata.sites import store_rows
from pagestrata.sites.model import Edit, SiteModel
from pagestrata.sites.store import SiteStore, Store, open_store
from tests.sites.conftest import run_sql
from tests.sites.kills import counted, kill_writers, number_of


def test_an_empty_store_holds_nothing(store: SiteStore) -> None:
    assert ((), None, ()) == (store.sites(), store.load("almanac"), store.stamp())
    assert not store.forget("almanac")


def test_an_address_of_another_kind_is_not_taken_for_a_file() -> None:
    with pytest.raises(StoreError, match="mysql:// is no store: give a file or a postgresql:// address"):
        open_store("mysql://ines@db.example/tides")


def test_what_is_saved_is_loaded(store: SiteStore, model: SiteModel) -> None:
    edited = model.with_edit(Edit(action="drop", selector=".promo-box", note="advertisements"))
    store.save(edited)
    assert edited == store.load("almanac")


def test_the_list_gives_the_figures_of_each_site(store: SiteStore, model: SiteModel) -> None:
    store.save(replace(model, site="b.example"))
    store.save(replace(model, site="a.example"))
    rows = store.sites()
    assert ["a.example", "b.example"] == [row.name for row in rows]
    assert (len(model.clusters), sum(cluster.pages for cluster in model.clusters)) == (rows[0].clusters, rows[0].pages)
    assert (model.learned, model.updated) == (rows[0].learned, rows[0].updated)
    assert rows[0].bytes > 1000


def test_a_second_save_takes_the_place_of_the_first(store: SiteStore, model: SiteModel) -> None:
    store.save(model)
    fewer = replace(model, clusters=model.clusters[:1], updated="2026-12-01")
    store.save(fewer)
    assert fewer == store.load("almanac")
    assert [(1, "2026-12-01")] == [(row.clusters, row.updated) for row in store.sites()]


def test_the_same_model_saved_twice_is_the_same_bytes(store: SiteStore, model: SiteModel) -> None:
    def rows() -> list[tuple[object, ...]]:
        return [*run_sql(store, "SELECT * FROM sites"), *run_sql(store, "SELECT * FROM clusters ORDER BY place")]

    store.save(model)
    first = rows()
    store.save(SiteModel.from_json(model.to_json()))
    assert first == rows()


def test_what_is_forgotten_is_gone_with_its_clusters(store: SiteStore, model: SiteModel) -> None:
    store.save(model)
    assert (True, False) == (store.forget("almanac"), store.forget("almanac"))
    assert [(0,)] == run_sql(store, "SELECT COUNT(*) FROM clusters")


def test_a_change_that_fails_changes_nothing(store: SiteStore, model: SiteModel) -> None:
    store.save(model)

    def fail(old: SiteModel | None) -> SiteModel:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        store.change("almanac", fail)
    assert model == store.load("almanac")


def test_a_change_sees_none_where_nothing_is(store: SiteStore, model: SiteModel) -> None:
    seen: list[SiteModel | None] = []

    def note(old: SiteModel | None) -> SiteModel:
        seen.append(old)
        return model

    store.change("almanac", note)
    store.change("almanac", note)
    assert [None, model] == seen


def test_changes_from_many_threads_do_not_undo_each_other(store: SiteStore, model: SiteModel) -> None:
    small = replace(model, clusters=model.clusters[:1])

    def count_up() -> None:
        for _ in range(10):
            store.change("x", lambda old: counted(small, "x", number_of(old) + 1))

    threads = [threading.Thread(target=count_up) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert 40 == number_of(store.load("x"))


def test_readers_do_not_wait_for_a_writer(store: SiteStore, model: SiteModel, monkeypatch: pytest.MonkeyPatch) -> None:
    store.save(model)
    writing, done = threading.Event(), threading.Event()

    def write_slowly(old: SiteModel | None) -> SiteModel:
        writing.set()
        assert done.wait(20)
        return counted(model, "almanac", 7)

    with ThreadPoolExecutor(1) as pool:
        written = pool.submit(store.change, "almanac", write_slowly)
        assert writing.wait(20)
        monkeypatch.setattr(store_rows, "WRITER_TIMEOUT", 0.05)
        assert model == store.load("almanac")
        with pytest.raises(StoreError, match="is busy"):
            store.save(model)
        done.set()
        assert 7 == number_of(written.result())
    assert 7 == number_of(store.load("almanac"))


def test_a_stamp_changes_with_every_save(store: SiteStore, model: SiteModel) -> None:
    stamps = {store.stamp()}
    for number in range(3):
        store.save(counted(model, "x", number))
        stamps.add(store.stamp())
    assert 4 == len(stamps)


def test_a_newer_store_is_refused(store: SiteStore, model: SiteModel) -> None:
    store.save(model)
    run_sql(store, "PRAGMA user_version = 2" if isinstance(store, Store) else "UPDATE store SET version = 2")
    for use in (store.sites, lambda: store.save(model), lambda: store.forget("almanac")):
        with pytest.raises(StoreError, match="has version 2, and this pagestrata supports 1"):
            use()
    assert [("almanac",)] == run_sql(store, "SELECT name FROM sites")


def test_a_damaged_model_says_what_to_do(store: SiteStore, model: SiteModel) -> None:
    store.save(model)
    kinds = (b"nothing", b"", "text", 7, 0.5) if isinstance(store, Store) else (b"nothing", b"")
    for payload in kinds:
        run_sql(store, "UPDATE clusters SET model = ?", payload)
        with pytest.raises(ModelError, match="pagestrata sites forget almanac"):
            store.load("almanac")
        assert ["almanac"] == [row.name for row in store.sites()]


def test_a_store_can_be_sent_to_a_worker(store: SiteStore) -> None:
    assert store == pickle.loads(pickle.dumps(store))  # noqa: S301


@pytest.fixture
def next_version(store: SiteStore, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Have a program that knows one version more."""

    def add(script: str) -> None:
        module = store_module if isinstance(store, Store) else postgres_module
        table = "sites" if isinstance(store, Store) else "pagestrata.sites"
        monkeypatch.setattr(module, "MIGRATIONS", (*module.MIGRATIONS, script.replace("TABLE sites", f"TABLE {table}")))

    return add


def version_of(store: SiteStore) -> int:
    found = run_sql(store, "PRAGMA user_version" if isinstance(store, Store) else "SELECT version FROM store")
    return int(found[0][0])


@pytest.mark.parametrize("use", ["load", "save"])
def test_an_older_store_is_brought_up_to_date(
    store: SiteStore, model: SiteModel, next_version: Callable[[str], None], use: str
) -> None:
    store.save(model)
    next_version("ALTER TABLE sites ADD COLUMN rating INTEGER NOT NULL DEFAULT 5;")
    if use == "save":
        store.save(replace(model, site="b.example"))
    assert model == store.load("almanac")
    assert 2 == version_of(store)
    assert [(5,)] == run_sql(store, "SELECT rating FROM sites WHERE name = 'almanac'")


def test_a_new_store_gets_all_versions_at_once(
    store: SiteStore, model: SiteModel, next_version: Callable[[str], None]
) -> None:
    next_version("ALTER TABLE sites ADD COLUMN rating INTEGER NOT NULL DEFAULT 5;")
    store.save(model)
    assert (2, model) == (version_of(store), store.load("almanac"))


def test_a_change_of_tables_that_fails_leaves_the_old_ones(
    store: SiteStore, model: SiteModel, next_version: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    store.save(model)
    with monkeypatch.context():
        next_version("ALTER TABLE sites ADD COLUMN rating INTEGER; ALTER TABLE sites ADD COLUMN rating INTEGER;")
        with pytest.raises(StoreError, match="rating"):
            store.save(model)
    monkeypatch.undo()
    assert (1, model) == (version_of(store), store.load("almanac"))


def test_many_may_bring_a_store_up_to_date_at_once(
    store: SiteStore, model: SiteModel, next_version: Callable[[str], None]
) -> None:
    store.save(model)
    next_version("ALTER TABLE sites ADD COLUMN rating INTEGER NOT NULL DEFAULT 5;")
    with ThreadPoolExecutor(8) as pool:
        names = [f"{number}.example" for number in range(8)]
        list(pool.map(lambda name: store.save(replace(model, site=name)), names))
    assert sorted(["almanac", *names]) == [row.name for row in store.sites()]
    assert 2 == version_of(store)


def test_many_may_make_a_store_at_once(store: SiteStore, model: SiteModel) -> None:
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: store.save(replace(model, site=f"{number}.example")), range(8)))
    assert 8 == len(store.sites())


def test_killed_writers_lose_nothing(store: SiteStore, tmp_path: Path, model: SiteModel) -> None:
    tally = kill_writers(tmp_path, model, kills=20, writers=4, seed=20261115, store=store)
    assert 20 == tally.kills
    assert tally.acknowledged >= 10  # every other writer lives until its first save


READ_AS_NOBODY = """
import os, sqlite3, sys
from pathlib import Path
from pagestrata.sites.store import Store
if os.geteuid() == 0:
    os.setuid(65534)
print([row.name for row in Store(Path(sys.argv[1])).sites()])
"""


@pytest.mark.skipif(sys.platform == "win32", reason="folders have other permissions there")
def test_a_store_in_a_folder_that_cannot_be_written_to_is_read(model: SiteModel) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sites.db"
        Store(path).save(model)
        path.chmod(0o444)
        Path(folder).chmod(0o555)
        command = [sys.executable, "-c", READ_AS_NOBODY, str(path)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        Path(folder).chmod(0o700)
    assert "['almanac']" == done.stdout.strip(), done.stderr
