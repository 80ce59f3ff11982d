"""`pagestrata links`, `feeds` and `sitemap`: what a page and a site name."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.cli.runs import Shell
from tests.inputs.web import Web, serving_pages

HOME = b"""<link rel=alternate type=application/rss+xml href=/feed.xml><link rel="alternate" type="text/html" href=/de>
<nav><a href=/about>About</a> <a href=https://other.example/>Other</a> <a href=/about>Again</a></nav>
<p><a href="mailto:a@b.example">mail</a> <a href="javascript:x">no</a> <a href=/tea?x=1>Tea  time</a>"""
FEED = b"<rss><channel><item><link>{here}/one</link></item><item><link>{here}/two</link></item></channel></rss>"
INDEX = b"<sitemapindex><sitemap><loc>{here}/a.xml</loc><sitemap><loc>{here}/gone.xml</loc></sitemapindex>"
PAGES = b"<urlset><url><loc>{here}/blog/1</loc></url><url><loc>{here}/about</loc></url></urlset>"


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path)


@pytest.fixture(scope="module")
def web() -> Iterator[Web]:
    pages = {
        "/": HOME,
        "/feed.xml": FEED,
        "/robots.txt": b"User-agent: *\nDisallow: /private\nSitemap: {here}/index.xml\nsitemap: /private/x.xml\n",
        "/index.xml": INDEX,
        "/a.xml": PAGES,
    }
    with serving_pages(pages) as web:
        yield web


def test_links_are_listed_once_and_absolute(shell: Shell, web: Web) -> None:
    told = shell.output("links", web.url("/"), "--allow-address", web.allowed)
    assert [web.url("/about"), "https://other.example/", web.url("/tea?x=1")] == told.splitlines()
    told = shell.output("links", web.url("/"), "--allow-address", web.allowed, "--same-site", "--with-text")
    assert [f"{web.url('/about')}\tAbout", f"{web.url('/tea?x=1')}\tTea time"] == told.splitlines()


def test_addresses_are_filtered(shell: Shell, web: Web) -> None:
    arguments = ("links", web.url("/"), "--allow-address", web.allowed, "--include", "127", "--exclude", r"\?")
    assert [web.url("/about")] == shell.output(*arguments).splitlines()
    code, told = shell.refusal(*arguments, "--include", "(")
    assert (2, True) == (code, told.startswith("'(' is no regular expression"))


def test_relative_links_say_what_is_missing(shell: Shell) -> None:
    (shell.folder / "a.html").write_bytes(HOME)
    done = shell.run("links", shell.folder / "a.html")
    assert ["/about", "https://other.example/", "/tea?x=1"] == done.stdout.splitlines()
    assert "2 relative: the address of the page is not known, give it with --url\n" == done.stderr
    told = shell.output("links", shell.folder / "a.html", "--url", "https://tea.example/x/")
    assert "https://tea.example/about" == told.splitlines()[0]


def test_links_of_the_content_only(shell: Shell) -> None:
    page = f"<nav><a href=/x>Menu</a></nav><article><p>{'Warm the pot. ' * 30}<a href=/cups>cups</a></p></article>"
    (shell.folder / "a.html").write_text(page)
    told = shell.output("links", shell.folder / "a.html", "--content", "--url", "https://tea.example/")
    assert ["https://tea.example/cups"] == told.splitlines()


def test_feeds_and_their_pages(shell: Shell, web: Web) -> None:
    options = ("--allow-address", web.allowed, "--delay", 0)
    assert [web.url("/feed.xml")] == shell.output("feeds", web.url("/"), *options).splitlines()
    pages = [web.url("/one"), web.url("/two")]
    assert pages == shell.output("feeds", web.url("/"), "--pages", *options).splitlines()
    assert pages == shell.output("feeds", web.url("/feed.xml"), "--pages", *options).splitlines()
    assert [web.url("/feed.xml")] == shell.output("feeds", web.url("/feed.xml"), *options).splitlines()


def test_a_page_without_feeds_says_so(shell: Shell) -> None:
    (shell.folder / "a.html").write_text("<p>Tea")
    assert (3, f"{shell.folder / 'a.html'} names no feed") == shell.refusal("feeds", shell.folder / "a.html")


def test_sitemaps_are_found_by_robots_and_followed(shell: Shell, web: Web) -> None:
    options = ("--allow-address", web.allowed, "--delay", 0)
    result = shell.invoke("sitemap", web.url("/"), *options)
    assert [web.url("/blog/1"), web.url("/about"), web.url("/gone.xml")] == sorted(
        result.stdout.splitlines(), key=[web.url("/blog/1"), web.url("/about"), web.url("/gone.xml")].index
    )
    assert f"{web.url('/private/x.xml')}: robots.txt forbids it" in result.stderr
    told = shell.output("sitemap", web.url("/a.xml"), *options, "--include", "/blog/")
    assert [web.url("/blog/1")] == told.splitlines()


def test_a_site_without_sitemaps_says_so(shell: Shell, web: Web) -> None:
    options = ("--allow-address", web.allowed, "--delay", 0)
    assert (3, f"no pages in the sitemaps of {web.url('/nowhere.xml')}") == shell.refusal(
        "sitemap", web.url("/nowhere.xml"), *options
    )
    assert 2 == shell.refusal("sitemap", "example.org")[0]


def test_only_public_addresses_are_fetched(shell: Shell, web: Web) -> None:
    assert 3 == shell.refusal("links", web.url("/"))[0]
    code, told = shell.refusal("sitemap", web.url("/a.xml"))
    advice = "only public addresses are fetched, --allow-address permits others"
    refused = f"{web.url('/a.xml')}: the address is refused; {advice}"
    assert (3, True) == (code, refused in shell.invoke("sitemap", web.url("/a.xml")).stderr)
    assert f"no pages in the sitemaps of {web.url('/a.xml')}" == told
