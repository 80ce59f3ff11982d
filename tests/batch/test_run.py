"""Runs: all records accounted for, and the same files however often a run was broken off."""

import os
import random
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest
from pyarrow import parquet

import pagestrata.batch.run
import pagestrata.batch.sample
from pagestrata.batch.definition import Batch
from pagestrata.batch.manifest import JOURNAL, Counts, read_manifest
from pagestrata.batch.run import run
from pagestrata.errors import SelectorError, UsageError
from pagestrata.options import Options
from pagestrata.work.guard import GuardLimits
from pagestrata.work.rows import Reading
from tests.batch.corpus import article, make_corpus, rows_of, run_and_kill, snapshot, start, watch_memory, write_stream
from tests.batch.inline import InlineGuard
from tests.inputs.web import serving_pages


class Killed(BaseException):
    """Stands for signal 9: nothing of ours catches it."""


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corpus") / "in"
    make_corpus(folder)
    return folder


@pytest.fixture
def inline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pagestrata.batch.run, "Guard", InlineGuard)
    monkeypatch.setattr(pagestrata.batch.sample, "Guard", InlineGuard)


def batch_of(corpus: Path, folder: Path, **settings: object) -> Batch:
    return replace(Batch((str(corpus),), folder, shard_records=7), **settings)  # type: ignore[arg-type]


def test_records_in_are_rows_out_and_quarantined(corpus: Path, tmp_path: Path) -> None:
    manifest = run(batch_of(corpus, tmp_path / "out", workers=2))
    assert Counts(records=51, rows=48, quarantined=3, skipped=13) == manifest.counts
    assert (True, 8) == (manifest.complete, manifest.shards)
    assert manifest == read_manifest(tmp_path / "out")
    rows, bad = rows_of(tmp_path / "out"), rows_of(tmp_path / "out" / "quarantine")
    assert (48, 3) == (len(rows), len(bad))
    assert [7] * 7 + [2] == [
        sum(each["source"] in names for each in (*rows, *bad)) for names in _sources_by_shard(tmp_path / "out")
    ]


def _sources_by_shard(folder: Path) -> Iterator[set[object]]:
    for part in sorted(folder.glob("part-*.jsonl")):
        yield {row["source"] for where in (folder, folder / "quarantine") for row in rows_of(where, part.name)}


def test_workers_do_not_change_a_byte(corpus: Path, tmp_path: Path) -> None:
    for workers in (1, 3):
        run(batch_of(corpus, tmp_path / str(workers), workers=workers))
    assert snapshot(tmp_path / "1") == snapshot(tmp_path / "3")


@pytest.mark.usefixtures("inline")
@pytest.mark.parametrize(
    "settings", [{}, {"reading": Reading(form="parquet")}, {"learn": 3}], ids=["lines", "parquet", "learning"]
)
def test_a_run_killed_at_any_write_goes_on_as_if_it_had_not_been(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: dict[str, object]
) -> None:
    whole = batch_of(corpus, tmp_path / "whole", shard_records=30, **settings)
    run(whole)
    expected = _without_models(whole.folder)
    kills = 0
    for kills in count():
        broken = replace(whole, folder=tmp_path / str(kills), resume=True)
        with monkeypatch.context() as patched:
            _die_at(patched, kills)
            with suppress(Killed):
                run(broken)
                break
        run(broken)
        assert expected == _without_models(broken.folder)
    assert kills > 15


def _without_models(folder: Path) -> dict[str, bytes]:
    """A database is not the same byte for byte; the digest in the manifest says what is in it."""
    return {name: data for name, data in snapshot(folder).items() if name != "sites.db"}


def _die_at(patched: pytest.MonkeyPatch, number: int) -> None:
    """Let the n-th attempt to sync or rename a file be the last thing that happens."""
    calls = count()

    def dying(call: Callable[..., object]) -> Callable[..., object]:
        def die_or_call(*arguments: object) -> object:
            if next(calls) == number:
                raise Killed
            return call(*arguments)

        return die_or_call

    for name in ("fsync", "replace"):
        patched.setattr(os, name, dying(getattr(os, name)))


