"""Kept nodes as markup, in any vocabulary: what HTML and XML output share.

An allow-list: a vocabulary names every element and attribute that may be written, and what is not named is dissolved
into its content. Names come from the vocabulary and values are escaped, so nothing of the page can become a tag.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from html import escape

from pagestrata.extraction import Extraction
from pagestrata.page import tags
from pagestrata.page.page import Page
from pagestrata.render.events import Kind, events
from pagestrata.render.images import image_formula, image_source, media_source
from pagestrata.render.links import WEB_SCHEMES, safe_link

Attributes = Callable[[Page, int], Iterator[tuple[str, str]]]
"""The attributes to write for an element; values are escaped later."""


@dataclass(frozen=True, slots=True)
class Element:
    """How an element is written."""

    name: str
    attributes: Attributes = lambda page, node: iter(())
    is_empty: bool = False
    """Written as one tag, without content."""
    needs: str = ""
    """The option that must be on: `images`, `links` or `formatting`."""
    without: str = ""
    """An attribute it is pointless without: a link without target is dissolved, an image without source left out."""


@dataclass(slots=True)
class _Writer:
    """The pieces written so far. A blank before a text belongs before the inline tags that were opened for it."""

    pieces: list[str] = field(default_factory=list)
    opens_from: int | None = None

    def write(self, piece: str) -> None:
        self.pieces.append(piece)
        self.opens_from = None

    def open_inline(self, piece: str) -> None:
        if self.opens_from is None:
            self.opens_from = len(self.pieces)
        self.pieces.append(piece)

    def text(self, gap: str, text: str) -> None:
        if gap == " ":
            self.pieces.insert(len(self.pieces) if self.opens_from is None else self.opens_from, gap)
        self.write(text)


def write_markup(extraction: Extraction, vocabulary: dict[str, Element]) -> str:
    """Write the kept sections, the title left out, with the elements of a vocabulary."""
    page, options = extraction.page, extraction.options
    known = {
        tags.TAG[tag]: element
        for tag, element in vocabulary.items()
        if not element.needs or getattr(options, element.needs)
    }
    writer = _Writer()
    endings: list[str] = []
    for kind, node, gap in events(extraction, options.title_in_markdown):
        if kind is Kind.TEXT:
            writer.text(gap, escape(page.text_of(node), quote=False))
        elif kind is Kind.LEAVE:
            ending = endings.pop()
            if ending:
                writer.write(ending)
        else:
            endings.append(_enter(writer, page, node, known.get(int(page.nodes.tag[node]))))
    return "".join(writer.pieces)


def _enter(writer: _Writer, page: Page, node: int, element: Element | None) -> str:
    """Write the start of an element, and give back its end."""
    if element is None:
        return ""
    attributes = dict(element.attributes(page, node))
    if element.without and element.without not in attributes:
        return ""
    written = "".join(f' {name}="{escape(value)}"' for name, value in attributes.items())
    if element.is_empty:
        writer.write(f"<{element.name}{written}/>")
        return ""
    if page.nodes.container[node] == node:
        writer.write(f"\n<{element.name}{written}>")
    else:
        writer.open_inline(f"<{element.name}{written}>")
    return f"</{element.name}>"


# ------------------------------------------------------------------------------------------- attributes of the page


def copied(*names: str) -> Attributes:
    """Attributes that are only words or numbers, as the page has them."""

    def read(page: Page, node: int) -> Iterator[tuple[str, str]]:
        for name in names:
            value = page.attribute(node, name)
            if value is not None:
                yield name, value

    return read


def numbers(*names: str) -> Attributes:
    """Attributes that must be whole numbers of a sane size."""

    def read(page: Page, node: int) -> Iterator[tuple[str, str]]:
        for name in names:
            value = (page.attribute(node, name) or "").strip()
            if value.lstrip("-").isdecimal() and value.isascii() and len(value) <= 5:
                yield name, value

    return read


def link(target: str, source: str = "href", also: tuple[str, ...] = ()) -> Attributes:
    """A link target, if it is one that may be written."""

    def read(page: Page, node: int) -> Iterator[tuple[str, str]]:
        found = safe_link(page, page.attribute(node, source))
        if found is not None:
            yield target, found
        yield from copied(*also)(page, node)

    return read


def web_link(target: str, source: str) -> Attributes:
    """The address of a source that is quoted."""

    def read(page: Page, node: int) -> Iterator[tuple[str, str]]:
        found = safe_link(page, page.attribute(node, source), WEB_SCHEMES)
        if found is not None:
            yield target, found

    return read


def image(target: str) -> Attributes:
    """The source of an image, with its alternative text."""

    def read(page: Page, node: int) -> Iterator[tuple[str, str]]:
        found = image_source(page, node)
        if found is not None:
            yield target, found
            yield "alt", image_formula(page, node) or page.attribute(node, "alt") or ""

    return read


def media(target: str) -> Attributes:
    """The source of a film, a sound or a frame."""

    def read(page: Page, node: int) -> Iterator[tuple[str, str]]:
        found = media_source(page, node)
        if found is not None:
            yield target, found

    return read
