"""Plain text."""

import pytest
from tests.build import EXAMPLES, kept, real_pages

from pagestrata import Options, extract
from pagestrata.render.text import _walked


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<p>a</p><p>b</p>", "a\n\nb"),
        ("<p>a <b>b</b>c<br>d</p>", "a bc\nd"),
        ("<ul><li>a<li>b</ul>c", "a\nb\n\nc"),
        ("<table><tr><td>a<td>b<tr><td>c<td>d</table>", "a\tb\nc\td"),
        ("<pre>x\n  y\n</pre>", "x\n  y\n"),
        ("<p>a<span hidden>x</span>b <span hidden>y</span> c</p>", "ab c"),
        ("<p>a<noscript>x</noscript></p><p hidden>y</p>", "a"),
        ("a<br><br>b", "a\n\nb"),
        ("<details><summary>a</summary><p>b</p></details>", "a\n\nb"),
    ],
)
def test_what_is_written(body: str, expected: str) -> None:
    assert expected == kept(body).text


def test_tables_can_be_left_out() -> None:
    body = "<p>a</p><table><tr><th>b<th>c<tr><td>d<td>e</table><p>f</p>"
    assert ("a\n\nb\tc\nd\te\n\nf", "a\n\nf") == (kept(body).text, kept(body, tables=False).text)


def test_code_in_a_table_of_a_highlighter_is_no_table() -> None:
    body = "<table class=highlighttable><tr><td><pre>1\n2</pre><td class=code><pre>a\nb</pre></table>"
    assert "a\nb" == kept(body, tables=False).text


def test_drop_selectors_work_inside_a_line() -> None:
    assert "a c" == kept("<p>a <i>b</i> c</p>", drop=("i",)).text


def test_the_title_comes_only_if_asked_for() -> None:
    page = "<title>T</title><h1>T</h1><p>" + "word " * 60
    assert extract(page).text.startswith("word")
    assert extract(page, options=Options(title_in_text=True)).text.startswith("T\n\nword")


def test_turning_images_on_does_not_change_the_text() -> None:
    body = "<p>a<img src=x.png alt=y>b</p><figure><img src=z.png><figcaption>c</figcaption></figure>"
    assert kept(body, images=False).text == kept(body, images=True).text


def test_text_without_cutting_is_the_text_of_the_sections() -> None:
    hidden = "<p>one <span hidden>two</span> three</p><p hidden>four</p><ul><li>five</li><li>six</li></ul>" * 20
    for page in [hidden.encode(), *(path.read_bytes() for path in EXAMPLES)]:
        found = extract(page)
        assert found.segmentation.kept_blocks is not None
        assert "".join(_walked(found, after_title=False)) == found.text


def test_text_without_cutting_is_the_text_of_the_sections_on_real_pages() -> None:
    for path in real_pages(60):
        found = extract(path.read_bytes())
        assert "".join(_walked(found, after_title=False)) == found.text, path.name
