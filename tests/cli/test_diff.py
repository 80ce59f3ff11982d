"""`pagestrata diff`: two versions of a page as text and as JSON."""

import json
from pathlib import Path

import pytest
from tests.cli.runs import ARTICLES, HOST, PAGE, Shell


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path)


@pytest.fixture
def newer(shell: Shell) -> Path:
    """The page of a skiff with one sentence changed, one added, and another footer."""
    page = PAGE.read_text(encoding="utf-8")
    first = page.index("<p>", page.index("entry-content")) + len("<p>")
    page = page[:first] + "This is the second edition of these plans. " + page[first:]
    path = shell.folder / "newer.html"
    path.write_text(page.replace("</footer>", "<p>Printed on the coast.</p></footer>"), encoding="utf-8")
    return path


def test_text_names_what_was_added(shell: Shell, newer: Path) -> None:
    told = shell.output("diff", PAGE, newer)
    assert "+ This is the second edition of these plans." in told.splitlines()
    assert "words: 8 added, 0 removed, 0 moved" == told.splitlines()[-1]
    assert "no change" == shell.output("diff", PAGE, PAGE).strip()


def test_changed_words_stand_in_brackets(shell: Shell, tmp_path: Path) -> None:
    for number, price in enumerate(("12", "15")):
        body = f"<h1>Moorings</h1><h2>Fees</h2><p>It costs {price} pounds a year.</p><p>{'Boats lie dry. ' * 40}</p>"
        (tmp_path / f"{number}.html").write_text(body)
    told = shell.output("diff", tmp_path / "0.html", tmp_path / "1.html").splitlines()
    assert ["~ It costs [-12-] {+15+} pounds a year.", "words: 1 added, 1 removed, 0 moved"] == told[-2:]


def test_json_and_exit_code(shell: Shell, newer: Path) -> None:
    result = shell.invoke("diff", PAGE, newer, "-f", "json", "--exit-code")
    data = json.loads(result.stdout)
    assert (1, 8, ["added"]) == (
        result.exit_code,
        data["words"]["added"],
        [change["kind"] for change in data["changes"]],
    )
    assert 0 == shell.invoke("diff", PAGE, PAGE, "--exit-code").exit_code


def test_the_model_of_the_site_is_used(shell: Shell, newer: Path) -> None:
    shell.output("learn", ARTICLES)
    assert "second edition" in shell.output("diff", PAGE, newer, "--site", HOST)
    assert 2 == shell.refusal("diff", PAGE, newer, "--site", "nowhere.example")[0]


def test_wrong_arguments(shell: Shell) -> None:
    assert (2, "there is no format 'xml'; there are text, json") == shell.refusal("diff", PAGE, PAGE, "-f", "xml")
    assert 2 == shell.refusal("diff", "-", "-")[0]
    assert 3 == shell.refusal("diff", PAGE, shell.folder / "none.html")[0]


def test_control_characters_do_not_reach_the_terminal(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(f"<p>{'Boats lie dry. ' * 40}")
    (tmp_path / "b.html").write_text(f"<p>{'Boats lie dry. ' * 40}Red &#27;[31m alert.")
    assert "\x1b[31m" not in shell.output("diff", tmp_path / "a.html", tmp_path / "b.html")
