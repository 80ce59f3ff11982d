"""Compare Markdown, read back by two readers, with the page it was written from.

Three ways lead to the same flat list of items: from the kept nodes of the page (without the Markdown writer), from
markdown-it, and from mistune. What is policy and not writing is asked of the modules that decide it for all formats:
which tables hold data, which links and images may be written, what is a footnote.

    python tests/render/roundtrip.py DATA N     prints the share of equal items over N pages of DATA/wcxb/html
"""

import random
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from html import unescape
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote

import mistune
from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin
from mistune.plugins.math import math_in_list, math_in_quote
from mistune.plugins.table import table_in_list, table_in_quote

from pagestrata.api import extract
from pagestrata.extraction import Extraction
from pagestrata.options import Options
from pagestrata.page import columns, tags
from pagestrata.page.text import collapse, without_controls
from pagestrata.render.code_language import code_language
from pagestrata.render.footnotes import find_footnotes
from pagestrata.render.formulas import leaves_formulas, pieces, single_dollars
from pagestrata.render.images import image_formula, image_source, media_source
from pagestrata.render.links import safe_link
from pagestrata.render.raised import as_raised
from pagestrata.render.tables import data_tables, has_header, spans
from pagestrata.render.walk import shown_nodes, walk


class Item(NamedTuple):
    """One thing a reader would see."""

    kind: str
    depth: int
    """How many quotes, list items, descriptions and notes are around it."""
    text: str = ""
    attribute: str = ""


# ------------------------------------------------------------------------------------------------ lines of letters


@dataclass(slots=True)
class Letters:
    """Some text that looks the same all over, in the middle of a line."""

    text: str
    styles: frozenset[str] = frozenset()
    link: object = None
    """What tells this link from the next one."""
    target: str = ""
    kind: str = "text"
    """Or code, formula, reference, image, break."""
    source: str = ""


def line_items(kind: str, depth: int, line: Sequence[Letters], attribute: str = "") -> Iterator[Item]:
    """A block of one line, and what is in it: markup is told by the letters it is on, however it was nested."""
    yield Item(kind, depth, _text(line), attribute)
    for style in ("strong", "emphasis", "strike"):
        for text in _styled(line, style):
            yield Item(style, depth, text)
    yield from (Item("link", depth, text, target) for text, target in _links(line))
    yield from (Item("inline code", depth, text) for text in _codes(line))
    for letters in line:
        if letters.kind == "image":
            yield Item("image", depth, collapse(letters.text), _address(letters.source))
        elif letters.kind == "formula":
            yield Item("math", depth, _without_blanks(letters.text))
        elif letters.kind in ("reference", "break"):
            yield Item(letters.kind, depth, letters.text.lower())


def _text(line: Sequence[Letters]) -> str:
    return collapse("".join(_shown(letters) for letters in line))


def _shown(letters: Letters) -> str:
    if letters.kind == "formula":
        return _without_blanks(letters.text)
    return {"image": "", "break": " ", "reference": ""}.get(letters.kind, letters.text)


def _styled(line: Sequence[Letters], style: str) -> Iterator[str]:
    """The longest pieces of a style; blanks have none of their own."""
    piece = ""
    for letters in line:
        shown = _shown(letters)
        if style in letters.styles or not shown.strip():
            piece += shown
        elif piece:
            if piece.strip():
                yield collapse(piece)
            piece = ""
    if piece.strip():
        yield collapse(piece)


def _links(line: Sequence[Letters]) -> Iterator[tuple[str, str]]:
    last: object = None
    text = target = ""
    for letters in [*line, Letters("")]:
        if letters.link is not last:
            if last is not None:
                yield collapse(text), _address(target)
            last, text, target = letters.link, "", letters.target
        text += _shown(letters)


def _codes(line: Sequence[Letters]) -> Iterator[str]:
    """Pieces of code; those that touch are one, unless a link begins or ends there."""
    text, link = "", None
    for letters in [*line, Letters("")]:
        if text and (letters.kind != "code" or letters.link is not link):
            yield collapse(text)
            text = ""
        if letters.kind == "code":
            text += letters.text
            link = letters.link


def _without_blanks(text: str) -> str:
    return "".join(text.split())


def _address(link: str) -> str:
    """Readers differ in what they percent-encode, and one writes hosts in ASCII."""
    host = re.match(r"(https?://)([^/?#]*)(.*)", link, re.DOTALL)
    if host and "xn--" in host[2]:
        with suppress(UnicodeError):
            link = host[1] + host[2].encode().decode("idna") + host[3]
    return unquote(link).lower()


# --------------------------------------------------------------------------------------------------- from the page


@dataclass(slots=True)
class _Container:
    """An open quote, list, item, definition list or description."""

    kind: str
    count: int = 0
    """Items of a list so far."""
    number: int = 1
    step: int = 0
    entries: list[tuple[str, int, int]] = field(default_factory=list)
    """Of a definition list: its terms and descriptions, with where their items begin and end."""


