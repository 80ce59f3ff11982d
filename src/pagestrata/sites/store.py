"""Where site models are kept: one SQLite file that many processes may use at once, or a database (see `postgres`).

A site is a row, and so is each of its clusters, as a model that reads back by itself; all are written in one
transaction. The file is in WAL mode, so that readers never wait, and every commit is synced before it is acknowledged:
a process that is killed, at whatever moment, loses nothing whose save has returned. No connection outlives a call,
so that a `Store` may be pickled, forked and shared between threads.
"""

import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

from pagestrata.errors import StoreError, raising
from pagestrata.sites import store_rows
from pagestrata.sites.postgres import PostgresStore
from pagestrata.sites.store_rows import (
    APPLICATION_ID,
    SiteRow,
    busy_message,
    cluster_rows,
    join_rows,
    newer_version_message,
)

if TYPE_CHECKING:  # both are loaded when a store is used, not by every command that could use one
    from sqlite3 import Connection

    from pagestrata.sites.model import SiteModel

VARIABLE: Final = "PAGESTRATA_STORE"
"""The environment variable with the address of the store."""
_RETRY_SECONDS = 0.02

MIGRATIONS: tuple[str, ...] = (
    """
CREATE TABLE sites (
    name TEXT PRIMARY KEY NOT NULL,
    learned TEXT NOT NULL,
    updated TEXT NOT NULL
);
CREATE TABLE clusters (
    site TEXT NOT NULL REFERENCES sites (name) ON DELETE CASCADE,
    place INTEGER NOT NULL,
    name TEXT NOT NULL,
    pages INTEGER NOT NULL,
    model BLOB NOT NULL,
    PRIMARY KEY (site, place)
);
""",
)
"""The scripts that create the tables of each version from those of the version before. Released scripts are never
changed, new ones are added. A program refuses a file with more migrations than it has, instead of misreading it."""
_LIST = """
SELECT CAST(sites.name AS TEXT), CAST(learned AS TEXT), CAST(updated AS TEXT), COUNT(clusters.site),
    CAST(TOTAL(pages) AS INTEGER), CAST(TOTAL(LENGTH(model)) AS INTEGER)
FROM sites LEFT JOIN clusters ON clusters.site = sites.name GROUP BY sites.name ORDER BY sites.name
"""


class SiteStore(Protocol):
    """The interface of a store of site models. A store is small, can be pickled and shared between threads."""

    def __hash__(self) -> int: ...

    @property
    def where(self) -> str:
        """The name of the store in messages."""

    def save(self, model: "SiteModel") -> None:
        """Save a model, replacing that of the same site."""

    def load(self, site: str) -> "SiteModel | None":
        """Return the model of a site, or None if there is none."""

    def change(self, site: str, function: Callable[["SiteModel | None"], "SiteModel"]) -> "SiteModel":
        """Read, change and save a model, with no other writer in between."""

    def forget(self, site: str) -> bool:
        """Remove a site; return whether it was there."""

    def sites(self) -> tuple[SiteRow, ...]:
        """Return all sites by name, with their figures."""

    def stamp(self) -> tuple[int, ...]:
        """Return a value that changes with every save."""


def open_store(address: str | Path | None = None) -> SiteStore:
    """Return the store at a path or `postgresql://` address; the default is `PAGESTRATA_STORE` or the data folder.

    >>> open_store("sites.db").where
    'sites.db'
    """
    address = address or os.environ.get(VARIABLE) or default_path()
    if isinstance(address, str) and address.startswith(("postgresql://", "postgres://")):
        return PostgresStore(address)
    if isinstance(address, str) and "://" in address:
        raise StoreError(f"{address.partition(':')[0]}:// is no store: give a file or a postgresql:// address")
    return Store(Path(address))


