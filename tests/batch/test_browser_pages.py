"""Batches of pages that a real Chromium draws first."""

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from pagestrata.batch.definition import Batch
from pagestrata.batch.manifest import Counts
from pagestrata.batch.run import run
from pagestrata.errors import UsageError
from pagestrata.inputs.addresses import AddressPolicy
from pagestrata.inputs.browser import Browser, DrawLimits, Launch
from pagestrata.inputs.browser.launch import find_browser
from tests.batch.corpus import article, rows_of
from tests.inputs.archives import packed, record, response
from tests.inputs.hostile import Ears, site

OPEN = Launch(sandbox=False)
"""The pages here are our own, and tests run as root."""
WORDS = "Low water came at noon, and the flats lay bare to the horizon. " * 9
BY_SCRIPT = f"<title>Flats</title><main id=m></main><script>m.innerHTML='<p>{WORDS}</p>'</script>"


@pytest.fixture
def browser() -> Iterator[Browser]:
    pytest.importorskip("playwright", reason="playwright is not here: pip install 'pagestrata[render]'")
    try:
        find_browser(None)
    except UsageError:
        pytest.skip("no Chromium here: apt-get install chromium")
    with Browser(OPEN, DrawLimits(nodes=5_000, size=100_000), at_once=2) as running:
        yield running


def test_each_record_is_drawn_or_a_row_with_a_reason(browser: Browser, tmp_path: Path) -> None:
    pages = tmp_path / "in"
    pages.mkdir()
    (pages / "a.html").write_text(BY_SCRIPT)
    os.mkfifo(pages / "b.html")  # reading it waits for ever
    (pages / "c.html").write_text("<p>words<script>document.write('<i></i>'.repeat(9000))</script>")
    (pages / "d.html").write_text("<p>words</p>" * 10_000)
    (pages / "e.html").write_bytes(b"%PDF-1.7 not a page")
    (pages / "f.jsonl").write_text(json.dumps({"html": BY_SCRIPT}) + "\n{broken\n")
    (pages / "g.warc").write_bytes(record(response(BY_SCRIPT.encode()), url="https://tea.example/"))
    manifest = run(Batch((str(pages),), tmp_path / "out", workers=2, browser=browser))
    assert Counts(records=8, rows=3, quarantined=5) == manifest.counts
    assert manifest.plan.render
    assert all(WORDS.strip() in str(row["text"]) for row in rows_of(tmp_path / "out"))
    told = [(row["stage"], str(row["detail"])) for row in rows_of(tmp_path / "out" / "quarantine")]
    assert ["draw", "draw", "draw", "draw", "read"] == [stage for stage, _ in told]
    for expected, (_, detail) in zip(("not a file", "nodes", "more than 100,000 bytes", "PDF"), told, strict=False):
        assert expected in detail


def test_records_of_an_archive_reach_nobody_and_those_of_the_web_get_their_scripts(tmp_path: Path) -> None:
    script = f"m.innerHTML='<p>{WORDS}</p>'"
    pages = {"/a.html": "<main id=m></main><script src=own.js></script>", "/own.js": script}
    with Ears() as ears, site(pages) as web:
        address = f"http://127.0.0.1:{web.port}/a.html"
        saved = f"<p>{WORDS}<img src=http://127.0.0.1:{ears.port}/><script src=http://127.0.0.1:{ears.port}/></script>"
        (tmp_path / "saved.warc.gz").write_bytes(packed(record(response(saved.encode()), url=address)))
        policy = AddressPolicy(allow=(f"127.0.0.1:{web.port}",))
        with Browser(OPEN, policy=policy) as browser:
            inputs = (str(tmp_path / "saved.warc.gz"), address)
            run(Batch(inputs, tmp_path / "out", policy=policy, delay=0.0, browser=browser))
    assert [] == ears.heard
    assert [WORDS.strip()] * 2 == [str(row["text"]).strip() for row in rows_of(tmp_path / "out")]


def test_a_run_that_drew_is_resumed_only_so(browser: Browser, tmp_path: Path) -> None:
    page = tmp_path / "a.html"
    page.write_text(article(1))
    run(Batch((str(page),), tmp_path / "out", browser=browser))
    with pytest.raises(UsageError, match="begun with render = True, not False"):
        run(Batch((str(page),), tmp_path / "out", resume=True))


def test_a_browser_that_is_not_there_is_told_before_anything_is_written(tmp_path: Path) -> None:
    page = tmp_path / "a.html"
    page.write_text(article(1))
    with Browser(Launch("/nowhere/chromium", sandbox=False)) as browser, pytest.raises(UsageError, match="no program"):
        run(Batch((str(page),), tmp_path / "out", browser=browser))
    assert not (tmp_path / "out").exists()