_MOST_NESTED = 32
_HEADINGS = {f"h{level}": str(level) for level in range(1, 7)}
_STYLES = dict.fromkeys(("b", "strong"), "strong") | dict.fromkeys(("i", "em"), "emphasis")
_STYLES |= dict.fromkeys(("s", "strike", "del"), "strike")
_CODES = ("code", "kbd", "samp", "tt")
_VERBATIM = ("pre", "listing", "plaintext", "xmp")
_NOT_IN_LINE = frozenset("ul ol menu dir dl table pre listing xmp blockquote hr h1 h2 h3 h4 h5 h6".split())


def items_of_page(extraction: Extraction) -> list[Item]:
    """What is kept, told from the nodes."""
    walk = _Walk(extraction)
    walk.run()
    return walk.result()


class _Walk:
    """Tells the items of a page in one pass."""

    def __init__(self, extraction: Extraction) -> None:
        self.extraction, self.page, self.options = extraction, extraction.page, extraction.options
        shown = shown_nodes(extraction, extraction.options.title_in_markdown)
        self.footnotes = find_footnotes(self.page, shown)
        self.steps = list(walk(self.page, self.footnotes.without_labels(self.page, shown)))
        self.data_tables = data_tables(extraction)
        self.items: list[Item] = []
        self.notes: dict[str, list[Item]] = {}
        self.opened: list[tuple[int, str, Callable[[], None] | None]] = []
        self.containers: list[_Container] = []
        self.styles: list[str] = []
        self.line: list[Letters] = []
        self.images_only = True
        self.breaks = 0
        self.lines: list[list[Letters]] | None = None
        self.rows: list[list[tuple[int, list[list[Letters]]]]] | None = None
        self.in_head: list[bool] = []
        self.inner_tables = 0
        self.link: tuple[object, str] = (None, "")
        self.code = self.formula = -1
        self.code_styles: frozenset[str] = frozenset()
        self.verbatim: list[str] | None = None
        self.reference = self.prefix = self.last_image = ""
        self.silent = self.quotes = 0
        self.pending_gap = ""

    def run(self) -> None:
        for node, tag, ended, gap in self.steps:
            self.leave(ended)
            if tag == tags.TEXT:
                self.text(node, gap)
            else:
                self.enter(node)
        self.leave(len(self.opened))
        self.end_line()

    def leave(self, count: int) -> None:
        for _ in range(count):
            node, name, leave = self.opened.pop()
            if self.is_block(node) and (self.verbatim is None or name in _VERBATIM):
                self.end_line()
            if leave:
                leave()

    def result(self) -> list[Item]:
        title = self.extraction.shown_title
        head = []
        if title and self.options.title_in_markdown:
            head = [Item("heading", 0, collapse(without_controls(title)), "1")]
        labels = dict.fromkeys(self.footnotes.references.values())
        return head + self.items + [item for label in labels for item in self.notes.get(label, [])]

    def is_block(self, node: int) -> bool:
        return bool(self.page.nodes.flags[node] & columns.IS_BLOCK)

    @property
    def depth(self) -> int:
        return sum(container.kind not in ("list", "definitions") for container in self.containers)

    # lines

    def text(self, node: int, gap: str) -> None:
        text = self.page.text_of(node)
        if self.verbatim is not None:
            self.add_verbatim(text, gap)
            return
        if self.silent:
            return
        if gap == "\n\n":
            if not self.images_only or self.breaks > 1:
                self.end_line()
            gap = "\n" if self.breaks else " "
        gap = "\n" if "\n" in (gap, self.pending_gap) else gap or self.pending_gap
        text = _seen(text) if self.formula >= 0 else collapse(_seen(text))
        if not text:
            self.pending_gap = gap
            return
        self.pending_gap = ""
        text = as_raised(text, int(self.page.nodes.tag[self.page.nodes.parent[node]]))
        if self.formula >= 0:
            self.add_formula(text, gap)
        elif self.reference:
            self.add(self.reference, gap, "reference")
            self.reference, self.silent = "", self.silent + 1
        elif self.code >= 0 or not leaves_formulas(self.page):
            self.add(text, gap, "code" if self.code >= 0 else "text")
        elif single_dollars(self.page, node):
            self.add(single_dollars(self.page, node), gap, "formula")
        else:
            self.add_pieces(text, gap)

    def add_pieces(self, text: str, gap: str) -> None:
        for piece in pieces(text):
            if piece.is_display:
                self.end_line()
            if piece.is_display and self.lines is None:
                self.emit(Item("display", self.block_depth(), _without_blanks(piece.text)))
            else:
                self.add(piece.text, gap or piece.gap, "formula" if piece.delimiter else "text")
            gap = ""
            if piece.is_display:
                self.end_line()

    def add(self, text: str, gap: str, kind: str) -> None:
        prefix, self.prefix = self.prefix, ""
        styles = frozenset(self.styles) if self.options.formatting else frozenset()
        styles = self.code_styles if self.code >= 0 else styles
        if gap == "\n" and self.has_break():
            self.line.append(Letters("", frozenset(), *self.shared_link(), kind="break"))
        elif gap and self.line:
            self.line.append(self.blank(kind))
        link = (None, "") if kind == "reference" else self.link
        if prefix:
            self.line.append(Letters(prefix) if prefix == "- " else Letters(prefix, styles, *link))
        self.line.append(Letters(text, styles, *link, kind=kind, source=str(self.code)))
        self.images_only = False
        self.breaks, self.last_image = 0, ""

    def has_break(self) -> bool:
        """Whether a line feed between two texts stands behind the images between them, too."""
        return bool(self.line) and (self.breaks > 0 or not (self.images_only or self.line[-1].kind == "image"))

    def blank(self, kind: str) -> Letters:
        """A blank is part of the code or the link that stands on both sides of it."""
        last = self.line[-1] if self.line else Letters("")
        in_code = kind == "code" == last.kind and last.source == str(self.code)
        return Letters(" ", frozenset(), *self.shared_link(), kind="code" if in_code else "text", source=last.source)

    def shared_link(self) -> tuple[object, str]:
        return self.link if self.line and self.line[-1].link is self.link[0] else (None, "")

    def add_formula(self, text: str, gap: str) -> None:
        if self.page.attribute(self.formula, "type") == "display" and self.lines is None:
            self.end_line()
            self.emit(Item("display", self.block_depth(), _without_blanks(text)))
        else:
            self.add(text, gap, "formula")

    def add_beside(self, letters: Letters) -> None:
        """What is no text of the page."""
        if self.breaks > 1:
            self.end_line()
        if self.breaks and self.line:
            self.line.append(Letters("", frozenset(), *self.shared_link(), kind="break"))
        self.breaks = 0
        if self.prefix == "- ":
            self.line.append(Letters(self.prefix))
            self.prefix = ""
        self.line.append(replace(letters, styles=frozenset(self.styles) if self.options.formatting else frozenset()))

    def end_line(self) -> None:
        line, self.line = self.line, []
        self.images_only, self.breaks, self.pending_gap = True, 0, ""
        while line and line[-1].kind == "break":
            line.pop()
        if not line:
            return
        if self.lines is not None:
            self.lines.append(line)
        else:
            depth = self.block_depth()
            self.items.extend(line_items("paragraph", depth, line))

    def emit(self, item: Item) -> None:
        self.items.append(item)

    def block_depth(self) -> int:
        """The depth of a block that begins here; in a list, outside of its items, it is part of the last one."""
        if self.containers and self.containers[-1].kind == "list":
            around = self.containers[-1]
            if around.count == 0:
                self.emit(Item("item", self.depth, "", self.next_number(around)))
                around.count = 1
            return self.depth + 1
        return self.depth

    # elements

    def enter(self, node: int) -> None:
        name = self.page.nodes.tag_name(node)
        if self.verbatim is not None:
            self.breaks += name == "br"
            self.opened.append((node, name, None))
            return
        if self.is_block(node):
            self.end_line()
        if node in self.footnotes.notes:
            self.opened.append((node, name, self.note(node)))
            return
        if node in self.footnotes.back_links:
            self.silent += 1
            self.opened.append((node, name, self.unmute))
            return
        enter = getattr(self, f"enter_{_METHODS[name]}") if name in _METHODS else None
        self.opened.append((node, name, enter(node) if enter else None))

    def enter_style(self, node: int) -> Callable[[], None]:
        self.styles.append(_STYLES[self.page.nodes.tag_name(node)])
        return lambda: self.styles.remove(_STYLES[self.page.nodes.tag_name(node)])

    def enter_code(self, node: int) -> Callable[[], None] | None:
        if self.code >= 0 or not self.options.formatting:
            return None
        self.code, self.code_styles = node, frozenset(self.styles)

        def leave() -> None:
            self.code = -1

        return leave

    def enter_a(self, node: int) -> Callable[[], None] | None:
        if node in self.footnotes.references:
            return self.enter_sup(node)
        target = safe_link(self.page, self.page.attribute(node, "href"))
        if self.link[0] is not None or self.reference or target is None or not self.options.links:
            return None
        self.link = (object(), target)
        return self.unlink

    def unmute(self) -> None:
        self.silent -= 1

    def unlink(self) -> None:
        self.link = (None, "")

    def enter_sup(self, node: int) -> Callable[[], None] | None:
        if node not in self.footnotes.references:
            return None
        self.reference = self.footnotes.references[node]

        def leave() -> None:
            self.silent -= not self.reference
            self.reference = ""

        return leave

    def enter_q(self, node: int) -> Callable[[], None]:
        begin, end = ("‘", "’") if self.quotes else ("“", "”")
        self.quotes += 1
        self.prefix += begin

        def leave() -> None:
            self.quotes -= 1
            self.add_mark(end)

        return leave

    def enter_rt(self, node: int) -> Callable[[], None] | None:
        before = self.page.nodes.tag[max(0, node - 2) : node].tolist()
        if tags.TAG["rp"] in before:
            return None
        self.prefix += "("
        return lambda: self.add_mark(")")

    def add_mark(self, mark: str) -> None:
        if self.prefix:
            self.prefix = self.prefix[:-1]
        elif not self.silent:
            self.add(mark, "", "text")

    def enter_br(self, node: int) -> None:
        self.breaks += 1

    def enter_img(self, node: int) -> None:
        if self.silent:
            return
        formula = image_formula(dict(self.page.attributes_of(node)))
        if formula:
            self.add_beside(Letters(_seen(formula), frozenset(), *self.link, kind="formula"))
            return
        source = image_source(self.page, node, dict(self.page.attributes_of(node))) if self.options.images else None
        if source and source != self.last_image:
            alt = collapse(_seen(collapse(self.page.attribute(node, "alt") or "")))
            self.add_beside(Letters(alt, frozenset(), *self.link, kind="image", source=source))
            self.last_image = source

    def enter_media(self, node: int) -> None:
        source = media_source(self.page, node) if self.options.images and self.options.links else None
        if source and not self.silent:
            title = collapse(_seen(collapse(self.page.attribute(node, "title") or "")))
            self.add_beside(Letters(" "))
            self.add_beside(Letters(title or source, frozenset(), object(), source))

    def enter_tex(self, node: int) -> Callable[[], None]:
        self.formula = node

        def leave() -> None:
            self.formula = -1

        return leave

    # blocks

    def is_line(self, node: int) -> bool:
        inside = range(node + 1, int(self.page.nodes.end[node]))
        return self.lines is None and not any(self.page.nodes.tag_name(child) in _NOT_IN_LINE for child in inside)

    def one_line(self) -> list[Letters]:
        lines, self.lines = self.lines or [], None
        joined: list[Letters] = []
        for line in lines:
            is_linked = bool(joined) and joined[-1].link is line[0].link
            joined.append(replace(line[0], kind="text", text=" ") if is_linked else Letters(" "))
            joined += line
        return [_as_blank(joined, place) if one.kind == "break" else one for place, one in enumerate(joined)]

    def enter_heading(self, node: int) -> Callable[[], None] | None:
        if not self.is_line(node):
            return None
        self.lines = []

        def leave() -> None:
            line = self.one_line()
            if line:
                level = _HEADINGS[self.page.nodes.tag_name(node)]
                self.items.extend(line_items("heading", self.block_depth(), line, level))

        return leave

    def enter_hr(self, node: int) -> None:
        if self.lines is None and (self.items or self.containers):
            self.emit(Item("rule", self.block_depth()))

    def may_nest(self) -> bool:
        return self.lines is None and self.depth < _MOST_NESTED

    def enter_blockquote(self, node: int) -> Callable[[], None] | None:
        if not self.may_nest():
            return None
        depth = self.block_depth()
        leave_item = self.enter_last_item()
        return self.marked(Item("quote", depth), _Container("quote"), leave_item)

    def enter_last_item(self) -> Callable[[], None]:
        """What stands in a list, outside of its items, is part of the last one."""
        if not self.containers or self.containers[-1].kind != "list":
            return lambda: None
        self.containers.append(_Container("item"))
        return self.leave_container

    def leave_container(self) -> None:
        self.containers.pop()

    def marked(
        self, mark: Item, container: _Container, leave_item: Callable[[], None] = lambda: None
    ) -> Callable[[], None]:
        """Put a mark, to be taken back if nothing follows it inside."""
        self.emit(mark)
        self.containers.append(container)
        start = len(self.items)

        def leave() -> None:
            self.containers.pop()
            if len(self.items) == start:
                self.items.pop()
            elif mark.kind == "item" and self.containers and self.containers[-1].kind == "list":
                self.containers[-1].count += 1
            elif mark.kind == "description":
                self.containers[-1].entries.append(("description", start - 1, len(self.items)))
            leave_item()

        return leave

    def enter_list(self, node: int) -> Callable[[], None] | None:
        if not self.may_nest():
            return None
        around = self.containers[-1] if self.containers else None
        before = len(self.items)
        made = bool(around and around.kind == "list" and around.count == 0)
        self.block_depth()
        leave_item = self.enter_last_item()
        self.containers.append(self.new_list(node))

        def leave() -> None:
            self.containers.pop()
            leave_item()
            if made and around and len(self.items) == before + 1:
                self.items.pop()
                around.count = 0
                around.number -= around.step

        return leave

    def new_list(self, node: int) -> _Container:
        if self.page.nodes.tag_name(node) != "ol":
            return _Container("list")
        is_reversed = self.page.attribute(node, "reversed") is not None
        names = [self.page.nodes.tag_name(child) for child in self.page.nodes.children(node)]
        start = _integer(self.page.attribute(node, "start"), names.count("li") if is_reversed else 1)
        return _Container("list", number=start, step=-1 if is_reversed else 1)

    def next_number(self, around: _Container) -> str:
        if not around.step:
            return "-"
        number = str(around.number)
        around.number += around.step
        return number

    def enter_li(self, node: int) -> Callable[[], None] | None:
        if self.lines is not None:
            if self.rows is not None:
                self.prefix = "- "
            return self.drop_prefix
        if not self.may_nest():
            return None
        around = self.containers[-1] if self.containers else None
        if around is None or around.kind != "list":
            return self.marked(Item("item", self.depth, "", "-"), _Container("item"))
        around.number = _integer(self.page.attribute(node, "value"), around.number)
        return self.marked(Item("item", self.depth, "", self.next_number(around)), _Container("item"))

    def drop_prefix(self) -> None:
        self.prefix = ""

    def enter_dl(self, node: int) -> Callable[[], None] | None:
        if not self.may_nest():
            return None
        self.block_depth()
        leave_item = self.enter_last_item()
        container = _Container("definitions")
        self.containers.append(container)

        def leave() -> None:
            self.containers.pop()
            leave_item()
            self.pair(container.entries)

        return leave

    def pair(self, entries: list[tuple[str, int, int]]) -> None:
        """A term without a description is a paragraph; a description without a term is its blocks."""
        dropped: list[int] = []
        for place, (kind, start, end) in enumerate(entries):
            following = entries[place + 1] if place + 1 < len(entries) else ("", -1, -1)
            before = entries[place - 1] if place else ("", -1, -1)
            if kind == "term" and (following[0] != "description" or following[1] != end):
                self.items[start] = self.items[start]._replace(kind="paragraph")
            if kind == "description" and (before[0] == "" or before[2] != start or before[2] in dropped):
                self.items[start] = Item("nothing", 0)
                dropped.append(end)
                for inside in range(start + 1, end):
                    self.items[inside] = self.items[inside]._replace(depth=self.items[inside].depth - 1)

    def enter_dt(self, node: int) -> Callable[[], None] | None:
        around = self.containers[-1] if self.containers else None
        if around is None or around.kind != "definitions" or not self.is_line(node):
            return None
        self.lines = []

        def leave() -> None:
            line = self.one_line()
            if line:
                start = len(self.items)
                self.items.extend(line_items("term", self.depth, line))
                around.entries.append(("term", start, len(self.items)))

        return leave

    def enter_dd(self, node: int) -> Callable[[], None] | None:
        if not self.containers or self.containers[-1].kind != "definitions" or not self.may_nest():
            return None
        return self.marked(Item("description", self.depth), _Container("description"))

    def enter_pre(self, node: int) -> Callable[[], None]:
        self.verbatim = []

        def leave() -> None:
            text, self.verbatim = without_controls("".join(self.verbatim or ())), None
            self.breaks = 0
            text = "\n".join(line.rstrip() for line in text.split("\n")).strip("\n")
            if self.lines is not None:
                self.code_lines(text, node)
            elif text:
                self.emit(Item("code", self.block_depth(), text, code_language(self.page, node)))

        return leave

    def add_verbatim(self, text: str, gap: str) -> None:
        assert self.verbatim is not None
        if self.verbatim and "\n" in gap:
            self.verbatim.append("\n" * (self.breaks or int(not self.verbatim[-1].endswith("\n"))))
        self.breaks = 0
        self.verbatim.append(text)

    def code_lines(self, text: str, node: int) -> None:
        for number, line in enumerate(filter(str.strip, text.split("\n"))):
            if number:
                self.line.append(Letters("", kind="break"))
            kind = "code" if self.options.formatting else "text"
            self.line.append(Letters(collapse(line), frozenset(self.styles), *self.link, kind=kind))
        self.images_only = False
        self.end_line()

    def enter_table(self, node: int) -> Callable[[], None] | None:
        if self.rows is not None:
            self.inner_tables += 1
            return self.leave_inner_table
        if self.lines is not None or node not in self.data_tables:
            return None
        self.rows, self.lines, self.in_head = [], [], []
        return self.leave_table

    def leave_inner_table(self) -> None:
        self.inner_tables -= 1

    def leave_table(self) -> None:
        rows, lines = self.rows or [], self.lines or []
        self.rows = self.lines = None
        depth = self.block_depth() if lines or rows else 0
        for line in lines:
            self.items.extend(line_items("paragraph", depth, line))
        if any(content for row in rows for _, content in row):
            self.items.extend(self.table_items(rows, depth))

    def table_items(self, rows: list[list[tuple[int, list[list[Letters]]]]], depth: int) -> Iterator[Item]:
        taken: dict[tuple[int, int], list[list[Letters]]] = {}
        for y, row in enumerate(rows):
            x = 0
            for node, content in row:
                while (x, y) in taken:
                    x += 1
                width, height = spans(self.page, node)
                for down in range(min(height, len(rows) - y)):
                    for right in range(width):
                        taken[x + right, y + down] = [] if down or right else content
                x += width
        width = max(x for x, _ in taken) + 1
        is_headed = has_header(self.page, [[node for node, _ in row] for row in rows[:2]], self.in_head[0])
        shown = [y for y in range(len(rows)) if any(taken.get((x, y)) for x in range(width))]
        if is_headed and 0 not in shown:
            shown.insert(0, 0)
        width = max(x for x, y in taken if y in shown) + 1
        if not is_headed:
            shown.insert(0, -1)
        for y in shown:
            yield Item("row", depth)
            for x in range(width):
                yield from line_items("cell", depth, _cell_line(taken.get((x, y), [])))

    def enter_tr(self, node: int) -> None:
        if self.rows is not None and not self.inner_tables:
            self.rows.append([])
            self.in_head.append(self.page.nodes.tag_name(int(self.page.nodes.parent[node])) == "thead")

    def enter_cell(self, node: int) -> Callable[[], None] | None:
        if self.rows is None or self.inner_tables or not self.rows:
            return None
        around, self.lines = self.lines, []
        self.rows[-1].append((node, self.lines))

        def leave() -> None:
            self.lines = around

        return leave

    def note(self, node: int) -> Callable[[], None]:
        label = self.footnotes.notes[node]
        around, self.items = (self.items, self.containers), [Item("footnote", 0, "", label.lower())]
        self.containers = [_Container("note")]

        def leave() -> None:
            self.notes[label] = self.items
            self.items, self.containers = around

        return leave


