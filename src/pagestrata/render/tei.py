"""TEI: XML by the guidelines of the Text Encoding Initiative, which corpora of texts use (https://tei-c.org/guidelines).

Names of types and renditions are those that trafilatura writes, so that the same programs read both.
"""

from importlib.metadata import version
from typing import Final
from xml.etree.ElementTree import Element, SubElement, fromstring, tostring

from pagestrata.extraction import Extraction
from pagestrata.render.document import title_of
from pagestrata.render.md_build import blocks_of
from pagestrata.render.xhtml import xhtml, xml_characters

_NAMESPACE: Final = "http://www.tei-c.org/ns/1.0"
_RENDITIONS: Final = {
    "#b": "b strong",
    "#i": "i em cite var",
    "#u": "u ins",
    "#t": "code kbd samp",
    "#sub": "sub",
    "#sup": "sup",
    "#mark": "mark",
}
_ELEMENTS: Final[dict[str, tuple[str, dict[str, str]]]] = {
    **{f"h{level}": ("ab", {"type": "header", "rend": f"h{level}"}) for level in range(1, 7)},
    **{tag: ("hi", {"rend": name}) for name, names in _RENDITIONS.items() for tag in names.split()},
    **{tag: ("list", {"rend": tag}) for tag in ("ul", "ol", "dl")},
    **{tag: ("item", {"rend": tag}) for tag in ("dt", "dd")},
    **{tag: ("del", {"rend": "overstrike"}) for tag in ("s", "del")},
    "li": ("item", {}),
    "p": ("p", {}),
    "pre": ("ab", {"type": "code"}),
    "blockquote": ("quote", {}),
    "q": ("q", {}),
    "aside": ("note", {"place": "foot"}),
    "table": ("table", {}),
    "tr": ("row", {}),
    "td": ("cell", {}),
    "th": ("cell", {"role": "head"}),
    "a": ("ref", {}),
    "br": ("lb", {}),
    "hr": ("milestone", {"unit": "section"}),
}
"""The element of TEI for each of XHTML, with the attributes that are always written."""
_OTHER: Final[tuple[str, dict[str, str]]] = ("seg", {})
_ATTRIBUTES: Final = {"href": "target", "colspan": "cols", "rowspan": "rows"}


def render_tei(extraction: Extraction) -> str:
    """Write the kept sections and the metadata as a TEI document."""
    document = Element("TEI", xmlns=_NAMESPACE)
    _add_header(document, extraction)
    body = SubElement(SubElement(document, "text"), "body")
    content = fromstring(f"<div>{xhtml(extraction.page, blocks_of(extraction)) or '<p/>'}</div>")  # noqa: S314 - our own
    body.append(_translated(content, "div", {"type": "entry"}))
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(document, encoding="unicode")}\n'


def _translated(source: Element, name: str, attributes: dict[str, str]) -> Element:
    """An element of XHTML as one of TEI, with all that is in it."""
    copied = {new: source.attrib[old] for old, new in _ATTRIBUTES.items() if old in source.attrib}
    element = Element(name, attributes | copied)
    element.text, element.tail = source.text, source.tail
    if source.tag == "pre":  # code is marked by its type
        element.text = "".join(source.itertext())
        return element
    element.extend(_translated(child, *_ELEMENTS.get(child.tag, _OTHER)) for child in source)
    return element


def _add_header(document: Element, extraction: Extraction) -> None:
    metadata, address = extraction.metadata, extraction.page.url or extraction.metadata.url
    header = SubElement(document, "teiHeader")
    file = SubElement(header, "fileDesc")
    titles = SubElement(file, "titleStmt")
    _add(titles, "title", title_of(extraction), type="main")
    for author in metadata.authors:
        _add(titles, "author", author)
    publication = SubElement(file, "publicationStmt")
    _add(publication, "publisher", metadata.site_name or address or "unknown")
    if address:
        SubElement(publication, "ptr", type="URL", target=xml_characters(address))
    if metadata.date_published:
        _add(publication, "date", metadata.date_published)
    _add(SubElement(file, "sourceDesc"), "bibl", title_of(extraction))
    application = SubElement(SubElement(SubElement(header, "encodingDesc"), "appInfo"), "application")
    application.attrib |= {"ident": "pagestrata", "version": version("pagestrata")}
    _add(application, "label", "pagestrata")
    _add_profile(SubElement(header, "profileDesc"), extraction)


def _add_profile(profile: Element, extraction: Extraction) -> None:
    metadata = extraction.metadata
    _add(SubElement(profile, "abstract"), "p", metadata.description or "")
    if metadata.language:
        _add(SubElement(profile, "langUsage"), "language", metadata.language, ident=xml_characters(metadata.language))
    keywords = SubElement(SubElement(profile, "textClass"), "keywords")
    for kind, terms in (("pageType", (extraction.page_type.value,)), ("tags", metadata.tags)):
        for term in terms:
            _add(keywords, "term", term, type=kind)


def _add(parent: Element, name: str, text: str, **attributes: str) -> None:
    SubElement(parent, name, attributes).text = xml_characters(text)
