"""The store in a file: what it does to the file, and what it says of one that it cannot read."""

import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from pagestrata.errors import ModelError, StoreError
from pagestrata.sites.model import SiteModel
from pagestrata.sites.store import Store, default_path, open_store


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "data" / "sites.db")


def test_reading_makes_no_file(store: Store) -> None:
    assert ((), None, ()) == (store.sites(), store.load("almanac"), store.stamp())
    assert not store.path.parent.exists()


def test_the_file_is_synced_and_in_wal_mode(store: Store, model: SiteModel) -> None:
    store.save(model)
    with closing(sqlite3.connect(store.path)) as connection:
        assert ("wal",) == connection.execute("PRAGMA journal_mode").fetchone()
    with store._writing() as connection:
        assert (2,) == connection.execute("PRAGMA synchronous").fetchone()


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


def test_the_environment_says_where_the_store_is() -> None:
    assert Path("/x/y.db") == default_path("linux", {"PAGESTRATA_STORE": "/x/y.db"})
    home = Path("/home/ines")
    assert Path("/data/pagestrata/sites.db") == default_path("linux", {"XDG_DATA_HOME": "/data"}, home)
    assert home / ".local/share/pagestrata/sites.db" == default_path("linux", {"XDG_DATA_HOME": "data"}, home)
    assert home / "AppData/Local/pagestrata/sites.db" == default_path("win32", {}, home)


def test_an_address_is_a_path_unless_it_says_postgresql() -> None:
    assert Store(Path("a/b.db")) == open_store("a/b.db")
    assert "postgresql://db.example/x" == open_store("postgresql://u:p@db.example/x").where
