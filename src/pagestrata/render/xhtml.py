"""Kept content as XHTML whose elements stand only where HTML allows them, as books require.

HTML output has the elements of the page as the page nests them, which browsers forgive and readers of EPUB do not.
Here each element is put where it may stand: an element of lines holds no boxes, a list holds items only, a term is
in a list of definitions; what has no such place is dissolved, and its content stays.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape
from html.parser import HTMLParser
from re import compile as pattern
from typing import Final

_INLINE: Final = frozenset(
    "a abbr b cite code del em i ins kbd mark q s samp small strong sub sup time u var br".split()
)
_HEADINGS: Final = frozenset("h1 h2 h3 h4 h5 h6".split())
_LINES: Final = _HEADINGS | frozenset(("p", "pre"))
"""Boxes that hold text and inline elements only."""
_FLOW: Final = _LINES | frozenset("ul ol dl blockquote table figure hr".split())
"""Boxes that may stand wherever a paragraph may."""
_CHILDREN: Final[dict[str, tuple[str, ...]]] = {
    "ul": ("li",),
    "ol": ("li",),
    "dl": ("dt", "dd"),
    "table": ("tr",),
    "tr": ("td", "th"),
}
"""Elements that hold only these: anything else in them is put into one of the first kind."""
_HOLD_FLOW: Final = frozenset("article blockquote li dd dt td th figure".split())
_VOID: Final = frozenset(("br", "hr"))
_DISSOLVED_ROWS: Final = frozenset("thead tbody tfoot".split())
_ATTRIBUTES: Final = {"a": "href", "abbr": "title", "td": "colspan rowspan", "th": "colspan rowspan", "ol": "start"}
_NOT_XML = pattern("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_WEB_LINK = pattern(r"https?://[A-Za-z0-9.-]+(?::\d+)?(?:[/?#][A-Za-z0-9\-._~:/?#@!$&'()*+,;=%]*)?\Z")
_BAD_PERCENT = pattern(r"%(?![0-9A-Fa-f]{2})")
_NUMBER = pattern(r"\d{1,4}\Z")


@dataclass(slots=True)
class _Element:
    name: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: "list[_Element | str]" = field(default_factory=list)


def xhtml(html: str) -> str:
    """Write the body of our HTML output as XHTML.

    >>> xhtml("<p>Tea<br>for <p>two</p></p>")
    '<p>Tea<br/>for </p>\\n<p>two</p>'
    >>> xhtml("<ul>Tea <li>Milk</li></ul>")
    '<ul><li>Tea </li><li>Milk</li></ul>'
    """
    reader = _Reader()
    reader.feed(xml_text(html))
    reader.close()
    return "\n".join(_written(child) for child in _flow(reader.root.children))


def xml_text(text: str) -> str:
    """The text without the characters that XML does not know."""
    return _NOT_XML.sub("", text)


class _Reader(HTMLParser):
    """Reads markup of ours, in which every element is closed, as a tree."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = _Element("article")
        self.open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = _Element(tag, {name: value or "" for name, value in attrs})
        self.open[-1].children.append(element)
        if tag not in _VOID and tag != "img":
            self.open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open[-1].children.append(_Element(tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        if tag == self.open[-1].name and len(self.open) > 1:
            self.open.pop()

    def handle_data(self, data: str) -> None:
        self.open[-1].children.append(data)


# --------------------------------------------------------------------------------------------------- where things stand


def _flow(children: "list[_Element | str]") -> Iterator["_Element"]:
    """Boxes; text and inline elements between them are gathered into paragraphs."""
    line: list[_Element | str] = []
    for child in _boxes(children):
        if isinstance(child, _Element) and child.name not in _INLINE:
            yield from _paragraph(line)
            line = []
            yield child
        else:
            line.append(child)
    yield from _paragraph(line)


def _paragraph(line: "list[_Element | str]") -> Iterator["_Element"]:
    if any(not isinstance(each, str) or each.strip() for each in line):
        yield _Element("p", {}, line)


def _boxes(children: "list[_Element | str]") -> Iterator["_Element | str"]:
    """The children as boxes, inline elements and texts, each as it may stand; what may not is dissolved."""
    for child in children:
        if isinstance(child, str):
            yield child
        elif child.name in _INLINE or child.name in _LINES:
            yield from _split(child)
        elif child.name in _CHILDREN:
            yield from _container(child)
        elif child.name in ("blockquote", "figure"):
            held = list(_flow(child.children))
            yield from [_Element(child.name, {}, list(held))] if held else []
        elif child.name == "hr":
            yield _Element("hr")
        elif child.name == "img":
            yield from [f"[{child.attributes['alt']}]"] if child.attributes.get("alt") else []
        elif child.name in ("ruby", "rt", "rp"):  # readers without ruby show the base and the reading in a line
            yield from _boxes(child.children)
        else:
            yield from _flow(child.children)


def _split(element: _Element) -> Iterator["_Element | str"]:
    """An element of lines, cut where a box stands in it."""
    line: list[_Element | str] = []
    for child in _boxes(element.children):
        if isinstance(child, _Element) and child.name not in _INLINE:
            yield from _line(element, line)
            line = []
            yield child
        elif not (isinstance(child, _Element) and child.name == element.name == "a"):
            line.append(child)
        else:
            line.extend(child.children)
    yield from _line(element, line)


def _line(element: _Element, line: "list[_Element | str]") -> Iterator["_Element"]:
    is_empty = not any(not isinstance(each, str) or each.strip() for each in line)
    if element.name == "br":
        yield _Element("br")
    elif not is_empty or (line and element.name in _INLINE):
        yield _Element(element.name, element.attributes, line)


def _container(element: _Element) -> Iterator["_Element"]:
    """A list, a table or a row, with nothing in it but its items."""
    allowed = _CHILDREN[element.name]
    items: list[_Element | str] = []
    for child in _items(element.children):
        if isinstance(child, _Element) and child.name in allowed:
            items += _container(child) if child.name == "tr" else [_holder(child, child.name)]
        elif isinstance(child, _Element) or child.strip():
            loose = _Element(allowed[-1] if element.name == "dl" else allowed[0], {}, [child])
            items += _container(loose) if loose.name == "tr" else [_holder(loose, loose.name)]
    if element.name == "dl":
        items = list(_groups(items))
    if items:
        yield _Element(element.name, element.attributes, items)


def _items(children: "list[_Element | str]") -> Iterator["_Element | str"]:
    """The children, with those of groups of rows in place of the groups."""
    for child in children:
        if isinstance(child, _Element) and child.name in _DISSOLVED_ROWS:
            yield from child.children
        else:
            yield child


def _holder(element: _Element, name: str) -> _Element:
    """An item, a cell or a definition; one that holds only a line needs no paragraph around it."""
    held = list(_flow(element.children))
    if name == "dt":  # a term may not hold headings
        held = [_Element("p", {}, each.children) if each.name in _HEADINGS else each for each in held]
    if len(held) == 1 and held[0].name == "p":
        return _Element(name, element.attributes, held[0].children)
    return _Element(name, element.attributes, list(held))


def _groups(items: "list[_Element | str]") -> Iterator["_Element | str"]:
    """Terms and definitions in turn: each group begins with a term and ends with a definition."""
    last = ""
    for item in items:
        if not isinstance(item, _Element):
            continue
        if item.name == "dd" and last == "":
            yield _Element("dt")
        last = item.name
        yield item
    if last == "dt":
        yield _Element("dd")


# ------------------------------------------------------------------------------------------------------------- writing


def _written(node: "_Element | str") -> str:
    if isinstance(node, str):
        return escape(node, quote=False)
    attributes = "".join(f' {name}="{escape(value)}"' for name, value in _attributes(node))
    if node.name == "a" and not attributes:
        return "".join(map(_written, node.children))
    if node.name in _VOID:
        return f"<{node.name}/>"
    return f"<{node.name}{attributes}>{''.join(map(_written, node.children))}</{node.name}>"


def _attributes(element: _Element) -> Iterator[tuple[str, str]]:
    for name in _ATTRIBUTES.get(element.name, "").split():
        value = element.attributes.get(name, "")
        is_fit = _is_address(value) if name == "href" else name == "title" or bool(_NUMBER.match(value))
        if value and is_fit and not (name in ("colspan", "rowspan") and int(value) < 1):
            yield name, value


def _is_address(value: str) -> bool:
    return bool(_WEB_LINK.match(value)) and not _BAD_PERCENT.search(value) and value.count("#") < 2
