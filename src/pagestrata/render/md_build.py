"""Builds blocks from the steps of a walk, in one pass. A stack holds what to do at the end of each open element."""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Final

import numpy as np

from pagestrata.extraction import Extraction
from pagestrata.page import columns, tags
from pagestrata.page.text import collapse, without_controls
from pagestrata.render.code_language import code_language
from pagestrata.render.footnotes import Footnotes, find_footnotes
from pagestrata.render.md_blocks import (
    Block,
    Cell,
    Code,
    Description,
    Formula,
    Heading,
    Item,
    Line,
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
from pagestrata.render.md_containers import Blocks, Container, Entries, Items
from pagestrata.render.md_gather import INLINE_TAGS, Leave, LineGatherer
from pagestrata.render.posts import Post, find_posts
from pagestrata.render.tables import code_listing, data_tables
from pagestrata.render.walk import NEW_BLOCK, VISITED, Step, shown_nodes, tag_table, walk

MOST_NESTED: Final = 32
"""Quotes, lists and definitions nested deeper lie flat in the last: each line carries the indentation of all of them,
so that without a limit the output would grow with the square of the depth."""

_AT_ONCE: Final = 64
"""Blocks that are gathered before they are written: a long page never exists as a whole."""
_INTEGER = re.compile(r"\s*(-?\d{1,9})\s*", re.ASCII)
# A heading or a term with one of these inside is no line of text.
_NOT_IN_LINE = tuple(
    tags.TAG[name] for name in "ul ol menu dir dl table pre listing xmp blockquote hr h1 h2 h3 h4 h5 h6".split()
)


def blocks_of(extraction: Extraction) -> Iterator[Block | Note]:
    """Gather the kept nodes into blocks, footnotes last."""
    builder, steps = _begin(extraction)
    blocks, enter, leave, add_text = builder.blocks, builder.enter, builder.leave, builder.text
    for node, tag, ended, gap in steps:
        if ended:
            leave(ended)
        if tag == tags.TEXT:
            add_text(node, gap)
        else:
            enter(node, tag)
        if len(blocks) > _AT_ONCE:  # items may still be added to the last one
            yield from blocks[:-1]
            del blocks[:-1]
    builder.finish()
    builder.close()
    yield from blocks
    yield from builder.ordered_notes()


def blocks_by_range(extraction: Extraction, starts: Sequence[int]) -> Iterator[list[Block | Note]]:
    """Gather the kept nodes into blocks, apart for each range of nodes: from one of the starts up to the next.

    An element around a start is closed before it and opened again, so that each range can be read by itself.
    """
    builder, steps = _begin(extraction)
    opened, place, following = list[tuple[int, int]](), 0, [*starts[1:], len(extraction.page.nodes)]
    for node, tag, ended, gap in steps:
        if ended:
            builder.leave(ended)
            del opened[len(opened) - ended :]
        if node >= following[place]:
            yield builder.take_blocks(opened)
            place += 1
            while node >= following[place]:
                yield []
                place += 1
        if tag == tags.TEXT:
            builder.text(node, gap)
        else:
            builder.enter(node, tag)
            opened.append((node, tag))
    yield builder.take_blocks(opened)
    builder.close()
    yield from ([] for _ in starts[place + 1 :])


def _begin(extraction: Extraction) -> tuple["_Builder", Iterator[Step]]:
    """Return a builder, and the steps that it is to take."""
    page, shown = extraction.page, shown_nodes(extraction, extraction.options.title_in_markdown)
    footnotes = find_footnotes(page, shown)
    shown = footnotes.without_labels(page, shown)
    builder = _Builder(extraction, footnotes, find_posts(extraction, shown))
    for elements in (footnotes.references, footnotes.notes, footnotes.back_links):
        shown[list(elements)] |= VISITED
    return builder, walk(page, shown, _VISITED_TAGS, columns.IS_BLOCK)


class _Builder:
    """The open elements, and the blocks that were gathered so far."""

    def __init__(self, extraction: Extraction, footnotes: Footnotes, posts: dict[int, Post]) -> None:
        """`posts` loses each post that is entered, so that one which is opened again is not announced twice."""
        self.page, self.options = extraction.page, extraction.options
        self.note_labels, self.references = footnotes.notes, footnotes.references
        self.extraction, self.posts = extraction, posts
        self.tag, self.container = self.page.nodes.tag.data, self.page.nodes.container.data
        self.blocks: list[Block] = []
        """The finished blocks of the page that were not yielded yet."""
        self.notes: dict[str, Note] = {}

        self.gatherer = LineGatherer(self.page, self.options, footnotes, self.add_line)
        self.finish_line = self.gatherer.finish
        self.lines: list[Line] | None = None
        """Collects the finished lines of a heading, a term or a table; None where lines become paragraphs."""
        self.in_paragraph = False
        self.leaving: list[tuple[bool, Leave | None]] = []
        """For each open element: whether the line ends with it, and what else is done then."""
        self.containers: list[Container] = [Blocks(self.blocks)]
        self.nested = 0
        self.verbatim: list[str] | None = None
        """The pieces of the code block that is open."""
        self.table: Table | None = None
        self.inner_tables = 0

    # ----------------------------------------------------------------------------------------------------- steps

    def enter(self, node: int, tag: int) -> None:
        if self.verbatim is not None:
            self.gatherer.breaks += tag == _BR
            self.leaving.append((False, None))
            return
        is_block = self.container[node] == node
        if is_block:
            self.finish_line()
        handler = _HANDLERS.get(tag) if node not in self.note_labels else _Builder.enter_note
        leave = handler(self, node) if handler else self.gatherer.enter(node, tag)
        if self.posts and node in self.posts:
            leave = self.enter_post(node, leave)
        self.leaving.append((is_block, leave))

    def leave(self, count: int) -> None:
        """Leave the innermost open elements."""
        for _ in range(count):
            ends_line, leave = self.leaving.pop()
            if ends_line:
                self.finish_line()
            if leave is not None:
                leave()

    def finish(self) -> None:
        self.leave(len(self.leaving))
        self.finish_line()

    def close(self) -> None:
        """Let go of what calls this builder: held by each other, both would stay with the page and all blocks."""
        del self.gatherer.on_line
        self.leaving.clear()

    def take_blocks(self, opened: Sequence[tuple[int, int]]) -> list[Block | Note]:
        """Close all open elements, return all blocks, footnotes last, and open the elements again.

        Most open elements are boxes whose end only ends a line: the outermost of them stay open.
        """
        boxes = next((place for place, (_, leave) in enumerate(self.leaving) if leave is not None), len(self.leaving))
        self.leave(len(self.leaving) - boxes)
        self.finish_line()
        blocks = [*self.blocks, *self.ordered_notes()]
        self.blocks.clear()
        self.notes.clear()
        for node, tag in opened[boxes:]:
            self.enter(node, tag)
        return blocks

    def text(self, node: int, gap: str) -> None:
        if self.verbatim is not None:
            self.add_verbatim(node, gap)
        elif self.gatherer.formula >= 0 and self.is_display_formula():
            self.add_display_formula(self.gatherer.text_of(node))
        else:
            self.gatherer.add_text(node, gap)

    def is_display_formula(self) -> bool:
        return self.lines is None and self.page.attribute(self.gatherer.formula, "type") == "display"

    def add_display_formula(self, text: str) -> None:
        if text and not self.gatherer.muted:
            self.add_block(Formula(text))

    def add_line(self, line: Line) -> None:
        if self.lines is not None:
            self.lines.append(line)
        elif len(line) == 1 and line[0].is_display:
            self.containers[-1].add(Formula(line[0].text))
        else:
            self.containers[-1].add(Paragraph(line, self.in_paragraph))

    def add_block(self, block: Block) -> None:
        self.finish_line()
        self.containers[-1].add(block)

    # ----------------------------------------------------------------------------------------------------- posts

    def enter_post(self, node: int, leave_element: Leave | None) -> Leave | None:
        """Write author and time before a post; a reply is a quote, unless it is an item of a list."""
        post, quotes = self.posts.pop(node), list[Quote]()
        if self.lines is not None:
            return leave_element
        self.finish_line()
        while len(quotes) < post.quotes and self.tag[node] != _LI and self.may_nest():
            quotes.append(Quote())
            self.push(Blocks(quotes[-1].children))
        line = post.line(self.options.formatting)
        if line:
            self.containers[-1].add(Paragraph(line, marked=True))
        return (lambda: self.leave_reply(quotes, leave_element)) if quotes else leave_element

    def leave_reply(self, quotes: Sequence[Quote], leave_element: Leave | None) -> None:
        self.finish_line()
        for quote in reversed(quotes):
            self.leave_quote(quote)
        if leave_element is not None:
            leave_element()

    # -------------------------------------------------------------------------------------------------- headings

    def enter_heading(self, node: int) -> Leave | None:
        if not self.is_line(node):
            return None
        self.lines = []
        return lambda: self.leave_heading(_HEADINGS[self.tag[node]])

    def leave_heading(self, level: int) -> None:
        line = self.leave_lines()
        if line:
            self.containers[-1].add(Heading(level, line))

    def is_line(self, node: int) -> bool:
        """Whether an element can be written as one line at this place."""
        end = self.page.nodes.end[node]
        return self.lines is None and self.not_in_line[end] == self.not_in_line[node + 1]

    @cached_property
    def not_in_line(self) -> memoryview:
        """The number of elements before each node that cannot be part of one line."""
        return np.concatenate(([0], np.cumsum(self.page.nodes.is_one_of(_NOT_IN_LINE)))).data

    def leave_lines(self) -> Line:
        """End the gathering of lines, and return them joined to one."""
        lines, self.lines = self.lines or [], None
        joined: Line = []
        for line in lines:
            line[0].gap = " "
            joined.extend(line)
        for run in joined:
            run.gap = " " if run.gap == "\n" else run.gap
        return joined

    def enter_paragraph(self, node: int) -> Leave:
        self.in_paragraph = True
        return self.leave_paragraph

    def leave_paragraph(self) -> None:
        self.in_paragraph = False

    def enter_rule(self, node: int) -> None:
        if self.lines is None and (self.blocks or len(self.containers) > 1):  # nothing to part at the very start
            self.add_block(Rule())

    # ----------------------------------------------------------------------------------------- quotes and lists

    def enter_quote(self, node: int) -> Leave | None:
        if not self.may_nest():
            return None
        quote = Quote()
        self.push(Blocks(quote.children))
        return lambda: self.leave_quote(quote)

    def leave_quote(self, quote: Quote) -> None:
        self.pop()
        if quote.children:
            self.containers[-1].add(quote)

    def may_nest(self) -> bool:
        return self.lines is None and self.nested < MOST_NESTED

    def push(self, container: Blocks | Items | Entries) -> None:
        self.nested += isinstance(container, Blocks)
        self.containers.append(container)

    def pop(self) -> None:
        self.nested -= isinstance(self.containers.pop(), Blocks)

    def enter_list(self, node: int) -> Leave | None:
        if not self.may_nest():
            return None
        items = self.new_items(node)
        self.push(items)
        return lambda: self.leave_list(items)

    def new_items(self, node: int) -> Items:
        if self.tag[node] != _OL:
            return Items(False)
        is_reversed = self.page.attribute(node, "reversed") is not None
        count = sum(self.tag[child] == _LI for child in self.page.nodes.children(node)) if is_reversed else 1
        start = _integer(self.page.attribute(node, "start"), count)
        return Items(True, start, -1 if is_reversed else 1)

    def leave_list(self, items: Items) -> None:
        self.pop()
        for block in items.lists():
            self.containers[-1].add(block)

    def enter_item(self, node: int) -> Leave | None:
        if self.lines is not None:
            return self.enter_item_in_line(node)
        if not self.may_nest():
            return None
        around = self.containers[-1]
        item = Item()
        if isinstance(around, Items) and around.ordered:
            around.next_number = _integer(self.page.attribute(node, "value"), around.next_number)
            item = around.new_item()
        self.push(Blocks(item.children))
        return lambda: self.leave_item(item)

    def leave_item(self, item: Item) -> None:
        self.pop()
        around = self.containers[-1]
        if not item.children:
            return
        if isinstance(around, Items):
            around.items.append(item)
        elif isinstance(around, Blocks) and around.children and _is_stray(around.children[-1]):
            around.children[-1].items.append(item)  # type: ignore[union-attr]  # a list, as just tested
        else:
            around.add(List(False, [item], stray=True))

    def enter_item_in_line(self, node: int) -> Leave:
        self.gatherer.bullet = self.table is not None
        return self.leave_item_in_line

    def leave_item_in_line(self) -> None:
        self.gatherer.bullet = False

    # ----------------------------------------------------------------------------------------------- definitions

    def enter_definitions(self, node: int) -> Leave | None:
        if not self.may_nest():
            return None
        entries = Entries()
        self.push(entries)
        return lambda: self.leave_definitions(entries)

    def leave_definitions(self, entries: Entries) -> None:
        self.pop()
        for block in entries.blocks():
            self.containers[-1].add(block)

    def enter_term(self, node: int) -> Leave | None:
        if not isinstance(self.containers[-1], Entries) or not self.is_line(node):
            return None
        self.lines = []
        return self.leave_term

    def leave_term(self) -> None:
        line = self.leave_lines()
        entries = self.containers[-1]
        if line and isinstance(entries, Entries):
            entries.entries.append(Term(line))

    def enter_description(self, node: int) -> Leave | None:
        entries = self.containers[-1]
        if not isinstance(entries, Entries) or not self.may_nest():
            return None
        description = Description()
        self.push(Blocks(description.children))
        return lambda: self.leave_description(entries, description)

    def leave_description(self, entries: Entries, description: Description) -> None:
        self.pop()
        if description.children:
            entries.entries.append(description)

    # ---------------------------------------------------------------------------------------------------- tables

    @cached_property
    def data_tables(self) -> frozenset[int]:
        return data_tables(self.extraction)

    def enter_table(self, node: int) -> Leave | None:
        if self.table is not None:
            self.inner_tables += 1
            return self.leave_inner_table
        if self.lines is not None:
            return None
        if node not in self.data_tables:
            return self.enter_listing(node)
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

    def enter_cell(self, node: int) -> Leave | None:
        if self.table is None or self.inner_tables or not self.table.rows:
            return None
        around, cell = self.lines, Cell(node)
        self.lines = cell.lines
        self.table.rows[-1].append(cell)
        return lambda: self.leave_cell(around)

    def leave_cell(self, around: list[Line] | None) -> None:
        self.lines = around

    # ------------------------------------------------------------------------------------------------------ code

    def enter_verbatim(self, node: int) -> Leave:
        self.verbatim = []
        return lambda: self.leave_verbatim(node)

    def add_verbatim(self, node: int, gap: str) -> None:
        assert self.verbatim is not None  # noqa: S101 - tested by the caller
        if self.verbatim and gap in ("\n", NEW_BLOCK):
            ended = self.verbatim[-1].endswith("\n")
            self.verbatim.append("\n" * (self.gatherer.breaks or (0 if ended else 1)))
        self.gatherer.breaks = 0
        self.verbatim.append(self.page.text_of(node))

    def leave_verbatim(self, node: int) -> None:
        text, self.verbatim = without_controls("".join(self.verbatim or ())), None
        self.gatherer.breaks = 0
        lines = [line.rstrip() for line in text.split("\n")]
        text = "\n".join(lines).strip("\n")
        if self.lines is not None:
            self.add_code_lines(text, node)
        elif text:
            self.add_block(Code(text, code_language(self.page, node)))

    def enter_listing(self, table: int) -> Leave | None:
        """Write a table with a line of code in each row as one block of code."""
        code = code_listing(self.page, table)
        if not code:
            return None
        self.verbatim = []
        return lambda: self.leave_listing(table, code)

    def leave_listing(self, table: int, code: str) -> None:
        self.verbatim = [code]
        self.leave_verbatim(table)

    def add_code_lines(self, text: str, node: int) -> None:
        """Code in a cell or a heading: each of its lines as code of its own."""
        kind: RunKind = "code" if self.options.formatting else "text"
        for line in filter(str.strip, text.split("\n")):
            self.gatherer.add_run(Run(kind, collapse(line), code=node), "\n")
        self.finish_line()

    # ------------------------------------------------------------------------------------------------- footnotes

    def enter_note(self, node: int) -> Leave:
        self.finish_line()
        note = Note(self.note_labels[node])
        self.push(Blocks(note.children))
        return lambda: self.leave_note(note)

    def leave_note(self, note: Note) -> None:
        """End a note; one that only led back is written as its label, since references to it were written."""
        self.pop()
        if not note.children:
            note.children.append(Paragraph([Run("text", note.label)]))
        self.notes[note.label] = note

    def ordered_notes(self) -> list[Note]:
        """In the order of their references, in which readers show them."""
        labels = dict.fromkeys(self.references.values()) if self.notes else ()
        return [self.notes[label] for label in labels if label in self.notes]


def _integer(value: str | None, otherwise: int) -> int:
    match = _INTEGER.fullmatch(value) if value else None
    return int(match[1]) if match else otherwise


def _is_stray(block: Block) -> bool:
    return isinstance(block, List) and block.stray


_BR, _OL, _LI, _THEAD = (tags.TAG[name] for name in ("br", "ol", "li", "thead"))
_HEADINGS: Final = {tags.TAG[f"h{level}"]: level for level in range(1, 7)}
_BY_NAME: Final[dict[str, Callable[[_Builder, int], Leave | None]]] = {
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
_VISITED_TAGS: Final = tag_table([*_HANDLERS, *INLINE_TAGS])
