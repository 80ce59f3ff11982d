"""Other forms in which the same page may arrive: truncated, minified, wrapped in more elements, without names.

Each of these changes leaves what a visitor sees as it was, except for the truncated page.
"""

import itertools
import re
from collections.abc import Callable
from functools import partial
from typing import Final

import turbohtml
from tests.landmarks.notices import CONSENT_NOTICES
from turbohtml import Comment, Element, Node, Text

from pagestrata.evaluate.names import without_names

READ: Final = 0.9
"""The share of the markup that arrives before the connection breaks."""
WRAPPERS: Final = 2
"""Elements that are put around each container: page builders seldom add only one."""
EVERY_BLOCK, EVERY_LINE = 2, 3
"""Undrawn nodes are inserted before every second block-level element, and into every third line of text. Inserted
everywhere, they would leave neighbours as much alike as before."""

_KEPT = re.compile(r"(?is)<(pre|textarea|script|style)\b.*?</\1\s*>")
_SPACE = re.compile(r"[ \t\r\n\f]+")
_BLOCKS = "address|article|aside|body|dd|div|dl|dt|figure|footer|form|h[1-6]|head|header|hr|html|li|link|main|meta|nav"
_AROUND_BLOCKS = re.compile(rf"(?i) ?(</?(?:{_BLOCKS}|ol|p|section|table|tbody|td|th|thead|tr|ul)\b[^<>]*>) ?")
_TAG = re.compile(r"(</?)([A-Za-z][A-Za-z0-9]*)(?=[\s/>])")


_UNDRAWN: Final[tuple[Callable[[], Node], ...]] = (
    lambda: Element("script"),
    lambda: Comment("ad"),
    lambda: Element("span", {"hidden": ""}),
    lambda: Element("style"),
    lambda: Element("template"),
    lambda: Element("div", {"hidden": ""}),
)
"""Nodes that a browser does not draw. The last one must stay out of lines, where the parser would end a `<p>` at it."""
_BLOCK_LEVEL = (
    "address, article, aside, blockquote, div, dl, figure, footer, form, h1, h2, h3, h4, h5, h6, header, li, main, "
    "nav, ol, p, pre, section, table, ul"
)


def truncated(markup: str) -> str:
    """Cut the page off after nine tenths of the markup."""
    return markup[: int(READ * len(markup))]


def minified(markup: str) -> str:
    """Collapse white space to one space, and to none around tags of blocks, except where it is shown or is code."""
    return _apart_from_raw(markup, _squeezed)


def _squeezed(markup: str) -> str:
    return _AROUND_BLOCKS.sub(r"\1", _SPACE.sub(" ", markup))


def in_capitals(markup: str) -> str:
    """Write the names of tags in capitals, as was usual in 1998."""
    return _TAG.sub(lambda tag: tag[1] + tag[2].upper(), markup)


def wrapped(markup: str) -> str:
    """Put more elements around the content of the body, and around every `article` and `main`."""
    document = _tree(markup)
    for _ in range(WRAPPERS):
        for element in document.select("article, main"):
            element.wrap(Element("div"))
        for body in document.select("body"):
            body.wrap_children(Element("div"))
    return document.serialize()


def with_undrawn_blocks(markup: str) -> str:
    """Insert nodes that a browser does not draw between block-level elements, of each kind in turn."""
    document, makers = _tree(markup), itertools.cycle(_UNDRAWN)
    for element in document.select(_BLOCK_LEVEL)[::EVERY_BLOCK]:
        if isinstance(element.parent, Element):  # the content of a template is in no element
            element.insert_before(next(makers)())
    return document.serialize()


def with_undrawn_inlines(markup: str) -> str:
    """Insert nodes that a browser does not draw into lines of text, where a space is: React does this with comments."""
    document, makers = _tree(markup), itertools.cycle(_UNDRAWN[:3])
    texts = (next((child for child in line.children if isinstance(child, Text)), None) for line in document.select("p"))
    for text in itertools.islice(texts, 0, None, EVERY_LINE):
        head, space, tail = text.data.partition(" ") if text is not None else ("", "", "")
        if text is not None and head.strip() and tail.strip():
            text.insert_before(Text(head + space), next(makers)(), Text(tail))
            text.extract()
    return document.serialize()


def in_one_div(markup: str) -> str:
    """Put one more element around the content of the body."""
    document = _tree(markup)
    for body in document.select("body"):
        body.wrap_children(Element("div"))
    return document.serialize()


def with_single_quotes(markup: str) -> str:
    """Write attributes in single quotes, or in none where the value needs none."""

    def requote(tag: re.Match[str]) -> str:
        return _QUOTED.sub(lambda found: f"={_requoted(found[1])}", tag[0])

    return _apart_from_raw(markup, lambda piece: _WHOLE_TAG.sub(requote, piece))


def _requoted(value: str) -> str:
    if re.fullmatch(r"[A-Za-z0-9_.:-]+", value):
        return value
    return f"'{value}'" if "'" not in value else f'"{value}"'


