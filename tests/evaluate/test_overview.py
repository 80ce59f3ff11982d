"""`pagestrata bench table`: the table of the README."""

import re
from pathlib import Path

import pytest
from tests.build import ROOT
from tests.evaluate.made_up import make_sites
from typer.testing import CliRunner, Result

from pagestrata.cli.main import app, with_command
from pagestrata.errors import UsageError
from pagestrata.evaluate.overview import README_ROWS, engine_score, overview_row
from pagestrata.evaluate.training_note import trained_on


def invoke(*arguments: str) -> Result:
    return CliRunner().invoke(app, with_command(["bench", "table", *arguments]))


def test_the_readme_has_the_scores_of_the_card() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8").replace("*", "")
    names = [name.partition(":")[0] for name in README_ROWS]
    shown = {name: score for name in names for score in re.findall(rf"\|.*\b{name}\b.*?\| (.*?) \|", readme)}
    assert {name.partition(":")[0]: engine_score(name) for name in README_ROWS} == shown


def test_peers_are_measured_on_the_pages_of_a_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_sites(tmp_path / "forums")
    monkeypatch.setenv("PAGESTRATA_DATA", str(tmp_path))
    row = overview_row("forums", ["main_content", "whole-text"])
    found = re.fullmatch(r"\| forums \| \.\d{3} \[.*\] \| (\S+) \| (\S+) \|", row)
    assert found, row
    assert 0 < float(found[2]) < float(found[1]) <= 1
    done = invoke("forums", "--peers", "main_content,whole-text")
    assert (0, row) == (done.exit_code, done.stdout.splitlines()[-1])


def test_a_set_without_a_score_is_a_usage_error() -> None:
    error = invoke("foruns").exception
    assert isinstance(error, UsageError)
    assert "did you mean forums?" in str(error)


def test_the_card_names_its_training_sets() -> None:
    assert {"wcxb", "forums"} < trained_on()
    assert "l3s-gn1" not in trained_on()
