"""`pagestrata compare`: all methods side by side on one page."""

from pathlib import Path

import pytest
from tests.cli.runs import ARTICLES, FEED, PAGE, Shell

from pagestrata.cli.compare import read_siblings
from pagestrata.inputs.files import read_file
from pagestrata.options import Options
from pagestrata.registry import METHODS


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path)


def table(text: str) -> list[dict[str, str]]:
    headings, *rows = (line.split("\t") for line in text.splitlines())
    return [dict(zip(headings, row, strict=True)) for row in rows]


def test_every_method_has_a_row(shell: Shell) -> None:
    rows = table(shell.output("compare", PAGE, "--siblings", ARTICLES, "--feed", FEED))
    assert list(METHODS) == [row["method"] for row in rows]
    assert "1.000" == rows[0]["agreement"]
    assert {"", "9 pages"} == {row["learned from"] for row in rows}
    site = next(row for row in rows if row["method"] == "site")
    assert (True, "You do not need a boatyard. You need") == (500 < int(site["words"]) < 700, site["begins"])


def test_without_siblings_learners_say_so(shell: Shell) -> None:
    rows = table(shell.output("compare", PAGE, "--methods", "engine,site"))
    assert ["", "this page only"] == [row["learned from"] for row in rows]


def test_the_first_method_is_what_others_are_held_against(shell: Shell) -> None:
    rows = table(shell.output("compare", PAGE, "--methods", "density,vips"))
    assert "1.000" == rows[0]["agreement"] > rows[1]["agreement"]


def test_a_page_is_never_its_own_sibling(shell: Shell) -> None:
    (shell.folder / "copy.html").write_bytes(PAGE.read_bytes())
    (shell.folder / "other.html").write_bytes((ARTICLES / "a-glossary-of-mud.html").read_bytes())
    siblings = read_siblings(shell.folder, read_file(PAGE), 15, Options())
    assert [str(shell.folder / "other.html")] == [page.source for page in siblings]


def test_methods_and_folders_that_are_not_there_are_errors(shell: Shell) -> None:
    assert 2 == shell.refusal("compare", PAGE, "--methods", "magic")[0]
    assert 3 == shell.refusal("compare", PAGE, "--siblings", shell.folder)[0]


def test_a_terminal_gets_a_table(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from pagestrata import parse
    from pagestrata.cli.compare import compare_methods, show

    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "200")
    show(compare_methods(parse(PAGE.read_bytes()), [], None, ["engine"], Options()))
    told = capsys.readouterr().out
    assert "agreement" in told
    assert "\t" not in told
