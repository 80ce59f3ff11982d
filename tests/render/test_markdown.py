"""Markdown, feature by feature: a body and what becomes of it."""

import re
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from tests.build import EXAMPLES, kept

from pagestrata import Options, extract
from pagestrata.render.md_build import MOST_NESTED


def markdown_of(body: str, **options: Any) -> str:
    """The Markdown of a body of which everything is kept, without the line end."""
    return kept(body, **options).markdown.removesuffix("\n")


def lines(*lines: str) -> str:
    return "\n".join(lines)


def check(body: str, expected: str) -> None:
    assert expected == markdown_of(body)


BASE = "https://example.org/a/"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<h2>a</h2><h3>b</h3><h6>c</h6>", "## a\n\n### b\n\n###### c"),
        ("<h2>a<br>b</h2>", "## a b"),
        ("<h2><div>a</div><div>b</div></h2>", "## a b"),
        ("<h2></h2><p>a</p>", "a"),
        ("<h2>C #</h2>", "## C \\#"),
        ("<h2>C#</h2>", "## C#"),
        ("<h2>a<ul><li>b</ul></h2>", "a\n\n- b"),
        ("<p>a</p><p>b</p>", "a\n\nb"),
        ("<p>a<br>b</p>", "a\\\nb"),
        ("<p>a<br><br>b</p>", "a\n\nb"),
        ("<p>a<br></p><p>b</p>", "a\n\nb"),
        ("<p>a</p><hr><p>b</p>", "a\n\n---\n\nb"),
        ("<hr><p>a</p>", "a"),
        ("<details><summary>a</summary>b</details>", "a\n\nb"),
        ("a<div>b</div>c", "a\n\nb\n\nc"),
        ("<span style='display:block'>a</span><span>b</span>", "a\n\nb"),
        ("<textarea>a\n b</textarea>", "a b"),
    ],
)
def test_headings_and_paragraphs(body: str, expected: str) -> None:
    check(body, expected)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<ul><li>a<li>b</ul>", "- a\n- b"),
        ("<ul><li>a<ul><li>b<ol><li>c</ol></ul><li>d</ul>", "- a\n  - b\n    1. c\n- d"),
        ("<ul><li>a</li><ul><li>b</ul></ul>", "- a\n  - b"),
        ("<ul><ul><li>a</ul></ul>", "- - a"),
        ("<ul><p>a</p><li>b</ul>", "- a\n\n- b"),
        ("<li>a<li>b", "- a\n- b"),
        ("<ol start=9><li>a<li>b</ol>", "9. a\n10. b"),
        ("<ol start=9><li>a<li>b<p>c</p></ol>", "9. a\n\n10. b\n\n    c"),
        ("<ol reversed><li>a<li>b</ol>", "2. a\n\n1) b"),
        ("<ol><li>a<li value=5>b<li>c</ol>", "1. a\n\n5) b\n6) c"),
        ("<ol start=-3><li>a</ol>", "0. a"),
        ("<ul><li><p>a</p><li><p>b</p></ul>", "- a\n\n- b"),
        ("<ul><li>a<p>b</p><li>c</ul>", "- a\n\n  b\n\n- c"),
        ("<ul><li>a</ul><ul><li>b</ul>", "- a\n\n* b"),
        ("<ol><li>a</ol><ol><li>b</ol>", "1. a\n\n1) b"),
        ("<ul><li>a<ol start=2><li>b</ol></ul>", "- a\n\n  2. b"),
        ("<ul><li></li><li><br><li>a</ul>", "- a"),
        ("<ul><li><pre>a\n b</pre><li><blockquote>c</blockquote></ul>", "- ```\n  a\n   b\n  ```\n- > c"),
        ("<ul><li><hr><li><h3>a</h3></ul>", "- ___\n- ### a"),
    ],
)
def test_lists(body: str, expected: str) -> None:
    check(body, expected)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<pre>a\n  b\n</pre>", "```\na\n  b\n```"),
        ("<pre>a<br>b<br><br>c</pre>", "```\na\nb\n\nc\n```"),
        ("<pre><div>a</div><div>b</div></pre>", "```\na\nb\n```"),
        ("<pre><code class='x language-py'>a</code></pre>", "```py\na\n```"),
        ("<pre class='lang-c'>a</pre>", "```c\na\n```"),
        ("<div class='highlight highlight-source-shell'><pre>a</pre></div>", "```shell\na\n```"),
        ("<div class='highlight-python x'><div class=highlight><pre>a</pre></div></div>", "```python\na\n```"),
        ("<pre class='brush: js; gutter: false'>a</pre>", "```js\na\n```"),
        ("<pre data-lang=go>a</pre>", "```go\na\n```"),
        ("<pre class='sourceCode numberSource r code-with-copy'>a</pre>", "```r\na\n```"),
        ("<pre class='sourceCode default code-with-copy'>a</pre>", "```\na\n```"),
        ("<figure class='highlight js'><pre>a</pre></figure>", "```js\na\n```"),
        ("<pre><span></span><code class=ruby>a</code></pre>", "```ruby\na\n```"),
        ("<pre class='code console literal-block'>a</pre>", "```console\na\n```"),
        ("<div class='highlight-C++ notranslate'><pre>a</pre></div>", "```c++\na\n```"),
        ("<div class='highlight-{bash} x'><pre>a</pre></div>", "```bash\na\n```"),
        ("<div class='highlight-default x'><pre>a</pre></div>", "```\na\n```"),
        ("<div class='go west'><pre>a</pre></div>", "```\na\n```"),
        ("<pre><span class=linenos> 1</span>a 1\n<span class=linenos> 2</span>b</pre>", "```\na 1\nb\n```"),
        ("<div class='language-sh x'><span class=lang>sh</span><pre>a</pre></div>", "```sh\na\n```"),
        ("<div class='language-sh x'><p>Bash</p><pre>a</pre></div>", "Bash\n\n```sh\na\n```"),
        (
            "<table><tr><th colspan=2>x.py<tr><td><pre>1\n2</pre><td><pre>a\nb</pre></table>",
            "x.py\n\n```\na\nb\n```",
        ),
        (  # a row for each line, as Nikola writes
            "<table><tr><td><a href=#1><code data-line-number=1></code></a><td class=x><code>if <b>a</b>:\n</code>"
            "<tr><td><td class=x><code>    b &lt; c\n</code></table>",
            "```\nif a:\n    b < c\n```",
        ),
        (
            "<table><tr><td>a<td class=x><code>b</code><tr><td>c<td class=x><code>d</code></table>",
            "|  |  |\n| --- | --- |\n| a | `b` |\n| c | `d` |",
        ),
        (
            "<div class=highlight-py><table><tr><td><pre>1</pre><td><div><pre>a</pre></div></table></div>",
            "```py\na\n```",
        ),
        ("<pre data-lang='a`b'>a</pre>", "```\na\n```"),
        ("<pre>a\n```\nb</pre>", "````\na\n```\nb\n````"),
        ("<pre>a   \nb</pre>", "```\na\nb\n```"),
        ("<pre> \n </pre>a", "a"),
        ("<table><tr><td><pre>1\n2</pre><td><pre>a\nb</pre></table>", "```\na\nb\n```"),
        ("<p><code>a</code></p>", "`a`"),
        ("<p><code>a`b</code> <code>`</code></p>", "``a`b`` `` ` ``"),
        ("<p><code>a <b>b</b></code></p>", "`a b`"),
        ("<p><b>a <code>b</code></b></p>", "**a `b`**"),
        ("<p><code>a</code><code>b</code></p>", "`ab`"),
        ("<p><code><a href=x>a</a>.b</code></p>", f"[`a`]({BASE}x)`.b`"),
        ("<p><kbd>a</kbd> <samp>b</samp> <tt>c</tt> <var>d</var></p>", "`a` `b` `c` d"),
    ],
)
def test_code(body: str, expected: str) -> None:
    check(body, expected)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (
            "<table><thead><tr><th>a<th>b<tbody><tr><td>c<td>d</table>",
            lines("| a | b |", "| --- | --- |", "| c | d |"),
        ),
        ("<table><tr><td>a<td>b<tr><td>c</table>", lines("|  |  |", "| --- | --- |", "| a | b |", "| c |  |")),
        (
            "<table><caption>t</caption><tr><th>a<th>b<tr><td>c<td>d</table>",
            lines("t", "", "| a | b |", "| --- | --- |", "| c | d |"),
        ),
        (
            "<table><tr><th align=left>a<th style='text-align: center'>b<th>c<tr><td>d<td>e<td align=right>f</table>",
            lines("| a | b | c |", "| :--- | :---: | ---: |", "| d | e | f |"),
        ),
        (
            "<table><tr><th>a<th>b<tr><td colspan=2>c<tr><td rowspan=2>d<td>e<tr><td>f</table>",
            lines("| a | b |", "| --- | --- |", "| c |  |", "| d | e |", "|  | f |"),
        ),
        (
            "<table><tr><th>a<th>b<tr><td>c|d<td><code>e|f</code></table>",
            lines("| a | b |", "| --- | --- |", "| c\\|d | `e\\|f` |"),
        ),
        (
            "<table><tr><th>a<td>b<br>c<tr><th>d<td><p>e</p><ul><li>f<li><a href=x>g</a></ul></table>",
            lines("|  |  |", "| --- | --- |", "| a | b<br>c |", f"| d | e<br>- f<br>- [g]({BASE}x) |"),
        ),
        (
            "<table><tr><th>a<td><pre>b\nc</pre></table>",
            lines("|  |  |", "| --- | --- |", "| a | `b`<br>`c` |"),
        ),
        (
            "<table><tr><th>a<td><table><tr><td>b<td>c</table></table>",
            lines("|  |  |", "| --- | --- |", "| a | b<br>c |"),
        ),
        (
            "<table><tr><td>a<td>b<tr><td><td><tr><td>c<td>d</table>",
            lines("|  |  |", "| --- | --- |", "| a | b |", "| c | d |"),
        ),
        ("<table><tr><td>a</table>", "a"),
        ("<table role=presentation><tr><td>a<td>b</table>", "a\n\nb"),
        ("<table><tr><td><h2>a</h2>b<td>c</table>", "## a\n\nb\n\nc"),
        ("<table><tr><td><p>a</p><p>b</p><td>c</table>", "a\n\nb\n\nc"),
        ("<table><tr><td>a<td><table><tr><th>b<th>c</table></table>", "a\n\n| b | c |\n| --- | --- |"),
        ("<table><tr><td>a<td>b</table>", "a\n\nb"),
        ("<table><tr><td>a<td>b<tr><td><td> </table>", "a\n\nb"),
        ("<table><tr><td>a<td><tr><td><td>b</table>", "a\n\nb"),
        ("<table><tr><td>a<td><img src=x><tr><td>b</table>", f"|  |  |\n| --- | --- |\n| a | ![]({BASE}x) |\n| b |  |"),
        ("<table><tr><th>a<td>b</table>", "|  |  |\n| --- | --- |\n| a | b |"),
        ("<ul><li>a<table><tr><th>b<th>c</table></ul>", lines("- a", "", "  | b | c |", "  | --- | --- |")),
    ],
)
def test_tables(body: str, expected: str) -> None:
    check(body, expected)