_METHODS = (
    dict.fromkeys(_STYLES, "style")
    | dict.fromkeys(_CODES, "code")
    | dict.fromkeys(_VERBATIM, "pre")
    | dict.fromkeys(_HEADINGS, "heading")
    | dict.fromkeys(("ul", "ol", "menu", "dir"), "list")
    | dict.fromkeys(("td", "th"), "cell")
    | dict.fromkeys(("video", "audio", "iframe"), "media")
    | {name: name for name in "a sup q rt br img hr blockquote li dl dt dd table tr".split()}
    | {tags.TEX: "tex"}
)


def _as_blank(line: list[Letters], place: int) -> Letters:
    """A line end in what must be one line: a blank, in code if that goes on behind it."""
    before, after = line[place - 1], line[place + 1]
    in_code = before.kind == "code" == after.kind and before.source == after.source
    return replace(line[place], kind="code" if in_code else "text", text=" ")


def _cell_line(lines: list[list[Letters]]) -> list[Letters]:
    joined: list[Letters] = []
    for line in lines:
        joined += ([Letters("", kind="break")] if joined else []) + line
    return joined


def _seen(text: str) -> str:
    return without_controls(text).replace("\u00ad", "")


def _integer(value: str | None, otherwise: int) -> int:
    found = re.fullmatch(r"\s*(-?\d{1,9})\s*", value or "", re.ASCII)
    return max(0, int(found[1])) if found else otherwise


