"""No reader of Markdown finds active content in what we write, nor a link or an image that the page does not have."""

import random
import re
from collections.abc import Iterator
from html import unescape
from html.parser import HTMLParser
from urllib.parse import unquote

import pytest
from tests.render.markdown_readers import READERS
from tests.test_badinputs import cases

from pagestrata import Extraction, Options, extract

URL = "https://example.org/a/b.html"
GENERATED, SEED = 400, 11
TOO_DEEP = ("nest_blockquote",)
"""Quotes in quotes: marko takes twice the time for each."""
LONGEST = 12_000
"""Characters of Markdown that a reader is given: some take minutes for a hundred thousand of the same sign."""
HARMLESS_TAGS = frozenset(
    "p h1 h2 h3 h4 h5 h6 ul ol li pre code blockquote hr br em strong del s a img table thead tbody tr th td dl dt dd "
    "sup section div".split()
)
HARMLESS_ATTRIBUTES = frozenset("href src alt title class id start align lang rel role".split())
HARMLESS_STYLES = frozenset(f"text-align:{side}" for side in ("left", "right", "center"))
SCHEMES = ("http", "https", "mailto", "tel")


class _Finder(HTMLParser):
    """Collects what a browser would run, and where it would go."""

    def __init__(self) -> None:
        super().__init__()
        self.active: list[str] = []
        self.targets: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        if tag == "input" and values.get("type") == "checkbox":
            return
        if tag not in HARMLESS_TAGS:
            self.active.append(f"<{tag}>")
        style = values.pop("style", "").replace(" ", "").rstrip(";")
        if style and style not in HARMLESS_STYLES:
            self.active.append(f"style={style}")
        self.active += [f"{tag} {name}" for name in values if name not in HARMLESS_ATTRIBUTES]
        self.targets += [values[name] for name in ("href", "src") if values.get(name)]


def strangers(extraction: Extraction, html: str) -> list[str]:
    """What is active in the HTML that a reader made, and its targets that are neither links nor words of the page."""
    finder = _Finder()
    finder.feed(html)
    words = unquote(unescape(f"{URL} {extraction.page.markup}")).lower().replace("\u00ad", "")  # as readers do in hosts
    return finder.active + [target for target in finder.targets if not _is_of_page(target, words)]


def _is_of_page(target: str, words: str) -> bool:
    """Whether a target has a harmless scheme, and its host stands in the page; one without a host, whether it does."""
    if target.startswith("#"):
        return True
    scheme, colon, rest = unquote(unescape(target.lower())).partition(":")
    if not colon:
        return scheme in words
    host = re.split(r"[/?#\\]", rest.lstrip("/").rpartition("@")[2])[0]
    return scheme in SCHEMES and (host in words or _in_letters(host) in words)


def _in_letters(host: str) -> str:
    """A host with the letters of its own script, which some readers write in ASCII."""
    labels = (label.partition("xn--") for label in host.split("."))
    return ".".join(code.encode().decode("punycode") if mark else plain for plain, mark, code in labels).lower()


# ----------------------------------------------------------------------------------------------------- made pages

POISONS = (
    "<img src=x onerror=alert(1)>",
    "http://a.example/<img src=x onerror=alert(1)>",
    "www.a.example/<script>alert(1)</script>",
    "me@a.example<svg onload=alert(1)>",
    "http://a.example/`<img src=x onerror=alert(1)>",
    "` `<img src=x onerror=alert(1)>",
    "``` <b onclick=alert(1)>",
    "~~~",
    "<javascript:alert(1)>",
    "[x](javascript:alert(1))",
    "![x](http://evil.example/)",
    "[a http://a.example/](javascript:alert(1))",
    "[a http://a.example/*](javascript:alert(1))*",
    "[x]: javascript:alert(1)",
    "[x]",
    "[^1]: <div onclick=alert(1)>",
    "[^1]",
    "x\\",
    "x\\](javascript:alert(1))",
    '" onclick="alert(1)',
    '") [x](javascript:alert(1) "',
    "</code></pre><script>alert(1)</script>",
    "<div onclick=alert(1)>",
    "<!-- --><script>alert(1)</script>",
    "<?php ?>",
    "<![CDATA[x]]>",
    "$x$",
    "$$",
    "$",
    "&lt;script>",
    "&#",
    "a &#; b;",
    "| a |",
    "---",
    "# x",
    "- x",
    "{onclick=alert(1)}",
    "x {: onclick=alert(1) }",
    "{: onclick=alert(1) }",
    "*[HTML]: <img src=x onerror=alert(1)>",
)
PLACES = (
    "<p>{}</p>",
    "<p>a {} <b>{}</b><i>{}</i> {}</p>",
    "<h2>{}</h2>",
    "<ul><li>{}<li><p>{}</p></ul>",
    "<blockquote>{}</blockquote>",
    "<p><a href='http://b.example/' title='{}'>{}</a></p>",
    "<p><img src='http://b.example/c.png' alt='{}' title='{}'></p>",
    "<p>{} <code>{}</code> {}</p>",
    "<pre>{}\n\n{}</pre>",
    "<table><tr><th>{}<th>a<tr><td>{}<td><code>{}</code></table>",
    "<dl><dt>{}<dd>{}</dl>",
    "<p>{}<br>{}</p>",
    "<p>a <script type=math/tex>{}</script> {}</p>",
    "<script type='math/tex; mode=display'>{}\n{}</script>",
    "<p><img src=d.png class=latex alt='{}'></p>",
    "<p>a<sup><a href=#n>1</a></sup> {}</p><ol><li id=n>{}</ol>",
    "<iframe src='http://b.example/player' title='{}'></iframe>",
    "<p>{}<code>{}</code>{}<b>{}</b><code>{}</code></p>",
    "<p>http:<span>//a.example/{}</span><code>{}</code></p>",
    "<p>http://a.example/<code>{}</code> www.a.example/<script type=math/tex>{}</script></p>",
    "<p><a href='http://b.example/'>!{} !<span>{}</span></a></p>",
)
NESTED_CODE = ("<ul><li>{}<pre>{}\n\n{}</pre></ul>", "<blockquote><pre>{}\n\n{}</pre></blockquote>")


