"""A service in a process of its own, and its workers, for tests."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from tests.build import ROOT

ARTICLES = sorted((ROOT / "examples" / "site" / "articles").glob("*.html"))
TEA = "<title>Tea</title><h1>Tea</h1><p>" + "Warm the pot, then wait a while. " * 9
PATIENCE = 60.0
"""Seconds: the machine may have other things to do."""


@dataclass
class Running:
    """A service that listens."""

    process: "subprocess.Popen[str]"
    port: int
    store: str
    log: Path

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def client(self, source: str = "127.0.0.1", **more: Any) -> httpx.Client:
        """A client of its own, as clients are told apart by their address."""
        transport = httpx.HTTPTransport(local_address=source)
        return httpx.Client(base_url=self.address, timeout=PATIENCE, transport=transport, **more)

    def wait_for_an_answer(self) -> None:
        """Until it has answered once; a connection that is made while it starts may be reset."""
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                assert 200 == httpx.get(f"{self.address}/health", timeout=PATIENCE, trust_env=False).status_code
                return
            except httpx.TransportError:
                assert self.process.poll() is None, self.log.read_text()
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.1)

    def wait_for_idle(self, count: int) -> None:
        """Until so many workers have nothing to do."""
        deadline = time.monotonic() + PATIENCE
        with self.client("127.0.0.250") as client:
            while (found := client.get("/health").json())["idle"] != count:
                assert time.monotonic() < deadline, found
                time.sleep(0.02)

    def children(self) -> list[int]:
        """The processes of its workers, the oldest first."""
        found = []
        for folder in Path("/proc").iterdir():
            if folder.name.isdecimal():
                try:
                    words = (folder / "stat").read_text().rpartition(")")[2].split()
                except OSError:  # it ended just now
                    continue
                if int(words[1]) == self.process.pid and words[0] != "Z":
                    found.append(int(folder.name))
        return sorted(found)


@contextmanager
def running(store: str, log: Path, *arguments: str, **environment: str) -> Iterator[Running]:
    """A service while the `with` lasts; it has answered once."""
    command = [sys.executable, "-m", "pagestrata", "serve", "--port", "0", "--store", store, *arguments]
    paths = os.pathsep.join([str(ROOT / "src"), *sys.path])
    with (
        log.open("w") as errors,
        subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            cwd=log.parent,
            env={**os.environ, "PYTHONPATH": paths, **environment},
        ) as process,
    ):
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            assert line.startswith("listening on http://"), log.read_text()
            found = Running(process, int(line.rpartition(":")[2]), store, log)
            found.wait_for_an_answer()
            yield found
        finally:
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                raise


def body_of(page: str, **more: Any) -> bytes:
    """A request to read a page."""
    return json.dumps({"html": page, **more}).encode()