def test_a_run_killed_at_random_moments_goes_on_as_if_it_had_not_been(tmp_path: Path) -> None:
    corpus = tmp_path / "in"
    make_corpus(corpus, pages=60)  # work for many times the longest moment, however quick the machine
    run(batch_of(corpus, tmp_path / "whole", shard_records=3, workers=2))
    chance = random.Random(5)
    moments = [chance.uniform(0, 0.05) for _ in range(5)]
    kills = run_and_kill((corpus, "--shard", 3, "-j", 2), tmp_path / "broken", moments)
    assert 5 == kills
    assert snapshot(tmp_path / "whole") == snapshot(tmp_path / "broken")


@pytest.mark.usefixtures("inline")
def test_a_journal_that_was_cut_off_or_a_part_that_is_gone_is_made_again(corpus: Path, tmp_path: Path) -> None:
    batch = batch_of(corpus, tmp_path / "out")
    run(batch)
    whole = snapshot(batch.folder)
    journal = batch.folder / JOURNAL
    journal.write_bytes(journal.read_bytes()[:-30])
    (batch.folder / "part-00005.jsonl").unlink()
    run(replace(batch, resume=True))
    assert whole == snapshot(batch.folder)


@pytest.mark.usefixtures("inline")
def test_a_part_that_was_damaged_at_equal_length_is_made_again(corpus: Path, tmp_path: Path) -> None:
    batch = batch_of(corpus, tmp_path / "out")
    run(batch)
    whole = snapshot(batch.folder)
    part = batch.folder / "part-00002.jsonl"
    part.write_bytes(part.read_bytes().replace(b"e", b"E", 1))
    run(replace(batch, resume=True))
    assert whole == snapshot(batch.folder)


@pytest.mark.usefixtures("inline")
def test_inputs_that_are_not_utf8_are_refused_by_name(tmp_path: Path) -> None:
    page = tmp_path / os.fsdecode(b"caf\xe9.html")
    page.write_bytes(article(1).encode())
    with pytest.raises(UsageError, match=r"caf\\udce9.html' is not UTF-8"):
        run(batch_of(page, tmp_path / "out"))


@pytest.mark.usefixtures("inline")
def test_a_complete_run_is_not_run_again(corpus: Path, tmp_path: Path) -> None:
    batch = batch_of(corpus, tmp_path / "out")
    first = run(batch)
    written = (batch.folder / "part-00000.jsonl").stat().st_mtime_ns
    assert first == run(replace(batch, resume=True))
    assert written == (batch.folder / "part-00000.jsonl").stat().st_mtime_ns


@pytest.mark.usefixtures("inline")
def test_a_run_goes_on_only_as_it_began(corpus: Path, tmp_path: Path) -> None:
    batch = batch_of(corpus, tmp_path / "out")
    run(batch)
    with pytest.raises(UsageError, match="there is a run in"):
        run(batch)
    for other, name in (
        ({"reading": Reading(Options(bias=0.5))}, "bias"),
        ({"inputs": (str(corpus / "a"),)}, "inputs"),
        ({"shard_records": 8}, "shard_records"),
        ({"learn": 3}, "learn"),
    ):
        with pytest.raises(UsageError, match=f"begun with {name} = "):
            run(replace(batch, resume=True, **other))


@pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")
def test_memory_does_not_grow_with_the_input(tmp_path: Path) -> None:
    pages = write_stream(tmp_path / "in.jsonl", 60)
    process = start(tmp_path / "in.jsonl", "-o", tmp_path / "out", "--shard", 30, "-j", 2, "--quiet")
    seen = watch_memory(process, tmp_path / "out")
    assert ("", 0) == (process.communicate()[1], process.returncode)
    assert pages == len(rows_of(tmp_path / "out"))
    early = max(own for shards, own, _ in seen if shards <= 2)
    late = max(own for _, own, _ in seen)
    assert late - early < 16  # MiB: what is read ahead, for 40 MB that came in between


@pytest.mark.usefixtures("inline")
def test_parts_that_nobody_vouches_for_are_not_mixed_with_new_ones(corpus: Path, tmp_path: Path) -> None:
    batch = batch_of(corpus, tmp_path / "out", resume=True)
    run(batch)
    (batch.folder / "manifest.json").unlink()
    with pytest.raises(UsageError, match="parts of another run"):
        run(batch)