def made_pages(places: tuple[str, ...]) -> Iterator[bytes]:
    """Pages of poisons in places, always the same."""
    chance = random.Random(SEED)
    for _ in range(GENERATED):
        body = "".join(_filled(chance, chance.choice(places)) for _ in range(4))
        title = _escaped(chance.choice(POISONS))
        yield f"<!DOCTYPE html><title>{title}</title><meta name=author content='{title}'><body>{body}".encode()


def _filled(chance: random.Random, place: str) -> str:
    is_raw = "<script" in place  # a script's text is not escaped
    fillings = [chance.choice(POISONS) for _ in range(place.count("{}"))]
    return place.format(*(each.replace("</script", "") if is_raw else _escaped(each) for each in fillings))


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("'", "&#39;")


def extractions(pages: Iterator[bytes], keep: tuple[str, ...] = ("body",)) -> list[Extraction]:
    return [extract(page, URL, Options(keep=keep, bias=1.0, metadata=True)) for page in pages]


@pytest.fixture(scope="module")
def made() -> list[Extraction]:
    return extractions(made_pages(PLACES))


@pytest.fixture(scope="module")
def with_nested_code() -> list[Extraction]:
    return extractions(made_pages(PLACES + NESTED_CODE))


@pytest.fixture(scope="module")
def broken() -> list[Extraction]:
    found = cases()
    if not found:
        pytest.skip("the maker of bad inputs is not beside the repository: ../shared/tools/badinputs")
    every = extractions((case["data"]() for case in found if case["id"] not in TOO_DEEP), keep=())
    return [each for each in every if len(each.markdown) <= LONGEST]


def check(extractions: list[Extraction], reader: str) -> None:
    answers = READERS[reader]([each.render("md") for each in extractions])
    pairs = zip(extractions, answers, strict=True)
    assert [] == [(each.markdown, found) for each, html in pairs if (found := strangers(each, html))]


@pytest.mark.parametrize("reader", READERS)
def test_poisons_stay_text_in_every_place(made: list[Extraction], reader: str) -> None:
    check(made, reader)


@pytest.mark.parametrize("reader", [name for name in READERS if name != "Python-Markdown"])
def test_code_in_lists_and_quotes_stays_code(with_nested_code: list[Extraction], reader: str) -> None:
    """Python-Markdown is left out: it knows fences at the start of a line only."""
    check(with_nested_code, reader)


BEFORE_CODE = (
    *(
        "http://a.example/",
        "www.a.example/",
        "<b>http://a.example/</b>",
        "http:<i></i>//a.example/",
        "http://a.example/<b>`</b>",
    ),
    *(
        "<p>a &amp;#; b;</p>",
        "<code>&amp;#</code> b; ",
        "<a href='http://a.example/?&amp;#'>a</a> b; ",
        "<p><img src=c alt='&amp;#'> b;</p>",
    ),
    *("<script type=math/tex>a &# b</script> c; ", "http://a.example/<script type=math/tex>`</script>"),
)


@pytest.mark.parametrize("reader", READERS)
def test_code_is_code_whatever_stands_before_it(reader: str) -> None:
    code = "<code>&lt;!-- -->&lt;script>alert(1)&lt;/script>&lt;img src=x onerror=alert(1)></code>"
    check(extractions(f"<p>{before}{code}</p><p>{code}</p>".encode() for before in BEFORE_CODE), reader)


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    "body",
    [
        "<table><tr><th>a<th>b<tr><td>c<td>{{<br>d {: onclick=alert(1) }</table>",
        "<p>a <b>b</b>{c {: onclick=alert(1) }</p>",
        "<p>a <b>b</b>{c <span>onclick=alert(1)</span>}</p>",
        "<script type='math/tex; mode=display'>a\n{: onclick=alert(1) }</script>",
        "<p>a <script type=math/tex>*b*{: ONclick = alert(1) }</script></p>",
        '<p>[a]<code>b ) [c](d "</code>[<b>e</b><code>f`g](javascript:alert(1))</code></p>',
        "<p>[a <code>b](javascript:alert(1))</code></p>",
    ],
)
def test_braces_and_brackets_stay_text(reader: str, body: str) -> None:
    check(extractions(iter([body.encode()])), reader)


@pytest.mark.parametrize("reader", READERS)
def test_the_text_of_a_link_holds_no_image(reader: str) -> None:
    texts = (
        "![x](javascript:alert(1))",
        "a !<span>[x](http://evil.example/)</span> b",
        "<img src=c alt='![x](javascript:a)'>",
    )
    check(extractions(f"<p><a href='http://b.example/'>{text}</a></p>".encode() for text in texts), reader)


@pytest.mark.parametrize("reader", READERS)
def test_broken_pages_are_inert(broken: list[Extraction], reader: str) -> None:
    check(broken, reader)