# ------------------------------------------------------------------------------------------------ from markdown-it

_MARKDOWN_IT = (
    MarkdownIt("commonmark", {"html": True, "maxNesting": 500})
    .enable(["table", "strikethrough"])
    .use(footnote_plugin)
    .use(deflist_plugin)
    .use(dollarmath_plugin)
)
_IT_STYLES = {"strong_open": "strong", "em_open": "emphasis", "s_open": "strike"}
_IT_MARKS = {"blockquote_open": "quote", "dd_open": "description"}


def items_by_markdown_it(markdown: str) -> list[Item]:
    """What markdown-it finds."""
    return list(_by_markdown_it(_MARKDOWN_IT.parse(markdown)))


def _by_markdown_it(tokens: list[Token]) -> Iterator[Item]:
    depth = 0
    numbers: list[int | None] = []
    for place, token in enumerate(tokens):
        match token.type:
            case "blockquote_open" | "dd_open":
                yield Item(_IT_MARKS[token.type], depth)
                depth += 1
            case "footnote_open":
                yield Item("footnote", depth, "", str(token.meta["label"]).lower())
                depth += 1
            case "list_item_open":
                number = numbers[-1]
                yield Item("item", depth, "", "-" if number is None else str(number))
                numbers[-1] = None if number is None else number + 1
                depth += 1
            case "blockquote_close" | "dd_close" | "list_item_close" | "footnote_close":
                depth -= 1
            case "bullet_list_open":
                numbers.append(None)
            case "ordered_list_open":
                numbers.append(int(token.attrs.get("start", 1)))
            case "bullet_list_close" | "ordered_list_close":
                numbers.pop()
            case "inline":
                yield from _inline_by_markdown_it(tokens[place - 1], token, depth)
            case "fence" | "code_block":
                yield Item("code", depth, token.content.removesuffix("\n"), token.info)
            case "hr":
                yield Item("rule", depth)
            case "math_block" | "math_block_label":
                yield Item("display", depth, _without_blanks(token.content))
            case "tr_open":
                yield Item("row", depth)
            case "html_block":
                yield Item("html", depth, token.content)


