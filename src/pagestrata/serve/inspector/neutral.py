"""A copy of a page that is safe to display: an allow-list of elements and attributes, no addresses, no scripts.

Every element has its node number as `data-n`, and so does a text with siblings, inside an `<x-t>`; with these numbers
the inspector locates the sections. Elements that are not on the list become `<div>` or `<span>`, so that the tree, the
classes and most of the appearance remain.
"""

import re
from base64 import b64encode
from collections.abc import Iterator
from html import escape, unescape
from mimetypes import guess_type
from typing import Final

from pagestrata.page import columns, tags
from pagestrata.page.page import Page
from pagestrata.page.raw import RawPage
from pagestrata.serve.inspector.style import neutral_css, read_beside, styles_of

POLICY: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; form-action 'none'; base-uri 'none'"
)
"""The content security policy of the frame that shows the copy."""
MAX_NODES: Final = 60_000
"""Nodes of a page that is shown; Chromium takes seconds for more. Sections are listed for every page."""
MAX_PICTURE_BYTES: Final = 4_000_000
"""Bytes of all pictures that are read from the folder of a page."""

_KEPT_ELEMENTS: Final = frozenset(
    "a abbr address article aside b bdi bdo big blockquote br button caption center cite code col colgroup data dd del "
    "details dfn dialog div dl dt em fieldset figcaption figure font footer form h1 h2 h3 h4 h5 h6 header hgroup hr i "
    "img ins kbd label legend li main mark menu nav ol p pre q rp rt ruby s samp section small span strike strong sub "
    "summary sup table tbody td tfoot th thead time tr tt u ul var wbr".split()
)
_REMOVED: Final = frozenset("head script style link meta base title template param source track".split())
_PLACEHOLDERS: Final = frozenset("iframe frame object embed video audio canvas svg applet input map area".split())
_VOID_ELEMENTS: Final = frozenset("br hr img wbr col".split())
_PLAIN_ATTRIBUTES: Final = frozenset(
    "class id dir lang align valign bgcolor color width height border cellpadding cellspacing colspan rowspan size "
    "start type open hidden alt nowrap face".split()
)
SHOWN_ATTRIBUTES: Final = _PLAIN_ATTRIBUTES | {"data-n", "style"}
"""All attributes in a copy, except the sources of its pictures."""
_SHOWN_BY_SCRIPTS: Final = frozenset(tags.SHOWN_BY_SCRIPTS.values())
_NOSCRIPT_SHOWN: Final = tags.SHOWN_BY_SCRIPTS[tags.BY_NOSCRIPT]
_SHOW: Final = "display:block!important;visibility:visible!important;opacity:1!important"
_PICTURE = re.compile(r"data:image/(?:png|gif|jpeg|webp|avif);base64,[A-Za-z0-9+/=\s]*\Z")
_NUMBER = re.compile(r"\d{1,4}\Z")

_BASE_STYLE: Final = """
@layer base {
  body { margin: 1.5rem 2rem; font: 16px/1.55 system-ui, sans-serif; color: #1d2330; background: #fff; }
  img, .ps-box { max-width: 100%; }
}
img:not([src]), .ps-box {
  display: inline-block; min-width: 1em; min-height: 1em; border-radius: 3px; color: #59606e; overflow: hidden;
  font-size: 12px; background: repeating-linear-gradient(45deg, #8882 0 6px, #8881 6px 12px);
}
img:not([src]), .ps-box { max-height: 160px; }
html { overflow: hidden !important; height: auto !important; }
body { overflow: visible !important; height: auto !important; }
[hidden] { display: none !important; }
"""


_UNSTYLED_PAGE_STYLE: Final = """
@layer base {
  body { max-width: 1080px; margin-inline: auto; padding-inline: 14px; }
  h1 { font-size: 2.2em; line-height: 1.15; letter-spacing: -.01em; } h2, h3 { line-height: 1.25; }
  a { color: #1f5c99; text-decoration: none; } article a { text-decoration: underline; }
  nav :is(ul, ol), header :is(ul, ol), footer :is(ul, ol) {
    display: flex; flex-wrap: wrap; gap: .2em 1.4em; padding: 0; list-style: none;
  }
  header, footer, nav, aside, figure { margin-block: .8em; margin-inline: 0; }
  table { border-collapse: collapse; } td, th { padding: .3em .8em; border: 1px solid #ddd; text-align: left; }
  pre { padding: .8em; background: #f4f4f2; overflow-x: auto; }
  blockquote { border-left: 3px solid #ccc; padding-left: 1em; }
}
"""
"""Added for pages whose style sheets are missing."""
MIN_STYLE_LENGTH: Final = 2_000
"""Characters of style sheets below which a page counts as unstyled."""


def neutral_copy(raw: RawPage, page: Page) -> str:
    """Write a document that shows the page, but loads and runs nothing; empty if the page is too large to show."""
    if len(page.nodes) > MAX_NODES:
        return ""
    styles = styles_of(raw, page)
    base = _BASE_STYLE + _UNSTYLED_PAGE_STYLE if len(styles) < MIN_STYLE_LENGTH else _BASE_STYLE
    head = (
        f'<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        f'<style>{base}</style><style class="page">{styles}</style>'
    )
    return "<!DOCTYPE html>" + "".join(_Writer(raw, page).pieces(head))


