"""A store of site models in PostgreSQL, for several machines that share what they learn.

The rows are those of the SQLite file. A writer holds a lock on the name of its site until it commits, so that writers
of different sites do not wait for each other, and readers never wait. Each thread keeps one connection, as opening one
takes longer than most pages; one that broke while nobody used it is opened again.
"""

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from pagestrata.errors import StoreError, needs
from pagestrata.sites import store_rows
from pagestrata.sites.store_rows import (
    APPLICATION_ID,
    SiteRow,
    busy_message,
    cluster_rows,
    join_rows,
    newer_version_message,
)

if TYPE_CHECKING:
    from psycopg import Connection

    from pagestrata.sites.model import SiteModel

CONNECT_SECONDS: Final = 10

MIGRATIONS: tuple[str, ...] = (
    """
CREATE TABLE pagestrata.store (
    version INTEGER NOT NULL,
    revision BIGINT NOT NULL
);
INSERT INTO pagestrata.store VALUES (0, 0);
CREATE TABLE pagestrata.sites (
    name TEXT PRIMARY KEY,
    learned TEXT NOT NULL,
    updated TEXT NOT NULL
);
CREATE TABLE pagestrata.clusters (
    site TEXT NOT NULL REFERENCES pagestrata.sites (name) ON DELETE CASCADE,
    place INTEGER NOT NULL,
    name TEXT NOT NULL,
    pages INTEGER NOT NULL,
    model BYTEA NOT NULL,
    PRIMARY KEY (site, place)
);
""",
)
"""The migrations, as in `store`; all tables are in a schema of our own."""
_LIST = """
SELECT sites.name, learned, updated, COUNT(clusters.site), COALESCE(SUM(pages), 0), COALESCE(SUM(LENGTH(model)), 0)
FROM pagestrata.sites LEFT JOIN pagestrata.clusters ON clusters.site = sites.name
GROUP BY sites.name ORDER BY sites.name COLLATE "C"
"""
_STATE = "SELECT version, revision FROM pagestrata.store"
_TABLES = "SELECT tablename FROM pg_tables WHERE schemaname = 'pagestrata'"

_thread_state = threading.local()


