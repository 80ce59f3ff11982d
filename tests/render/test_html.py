"""Safe HTML: an allow-list, whatever the page tries."""

import html.parser

import pytest
from tests.build import EXAMPLES, kept

from pagestrata import extract
from pagestrata.render.html import VOCABULARY


def inside(body: str, **options: object) -> str:
    return kept(body, **options).html.removeprefix("<article>\n").removesuffix("\n</article>\n")


LIST = "<ul>\n<li>a\n<ul>\n<li>b</li></ul></li>\n<li>\n<p>c</p>d</li></ul>"
FIGURE = '<figure><img src="https://example.org/i.png" alt=""/>\n<figcaption>a</figcaption></figure>'


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<p class=x onclick=y>a <b>b</b></p>", "<p>a <b>b</b></p>"),
        ("<p>a<i> b</i></p>", "<p>a <i>b</i></p>"),
        ('<a href="/x y" title="q&quot;">t</a>', '<p><a href="https://example.org/x%20y" title="q&quot;">t</a></p>'),
        ("<a href=javascript:x>t</a>", "<p>t</p>"),
        ("<a href=' JaVa\tscript:x'>t</a>", "<p>t</p>"),
        ("<p>1 &lt; 2 &amp; 3</p>", "<p>1 &lt; 2 &amp; 3</p>"),
        ("<ol start=3><li>a</ol>", '<ol start="3">\n<li>a</li></ol>'),
        ("<ol start='3\" onx=1'><li>a</ol>", "<ol>\n<li>a</li></ol>"),
        (
            "<table><tr><th colspan=2>a<tr><td>b<td>c</table>",
            '<table>\n<tbody>\n<tr>\n<th colspan="2">a</th></tr>\n<tr>\n<td>b</td>\n<td>c</td></tr></tbody></table>',
        ),
        ("<img src=p.png alt='a \"b\"'>", '<p><img src="https://example.org/a/p.png" alt="a &quot;b&quot;"/></p>'),
        ("<img src=data:image/png;base64,xx>x", "<p>x</p>"),
        ("<x-y><marquee>a</marquee></x-y>", "<p>a</p>"),
        ("<svg><text>a</text></svg>", "<p>a</p>"),
        ("<script>x</script>a<style>y</style>", "<p>a</p>"),
        ("<form action=x><input value=y>a<button>b</button></form>", "<p>a</p>\n<p>b</p>"),
    ],
)
def test_what_is_written(body: str, expected: str) -> None:
    assert expected == inside(body)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<div><div><div><p>a</p></div></div></div>", "<p>a</p>"),
        ("<div>a <b>b</b><p>c</p>d<br>e</div>", "<p>a <b>b</b></p>\n<p>c</p>\n<p>d<br/>e</p>"),
        (
            "<div>a<a href=/x><div>b</div></a>c</div>",
            '<p>a</p><a href="https://example.org/x">\n<p>b</p></a>\n<p>c</p>',
        ),
        ("<ul><li>a<ul><li>b</ul><li><div>c</div>d</ul>", LIST),
        ("<h2><div>a</div><div>b</div></h2>", "<h2>a b</h2>"),
        ("<pre><div>a</div><div> b</div></pre>", "<pre>a\n b</pre>"),
        ("<pre><code>a</code></pre>", "<pre><code>a</code></pre>"),
        ("<blockquote>a<p>b</p></blockquote>", "<blockquote>\n<p>a</p>\n<p>b</p></blockquote>"),
        ("<p>a</p><br><p>b</p>", "<p>a</p>\n<p>b</p>"),
        ("<table><tr><td>a<td><p>b</p></table>", "<p>a</p>\n<p>b</p>"),
        ("<figure><img src=/i.png><figcaption>a</figcaption></figure>", FIGURE),
        ("<section id=u><div id=v><h2>a</h2></div><p id=u>b</p></section>", '<h2 id="u">a</h2>\n<p>b</p>'),
        (
            "<p>a <video title='b &amp; c'><source src=/d.mp4>e</video> f</p><iframe data-src=//g.example/></iframe>",
            '<p>a <a href="https://example.org/d.mp4">b &amp; c</a> f</p>\n'
            '<p><a href="https://g.example/">https://g.example/</a></p>',
        ),
        ("<iframe src=javascript:a title=b></iframe><p>c</p>", "<p>c</p>"),
        ("<p id='a b'>a</p><p id=c>b</p>", '<p>a</p>\n<p id="c">b</p>'),
    ],
)
def test_boxes_are_dissolved_and_loose_text_is_a_paragraph(body: str, expected: str) -> None:
    assert expected == inside(body)


def test_options_take_away_what_they_name() -> None:
    body = "<p><a href=/x>a</a> <b>b</b><img src=p.png></p>"
    assert "<p>a b</p>" == inside(body, links=False, formatting=False, images=False)


class Written(html.parser.HTMLParser):
    """Collects the names that were written."""

    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names |= {tag, *(f"{tag}@{name}" for name, _ in attrs)}


def test_only_the_vocabulary_is_written() -> None:
    parser = Written()
    for path in EXAMPLES:
        parser.feed(extract(path.read_bytes(), "https://tidewater.example/").html)
    elements = {name for name in parser.names if "@" not in name}
    assert elements <= {element.name for element in VOCABULARY.values()} | {"article", "h1"}
    attributes = {name.partition("@")[2] for name in parser.names if "@" in name}
    assert attributes <= {
        "href",
        "title",
        "src",
        "alt",
        "start",
        "value",
        "colspan",
        "rowspan",
        "datetime",
        "cite",
        "class",
        "id",
    }
