"""The scan of a page in pure Python: what the kernel must equal, and what runs where it could not be built.

`survey` looks at the bytes before the parser sees them; `scan` reads the regular stream that the parser writes; `cut`
gathers its text nodes into blocks. Each is one pass. The kernel (`_kernel.pyx`) has the same three functions, held equal by `tests/page/test_scan.py`.
"""

import re
from typing import Final

import numpy as np
import numpy.typing as npt

from pagestrata.page import tags
from pagestrata.page.columns import (
    BLOCK_COLUMNS,
    BLOCK_CONTAINER,
    BLOCK_TEXT_END,
    BLOCK_TEXT_START,
    BLOCK_WORDS,
    CHARACTERS,
    COLUMNS,
    CONTAINER,
    END,
    FLAGS,
    HIDDEN_BITS,
    HIDDEN_BY,
    HIDDEN_SHIFT,
    IN_LINK,
    IN_PRE,
    IS_BLOCK,
    LINK_CHARACTERS,
    MATHS,
    NODE_END,
    NODE_START,
    ODD_NAMES,
    STARTS_BLOCK,
    TAG,
    TEMPLATES,
    TEXT_END,
    TEXT_START,
    UNREACHABLE,
    WORDS,
    Scan,
    unescape,
)
from pagestrata.page.text import WORD, collapse

# ------------------------------------------------------------------------------------------------ before the parser

_TAG = re.compile(rb"<(/?)([A-Za-z][^\t\n\f\r />]*)")
_PLAIN_NAME = re.compile(rb"[A-Za-z0-9:_.-]+")
_FORMATTING = frozenset(name.encode() for name in tags.FORMATTING)
_FORMATTING_START = re.compile(rb"(?i)<(?:" + b"|".join(sorted(_FORMATTING, reverse=True)) + rb")(?=[\t\n\f\r />]|$)")
_RAW = (b"script", b"style")
_SIGNS = {b"template": TEMPLATES, b"math": MATHS}

TAG_KEY_BYTES: Final = 256
"""Tags are compared by as much of their text."""
HARMLESS_OPEN: Final = 16
"""Formatting tags that may stand open at no charge: pages of the nineties wrap everything in a few."""
MOST_OPEN: Final = 1_000
"""More than this many at once is no page that anyone wrote."""


def survey(data: bytes, tag_budget: int, rebuild_budget: int) -> tuple[int, int, int, int]:
    """Count what would cost the parser too much, and note what needs care: (tags, cut, dissolve, signs).

    `cut` is the offset of the first tag past the budget, `dissolve` the offset from which formatting tags left open
    would be rebuilt more often than the budget allows; both are -1 when all is well. `signs` are bits of
    `columns`, of tags outside of scripts and styles. For the budgets everything that looks like a tag counts, in scripts too: a page
    must not be able to hide.
    """
    found = list(_TAG.finditer(data))
    cut = found[tag_budget].start() if len(found) > tag_budget else -1
    signs = _signs([(match[1], match[2].lower()) for match in found])
    if len(_FORMATTING_START.findall(data)) <= HARMLESS_OPEN:
        return len(found), cut, -1, signs
    return len(found), cut, _dissolve_offset(data, found, rebuild_budget), signs


def _signs(found: list[tuple[bytes, bytes]]) -> int:
    names = {name for closing, name in found if not closing}
    if names.isdisjoint(_SIGNS) and all(_PLAIN_NAME.fullmatch(name) for name in names):
        return 0
    signs = 0
    raw = b""
    for closing, name in found:
        if closing:
            raw = b"" if name == raw else raw
        elif not raw:
            signs |= _SIGNS.get(name, 0 if _PLAIN_NAME.fullmatch(name) else ODD_NAMES)
            raw = name if name in _RAW else b""
    return signs


def _dissolve_offset(data: bytes, found: list[re.Match[bytes]], rebuild_budget: int) -> int:
    """Follow the parser's list of open formatting elements, and say where rebuilding it gets too dear.

    Every other tag may make the parser open them all again. As in the standard, no more than three alike are open.
    """
    opened: list[tuple[bytes, bytes]] = []
    rebuilt = 0
    for match in found:
        name = match[2].lower()
        if name not in _FORMATTING:
            rebuilt += max(0, len(opened) - HARMLESS_OPEN)
        elif match[1]:
            _close(opened, name)
        else:
            _open(opened, name, _tag_key(data, match.start()))
        if rebuilt > rebuild_budget or len(opened) > MOST_OPEN:
            return match.start()
    return -1


def _open(opened: list[tuple[bytes, bytes]], name: bytes, key: bytes) -> None:
    alike = [place for place, entry in enumerate(opened) if entry == (name, key)]
    if len(alike) == 3:
        del opened[alike[0]]
    opened.append((name, key))


def _close(opened: list[tuple[bytes, bytes]], name: bytes) -> None:
    for place in range(len(opened) - 1, -1, -1):
        if opened[place][0] == name:
            del opened[place]
            return


def _tag_key(data: bytes, start: int) -> bytes:
    window = data[start : start + TAG_KEY_BYTES]
    end = window.find(b">")
    return window if end < 0 else window[:end]


