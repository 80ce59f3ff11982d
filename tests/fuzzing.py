"""Made-up pages and options, and everything that is done with a page: nothing of it may raise or write bad text.

A page is a random tree of real tags, attributes and words, so that it comes deep into every method; then it is cut,
spliced and broken anywhere. All is drawn from one `random.Random`, so that a number brings a case back.
"""

import json
import random
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Iterator
from typing import Any

from pagestrata import Extraction, Options, PagestrataError, extract, learn
from pagestrata.inputs.feeds import read_feed
from pagestrata.inputs.sitemaps import read_sitemap
from pagestrata.registry import METHODS, RENDERERS
from pagestrata.sites.model import SiteModel

TAGS = (
    "div p span a b i h1 h2 h3 ul ol li dl dt dd table tr td th caption thead tbody section article aside nav header "
    "footer main form input button select option textarea label iframe noscript template script style svg path title "
    "math mi annotation video source object canvas dialog details summary pre code blockquote q br hr img figure "
    "figcaption time address cite sup sub font center frameset frame head body html base meta link x-y plaintext xmp"
).split()
ATTRIBUTES = re.findall(
    r"\S+='[^']*'|\S+",
    "class=comment class='post author' id=main id=S:0 href=/a href=#x href='http://[' href=javascript:1 src=a.png "
    "style=display:none style='opacity:0' style='font-size:0' style='color:#fff; background:#fff' hidden "
    "aria-hidden=true role=tabpanel role=dialog colspan=99999 rowspan=0 rowspan=-1 start=-5 reversed "
    "value=99999999999999999999 open "
    "datetime=2026-01-02 itemscope itemprop=author itemtype=https://schema.org/Article rel=canonical content='2026' "
    "property=og:title name=author lang=ar dir=rtl shadowrootmode=open srcset='a 1x, b 2x' alt='$x$' type=math/tex "
    "type=application/ld+json xml:lang=de a\"b=1 =x data-src='' title='a|b' cite=x width=0 height=1e9",
)
WORDS = (
    "tide the of and boats 東京 วันนี้ مرحبا No comments yet. Comments (3) by Ann Lee 12 May 2026 Reply Read more Share "
    "Cookie © 2026 &amp; &lt;b&gt; &#0; &#xD800; &nbsp; \u202e \ufeff \x0b $x^2$ \\( *a* _b_ `c` [d](e) | "
    "![i](j) <!-- c -->"
).split()
BREAKS = (
    "<",
    ">",
    '"',
    "'",
    "</",
    "<!--",
    "-->",
    "<![CDATA[",
    "]]>",
    "&",
    "\0",
    "</div>",
    "<table>",
    "\ud800",
    "<p>" * 30,
)
CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def made_up_page(rng: random.Random) -> str:
    """A page: a random tree, sometimes broken."""
    pieces = [f"<title>{_text(rng)}</title>"] if rng.random() < 0.7 else []
    for _ in range(rng.choice((1, 3, 12, 40))):
        pieces += _tree(rng, rng.randrange(6))
    page = "".join(pieces)
    for _ in range(rng.choice((0, 0, 1, 5))):
        page = _broken(rng, page)
    return page


def _tree(rng: random.Random, depth: int) -> Iterator[str]:
    tag = rng.choice(TAGS)
    yield f"<{' '.join([tag, *rng.choices(ATTRIBUTES, k=rng.choice((0, 0, 1, 3)))])}>"
    for _ in range(rng.choice((0, 1, 2, 6)) if depth else 0):
        yield from _tree(rng, depth - 1)
        yield _text(rng)
    yield _text(rng)
    if rng.random() < 0.9:
        yield f"</{tag}>"


def _text(rng: random.Random) -> str:
    return " ".join(rng.choices(WORDS, k=rng.choice((0, 1, 4, 30))))


def _broken(rng: random.Random, page: str) -> str:
    start, end = sorted((rng.randrange(len(page) + 1), rng.randrange(len(page) + 1)))
    changes: tuple[Callable[[], str], ...] = (
        lambda: page[:start] + page[end:],
        lambda: page[:start],
        lambda: page[:end] + page[start:],
        lambda: page[:start] + rng.choice(BREAKS) + page[start:],
    )
    return rng.choice(changes)()


def made_up_options(rng: random.Random) -> Options:
    """Options of any combination."""
    flags = "tables images links formatting title_in_text title_in_markdown metadata bylines".split()
    selectors = [(), ("div",), ("//p", ".comment"), ("h1", "[id]")]
    values: dict[str, Any] = {name: rng.random() < 0.5 for name in flags}
    return Options(
        **values,
        scope=rng.choice(("auto", "strict", "generous")),
        comments=rng.choice(("off", "on", "only")),
        hidden=rng.choice(("auto", "never")),
        bias=rng.choice((-1.0, 0.0, 0.0, 1.0)),
        keep=rng.choice(selectors),
        drop=rng.choice(selectors),
        max_bytes=rng.choice((1, 1_000, 20_000_000)) if rng.random() < 0.2 else 20_000_000,
        max_depth=rng.choice((1, 2, 7, 511)),
        max_attributes=rng.choice((1, 1_000)),
        tags_base=rng.choice((1, 10_000)) if rng.random() < 0.2 else 10_000,
    )


def check_case(seed: int) -> None:
    """Make up one case and do everything with it; raises for anything that must not happen."""
    rng = random.Random(seed)
    options, page = made_up_options(rng), made_up_page(rng)
    source: str | bytes = page if rng.random() < 0.5 else page.encode("utf-8", "replace")
    check_answer(extract(source, rng.choice((None, "https://a.example/b")), options, rng.choice(tuple(METHODS))))
    if rng.random() < 0.2:
        check_site(rng, page, options)
    if rng.random() < 0.2:
        data = re.sub("title|p|div", "item", page).encode("utf-8", "replace")
        read_feed(b"<rss>" + data)
        read_sitemap(b"<urlset>" + data)


def check_site(rng: random.Random, page: str, options: Options) -> None:
    """Learn a site from variants of a page, write the model and read it back, and read a page with it."""
    pages = [page, *(_broken(rng, page) for _ in range(rng.choice((1, 2, 5))))]
    model = learn(pages, site="a.example")
    check_answer(model.extract(made_up_page(rng), options=options))
    data = bytearray(model.to_bytes())
    assert model.to_json() == SiteModel.from_bytes(bytes(data)).to_json()
    data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    try:
        SiteModel.from_bytes(bytes(data)).extract(page, options=options)
    except PagestrataError:
        return


def check_answer(answer: Extraction) -> None:
    """Write an answer in every format, and read everything that it has."""
    for name in RENDERERS:
        written = answer.render(name)
        assert not CONTROLS.search(written), name
        written.encode()
        if name == "xml":
            ElementTree.fromstring(written)  # noqa: S314
        elif name in ("json", "jsonl"):
            json.loads(written)
    assert answer.segmentation.leaves.kept.any() or answer.reason
    assert 0 <= answer.hidden_share <= 1
    for section in (each for root in answer.sections for each in root.walk()):
        assert section.reasons is not None
        assert section.visible in (True, False)
