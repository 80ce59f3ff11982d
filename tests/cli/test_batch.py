"""`pagestrata batch` as a person or a script runs it."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from tests.batch.corpus import article, make_corpus, rows_of
from tests.build import ROOT
from tests.cli.runs import ARTICLES, Shell


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path)


def test_a_folder_becomes_rows_and_says_so(shell: Shell) -> None:
    done = shell.run("batch", ARTICLES, "-o", shell.folder / "out", "-j", 1)
    count = len(list(ARTICLES.glob("*.html")))
    told = f"{count} records: {count} rows, 0 quarantined; 1 shard in {shell.folder / 'out'}\n"
    assert (0, "", told) == (done.returncode, done.stdout, done.stderr)
    assert sorted(map(str, ARTICLES.glob("*.html"))) == [row["source"] for row in rows_of(shell.folder / "out")]


def test_quarantine_is_no_failure_of_the_run(shell: Shell) -> None:
    make_corpus(shell.folder / "in", pages=2)
    done = shell.run("batch", shell.folder / "in", "-o", shell.folder / "out", "--language", "EN", "--quiet")
    assert (0, "", "") == (done.returncode, done.stdout, done.stderr)
    assert 3 == json.loads((shell.folder / "out" / "manifest.json").read_bytes())["counts"]["quarantined"]


def test_what_is_wrong_is_said_in_one_line(shell: Shell) -> None:
    out = shell.folder / "out"
    assert (3, "cannot read nowhere: no such file or folder") == shell.refusal("batch", "nowhere", "-o", out)
    empty = shell.folder / "empty"
    empty.mkdir()
    assert (3, "no pages in the inputs") == shell.refusal("batch", empty, "-o", out)
    (shell.folder / "bad.jsonl").write_text("{")
    assert (3, "no record became a row: see the files in quarantine/") == shell.refusal(
        "batch", shell.folder / "bad.jsonl", "-o", shell.folder / "out2"
    )
    assert 2 == shell.refusal("batch", empty, "-o", out, "--learn", "--site", "auto")[0]
    (shell.folder / "file").write_text("")
    assert 2 == shell.refusal("batch", empty, "-o", shell.folder / "file" / "out")[0]
    expected = (2, f"{shell.folder / 'file'} is a file: give a folder")
    assert expected == shell.refusal("batch", empty, "-o", shell.folder / "file")


def test_a_run_without_rows_does_not_block_the_next(shell: Shell) -> None:
    page, out = shell.folder / "a.html", shell.folder / "out"
    assert 3 == shell.refusal("batch", shell.folder / "in.jsonl", "-o", out)[0]
    (shell.folder / "in.jsonl").write_text("{")
    assert 3 == shell.refusal("batch", shell.folder / "in.jsonl", "-o", out)[0]
    assert (out / "quarantine" / "part-00000.jsonl").is_file()
    page.write_text(article(1))
    shell.output("batch", page, "-o", out)
    assert (1, []) == (len(rows_of(out)), list((out / "quarantine").iterdir()))
    code, told = shell.refusal("batch", page, "-o", out)
    assert (2, True) == (code, told.startswith(f"there is a run in {out} already"))


def test_resuming_with_other_options_is_refused(shell: Shell) -> None:
    page = shell.folder / "a.html"
    page.write_text(article(1))
    shell.output("batch", page, "-o", shell.folder / "out")
    code, told = shell.refusal("batch", page, "-o", shell.folder / "out", "--resume", "--bias", "0.5")
    assert 2 == code
    assert "this run was begun with bias = 0.0, not 0.5: go on as it began, or anew elsewhere" == told


def test_near_duplicates_are_left_out_also_after_a_break(shell: Shell) -> None:
    (shell.folder / "in").mkdir()
    for name, number in (("a", 1), ("b", 2), ("c", 1), ("d", 3), ("e", 2)):
        (shell.folder / "in" / f"{name}.html").write_text(article(number))
    out = shell.folder / "out"
    done = shell.invoke("batch", shell.folder / "in", "-o", out, "--dedup", "--shard", 2)
    assert "5 records: 3 rows, 0 quarantined, 2 near-duplicates left out; 3 shards" in done.stderr
    names = [Path(str(row["source"])).name for row in rows_of(out)]
    assert ["a.html", "b.html", "d.html"] == names
    journal = out / "shards.jsonl"
    journal.write_bytes(b"".join(journal.read_bytes().splitlines(keepends=True)[:1]))
    manifest = json.loads((out / "manifest.json").read_bytes()) | {"complete": False}
    (out / "manifest.json").write_text(json.dumps(manifest))
    shell.output("batch", shell.folder / "in", "-o", out, "--dedup", "--shard", 2, "--resume")
    assert names == [Path(str(row["source"])).name for row in rows_of(out)]


def test_learning_is_told_of(shell: Shell) -> None:
    done = shell.invoke("batch", ARTICLES, "-o", shell.folder / "out", "--learn", "-k", 3)
    assert "1 site learned, 0 could not be" in done.stderr
    assert {"site"} == {row["method"] for row in rows_of(shell.folder / "out")}


def test_progress_is_shown_on_a_terminal_only(shell: Shell) -> None:
    make_corpus(shell.folder / "in", pages=3)
    terminal, end = pty.openpty()
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "TERM": "xterm", "COLUMNS": "150"}
    command = [sys.executable, "-m", "pagestrata", "batch", str(shell.folder / "in"), "-o", str(shell.folder / "out")]
    process = subprocess.Popen(command, stderr=end, env=environment)
    os.close(end)
    shown = b""
    while piece := _read(terminal):
        shown += piece
    assert 0 == process.wait()
    assert b"15 pages, 3 failed" in shown
    assert b"pages/s" in shown


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # the other end is closed
        return b""