# ------------------------------------------------------------------------------------------------- after the parser

_TOKEN = re.compile(
    r"<(?:(/)[^>]*|([^\s/>!?]+)([^>]*?)(/?)|!--.*?--|\?.*?\?|![^>]*)>|([^<]+)",
    re.DOTALL,
)
_ATTRIBUTE = re.compile(r'([^\s="]+)="([^"]*)"')
_HIDING_STYLE = re.compile(r"(?i)display\s*:\s*none|visibility\s*:\s*hidden", re.ASCII)
_BLOCK_STYLE = re.compile(r"(?i)display\s*:\s*(?:block|flex|grid|table|list-item)", re.ASCII)
_NO_GAP, _SPACE, _LINE, _BLOCK = range(4)
_HREF, _STYLE, _HIDDEN, _ARIA, _OPEN = (
    tags.ATTRIBUTE[name] for name in ("href", "style", "hidden", "aria-hidden", "open")
)
_TELLING = frozenset((_HREF, _STYLE, _HIDDEN, _ARIA, _OPEN))
_INHERITED = IN_LINK | IN_PRE | UNREACHABLE | HIDDEN_BITS

Ints = npt.NDArray[np.int32]
_Open = tuple[int, int, int, int, int]


def scan(markup: str, max_depth: int, max_attributes: int) -> Scan:
    """Read the parser's XML form of a page once, and lay it down in arrays."""
    scanner = _Scanner(markup, max_depth, max_attributes)
    scanner.run()
    return scanner.result()


class _Scanner:
    """What the scan has seen so far. `depth` counts from 1, the root element."""

    def __init__(self, markup: str, max_depth: int, max_attributes: int) -> None:
        self.markup, self.max_depth, self.max_attributes = markup, max_depth, max_attributes
        self.rows: list[list[int]] = []
        self.attributes: list[tuple[int, int, int, int]] = []
        self.names: dict[str, int] = {}
        self.pieces: list[str] = []
        self.length = 0
        self.gap = _BLOCK
        self.silent = 0
        self.text_rows: list[int] = []
        self.deepest = self.most_attributes = 0
        # of each open element: its row, what its children inherit, its container, what its tag does, texts before it
        self.open: list[_Open] = [(-1, 0, -1, 0, 0)]

    def run(self) -> None:
        for match in _TOKEN.finditer(self.markup):
            closing, name, attributes, closed, text = match.groups()
            if text is not None:
                if not self.silent:
                    self.add_text(unescape(text))
            elif name is not None:
                self.start(name, match.start(3) if attributes else -1, match.end(3))
                if closed:
                    self.end()
            elif closing:
                self.end()

    def start(self, name: str, attributes_start: int, attributes_end: int) -> None:
        tag = tags.TAG.get(name) or self.names.setdefault(name, len(tags.TAGS) + len(self.names))
        does = tags.BEHAVIOUR[tag] if tag < len(tags.TAGS) else 0
        depth = len(self.open)
        _, inherited, container, parent_does, _ = self.open[-1]
        parent = self.open[min(depth - 1, self.max_depth)][0]
        first_attribute = len(self.attributes)
        told = self.read_attributes(attributes_start, attributes_end) if attributes_start >= 0 else {}
        if does & tags.DETAILS and _OPEN in told:
            does &= ~tags.DETAILS
        flags = inherited | _own_flags(does, told)
        if not flags & HIDDEN_BITS:
            flags |= _hidden_by(does, parent_does, told) << HIDDEN_SHIFT
        if depth > self.max_depth or does & tags.OPAQUE:
            flags |= UNREACHABLE
        row = len(self.rows)
        if flags & IS_BLOCK:
            container, self.gap = row, _BLOCK
        elif does & tags.BREAK:
            self.gap = _BLOCK if self.gap >= _LINE else _LINE
        if does & tags.SILENT:
            self.silent += 1
        level = min(depth - 1, self.max_depth)
        here = self.length
        self.rows.append(
            [parent, row + 1, level, tag, here, here, first_attribute, len(self.attributes), flags, 0, container]
        )
        if flags & IS_BLOCK:
            does |= tags.BLOCK
        self.open.append((row, flags & _INHERITED, container, does, len(self.text_rows)))
        self.deepest = max(self.deepest, depth)

    def read_attributes(self, start: int, end: int) -> dict[int, str]:
        """Note every attribute, and give back the values of those that decide what is seen."""
        told = {}
        count = 0
        for match in _ATTRIBUTE.finditer(self.markup, start, end):
            count += 1
            if count > self.max_attributes:
                continue
            number = tags.ATTRIBUTE.get(match[1], 0)
            self.attributes.append((number, match.start(1), match.start(2), match.end(2)))
            if number in _TELLING:
                told[number] = match[2]
        self.most_attributes = max(self.most_attributes, count)
        return told

    def end(self) -> None:
        row, _, _, does, texts_before = self.open.pop()
        if does & tags.BLOCK:
            self.gap = _BLOCK
        if does & tags.SILENT:
            self.silent -= 1
        if len(self.open) > self.max_depth:
            return
        self.rows[row][END] = len(self.rows)
        if len(self.text_rows) > texts_before:
            self.rows[row][TEXT_START] = self.rows[self.text_rows[texts_before]][TEXT_START]
            self.rows[row][TEXT_END] = self.rows[self.text_rows[-1]][TEXT_END]

    def add_text(self, text: str) -> None:
        _, flags, container, does, _ = self.open[-1]
        if flags & IN_PRE:
            self.add_row(text.replace("\r", "\n"), flags, container, does)
            self.gap = _NO_GAP
            return
        core = collapse(text)
        if self.gap == _NO_GAP and (not core or text[0].isspace()):
            self.gap = _SPACE
        if core:
            self.add_row(core, flags, container, does)
            self.gap = _SPACE if text[-1].isspace() else _NO_GAP

    def add_row(self, text: str, flags: int, container: int, does: int) -> None:
        if self.gap == _BLOCK:
            flags |= STARTS_BLOCK
        if does & tags.DETAILS and not flags & HIDDEN_BITS:
            flags |= tags.BY_DETAILS << HIDDEN_SHIFT
        if self.length and self.gap:
            self.pieces.append(" " if self.gap == _SPACE else "\n")
            self.length += 1
        depth = min(len(self.open) - 1, self.max_depth)
        row, start, attributes = len(self.rows), self.length, len(self.attributes)
        self.pieces.append(text)
        self.length += len(text)
        self.text_rows.append(row)
        self.rows.append(
            [self.open[depth][0], row + 1, depth, tags.TEXT, start, self.length, attributes, attributes, flags, 0, container]
        )

    def result(self) -> Scan:
        text = "".join(self.pieces)
        nodes = np.array(self.rows, np.int32).reshape(-1, COLUMNS).T.copy()
        _count_words(nodes, text)
        attributes = np.array(self.attributes, np.int32).reshape(-1, 4).T.copy()
        return Scan(nodes, attributes, text, tuple(self.names), self.deepest, self.most_attributes)


