"""A redesign is reported after a few pages, a stable site never is."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from pagestrata import Page, parse
from pagestrata.evaluate.datasets import read_dataset
from pagestrata.page.raw import RawPage
from pagestrata.sites.learn import learn
from pagestrata.sites.model import SiteModel
from tests.sites.test_learn import DAY, article, pages, prose


def redesigned(seed: int) -> Page:
    """A page of the same site after a redesign."""
    return parse(
        f"<html lang=en><title>Story {seed}</title><main><section><nav><a href=/>Home</a></nav></section><article>"
        f"<header><h1>Story {seed}</h1></header><section><p>{prose(seed)}<p>{prose(seed + 1)}</section></article>"
        "</main>"
        "<footer><section><p>The harbour office, since 1911</section></footer>",
        f"https://harbour.example/s{seed}",
    )


def listing(seed: int) -> Page:
    rows = "".join(f"<tr><td>{prose(seed + n, 3)}<td>{prose(seed + n + 1, 3)}" for n in range(9))
    return parse(
        f"<body><main><section><table>{rows}</table></section></main>", f"https://harbour.example/list/{seed}/"
    )


@pytest.fixture(scope="module")
def model() -> SiteModel:
    return learn(pages(8), day=DAY)


def test_a_redesign_is_reported_after_five_pages(model: SiteModel) -> None:
    reports = []
    for seed in range(20, 26):
        model = model.update(redesigned(seed))
        reports.append(model.drift())
    assert [None] * 4 == reports[:4]
    assert reports[4] == (
        "relearn harbour.example: 5 of the last 5 pages fit no layout that was learned, as after a redesign"
    )
    assert SiteModel.from_bytes(model.to_bytes()).drift() == reports[5]
    assert reports[5] in model.extract(redesigned(30)).warnings


def test_a_site_that_is_learned_again_has_no_drift() -> None:
    assert learn([redesigned(seed) for seed in range(20, 26)], day=DAY).drift() is None


def test_pages_of_the_learned_layouts_are_no_drift(model: SiteModel) -> None:
    for seed in range(40, 55):
        model = model.update(parse(article(seed, comments=seed % 3)))
        assert model.drift() is None


def test_some_pages_of_a_new_layout_are_no_drift(model: SiteModel) -> None:
    for seed in range(40, 55):
        model = model.update(redesigned(seed) if seed % 2 else parse(article(seed)))
        assert model.drift() is None


def test_a_layout_that_stops_coming_is_reported() -> None:
    model = learn([*pages(6), *(listing(seed) for seed in range(60, 66))], day=DAY)
    assert 2 == len(model.clusters)
    assert all(len(cluster.distances) == 6 for cluster in model.clusters)
    reports = []
    for seed in range(20, 30):
        model = model.update(parse(article(seed), f"https://harbour.example/s{seed}"))
        reports.append(model.drift())
    assert [None] * 8 == reports[:8]
    assert (
        "relearn harbour.example: none of the last 9 pages fits layout-2, which 6 of 12 pages learned from had"
        in reports
    )


def test_a_growing_distance_is_reported(model: SiteModel) -> None:
    [cluster] = model.clusters
    far = replace(model, clusters=(replace(cluster, recent=(0.1, 0.4, 0.5, 0.4, 0.4)),))
    assert "relearn layout-1: the last 5 pages are at a distance of 0.40" in (far.drift() or "")
    assert replace(model, clusters=(replace(cluster, recent=(0.4, 0.2, 0.1, 0.2, 0.4)),)).drift() is None


def test_redesigns_of_real_sites_are_reported() -> None:
    """Needs the data set big9: ten pages of each of four years of a site."""
    if not (Path(os.environ.get("PAGESTRATA_DATA", "")) / "big9").is_dir():
        pytest.skip("real pages are not here: set PAGESTRATA_DATA to a folder that holds big9/")
    sites = {site.name: site for site in read_dataset("big9").sites}
    earlier, later = (
        [RawPage(page.read(), url=page.url) for page in sites[name].pages] for name in ("bbc-2009", "bbc-2013")
    )
    model = learn([parse(page) for page in earlier[:5]], site="bbc", day=DAY)
    for page in earlier[5:]:
        model = model.update(page)
        assert model.drift() is None
    for page in later[:10]:
        model = model.update(page)
    assert "redesign" in (model.drift() or "")
