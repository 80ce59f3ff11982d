"""Kept nodes as markup, in any vocabulary: what HTML and XML output share.

An allow-list: a vocabulary names every element and attribute that may be written, and what is not named is dissolved
into its content. Names come from the vocabulary and values are escaped, so nothing of the page can become a tag.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from html import escape

from pagestrata.extraction import Extraction
from pagestrata.page import tags
from pagestrata.page.page import Page
from pagestrata.render.images import image_formula, image_source, media_source
from pagestrata.render.links import WEB_SCHEMES, safe_link
from pagestrata.render.walk import Step, shown_nodes, tag_table, walk

Attributes = Callable[[Page, int], Iterator[tuple[str, str]]]
"""Reads the attributes to write for an element of the page; values are escaped later."""


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
    """An attribute it is pointless without: a link without target is dissolved, an image without source left out."""


def write_markup(extraction: Extraction, vocabulary: dict[str, Element]) -> str:
    """Write the kept sections, the title left out, with the elements of a vocabulary."""
    page, options = extraction.page, extraction.options
    elements = {
        tags.TAG[tag]: element
        for tag, element in vocabulary.items()
        if not element.needs or getattr(options, element.needs)
    }
    shown = shown_nodes(extraction, options.title_in_markdown)
    writer = _Writer(page, elements)
    writer.write(walk(page, shown, tag_table(elements)))
    return "".join(writer.pieces)


class _Writer:
    """Writes elements and texts; what was written so far is in `pieces`."""

    def __init__(self, page: Page, elements: dict[int, Element]) -> None:
        self.page, self.elements = page, elements
        self.pieces: list[str] = []
        self.endings: list[str] = []
        """The end tag of each open element; empty for one that was dissolved."""
        self.opens_from = -1
        """The first of the inline start tags at the end of the pieces: a blank before their text belongs before them."""
        self.container = page.nodes.container.data

    def write(self, steps: Iterable[Step]) -> None:
        pieces, endings, text_of = self.pieces, self.endings, self.page.text_of
        for node, tag, ended, gap in steps:
            if ended:
                self.close(ended)
            if tag != tags.TEXT:
                endings.append(self.open(node, self.elements[tag]))
                continue
            if gap == " ":
                pieces.insert(len(pieces) if self.opens_from < 0 else self.opens_from, gap)
            pieces.append(escape(text_of(node), False))
            self.opens_from = -1
        self.close(len(endings))

    def close(self, count: int) -> None:
        """Write the end tags of the innermost open elements."""
        closed = [ending for ending in reversed(self.endings[len(self.endings) - count :]) if ending]
        del self.endings[len(self.endings) - count :]
        if closed:
            self.pieces += closed
            self.opens_from = -1

    def open(self, node: int, element: Element) -> str:
        """Write the start tag of an element, and return its end tag."""
        attributes = element.fixed
        if element.attributes is not None:
            values = dict(element.attributes(self.page, node))
            if element.without and element.without not in values:
                return ""
            attributes += "".join(f' {name}="{escape(value)}"' for name, value in values.items())
        if element.is_empty:
            self.pieces.append(f"<{element.name}{attributes}/>")
            self.opens_from = -1
            return ""
        if self.container[node] == node:
            self.pieces.append(f"\n<{element.name}{attributes}>")
            self.opens_from = -1
        else:
            if self.opens_from < 0:
                self.opens_from = len(self.pieces)
            self.pieces.append(f"<{element.name}{attributes}>")
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
