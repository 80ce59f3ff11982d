"""`extract --render` and `screenshot`, with real Chromium."""

import json
import shutil
import struct
from pathlib import Path

import pytest
from tests.cli.runs import ARTICLES, PAGE, Shell

from pagestrata import extract, read_file
from pagestrata.cli.screenshot import overlay
from pagestrata.inputs.browser.launch import NAMES

needs_chromium = pytest.mark.skipif(
    not any(map(shutil.which, NAMES)), reason="no Chromium here: apt-get install chromium"
)


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path)


@needs_chromium
def test_a_drawn_page_is_read_with_what_its_scripts_made(shell: Shell) -> None:
    page = shell.folder / "page.html"
    words = "Low water came at noon, and the flats lay bare to the horizon. " * 9
    page.write_text(f"<title>Flats</title><main id=m></main><script>m.innerHTML='<p>{words}</p>'</script>")
    assert "" == shell.output(page, "-f", "text", "-q").strip()
    assert "Low water came at noon" in shell.output(page, "--render", "--no-sandbox", "-f", "text", "-q")


@needs_chromium
def test_several_pages_are_drawn_and_one_that_cannot_be_is_a_row(shell: Shell) -> None:
    some = sorted(ARTICLES.glob("*.html"))[:3]
    done = shell.invoke(*some, shell.folder / "nope.html", "--render", "--no-sandbox", "-f", "jsonl", "-j", "2", "-q")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [*map(str, some)] == [row["source"] for row in rows[:3]]
    assert all(row["sections"][0]["box"]["width"] > 0 for row in rows[:3])
    assert "No such file" in rows[3]["error"]["detail"]
    assert 1 == done.exit_code


@needs_chromium
def test_a_picture_is_as_high_as_the_page_and_shows_its_sections(shell: Shell) -> None:
    page, plain, marked = (shell.folder / name for name in ("page.html", "plain.png", "marked.png"))
    page.write_text("<body style='margin:0'><p style='height:2000px;margin:0'>words")
    shell.output("screenshot", page, "--no-sandbox", "-o", plain)
    shell.output("screenshot", page, "--no-sandbox", "--sections", "--method", "vips", "-o", marked)
    assert [(1280, 2000)] * 2 == [_size(plain), _size(marked)]
    assert plain.read_bytes() != marked.read_bytes()
    code, text = shell.refusal("screenshot", page, "--no-sandbox", "-o", plain)
    assert (2, True) == (code, "--force" in text)


def test_a_picture_is_not_written_under_the_name_of_another_format(shell: Shell) -> None:
    code, text = shell.refusal("screenshot", PAGE, "-o", shell.folder / "page.JPG")
    assert (2, True) == (code, "pictures are PNG files" in text)


def _size(path: Path) -> tuple[int, int]:
    """Width and height of a PNG."""
    width, height = struct.unpack(">II", path.read_bytes()[16:24])
    return width, height


def test_a_browser_that_is_not_there_is_one_line_and_code_2(shell: Shell) -> None:
    code, text = shell.refusal(PAGE, "--render", "--no-sandbox", "--browser", "/nowhere/chromium")
    assert (2, "there is no program /nowhere/chromium") == (code, text)


def test_marks_are_drawn_only_where_there_are_boxes() -> None:
    assert "<div" not in overlay(extract(read_file(PAGE), method="vips"), b"")


@needs_chromium
def test_a_batch_is_drawn_and_cannot_learn_meanwhile(shell: Shell) -> None:
    some = sorted(ARTICLES.glob("*.html"))[:2]
    told = shell.invoke("batch", *some, "-o", shell.folder / "out", "--render", "--no-sandbox").stderr
    assert told.startswith("2 records: 2 rows, 0 quarantined")
    assert json.loads((shell.folder / "out" / "manifest.json").read_bytes())["plan"]["render"]
    code, text = shell.refusal("batch", *some, "-o", shell.folder / "two", "--render", "--learn")
    assert (2, True) == (code, "--learn reads pages without a browser" in text)