class _Writer:
    """Writes the nodes in document order; a stack holds the end tags."""

    def __init__(self, raw: RawPage, page: Page) -> None:
        self.raw, self.page = raw, page
        nodes = page.nodes
        self.parent, self.end = nodes.parent.tolist(), nodes.end.tolist()
        self.text_start, self.text_end = nodes.text_start.tolist(), nodes.text_end.tolist()
        self.first, self.last = nodes.attribute_start.tolist(), nodes.attribute_end.tolist()
        self.names = [nodes.names[number] for number in nodes.tag.tolist()]
        self.is_block = (nodes.container == range(len(nodes))).tolist() if len(nodes) else []
        self.in_pre = ((nodes.flags & columns.IN_PRE) != 0).tolist()
        self.kids = nodes.child_count.tolist()
        self.attributes = page.attributes.tolist()
        reasons = nodes.hidden_by.tolist()
        self.is_shown_by_scripts = [reason in _SHOWN_BY_SCRIPTS for reason in reasons]
        self.is_noscript_text = [reason == _NOSCRIPT_SHOWN for reason in reasons]
        self.picture_bytes_left = MAX_PICTURE_BYTES
        self.gap_at = 0

    def pieces(self, head: str) -> Iterator[str]:
        """Write the document in pieces, with this head."""
        endings: list[tuple[int, str]] = []
        node, count, has_head = 0, len(self.names), False
        while node < count:
            while endings and endings[-1][0] <= node:
                yield endings.pop()[1]
            name = self.names[node]
            if name == "#text":
                yield self.text(node)
            elif name in _REMOVED or (name == "noscript" and not self.is_noscript_text[node]):
                if node and not has_head:
                    has_head = True
                    yield f"<head>{head}</head>"
                node = self.end[node]
                continue
            else:
                yield self.gap(node)
                new_name = name if node == 0 or name == "body" else self.name_of(node)
                yield f'<{new_name} data-n="{node}"{self.attributes_of(node, name)}>'
                if new_name not in _VOID_ELEMENTS:
                    endings.append((self.end[node], f"</{new_name}>"))
            node += 1
        while endings:
            yield endings.pop()[1]
        if not count:
            yield f"<html><head>{head}</head><body></body></html>"

    def name_of(self, node: int) -> str:
        name = self.names[node]
        return name if name in _KEPT_ELEMENTS else "div" if self.is_block[node] else "span"

    def text(self, node: int) -> str:
        text = escape(self.page.text[self.text_start[node] : self.text_end[node]], quote=False)
        gap = self.gap(node)
        if self.kids[self.parent[node]] == 1:
            return gap + text
        return f'{gap}<x-t data-n="{node}">{text}</x-t>'

    def gap(self, node: int) -> str:
        """The space before a text, written once, before the start tags of the elements that begin with it."""
        start = self.text_start[node]
        if start <= self.gap_at or start == self.text_end[node] or self.in_pre[node]:
            return ""
        self.gap_at = start
        return " " if self.page.text[start - 1].isspace() else ""

    def attributes_of(self, node: int, name: str) -> str:
        """Write the allowed attributes; their values are already escaped in the markup of the page."""
        attributes = dict(self.markup_attributes(node))
        if name == "details":
            attributes["open"] = ""  # its text is read, so it is drawn
        written = [f'{key}="{value}"' for key, value in attributes.items() if key in _PLAIN_ATTRIBUTES]
        if name in _PLACEHOLDERS:
            attributes["style"] = _size_style(attributes) + attributes.get("style", "")
            written = [attribute for attribute in written if not attribute.startswith("class=")] + ['class="ps-box"']
        if self.begins_shown(node):
            attributes["style"] = f"{attributes.get('style', '')};{_SHOW}"
        if attributes.get("style"):
            written.append(f'style="{escape(neutral_css(unescape(attributes["style"])))}"')
        if name == "img":
            source = self.picture(unescape(attributes.get("src", "")))
            size = [f'style="{_size_style(attributes)}"'] if "style" not in attributes else []
            written += [f'src="{escape(source)}"'] if source else size
        return "".join(f" {attribute}" for attribute in written)

    def begins_shown(self, node: int) -> bool:
        """Whether an element is hidden until scripts run, and its text is read all the same: then it is drawn too."""
        return self.is_shown_by_scripts[node] and (node == 0 or not self.is_shown_by_scripts[self.parent[node]])

    def markup_attributes(self, node: int) -> Iterator[tuple[str, str]]:
        """The names and escaped values of all attributes of a node."""
        _, starts, values, ends = self.attributes
        for i in range(self.first[node], self.last[node]):
            yield self.page.markup[starts[i] : values[i] - 2], self.page.markup[values[i] : ends[i]]

    def picture(self, source: str) -> str:
        """The picture as a data URL if it is in the page or in its folder; otherwise an empty string."""
        if source.startswith("data:"):  # short ones are placeholders that a script would replace
            return source if len(source) > 200 and _PICTURE.match(source) else ""
        kind = guess_type(source.partition("?")[0])[0] or ""
        if kind not in ("image/png", "image/gif", "image/jpeg", "image/webp", "image/avif"):
            return ""
        data = read_beside(self.raw.source, source, self.picture_bytes_left)
        if data is None:
            return ""
        self.picture_bytes_left -= len(data)
        return f"data:{kind};base64,{b64encode(data).decode()}"


def _size_style(attributes: dict[str, str]) -> str:
    """The width and height attributes of a picture or frame as a style."""
    sizes = [(side, attributes.get(side, "")) for side in ("width", "height")]
    return "".join(f"{side}:{value}px;" for side, value in sizes if _NUMBER.match(value))