@dataclass(frozen=True, slots=True)
class PostgresStore:
    """Site models in a PostgreSQL database, by the name of the site. Reading makes no tables; the first save does."""

    address: str
    """As in `postgresql://user:password@host/database`."""

    @property
    def where(self) -> str:
        """The name of the store in messages: its address without user and password.

        >>> PostgresStore("postgresql://ines:secret@db.example:5433/tides?sslmode=require").where
        'postgresql://db.example:5433/tides'
        """
        location = self.address.partition("://")[2].partition("?")[0]
        return f"postgresql://{location.rpartition('@')[2]}"

    def save(self, model: "SiteModel") -> None:
        """Save a model, replacing that of the same site; it is on the server's disk when this returns."""
        with self._writing(model.site) as connection:
            _write(connection, model)

    def load(self, site: str) -> "SiteModel | None":
        """Return the model of a site, or None if there is none."""
        with self._reading() as connection:
            return self._read(connection, site) if connection else None

    def change(self, site: str, function: Callable[["SiteModel | None"], "SiteModel"]) -> "SiteModel":
        """Read, change and save a model, with no other writer in between; the result of `function` is saved."""
        with self._writing(site) as connection:
            changed = function(self._read(connection, site))
            _write(connection, changed)
            return changed

    def forget(self, site: str) -> bool:
        """Remove a site; return whether it was there."""
        with self._writing(site) as connection:
            return connection.execute("DELETE FROM pagestrata.sites WHERE name = %s", (site,)).rowcount > 0

    def sites(self) -> tuple[SiteRow, ...]:
        """Return all sites by name, with their figures; models are not opened."""
        with self._reading() as connection:
            if connection is None:
                return ()
            return tuple(SiteRow(*row[:3], *map(int, row[3:])) for row in connection.execute(_LIST))

    def stamp(self) -> tuple[int, ...]:
        """Return a value that changes with every save, to check whether something read earlier still holds."""
        with self._errors():
            state = _state(self._connection())
            return (state[1],) if state else ()

    def _read(self, connection: "Connection[Any]", site: str) -> "SiteModel | None":
        rows = connection.execute("SELECT model FROM pagestrata.clusters WHERE site = %s ORDER BY place", (site,))
        return join_rows([payload for (payload,) in rows], site, self.where)

    @contextmanager
    def _reading(self) -> Iterator["Connection[Any] | None"]:
        """Open a connection for reading; None if there is no store yet."""
        with self._errors():
            connection = self._connection()
            version = self._version(connection)
            if 0 < version < len(MIGRATIONS):
                self._migrate(connection)
            yield connection if version else None

    @contextmanager
    def _writing(self, site: str) -> Iterator["Connection[Any]"]:
        """Open a transaction that alone may write this site; it is rolled back if anything is raised."""
        with self._errors():
            connection = self._connection()
            if self._version(connection) < len(MIGRATIONS):
                self._migrate(connection)
            with connection.transaction():
                _set_transaction_limits(connection)
                connection.execute("SELECT pg_advisory_xact_lock(%s, hashtext(%s))", (APPLICATION_ID, site))
                yield connection
                self._increment_revision(connection)

    def _increment_revision(self, connection: "Connection[Any]") -> None:
        """Change the stamp; this is the last step, as other writers wait from here to the commit."""
        updated = connection.execute(
            "UPDATE pagestrata.store SET revision = revision + 1 WHERE version = %s", (len(MIGRATIONS),)
        )
        if not updated.rowcount:
            raise StoreError(f"the tables of the store {self.where} were changed meanwhile: try again")

    def _version(self, connection: "Connection[Any]") -> int:
        """Return the version of our tables, 0 if there are none; raise an error for those of a newer program."""
        state = _state(connection)
        if state and state[0] > len(MIGRATIONS):
            raise StoreError(newer_version_message(self.where, state[0], len(MIGRATIONS)))
        return state[0] if state else 0

    def _migrate(self, connection: "Connection[Any]") -> None:
        """Migrate the tables to our version in one transaction; a second process finds them migrated."""
        with connection.transaction():
            _set_transaction_limits(connection)
            connection.execute("SELECT pg_advisory_xact_lock(%s)", (APPLICATION_ID,))
            version = self._version(connection)
            if not version and connection.execute(_TABLES).fetchone():
                raise StoreError(f"{self.where} has a schema `pagestrata` of another program: use another database")
            connection.execute("CREATE SCHEMA IF NOT EXISTS pagestrata")
            for script in MIGRATIONS[version:]:
                connection.execute(script.encode())
            connection.execute("UPDATE pagestrata.store SET version = %s", (len(MIGRATIONS),))

    def _connection(self) -> "Connection[Any]":
        """Return the connection of this thread, opened again if it broke."""
        from psycopg import OperationalError

        connections: dict[tuple[int, str], Connection[Any]] = _thread_state.__dict__.setdefault("connections", {})
        key = os.getpid(), self.address  # a fork must not use the connection of its parent
        if key in connections:
            try:
                connections[key].execute("SELECT")
                return connections[key]
            except OperationalError:
                connections.pop(key).close()
        connections[key] = self._connect()
        return connections[key]

    def _connect(self) -> "Connection[Any]":
        import psycopg

        try:
            return psycopg.connect(
                self.address, autocommit=True, connect_timeout=CONNECT_SECONDS, application_name="pagestrata"
            )
        except psycopg.ProgrammingError:  # its message has the address with the password
            raise StoreError(f"{self.where} is not an address of PostgreSQL: give another --store") from None

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """Raise errors of the database as `StoreError`."""
        with needs("psycopg", "postgres"):
            import psycopg
        try:
            yield
        except (psycopg.Error, UnicodeError) as error:
            raise StoreError(_error_message(self.where, error)) from error


def _state(connection: "Connection[Any]") -> tuple[int, int] | None:
    """Return version and revision, or None if our tables do not exist."""
    # Not with `to_regclass`, which may use a cache that is older than the lock we waited for.
    if ("store",) not in connection.execute(_TABLES).fetchall():
        return None
    return connection.execute(_STATE).fetchone()


def _set_transaction_limits(connection: "Connection[Any]") -> None:
    """Limit the wait for locks and commit to disk, whatever the defaults of the server are."""
    connection.execute(f"SET LOCAL lock_timeout = {round(store_rows.WRITER_TIMEOUT * 1000)}")
    connection.execute("SET LOCAL synchronous_commit = on")


def _write(connection: "Connection[Any]", model: "SiteModel") -> None:
    rows = cluster_rows(model)
    connection.execute("DELETE FROM pagestrata.sites WHERE name = %s", (model.site,))
    connection.execute(
        "INSERT INTO pagestrata.sites (name, learned, updated) VALUES (%s, %s, %s)",
        (model.site, model.learned, model.updated),
    )
    with connection.cursor() as cursor:
        cursor.executemany(
            "INSERT INTO pagestrata.clusters (site, place, name, pages, model) VALUES (%s, %s, %s, %s, %s)", rows
        )


def _error_message(where: str, error: Exception) -> str:
    """Describe what went wrong with the database, and what to do about it."""
    from psycopg import errors

    if isinstance(error, errors.LockNotAvailable | errors.DeadlockDetected):
        return busy_message(where)
    reason = (str(error).splitlines() or ["no reason given"])[0]
    return f"cannot use the store {where}: {reason}"
