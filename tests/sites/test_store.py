"""The store keeps what it was told to keep, for many processes at once, and says clearly what it cannot read."""

import pickle
import random
import sqlite3
import threading
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

import pagestrata
from pagestrata.errors import ModelError, StoreError
from pagestrata.sites import store as store_module
from pagestrata.sites.model import Edit, SiteModel
from pagestrata.sites.store import Store, default_path
from tests.build import EXAMPLES
from tests.sites.kills import counted, kill_writers, number_of

pytestmark = pytest.mark.both


@pytest.fixture(scope="module")
def model() -> SiteModel:
    return pagestrata.learn([path.read_bytes() for path in EXAMPLES if path.parent.name == "articles"], site="almanac")


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "data" / "sites.db")


def test_what_is_saved_is_loaded(store: Store, model: SiteModel) -> None:
    edited = model.with_edit(Edit(action="drop", selector=".promo-box", note="advertisements"))
    store.save(edited)
    assert edited == store.load("almanac")


def test_a_store_that_is_not_there_is_empty_and_stays_so(store: Store) -> None:
    assert ((), None, ()) == (store.sites(), store.load("almanac"), store.stamp())
    assert not store.path.parent.exists()


def test_the_list_gives_the_figures_of_each_site(store: Store, model: SiteModel) -> None:
    store.save(replace(model, site="b.example"))
    store.save(replace(model, site="a.example"))
    rows = store.sites()
    assert ["a.example", "b.example"] == [row.name for row in rows]
    assert (len(model.clusters), sum(cluster.pages for cluster in model.clusters)) == (rows[0].clusters, rows[0].pages)
    assert (model.learned, model.updated) == (rows[0].learned, rows[0].updated)
    assert rows[0].bytes > 1000


def test_a_second_save_takes_the_place_of_the_first(store: Store, model: SiteModel) -> None:
    store.save(model)
    fewer = replace(model, clusters=model.clusters[:1], updated="2026-12-01")
    store.save(fewer)
    assert fewer == store.load("almanac")
    assert [(1, "2026-12-01")] == [(row.clusters, row.updated) for row in store.sites()]


def test_the_same_model_saved_twice_is_the_same_bytes(store: Store, model: SiteModel) -> None:
    def rows() -> list[tuple[object, ...]]:
        with closing(sqlite3.connect(store.path)) as connection:
            return [*connection.execute("SELECT * FROM sites"), *connection.execute("SELECT * FROM clusters")]

    store.save(model)
    first = rows()
    store.save(SiteModel.from_json(model.to_json()))
    assert first == rows()


def test_what_is_forgotten_is_gone_with_its_clusters(store: Store, model: SiteModel) -> None:
    store.save(model)
    assert (True, False) == (store.forget("almanac"), store.forget("almanac"))
    with closing(sqlite3.connect(store.path)) as connection:
        assert [(0,)] == connection.execute("SELECT COUNT(*) FROM clusters").fetchall()


def test_a_change_that_fails_changes_nothing(store: Store, model: SiteModel) -> None:
    store.save(model)

    def fail(old: SiteModel | None) -> SiteModel:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        store.change("almanac", fail)
    assert model == store.load("almanac")


def test_a_change_sees_none_where_nothing_is(store: Store, model: SiteModel) -> None:
    seen: list[SiteModel | None] = []

    def note(old: SiteModel | None) -> SiteModel:
        seen.append(old)
        return model

    store.change("almanac", note)
    store.change("almanac", note)
    assert [None, model] == seen


def test_changes_from_many_threads_do_not_undo_each_other(store: Store, model: SiteModel) -> None:
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


