"""Safe HTML: an allow-list of elements and attributes, no active content, links of four schemes only."""

from html import escape
from typing import Final

from pagestrata.extraction import Extraction
from pagestrata.page import tags
from pagestrata.render.markup import Element, copied, image, link, media, numbers, web_link, write_markup

_PLAIN = "p h1 h2 h3 h4 h5 h6 ul dl dt dd pre figcaption table caption thead tbody tfoot tr figure"
_MEDIA = "video audio iframe"
_FORMATTING = "b strong i em u s del ins sub sup small mark cite kbd samp var code ruby rt rp"

VOCABULARY: Final[dict[str, Element]] = {
    **{name: Element(name) for name in _PLAIN.split()},
    **{name: Element(name, needs="formatting") for name in _FORMATTING.split()},
    "abbr": Element("abbr", copied("title"), needs="formatting"),
    "time": Element("time", copied("datetime"), needs="formatting"),
    "a": Element("a", link("href", also=("title",)), needs="links", without="href"),
    "blockquote": Element("blockquote", web_link("cite", "cite")),
    "q": Element("q", web_link("cite", "cite")),
    "ol": Element("ol", numbers("start")),
    "li": Element("li", numbers("value")),
    "td": Element("td", numbers("colspan", "rowspan")),
    "th": Element("th", numbers("colspan", "rowspan")),
    "img": Element("img", image("src"), is_empty=True, needs="images", without="src"),
    **{name: Element("a", media("href"), needs="images", without="href", says="title") for name in _MEDIA.split()},
    "br": Element("br", is_empty=True),
    "hr": Element("hr", is_empty=True),
    tags.TEX: Element("code", fixed=' class="language-tex"'),
}


def render_html(extraction: Extraction) -> str:
    """Write the kept sections as one `<article>`, the title first."""
    title = extraction.shown_title if extraction.options.title_in_markdown else ""
    parts = [f"<h1>{escape(title, quote=False)}</h1>"] if title else []
    if extraction.options.metadata:
        parts.append(_metadata(extraction))
    parts.append(write_markup(extraction, VOCABULARY).strip("\n"))
    inside = "\n".join(part for part in parts if part)
    return f"<article>\n{inside}\n</article>\n" if inside else ""


def _metadata(extraction: Extraction) -> str:
    rows = []
    for name, value in extraction.metadata.as_dict().items():
        values = value if isinstance(value, list | tuple) else [value]
        rows.append(f"<dt>{escape(name)}</dt>" + "".join(f"<dd>{escape(str(each))}</dd>" for each in values))
    return '<dl class="metadata">' + "".join(rows) + "</dl>" if rows else ""
