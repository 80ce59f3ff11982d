"""`pagestrata evaluate`, through the front door."""

import json
import sys
from pathlib import Path

import pytest
from tests.evaluate.made_up import make_sites
from typer.testing import CliRunner, Result

from pagestrata.cli.main import app, with_command
from pagestrata.errors import InputError, MissingExtra, UsageError


@pytest.fixture
def sites(tmp_path: Path) -> Path:
    return make_sites(tmp_path / "made", pages=4)


def invoke(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, with_command(["evaluate", *map(str, arguments)]))


def test_a_table_and_a_line_for_every_page(sites: Path, tmp_path: Path) -> None:
    target = tmp_path / "rows.jsonl"
    done = invoke(sites, "--method", "engine", "--peers", "whole-text", "--names-removed", "--jsonl", target)
    assert done.exit_code == 0, done.output
    assert "made: 8 pages of 2 sites, diversity 0.250" in done.output
    lines = [line.split("|")[1:5] for line in done.output.splitlines() if line.startswith("|")]
    shown = {tuple(cell.strip() for cell in line) for line in lines[2:]}
    methods, names = ("engine", "whole-text"), ("kept", "removed")
    assert {(method, "-", kept, "2") for method in methods for kept in names} == shown
    rows = [json.loads(line) for line in target.read_text().splitlines()]
    assert 2 * 2 * 8 == len(rows)
    assert {"engine", "whole-text"} == {row["method"] for row in rows}
    assert all(0 <= row["figures"]["word_f1"] <= 1 for row in rows)


def test_the_drawing(sites: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    for suffix, start in ((".png", b"\x89PNG"), (".svg", b"<?xml")):
        target = tmp_path / f"curve{suffix}"
        done = invoke(sites, "--method", "engine", "--plot", target)
        assert done.exit_code == 0, done.output
        assert target.read_bytes().startswith(start)


def test_a_drawing_without_matplotlib_says_what_to_install(sites: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    error = invoke(sites, "--method", "engine", "--plot", "x.png").exception
    assert isinstance(error, MissingExtra)
    assert "pagestrata[plot]" in str(error)


def test_what_cannot_be_done_is_said_at_once(sites: Path) -> None:
    assert isinstance(invoke("nosuch", "--method", "engine").exception, InputError)
    assert isinstance(invoke(sites).exception, UsageError)
    assert isinstance(invoke(sites, "--method", "nosuch").exception, UsageError)
    assert isinstance(invoke(sites, "--peers", "nosuch").exception, UsageError)
    assert isinstance(invoke(sites, "--method", "engine", "-k", "two").exception, UsageError)
    assert isinstance(invoke(sites, "--method", "engine", "-k", "0").exception, UsageError)
    assert isinstance(invoke(sites, "--method", "engine", "--plot", "x.doc").exception, UsageError)


def test_noisy_sections_and_percentiles_are_tables_of_their_own(sites: Path) -> None:
    done = invoke(sites, "--method", "template", "-k", "2", "--noisy-sections", "--percentiles")
    assert done.exit_code == 0, done.output
    headings = [line for line in done.output.splitlines() if line.startswith("| method")]
    assert ["noisy sections P", "R", "content called noise"] == [cell.strip() for cell in headings[1].split("|")[6:-1]]
    assert ["9 %", "25 %", "50 %", "75 %", "91 %"] == [cell.strip() for cell in headings[2].split("|")[6:-1]]
    rows = [line for line in done.output.splitlines() if line.startswith("| template")]
    assert ["1.000", "1.000", "0.102"] == [cell.strip() for cell in rows[1].split("|")[6:-1]]  # menu and footer
    assert ["0.810", "0.952", "1.000", "1.000", "1.000"] == [cell.strip() for cell in rows[2].split("|")[6:-1]]