def test_readers_do_not_wait_for_a_writer(store: Store, model: SiteModel, monkeypatch: pytest.MonkeyPatch) -> None:
    store.save(model)
    monkeypatch.setattr(store_module, "PATIENCE", 0.05)
    with closing(sqlite3.connect(store.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert model == store.load("almanac")
        with pytest.raises(StoreError, match="is busy"):
            store.save(model)


def test_the_file_is_synced_and_in_wal_mode(store: Store, model: SiteModel) -> None:
    store.save(model)
    with closing(sqlite3.connect(store.path)) as connection:
        assert ("wal",) == connection.execute("PRAGMA journal_mode").fetchone()
    with store._writing() as connection:
        assert (2,) == connection.execute("PRAGMA synchronous").fetchone()


def test_a_stamp_changes_with_every_save(store: Store, model: SiteModel) -> None:
    stamps = {store.stamp()}
    for number in range(3):
        store.save(counted(model, "x", number))
        stamps.add(store.stamp())
    assert 4 == len(stamps)


def test_a_newer_store_is_refused(store: Store, model: SiteModel) -> None:
    store.save(model)
    with closing(sqlite3.connect(store.path)) as connection:
        connection.execute("PRAGMA user_version = 2")
    before = store.path.read_bytes()
    for use in (store.sites, lambda: store.save(model), lambda: store.forget("almanac")):
        with pytest.raises(StoreError, match="has version 2, and this pagestrata knows 1"):
            use()
    assert before == store.path.read_bytes()


def test_a_database_of_another_program_is_left_as_it_is(store: Store, model: SiteModel) -> None:
    store.path.parent.mkdir()
    with closing(sqlite3.connect(store.path)) as connection:
        connection.execute("CREATE TABLE bookmarks (url TEXT)")
    before = store.path.read_bytes()
    with pytest.raises(StoreError, match="of another program"):
        store.save(model)
    with pytest.raises(StoreError, match="of another program"):
        store.sites()
    assert before == store.path.read_bytes()


def test_an_empty_file_becomes_a_store(store: Store, model: SiteModel) -> None:
    store.path.parent.mkdir()
    store.path.touch()
    assert () == store.sites()
    store.save(model)
    assert model == store.load("almanac")


@pytest.mark.parametrize("content", [b"<html>" * 500, b"\0" * 4096, b"SQLite format 3\0" + b"\xff" * 5000])
def test_what_is_no_database_is_refused(store: Store, model: SiteModel, content: bytes) -> None:
    store.path.parent.mkdir()
    store.path.write_bytes(content)
    with pytest.raises(StoreError, match=str(store.path)):
        store.sites()
    with pytest.raises(StoreError):
        store.save(model)
    assert content == store.path.read_bytes()


def test_a_folder_in_its_place_is_an_error_of_ours(tmp_path: Path, model: SiteModel) -> None:
    (tmp_path / "file").touch()
    for path in (tmp_path, tmp_path / "file" / "sites.db"):
        with pytest.raises(StoreError):
            Store(path).save(model)


def test_a_damaged_model_says_what_to_do(store: Store, model: SiteModel) -> None:
    store.save(model)
    for payload in (b"nothing", "text", 7, 0.5):
        with closing(sqlite3.connect(store.path)) as connection, connection:
            connection.execute("UPDATE clusters SET model = ?", (payload,))
        with pytest.raises(ModelError, match="pagestrata sites forget almanac"):
            store.load("almanac")
        assert ["almanac"] == [row.name for row in store.sites()]


def test_damaged_files_never_raise_anything_else(store: Store, model: SiteModel) -> None:
    store.save(model)
    good, chance, raised = store.path.read_bytes(), random.Random(7), 0
    for _ in range(100):
        damaged = bytearray(good[: chance.randrange(len(good))] if chance.random() < 0.3 else good)
        for _ in range(chance.choice([1, 20, 500]) if damaged else 0):
            damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        for leftover in store.path.parent.iterdir():
            leftover.unlink()
        store.path.write_bytes(damaged)
        for use in (store.sites, lambda: store.load("almanac"), lambda: store.save(model), lambda: store.forget("x")):
            try:
                use()
            except (StoreError, ModelError):
                raised += 1
    assert raised > 50


def test_a_store_can_be_sent_to_a_worker(store: Store) -> None:
    assert store == pickle.loads(pickle.dumps(store))  # noqa: S301


def test_the_environment_says_where_the_store_is() -> None:
    assert Path("/x/y.db") == default_path("linux", {"PAGESTRATA_STORE": "/x/y.db"})
    home = Path("/home/ines")
    assert Path("/data/pagestrata/sites.db") == default_path("linux", {"XDG_DATA_HOME": "/data"}, home)
    assert home / ".local/share/pagestrata/sites.db" == default_path("linux", {"XDG_DATA_HOME": "data"}, home)
    assert home / "AppData/Local/pagestrata/sites.db" == default_path("win32", {}, home)


def test_killed_writers_lose_nothing(tmp_path: Path, model: SiteModel) -> None:
    tally = kill_writers(tmp_path, model, kills=20, writers=4, seed=20261115)
    assert 20 == tally.kills
    assert tally.acknowledged > 10