def _inline_by_markdown_it(opening: Token, token: Token, depth: int) -> Iterator[Item]:
    line = list(_letters_of_markdown_it(token.children or []))
    match opening.type:
        case "heading_open":
            yield from line_items("heading", depth, line, opening.tag[1:])
        case "dt_open":
            yield from line_items("term", depth, line)
        case "th_open" | "td_open":
            yield from line_items("cell", depth, line)
        case _:
            yield from line_items("paragraph", depth, line)


def _letters_of_markdown_it(tokens: list[Token]) -> Iterator[Letters]:
    styles: list[str] = []
    link: tuple[object, str] = (None, "")
    for token in tokens:
        now = frozenset(styles)
        match token.type:
            case "text" | "text_special":
                yield Letters(token.content, now, *link)
            case "softbreak":
                yield Letters(" ", now, *link)
            case "hardbreak":
                yield Letters("", now, *link, kind="break")
            case "code_inline":
                yield Letters(token.content, now, *link, kind="code")
            case "math_inline":
                yield Letters(token.content, now, *link, kind="formula")
            case "image":
                yield Letters(_plain(token.children or []), now, *link, kind="image", source=str(token.attrs["src"]))
            case "footnote_ref":
                yield Letters(str(token.meta["label"]), now, *link, kind="reference")
            case "link_open":
                link = (object(), str(token.attrs["href"]))
            case "link_close":
                link = (None, "")
            case "html_inline" if token.content == "<br>":
                yield Letters("", now, *link, kind="break")
            case "strong_open" | "em_open" | "s_open":
                styles.append(_IT_STYLES[token.type])
            case "strong_close" | "em_close" | "s_close":
                styles.pop()
            case "footnote_anchor":
                pass
            case _:
                yield Letters(f"{token.type}?", now, *link)


