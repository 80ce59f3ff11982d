"""TEI that the schema of the Text Encoding Initiative accepts."""

from pathlib import Path

import pytest
from lxml import etree
from tests.build import EXAMPLES, kept

from pagestrata import extract

trafilatura = pytest.importorskip("trafilatura.xml")
NAMES = {"tei": "http://www.tei-c.org/ns/1.0"}
OUTSIDE = {"table": "list", "row": "item", "cell": "quote", "figure": "quote"}
"""Elements of TEI that the schema at hand leaves out, and others that may stand where they stand."""


def content(body: str) -> str:
    root = etree.fromstring(kept(body).render("tei").encode())
    return "".join(etree.tostring(each, encoding="unicode") for each in root.find(".//tei:div", NAMES)).replace(
        f' xmlns="{NAMES["tei"]}"', ""
    )


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (
            "<h2>a</h2><p>b <em>c</em>",
            '<ab type="header" rend="h2">a</ab>\n<p>b <hi rend="#i">c</hi></p>',
        ),
        ("<ul><li>a</ul>", '<list rend="ul"><item>a</item></list>'),
        ("<dl><dt>a<dd>b</dl>", '<list rend="dl"><item rend="dt">a</item><item rend="dd"><p>b</p></item></list>'),
        ("<p><a href=/x>t</a><br>u", '<p><ref target="https://example.org/x">t</ref><lb/>u</p>'),
        ("<pre>a\n b</pre>", '<ab type="code">a\n b</ab>'),
        (
            "<table><tr><th>a<th>b<tr><td>c<td>d</table>",
            '<table><row><cell role="head">a</cell><cell role="head">b</cell></row>'
            "<row><cell>c</cell><cell>d</cell></row></table>",
        ),
        ("<p>a &lt;b&gt; &amp;\x0c", "<p>a &lt;b&gt; &amp;</p>"),
    ],
)
def test_what_is_written(body: str, expected: str) -> None:
    assert expected == content(body)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_every_example_is_valid(path: Path) -> None:
    root = etree.fromstring(extract(path.read_bytes()).render("tei").encode())
    for element in root.iter():
        name = etree.QName(element).localname
        if name in OUTSIDE:
            element.tag = f"{{{NAMES['tei']}}}{OUTSIDE[name]}"
            element.attrib.clear()
    schema = etree.DTD(trafilatura.TEI_SCHEMA)
    assert schema.validate(root), schema.error_log


def test_the_header_has_the_metadata() -> None:
    skiff = next(path for path in EXAMPLES if path.stem == "building-a-nine-foot-skiff")
    root = etree.fromstring(extract(skiff.read_bytes()).render("tei").encode())
    places = ("titleStmt/tei:title", "titleStmt/tei:author", "publicationStmt/tei:publisher", "langUsage/tei:language")
    expected = ["A Nine-Foot Skiff in Nine Weekends", "Callum Pettifer", "The Tidewater Almanac", "en"]
    assert expected == [root.findtext(f".//tei:{place}", namespaces=NAMES) for place in places]


def test_an_empty_page_is_a_document_too() -> None:
    assert '<div type="entry"><p /></div>' in extract("").render("tei")
