"""`pagestrata learn https://host/`: a site learned from what it lists, over real HTTP on this machine."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from tests.cli.runs import Shell
from tests.inputs.web import Web, serving_pages

from pagestrata.work.site_listing import PER_SHAPE, sample_by_shape

MENU = "<nav><a href=/>Harbour</a> <a href=/posts/>All posts</a> <a href=/about>About the harbour office</a></nav>"
FOOTER = (
    "<footer><p>The harbour office is open on weekdays from nine to five, and on Sundays by appointment.</p></footer>"
)


def post(number: int, kind: str) -> bytes:
    text = "".join(
        f"<p>In {kind} {number} we tell of boat {number}{line}, which came home with {line + number} crates.</p>"
        for line in range(8)
    )
    return f"<title>{kind} {number}</title>{MENU}<article><h1>{kind} {number}</h1>{text}</article>{FOOTER}".encode()


def sitemap(paths: list[str]) -> bytes:
    return f"<urlset>{''.join(f'<url><loc>{{here}}{path}</loc></url>' for path in paths)}</urlset>".encode()


POSTS = [f"/posts/story-{number}" for number in range(40)]
BOATS = [f"/boats/{number}/plan-{number}" for number in range(20)]
PAGES: dict[str, bytes | int | str] = {
    **{path: post(number, "story") for number, path in enumerate(POSTS)},
    **{path: post(number, "boat") for number, path in enumerate(BOATS)},
}


@pytest.fixture(scope="module")
def by_sitemap() -> Iterator[Web]:
    listed = sitemap([*POSTS, *BOATS, "/price-list.pdf", "/secret/plan"])
    elsewhere = b"<urlset><url><loc>https://other.example/posts/x</loc></url></urlset>"
    pages = {
        **PAGES,
        "/": b"<title>Harbour</title><p>Welcome",
        "/robots.txt": b"User-agent: *\nDisallow: /secret\nDisallow: /posts/story-0\nSitemap: {here}/index.xml\n",
        "/index.xml": b"<sitemapindex><sitemap><loc>{here}/a.xml</loc></sitemap>"
        b"<sitemap><loc>{here}/b.xml</loc></sitemap></sitemapindex>",
        "/a.xml": listed,
        "/b.xml": elsewhere,
    }
    with serving_pages(pages) as web:
        yield web


def test_a_dozen_pages_of_each_form_of_address_are_learned(tmp_path: Path, by_sitemap: Web) -> None:
    shell = Shell(tmp_path)
    result = shell.invoke("learn", by_sitemap.url("/"), "--allow-address", by_sitemap.allowed, "--delay", 0)
    assert 0 == result.exit_code, (result.output, result.exception)
    asked = by_sitemap.paths
    counts = {folder: sum(path.startswith(folder) for path in asked) for folder in ("/posts/", "/boats/")}
    assert {"/posts/": PER_SHAPE - 1, "/boats/": PER_SHAPE} == counts  # one story is forbidden
    assert not [path for path in asked if path.startswith("/secret") or path.endswith(".pdf")]
    assert f"left out {by_sitemap.url('/posts/story-0')}: robots.txt forbids it" in result.stderr
    assert "127.0.0.1: 23 pages" in result.stdout
    model = shell.store.load("127.0.0.1")
    assert model is not None
    assert "harbour office is open" not in model.extract(post(99, "story")).text


def test_fewer_pages_are_spread_over_the_forms(tmp_path: Path, by_sitemap: Web) -> None:
    before = len(by_sitemap.paths)
    Shell(tmp_path).output(
        "learn", by_sitemap.url("/"), "-k", 6, "--allow-address", by_sitemap.allowed, "--delay", 0, "-q"
    )
    asked = by_sitemap.paths[before:]
    assert 3 == sum(path.startswith("/boats/") for path in asked)


def test_requests_to_a_host_wait_for_each_other(tmp_path: Path) -> None:
    pages = {**PAGES, "/": b"<p>Hi", "/sitemap.xml": sitemap(POSTS[:3])}
    with serving_pages(pages) as web:
        Shell(tmp_path).output("learn", web.url("/"), "--allow-address", web.allowed, "--delay", 0.1, "-q")
        times = [at for path, at in web.asked if path.startswith("/posts")]
    assert 3 == len(times)
    assert all(later - earlier >= 0.09 for earlier, later in pairwise(times))


def test_a_site_without_sitemap_is_learned_from_its_feed(tmp_path: Path) -> None:
    items = "".join(f"<item><link>{{here}}{path}</link></item>" for path in POSTS[:5])
    home = b"<link rel=alternate type=application/rss+xml href=/feed.xml><p>Welcome"
    pages = {**PAGES, "/": home, "/feed.xml": f"<rss><channel>{items}</channel></rss>".encode()}
    with serving_pages(pages) as web:
        told = Shell(tmp_path).output("learn", web.url("/"), "--allow-address", web.allowed, "--delay", 0)
    assert told.startswith("127.0.0.1: 5 pages")


def test_a_site_that_lists_nothing_is_an_error(tmp_path: Path) -> None:
    with serving_pages({"/": b"<p>Welcome"}) as web:
        code, told = Shell(tmp_path).refusal("learn", web.url("/"), "--allow-address", web.allowed, "--delay", 0)
    assert (3, True) == (code, "has neither a sitemap nor a feed" in told)


def test_a_site_that_lists_other_sites_only_is_an_error(tmp_path: Path) -> None:
    listed = b"<urlset><url><loc>https://other.example/posts/x</loc></url></urlset>"
    with serving_pages({"/": b"<p>Welcome", "/sitemap.xml": listed}) as web:
        code, told = Shell(tmp_path).refusal("learn", web.url("/"), "--allow-address", web.allowed, "--delay", 0)
    assert (3, True) == (code, told.endswith("lists pages of other sites only: other.example"))


def test_an_address_that_cannot_be_fetched_is_named(tmp_path: Path) -> None:
    with serving_pages({"/": b"<p>Welcome"}) as web:
        missing = Shell(tmp_path).run("learn", web.url("/none"), "--allow-address", web.allowed)
    silent = Shell(tmp_path).run("learn", web.url("/none"), "--allow-address", web.allowed)
    assert (3, f"pagestrata: {web.url('/none')}: HTTP status 404\n") == (missing.returncode, missing.stderr)
    assert f"pagestrata: {web.url('/none')}: {web.allowed} does not answer\n" == silent.stderr


def test_the_most_frequent_forms_are_sampled_evenly() -> None:
    addresses = [f"https://a.example/{folder}/page-{n}" for folder in "abcdefg" for n in range(30 - ord(folder) % 10)]
    sample = sample_by_shape(addresses)
    assert 5 * PER_SHAPE == len(sample) == len({*sample})
    assert 5 == len({address.split("/")[3] for address in sample[:5]})
