"""Markdown can be read back to what the page says: the proof. The comparison itself is in `roundtrip.py`."""

from pathlib import Path

import pytest
from tests.build import EXAMPLES, ROOT, kept, real_pages
from tests.render.roundtrip import READERS, Share, expected_items

from pagestrata import Options, extract

PAGES = [*EXAMPLES, *sorted((ROOT / "tests" / "pages").rglob("*.html"))]
SEED = 3
LEAST_SHARE = 0.99
"""Of equal items over real pages, without the lines before posts, which no page has. What is missing is emphasis that
Markdown cannot mark, such as `a<b>(b)</b>c`."""

# One of everything, nested: what the examples do not have.
EVERYTHING = """
<h2>a <em>b</em></h2><p>c <b>d <a href=/e title=f>g</a></b> <code>h`i</code><br><img src=j.png alt=k> l</p>
<ol start=3><li>m<ul><li>n<p>o</p></ul><li value=9>p</ol><ul><li><pre class=lang-q>r\n  s</pre></ul>
<blockquote><p>t</p><ul><li>u</ul><blockquote>v</blockquote></blockquote><hr>
<table><caption>w</caption><tr><th>x<th>y<tr><td colspan=2>z | <code>|</code><tr><td>1<br>2<td><ul><li>3</ul></table>
<dl><dt>4<dd>5<dd>6<p>7</p><dt>8<dt>9<dd>10<dl><dt>11<dd>12</dl></dl>
<p>13<sup><a href=#n1>1</a></sup> <script type=math/tex>x_1 &lt; y</script> <del>14</del></p>
<script type="math/tex; mode=display">a\n=b</script><p>1. # * _ [15](16) &lt;b> &amp;amp; $17 $18</p>
<ol><li id=n1>19<p>20</p></ol>
"""


@pytest.mark.parametrize("reader", READERS)
def test_everything_comes_back(reader: str) -> None:
    extraction = kept(EVERYTHING)
    assert expected_items(extraction) == READERS[reader](extraction.markdown)


@pytest.mark.parametrize("bias", [0.0, 1.0])
@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_made_pages_come_back(path: Path, reader: str, bias: float) -> None:
    extraction = extract(path.read_bytes(), f"https://tidewater.example/{path.name}", Options(bias=bias, bylines=False))
    assert expected_items(extraction) == READERS[reader](extraction.markdown)


@pytest.mark.parametrize("reader", READERS)
def test_real_pages_come_back(reader: str) -> None:
    share = Share()
    for path in real_pages(40, SEED):
        extraction = extract(path.read_bytes(), f"https://site.example/{path.name}", Options(bias=1, bylines=False))
        share.add(expected_items(extraction), READERS[reader](extraction.markdown))
    assert share.value >= LEAST_SHARE
