"""`pagestrata compare`: other extractors and our methods side by side on one page."""

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.runs import ARTICLES, FEED, PAGE, Shell
from tests.growth import assert_linear

from pagestrata import extract, parse
from pagestrata.cli.compare import read_siblings
from pagestrata.cli.compare_peers import difference_lines
from pagestrata.evaluate.differences import compare_texts
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
    rows = table(shell.output("compare", PAGE, "--methods", "all", "--siblings", ARTICLES, "--feed", FEED))
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
    assert 3 == shell.refusal("compare", PAGE, "--methods", "all", "--siblings", shell.folder)[0]


def test_a_terminal_gets_a_table(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from pagestrata.cli.compare import compare_methods, show

    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "200")
    show(compare_methods(parse(PAGE.read_bytes()), [], None, ["engine"], Options()))
    told = capsys.readouterr().out
    assert "agreement" in told
    assert "\t" not in told


def test_peers_are_held_against_ours(shell: Shell) -> None:
    pytest.importorskip("resiliparse", reason="resiliparse is not here: pip install 'pagestrata[bench]'")
    told = shell.output("compare", PAGE, "--peers", "trafilatura,readability,resiliparse,justext")
    names = [line.split()[0] for line in told.splitlines()[1:6]]
    assert ["pagestrata", "trafilatura", "readability", "resiliparse", "justext"] == names
    assert "extra (+): pagestrata does not" in told


def test_blocks_that_differ_are_lost_or_extra() -> None:
    page = parse("<p>One two three four five six.<p>Share<p hidden>x<p>Seven eight nine ten eleven.<p>Twelve")
    comparison = compare_texts(
        page, "One two three four five six.\nTwelve", "other", "Share\n\nSeven  eight nine ten eleven. Twelve"
    )
    assert [
        ("lost", "One two three four five six."),
        ("extra", "Share"),
        ("extra", "Seven eight nine ten eleven."),
        ("lost", "Twelve"),
    ] == [(difference.kind, difference.text) for difference in comparison.differences]
    assert (7, 6) == (comparison.words_of("lost"), comparison.words_of("extra"))
    lines = [str(line) for line in difference_lines(comparison, is_long=False)]
    assert "- One two three four five six." == lines[0]
    assert "  …" not in lines[:2]


def test_comparing_is_linear_in_the_page() -> None:
    def work(size: int) -> Callable[[], object]:
        page = parse("<p>one two three four five six seven" * size + "<p>Share" * size)
        return lambda: compare_texts(page, page.text, "other", page.text)

    assert_linear(work)


def test_wrong_combinations_are_refused(shell: Shell) -> None:
    assert (2, "give one of --peers and --methods") == shell.refusal(
        "compare", PAGE, "--peers", "justext", "--methods", "all"
    )
    assert 2 == shell.refusal("compare", PAGE, "--siblings", ARTICLES)[0]
    assert (
        "there is no peer 'trafilatur'; did you mean trafilatura?"
        == shell.refusal("compare", PAGE, "--peers", "trafilatur")[1]
    )


def test_a_folder_is_scored_against_its_texts(shell: Shell) -> None:
    pytest.importorskip("trafilatura")
    pages, texts = shell.folder / "pages", shell.folder / "texts"
    (pages / "more").mkdir(parents=True)
    (texts / "more").mkdir(parents=True)
    (pages / "more" / "a.html.gz").write_bytes(gzip.compress(PAGE.read_bytes()))
    (texts / "more" / "a.txt").write_text(extract(PAGE.read_bytes()).text)
    (pages / "without-a-text.html").write_bytes(PAGE.read_bytes())
    headings, first, second, _ = shell.output("compare", pages, "--peers", "trafilatura", "--truth", texts).splitlines()
    assert ["extractor", "pages", "precision", "recall", "F1"] == headings.split()[:5]
    assert ["pagestrata", "1", "1.000", "1.000", "1.000"] == first.split()[:5]
    assert ["trafilatura", "1"] == second.split()[:2]
    assert float(second.split()[4]) < 1


def test_scoring_needs_a_folder_and_texts(shell: Shell) -> None:
    assert 2 == shell.refusal("compare", PAGE, "--truth", shell.folder)[0]
    assert 3 == shell.refusal("compare", ARTICLES, "--truth", shell.folder)[0]
