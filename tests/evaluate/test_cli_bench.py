"""`pagestrata bench speed`, through the front door."""

import json
from pathlib import Path

from tests.build import ROOT
from typer.testing import CliRunner, Result

from pagestrata.cli.main import app, with_command
from pagestrata.errors import InputError, UsageError

SITE = ROOT / "examples" / "site"


def invoke(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, with_command(["bench", "speed", *map(str, arguments)]))


def test_a_table_and_a_file(tmp_path: Path) -> None:
    target = tmp_path / "figures.json"
    done = invoke(SITE, "--pages", "3", "--repeat", "1", "--peers", "main_content", "--json", target)
    assert done.exit_code == 0, done.output
    assert "3 pages" in done.output
    written = json.loads(target.read_bytes())
    names = [row["name"] for row in written["rows"]]
    assert ["parse", "page", "text"] == names[:3]
    assert ["row", "main_content", "main_content md"] == names[-3:]


def test_no_such_data_and_no_such_peer() -> None:
    assert isinstance(invoke("nosuch").exception, InputError)
    assert isinstance(invoke(SITE, "--peers", "nosuch").exception, UsageError)