def default_path(
    system: str = sys.platform, environment: Mapping[str, str] = os.environ, home: Path | None = None
) -> Path:
    """Return the default path of the store: that of the environment, or else one in the data folder of the system.

    >>> default_path("linux", {}, Path("/home/ines")).as_posix()
    '/home/ines/.local/share/pagestrata/sites.db'
    >>> default_path("darwin", {}, Path("/Users/ines")).as_posix()
    '/Users/ines/Library/Application Support/pagestrata/sites.db'
    >>> default_path("win32", {"LOCALAPPDATA": "C:/Users/ines/AppData/Local"}, Path("C:/Users/ines")).as_posix()
    'C:/Users/ines/AppData/Local/pagestrata/sites.db'
    """
    if environment.get(VARIABLE):
        return Path(environment[VARIABLE])
    home = home or Path.home()
    if system == "win32":
        folder = Path(environment.get("LOCALAPPDATA") or home / "AppData" / "Local")
    elif system == "darwin":
        folder = home / "Library" / "Application Support"
    else:
        data_home = Path(environment.get("XDG_DATA_HOME", ""))  # XDG: ignore a path that is not absolute
        folder = data_home if data_home.is_absolute() else home / ".local" / "share"
    return folder / "pagestrata" / "sites.db"


@dataclass(frozen=True, slots=True)
class Store:
    """Site models in one file, by the name of the site. Reading makes no file; the first save does."""

    path: Path = field(default_factory=default_path)

    @property
    def where(self) -> str:
        """The name of the store in messages."""
        return str(self.path)

    def save(self, model: "SiteModel") -> None:
        """Save a model, replacing that of the same site; it is on disk when this returns."""
        with self._writing() as connection:
            _write(connection, model)

    def load(self, site: str) -> "SiteModel | None":
        """Return the model of a site, or None if there is none."""
        with self._reading() as connection:
            return self._read(connection, site) if connection else None

    def change(self, site: str, function: Callable[["SiteModel | None"], "SiteModel"]) -> "SiteModel":
        """Read, change and save a model, with no other writer in between; the result of `function` is saved."""
        with self._writing() as connection:
            changed = function(self._read(connection, site))
            _write(connection, changed)
            return changed

    def forget(self, site: str) -> bool:
        """Remove a site; return whether it was there."""
        with self._writing() as connection:
            return connection.execute("DELETE FROM sites WHERE name = ?", (site,)).rowcount > 0

    def sites(self) -> tuple[SiteRow, ...]:
        """Return all sites by name, with their figures; models are not opened."""
        with self._reading() as connection:
            return tuple(SiteRow(*row) for row in connection.execute(_LIST)) if connection else ()

    def stamp(self) -> tuple[int, ...]:
        """Return a value that changes with every save, to check whether something read earlier still holds."""
        stamp: list[int] = []
        for path in (self.path, Path(f"{self.path}-wal")):
            with suppress(OSError):
                status = path.stat()
                stamp += (status.st_mtime_ns, status.st_size, status.st_ino)
        return tuple(stamp)

    def _read(self, connection: "Connection", site: str) -> "SiteModel | None":
        rows = connection.execute("SELECT model FROM clusters WHERE site = ? ORDER BY place", (site,)).fetchall()
        return join_rows([payload for (payload,) in rows], site, self.where)

    @contextmanager
    def _reading(self) -> Iterator["Connection | None"]:
        """Open a connection that sees one state of the store; None if there is no store yet."""
        if not self.path.exists():
            yield None
            return
        with self._open(self._reading_mode()) as connection:
            connection.execute("BEGIN")
            version = self._version(connection)
            if 0 < version < len(MIGRATIONS):
                connection.execute("COMMIT")
                _migrate(connection)
                connection.execute("BEGIN")
            yield connection if version else None

    def _reading_mode(self) -> str:
        """Return how to open the file for reading.

        SQLite reads a file in WAL mode only if it may write beside it. Where nobody can, as on a read-only disk, the
        file does not change, and is read as it is, unless a log beside it holds more.
        """
        log = Path(f"{self.path}-wal")
        has_log = log.exists() and log.stat().st_size > 0
        return "rw" if has_log or os.access(self.path.parent, os.W_OK) else "ro&immutable=1"

    @contextmanager
    def _writing(self) -> Iterator["Connection"]:
        """Open a transaction that alone may write; it is rolled back if anything is raised."""
        with raising(StoreError, f"cannot make a folder for the store {self.path}"):
            self.path.parent.mkdir(parents=True, exist_ok=True)
        with self._open("rwc") as connection:
            connection.execute("BEGIN")
            version = self._version(connection)
            connection.execute("COMMIT")
            if version < len(MIGRATIONS):
                _migrate(connection)
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute("BEGIN IMMEDIATE")
            yield connection
            connection.execute("COMMIT")

    @contextmanager
    def _open(self, mode: str) -> Iterator["Connection"]:
        import sqlite3

        where = f"{self.path.absolute().as_uri()}?mode={mode}"
        try:
            # closing without a commit rolls back
            with closing(
                sqlite3.connect(where, uri=True, timeout=store_rows.WRITER_TIMEOUT, isolation_level=None)
            ) as connection:
                connection.execute("PRAGMA synchronous = FULL")
                yield connection
        except (sqlite3.Error, UnicodeError) as error:  # a damaged file may hold any bytes, which are not always text
            raise StoreError(_error_message(self.path, error)) from error

    def _version(self, connection: "Connection") -> int:
        """Return the version of our tables, 0 for an empty file; raise an error for a file of another program."""
        owner, version = _number(connection, "application_id"), _number(connection, "user_version")
        if owner == APPLICATION_ID and 0 < version <= len(MIGRATIONS):
            return version
        if owner == APPLICATION_ID and version > 0:
            raise StoreError(newer_version_message(self.where, version, len(MIGRATIONS)))
        if owner or version or _number(connection, "schema_version"):
            raise StoreError(f"{self.path} is a database of another program: give another --store")
        return 0


