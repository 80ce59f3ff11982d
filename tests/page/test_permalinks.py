"""The marks beside headings from which readers copy a link."""

import pytest
from tests.build import kept

from pagestrata import extract
from pagestrata.render.text import _walked

SPHINX = '<section id="use"><h2>Use<a class="headerlink" href="#use" title="Link to this heading">¶</a></h2></section>'
DOCUSAURUS = '<h2 id="use">Use<a href="#use" title="Direct link to Use">\u200b</a></h2>'
OTHER_SIGNS = '<h2 id="use"><a href="https://example.org/a/b.html#use">§</a>Use <a href="#use">🔗\ufe0e</a></h2>'
BESIDE = '<div><h2 id="use">Use</h2></div><h3><a id="c" href="#c">#</a> C#</h3>'


@pytest.mark.parametrize(
    ("body", "markdown", "text"),
    [
        (SPHINX, "## Use", "Use"),
        (DOCUSAURUS, "## Use", "Use"),
        (OTHER_SIGNS, "## Use", "Use"),
        (SPHINX.replace("¶", "\uf0c1"), "## Use", "Use"),
        (BESIDE, "## Use\n\n### C#", "Use\n\nC#"),
        ('<dl><dt id="f">f()<a href="#f">¶</a></dt><dd>a</dd></dl>', "f()\n:   a", "f()\na"),
        ('<p>a <a href="#b">#</a> b</p><p id="b">c</p>', "a [#](https://example.org/a/b.html#b) b\n\nc", "a # b\n\nc"),
        ('<p>a <a href="/#b">#</a> b</p>', "a [#](https://example.org/#b) b", "a # b"),
        ('<h2 id="use"><a href="#use">Use</a></h2>', "## Use", "Use"),
    ],
)
def test_permalinks_are_not_written(body: str, markdown: str, text: str) -> None:
    found = kept(body)
    assert (markdown, text) == (found.markdown.strip(), found.text)


def test_html_and_xml_leave_them_out_too() -> None:
    found = kept(DOCUSAURUS)
    assert "\u200b" not in found.html + found.xml
    assert '<h2 id="use">Use</h2>' in found.html


def test_the_title_has_none_in_any_format() -> None:
    page = '<title>C#</title><h1 id="c">C#<a href="#c">¶</a></h1><p>' + "word " * 60
    found = extract(page)
    assert found.title_section is not None
    assert found.markdown.startswith("# C#\n")
    assert not any("¶" in found.render(name) for name in ("text", "md", "html", "xml"))


def test_text_without_cutting_leaves_them_out_as_well() -> None:
    found = extract("".join(f"<article>{SPHINX}<p>{f'word{place} ' * 60}</p></article>" for place in range(3)))
    assert found.segmentation.kept_blocks is not None
    assert "Use\n\nword1" in found.text
    assert "¶" not in found.text
    assert "".join(_walked(found, after_title=False)) == found.text
