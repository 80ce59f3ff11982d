"""A PostgreSQL server for tests: its own cluster in a folder that is gone afterwards, reached by a socket in it.

Nothing listens on the network, and a server of the system is left alone. PostgreSQL does not run as root, so that
for root it runs as the user `postgres`, or else `nobody`.
"""

import os
import pwd
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import psycopg
import pytest

_PLACES = ("/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/opt/homebrew/opt/postgresql*/bin")
_SETTINGS = ("listen_addresses=", "max_connections=60", "shared_buffers=32MB", "log_min_messages=panic")


def program(name: str) -> str:
    """The path of a program of the server, newest version first; the test is skipped where there is none."""
    found = shutil.which(name)
    installed = sorted(path for pattern in _PLACES for path in Path("/").glob(f"{pattern[1:]}/{name}"))
    if found is None and not installed:
        pytest.skip("PostgreSQL is not here: apt-get install postgresql")
    return found or str(installed[-1])


@dataclass
class Cluster:
    """A server that can be killed and started again."""

    folder: Path
    process: "subprocess.Popen[bytes] | None" = None
    prefix: list[str] = field(default_factory=list)

    @property
    def address(self) -> str:
        """Where clients connect to."""
        return f"postgresql://pagestrata@/postgres?host={self.folder}"

    def start(self) -> None:
        """Start the server and wait until it answers."""
        options = [part for setting in _SETTINGS for part in ("-c", setting)]
        command = [program("postgres"), "-D", str(self.folder / "data"), "-k", str(self.folder), *options]
        self.process = subprocess.Popen([*self.prefix, *command], cwd=self.folder)
        deadline = time.monotonic() + 30
        while True:
            try:
                psycopg.connect(self.address).close()
                return
            except psycopg.OperationalError:
                assert self.process.poll() is None, "the server ended by itself"
                assert time.monotonic() < deadline, "the server does not answer"
                time.sleep(0.05)

    def kill(self) -> None:
        """End the server at once, as a crash would: nothing is written that was not."""
        assert self.process is not None
        with suppress(ProcessLookupError):
            self.process.send_signal(3)  # SIGQUIT: immediate shutdown
        self.process.wait(30)


@contextmanager
def new_cluster() -> Iterator[Cluster]:
    """A server while the `with` lasts."""
    initdb = program("initdb")
    with tempfile.TemporaryDirectory(
        prefix="pagestrata-pg-", dir="/tmp", ignore_cleanup_errors=True
    ) as name:  # a short path: sockets allow 107 bytes
        cluster = Cluster(Path(name), prefix=_as_other_user(Path(name)))
        data = str(cluster.folder / "data")
        command = [initdb, "-D", data, "-U", "pagestrata", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"]
        subprocess.run([*cluster.prefix, *command], check=True, capture_output=True, cwd=name)
        cluster.start()
        try:
            yield cluster
        finally:
            cluster.kill()


def _as_other_user(folder: Path) -> list[str]:
    """What to put before a command so that root does not run it; the server also ends with the tests."""
    dying = ["--pdeathsig", "QUIT"]
    if os.getuid():
        return []
    if shutil.which("setpriv") is None:
        pytest.skip("PostgreSQL does not run as root, and setpriv is not here: apt-get install util-linux")
    names = {entry.pw_name: entry for entry in pwd.getpwall()}
    user = names.get("postgres") or names["nobody"]
    os.chown(folder, user.pw_uid, user.pw_gid)
    return ["setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups", *dying, "--"]
