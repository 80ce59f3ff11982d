"""EPUB and HTML documents: what a book holds, and that it is well formed whatever the page does."""

import io
import re
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import html5lib
import pytest
from tests.build import EXAMPLES, kept
from tests.inputs.hostile import HOSTILE, everything

from pagestrata import Extraction, extract, parse, read_file
from pagestrata.errors import UsageError
from pagestrata.render.md_blocks import Link, Paragraph, Run
from pagestrata.render.md_build import blocks_of
from pagestrata.render.xhtml import xhtml

XHTML = "{http://www.w3.org/1999/xhtml}"
LINES = frozenset("a code em s span strong sub sup br".split())
FLOW = frozenset("p h1 h2 h3 h4 h5 h6 ul ol dl blockquote pre table hr aside section".split())
ALLOWED_CHILDREN = {
    **dict.fromkeys("p h1 h2 h3 h4 h5 h6 pre dt td th a code em s span strong sup".split(), LINES),
    **dict.fromkeys("body section blockquote aside dd".split(), FLOW),
    "li": FLOW | LINES,
    "ul": {"li"},
    "ol": {"li"},
    "dl": {"dt", "dd"},
    "table": {"tr"},
    "tr": {"td", "th"},
}
"""A part of HTML's content model, for the elements that we write."""


def parsed(document: str) -> ElementTree.Element:
    return ElementTree.fromstring(document)  # noqa: S314 - written by us


def book_of(extraction: Extraction) -> dict[str, str]:
    """The files of a book, in their order."""
    with zipfile.ZipFile(io.BytesIO(extraction.render_bytes("epub"))) as book:
        return {name: book.read(name).decode() for name in book.namelist()}


def misplaced(document: str) -> list[str]:
    """Elements of a chapter that stand where HTML does not allow them, and links to places that are not there."""
    root = parsed(document)
    found = []
    for element in root.find(f"{XHTML}body").iter():  # type: ignore[union-attr]
        name = element.tag.removeprefix(XHTML)
        allowed = ALLOWED_CHILDREN.get(name, frozenset())
        children = [child.tag.removeprefix(XHTML) for child in element]
        found += [f"{child} in {name}" for child in children if child not in allowed]
        if name == "dl" and (children[0], children[-1]) != ("dt", "dd"):
            found.append("dl")
        if name == "a" and element.find(f".//{XHTML}a") is not None:
            found.append("a in a")
    ids = {element.get("id") for element in root.iter()}
    targets = [element.get("href", "") for element in root.iter(f"{XHTML}a")]
    return found + [target for target in targets if target.startswith("#") and target[1:] not in ids]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<p>Tea <b>for <i>two</i></b>", "<p>Tea <strong>for</strong> <strong><em>two</em></strong></p>"),
        ("<ul>Tea<li>a<li><p>b<p>c</ul>", "<ul><li>Tea</li><li>a</li><li><p>b</p>\n<p>c</p></li></ul>"),
        ("<ol start=3><li>a</ol>", '<ol start="3"><li>a</li></ol>'),
        ("<p><a href=/x?a=1&b=2>t</a>", '<p><a href="https://example.org/x?a=1&amp;b=2">t</a></p>'),
        ("<p><a href=javascript:x>t</a>, <a href=mailto:a@b>u</a>", "<p>t, u</p>"),
        ("<p>a<br>b", "<p>a<br/>b</p>"),
        ("<pre>a &lt; b\n c</pre>", "<pre><code>a &lt; b\n c</code></pre>"),
        ("<p>a <img src=p.png alt='a \"pot\"'>", '<p>a <span class="image">a &quot;pot&quot;</span></p>'),
        ("<dl><dt>Tea<dd>Hot</dl>", "<dl><dt>Tea</dt><dd><p>Hot</p></dd></dl>"),
        (
            "<table><tr><th>a<th>b<tr><td colspan=2 rowspan=9>c</table>",
            '<table><tr><th>a</th><th>b</th></tr><tr><td colspan="2">c</td></tr></table>',
        ),
    ],
)  # fmt: skip
def test_blocks_become_valid_xhtml(body: str, expected: str) -> None:
    extraction = kept(body)
    assert expected == xhtml(extraction.page, blocks_of(extraction))


