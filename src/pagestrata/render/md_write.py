"""Blocks → lines of Markdown, with a stack of what is open and the marks that each line starts with."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from pagestrata.page.page import Page
from pagestrata.render.formulas import safe_tex
from pagestrata.render.md_blocks import (
    Block,
    Cell,
    Code,
    Definitions,
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
    Table,
    Term,
)
from pagestrata.render.md_escape import escape_heading, escape_line, escape_note
from pagestrata.render.md_inline import CELL_BREAK, inline
from pagestrata.render.tables import MOST_GROWTH, alignment, grid, has_header, spans

_BULLETS: Final = ("-", "*")
_DELIMITERS: Final = (".", ")")
"""A list that follows another of its kind takes the other mark, or Markdown would read one list."""
_INDENT: Final = "    "
"""The indentation of descriptions and notes. CommonMark needs less, but PHP Markdown Extra and mistune need four."""
_FENCE = re.compile(r"^[ \t]*(`{3,})", re.MULTILINE)
_DASHES: Final = {"left": ":---", "right": "---:", "center": ":---:", "": "---"}
_LEAST_PADDED: Final = 64
"""Places of a table that are always filled up."""

_Writable = Block | Item | Term | Description | Note


@dataclass(slots=True)
class _Frame:
    """A block that is being written, with those of its children that are not yet."""

    children: Iterator[_Writable]
    rest: str
    """What each line started with outside of it."""
    tight: bool = False
    """Whether a list may follow a paragraph without an empty line, and an item an item."""
    last: _Writable | None = None
    alternative: int = 0
    """Which of the two marks the items of the last list took."""
    markers: Iterator[str] = field(default_factory=lambda: iter(()))
    """The markers of the items, if the block is a list."""
    is_note: bool = False

    @property
    def begins_note(self) -> bool:
        """Whether the next child stands behind the label of a footnote."""
        return self.is_note and self.last is None


def write_blocks(page: Page, blocks: Iterable[_Writable]) -> list[str]:
    """Write blocks, parted by empty lines; no line ends in a blank."""
    writer = _Writer(page)
    writer.run(blocks)
    return writer.lines


class _Writer:
    """The lines so far, and what the next ones start with."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.lines: list[str] = []
        self.rest = ""
        self.first: str | None = None
        """What the next line starts with, when it holds the mark of an item."""
        self.frames: list[_Frame] = []

    def run(self, blocks: Iterable[_Writable]) -> None:
        self.frames = [_Frame(iter(blocks), "")]
        while self.frames:
            frame = self.frames[-1]
            block = next(frame.children, None)
            if block is None:
                self.rest = self.frames.pop().rest
                continue
            if frame.last is not None and not _may_follow(frame, block):
                self.lines.append(self.rest.rstrip())
            self.write(block, frame)
            frame.last = block

    def put(self, line: str) -> None:
        start, self.first = self.rest if self.first is None else self.first, None
        self.lines.append((start + line).rstrip())

    def open(self, children: Sequence[_Writable], marker: str = "", rest: str = "", tight: bool = False) -> _Frame:
        frame = _Frame(iter(children), self.rest, tight)
        self.frames.append(frame)
        if marker:
            self.first = (self.rest if self.first is None else self.first) + marker
            self.rest += rest
        return frame

    def write(self, block: _Writable, frame: _Frame) -> None:
        match block:
            case Paragraph() | Term():
                first, *others = inline(block.line).split("\n")
                self.put(escape_line(escape_note(first) if frame.begins_note else first))
                for line in others:
                    self.put(escape_line(line))
            case Heading():
                self.put(f"{'#' * block.level} {escape_heading(inline(block.line, ' '))}")
            case Code():
                self.write_code(block)
            case Formula():
                self.write_formula(block)
            case Rule():
                self.put("---" if self.first is None else "___")  # "- ---" would be one rule
            case Quote():
                self.open(block.children, "> ", "> ")
            case List():
                self.write_list(block, frame)
            case Item():
                marker = next(frame.markers)
                self.open(block.children, marker, " " * len(marker), frame.tight)
            case Definitions():
                self.open(block.entries)
            case Description():
                self.open(block.children, ":   ", _INDENT)
            case Note():
                self.open(block.children, f"[^{block.label}]: ", _INDENT).is_note = True
            case Table():
                for line in _table_lines(self.page, block):
                    self.put(line)

    def write_code(self, block: Code) -> None:
        longest = max((len(run) for run in _FENCE.findall(block.text)), default=2)
        fence = "`" * (longest + 1)
        self.put(fence + block.language)
        for line in block.text.split("\n"):
            self.put(line)
        self.put(fence)

    def write_formula(self, block: Formula) -> None:
        text = "\n".join(line.strip() for line in block.text.split("\n") if line.strip())
        safe = safe_tex(text)
        if safe is None or "$$" in safe:
            self.write_code(Code(text, "tex"))
            return
        for line in ("$$", *safe.split("\n"), "$$"):
            self.put(line)

    def write_list(self, block: List, around: _Frame) -> None:
        follows = isinstance(around.last, List) and around.last.ordered == block.ordered
        around.alternative = 1 - around.alternative if follows else 0
        frame = self.open(block.items, tight=not is_loose(block))
        frame.markers = _markers(block, around.alternative)


