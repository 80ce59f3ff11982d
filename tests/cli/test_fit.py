"""`pagestrata fit` learns from pages sorted into folders."""

from pathlib import Path

import pytest
from tests.evaluate.made_up import make_sites
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


def test_curves_by_t1_and_by_the_number_of_pages(tmp_path: Path) -> None:
    """The article is right at T1 below 40, the areas from 20 on; ten pages of each kind allow samples of five."""
    for kind, body in {"article": page(500, 300), "multiple": page(500, 400)}.items():
        (tmp_path / kind).mkdir()
        for number in range(10):
            (tmp_path / kind / f"{number}.html").write_text(body, encoding="utf-8")
    done = CliRunner().invoke(app, ["fit", "density", str(tmp_path), "--curves", "--measure", "recall"])
    lines = done.stdout.splitlines()
    assert "30   1.000      1.000   article: 1.000  article with comments: 0.000  multiple: 1.000" in lines
    assert "40   0.250      0.500   article: 0.000  article with comments: 0.000  multiple: 1.000" in lines
    assert "5                                1.000 +- 0.000" == lines[-1]


def test_density_as_published_is_learned_from_a_data_set(tmp_path: Path) -> None:
    """As published a listing needs no areas of one class; the set has twelve articles and two listings."""
    folder = make_sites(tmp_path / "made")
    done = CliRunner().invoke(app, ["fit", "density", str(folder), "--published"])
    assert done.stdout.startswith("t1 = ")
    assert done.stdout.endswith("from 14 pages: Density(t1=50, published=True)\n")


def test_a_measure_that_is_not_known_is_refused(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["fit", "density", str(tmp_path), "--measure", "f1"])
    assert isinstance(done.exception, UsageError)


@pytest.mark.parametrize(("method", "error"), [("density", InputError), ("forest", UsageError)])
def test_what_cannot_be_learned_is_said(method: str, error: type[Exception], tmp_path: Path) -> None:
    assert isinstance(CliRunner().invoke(app, ["fit", method, str(tmp_path)]).exception, error)
