"""The command line with a store of its own, for the tests of several commands."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.build import ROOT
from typer.testing import CliRunner, Result

from pagestrata.cli.main import app, with_command
from pagestrata.errors import PagestrataError
from pagestrata.sites.store import Store

SITE = ROOT / "examples" / "site"
ARTICLES = SITE / "articles"
PAGE = ARTICLES / "building-a-nine-foot-skiff.html"
FEED = SITE / "feed.xml"
HOST = "tidewater.example"


@dataclass(frozen=True)
class Shell:
    """Runs commands in a folder where nothing was learned yet."""

    folder: Path

    @property
    def store(self) -> Store:
        return Store(self.folder / "sites.db")

    def invoke(self, *arguments: object) -> Result:
        """In this process; our own errors come back as exceptions of the result."""
        environment = {"PAGESTRATA_STORE": str(self.store.path)}
        return CliRunner().invoke(app, with_command([*map(str, arguments)]), env=environment)

    def output(self, *arguments: object) -> str:
        """The standard output of a command that must succeed."""
        result = self.invoke(*arguments)
        assert 0 == result.exit_code, (result.output, result.exception)
        return result.stdout

    def refusal(self, *arguments: object) -> tuple[int, str]:
        """The exit code and text of the error that a command must end with."""
        error = self.invoke(*arguments).exception
        assert isinstance(error, PagestrataError), error
        return error.exit_code, str(error)

    def run(self, *arguments: object) -> subprocess.CompletedProcess[str]:
        """A real process, as a shell would start it."""
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "PAGESTRATA_STORE": str(self.store.path)}
        command = [sys.executable, "-m", "pagestrata", *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True, env=environment, timeout=120, check=False)