@pytest.mark.parametrize(
    ("cell", "expected"),
    [("th", "| a | b |\n| --- | --- |\n| c |  |\n| e | f |"), ("td", "a\n\nb\n\nc\n\ne\n\nf")],
)
def test_a_table_with_headers_stays_one_when_not_all_of_it_is_kept(cell: str, expected: str) -> None:
    rows = f"<tr><{cell}>a<{cell}>b<tr><td>c<td class=d>d<tr><td>e<td>f"
    found = extract(f"<table>{rows}</table>", options=Options(keep=("table",), drop=(".d",)))
    assert expected == found.markdown.strip()


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ("<tr><td> <b>a</b> <td><p><strong>b</strong></p><tr><td>c<td>d", ("| **a** | **b** |", "| c | d |")),
        ("<tr><td><td><b>a <i>b</i></b><tr><td><b>c</b><td>d", ("|  | **a _b_** |", "| **c** | d |")),
        ("<tr><td><th>a<tr><th>b<td>c", ("|  | a |", "| b | c |")),
        ("<tr><td><b>a</b><td>b<tr><td><b>c</b><td>d", ("|  |  |", "| **a** | b |", "| **c** | d |")),
        ("<tr><td><b>a</b> b<td><b>c</b><tr><td>d<td>e", ("|  |  |", "| **a** b | **c** |", "| d | e |")),
        (
            "<tr><td><b>a</b><td><b>b</b><tr><td><b>c</b><td><b>d</b>",
            ("|  |  |", "| **a** | **b** |", "| **c** | **d** |"),
        ),
        ("<tr><td colspan=2><b>a</b><tr><td>b<td>c", ("|  |  |", "| **a** |  |", "| b | c |")),
        ("<tr><th>a<td><tr><th>b<td>c", ("|  |  |", "| a |  |", "| b | c |")),
    ],
)
def test_a_row_of_bold_cells_heads_the_table_if_the_next_is_not_bold(rows: str, expected: tuple[str, ...]) -> None:
    header, *body = expected
    check(f"<table>{rows}</table>", lines(header, "| --- | --- |", *body))


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<blockquote>a</blockquote>", "> a"),
        ("<blockquote><p>a</p><blockquote>b</blockquote></blockquote>", "> a\n>\n> > b"),
        ("<blockquote><ul><li>a</ul><pre>b</pre></blockquote>", "> - a\n>\n> ```\n> b\n> ```"),
        ("<blockquote>a</blockquote><blockquote>b</blockquote>", "> a\n\n> b"),
        ("<dl><dt>a<dd>b</dl>", "a\n:   b"),
        ("<dl><dt>a<dd>b<dd>c<dt>d<dd>e</dl>", "a\n:   b\n\n:   c\n\nd\n:   e"),
        ("<dl><div><dt>a<dd>b<p>c</p><ul><li>d</ul></div></dl>", "a\n:   b\n\n    c\n\n    - d"),
        ("<dl><dt>a<dt>b<dd>c</dl>", "a\n\nb\n:   c"),
        ("<dl><dd>a<dt>b</dl>", "a\n\nb"),
    ],
)
def test_quotes_and_definitions(body: str, expected: str) -> None:
    check(body, expected)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("a <b>b</b> <strong>c</strong> <i>d</i> <em>e</em> <s>f</s> <del>g</del>", "a **b c** *d e* ~~f g~~"),
        ("<b>a <i>b</i></b> c", "**a _b_** c"),
        ("<b><i>a</i></b>b", "***a***b"),
        ("<b>a</b><i>b</i>", "**a**_b_"),
        ("un<em>frigging</em>believable", "un*frigging*believable"),
        ("a<b>(b)</b>c", "a(b)c"),
        ("<b>a:</b>b", "a:b"),
        ("<b>a:</b> b", "**a:** b"),
        ("<b>a <b>b</b></b>", "**a b**"),
        ("<b>a</b><b>b</b>", "**ab**"),
        ("<b><p>a</p><p>b</p></b>", "**a**\n\n**b**"),
        ("a<b> b </b>c", "a **b** c"),
        ("<b>a<br>b</b>", "**a\\\nb**"),
        ("<b>*</b>", "**\\***"),
        ("<b>a <a href=x>b</a> c</b>", f"**a [b]({BASE}x) c**"),
        ("<a href=x><b>a</b></a>", f"[**a**]({BASE}x)"),
        ("<b>a</b><a href=x><b>b</b>c</a>", f"**a**[**b**c]({BASE}x)"),
        ("H<sub>2</sub>O x<sup>2</sup>", "H₂O x²"),
        ("<q>a <q>b</q></q>", "“a ‘b’”"),
        ("<ruby>漢<rt>kan</rt></ruby> <ruby>字<rp>(</rp><rt>ji</rt><rp>)</rp></ruby>", "漢(kan) 字(ji)"),
        ("co&shy;op a<wbr>b", "coop ab"),
    ],
)
def test_inside_of_lines(body: str, expected: str) -> None:
    check(body, expected)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<a href=/x>a</a>", "[a](https://example.org/x)"),
        ("<a href=x title=b>a</a> <a href=x title=a>a</a>", f'[a]({BASE}x "b") [a]({BASE}x)'),
        ("<a href=x title='a&quot;b&lt;c>\\'>a</a>", f'[a]({BASE}x "a&quot;b&lt;c>&#92;")'),
        ("<a href='x y(z)'>a</a>", f"[a]({BASE}x%20y%28z%29)"),
        ("<a href='x?a=1&amp;copy;'>a</a>", f"[a]({BASE}x?a=1&amp;copy;)"),
        ("<a href=javascript:x>a</a> <a href=ftp://x/>b</a>", "a b"),
        ("<a href=mailto:a@b.c>a</a> <a href=tel:1>b</a>", "[a](mailto:a@b.c) [b](tel:1)"),
        ("<a href=x></a>a<a href=x><span></span></a>", "a"),
        ("<a href=x>[a]</a>", f"[\\[a\\]]({BASE}x)"),
        ("<a href=x><h3>a</h3><p>b</p></a>", f"### [a]({BASE}x)\n\n[b]({BASE}x)"),
        ("<a href=x>a<br><br>b</a>", f"[a]({BASE}x)\n\n[b]({BASE}x)"),
        ("<a href=x><img src=i.png alt=a></a>", f"[![a]({BASE}i.png)]({BASE}x)"),
        ("a!<a href=x>b</a>", f"a\\![b]({BASE}x)"),
        ("<video src=v.mp4 title=a></video>", f"[a]({BASE}v.mp4)"),
        ("<audio><source src=v.mp3>b</audio>", f"[{BASE}v.mp3]({BASE}v.mp3)"),
        ("<iframe src=about:blank></iframe>a", "a"),
        ("<h2 id=a><a href=#a>b <i>c</i></a></h2>", "## b *c*"),  # as mdBook and Documenter.jl write headings
        ("<p><a id=i href=#a>b</a></p><h2 id=a><a href=#i>b</a></h2>", "[b](https://example.org/a/b.html#a)\n\n## b"),
        ("<div id=a><h2><a href=#a>b</a></h2></div>", "## [b](https://example.org/a/b.html#a)"),
        ("<h2><a href=x#a>b</a></h2>", f"## [b]({BASE}x#a)"),
        ("<h2>a <a href=#b>b</a></h2>", "## a [b](https://example.org/a/b.html#b)"),
    ],
)
def test_links(body: str, expected: str) -> None:
    check(body, expected)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<img src=i.png alt=a title=b>", f'![a]({BASE}i.png "b")'),
        ("<img src=data:x data-src=i.png>", f"![]({BASE}i.png)"),
        ("<img data-lazy-src=i.png src=blank.gif>", f"![]({BASE}i.png)"),
        ("<img nitro-lazy-src=i.png src=data:x>", f"![]({BASE}i.png)"),
        ("<img nitro-lazy-srcset='i.png 1x, j.png 2x' src=grey-placeholder.png>", f"![]({BASE}j.png)"),
        ("<img data-src-1440=i.png data-src-360=j.png>", f"![]({BASE}i.png)"),
        ("<img data-src-set=i.png data-no-src=true data-x-src='i-${size}.png'>a", "a"),
        ("<img src=placeholder.60f9b1840c.svg><img src=spacer_white.gif><img src=o.gif width=203 height=1>a", "a"),
        ("<img data-original=i.png>", f"![]({BASE}i.png)"),
        ("<img srcset='s.png 1x, l.png 2x'>", f"![]({BASE}l.png)"),
        ("<img data-srcset='s.png 100w, l.png 900w, m.png 300w' src=data:x>", f"![]({BASE}l.png)"),
        ("<picture><source srcset='s.webp 1x, l.webp 2x'><img></picture>", f"![]({BASE}l.webp)"),
        ("<img src=data:x><noscript><img src=i.png></noscript>", f"![]({BASE}i.png)"),
        ("a<img src=data:x> <img src=spacer.gif> <img src=p.png width=1 height=1>", "a"),
        ("<img src=i.png><img src=i.png>", f"![]({BASE}i.png)"),
        ("<img src=i.png alt='[a] *b*'>", f"![\\[a\\] \\*b\\*]({BASE}i.png)"),
        ("<figure><img src=i.png alt=a><figcaption>b</figcaption></figure>", f"![a]({BASE}i.png)\n\nb"),
        ("<p>a<img src=i.png>b</p>", f"a![]({BASE}i.png)b"),
        ("<p>a <img src=i.png>, b</p>", f"a ![]({BASE}i.png), b"),
        ("<p><img src=i.png> a</p>", f"![]({BASE}i.png) a"),
        ("<p><img src=i.png><br>a</p>", f"![]({BASE}i.png)\\\na"),
        ("<p>a <img src=i.svg alt='{\\displaystyle x}'>, b</p>", "a ${\\displaystyle x}$, b"),
    ],
)
def test_images(body: str, expected: str) -> None:
    check(body, expected)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("a <script type=math/tex>x^2</script> b", "a $x^2$ b"),
        ("a <script type=math/tex>x<y</script>", "a $x< y$"),
        ("a <script type=math/tex>x\\</script>", "a $x\\ $"),
        ("a <script type=math/tex>\\href{b:c}{x}</script>", "a ${x}$"),
        ("a <script type=math/tex>[x](b:c)</script>", "a $[x] (b:c)$"),
        ("<script type='math/tex; mode=display'>x\n[y]: b:c</script>", "```tex\nx\n[y]: b:c\n```"),
        ("a <script type=math/tex>x`y</script>", "a ``x`y``"),
        ("<script type='math/tex; mode=display'>\\url{x}</script>", "```tex\n\\url{x}\n```"),
        ("a <script type=math/tex>\\text{$x$}</script>", "a `\\text{$x$}`"),
        ("a<script type='math/tex; mode=display'>x\n\n=y</script>b", "a\n\n$$\nx\n=y\n$$\n\nb"),
        ("<math><annotation encoding=application/x-tex>x</annotation></math>", "$x$"),
        ("<ul><li><script type='math/tex; mode=display'>x</script></ul>", "- $$\n  x\n  $$"),
    ],
)
def test_formulas(body: str, expected: str) -> None:
    check(body, expected)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (r"<p>a \(x_1 * y_2\), b \(z\)</p>", "a $x_1 * y_2$, b $z$"),
        (r"<p>a <b>\(x\)</b> \(y</p>", r"a **$x$** \\(y"),
        (r"<p>a \[ x \] b $$y$$</p><p>c</p>", "a\n\n$$\nx\n$$\n\nb\n\n$$\ny\n$$\n\nc"),
        (r"<h2>a \[x\]</h2>", "## a $x$"),
        (r"<table><tr><th>a<th>b<tr><td>\(x\)<td>\[y\] z</table>", "| a | b |\n| --- | --- |\n| $x$ | $y$<br>z |"),
        (r"<p>a <code>\(x\)</code> $5 and $6</p>", r"a `\(x\)` \$5 and \$6"),
        ("<p>a <span>$x_1$</span> $5 and $6 <b>$7$</b></p>", "a $x_1$ \\$5 and \\$6 **\\$7\\$**"),
        (r"<p>a \(\) \) \(b \(x\)</p>", r"a \\(\\) \\) \\(b $x$"),
        ("<pre>\\(x\\)</pre>", "```\n\\(x\\)\n```"),
    ],
)
def test_formulas_that_are_left_to_scripts(body: str, expected: str) -> None:
    check(f"{body}<script src=/js/MathJax.js></script>", expected)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("10<sup>6</sup> and 10<sup>\u22126</sup>, H<sub>2</sub>O", "10⁶ and 10⁻⁶, H₂O"),
        ("x<sup>n+1</sup> a<sub>n</sub> 1<sup>st</sup>", "xⁿ⁺¹ an 1st"),
        ("<code>2<sup>32</sup></code> <b>m<sup>2</sup></b>", "`2³²` **m²**"),
        ("a<sup>1,2</sup> b<sup><a href=x>1</a></sup>", f"a1,2 b[1]({BASE}x)"),
    ],
)
def test_raised_and_lowered_numbers_keep_their_place(body: str, expected: str) -> None:
    check(f"<p>{body}</p>", expected)