def _plain(tokens: list[Token]) -> str:
    return "".join(token.content for token in tokens)


# ---------------------------------------------------------------------------------------------------- from mistune


def _mistune() -> Any:
    plugins = ["table", "strikethrough", "footnotes", "def_list", "math"]
    nested = [table_in_list, table_in_quote, math_in_list, math_in_quote]
    reader = mistune.create_markdown(renderer="ast", plugins=[*plugins, *nested])
    for rules in (reader.block.list_rules, reader.block.block_quote_rules):
        reader.block.insert_rule(rules, "def_list", before="paragraph")
    return reader


_MISTUNE = _mistune()
_MISTUNE_STYLES = {"strong": "strong", "emphasis": "emphasis", "strikethrough": "strike"}
_MISTUNE_MARKS = {"block_quote": "quote", "def_list_item": "description", "list_item": "", "footnote_item": ""}
_MISTUNE_LINES = {"paragraph": "paragraph", "block_text": "paragraph", "def_list_head": "term", "table_cell": "cell"}


def items_by_mistune(markdown: str) -> list[Item]:
    """What mistune finds."""
    found: list[Item] = []
    waiting: list[tuple[dict[str, Any], int, str]] = [(token, 0, "") for token in reversed(_MISTUNE(markdown))]
    while waiting:
        token, depth, attribute = waiting.pop()
        kind = token["type"]
        found.extend(_of_mistune(token, depth, attribute))
        if kind not in _MISTUNE_LINES and kind != "heading":
            inside = depth + (kind in _MISTUNE_MARKS)
            waiting += [(child, inside, number) for child, number in reversed(list(_children(token)))]
    return found


