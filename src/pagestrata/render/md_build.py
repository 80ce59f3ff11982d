"""The stream of kept nodes → blocks. One pass with a stack; what an element began is ended when it is left."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from pagestrata.page import columns, tags
from pagestrata.page.text import collapse, without_controls
from pagestrata.render.code_language import code_language
from pagestrata.render.events import Event, Kind
from pagestrata.render.footnotes import Footnotes, find_footnotes
from pagestrata.render.images import image_formula, image_source, is_followed_by_blank, media_source
from pagestrata.render.links import safe_link
from pagestrata.render.md_blocks import (
    EMPHASIS,
    STRIKE,
    STRONG,
    Block,
    Cell,
    Code,
    Definitions,
    Description,
    Formula,
    Heading,
    Item,
    Line,
    Link,
    List,
    Note,
    Paragraph,
    Quote,
    Rule,
    Run,
    RunKind,
    Table,
    Term,
)
from pagestrata.render.tables import data_tables
from pagestrata.results import Extraction

MOST_NESTED: Final = 32
"""Quotes, lists and definitions nested deeper lie flat in the last: each line carries the indentation of all of them,
so that without a limit the output would grow with the square of the depth."""

_SOFT_HYPHEN: Final = "\u00ad"
_INTEGER = re.compile(r"\s*(-?\d{1,9})\s*", re.ASCII)
_LARGEST_NUMBER: Final = 999_999_999
"""Of a list item, in CommonMark."""
_LINE_NUMBERS = re.compile(r"[\d\s]+")
# A heading or a term with one of these inside is no line of text.
_NOT_IN_LINE = tuple(
    tags.TAG[name] for name in "ul ol menu dir dl table pre listing xmp blockquote hr h1 h2 h3 h4 h5 h6".split()
)

_Leave = Callable[[], None]
"""What is done when an element is left."""


@dataclass(slots=True)
class _Blocks:
    """Collects the blocks of a quote, an item, a description, a note, or of the page."""

    children: list[Block]

    def add(self, block: Block) -> None:
        self.children.append(block)


@dataclass(slots=True)
class _Items:
    """Collects the items of a list."""

    ordered: bool
    next_number: int
    step: int
    items: list[Item] = field(default_factory=list)

    def add(self, block: Block) -> None:
        """What stands in a list outside of its items belongs to the item before it, or is one if there is none."""
        if not self.items:
            self.items.append(self.new_item())
        self.items[-1].children.append(block)

    def new_item(self) -> Item:
        number, self.next_number = self.next_number, self.next_number + self.step
        return Item(number)

    def lists(self) -> list[Block]:
        """Lists whose numbers follow each other: Markdown numbers only the first item."""
        found: list[List] = []
        for item in self.items:
            follows = found and (not self.ordered or item.number == found[-1].items[-1].number + 1)
            if not follows:
                found.append(List(self.ordered))
            found[-1].items.append(item)
        return [*found]


@dataclass(slots=True)
class _Entries:
    """Collects the terms and descriptions of a definition list, and what else stands in it."""

    entries: list[Term | Description | Block] = field(default_factory=list)

    def add(self, block: Block) -> None:
        self.entries.append(block)

    def blocks(self) -> list[Block]:
        """Pairs as definitions; a term without description as a paragraph, a description without term as its blocks."""
        found: list[Block] = []
        pair: list[Term | Description] = []
        for entry in [*self.entries, Rule()]:  # the rule at the end closes the last pair
            if isinstance(entry, Description) and pair:
                pair.append(entry)
                continue
            _add_pair(found, pair)
            pair = [entry] if isinstance(entry, Term) else []
            if isinstance(entry, Description):
                found.extend(entry.children)
            elif not isinstance(entry, Term):
                found.append(entry)
        return found[:-1]


def _add_pair(found: list[Block], pair: list[Term | Description]) -> None:
    if len(pair) > 1:
        if not (found and isinstance(found[-1], Definitions)):
            found.append(Definitions())
        found[-1].entries.extend(pair)  # type: ignore[union-attr]  # put there above
    elif pair and isinstance(pair[0], Term):
        found.append(Paragraph(pair[0].line))


@dataclass(slots=True)
class Document:
    """The blocks of a page, and its footnotes."""

    blocks: list[Block] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)


def build(extraction: Extraction, stream: list[Event]) -> Document:
    """Gather the stream into blocks."""
    builder = _Builder(extraction, find_footnotes(extraction.page, _entered(stream)))
    for event in stream:
        if event.kind is Kind.TEXT:
            builder.text(event.node, event.gap)
        elif event.kind is Kind.ENTER:
            builder.enter(event.node)
        else:
            builder.leave(event.node)
    builder.finish_line()
    return Document(builder.blocks, builder.ordered_notes())


def _entered(stream: list[Event]) -> frozenset[int]:
    return frozenset(event.node for event in stream if event.kind is Kind.ENTER)


class _Builder:
    """What is open, and what was gathered so far."""

    def __init__(self, extraction: Extraction, footnotes: Footnotes) -> None:
        self.page, self.options = extraction.page, extraction.options
        self.footnotes = footnotes
        self.data_tables = data_tables(extraction)
        self.tag = self.page.nodes.tag.tolist()
        self.flags = self.page.nodes.flags.tolist()
        self.is_block = ((self.page.nodes.flags & columns.IS_BLOCK) != 0).tolist()
        self.not_in_line = np.concatenate(([0], np.cumsum(np.isin(self.page.nodes.tag, _NOT_IN_LINE)))).tolist()
        self.blocks: list[Block] = []
        self.notes: dict[str, Note] = {}
        self.containers: list[_Blocks | _Items | _Entries] = [_Blocks(self.blocks)]
        self.leaving: list[_Leave | None] = []

        self.line: Line = []
        self.has_text = False
        """Whether text of the page stands in the line, and not only images."""
        self.lines: list[Line] | None = None
        """Where finished lines go in a heading, a term or a table; None where they become paragraphs."""
        self.breaks = 0
        """`<br>` since the last run."""
        self.unplaced = 0
        """Images at the end of the line of which it is not known yet whether a blank stands before them."""
        self.carried_gap = ""
        self.opening = ""
        """Put before the next text: a quotation mark or a bracket."""
        self.bullet = False
        """Whether the next run begins an item of a list in a cell."""

        self.strong = self.emphasis = self.strike = self.nested = self.quoted = self.muted = 0
        self.link: Link | None = None
        self.code = self.formula = -1
        self.code_styles = 0
        self.in_paragraph = False
        self.reference = ""
        self.verbatim: list[str] | None = None
        self.table: Table | None = None
        self.inner_tables = 0
        self.last_image = ""
        self.blank_behind_image = False

    # ---------------------------------------------------------------------------------------------------- events

    def enter(self, node: int) -> None:
        if node in self.footnotes.notes:
            self.leaving.append(self.enter_note(node))
            return
        if self.verbatim is not None:
            self.breaks += self.tag[node] == _BR
            self.leaving.append(None)
            return
        if self.is_block[node]:
            self.finish_line()
        handler = _HANDLERS.get(self.tag[node])
        self.leaving.append(handler(self, node) if handler else None)

    def leave(self, node: int) -> None:
        leave = self.leaving.pop()
        if self.is_block[node] and self.verbatim is None:
            self.finish_line()
        if leave is not None:
            leave()

    def text(self, node: int, gap: str) -> None:
        if self.verbatim is not None:
            self.add_verbatim(node, gap)
            return
        if self.muted:
            return
        if gap == "\n\n":
            gap = self.begin_block()
        text = self.clean(node)
        if self.formula >= 0:
            self.add_formula(text, gap)
        elif self.reference:
            self.add_run(Run(RunKind.REFERENCE, self.reference), gap)
            self.reference = ""
            self.muted += 1
        elif self.code >= 0:
            self.add_run(Run(RunKind.CODE, text, code=self.code), gap)
        else:
            self.add_run(Run(RunKind.TEXT, text), gap)

    def begin_block(self) -> str:
        """End the line, unless only images stand in it: the page has no text yet in the block that they begin."""
        if self.has_text or self.breaks > 1:
            self.finish_line()
        return "\n" if self.breaks else " "

    def clean(self, node: int) -> str:
        """The text of a node without what cannot be seen; that of form fields loses its line ends."""
        text = self.page.text_of(node)
        if self.flags[node] & columns.IN_PRE and self.formula < 0:
            return _clean(collapse(text))
        return _clean(text)

    # ------------------------------------------------------------------------------------------------------ runs

    def add_run(self, run: Run, gap: str) -> None:
        gap = _wider(gap, self.carried_gap)
        if not run.text:
            self.carried_gap = gap
            return
        run.gap = self.place_images(self.put_bullet(gap))
        run.styles, run.link = self.styles(), self.link
        opening, self.opening = self.opening, ""
        if run.kind is RunKind.TEXT:
            run.text = opening + run.text
        elif opening:
            self.line.append(replace(run, kind=RunKind.TEXT, text=opening))
            run.gap = ""
        self.line.append(run)
        self.carried_gap, self.breaks, self.last_image, self.has_text = "", 0, "", True

    def put_bullet(self, gap: str) -> str:
        """Begin an item in a cell; what stands before its text then is a blank."""
        if not self.bullet:
            return gap
        self.bullet = False
        self.line.append(Run(RunKind.TEXT, "-"))
        return " "

    def place_images(self, gap: str) -> str:
        """Say what stands before the images that end the line, now that the text behind them is known.

        The gap is the one between the texts around: a blank in it may stand before the images, or behind.
        """
        images, self.unplaced = self.line[len(self.line) - self.unplaced :], 0
        if not images:
            return gap
        for image in images:
            image.gap = image.gap or (" " if gap else "")
        if gap == "\n":
            return "\n" if self.breaks else " "
        return gap if self.blank_behind_image else ""

    def styles(self) -> int:
        if not self.options.formatting:
            return 0
        if self.code >= 0:  # code cannot change its style halfway
            return self.code_styles
        return STRONG * bool(self.strong) | EMPHASIS * bool(self.emphasis) | STRIKE * bool(self.strike)

    def finish_line(self) -> None:
        line, self.line = self.line, []
        for image in line[len(line) - self.unplaced :]:
            image.gap = image.gap or " "
        self.breaks = self.unplaced = 0
        self.carried_gap, self.has_text = "", False
        if not line:
            return
        if self.lines is not None:
            self.lines.append(line)
        else:
            self.containers[-1].add(Paragraph(line, self.in_paragraph))

    def add_block(self, block: Block) -> None:
        self.finish_line()
        self.containers[-1].add(block)

    # ------------------------------------------------------------------------------------------- inside of lines

    def enter_strong(self, node: int) -> _Leave:
        self.strong += 1
        return self.leave_strong

    def leave_strong(self) -> None:
        self.strong -= 1

    def enter_emphasis(self, node: int) -> _Leave:
        self.emphasis += 1
        return self.leave_emphasis

    def leave_emphasis(self) -> None:
        self.emphasis -= 1

    def enter_strike(self, node: int) -> _Leave:
        self.strike += 1
        return self.leave_strike

    def leave_strike(self) -> None:
        self.strike -= 1

    def enter_code(self, node: int) -> _Leave | None:
        if self.code >= 0 or not self.options.formatting:
            return None
        self.code_styles = self.styles()
        self.code = node
        return self.leave_code

    def leave_code(self) -> None:
        self.code = -1

    def enter_link(self, node: int) -> _Leave | None:
        if node in self.footnotes.references:
            return self.enter_reference(node)
        if node in self.footnotes.back_links:
            self.muted += 1
            return self.leave_muted
        if self.link is not None or self.reference or not self.options.links:
            return None
        target = safe_link(self.page, self.page.attribute(node, "href"))
        if target is None:
            return None
        self.link = Link(target, self.title_of(node))
        return self.leave_link

    def leave_link(self) -> None:
        self.link = None

    def title_of(self, node: int) -> str:
        """The title, if it says more than the words of the element."""
        title = _clean(collapse(self.page.attribute(node, "title") or ""))
        shown = self.page.text_of(node) or self.page.attribute(node, "alt") or ""
        return "" if title == collapse(shown) else title

    def enter_raised(self, node: int) -> _Leave | None:
        return self.enter_reference(node) if node in self.footnotes.references else None

    def enter_reference(self, node: int) -> _Leave:
        self.reference = self.footnotes.references[node]
        return self.leave_reference

    def leave_reference(self) -> None:
        if self.reference:
            self.reference = ""
        else:  # its text was seen, and the rest kept silent
            self.muted -= 1

    def leave_muted(self) -> None:
        self.muted -= 1

    def enter_quotation(self, node: int) -> _Leave:
        begin, end = ("\u2018", "\u2019") if self.quoted else ("\u201c", "\u201d")
        self.quoted += 1
        self.opening += begin
        return lambda: self.leave_quotation(end)

    def leave_quotation(self, end: str) -> None:
        self.quoted -= 1
        self.close(end)

    def enter_ruby_text(self, node: int) -> _Leave | None:
        """Bracket the reading of a word, unless the page has brackets of its own for that."""
        if self.tag[node - 1] == _RP or (self.tag[node - 1] == tags.TEXT and self.tag[node - 2] == _RP):
            return None
        self.opening += "("
        return lambda: self.close(")")

    def close(self, mark: str) -> None:
        """Put a mark behind the last text, or take back the opening one if there was none."""
        if self.opening:
            self.opening = self.opening[:-1]
        elif not self.muted:
            self.add_run(Run(RunKind.TEXT, mark), "")

    def enter_break(self, node: int) -> None:
        self.breaks += 1

    # -------------------------------------------------------------------------------------- images and formulas

    def enter_image(self, node: int) -> None:
        if self.muted:
            return
        formula = image_formula(self.page, node)
        if formula:
            self.add_unplaced(Run(RunKind.FORMULA, _clean(formula)), node)
            return
        source = image_source(self.page, node) if self.options.images else None
        if source is None or source == self.last_image:
            return
        alt = _clean(collapse(self.page.attribute(node, "alt") or ""))
        self.add_unplaced(Run(RunKind.IMAGE, alt, source=Link(source, self.title_of(node))), node)
        self.last_image = source

    def enter_media(self, node: int) -> None:
        if self.muted or not (self.options.images and self.options.links):
            return
        source = media_source(self.page, node)
        if source is not None:
            name = _clean(collapse(self.page.attribute(node, "title") or "")) or source
            around, self.link = self.link, Link(source)
            self.add_unplaced(Run(RunKind.TEXT, name, gap=" "), node)
            self.link, self.blank_behind_image = around, True

    def add_unplaced(self, run: Run, node: int) -> None:
        """Add what is no text of the page, so that the gaps around it must be guessed."""
        if self.breaks > 1:
            self.finish_line()
        run.gap = self.put_bullet("\n" if self.breaks and self.line else run.gap)
        run.styles, run.link = self.styles(), self.link
        self.line.append(run)
        self.unplaced += 1
        self.breaks = 0
        self.blank_behind_image = is_followed_by_blank(self.page, node)

    def enter_formula(self, node: int) -> _Leave:
        self.formula = node
        return self.leave_formula

    def leave_formula(self) -> None:
        self.formula = -1

    def add_formula(self, text: str, gap: str) -> None:
        if self.page.attribute(self.formula, "type") == "display" and self.lines is None:
            self.add_block(Formula(text))
        else:
            self.add_run(Run(RunKind.FORMULA, text), gap)

    # -------------------------------------------------------------------------------------------------- headings

    def enter_heading(self, node: int) -> _Leave | None:
        if not self.is_line(node):
            return None
        self.lines = []
        return lambda: self.leave_heading(_HEADINGS[self.tag[node]])

    def leave_heading(self, level: int) -> None:
        line = self.leave_lines()
        if line:
            self.containers[-1].add(Heading(level, line))

    def is_line(self, node: int) -> bool:
        """Whether an element can be written as one line, here."""
        end = self.page.nodes.end[node]
        return self.lines is None and self.not_in_line[end] == self.not_in_line[node + 1]

    def leave_lines(self) -> Line:
        """End the gathering of lines, and give them back as one."""
        lines, self.lines = self.lines or [], None
        whole: Line = []
        for line in lines:
            line[0].gap = " "
            whole.extend(line)
        for run in whole:
            run.gap = " " if run.gap == "\n" else run.gap
        return whole

    def enter_paragraph(self, node: int) -> _Leave:
        self.in_paragraph = True
        return self.leave_paragraph

    def leave_paragraph(self) -> None:
        self.in_paragraph = False

    def enter_rule(self, node: int) -> None:
        if self.lines is None and (self.blocks or len(self.containers) > 1):  # nothing to part at the very start
            self.add_block(Rule())

    # ----------------------------------------------------------------------------------------- quotes and lists

    def enter_quote(self, node: int) -> _Leave | None:
        if not self.may_nest():
            return None
        quote = Quote()
        self.push(_Blocks(quote.children))
        return lambda: self.leave_quote(quote)

    def leave_quote(self, quote: Quote) -> None:
        self.pop()
        if quote.children:
            self.containers[-1].add(quote)

    def may_nest(self) -> bool:
        return self.lines is None and self.nested < MOST_NESTED

    def push(self, container: _Blocks | _Items | _Entries) -> None:
        self.nested += isinstance(container, _Blocks)
        self.containers.append(container)

    def pop(self) -> None:
        self.nested -= isinstance(self.containers.pop(), _Blocks)

    def enter_list(self, node: int) -> _Leave | None:
        if not self.may_nest():
            return None
        items = self.new_items(node)
        self.push(items)
        return lambda: self.leave_list(items)

    def new_items(self, node: int) -> _Items:
        ordered = self.tag[node] == _OL
        is_reversed = ordered and self.page.attribute(node, "reversed") is not None
        count = sum(self.tag[child] == _LI for child in self.page.nodes.children(node)) if is_reversed else 1
        start = _integer(self.page.attribute(node, "start"), count)
        return _Items(ordered, start, -1 if is_reversed else 1)

    def leave_list(self, items: _Items) -> None:
        self.pop()
        for block in items.lists():
            self.containers[-1].add(block)

    def enter_item(self, node: int) -> _Leave | None:
        if self.lines is not None:
            return self.enter_item_in_line(node)
        if not self.may_nest():
            return None
        around = self.containers[-1]
        item = Item()
        if isinstance(around, _Items):
            around.next_number = _integer(self.page.attribute(node, "value"), around.next_number)
            item = around.new_item()
        self.push(_Blocks(item.children))
        return lambda: self.leave_item(item)

    def leave_item(self, item: Item) -> None:
        self.pop()
        around = self.containers[-1]
        if not item.children:
            return
        if isinstance(around, _Items):
            around.items.append(item)
        elif isinstance(around, _Blocks) and around.children and _is_stray(around.children[-1]):
            around.children[-1].items.append(item)  # type: ignore[union-attr]  # a list, as just asked
        else:
            around.add(List(False, [item], stray=True))

    def enter_item_in_line(self, node: int) -> _Leave:
        self.bullet = self.table is not None
        return self.leave_item_in_line

    def leave_item_in_line(self) -> None:
        self.bullet = False

    # ----------------------------------------------------------------------------------------------- definitions

    def enter_definitions(self, node: int) -> _Leave | None:
        if not self.may_nest():
            return None
        entries = _Entries()
        self.push(entries)
        return lambda: self.leave_definitions(entries)

    def leave_definitions(self, entries: _Entries) -> None:
        self.pop()
        for block in entries.blocks():
            self.containers[-1].add(block)

    def enter_term(self, node: int) -> _Leave | None:
        if not isinstance(self.containers[-1], _Entries) or not self.is_line(node):
            return None
        self.lines = []
        return self.leave_term

    def leave_term(self) -> None:
        line = self.leave_lines()
        entries = self.containers[-1]
        if line and isinstance(entries, _Entries):
            entries.entries.append(Term(line))

    def enter_description(self, node: int) -> _Leave | None:
        entries = self.containers[-1]
        if not isinstance(entries, _Entries) or not self.may_nest():
            return None
        description = Description()
        self.push(_Blocks(description.children))
        return lambda: self.leave_description(entries, description)

    def leave_description(self, entries: _Entries, description: Description) -> None:
        self.pop()
        if description.children:
            entries.entries.append(description)

    # ---------------------------------------------------------------------------------------------------- tables

    def enter_table(self, node: int) -> _Leave | None:
        if self.table is not None:
            self.inner_tables += 1
            return self.leave_inner_table
        if self.lines is not None or node not in self.data_tables:
            return None
        self.table, self.lines = Table(), []
        return self.leave_table

    def leave_inner_table(self) -> None:
        self.inner_tables -= 1

    def leave_table(self) -> None:
        """Write what stands in the table outside of its cells, such as its caption, above it."""
        table, lines = self.table, self.lines or []
        self.table = self.lines = None
        for line in lines:
            self.containers[-1].add(Paragraph(line))
        if table is not None and any(cell.lines for row in table.rows for cell in row):
            self.containers[-1].add(table)

    def enter_row(self, node: int) -> None:
        if self.table is not None and not self.inner_tables:
            self.table.rows.append([])
            self.table.in_head.append(self.tag[self.page.nodes.parent[node]] == _THEAD)

    def enter_cell(self, node: int) -> _Leave | None:
        if self.table is None or self.inner_tables or not self.table.rows:
            return None
        around, cell = self.lines, Cell(node)
        self.lines = cell.lines
        self.table.rows[-1].append(cell)
        return lambda: self.leave_cell(around)

    def leave_cell(self, around: list[Line] | None) -> None:
        self.lines = around

    # ------------------------------------------------------------------------------------------------------ code

    def enter_verbatim(self, node: int) -> _Leave:
        self.verbatim = []
        return lambda: self.leave_verbatim(node)

    def add_verbatim(self, node: int, gap: str) -> None:
        assert self.verbatim is not None  # noqa: S101 - asked by the caller
        if self.verbatim and gap in ("\n", "\n\n"):
            ended = self.verbatim[-1].endswith("\n")
            self.verbatim.append("\n" * (self.breaks or (0 if ended else 1)))
        self.breaks = 0
        self.verbatim.append(self.page.text_of(node))

    def leave_verbatim(self, node: int) -> None:
        text, self.verbatim = without_controls("".join(self.verbatim or ())), None
        self.breaks = 0
        lines = [line.rstrip() for line in text.split("\n")]
        text = "\n".join(lines).strip("\n")
        if self.lines is not None:
            self.add_code_lines(text, node)
        elif text and not self.is_gutter(node, text):
            self.add_block(Code(text, code_language(self.page, node)))

    def add_code_lines(self, text: str, node: int) -> None:
        """Code in a cell or a heading: each of its lines as code of its own."""
        kind = RunKind.CODE if self.options.formatting else RunKind.TEXT
        for line in filter(str.strip, text.split("\n")):
            self.add_run(Run(kind, collapse(line), code=node), "\n")
        self.finish_line()

    def is_gutter(self, node: int, text: str) -> bool:
        """Whether it is the column of line numbers that highlighters put beside code, in a table."""
        in_cell = any(self.tag[around] == _TD for around in self.page.nodes.ancestors(node))
        return in_cell and _LINE_NUMBERS.fullmatch(text) is not None

    # ------------------------------------------------------------------------------------------------- footnotes

    def enter_note(self, node: int) -> _Leave:
        self.finish_line()
        note = Note(self.footnotes.notes[node])
        self.push(_Blocks(note.children))
        return lambda: self.leave_note(note)

    def leave_note(self, note: Note) -> None:
        self.pop()
        self.notes[note.label] = note

    def ordered_notes(self) -> list[Note]:
        """In the order of their references, in which readers show them."""
        labels = dict.fromkeys(self.footnotes.references.values())
        return [self.notes[label] for label in labels if label in self.notes]


def _clean(text: str) -> str:
    """Without soft hyphens and controls; most texts come through as they are."""
    cleaned = without_controls(text).replace(_SOFT_HYPHEN, "")
    return text if cleaned == text else collapse(cleaned)


def _wider(gap: str, other: str) -> str:
    return "\n" if "\n" in (gap, other) else gap or other


def _integer(value: str | None, otherwise: int) -> int:
    found = _INTEGER.fullmatch(value or "")
    return min(_LARGEST_NUMBER, max(0, int(found[1]))) if found else otherwise


def _is_stray(block: Block) -> bool:
    return isinstance(block, List) and block.stray


_BR, _OL, _LI, _RP, _TD, _THEAD = (tags.TAG[name] for name in ("br", "ol", "li", "rp", "td", "thead"))
_HEADINGS: Final = {tags.TAG[f"h{level}"]: level for level in range(1, 7)}
_BY_NAME: Final[dict[str, Callable[[_Builder, int], _Leave | None]]] = {
    "b strong": _Builder.enter_strong,
    "i em": _Builder.enter_emphasis,
    "s strike del": _Builder.enter_strike,
    "code kbd samp tt": _Builder.enter_code,
    "a": _Builder.enter_link,
    "sup": _Builder.enter_raised,
    "q": _Builder.enter_quotation,
    "rt": _Builder.enter_ruby_text,
    "br": _Builder.enter_break,
    "img": _Builder.enter_image,
    "video audio iframe": _Builder.enter_media,
    tags.TEX: _Builder.enter_formula,
    "h1 h2 h3 h4 h5 h6": _Builder.enter_heading,
    "p": _Builder.enter_paragraph,
    "hr": _Builder.enter_rule,
    "blockquote": _Builder.enter_quote,
    "ul ol menu dir": _Builder.enter_list,
    "li": _Builder.enter_item,
    "dl": _Builder.enter_definitions,
    "dt": _Builder.enter_term,
    "dd": _Builder.enter_description,
    "table": _Builder.enter_table,
    "tr": _Builder.enter_row,
    "td th": _Builder.enter_cell,
    "pre listing plaintext xmp": _Builder.enter_verbatim,
}
_HANDLERS: Final = {tags.TAG[name]: handler for names, handler in _BY_NAME.items() for name in names.split()}