def test_without_such_a_script_the_text_stays_as_it_is() -> None:
    check(r"<p>a \(x\)</p>", r"a \\(x\\)")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (
            "<p>a<sup><a href=#n1 id=r1>1</a></sup> b<sup>[<a href=#n2>2</a>]</sup></p>"
            "<ol><li id=n1>c c <a href=#r1>↩</a><li id=n2><p>d d</p><p>e</p></ol>",
            "a[^1] b[^2]\n\n[^1]: c c\n\n[^2]: d d\n\n    e",
        ),
        (
            "<p>a<a class=footnote-ref href=#n><sup>*</sup></a></p><p>b</p><p id=n>c d</p>",
            "a[^1]\n\nb\n\n[^1]: c d",
        ),
        (
            "<p>a<sup id=r><a href=#n>[1]</a></sup> b<sup id=s><a href=#n>[1]</a></sup></p>"
            "<ol><li id=n><span>^ <a href=#r>a</a> <a href=#s>b</a></span> c d</ol>",
            "a[^1] b[^1]\n\n[^1]: c d",
        ),
        ("<p>a<sup id=r><a href=#n>1</a></sup></p><p id=n><a href=#r>^</a></p>", "a[^1]\n\n[^1]: &#32; 1"),
        ("<p>a<sup><a href=#n>1</a></sup>(b)</p><p id=n>c</p>", "a[^1]\\(b)\n\n[^1]: &#32; c"),
        (  # docutils, in its three forms
            "<p>a<a class='footnote-reference brackets' href=#n id=r>1</a></p><dl class='footnote brackets'>"
            "<dt class=label id=n><span class=brackets><a class=fn-backref href=#r>1</a></span></dt><dd>b c</dd></dl>",
            "a[^1]\n\n[^1]: b c",
        ),
        (
            "<p>a<a class=footnote-reference href=#n id=r>[1]</a></p><table class='docutils footnote' id=n>"
            "<tr><td class=label><a class=fn-backref href=#r>[1]</a></td><td>b c</td></tr></table>",
            "a[^1]\n\n[^1]: b c",
        ),
        (
            "<p>a<a class=footnote-reference href=#n id=r>[<span>1</span>]</a></p><aside class=footnote id=n>"
            "<span class=label>[<a href=#r>1</a>]</span><p>b c</p></aside>",
            "a[^1]\n\n[^1]: b c",
        ),
        (  # Quarto, in the margin
            "<p>a<a href=#n class=footnote-ref><sup>1</sup></a></p><div id=n><p><sup>1</sup>&nbsp;b c</p></div>",
            "a[^1]\n\n[^1]: b c",
        ),
        ("<p>a<sup><a href=#gone>1</a></sup></p>", "a[1](https://example.org/a/b.html#gone)"),
        ("<p>a<sup><a href=#n>1</a></sup></p><h2 id=n>b</h2>", "a[1](https://example.org/a/b.html#n)\n\n## b"),
    ],
)
def test_footnotes(body: str, expected: str) -> None:
    check(body, expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("*a* **b** _c_ __d__", "\\*a\\* \\*\\*b\\*\\* \\_c\\_ \\_\\_d\\_\\_"),
        ("a_b 2 * 3 a-b a.b a+b #a !a", "a_b 2 * 3 a-b a.b a+b #a !a"),
        ("[a] [a](b) [^1]", "[a] [a\\](b) \\[^1]"),
        ("<script> </p> <!-- < 3 > 2", "&lt;script> &lt;/p> &lt;!-- < 3 > 2"),
        ("&amp; &#38; & AT&T", "&amp;amp; &amp;#38; & AT&T"),
        ("~~a~~ ~5", "\\~\\~a\\~\\~ ~5"),
        ("`a`", "&#96;a&#96;"),
        ("$5", "$5"),
        ("$5 or $6", "\\$5 or \\$6"),
        ("C:\\a \\* \\", "C:\\a \\\\\\* \\\\"),
        ("1. a", "1\\. a"),
        ("1) a", "1\\) a"),
        ("1.5 a", "1.5 a"),
        ("# a", "\\# a"),
        ("> a", "\\> a"),
        ("- a", "\\- a"),
        ("+ a", "\\+ a"),
        ("-a", "-a"),
        ("---", "\\---"),
        ("===", "\\==="),
        ("* * *", "\\* * *"),
        ("~~~", "\\~\\~\\~"),
        ("| a |", "| a |"),
        (": a", "\\: a"),
        ("[ ] a", "\\[ ] a"),
        ("[a]: b", "[a\\]: b"),
        ("a^[b]", "a\\^[b]"),
        ("<http://a.b>", "&lt;http://a.b>"),
        ("http://a.b/<c> *d*", "http://a.b/&lt;c> &#42;d&#42;"),
        ("a@b.c <3@d>", "a@b.c &lt;3@d>"),
        ("a {b} {: e }", "a {b} \\{: e }"),
        ("a {b} {c=d}", "a \\{b} \\{c=d}"),  # attributes go from the first brace to the last
    ],
)
def test_escapes(text: str, expected: str) -> None:
    escaped = text.replace("&", "&amp;").replace("<", "&lt;")
    assert expected == markdown_of(f"<p>{escaped}</p>")