def test_what_every_page_would_fail_with_is_said_at_once(corpus: Path, tmp_path: Path) -> None:
    with pytest.raises(SelectorError):
        run(batch_of(corpus, tmp_path / "out", reading=Reading(Options(keep=("]]",)))))
    with pytest.raises(UsageError, match="in a folder that is read"):
        run(batch_of(corpus, corpus / "out"))
    assert not (corpus / "out").exists()


def test_one_run_at_a_time(corpus: Path, tmp_path: Path) -> None:
    from pagestrata.batch.manifest import Journal

    (tmp_path / "out").mkdir()
    held = Journal(tmp_path / "out")
    with pytest.raises(UsageError, match="another run is writing"):
        run(batch_of(corpus, tmp_path / "out"))
    held.close()


def test_a_page_that_hangs_is_a_row_with_a_reason(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.html").write_text(article(1))
    os.mkfifo(tmp_path / "in" / "b.html")  # reading it waits for ever
    (tmp_path / "in" / "c.html").write_text(article(2))
    manifest = run(batch_of(tmp_path / "in", tmp_path / "out", limits=GuardLimits(seconds=1.5)))
    assert (3, True) == (manifest.counts.records, manifest.complete)
    # on a loaded machine the other pages may take too long, too
    [row] = [row for row in rows_of(tmp_path / "out" / "quarantine") if str(row["source"]).endswith("b.html")]
    assert ("work", "deadline", "seconds=1.5") == (row["stage"], row["reason"], row["limit"])


@pytest.mark.usefixtures("inline")
def test_other_languages_are_counted(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for number, language in enumerate(("en", "de", "en-GB")):
        (tmp_path / "in" / f"{number}.html").write_text(article(number, language=language))
    manifest = run(batch_of(tmp_path / "in", tmp_path / "out", reading=Reading(languages=("en",))))
    assert Counts(records=3, rows=2, filtered=1) == manifest.counts


@pytest.mark.usefixtures("inline")
def test_parquet_holds_the_same_rows(corpus: Path, tmp_path: Path) -> None:
    run(batch_of(corpus, tmp_path / "lines"))
    run(batch_of(corpus, tmp_path / "table", reading=Reading(form="parquet")))
    table = parquet.ParquetDataset(sorted((tmp_path / "table").glob("*.parquet"))).read()
    fields = ["source", "text", "near_duplicate", "digest"]
    assert [{name: row[name] for name in fields} for row in rows_of(tmp_path / "lines")] == table.select(
        fields
    ).to_pylist()


@pytest.mark.usefixtures("inline")
def test_a_sitemap_is_fetched_once_and_its_pages_in_their_order(tmp_path: Path) -> None:
    names = [f"/{number}.html" for number in range(5)]
    pages: dict[str, bytes | int] = {name: article(number).encode() for number, name in enumerate(names)}
    pages["/robots.txt"] = b"User-agent: *\nDisallow: /2.html"
    pages["/index.xml"] = b"<sitemapindex><loc>{here}/map.xml</loc><loc>{here}/index.xml</loc><loc>{here}/no.xml</loc>"
    pages["/map.xml"] = b"<urlset>" + b"".join(b"<loc>{here}%s</loc>" % name.encode() for name in names)
    with serving_pages(pages) as web:
        batch = Batch((web.url("/index.xml"),), tmp_path / "out", policy=web.policy, delay=0.0)
        manifest = run(batch)
        assert [web.url(name) for name in names if name != "/2.html"] == [row["url"] for row in rows_of(batch.folder)]
        told = [(row["stage"], row["url"], row["detail"]) for row in rows_of(batch.folder / "quarantine")]
        assert [
            ("fetch", web.url("/2.html"), "robots.txt forbids it"),
            ("fetch", web.url("/no.xml"), "HTTP status 404"),
        ] == told
        assert Counts(records=6, rows=4, quarantined=2) == manifest.counts
        assert 1 == web.paths.count("/map.xml")
        assert "/2.html" not in web.paths


@pytest.mark.usefixtures("inline")
def test_a_feed_leads_to_its_items(tmp_path: Path) -> None:
    with serving_pages({"/1.html": article(1).encode()}) as web:
        feed = tmp_path / "feed.xml"
        feed.write_text(f"<rss><channel><item><link>{web.url('/1.html')}</link></item></channel></rss>")
        run(Batch((str(feed),), tmp_path / "out", policy=web.policy, delay=0.0))
        assert [web.url("/1.html")] == [row["source"] for row in rows_of(tmp_path / "out")]
