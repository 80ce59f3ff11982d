"""The same store in PostgreSQL, for several machines that share what they learn.

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

from pagestrata.errors import MissingExtra, StoreError
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
"""As in `store`, all in a schema of our own."""
_LIST = """
SELECT sites.name, learned, updated, COUNT(clusters.site), COALESCE(SUM(pages), 0), COALESCE(SUM(LENGTH(model)), 0)
FROM pagestrata.sites LEFT JOIN pagestrata.clusters ON clusters.site = sites.name
GROUP BY sites.name ORDER BY sites.name COLLATE "C"
"""
_STATE = "SELECT version, revision FROM pagestrata.store"
_TABLES = "SELECT tablename FROM pg_tables WHERE schemaname = 'pagestrata'"

_kept = threading.local()


@dataclass(frozen=True, slots=True)
class PostgresStore:
    """Site models in a PostgreSQL database, by the name of the site. Reading makes no tables; the first save does."""

    address: str
    """As in `postgresql://user:password@host/database`."""

    @property
    def where(self) -> str:
        """What to call it in messages: the address without who uses it.

        >>> PostgresStore("postgresql://ines:secret@db.example:5433/tides?sslmode=require").where
        'postgresql://db.example:5433/tides'
        """
        rest = self.address.partition("://")[2].partition("?")[0]
        return f"postgresql://{rest.rpartition('@')[2]}"

    def save(self, model: "SiteModel") -> None:
        """Keep a model, in place of what was known of the site; it is on the server's disk when this returns."""
        with self._writing(model.site) as connection:
            _write(connection, model)

    def load(self, site: str) -> "SiteModel | None":
        """The model of a site, or None if there is none."""
        with self._reading() as connection:
            return self._read(connection, site) if connection else None

    def change(self, site: str, function: Callable[["SiteModel | None"], "SiteModel"]) -> "SiteModel":
        """Read, change and save a model, with no other writer in between; what `function` gives back is kept."""
        with self._writing(site) as connection:
            changed = function(self._read(connection, site))
            _write(connection, changed)
            return changed

    def forget(self, site: str) -> bool:
        """Remove a site; whether it was there."""
        with self._writing(site) as connection:
            return connection.execute("DELETE FROM pagestrata.sites WHERE name = %s", (site,)).rowcount > 0

    def sites(self) -> tuple[SiteRow, ...]:
        """All sites by name, with their figures; models are not opened."""
        with self._reading() as connection:
            if connection is None:
                return ()
            return tuple(SiteRow(*row[:3], *map(int, row[3:])) for row in connection.execute(_LIST))

    def stamp(self) -> tuple[int, ...]:
        """What is another one after every save: to know whether something read earlier still holds."""
        with self._errors():
            state = _state(self._connection())
            return (state[1],) if state else ()

    def _read(self, connection: "Connection[Any]", site: str) -> "SiteModel | None":
        found = connection.execute("SELECT model FROM pagestrata.clusters WHERE site = %s ORDER BY place", (site,))
        return join_rows([payload for (payload,) in found], site, self.where)

    @contextmanager
    def _reading(self) -> Iterator["Connection[Any] | None"]:
        """A connection to read from; None where there is no store yet."""
        with self._errors():
            connection = self._connection()
            version = self._version(connection)
            if 0 < version < len(MIGRATIONS):
                self._migrate(connection)
            yield connection if version else None

    @contextmanager
    def _writing(self, site: str) -> Iterator["Connection[Any]"]:
        """A connection that alone may write of this site; committed at the end, rolled back if anything is raised."""
        with self._errors():
            connection = self._connection()
            if self._version(connection) < len(MIGRATIONS):
                self._migrate(connection)
            with connection.transaction():
                _be_careful(connection)
                connection.execute("SELECT pg_advisory_xact_lock(%s, hashtext(%s))", (APPLICATION_ID, site))
                yield connection
                self._count_up(connection)

    def _count_up(self, connection: "Connection[Any]") -> None:
        """Change the stamp, last of all, as other writers wait from here to the commit."""
        ours = connection.execute(
            "UPDATE pagestrata.store SET revision = revision + 1 WHERE version = %s", (len(MIGRATIONS),)
        )
        if not ours.rowcount:
            raise StoreError(f"the tables of the store {self.where} were changed meanwhile: try again")

    def _version(self, connection: "Connection[Any]") -> int:
        """The version of our tables, 0 if there are none; an error for those that are not for us to write."""
        state = _state(connection)
        if state and state[0] > len(MIGRATIONS):
            raise StoreError(newer_version_message(self.where, state[0], len(MIGRATIONS)))
        return state[0] if state else 0

    def _migrate(self, connection: "Connection[Any]") -> None:
        """Bring the tables to our version, all or none; whoever comes second finds it done."""
        with connection.transaction():
            _be_careful(connection)
            connection.execute("SELECT pg_advisory_xact_lock(%s)", (APPLICATION_ID,))
            version = self._version(connection)
            if not version and connection.execute(_TABLES).fetchone():
                raise StoreError(f"{self.where} has a schema `pagestrata` of another program: use another database")
            connection.execute("CREATE SCHEMA IF NOT EXISTS pagestrata")
            for script in MIGRATIONS[version:]:
                connection.execute(script.encode())
            connection.execute("UPDATE pagestrata.store SET version = %s", (len(MIGRATIONS),))

    def _connection(self) -> "Connection[Any]":
        """The connection of this thread, alive."""
        from psycopg import OperationalError

        kept: dict[tuple[int, str], Connection[Any]] = _kept.__dict__.setdefault("connections", {})
        key = os.getpid(), self.address  # a fork must not use what its parent uses
        if key in kept:
            try:
                kept[key].execute("SELECT")
                return kept[key]
            except OperationalError:
                kept.pop(key).close()
        kept[key] = self._connect()
        return kept[key]

    def _connect(self) -> "Connection[Any]":
        import psycopg

        try:
            return psycopg.connect(
                self.address, autocommit=True, connect_timeout=CONNECT_SECONDS, application_name="pagestrata"
            )
        except psycopg.ProgrammingError:  # it quotes the address, and with it the password
            raise StoreError(f"{self.where} is not an address of PostgreSQL: give another --store") from None

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """Make errors of ours of those of the database."""
        try:
            import psycopg
        except ImportError as error:
            raise MissingExtra("psycopg", "postgres") from error
        try:
            yield
        except (psycopg.Error, UnicodeError) as error:
            raise StoreError(_advice(self.where, error)) from error


def _state(connection: "Connection[Any]") -> tuple[int, int] | None:
    """Version and revision; None where our tables are not."""
    # Not by `to_regclass`: it may answer from a cache that is older than the lock we waited for.
    if ("store",) not in connection.execute(_TABLES).fetchall():
        return None
    return connection.execute(_STATE).fetchone()


def _be_careful(connection: "Connection[Any]") -> None:
    """Whatever the server's defaults: do not wait for ever, and commit to disk."""
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


def _advice(where: str, error: Exception) -> str:
    """What went wrong with the database, and what to do about it."""
    from psycopg import errors

    if isinstance(error, errors.LockNotAvailable | errors.DeadlockDetected):
        return busy_message(where)
    told = (str(error).splitlines() or ["no reason given"])[0]
    return f"cannot use the store {where}: {told}"