def test_line_starts_are_escaped_behind_a_break() -> None:
    check("<p>a | b<br>--- | ---<br># c</p>", "a | b\\\n\\--- | ---\\\n\\# c")


def test_entities_over_two_elements_are_escaped() -> None:
    check("&amp;am<span>p;</span> &lt;<span>b&gt;</span>", "&amp;amp; &lt;b>")


OPTIONS_BODY = "<h2>a</h2><p>b <b>c</b> <a href=x>d</a> <img src=i.png alt=e> <code>f</code></p><pre>g</pre>"


@pytest.mark.parametrize(
    ("options", "line"),
    [
        ({}, f"b **c** [d]({BASE}x) ![e]({BASE}i.png) `f`"),
        ({"images": False}, f"b **c** [d]({BASE}x) `f`"),
        ({"links": False}, f"b **c** d ![e]({BASE}i.png) `f`"),
        ({"formatting": False}, f"b c [d]({BASE}x) ![e]({BASE}i.png) f"),
        ({"images": False, "links": False, "formatting": False}, "b c d f"),
    ],
)
def test_options_take_away_what_they_name(options: dict[str, bool], line: str) -> None:
    assert f"## a\n\n{line}\n\n```\ng\n```" == markdown_of(OPTIONS_BODY, **options)


