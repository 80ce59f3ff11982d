"""The store in PostgreSQL: what a server can do that a file cannot."""

import threading
from dataclasses import replace

import psycopg
import pytest

from pagestrata.errors import StoreError
from pagestrata.sites.model import SiteModel
from pagestrata.sites.postgres import PostgresStore
from tests.sites.cluster import Cluster
from tests.sites.conftest import empty_database, run_sql
from tests.sites.kills import counted, number_of


@pytest.fixture
def store(cluster: Cluster) -> PostgresStore:
    return empty_database(cluster)


def test_a_server_that_crashes_loses_nothing_it_acknowledged(
    cluster: Cluster, store: PostgresStore, model: SiteModel
) -> None:
    for number in range(1, 4):
        store.save(counted(model, "x.example", number))
        cluster.kill()
        with pytest.raises(StoreError, match="cannot use the store"):
            store.load("x.example")
        cluster.start()
        assert number == number_of(store.load("x.example"))


def test_a_connection_that_broke_is_opened_again(store: PostgresStore, model: SiteModel) -> None:
    store.save(model)
    ended = (
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid != pg_backend_pid() AND datname = 'postgres'"
    )
    assert run_sql(store, ended)
    store.save(replace(model, site="b.example"))
    assert run_sql(store, ended)
    assert ["almanac", "b.example"] == [row.name for row in store.sites()]


def test_a_server_that_commits_carelessly_is_told_not_to(store: PostgresStore) -> None:
    with store._writing("x") as connection:
        connection.execute("SET LOCAL client_min_messages = error")
        assert ("on",) == connection.execute("SHOW synchronous_commit").fetchone()
        assert ("30s",) == connection.execute("SHOW lock_timeout").fetchone()


def test_writers_of_different_sites_do_not_wait_for_each_other(store: PostgresStore, model: SiteModel) -> None:
    store.save(model)
    writing, done = threading.Event(), threading.Event()

    def write_slowly(old: SiteModel | None) -> SiteModel:
        writing.set()
        assert done.wait(20)
        return model

    slow = threading.Thread(target=store.change, args=("almanac", write_slowly))
    slow.start()
    assert writing.wait(20)
    store.save(replace(model, site="other.example"))
    assert slow.is_alive()
    done.set()
    slow.join()


def test_a_schema_of_another_program_is_left_as_it_is(store: PostgresStore, model: SiteModel) -> None:
    run_sql(store, "CREATE SCHEMA pagestrata CREATE TABLE bookmarks (url TEXT)")
    with pytest.raises(StoreError, match="of another program"):
        store.save(model)
    assert () == store.sites()
    assert [("bookmarks",)] == run_sql(store, "SELECT tablename FROM pg_tables WHERE schemaname = 'pagestrata'")


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://ines:hunter2hunter2@127.0.0.1:1/x?connect_timeout=2",
        "postgresql://ines:hunter2hunter2@/x?nonsense=hunter2hunter2",
        "postgresql://ines:hunter2hunter2@[::1/x",
    ],
)
def test_no_error_tells_the_password(address: str) -> None:
    with pytest.raises(StoreError) as caught:
        PostgresStore(address).sites()
    assert "hunter2" not in str(caught.value)


def test_a_name_that_text_cannot_hold_is_an_error_of_ours(store: PostgresStore, model: SiteModel) -> None:
    store.save(model)
    for name in ("a\0b", "\ud800"):
        with pytest.raises(StoreError):
            store.load(name)


def test_tables_that_change_meanwhile_stop_a_save(store: PostgresStore, model: SiteModel) -> None:
    store.save(model)

    def change(old: SiteModel | None) -> SiteModel:
        with psycopg.connect(store.address) as other:
            other.execute("UPDATE pagestrata.store SET version = 2")
        return replace(model, site="b.example")

    with pytest.raises(StoreError, match="changed meanwhile"):
        store.change("b.example", change)
    assert [("almanac",)] == run_sql(store, "SELECT name FROM sites")
