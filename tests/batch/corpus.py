"""A small corpus of every kind of input, with damage in it; and runs of it that are killed."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path

import pyarrow as pa
from pyarrow import parquet

from tests.build import ROOT
from tests.inputs.archives import packed, record, response

WORDS = "tide mud oyster kettle harbour lantern gull rope sail boat ebb marsh knot reed bell pier quay salt".split()


def article(number: int, site: str = "tea.example", language: str = "en") -> str:
    """The n-th page of a site, in a layout that all its pages share."""
    chance = random.Random(f"{site} {number}")
    paragraphs = (
        " ".join(chance.choices(WORDS, k=40)).capitalize() + f", and so on to the end of part {part}."
        for part in range(4)
    )
    return (
        f'<!doctype html><html lang="{language}"><title>Page {number} of {site}</title>'
        "<nav><a href='/'>Home</a> <a href='/about'>About us</a> <a href='/tides'>Tide tables</a></nav>"
        f"<main><h1>Page {number}</h1>{''.join(f'<p>{each}</p>' for each in paragraphs)}</main>"
        "<footer>All rights reserved by the harbour office. <a href='/imprint'>Imprint</a></footer>"
    )


def make_corpus(folder: Path, pages: int = 12) -> tuple[int, int]:
    """Write one input of each kind; how many records there are, and how many of them are damaged."""
    folder.mkdir()
    html = [article(number) for number in range(pages)]
    (folder / "a").mkdir()
    for number, page in enumerate(html):
        (folder / "a" / f"{number:03}.html").write_text(page)
    lines = [json.dumps({"html": page, "url": f"https://tea.example/{number}"}) for number, page in enumerate(html)]
    (folder / "b.jsonl").write_text("\n".join((*lines[:3], "{broken", *lines[3:])))
    parquet.write_table(pa.table({"html": [*html, None]}), folder / "c.parquet", row_group_size=5)
    records = [record(response(page.encode()), url=f"https://tea.example/{n}") for n, page in enumerate(html)]
    requests = [record(b"GET / HTTP/1.1\r\n\r\n", kind="request") for _ in html]
    pairs = [packed(*pair) for pair in zip(requests, records, strict=True)]
    (folder / "d.warc.gz").write_bytes(b"".join((*pairs[:4], b"\x1f\x8bgarbage", *pairs[4:], packed(requests[0]))))
    return 4 * pages + 3, 3


def snapshot(folder: Path) -> dict[str, bytes]:
    """Every file of a run, as it is on disk."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
    }


def rows_of(folder: Path, part: str = "part-*.jsonl") -> list[dict[str, object]]:
    """All rows of a run in JSON lines."""
    return [json.loads(line) for path in sorted(folder.glob(part)) for line in path.read_bytes().splitlines()]


def start(*arguments: object) -> "subprocess.Popen[str]":
    """The command in a process of its own."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    command = [sys.executable, "-m", "pagestrata", "batch", *map(str, arguments)]
    return subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)


def run_and_kill(arguments: Iterable[object], folder: Path, moments: Iterable[float]) -> int:
    """Resume a run again and again, and kill it with signal 9 so many seconds after it wrote something new.

    When the moments are used up it may run to its end. How often it was killed is given back.
    """
    kills = kill_runs(arguments, folder, moments)
    last = resume(arguments, folder)
    assert "" == last.communicate()[1]
    assert 0 == last.returncode
    return kills


def resume(arguments: Iterable[object], folder: Path) -> "subprocess.Popen[str]":
    """Continue a run in a process of its own."""
    return start(*arguments, "-o", folder, "--resume", "--quiet")


def kill_runs(arguments: Iterable[object], folder: Path, moments: Iterable[float]) -> int:
    """Resume a run once for each moment, and kill it so many seconds after it wrote something new; how often."""
    kills = 0
    for moment in moments:
        before = _files(folder)
        process = resume(arguments, folder)
        while process.poll() is None and _files(folder) == before:
            time.sleep(0.01)  # gently: it looks at every file
        time.sleep(moment)
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
            kills += 1
        process.communicate()
    return kills


def _files(folder: Path) -> list[tuple[str, int]]:
    found = []
    for path in folder.rglob("*") if folder.exists() else ():
        try:
            found.append((path.name, path.stat().st_size))
        except FileNotFoundError:  # it was given its name just now
            continue
    return sorted(found)


def write_stream(path: Path, megabytes: float, page_bytes: int = 300_000) -> int:
    """JSON lines of so many megabytes: articles with a long script each, as real pages have; how many there are."""
    script = "<script>" + "var tide = 'ebb'; " * (page_bytes // 18) + "</script>"
    count = round(megabytes * 1_000_000 / page_bytes)
    with path.open("w") as file:
        for number in range(count):
            page = article(number, f"site{number % 97}.example") + script
            file.write(json.dumps({"html": page, "url": f"https://site{number % 97}.example/{number}"}) + "\n")
    return count


def memory_of(process: int) -> tuple[float, float]:
    """What a process holds now, and the largest of its children, in MiB."""
    try:
        children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    except (FileNotFoundError, ProcessLookupError):
        children = []
    return _resident(process), max((_resident(int(child)) for child in children), default=0.0)


def watch_memory(process: "subprocess.Popen[str]", folder: Path) -> list[tuple[int, float, float]]:
    """Wait for a run: how many shards there were, and what it and its workers held, ten times a second."""
    seen = []
    while process.poll() is None:
        seen.append((len(list(folder.glob("part-*.jsonl"))), *memory_of(process.pid)))
        time.sleep(0.1)
    return seen


def _resident(process: int) -> float:
    try:
        status = Path(f"/proc/{process}/status").read_text()
    except (FileNotFoundError, ProcessLookupError):  # it ended just now
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmRSS")), 0.0)
