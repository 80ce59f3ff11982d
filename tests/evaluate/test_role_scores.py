"""How well roles are told: what counts as right, and the way from a data set to the table."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pagestrata.cli.main import app, with_command
from pagestrata.errors import UsageError
from pagestrata.evaluate.contenders import InputPage
from pagestrata.evaluate.datasets import read_dataset
from pagestrata.evaluate.role_scores import TRUE_ROLES, RoleAnswer, evaluate_roles, score_roles, true_blocks
from pagestrata.results import Role

PROSE = "<p>The tide turned before the boats were in, and nobody on the quay had seen it coming at all.</p>" * 6
MENU = "".join(f"<li><a href=/{n}>Item {n}</a></li>" for n in range(6))
PAGE = (
    f"<html><head><title>Tides</title></head><body><header><ul>{MENU}</ul></header><div>{PROSE}</div>"
    "<div><p>© <a href=/>Tidewater</a></p></div></body></html>"
)


@pytest.fixture
def blocks(tmp_path: Path) -> Path:
    """A page with a menu in a header, a text and a footer."""
    folder = tmp_path / "marked" / "host"
    folder.mkdir(parents=True)
    (folder / "page.html").write_text(PAGE)
    marks = [("Header", "header", 1), ("Menu", "header/ul", 2), ("Content", "div[1]", 1), ("Footer", "div[2]", 1)]
    known = [{"type": kind, "xpath": f"/html/body/{path}", "level": level} for kind, path, level in marks]
    (folder / "page.blocks.json").write_text(json.dumps({"blocks": [*known, {**known[0], "type": "Image"}]}))
    return tmp_path / "marked"


@pytest.fixture
def segments(tmp_path: Path) -> Path:
    """The same page, with a label for every text."""
    folder = tmp_path / "told" / "host"
    folder.mkdir(parents=True)
    (folder / "1.html").write_text(PAGE)
    (folder / "1.txt").write_text("The tide turned")
    labels = [*(("not_content", f"Item {n}") for n in range(6)), ("not_content", "never said")]
    labels += [("fulltext", PROSE[3:95])] * 6 + [("not_content", "© Tidewater")]
    (folder / "1.json").write_text(json.dumps({"segments": labels}))
    return tmp_path / "told"


def given(folder: Path) -> InputPage:
    return InputPage(read_dataset(str(folder)).sites[0].pages[0])


def test_a_block_in_a_region_may_be_called_by_either_and_labels_without_a_role_are_left_out(blocks: Path) -> None:
    roles = [block.roles for block in true_blocks(given(blocks))]
    assert [(Role.HEADER,), (Role.NAVIGATION, Role.HEADER), (Role.MAIN,), (Role.FOOTER,)] == roles


def test_segments_become_runs_of_blocks(segments: Path) -> None:
    page = given(segments)
    found = [
        (block.roles[0], " ".join(page.words.lowered[place] for place in block.places)) for block in true_blocks(page)
    ]
    assert [Role.OTHER, Role.MAIN, Role.OTHER] == [role for role, _ in found]
    assert "item 0 item 1 item 2 item 3 item 4 item 5" == found[0][1]
    assert "tidewater" == found[2][1]


def test_any_of_several_is_right_and_none_is_a_miss_of_the_first() -> None:
    links = TRUE_ROLES["LinkList"]
    score = score_roles(
        [RoleAnswer(links[1], links), RoleAnswer(Role.MAIN, links), RoleAnswer(Role.MAIN, (Role.MAIN,))]
    )
    assert {Role.MAIN: 2 / 3, Role.RELATED: 0.0} == pytest.approx(score.f1)
    assert pytest.approx(1 / 3) == score.macro


def test_roles_that_a_set_does_not_know_are_other() -> None:
    assert {Role.OTHER: 1.0} == score_roles([RoleAnswer(Role.FOOTER, (Role.OTHER,))]).f1


@pytest.mark.parametrize("name", ["blocks", "segments"])
def test_a_plain_page_is_told_right(name: str, request: pytest.FixtureRequest) -> None:
    lines = evaluate_roles(read_dataset(str(request.getfixturevalue(name))))
    assert ["true blocks", "sections, by engine", "sections, by reader"] == [line.measured_on for line in lines]
    assert 1.0 == lines[0].score.macro


def test_the_table_on_the_command_line(blocks: Path) -> None:
    done = CliRunner().invoke(app, with_command(["evaluate", str(blocks), "--roles", "--names-removed"]))
    assert done.exit_code == 0, done.output
    rows = [
        [cell.strip() for cell in line.split("|")[1:-1]] for line in done.output.splitlines() if "true blocks" in line
    ]
    assert [["true blocks", names, *["1.000"] * 5] for names in ("kept", "removed")] == rows


def test_a_set_without_such_labels_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "plain" / "host"
    folder.mkdir(parents=True)
    (folder / "1.html").write_text(PAGE)
    (folder / "1.txt").write_text("The tide turned")
    with pytest.raises(UsageError, match="no labels"):
        evaluate_roles(read_dataset(str(tmp_path / "plain")))