def _children(token: dict[str, Any]) -> Iterator[tuple[dict[str, Any], str]]:
    is_ordered = token["type"] == "list" and token["attrs"]["ordered"]
    number = token["attrs"].get("start", 1) if is_ordered else 0
    for place, child in enumerate(token.get("children", ())):
        yield child, str(number + place) if is_ordered else "-"


def _of_mistune(token: dict[str, Any], depth: int, attribute: str) -> Iterator[Item]:
    kind, attributes = token["type"], token.get("attrs", {})
    match kind:
        case "heading":
            yield from line_items("heading", depth, _line_of_mistune(token), str(attributes["level"]))
        case "paragraph" | "block_text" | "def_list_head" | "table_cell":
            line = _line_of_mistune(token)
            if kind == "table_cell":  # GFM takes the backslash before a bar away in code and formulas too
                line = [replace(one, text=one.text.replace("\\|", "|")) for one in line]
            yield from line_items(_MISTUNE_LINES[kind], depth, line)
        case "block_quote" | "def_list_item":
            yield Item(_MISTUNE_MARKS[kind], depth)
        case "list_item":
            yield Item("item", depth, "", attribute)
        case "footnote_item":
            yield Item("footnote", depth, "", attributes["key"].lower())
        case "block_code":
            yield Item("code", depth, token["raw"].removesuffix("\n"), attributes.get("info", ""))
        case "thematic_break":
            yield Item("rule", depth)
        case "block_math":
            yield Item("display", depth, _without_blanks(token["raw"]))
        case "table_head" | "table_row":
            yield Item("row", depth)
        case "list" | "def_list" | "table" | "table_body" | "footnotes" | "blank_line":
            pass
        case _:
            yield Item(kind, depth, str(token.get("raw", "")))