def test_a_book_has_its_type_first_then_what_it_consists_of() -> None:
    book = book_of(kept("<h1>On tea</h1><p>Warm the pot.<h2>Milk &amp; sugar</h2><p>Never."))
    assert ["mimetype", "META-INF/container.xml", "book.opf", "contents.xhtml", "chapter.xhtml", "style.css"] == [*book]
    assert "application/epub+zip" == book["mimetype"]
    manifest = set(re.findall(r' href="([^"]+)"', book["book.opf"]))
    assert {"contents.xhtml", "chapter.xhtml", "style.css"} == manifest
    entries = re.findall(r'<a href="chapter.xhtml#([^"]+)">([^<]+)</a>', book["contents.xhtml"])
    assert [("title", "On tea"), ("part-1", "Milk &amp; sugar")] == entries
    assert all(f'id="{anchor}"' in book["chapter.xhtml"] for anchor, _ in entries)


def test_the_type_stands_uncompressed_at_a_known_place() -> None:
    data = kept("<p>Tea.").render_bytes("epub")
    assert b"mimetypeapplication/epub+zip" == data[30:58]


def test_the_same_page_gives_the_same_book() -> None:
    books = [kept("<h1>On tea</h1><p>Warm the pot.").render_bytes("epub") for _ in range(2)]
    assert books[0] == books[1]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_books_of_examples_are_well_nested(path: Path) -> None:
    extraction = extract(read_file(path))
    book = book_of(extraction)
    assert [] == misplaced(book["chapter.xhtml"])
    for name in ("META-INF/container.xml", "book.opf", "contents.xhtml"):
        parsed(book[name])
    assert "".join(extraction.text.split())[:40] in "".join("".join(parsed(book["chapter.xhtml"]).itertext()).split())


@pytest.mark.parametrize("name", [*HOSTILE, "everything"])
def test_books_of_hostile_pages_are_well_nested_and_passive(name: str) -> None:
    chapter = book_of(kept(HOSTILE[name] if name in HOSTILE else everything(9)))["chapter.xhtml"]
    assert [] == misplaced(chapter)
    attributes = {key for element in parsed(chapter).iter() for key in element.attrib}
    assert attributes <= {
        *"lang href id class rel type start colspan rowspan".split(),
        "{http://www.w3.org/XML/1998/namespace}lang",
    }


def test_characters_that_xml_forbids_are_left_out() -> None:
    book = book_of(extract("<title>A\x0b\x00 &#1; pot</title><h1>A\x0b pot</h1><p>" + "Te\x0ba\x01 for two. " * 30))
    assert [] == misplaced(book["chapter.xhtml"])


def test_a_book_is_no_text() -> None:
    with pytest.raises(UsageError, match="render_bytes"):
        kept("<p>Tea.").render("epub")


# ------------------------------------------------------------------------------------------------------- HTML document


def test_a_document_stands_alone() -> None:
    made = extract("<html lang=en><title>A < B</title><h1>A < B</h1><p>" + "Warm the pot. " * 40).render("document")
    root = html5lib.parse(made, treebuilder="etree", namespaceHTMLElements=False)
    assert ("en", "A < B", "A < B") == (root.get("lang"), root.findtext("head/title"), root.findtext("body/article/h1"))
    assert [] == root.findall(".//script") + root.findall(".//link")


def test_a_document_always_has_a_title() -> None:
    assert "<title>Page without a title</title>" in extract("").render("document")


# --------------------------------------------------------------------------------------------------------------- links


@pytest.mark.parametrize(
    ("address", "is_link"),
    [
        ("https://a.example", True),
        ("https://a.example:80/x?y=1&z=/a?b#c/d?e", True),
        ("https://a.example/%E2%82%AC", True),
        ("https://a.example/%zz", False),
        ("https://a.example/a#b#c", False),
        ("https://a.example/[x]", False),
    ],
)
def test_a_book_links_only_to_valid_addresses(address: str, is_link: bool) -> None:
    line = [Run("text", "tea", link=Link(address))]
    assert ("<a " in xhtml(parse(""), [Paragraph(line)])) is is_link


def test_an_unusual_blank_between_texts_stays() -> None:
    page = extract("<pre>tea<mi style=display:none>&nbsp</mi>pot", bias=1, max_depth=1)
    assert "tea\xa0pot" in book_of(page)["chapter.xhtml"]
