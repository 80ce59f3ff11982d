"""XML with element names of our own, described in docs/guide/formats.md; any strict parser reads it."""

from collections.abc import Iterator
from typing import Final
from xml.sax.saxutils import escape, quoteattr

from pagestrata.extraction import Extraction
from pagestrata.page import tags
from pagestrata.render.markup import Element, copied, image, link, media, numbers, web_link, write_markup

_EMPHASIS = {
    "strong": "b strong",
    "light": "i em cite var",
    "deleted": "s del strike",
    "inserted": "u ins",
    "code": "code kbd samp tt",
    "mark": "mark",
    "sub": "sub",
    "sup": "sup",
}

VOCABULARY: Final[dict[str, Element]] = {
    **{f"h{level}": Element("heading", fixed=f' level="{level}"') for level in range(1, 7)},
    **{
        tag: Element("emphasis", fixed=f' kind="{kind}"', needs="formatting")
        for kind, names in _EMPHASIS.items()
        for tag in names.split()
    },
    "p": Element("paragraph"),
    "ul": Element("list", fixed=' kind="bullet"'),
    "ol": Element("list", numbers("start"), fixed=' kind="ordered"'),
    "li": Element("item", numbers("value")),
    "dl": Element("definitions"),
    "dt": Element("term"),
    "dd": Element("definition"),
    "blockquote": Element("quote", web_link("source", "cite")),
    "q": Element("quoted", web_link("source", "cite")),
    "pre": Element("preformatted"),
    "figure": Element("figure"),
    "table": Element("table"),
    "caption": Element("caption"),
    "figcaption": Element("caption"),
    "tr": Element("row"),
    "td": Element("cell", numbers("colspan", "rowspan")),
    "th": Element("cell", numbers("colspan", "rowspan"), fixed=' heading="yes"'),
    "time": Element("time", copied("datetime"), needs="formatting"),
    "a": Element("link", link("target"), needs="links", without="target"),
    "img": Element("image", image("source"), is_empty=True, needs="images", without="source"),
    "video": Element("media", media("source"), is_empty=True, needs="images", without="source"),
    "audio": Element("media", media("source"), is_empty=True, needs="images", without="source"),
    "iframe": Element("media", media("source"), is_empty=True, needs="images", without="source"),
    "br": Element("break", is_empty=True),
    "hr": Element("rule", is_empty=True),
    tags.TEX: Element("formula", copied("type")),
}


def render_xml(extraction: Extraction) -> str:
    """Write the kept sections as an XML document."""
    title = extraction.shown_title if extraction.options.title_in_markdown else ""
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f"<page{_attributes(extraction)}>"]
    if title:
        lines.append(f"<title>{escape(title)}</title>")
    if extraction.options.metadata:
        lines.extend(_metadata(extraction))
    lines.append(f"<content>{write_markup(extraction, VOCABULARY)}\n</content>")
    lines.extend(f"<limit>{escape(str(limit))}</limit>" for limit in extraction.limits)
    if extraction.reason:
        lines.append(f"<reason>{escape(extraction.reason)}</reason>")
    return "\n".join([*lines, "</page>"]) + "\n"


def _attributes(extraction: Extraction) -> str:
    pairs = {"url": extraction.page.url, "type": extraction.page_type.value, "method": extraction.method}
    return "".join(f" {name}={quoteattr(value)}" for name, value in pairs.items() if value)


def _metadata(extraction: Extraction) -> Iterator[str]:
    for name, value in extraction.metadata.as_dict().items():
        for each in value if isinstance(value, list | tuple) else [value]:
            yield f"<meta name={quoteattr(name)}>{escape(str(each))}</meta>"
