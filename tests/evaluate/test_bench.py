"""The shape of the figures; the figures themselves are nobody's promise."""

import math
import os
import time

import pytest

from pagestrata.errors import MissingExtra, UsageError
from pagestrata.evaluate import peers
from pagestrata.evaluate.bench import Row, figures, measure, ratio
from pagestrata.evaluate.child import ChildLimits
from pagestrata.evaluate.peers import Method
from pagestrata.evaluate.report import Report, make_report, to_json, to_table

PAGES = [f"<title>Page {i}</title><p>{'Some words of a page. ' * (20 + i)}".encode() for i in range(6)]
LIMITS = ChildLimits(cpu_seconds=1, wall_seconds=2.0)


def method(name: str, run: object, package: str = "pagestrata") -> Method:
    return Method(name, "made up", package, run)  # type: ignore[arg-type]


def rows_of(*methods: Method) -> dict[str, Row]:
    return {row.name: row for row in measure(methods, PAGES, repeat=2, seed=1, limits=LIMITS)}


def test_percentiles_of_a_known_row_of_numbers() -> None:
    found = figures([float(i) for i in range(1, 101)])
    assert found is not None
    assert (found.median, found.mean, found.p95, found.p99) == (50.5, 50.5, 95.05, 99.01)


def test_no_numbers_give_no_figures() -> None:
    assert figures([]) is None
    assert ratio([math.nan], [1.0]) is None


def test_ratios_are_of_the_pages_that_both_read() -> None:
    assert ratio([1.0, 2.0, 50.0], [2.0, 4.0, math.nan]) == 0.5


def test_our_own_stages_have_figures_on_every_page() -> None:
    rows = rows_of(*peers.OWN)
    assert list(rows) == ["parse", "page", "text", "text+"]
    assert all(row.failures == 0 and row.milliseconds is not None for row in rows.values())
    assert {"parse", "page", "text+"} == set(rows["text"].times)
    assert rows["text"].times["parse"] > 1


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

    rows = rows_of(method("good", len), method("raises", raises), method("hangs", hangs), method("dies", dies))
    assert [row.failures for row in rows.values()] == [0, 1, 1, 1]


def test_memory_is_that_of_the_page() -> None:
    rows = rows_of(method("small", len), method("large", lambda data: b"x" * (64 << 20)))
    assert rows["small"].peak < 32 < rows["large"].peak


def test_every_page_failed() -> None:
    def fails(data: bytes) -> None:
        if len(data) < 10_000:
            os._exit(1)

    warm = Method("fails", "made up", "pagestrata", fails, prepare=lambda data: data * (100 if b"Warm" in data else 1))
    row = rows_of(warm)["fails"]
    assert (None, len(PAGES)) == (row.milliseconds, row.failures)


def report_of(*methods: Method) -> Report:
    rows = measure(methods, PAGES, repeat=1, seed=1)
    return make_report("pagestrata bench speed made-up", rows, [len(page) for page in PAGES], 1, 1)


def test_the_table_says_where_the_figures_are_from() -> None:
    from rich.console import Console

    console = Console(width=200, record=True, file=open(os.devnull, "w"))  # noqa: SIM115
    console.print(to_table(report_of(*peers.OWN, peers.load("main_content"))))
    shown = console.export_text()
    for part in ("$ pagestrata bench speed made-up", "6 pages", "scanner:", "turbohtml 1.", "load", "x main_content"):
        assert part in shown


def test_the_json_has_every_row() -> None:
    import msgspec

    report = report_of(*peers.OWN)
    assert report == msgspec.json.decode(to_json(report), type=Report)


def test_an_unknown_peer_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="there are trafilatura"):
        peers.load("nosuch")


def test_a_peer_that_is_not_installed_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent() -> Method:
        raise ImportError("No module named 'trafilatura'")

    monkeypatch.setitem(peers.PEERS, "trafilatura", absent)
    with pytest.raises(MissingExtra, match=r"pip install 'pagestrata\[bench\]'"):
        peers.load_all(["trafilatura"])


def test_peers_that_are_here_are_the_default() -> None:
    assert "main_content" in [peer.name for peer in peers.load_all(None)]