def _migrate(connection: "Connection") -> None:
    """Migrate the tables to our version in one transaction; a second process finds them migrated."""
    _use_wal(connection)
    connection.execute("BEGIN IMMEDIATE")
    for script in MIGRATIONS[_number(connection, "user_version") :]:
        for statement in script.split(";")[:-1]:
            connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
    connection.execute("COMMIT")


def _use_wal(connection: "Connection") -> None:
    """Switch once to write-ahead logging, which the file remembers. SQLite does not wait for others here, so we do."""
    from sqlite3 import OperationalError

    deadline = time.monotonic() + store_rows.WRITER_TIMEOUT
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except OperationalError as error:
            if not error.sqlite_errorname.startswith("SQLITE_BUSY") or time.monotonic() > deadline:
                raise
            time.sleep(_RETRY_SECONDS)


def _write(connection: "Connection", model: "SiteModel") -> None:
    rows = cluster_rows(model)
    connection.execute("DELETE FROM sites WHERE name = ?", (model.site,))
    connection.execute(
        "INSERT INTO sites (name, learned, updated) VALUES (?, ?, ?)", (model.site, model.learned, model.updated)
    )
    connection.executemany("INSERT INTO clusters (site, place, name, pages, model) VALUES (?, ?, ?, ?, ?)", rows)


def _number(connection: "Connection", pragma: str) -> int:
    return int(connection.execute(f"PRAGMA {pragma}").fetchone()[0])


def _error_message(path: Path, error: Exception) -> str:
    """Describe what went wrong with the file, and what to do about it."""
    name = getattr(error, "sqlite_errorname", "")
    if name.startswith("SQLITE_NOTADB"):
        return f"{path} is not a store of pagestrata: give another --store"
    if name.startswith("SQLITE_CORRUPT"):
        return f"the store {path} is damaged ({error}): move it away with {path.name}-wal, and learn the sites again"
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return busy_message(str(path))
    return f"cannot use the store {path}: {error}"