def _markers(block: List, alternative: int) -> Iterator[str]:
    for item in block.items:
        yield f"{item.number}{_DELIMITERS[alternative]} " if block.ordered else f"{_BULLETS[alternative]} "


def is_loose(block: List) -> bool:
    """Whether an empty line is needed inside an item, or a `<p>` asks for it: then one separates all items."""
    for item in block.items:
        if isinstance(item.children[0], Paragraph) and item.children[0].marked:
            return True
        if not all(_may_touch(last, child) for last, child in zip(item.children, item.children[1:], strict=False)):
            return True
    return False


def _may_follow(frame: _Frame, block: _Writable) -> bool:
    """Whether a block may follow the last one without an empty line between."""
    if isinstance(block, Description):
        return isinstance(frame.last, Term)
    return frame.tight and (isinstance(block, Item) or _may_touch(frame.last, block))


def _may_touch(last: _Writable | None, block: _Writable) -> bool:
    """A list ends the paragraph above it only if it has bullets, or begins with 1."""
    return isinstance(last, Paragraph) and isinstance(block, List) and (not block.ordered or block.items[0].number == 1)


# --------------------------------------------------------------------------------------------------------- tables


def _table_lines(page: Page, table: Table) -> Iterator[str]:
    """The rows that have content, with an empty header row when the page has none."""
    places = grid([[(cell, *spans(page, cell.node)) for cell in row] for row in table.rows])
    is_headed = has_header(page, [[cell.node for cell in row] for row in table.rows[:2]], table.in_head[0])
    rows = [row for number, row in enumerate(places) if (number == 0 and is_headed) or _has_content(row)]
    width = max(len(row) for row in rows)
    if width * len(rows) <= max(_LEAST_PADDED, MOST_GROWTH * sum(len(row) for row in table.rows)):
        rows = [row + [None] * (width - len(row)) for row in rows]
    body = rows[1:] if is_headed else rows
    header = rows[0] if is_headed else []
    yield _row([_cell(cell) for cell in header] + [""] * (width - len(header)))
    yield _row([_DASHES[side] for side in _alignments(page, rows[:2], width)])
    for row in body:
        yield _row([_cell(cell) for cell in row])


def _has_content(row: Sequence[Cell | None]) -> bool:
    return any(cell is not None and cell.lines for cell in row)


def _alignments(page: Page, rows: Sequence[Sequence[Cell | None]], width: int) -> list[str]:
    """The alignment of each column, from its first cells."""
    alignments = [""] * width
    for row in rows:
        for column, cell in enumerate(row):
            if cell is not None and not alignments[column]:
                alignments[column] = alignment(page, cell.node)
    return alignments


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(cell: Cell | None) -> str:
    if cell is None:
        return ""
    joined: Line = []
    for line in cell.lines:
        line[0].gap = "\n"
        joined.extend(line)
    return inline(joined, CELL_BREAK).replace("|", "\\|")
