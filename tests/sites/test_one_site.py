"""Which pages are one site, when nobody says so."""

from dataclasses import replace

import pytest

from pagestrata import Page, parse
from pagestrata.errors import UsageError
from pagestrata.sites.match import choose_cluster
from pagestrata.sites.one_site import MIN_PAGES, learn_one_site, surely_fits
from tests.build import ROOT

SITE = ROOT / "examples" / "site"
ARTICLES = [parse(path.read_bytes()) for path in sorted((SITE / "articles").glob("*.html"))]
OTHERS = [
    parse((SITE / name).read_bytes()) for name in ("docs/reference.html", "forum/thread.html", "shop/product.html")
]

FRONT = parse((SITE / "index.html").read_bytes())


def at(pages: list[Page], *hosts: str) -> list[Page]:
    """The pages as if they were from these hosts, in turns."""
    places = (f"https://{hosts[i % len(hosts)]}/{i}.html" if hosts[i % len(hosts)] else None for i in range(len(pages)))
    return [replace(page, url=place) for page, place in zip(pages, places, strict=True)]


def refusal(pages: list[Page]) -> str:
    with pytest.raises(UsageError) as refused:
        learn_one_site(pages, "folder")
    return str(refused.value)


def test_pages_of_one_host_are_one_site() -> None:
    model = learn_one_site(at(ARTICLES, "tidewater.example"), "folder")
    assert ("tidewater.example", [10]) == (model.site, [cluster.pages for cluster in model.clusters])


def test_hosts_below_another_and_pages_that_do_not_tell_belong_to_it() -> None:
    model = learn_one_site(at(ARTICLES, "www.tidewater.example", "", "blog.tidewater.example"), "folder")
    assert 10 == sum(cluster.pages for cluster in model.clusters)


def test_pages_of_several_hosts_are_not_and_the_hosts_are_named() -> None:
    assert "the pages are of different sites: b.example (4), a.example (3), c.example (3)" == refusal(
        at(ARTICLES, "b.example", "a.example", "c.example")
    )
    assert refusal(at(ARTICLES, "a.example", "b.example", "c.example", "d.example")).endswith("(2), …")


def test_few_pages_are_too_few() -> None:
    assert f"2 pages are too few, {MIN_PAGES} are needed" == refusal(ARTICLES[:2])
    assert "0 pages are too few" in refusal([])


def test_pages_without_hosts_are_one_site_if_most_are_laid_out_alike() -> None:
    model = learn_one_site(at(ARTICLES + OTHERS, ""), "folder")
    assert ("folder", [10]) == (model.site, [cluster.pages for cluster in model.clusters])
    assert "several layouts" in refusal(at(ARTICLES[:3] + OTHERS, ""))


def test_layouts_of_few_pages_are_not_learned() -> None:
    model = learn_one_site(at(ARTICLES[:4] + OTHERS, "tidewater.example"), "folder")
    assert [4] == [cluster.pages for cluster in model.clusters]
    assert "no 3 of 5 pages have the same layout" == refusal(at(ARTICLES[:2] + OTHERS, "tidewater.example"))


def test_a_front_page_that_comes_first_divides_nothing() -> None:
    model = learn_one_site(at([FRONT, *ARTICLES], "tidewater.example"), "folder")
    assert [10] == [cluster.pages for cluster in model.clusters]


def test_only_pages_of_a_learned_layout_surely_fit() -> None:
    model = learn_one_site(at(ARTICLES[:5], "tidewater.example"), "folder")
    assert [True] * 5 == [surely_fits(choose_cluster(model, page)) for page in ARTICLES[5:]]
    assert [False] * 3 == [surely_fits(choose_cluster(model, page)) for page in OTHERS]


def test_the_same_pages_give_the_same_model() -> None:
    pages = at(ARTICLES + OTHERS, "tidewater.example")
    assert learn_one_site(pages, "folder", "2026-11-15") == learn_one_site(pages, "folder", "2026-11-15")