def test_title_is_the_first_heading_if_asked_for() -> None:
    page = "<title>Tea</title><body><h1>Tea &lt;b></h1><p>" + "Warm the pot, then wait a while. " * 9
    assert extract(page).markdown.startswith("# Tea &lt;b>\n\nWarm the pot")
    assert extract(page, options=Options(title_in_markdown=False)).markdown.startswith("Warm the pot")


def test_front_matter_is_yaml_without_tags() -> None:
    page = (
        "<html lang=en><title>Tea: &lt;b> &amp; 'milk' ![a](b) `c`</title><body><p>"
        + "Warm the pot, then wait a while. " * 9
    )
    extraction = extract(page, "https://example.org/", Options(metadata=True))
    _, head, body = extraction.markdown.split("---\n", 2)
    assert extraction.metadata.as_dict() == yaml.safe_load(head)
    assert not set("<>()!`") & set(head)
    assert body.startswith("\nWarm the pot")


def test_empty_page_is_empty() -> None:
    assert extract("").markdown == ""


def test_controls_are_dropped() -> None:
    assert markdown_of("<p>a\x07b\x1b[31m</p><pre>\x08c</pre>") == "ab[31m\n\n```\nc\n```"


@pytest.mark.parametrize("tags", [("<ul><li>", "</ul>"), ("<blockquote>", "</blockquote>"), ("<dl><dt>t<dd>", "</dl>")])
def test_depth_of_prefixes_is_limited(tags: tuple[str, str]) -> None:
    begin, end = tags
    deep = markdown_of(begin * 200 + "a" + end * 200)
    assert deep.endswith("a")
    assert max(len(line) for line in deep.split("\n")) < 5 * MOST_NESTED