def with_crlf(markup: str) -> str:
    """End lines as Windows does."""
    return re.sub(r"\r?\n", "\r\n", markup)


def in_charset(name: str, markup: str) -> bytes:
    """Encode the page in another charset, and declare it; characters that it has not are written as references."""
    undeclared = _DECLARATION.sub("", markup)
    declared, count = re.subn(r"(?i)<head\b[^>]*>", rf'\g<0><meta charset="{name}">', undeclared, count=1)
    return (declared if count else f'<meta charset="{name}">{undeclared}').encode(name, "xmlcharrefreplace")


def through_lxml(markup: str) -> bytes:
    """Parse and write the page with lxml, as many crawlers do."""
    from lxml import etree, html

    tree = html.document_fromstring(markup.encode(), parser=html.HTMLParser(encoding="utf-8", huge_tree=True))
    return bytes(etree.tostring(tree, method="html", encoding="utf-8"))


def through_html5lib(markup: str) -> str:
    """Parse and write the page with html5lib."""
    import html5lib

    tree = html5lib.parse(markup, treebuilder="etree", namespaceHTMLElements=False)
    return str(html5lib.serialize(tree, "etree", omit_optional_tags=False, quote_attr_values="always"))


def with_hidden_spans(markup: str) -> str:
    """Insert spans with text that no style shows before every second paragraph."""
    document = _tree(markup)
    for paragraph in document.select("p")[::EVERY_BLOCK]:
        if isinstance(paragraph.parent, Element):
            span = Element("span", {"style": "display:none"})
            span.append(Text("Advertisement, continue below"))
            paragraph.insert_before(span)
    return document.serialize()


def with_banner(markup: str) -> str:
    """Append a cookie banner to the body: unlike the others, visitors see this change."""
    return _with_notice(markup, "beforeend", _BANNER)


def with_notice(markup: str) -> str:
    """Put a consent notice at the start of the body, in the markup of one of the products that write them."""
    notices = list(CONSENT_NOTICES.values())
    return _with_notice(markup, "afterbegin", notices[len(markup) % len(notices)])


def _with_notice(markup: str, place: str, notice: str) -> str:
    document = _tree(markup)
    for body in document.select("body"):
        body.insert_adjacent_html(place, notice)
    return document.serialize()


_BANNER: Final = (
    '<div id="cookie-banner" class="cookie-consent" role="dialog"><p>We and our partners use cookies and similar '
    "technologies to store and access information on your device, to measure how this site is used, and to show "
    "content and advertisements that fit your interests. You can change your choice at any time in the settings. Read "
    'our <a href="/privacy">privacy policy</a> and our <a href="/cookies">cookie policy</a>.</p>'
    "<button>Accept all</button><button>Reject all</button><button>Manage preferences</button></div>"
)
_DECLARATION = re.compile(r"(?i)<meta\b[^>]*charset[^>]*>|<\?xml[^>]*\?>")
_WHOLE_TAG = re.compile(r"<[A-Za-z][^<>]*>")
_QUOTED = re.compile(r'="([^"]*)"(?!/)')  # without quotes a value would take the slash of `<br class="a"/>` in


def _apart_from_raw(markup: str, change: Callable[[str], str]) -> str:
    """Change the markup except for scripts, styles and text that is shown as written."""
    pieces, end = [], 0
    for kept in _KEPT.finditer(markup):
        pieces += [change(markup[end : kept.start()]), kept[0]]
        end = kept.end()
    return "".join((*pieces, change(markup[end:])))


def _tree(markup: str) -> turbohtml.Document:
    return turbohtml.parse(markup, positions=False, allow_declarative_shadow_roots=False)


PERTURBATIONS: Final[dict[str, Callable[[str], str]]] = {
    "truncated": truncated,
    "minified": minified,
    "in capitals": in_capitals,
    "wrapped": wrapped,
    "names removed": without_names,
    "undrawn blocks": with_undrawn_blocks,
    "undrawn inlines": with_undrawn_inlines,
}

UNSEEN_CHANGES: Final[dict[str, Callable[[str], str | bytes]]] = {
    "scripts, comments and empty hidden elements between blocks": with_undrawn_blocks,
    "the same within lines": with_undrawn_inlines,
    "hidden spans with text between paragraphs": with_hidden_spans,
    "one more div in the body": in_one_div,
    "single quotes or none around attributes": with_single_quotes,
    "CRLF": with_crlf,
    "windows-1252": partial(in_charset, "windows-1252"),
    "UTF-16": partial(in_charset, "utf-16"),
    "minified": minified,
    "through lxml": through_lxml,
    "through html5lib": through_html5lib,
}
"""Changes that no visitor sees."""
NOTICES: Final[dict[str, Callable[[str], str | bytes]]] = {
    "cookie banner appended": with_banner,
    "consent notice of some product at the start": with_notice,
}
CHANGES: Final = {**UNSEEN_CHANGES, **NOTICES}
