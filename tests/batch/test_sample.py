"""Learning on the way: the sample, and what is done with it."""

import hashlib
import json
import random
from dataclasses import replace
from pathlib import Path

import pytest

from pagestrata.batch.definition import Batch
from pagestrata.batch.run import run
from pagestrata.batch.sample import PageKey, Spool, sampled
from pagestrata.page.raw import RawPage
from pagestrata.sites.store import Store
from pagestrata.work.job import Job
from tests.batch.corpus import article, rows_of


def offer(spool: Spool, site: str, markup: bytes) -> None:
    spool.offer(PageKey(site, hashlib.sha256(markup).digest()), Job("x", page=RawPage(markup, f"https://{site}/")))


def test_the_sample_is_the_smallest_digests_whatever_the_order(tmp_path: Path) -> None:
    pages = [b"<p>%d" % number for number in range(200)]
    expected = sorted(pages, key=lambda markup: hashlib.sha256(markup).digest())[:5]
    for seed in range(3):
        spool = Spool(tmp_path / f"{seed}.db", 5)
        random.Random(seed).shuffle(pages)
        for markup in (*pages, *pages[:50]):  # some twice: one page is one page
            offer(spool, "tea.example", markup)
        offer(spool, "", b"nobody knows where from")
        spool.close()
        assert expected == [raw.markup for raw in sampled(tmp_path / f"{seed}.db", "tea.example")]


def test_sites_with_one_page_are_not_learned(tmp_path: Path) -> None:
    spool = Spool(tmp_path / "a.db", 5)
    for site, markup in (("b.example", b"1"), ("a.example", b"2"), ("b.example", b"3"), ("b.example", b"3")):
        offer(spool, site, markup)
    assert ["b.example"] == spool.sites()
    spool.close()


@pytest.fixture(scope="module")
def two_sites(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sites") / "in"
    for site in ("tea.example", "mud.example"):
        (folder / site).mkdir(parents=True)
        for number in range(6):
            link = f'<link rel="canonical" href="https://{site}/{number}">'
            page = article(number, site).replace("<nav>", f"{link}<nav>")
            (folder / site / f"{number}.html").write_text(page)
    (folder / "alone.html").write_text(article(9))
    return folder


def test_pages_are_read_with_the_model_of_their_site(two_sites: Path, tmp_path: Path) -> None:
    manifest = run(Batch((str(two_sites),), tmp_path / "out", learn=4, workers=2))
    assert manifest.learned is not None
    assert (2, 0) == (manifest.learned.sites, manifest.learned.failed)
    assert [("mud.example", 4), ("tea.example", 4)] == [
        (row.name, row.pages) for row in Store(tmp_path / "out" / "sites.db").sites()
    ]
    methods = {str(row["source"]).rpartition("/")[2]: row["method"] for row in rows_of(tmp_path / "out")}
    assert "engine" == methods.pop("alone.html")
    assert {"site"} == set(methods.values())


def test_learning_twice_gives_the_same_digest(two_sites: Path, tmp_path: Path) -> None:
    batch = Batch((str(two_sites),), tmp_path / "1", learn=3, workers=2)
    assert run(batch).learned == run(replace(batch, folder=tmp_path / "2", workers=1)).learned


def test_a_site_that_cannot_be_learned_is_told_of_and_its_pages_are_read_anyway(tmp_path: Path) -> None:
    lines = [json.dumps({"html": f"<!-- {number} -->", "url": "https://void.example/"}) for number in range(3)]
    (tmp_path / "in.jsonl").write_text("\n".join(lines))
    manifest = run(Batch((str(tmp_path / "in.jsonl"),), tmp_path / "out", learn=5))
    assert manifest.learned is not None
    assert (0, 1) == (manifest.learned.sites, manifest.learned.failed)
    [told] = rows_of(tmp_path / "out" / "quarantine", "learn.jsonl")
    assert ("void.example", "exception") == (told["source"], told["reason"])
    assert 3 == manifest.counts.rows
