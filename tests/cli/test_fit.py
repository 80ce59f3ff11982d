"""`pagestrata fit` learns from pages sorted into folders."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from pagestrata.cli.main import app
from pagestrata.errors import InputError, UsageError


def page(*sizes: int) -> str:
    return "<h1>Tea</h1>" + "".join(f"<div><p>{'t' * size}</p></div>" for size in sizes)


def test_density_is_learned_from_a_folder(tmp_path: Path) -> None:
    # the second region is at 40 from the densest in the article, at 20 in the areas
    for kind, body in {"article": page(500, 300), "multiple": page(500, 400)}.items():
        (tmp_path / kind).mkdir()
        (tmp_path / kind / "a.html").write_text(body, encoding="utf-8")
    done = CliRunner().invoke(app, ["fit", "density", str(tmp_path)])
    assert "t1 = 39, t2 = 20, from 2 pages: Density(t1=39)\n" == done.stdout


@pytest.mark.parametrize(("method", "error"), [("density", InputError), ("forest", UsageError)])
def test_what_cannot_be_learned_is_said(method: str, error: type[Exception], tmp_path: Path) -> None:
    assert isinstance(CliRunner().invoke(app, ["fit", method, str(tmp_path)]).exception, error)
