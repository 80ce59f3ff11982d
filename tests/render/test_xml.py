"""XML that a strict parser reads, in words of our own."""

import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from tests.build import EXAMPLES, kept

from pagestrata import Options, extract


def content(body: str, **options: object) -> str:
    root = ElementTree.fromstring(kept(body, **options).xml)  # noqa: S314 - our own output
    found = root.find("content")
    assert found is not None
    return ElementTree.tostring(found, encoding="unicode").replace("\n", "")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (
            "<h2>a</h2><p>b <em>c</em>",
            '<heading level="2">a</heading><paragraph>b <emphasis kind="light">c</emphasis></paragraph>',
        ),
        ("<ul><li>a</ul>", '<list kind="bullet"><item>a</item></list>'),
        ("<ol start=4><li>a</ol>", '<list kind="ordered" start="4"><item>a</item></list>'),
        ("<a href=/x>t</a>", '<paragraph><link target="https://example.org/x">t</link></paragraph>'),
        ("<div id=u><div>a<br>b</div></div>", '<paragraph id="u">a<break />b</paragraph>'),
        (
            "<table><tr><th>a<td>b</table>",
            '<table><row><cell heading="yes">a</cell><cell>b</cell></row></table>',
        ),
        ("<p>a &lt;b&gt; &amp; ]]&gt;", "<paragraph>a &lt;b&gt; &amp; ]]&gt;</paragraph>"),
    ],
)
def test_what_is_written(body: str, expected: str) -> None:
    assert f"<content>{expected}</content>" == content(body)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_every_example_is_well_formed(path: Path) -> None:
    xml = extract(path.read_bytes(), "https://tidewater.example/?a=1&b=2", Options(metadata=True)).xml
    root = ElementTree.fromstring(xml)  # noqa: S314 - our own output
    assert "page" == root.tag
    assert "https://tidewater.example/?a=1&b=2" == root.get("url")


def test_an_empty_page_says_why() -> None:
    assert "<reason>the page has no text</reason>" in extract("").xml


def test_a_block_without_text_inside_an_element_of_the_line_keeps_the_nesting() -> None:
    assert "sed" in content("<cite>sed <option id=main><video></video></option></cite>")