def _line_of_mistune(token: dict[str, Any]) -> list[Letters]:
    found: list[Letters] = []
    waiting = [(child, Letters("")) for child in reversed(token["children"])]
    while waiting:
        child, around = waiting.pop()
        kind, raw = child["type"], child.get("raw", "")
        inside = around
        match kind:
            case "text":
                found.append(replace(around, text=unescape(raw)))  # it leaves entities to its writer of HTML
            case "codespan":
                found.append(replace(around, text=raw, kind="code"))
            case "inline_math":
                found.append(replace(around, text=raw, kind="formula"))
            case "footnote_ref":
                found.append(replace(around, text=raw, kind="reference"))
            case "softbreak":
                found.append(replace(around, text=" "))
            case "linebreak":
                found.append(replace(around, kind="break"))
            case "inline_html" if raw == "<br>":
                found.append(replace(around, kind="break"))
            case "image":
                found.append(replace(around, text=_plain_of_mistune(child), kind="image", source=child["attrs"]["url"]))
                continue
            case "link":
                inside = replace(around, link=object(), target=child["attrs"]["url"])
            case "strong" | "emphasis" | "strikethrough":
                inside = replace(around, styles=around.styles | {_MISTUNE_STYLES[kind]})
            case _:
                found.append(replace(around, text=f"{kind}?"))
        waiting += [(one, inside) for one in reversed(child.get("children", ()))]
    return found


def _plain_of_mistune(token: dict[str, Any]) -> str:
    waiting, found = [token], ""
    while waiting:
        one = waiting.pop()
        found += unescape(one.get("raw", ""))
        waiting += reversed(one.get("children", ()))
    return found


# ------------------------------------------------------------------------------------------------------ comparing

READERS: dict[str, Callable[[str], list[Item]]] = {"markdown-it": items_by_markdown_it, "mistune": items_by_mistune}


@dataclass(slots=True)
class Share:
    """How many items are equal, of how many."""

    equal: int = 0
    all: int = 0

    def add(self, expected: Sequence[Item], found: Sequence[Item]) -> None:
        self.equal += equal_items(expected, found)
        self.all += max(len(expected), len(found))

    @property
    def value(self) -> float:
        return self.equal / self.all if self.all else 1.0


def expected_items(extraction: Extraction) -> list[Item]:
    """What a reader of the Markdown must find."""
    return [item for item in items_of_page(extraction) if item.kind != "nothing"]


def equal_items(expected: Sequence[Item], found: Sequence[Item]) -> int:
    """How many items of two lists match in order; what is equal at both ends is not worth a search."""
    start = 0
    while start < min(len(expected), len(found)) and expected[start] == found[start]:
        start += 1
    end = 0
    while end < min(len(expected), len(found)) - start and expected[-1 - end] == found[-1 - end]:
        end += 1
    left, right = expected[start : len(expected) - end], found[start : len(found) - end]
    matcher = SequenceMatcher(None, left, right, autojunk=False)
    return start + end + sum(block.size for block in matcher.get_matching_blocks())


def sample(data: Path, count: int, seed: int = 7) -> list[Path]:
    """Some of the real pages, always the same."""
    return random.Random(seed).sample(sorted((data / "wcxb" / "html").glob("*.html")), count)


def main(data: str, count: str) -> None:
    """Print the shares over real pages, as they are cut and with all that may be content."""
    for bias in (0.0, 1.0):
        shares = {name: Share() for name in READERS}
        for path in sample(Path(data), int(count)):
            extraction = extract(path.read_bytes(), f"https://site.example/{path.name}", Options(bias=bias))
            expected, markdown = expected_items(extraction), extraction.render("md")
            for name, read in READERS.items():
                shares[name].add(expected, read(markdown))
        for name, share in shares.items():
            print(f"bias {bias:g}, {name}: {share.equal:,} of {share.all:,} items are equal: {share.value:.3%}")


if __name__ == "__main__":
    main(*sys.argv[1:])
