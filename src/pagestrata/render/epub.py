"""Kept content as an EPUB 3 book of one chapter, for readers and telephones: https://www.w3.org/TR/epub-33/.

The same extraction gives the same bytes. Pictures are left out, since a book may not load them; their alternative text
stays. The book has one chapter, and its contents list the headings.
"""

import io
import re
from datetime import UTC, datetime
from hashlib import sha256
from typing import Final
from uuid import UUID
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from pagestrata.extraction import Extraction
from pagestrata.render.document import STYLE, title_of
from pagestrata.render.md_build import blocks_of
from pagestrata.render.xhtml import xhtml, xml_text

MEDIA_TYPE: Final = "application/epub+zip"
_FIRST_DATE: Final = (1980, 1, 1, 0, 0, 0)
"""The earliest date that a ZIP file can hold: the same content gives the same bytes."""
_XML: Final = '<?xml version="1.0" encoding="utf-8"?>\n'
_CONTAINER: Final = (
    _XML + '<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
    '<rootfile full-path="book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>'
)
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*\Z")
_DATE = re.compile(r"\d{4}(?:-\d{2}(?:-\d{2})?)?")
_HEADING = re.compile(r"<h[1-6]>(.*?)</h[1-6]>", re.DOTALL)
_TAG = re.compile(r"<[^>]*>")


def render_epub(extraction: Extraction) -> bytes:
    """Write the kept sections as a book."""
    body = xhtml(extraction.page, blocks_of(extraction))
    chapter, headings = _with_anchors(body)
    files = {
        "META-INF/container.xml": _CONTAINER,
        "book.opf": _package(extraction, body),
        "contents.xhtml": _contents(extraction, headings),
        "chapter.xhtml": _chapter(extraction, chapter),
        "style.css": STYLE,
    }
    packed = io.BytesIO()
    with ZipFile(packed, "w") as book:
        # The type comes first, uncompressed, so that it stands at a known place of the file.
        book.writestr(ZipInfo("mimetype", _FIRST_DATE), MEDIA_TYPE, ZIP_STORED)
        for name, content in files.items():
            book.writestr(ZipInfo(name, _FIRST_DATE), content.encode(), ZIP_DEFLATED)
    return packed.getvalue()


def _with_anchors(body: str) -> tuple[str, list[str]]:
    """Give each heading an `id`, and return the headings as text."""
    headings: list[str] = []

    def anchored(match: re.Match[str]) -> str:
        headings.append(_TAG.sub("", match[1]).strip())
        return match[0].replace(">", f' id="part-{len(headings)}">', 1)

    return _HEADING.sub(anchored, body), headings


def _chapter(extraction: Extraction, body: str) -> str:
    byline = _text(" · ".join(filter(None, (*_authors(extraction), _date(extraction)))))
    signed = f'<p class="byline">{byline}</p>' if byline else ""
    title = _text(title_of(extraction))
    return _document(extraction, title, f'<section><h1 id="title">{title}</h1>{signed}\n{body}</section>')


def _contents(extraction: Extraction, headings: list[str]) -> str:
    title = _text(title_of(extraction))
    entries = [("title", title), *((f"part-{number}", text) for number, text in enumerate(headings, start=1))]
    rows = "".join(f'<li><a href="chapter.xhtml#{anchor}">{text}</a></li>' for anchor, text in entries if text)
    return _document(extraction, "Contents", f'<nav epub:type="toc"><h1>Contents</h1><ol>{rows}</ol></nav>')


def _document(extraction: Extraction, title: str, body: str) -> str:
    language = _language(extraction)
    return (
        f'{_XML}<!DOCTYPE html>\n<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" '
        f'lang="{language}" xml:lang="{language}"><head><title>{title}</title>'
        f'<link rel="stylesheet" type="text/css" href="style.css"/></head><body>{body}</body></html>'
    )


def _package(extraction: Extraction, body: str) -> str:
    """The description of the book, and the list of its files."""
    url = extraction.page.url or ""
    key = UUID(bytes=sha256(f"{url}\n{title_of(extraction)}\n{body}".encode(errors="replace")).digest()[:16], version=4)
    date, source = _date(extraction), _text(url)
    about = [
        f'<dc:identifier id="key">urn:uuid:{key}</dc:identifier>',
        f"<dc:title>{_text(title_of(extraction))}</dc:title>",
        f"<dc:language>{_language(extraction)}</dc:language>",
        *(f"<dc:creator>{_text(author)}</dc:creator>" for author in _authors(extraction)),
        f"<dc:date>{date}</dc:date>" if date else "",
        f"<dc:source>{source}</dc:source>" if source else "",
        f'<meta property="dcterms:modified">{datetime(2000, 1, 1, tzinfo=UTC):%Y-%m-%dT%H:%M:%SZ}</meta>',
    ]
    return (
        f'{_XML}<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="key">'
        f'<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">{"".join(about)}</metadata><manifest>'
        '<item id="contents" href="contents.xhtml" media-type="application/xhtml+xml" properties="nav"/>'
        '<item id="chapter" href="chapter.xhtml" media-type="application/xhtml+xml"/>'
        '<item id="style" href="style.css" media-type="text/css"/>'
        '</manifest><spine><itemref idref="chapter"/></spine></package>'
    )


def _text(text: str) -> str:
    return xml_text(text).strip()


def _authors(extraction: Extraction) -> list[str]:
    return [author for author in extraction.metadata.authors if author.strip()]


def _date(extraction: Extraction) -> str:
    match = _DATE.match(extraction.metadata.date_published or "")
    return match[0] if match else ""


def _language(extraction: Extraction) -> str:
    language = (extraction.metadata.language or "").replace("_", "-")
    return language if _LANGUAGE.match(language) else "und"
