"""Both stores for the tests that hold for both."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import pagestrata
from pagestrata.sites.model import SiteModel
from pagestrata.sites.postgres import PostgresStore
from pagestrata.sites.store import SiteStore, Store
from tests.build import EXAMPLES
from tests.sites.cluster import Cluster, new_cluster


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """A PostgreSQL server for all tests."""
    with new_cluster() as found:
        yield found


@pytest.fixture(scope="session")
def model() -> SiteModel:
    return pagestrata.learn([path.read_bytes() for path in EXAMPLES if path.parent.name == "articles"], site="almanac")


@pytest.fixture(params=["sqlite", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> SiteStore:
    """An empty store of each kind."""
    if request.param == "sqlite":
        return Store(tmp_path / "data" / "sites.db")
    return empty_database(request.getfixturevalue("cluster"))


def empty_database(cluster: Cluster) -> PostgresStore:
    store = PostgresStore(cluster.address)
    run_sql(store, "DROP SCHEMA IF EXISTS pagestrata CASCADE")
    return store


def run_sql(store: SiteStore, statement: str, *values: object) -> list[tuple[Any, ...]]:
    """What somebody else does to the database; `?` stands for a value in both."""
    if isinstance(store, Store):
        with closing(sqlite3.connect(store.path)) as connection, connection:
            return connection.execute(statement, values).fetchall()
    import psycopg

    assert isinstance(store, PostgresStore)
    with psycopg.connect(store.address, options="-c search_path=pagestrata") as other:
        found = other.execute(statement.replace("?", "%s").encode(), values or None)
        return found.fetchall() if found.description else []