def test_spans_cannot_make_a_small_table_large() -> None:
    row = "<tr><td colspan=1000 rowspan=65534>a<td>b"
    assert len(markdown_of(f"<table>{row * 100}</table>")) < 10_000


PLAIN_READER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])


def tags_in(markdown: str) -> set[str]:
    """The HTML that a reader finds who knows nothing of footnotes, formulas and front matter."""
    tokens = PLAIN_READER.parse(markdown)
    inside = [token for block in tokens for token in block.children or []]
    return {token.content for token in tokens + inside if token.type in ("html_block", "html_inline")}


NASTY = ["<script>", "</p>", "<!-- x -->", "<a href=x>", "<?x?>", "<b", ">", "`", "``", "\\", "&lt;", "&#60;", "\n"]
NASTY += ["$", "a", "<br>", "*", "_", "|", "[", "](", ")", '"', "    ", "- ", "#", "~~~", "```", "<\x00b>", "<\u00adb>"]
nasty_text = st.lists(st.sampled_from(NASTY), max_size=8).map("".join)
PLACES = (
    "<p>{}</p>",
    "<p>a<b>{}</b><i>{}</i>{}</p>",
    "<h2>{}</h2>",
    "<ul><li>{}<li>{}</ul>",
    "<pre>{}</pre>",
    "<p><code>{}</code>{}</p>",
    "<a href='{}' title='{}'>{}</a>",
    "<img src='i.png?{}' alt='{}' title='{}'>",
    "<table><tr><td>{}<td>{}</table>",
    "<dl><dt>{}<dd>{}</dl>",
    "<blockquote>{}<br>{}</blockquote>",
    "<p>{}<script type=math/tex>{}</script>{}</p>",
    "<script type='math/tex; mode=display'>{}</script>",
    "<iframe src='http://x/{}' title='{}'></iframe>",
    "<p>a<sup><a href=#n>1</a></sup>{}</p><p id=n>{}</p>",
)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(PLACES), nasty_text, nasty_text, nasty_text), min_size=1, max_size=3))
def test_nothing_of_a_page_becomes_a_tag(parts: list[tuple[str, str, str, str]]) -> None:
    body = "".join(place.format(*(_escaped(text) for text in texts)) for place, *texts in parts)
    markdown = kept(body, metadata=True).markdown
    assert tags_in(markdown) <= {"<br>"}
    assert not re.search(r"[ \t]$", markdown, re.MULTILINE)
    assert markdown == "" or re.search(r"[^\n]\n\Z", markdown)


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("'", "&#39;")


def test_examples_have_no_tags_and_no_blanks_at_the_ends_of_lines() -> None:
    for path in EXAMPLES:
        markdown = extract(path.read_bytes(), "https://tidewater.example/", Options(bias=1, metadata=True)).markdown
        assert tags_in(markdown) <= {"<br>"}
        assert all(line == line.rstrip() for line in markdown.split("\n"))
        assert markdown.endswith("\n")
        assert not markdown.endswith("\n\n")