def _own_flags(does: int, told: dict[int, str]) -> int:
    flags = 0
    if does & tags.BLOCK or (_STYLE in told and _BLOCK_STYLE.search(told[_STYLE])):
        flags |= IS_BLOCK
    if does & tags.PRE:
        flags |= IN_PRE
    if does & tags.LINK and _HREF in told:
        flags |= IN_LINK
    return flags


def _hidden_by(does: int, parent_does: int, told: dict[int, str]) -> int:
    """Why this element is not seen, as a number in `tags.HIDDEN_BY`; its ancestors are all seen."""
    if parent_does & tags.DETAILS and not does & tags.SUMMARY:
        return tags.BY_DETAILS
    if does & tags.SCRIPTLESS:
        return tags.BY_NOSCRIPT
    if does & tags.FALLBACK:
        return tags.BY_FALLBACK
    if does & tags.DIALOG and _OPEN not in told:
        return tags.BY_DIALOG
    if not told:
        return 0
    if _HIDDEN in told:
        return tags.BY_ATTRIBUTE
    if _STYLE in told and _HIDING_STYLE.search(told[_STYLE]):
        return tags.BY_STYLE
    return tags.BY_ARIA if told.get(_ARIA) == "true" else 0


def _count_words(nodes: Ints, text: str) -> None:
    """Fill in the words of each text node; a word that runs over two nodes belongs to the first."""
    starts = np.array([match.start() for match in WORD.finditer(text)], np.int32)
    is_text = nodes[TAG] == tags.TEXT
    before = np.searchsorted(starts, nodes[TEXT_START : TEXT_END + 1, is_text])
    nodes[WORDS, is_text] = before[1] - before[0]


def cut(nodes: Ints) -> Ints:
    """Gather the text nodes into blocks: int32, one row for each of the block columns, one column a block."""
    texts = nodes[:, nodes[TAG] == tags.TEXT]
    rows = np.flatnonzero(nodes[TAG] == tags.TEXT)
    first = np.flatnonzero(texts[FLAGS] & STARTS_BLOCK)
    table = np.zeros((BLOCK_COLUMNS, len(first)), np.int32)
    if len(first) == 0:
        return table
    last = np.append(first[1:], len(rows)) - 1
    lengths = texts[TEXT_END] - texts[TEXT_START]
    table[NODE_START] = rows[first]
    table[NODE_END] = rows[last] + 1
    table[BLOCK_CONTAINER] = texts[CONTAINER, first]
    table[BLOCK_TEXT_START] = texts[TEXT_START, first]
    table[BLOCK_TEXT_END] = texts[TEXT_END, last]
    table[BLOCK_WORDS] = np.add.reduceat(texts[WORDS], first)
    table[CHARACTERS] = np.add.reduceat(lengths, first)
    table[LINK_CHARACTERS] = np.add.reduceat(np.where(texts[FLAGS] & IN_LINK, lengths, 0), first)
    table[HIDDEN_BY] = np.minimum.reduceat((texts[FLAGS] & HIDDEN_BITS) >> HIDDEN_SHIFT, first)
    return table
