"""Extractors written in JavaScript, as peers: one Node process for each, which reads page after page.

They are there if `node` is on the PATH and a folder of NODE_PATH, by the name `node_modules`, has all their packages.
Each runs as its manual shows for Node, with its defaults and, as all peers, without the address of the page; only that
defuddle may not fetch from other services. `peers` turns the HTML that they answer into text.
"""

import atexit
import json
import os
import shutil
import subprocess
from functools import cache
from importlib.resources import files
from pathlib import Path
from threading import Lock, Timer
from typing import Final

from pagestrata.errors import InputError, MissingNodePackage, PageKilled, UsageError

NODE_PACKAGES: Final = {"defuddle": ("defuddle", "jsdom"), "readability-js": ("@mozilla/readability", "jsdom")}
"""The packages that each of these peers needs: the extractor, then the document model that it reads pages with."""
MAX_SECONDS: Final = 120.0
"""The longest time for one page; Node is stopped then, and started again for the next page."""
_MODULES: Final = "node_modules"


def is_installed(name: str) -> bool:
    """Whether Node and all packages of a peer are there."""
    return shutil.which("node") is not None and _modules_of(name) is not None


def node_peer(name: str) -> "NodePeer":
    """The running peer of this name; it is started when it is first needed."""
    node, modules = shutil.which("node"), _modules_of(name)
    if node is None or modules is None:
        raise MissingNodePackage(name, NODE_PACKAGES[name])
    return _running(name, node, modules)


@cache
def _running(name: str, node: str, modules: Path) -> "NodePeer":
    return NodePeer(name, node, modules)


def _modules_of(name: str) -> Path | None:
    """The first folder of NODE_PATH that has all packages of a peer."""
    folders = [Path(folder) for folder in os.environ.get("NODE_PATH", "").split(os.pathsep) if folder]
    return next((folder for folder in folders if folder.name == _MODULES and _has_all(folder, name)), None)


def _has_all(folder: Path, name: str) -> bool:
    return all((folder / package / "package.json").is_file() for package in NODE_PACKAGES[name])


class NodePeer:
    """An extractor in a Node process that reads one page after another."""

    def __init__(self, name: str, node: str, modules: Path, max_seconds: float = MAX_SECONDS) -> None:
        self.name, self.node, self.modules, self.max_seconds = name, node, modules, max_seconds
        self._lock = Lock()
        self._process: subprocess.Popen[bytes]
        self._start()
        atexit.register(self.close)

    def read(self, markup: str) -> str:
        """Return the content of a page as HTML, empty if there is none; raise an error if the extractor fails."""
        with self._lock:
            if self._process.poll() is not None:
                self._start()
            answer = self._answer(json.dumps(markup).encode() + b"\n")
        if "error" in answer:
            raise InputError(f"{self.name}: {answer['error']}")
        return answer["html"]

    @property
    def process_id(self) -> int:
        """The number of the Node process."""
        return self._process.pid

    def close(self) -> None:
        """Stop Node."""
        self._process.kill()
        self._process.communicate()

    def _start(self) -> None:
        """Start Node in the folder with the packages, since `import` does not read NODE_PATH."""
        script = files("pagestrata.evaluate").joinpath("node_peers.mjs").read_text(encoding="utf-8")
        self._process = subprocess.Popen(  # noqa: S603 (our own program)
            [self.node, "--input-type=module", "--eval", script, self.name],
            cwd=self.modules.parent,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        answer = self._answer(b"")
        if "error" in answer:
            self.close()
            raise UsageError(f"{self.name} cannot start in Node: {answer['error']}")

    def _answer(self, line: bytes) -> dict[str, str]:
        """Send a line and wait for the next answer; Node is stopped if it takes too long."""
        process = self._process
        assert process.stdin is not None  # noqa: S101 - both are pipes
        assert process.stdout is not None  # noqa: S101
        timer = Timer(self.max_seconds, process.kill)
        timer.start()
        try:
            process.stdin.write(line)
            process.stdin.flush()
            answer = process.stdout.readline()
        except BrokenPipeError:  # it ended before it had read the line
            answer = b""
        finally:
            timer.cancel()
        if not answer.endswith(b"\n"):
            self.close()
            raise PageKilled(f"{self.name}: Node died, or took longer than {self.max_seconds:g} s")
        row: dict[str, str] = json.loads(answer)
        return row
