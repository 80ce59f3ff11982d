"""The shape of the figures of speed; the figures themselves depend on the machine, and are not tested."""

import itertools
import math
import os
import shutil
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from pagestrata import extract
from pagestrata.errors import MissingExtra, UsageError
from pagestrata.evaluate import peers
from pagestrata.evaluate.forked_call import ChildLimits
from pagestrata.evaluate.speed import SpeedRow, measure, milliseconds, ratio
from pagestrata.evaluate.speed_report import SpeedReport, make_report, to_table
from pagestrata.evaluate.stages import OWN, TEXT, TimedCall, learned_text
from pagestrata.page.json_text import indented_json

PAGES = [f"<title>Page {i}</title><p>{'Some words of a page. ' * (20 + i)}".encode() for i in range(6)]
STAGES = ["parse", "page", "text", "markdown", "html", "xml", "sections", "reasons", "chunks", "items", "page type"]
STAGES += ["metadata", "row"]
LIMITS = ChildLimits(cpu_seconds=1, wall_seconds=2.0)


def call(name: str, run: object, package: str = "pagestrata") -> TimedCall:
    return TimedCall(name, "made up", package, run)  # type: ignore[arg-type]


def rows_of(*calls: TimedCall) -> dict[str, SpeedRow]:
    return {row.name: row for row in measure(calls, PAGES, repeat=2, seed=1, limits=LIMITS)}


def test_percentiles_of_a_known_row_of_numbers() -> None:
    found = milliseconds([float(i) for i in range(1, 101)])
    assert found is not None
    assert (found.median, found.mean, found.p95, found.p99) == (50.5, 50.5, 95.05, 99.01)


def test_no_numbers_give_no_figures() -> None:
    assert milliseconds([]) is None
    assert ratio([math.nan], [1.0]) is None


def test_ratios_are_of_the_pages_that_both_read() -> None:
    assert ratio([1.0, 2.0, 50.0], [2.0, 4.0, math.nan]) == 0.5


def test_our_own_stages_have_figures_on_every_page() -> None:
    rows = rows_of(*OWN)
    assert list(rows) == STAGES
    assert all(row.failures == 0 and row.milliseconds is not None for row in rows.values())
    assert set(STAGES) - {"text"} == set(rows["text"].times)


def test_the_stages_return_what_they_are_named_for() -> None:
    answers: dict[str, Any] = {call.name: call.run(call.prepare(PAGES[0])) for call in OWN}
    extraction = extract(PAGES[0])
    assert [extraction.text, extraction.markdown, extraction.html, extraction.xml] == [
        answers[name] for name in ("text", "markdown", "html", "xml")
    ]
    assert (extraction.page_type, extraction.metadata) == (answers["page type"], answers["metadata"])
    sections = [section for root in extraction.sections for section in root.walk()]
    assert [section.xpath for section in sections] == [path for _, _, path, _ in answers["sections"]]
    assert [section.reasons for section in sections] == [reasons for *_, reasons, _ in answers["reasons"]]
    assert b'"sections":[{"depth":0' in answers["row"]


def test_later_pages_of_learned_sites(tmp_path: Path) -> None:
    folder = tmp_path / "made-up"
    for site, i in itertools.product(("a", "b"), range(10)):
        (folder / site).mkdir(parents=True, exist_ok=True)
        article = f"{site} {i}: " + f"The tide of day {i} came in, and the kettle sang. " * 9
        (folder / site / f"{i}.txt").write_text(article)
        (folder / site / f"{i}.html").write_text(f"<nav>Home of {site}</nav><main><p>{article}</main><p>All rights")
    call, pages = learned_text(str(folder), 3, seed=1)
    assert 3 == len(pages)
    (row, _) = measure((call, TEXT), pages, repeat=1, seed=1)
    assert (0, {"text"}) == (row.failures, set(row.times))
    assert "3 later pages" in row.about
    assert "kettle" in str(call.run(call.prepare(pages[0])))
    (folder / "a" / "9.html").unlink()
    (folder / "a" / "8.html").unlink()
    shutil.rmtree(folder / "b")
    with pytest.raises(UsageError, match="has more than 8 pages"):
        learned_text(str(folder), 3, seed=1)


def test_a_method_that_raises_hangs_or_dies_costs_only_its_own_pages() -> None:
    def raises(data: bytes) -> None:
        if b"Page 2" in data:
            raise ValueError("no such page")

    def hangs(data: bytes) -> None:
        if b"Page 3" in data:
            time.sleep(60)

    def dies(data: bytes) -> None:
        if b"Page 4" in data:
            os._exit(7)

    rows = rows_of(call("good", len), call("raises", raises), call("hangs", hangs), call("dies", dies))
    assert [row.failures for row in rows.values()] == [0, 1, 1, 1]


def test_memory_is_that_of_the_page() -> None:
    rows = rows_of(call("small", len), call("large", lambda data: b"x" * (64 << 20)))
    assert rows["small"].peak < 32 < rows["large"].peak


def test_every_page_failed() -> None:
    def fails(data: bytes) -> None:
        if len(data) < 10_000:
            os._exit(1)

    warm = TimedCall(
        "fails", "made up", "pagestrata", fails, prepare=lambda data: data * (100 if b"Warm" in data else 1)
    )
    row = rows_of(warm)["fails"]
    assert (None, len(PAGES)) == (row.milliseconds, row.failures)


def report_of(*calls: TimedCall) -> SpeedReport:
    rows = measure(calls, PAGES, repeat=1, seed=1)
    return make_report("pagestrata bench speed made-up", rows, [len(page) for page in PAGES], 1, 1)


def test_the_table_says_where_the_figures_are_from() -> None:
    from rich.console import Console

    console = Console(width=200, record=True, file=open(os.devnull, "w"))  # noqa: SIM115
    console.print(to_table(report_of(*OWN, peers.load("main_content"))))
    shown = console.export_text()
    for part in (
        "$ pagestrata bench speed made-up",
        "6 pages",
        "scanner:",
        "turbohtml 1.",
        "load",
        "x text",
        "x main_content",
    ):
        assert part in shown


def test_the_json_has_every_row() -> None:
    import msgspec

    report = report_of(*OWN)
    assert report == msgspec.json.decode(indented_json(report), type=SpeedReport)


def test_an_unknown_peer_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="there are trafilatura"):
        peers.load("nosuch")


def test_a_peer_that_is_not_installed_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "trafilatura", None)
    with pytest.raises(MissingExtra, match=r"^trafilatura is not installed: pip install 'pagestrata\[bench\]'$"):
        peers.load_all(["trafilatura"])


def test_a_peer_that_cannot_be_imported_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> TimedCall:
        raise ImportError("cannot import name 'extract'")

    monkeypatch.setitem(peers.PEERS, "trafilatura", broken)
    with pytest.raises(MissingExtra, match=r"^a package \(cannot import name 'extract'\) is not installed: pip"):
        peers.load_all(["trafilatura"])


def test_installed_peers_are_the_default_with_their_markdown_beside_their_text() -> None:
    names = [peer.name for peer in peers.load_all(None)]
    assert "main_content md" == names[names.index("main_content") + 1]
    page = b"<article><h1>Tea</h1><p>" + b"The tide came in, and <b>the kettle</b> sang. " * 20
    (call,) = (each for each in peers.load_all(["main_content"]) if each.name.endswith(" md"))
    assert "**the kettle**" in str(call.run(call.prepare(page)))
