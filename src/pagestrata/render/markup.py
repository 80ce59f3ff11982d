"""Kept nodes as markup, in any vocabulary: what HTML and XML output share.

An allow-list: a vocabulary names every element and attribute that may be written, and what is not named is dissolved
into its content. Names come from the vocabulary and values are escaped, so nothing of the page can become a tag.

What is written is what the page says, and not how it is laid out: boxes around other elements and tables without data
are dissolved. Text that stands in a box, and not in an element made for text, is a paragraph, as browsers draw it:
https://www.w3.org/TR/CSS22/visuren.html#anonymous-block-level. The `id` of a box goes to the first element inside.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from html import escape
from typing import Final

import numpy as np

from pagestrata.extraction import Extraction
from pagestrata.page import columns, tags
from pagestrata.page.page import Page
from pagestrata.render.images import image_formula, image_source, media_name, media_source
from pagestrata.render.links import WEB_SCHEMES, safe_link
from pagestrata.render.tables import data_tables
from pagestrata.render.walk import NEW_BLOCK, Marks, Step, shown_nodes, tag_table, walk

Attributes = Callable[[Page, int], Iterator[tuple[str, str]]]
"""Reads the attributes to write for an element of the page; values are escaped later."""

_HOLD_TEXT: Final = frozenset(
    tags.TAG[name] for name in "p h1 h2 h3 h4 h5 h6 li dt dd td th caption figcaption figure pre".split()
)
"""Elements whose own text needs no paragraph around it."""
_LINES: Final = frozenset(tags.TAG[name] for name in "p h1 h2 h3 h4 h5 h6 dt caption pre".split())
"""Elements that contain only lines of text: no paragraph begins in them."""
_OF_TABLES: Final = frozenset(tags.TAG[name] for name in "thead tbody tfoot tr td th caption".split())
_P, _BR, _PRE, _TABLE = (tags.TAG[name] for name in ("p", "br", "pre", "table"))
_ID = re.compile(r"[\w:.-]{1,100}")


@dataclass(frozen=True, slots=True)
class Element:
    """How an element is written."""

    name: str
    attributes: Attributes | None = None
    fixed: str = ""
    """An attribute that is always written, as markup."""
    is_empty: bool = False
    """Written as one tag, without content."""
    needs: str = ""
    """The option that must be on: `images`, `links` or `formatting`."""
    without: str = ""
    """A required attribute: a link without target is dissolved, an image without source left out."""
    says: str = ""
    """The attribute that is written in place of its content."""


def write_markup(extraction: Extraction, vocabulary: dict[str, Element]) -> str:
    """Write the kept sections, the title left out, with the elements of a vocabulary."""
    page, options = extraction.page, extraction.options
    elements = {
        tags.TAG[tag]: element
        for tag, element in vocabulary.items()
        if not element.needs or getattr(options, element.needs)
    }
    shown = shown_nodes(extraction, options.title_in_markdown)
    writer = _Writer(page, elements, data_tables(extraction), _text_places(page, shown))
    writer.write(walk(page, shown, tag_table(elements), columns.IS_BLOCK))
    return "".join(writer.pieces)


def _text_places(page: Page, shown: Marks) -> list[int]:
    """The blocks that directly contain a shown text, in document order."""
    texts = np.flatnonzero((shown > 0) & (page.nodes.tag == tags.TEXT))
    places: list[int] = np.unique(page.nodes.container[texts]).tolist()
    return places


class _Writer:
    """Writes elements and texts; what was written so far is in `pieces`."""

    def __init__(
        self, page: Page, elements: dict[int, Element], data_tables: frozenset[int], text_places: list[int]
    ) -> None:
        self.page, self.elements = page, elements
        self.data_tables, self.text_places = data_tables, text_places
        self.pieces: list[str] = []
        self.endings: list[str] = []
        """The end tag of each open element; empty for one that was dissolved."""
        self.opens_from = -1
        """The first of the inline start tags at the end of the pieces: a blank before their text goes before them."""
        self.paragraph = -1
        """How many elements were open when the paragraph around loose text began; -1 if there is none."""
        self.line = -1
        """How many elements were open when an element that holds only lines began; -1 if there is none."""
        self.in_code = False
        """Whether that element is code."""
        self.tables: list[tuple[int, bool]] = []
        """For each open table: how many elements were open before it, and whether it holds data."""
        self.ids: set[str] = set()
        self.waiting_id = ""
        """The `id` of a dissolved box, for the first element inside."""
        self.container, self.tag = page.nodes.container.data, page.nodes.tag.data
        self.end = page.nodes.end.data

    def write(self, steps: Iterable[Step]) -> None:
        pieces, text_of = self.pieces, self.page.text_of
        for node, tag, ended, gap in steps:
            if ended:
                self.close(ended)
            if tag != tags.TEXT:
                self.endings.append(self.open(node, tag))
                continue
            self.begin_text(node)
            if gap == " " or (gap == NEW_BLOCK and self.line >= 0):
                self.add_blank()
            pieces.append(escape(text_of(node), False))
            self.opens_from = -1
        self.close(len(self.endings))
        self.end_paragraph()

    def add_blank(self) -> None:
        """Separate a text from the one before it on the line, if there is one; in code, by a line break."""
        place = len(self.pieces) if self.opens_from < 0 else self.opens_from
        if place and not self.pieces[place - 1].startswith("\n<"):
            self.pieces.insert(place, "\n" if self.in_code else " ")

    # ------------------------------------------------------------------------------------------------- paragraphs

    def begin_text(self, node: int) -> None:
        """Begin a paragraph before text and inline content, unless an element around it already holds text."""
        if self.paragraph >= 0 or self.line >= 0 or self.holds_text(self.container[node]):
            return
        self.paragraph = len(self.endings)
        self.pieces.append(f"\n<{self.elements[_P].name}{self.id_attribute(-1)}>")
        self.opens_from = -1

    def holds_text(self, container: int) -> bool:
        is_layout = self.tag[container] in _OF_TABLES and self.is_layout
        return self.tag[container] in _HOLD_TEXT and not is_layout

    def end_paragraph(self) -> None:
        if self.paragraph >= 0:
            self.pieces.append(f"</{self.elements[_P].name}>")
            self.paragraph = self.opens_from = -1

    @property
    def is_layout(self) -> bool:
        """Whether the innermost open table lays out the page."""
        return bool(self.tables) and not self.tables[-1][1]

    def holds_blocks(self, node: int) -> bool:
        """Whether there is text in an element that is in another block than the element."""
        return bisect_left(self.text_places, node) < bisect_left(self.text_places, self.end[node])

    # --------------------------------------------------------------------------------------------------- elements

    def close(self, count: int) -> None:
        """Write the end tags of the innermost open elements."""
        for _ in range(count):
            if self.paragraph == len(self.endings):
                self.end_paragraph()
            ending = self.endings.pop()
            if ending:
                self.pieces.append(ending)
                self.opens_from = -1
            if self.line == len(self.endings):
                self.line = -1
            if self.tables and self.tables[-1][0] == len(self.endings):
                self.tables.pop()

    def open(self, node: int, tag: int) -> str:
        """Write the start tag of an element, and return its end tag."""
        is_block = self.container[node] == node
        if is_block and self.paragraph == len(self.endings):  # else it has no text, and is in an element of the line
            self.end_paragraph()
        if tag == _TABLE:
            self.tables.append((len(self.endings), node in self.data_tables))
        element = self.elements.get(tag)
        if element is None or (self.is_layout and (tag == _TABLE or tag in _OF_TABLES)):
            self.keep_id(node)
            return ""
        attributes = self.attributes(node, element)
        if attributes is None:
            self.keep_id(node)
            return ""
        if not is_block:
            return self.open_inline(node, tag, element, attributes)
        if tag in _LINES and self.line < 0:
            self.line, self.in_code = len(self.endings), tag == _PRE
        return self.open_block(node, element, attributes)

    def open_block(self, node: int, element: Element, attributes: str) -> str:
        self.pieces.append(f"\n<{element.name}{self.id_attribute(node)}{attributes}{'/' * element.is_empty}>")
        self.opens_from = -1
        return "" if element.is_empty else f"</{element.name}>"

    def open_inline(self, node: int, tag: int, element: Element, attributes: str) -> str:
        if self.holds_blocks(node):
            if self.paragraph == len(self.endings):
                self.end_paragraph()
        elif tag != _BR:
            self.begin_text(node)
        elif self.paragraph < 0 and self.line < 0 and not self.holds_text(self.container[node]):
            return ""  # between blocks a line break breaks nothing
        if element.is_empty:
            self.pieces.append(f"<{element.name}{attributes}/>")
            self.opens_from = -1
            return ""
        if element.says:
            self.add_blank()
            self.pieces.append(f"<{element.name}{attributes}</{element.name}>")
            self.opens_from = -1
            return ""
        if self.opens_from < 0:
            self.opens_from = len(self.pieces)
        self.pieces.append(f"<{element.name}{attributes}>")
        return f"</{element.name}>"

    def attributes(self, node: int, element: Element) -> str | None:
        """The attributes of an element as markup; None if a required one is missing."""
        if element.attributes is None:
            return element.fixed
        values = dict(element.attributes(self.page, node))
        if element.without and element.without not in values:
            return None
        content = f">{escape(values.pop(element.says))}" if element.says else ""
        return element.fixed + "".join(f' {name}="{escape(value)}"' for name, value in values.items()) + content

    # --------------------------------------------------------------------------------------------------------- ids

    def keep_id(self, node: int) -> None:
        self.waiting_id = self.waiting_id or self.new_id(node)

    def new_id(self, node: int) -> str:
        """The `id` of an element, if it is a plain name that was not written yet."""
        value = self.page.attribute(node, "id") or ""
        return value if _ID.fullmatch(value) and value not in self.ids else ""

    def id_attribute(self, node: int) -> str:
        """The `id` of an element of the page, or of the box around it that was dissolved, as markup."""
        value = (self.new_id(node) if node >= 0 else "") or self.waiting_id
        if not value or value in self.ids:
            return ""
        self.ids.add(value)
        self.waiting_id = ""
        return f' id="{escape(value)}"'


# ------------------------------------------------------------------------------------------- attributes of the page


def copied(*names: str) -> Attributes:
    """Attributes that are only words or numbers, unchanged."""

    def read(page: Page, node: int) -> Iterator[tuple[str, str]]:
        for name in names:
            value = page.attribute(node, name)
            if value is not None:
                yield name, value

    return read


def numbers(*names: str) -> Attributes:
    """Attributes that must be integers of at most five characters."""

    def read(page: Page, node: int) -> Iterator[tuple[str, str]]:
        for name in names:
            value = (page.attribute(node, name) or "").strip()
            if value.lstrip("-").isdecimal() and value.isascii() and len(value) <= 5:
                yield name, value

    return read


def link(target: str, source: str = "href", also: tuple[str, ...] = ()) -> Attributes:
    """A link target, if it is safe to write."""

    def read(page: Page, node: int) -> Iterator[tuple[str, str]]:
        address = safe_link(page, page.attribute(node, source))
        if address is not None:
            yield target, address
        yield from copied(*also)(page, node)

    return read


def web_link(target: str, source: str) -> Attributes:
    """The address of a source that is quoted."""

    def read(page: Page, node: int) -> Iterator[tuple[str, str]]:
        address = safe_link(page, page.attribute(node, source), WEB_SCHEMES)
        if address is not None:
            yield target, address

    return read


def image(target: str) -> Attributes:
    """The source of an image, with its alternative text."""

    def read(page: Page, node: int) -> Iterator[tuple[str, str]]:
        attributes = dict(page.attributes_of(node))
        address = image_source(page, node, attributes)
        if address is not None:
            yield target, address
            yield "alt", image_formula(attributes) or attributes.get("alt", "")

    return read


def media(target: str) -> Attributes:
    """The source of a film, a sound or a frame, and its title."""

    def read(page: Page, node: int) -> Iterator[tuple[str, str]]:
        address = media_source(page, node)
        if address is not None:
            yield target, address
            yield "title", media_name(page, node, address)

    return read
