"""Safe HTML: an allow-list, whatever the page tries."""

import html.parser

import pytest
from tests.build import EXAMPLES, kept

from pagestrata import extract
from pagestrata.render.html import VOCABULARY


def inside(body: str, **options: object) -> str:
    return kept(body, **options).html.removeprefix("<article>\n").removesuffix("\n</article>\n")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<p class=x onclick=y>a <b>b</b></p>", "<p>a <b>b</b></p>"),
        ("<p>a<i> b</i></p>", "<p>a <i>b</i></p>"),
        ('<a href="/x y" title="q&quot;">t</a>', '<a href="https://example.org/x%20y" title="q&quot;">t</a>'),
        ("<a href=javascript:x>t</a>", "t"),
        ("<a href=' JaVa\tscript:x'>t</a>", "t"),
        ("<p>1 &lt; 2 &amp; 3</p>", "<p>1 &lt; 2 &amp; 3</p>"),
        ("<ol start=3><li>a</ol>", '<ol start="3">\n<li>a</li></ol>'),
        ("<ol start='3\" onx=1'><li>a</ol>", "<ol>\n<li>a</li></ol>"),
        ("<table><tr><td colspan=2>a</table>", '<table>\n<tbody>\n<tr>\n<td colspan="2">a</td></tr></tbody></table>'),
        ("<img src=p.png alt='a \"b\"'>", '<img src="https://example.org/a/p.png" alt="a &quot;b&quot;"/>'),
        ("<img src=data:image/png;base64,xx>x", "x"),
        ("<x-y><marquee>a</marquee></x-y>", "a"),
        ("<svg><text>a</text></svg>", "a"),
        ("<script>x</script>a<style>y</style>", "a"),
        ("<form action=x><input value=y>a<button>b</button></form>", "<div>ab</div>"),
    ],
)
def test_what_is_written(body: str, expected: str) -> None:
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
    }
