"""`pagestrata doctor`: what is there and what is missing."""

from importlib import metadata
from pathlib import Path

import pytest
from tests.cli.runs import Shell

from pagestrata import api
from pagestrata.cli.doctor import NEEDED_FOR, packages_by_extra
from pagestrata.errors import PagestrataError


def lines_of(text: str) -> dict[str, str]:
    return {line[4:].split()[0]: line for line in text.splitlines()}


def test_everything_has_a_line(tmp_path: Path) -> None:
    told = lines_of(Shell(tmp_path).output("doctor"))
    assert {"python", "kernels", "engine", "store", "browser", "java", "parquet", "server", "bench"} <= told.keys()
    assert told["engine"].startswith("ok ")
    assert f"models of sites: 0, in {tmp_path / 'sites.db'}" in told["store"]
    assert "test" not in told


def test_what_is_missing_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    needs = ['no-such-package>=1; extra == "tea"', 'no-such-package; extra == "plot"', 'numpy; extra == "plot"']
    monkeypatch.setattr("importlib.metadata.requires", lambda name: needs)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    told = lines_of(Shell(tmp_path).output("doctor"))
    assert "-   tea          for tea: pip install 'pagestrata[tea]'" == told["tea"]
    charts = "for charts of bench and evaluate: pip install 'pagestrata[plot]' (no-such-package missing)"
    assert f"-   plot         {charts}" == told["plot"]
    assert told["java"].startswith("-  ")
    assert told["browser"].startswith("-  ")


def test_every_extra_for_users_says_what_it_is_for() -> None:
    requirements = metadata.requires("pagestrata") or []
    assert set(packages_by_extra(requirements)) == set(NEEDED_FOR)


def test_an_engine_that_cannot_read_is_a_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(page: str) -> None:
        raise PagestrataError("the model is damaged")

    monkeypatch.setattr(api, "extract", fail)
    result = Shell(tmp_path).invoke("doctor")
    assert (1, True) == (result.exit_code, "NO  engine       cannot read a page" in result.stdout)
