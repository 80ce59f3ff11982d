"""The scan of a page without a compiler: what the kernel must equal, and what runs where it could not be built.

`survey` (in `_survey.py`) looks at the bytes before the parser sees them; `scan` reads the stream that it writes. The
kernel (`_kernel.pyx`) has the same functions, held equal by `tests/page/test_scan.py`. It walks; this one sorts and
searches whole arrays at once, since a walk in Python over the tags of a page takes longer than all the rest together.
"""

import re
from dataclasses import dataclass
from functools import cache
from operator import add

import numpy as np
import numpy.typing as npt

from pagestrata.page import columns as c
from pagestrata.page import tags
from pagestrata.page._survey import decode_utf8, is_utf8, survey
from pagestrata.page.columns import Scan, unescape
from pagestrata.page.text import CONTROL, UNSPACED_RANGES, word_pattern

__all__ = ["decode_utf8", "is_utf8", "scan", "survey"]

Ints = npt.NDArray[np.int32]
Places = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

_NO_TAG = re.compile(r"<(?:!--.*?--|\?.*?\?|![^>]*)>", re.DOTALL)
_HIDING_STYLE = re.compile(r"(?i)display\s*:\s*none|visibility\s*:\s*hidden", re.ASCII)
_BLOCK_STYLE = re.compile(r"(?i)display\s*:\s*(?:block|flex|grid|table|list-item)", re.ASCII)
_BEHAVIOUR = np.array(tags.BEHAVIOUR, np.int32)
_HREF, _STYLE, _HIDDEN, _ARIA, _OPEN = (
    tags.ATTRIBUTE[name] for name in ("href", "style", "hidden", "aria-hidden", "open")
)
_NO_GAP, _SPACE, _LINE, _BLOCK = range(4)
_GAPS = ("", " ", "\n", "\n")


def scan(markup: str, max_depth: int, max_attributes: int) -> Scan:
    """Read the parser's XML form of a page, and lay it down in arrays."""
    tokens = _tokenise(markup)
    tag, names = _tag_numbers(markup, tokens)
    attributes = _read_attributes(markup, tokens, max_attributes)
    elements = _Elements(tokens, tag, attributes, max_depth)
    texts = _read_texts(markup, tokens, elements)
    nodes, text = _lay_down(elements, texts, attributes.offsets)
    deepest = int(elements.level.max()) if len(tag) else 0
    return Scan(nodes, _cut(nodes), attributes.table, text, names, deepest, attributes.most)


@dataclass(slots=True)
class _Tokens:
    """The tags in order of the page, with the text that follows each. Starts and ends are numbered among the tags."""

    letters: npt.NDArray[np.uint8]
    """The markup, with `?` for all that is not Latin, and room at the end for a short name."""
    opens: Places
    """Where each tag begins in the markup."""
    closes: Places
    """Where it ends."""
    is_start: Bools
    is_end: Bools
    is_closed: Bools
    """A start that is its own end."""


def _tokenise(markup: str) -> _Tokens:
    """Find all tags. Every `<` and every `>` is the edge of one, but for those inside comments, which are blanked."""
    letters = np.frombuffer(markup.encode("latin-1", "replace") + bytes(_SHORT), np.uint8).copy()
    for match in _NO_TAG.finditer(markup):
        letters[match.start() + 2 : match.end() - 1] = 0
    opens, closes = np.flatnonzero(letters == ord("<")), np.flatnonzero(letters == ord(">"))
    follows = letters[opens + 1]
    is_end = follows == ord("/")
    is_start = ~is_end & (follows != ord("!")) & (follows != ord("?"))
    return _Tokens(letters, opens, closes, is_start, is_end, is_start & (letters[closes - 1] == ord("/")))


def _tag_numbers(markup: str, tokens: _Tokens) -> tuple[Ints, tuple[str, ...]]:
    """The number of each start tag, and the names that had none yet."""
    starts, stops = tokens.opens[tokens.is_start] + 1, tokens.closes[tokens.is_start]
    for delimiter in " /":
        places = np.append(np.flatnonzero(tokens.letters == ord(delimiter)), len(tokens.letters))
        stops = np.minimum(stops, places[np.searchsorted(places, starts)])
    numbers = _TAG_NAMES.numbers(tokens, starts, stops)
    further: dict[str, int] = {}
    for i in np.flatnonzero(numbers == 0).tolist():
        name = markup[starts[i] : stops[i]]
        numbers[i] = tags.TAG.get(name) or further.setdefault(name, len(tags.TAGS) + len(further))
    return numbers, tuple(further)


class _Names:
    """Finds the numbers of many names at once; those of more than 16 characters it does not know."""

    def __init__(self, known: dict[str, int]) -> None:
        short = {name: number for name, number in known.items() if len(name) <= _SHORT}
        spelled = np.array([name.encode() for name in short], f"S{_SHORT}").view(np.uint64).reshape(-1, 2)
        order = np.argsort(self._hash(spelled))
        self.spelled, self.number = spelled[order], np.array([*short.values()], np.int32)[order]
        self.hashes = self._hash(self.spelled)

    @staticmethod
    def _hash(spelled: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
        return spelled[:, 0] * np.uint64(0x9E3779B97F4A7C15) + spelled[:, 1] * np.uint64(0xC2B2AE3D27D4EB4F)

    def numbers(self, tokens: _Tokens, starts: Places, stops: Places) -> Ints:
        """The number of each name; 0 for those that have none."""
        lengths = np.where(stops - starts > _SHORT, 0, stops - starts)
        letters = tokens.letters[starts[:, None] + _PLACES] * (lengths[:, None] > _PLACES)
        spelled = letters.view(np.uint64)
        places = np.minimum(np.searchsorted(self.hashes, self._hash(spelled)), len(self.hashes) - 1)
        return np.where((self.spelled[places] == spelled).all(axis=1), self.number[places], 0).astype(np.int32)


_SHORT = 16
_PLACES = np.arange(_SHORT)
_TAG_NAMES, _ATTRIBUTE_NAMES = _Names(tags.TAG), _Names(tags.ATTRIBUTE)

Told = dict[int, dict[int, str]]
"""Start tag → the attributes that decide what is seen: number of the name → value."""


@dataclass(slots=True)
class _Attributes:
    table: Ints
    offsets: Places
    """Where those of each start tag begin in the table."""
    told: Told
    linked: Bools
    """The start tags that have an href."""
    most: int
    """On one tag."""


def _read_attributes(markup: str, tokens: _Tokens, max_attributes: int) -> _Attributes:
    """All attributes at once: in a tag every value stands between two quotes, and every name after a blank."""
    starts, stops = tokens.opens[tokens.is_start], tokens.closes[tokens.is_start]
    quotes = np.flatnonzero(tokens.letters == ord('"'))
    owners = np.searchsorted(starts, quotes) - 1
    inside = quotes < np.append(stops, -1)[owners]
    quotes, owners = quotes[inside], owners[inside][::2]
    values, ends = quotes[::2] + 1, quotes[1::2]
    blanks = np.flatnonzero(tokens.letters == ord(" "))
    names = blanks[np.searchsorted(blanks, values) - 1] + 1 if len(values) else values
    counts = np.bincount(owners, minlength=len(starts))
    if len(counts) and counts.max() > max_attributes:
        rank = np.arange(len(owners)) - np.repeat(np.cumsum(counts) - counts, counts)
        few = rank < max_attributes
        owners, names, values, ends = owners[few], names[few], values[few], ends[few]
    numbers = _ATTRIBUTE_NAMES.numbers(tokens, names, values - 2)
    told: Told = {}
    for i in np.flatnonzero(np.isin(numbers, (_STYLE, _HIDDEN, _ARIA, _OPEN))).tolist():
        told.setdefault(int(owners[i]), {})[int(numbers[i])] = markup[values[i] : ends[i]]
    linked = np.zeros(len(starts), np.bool_)
    linked[owners[numbers == _HREF]] = True
    table = np.stack((numbers, names, values, ends)).astype(np.int32)
    most = int(counts.max()) if len(counts) else 0
    return _Attributes(table, _running(np.minimum(counts, max_attributes)), told, linked, most)


class _Elements:
    """What is known of the elements, numbered by their start tags, without looking at the texts."""

    def __init__(self, tokens: _Tokens, tag: Ints, attributes: _Attributes, max_depth: int) -> None:
        self.tag, self.max_depth = tag, max_depth
        self.does = np.append(_BEHAVIOUR, 0)[np.minimum(tag, len(_BEHAVIOUR))]
        self.start = np.flatnonzero(tokens.is_start)  # the token that opens it
        # how many elements are open after each token, and on which level each element stands, 1 for the root
        self.depth_after = np.cumsum(tokens.is_start.astype(np.int64) - tokens.is_end - tokens.is_closed)
        self.level = self.depth_after[self.start] + tokens.is_closed[self.start]
        self.end = self._matching_ends(tokens)
        self._order = np.lexsort((self.start, self.level))
        self._keys = self._key(self.level, self.start)[self._order]
        self._judge(attributes)

    def _matching_ends(self, tokens: _Tokens) -> Places:
        """The token that closes each element: on one level, starts and ends alternate."""
        ends = np.flatnonzero(tokens.is_end | tokens.is_closed)
        matching = np.empty_like(self.start)
        matching[np.lexsort((self.start, self.level))] = ends[np.lexsort((ends, self.depth_after[ends]))]
        return matching

    def _key(self, level: Places, token: Places) -> Places:
        return level * (len(self.depth_after) + 1) + token

    def around(self, tokens: Places, levels: Places) -> Places:
        """The element that is open on a level after a token: the last that began there; -1 on level 0."""
        places = np.searchsorted(self._keys, self._key(levels, tokens), side="right") - 1
        return np.where(levels > 0, np.append(self._order, -1)[places], -1)

    def _judge(self, attributes: _Attributes) -> None:
        """What each element says for itself, and where on the page that holds."""
        hidden, veiled = np.zeros((2, len(self.tag)), np.int32)
        is_open = np.zeros(len(self.tag), np.bool_)
        self.is_block = self.do(tags.BLOCK)
        for element, values in attributes.told.items():
            is_open[element] = _OPEN in values
            hidden[element] = _hidden_by_attribute(values)
            veiled[element] = tags.BY_ARIA if values.get(_ARIA) == "true" else 0
            if _STYLE in values and _BLOCK_STYLE.search(values[_STYLE]):
                self.is_block[element] = True
        hidden[self.do(tags.DIALOG) & ~is_open] = tags.BY_DIALOG
        hidden[self.do(tags.FALLBACK)] = tags.BY_FALLBACK
        hidden[self.do(tags.SCRIPTLESS)] = tags.BY_NOSCRIPT
        self.closed_details = np.append(self.do(tags.DETAILS) & ~is_open, False)
        self.parent = self.around(self.start - 1, self.level - 1)
        veiled[self.closed_details[self.parent] & ~self.do(tags.SUMMARY)] = tags.BY_DETAILS
        self.own_hidden, self.own_veiled = hidden, veiled
        self.hidden, self.veiled = _Cover(self, hidden > 0), _Cover(self, veiled > 0)
        self.silent = _Cover(self, self.do(tags.SILENT))
        self.block = _Cover(self, self.is_block)
        self.inherited = (
            (c.IN_LINK, _Cover(self, self.do(tags.LINK) & attributes.linked)),
            (c.IN_PRE, _Cover(self, self.do(tags.PRE))),
            (c.UNREACHABLE, _Cover(self, self.do(tags.OPAQUE) | (self.level > self.max_depth))),
        )

    def do(self, bit: int) -> Bools:
        """Which elements have a tag that does this."""
        doing: Bools = (self.does & bit) != 0
        return doing

    def flags_after(self, tokens: Places) -> Ints:
        """The flags that what stands after these tokens takes from the elements that are open there."""
        hidden, veiled = self.hidden_after(tokens)
        flags = np.where(hidden, hidden, veiled) << c.HIDDEN_SHIFT
        for bit, cover in self.inherited:
            flags |= np.where(cover.after(tokens), bit, 0)
        return flags.astype(np.int32)

    def hidden_after(self, tokens: Places) -> tuple[Ints, Ints]:
        """Why what stands after these tokens is not seen, and why it is veiled: the outermost reasons."""
        return self.hidden.outermost(tokens, self.own_hidden), self.veiled.outermost(tokens, self.own_veiled)

    def flags(self) -> Ints:
        """The flags of the elements themselves."""
        flags = self.flags_after(self.start - 1) & ~c.HIDDEN_BITS
        around = self.hidden_after(self.start - 1)
        hidden = np.zeros(len(self.tag), np.int32)
        for reason in (around[0], self.own_hidden, around[1], self.own_veiled):
            hidden = np.where(hidden, hidden, reason)
        flags |= hidden << c.HIDDEN_SHIFT
        flags |= np.where(self.is_block, c.IS_BLOCK, 0).astype(np.int32)
        for bit, cover in self.inherited:
            flags[cover.which] |= bit
        return flags


class _Cover:
    """Some of the elements, and where on the page one of them is open."""

    def __init__(self, elements: _Elements, chosen: Bools) -> None:
        self.which = np.flatnonzero(chosen)
        self.starts = elements.start[self.which]
        self.size = len(elements.depth_after) + 1
        # starts and ends at each token, with a place in front for what is before the first
        self.begins = np.bincount(self.starts + 1, minlength=self.size)
        self.finishes = np.bincount(elements.end[self.which] + 1, minlength=self.size)
        self.open = np.cumsum(self.begins - self.finishes)

    def count_after(self, tokens: Places) -> Places:
        """How many of them are open after each token."""
        return self.open[tokens + 1]

    def after(self, tokens: Places) -> Bools:
        """Whether one of them is."""
        return self.count_after(tokens) > 0

    def depths(self) -> Places:
        """How many others of them each stands in."""
        return self.count_after(self.starts - 1)

    def outermost(self, tokens: Places, code: Ints) -> Ints:
        """The code of the outermost that is open; 0 where none is."""
        if len(self.which) == 0:
            return np.zeros(len(tokens), np.int32)
        outer = self.depths() == 0
        last = np.searchsorted(self.starts[outer], tokens, side="right") - 1
        return np.where(self.after(tokens), code[self.which[outer]][last], 0)

    def innermost(self, tokens: Places) -> Places:
        """The innermost that is open; -1 where none is."""
        depths = self.depths()
        order = np.lexsort((self.starts, depths))
        keys = depths[order] * self.size + self.starts[order]
        levels = self.count_after(tokens) - 1
        places = np.searchsorted(keys, levels * self.size + tokens, side="right") - 1
        return np.where(levels >= 0, np.append(self.which[order], -1)[places], -1)

    def edges(self) -> Places:
        """How many starts and ends there are up to and with each token."""
        return np.cumsum(self.begins + self.finishes)[1:]


def _hidden_by_attribute(values: dict[int, str]) -> int:
    if _HIDDEN in values:
        return tags.BY_ATTRIBUTE
    return tags.BY_STYLE if _STYLE in values and _HIDING_STYLE.search(values[_STYLE]) else 0


@dataclass(slots=True)
class _Texts:
    """The texts that become nodes."""

    token: Places
    """The tag that each follows."""
    content: list[str]
    gap: Ints
    """What stands before each: one of the four gaps."""
    flags: Ints


def _read_texts(markup: str, tokens: _Tokens, elements: _Elements) -> _Texts:
    """Collapse white space, and see what stands between."""
    starts, stops = tokens.closes + 1, np.append(tokens.opens[1:], len(markup))[: len(tokens.closes)]
    token = np.flatnonzero((stops > starts) & ~elements.silent.after(np.arange(len(starts))))
    starts, stops = starts[token], stops[token]
    leads, trails = _is_space(markup, tokens, starts), _is_space(markup, tokens, stops - 1)
    is_pre = elements.inherited[1][1].after(token)
    edges = np.stack((starts, stops), axis=1).ravel()
    is_solid = np.maximum.reduceat(tokens.letters, edges)[::2] > ord(" ") if len(edges) else is_pre
    chosen = np.flatnonzero(is_solid | is_pre)
    spans = zip(starts[chosen].tolist(), stops[chosen].tolist(), strict=True)
    has_controls = bool(((tokens.letters >= 0x7F) & (tokens.letters < 0xA0)).any())
    content, written = [], []
    for i, (start, stop) in zip(chosen.tolist(), spans, strict=True):
        text = markup[start:stop]
        if has_controls or "&" in text:
            text = CONTROL.sub(" ", unescape(text))
            leads[i], trails[i] = text[0].isspace(), text[-1].isspace()
        text = text.replace("\r", "\n") if is_pre[i] else " ".join(text.split())
        if text:
            content.append(text)
            written.append(i)
    leads &= ~is_pre
    trails &= ~is_pre
    blanks = np.cumsum(leads, dtype=np.int64)[written]
    gap = _gaps(elements, token[written], blanks, trails[written])
    token = token[written]
    flags = elements.flags_after(token)
    in_details = elements.closed_details[elements.around(token, elements.depth_after[token])]
    flags[in_details & ((flags & c.HIDDEN_BITS) == 0)] |= tags.BY_DETAILS << c.HIDDEN_SHIFT
    flags[gap == _BLOCK] |= c.STARTS_BLOCK
    return _Texts(token, content, gap, flags)


def _gaps(elements: _Elements, token: Places, blanks: Places, trails: Bools) -> Ints:
    """A block edge or two line breaks begin a block, one break a line, white space of any kind is a blank."""
    breaks = _Cover(elements, elements.do(tags.BREAK)).edges() // 2
    if len(token) == 0:
        return np.zeros(0, np.int32)
    gap = np.full(len(token), _NO_GAP, np.int32)
    gap[1:][(np.diff(blanks) > 0) | trails[:-1]] = _SPACE
    gap[1:][np.diff(breaks[token]) > 0] = _LINE
    gap[1:][(np.diff(breaks[token]) > 1) | (np.diff(elements.block.edges()[token]) > 0)] = _BLOCK
    gap[0] = _BLOCK
    return gap


def _lay_down(elements: _Elements, texts: _Texts, offsets: Places) -> tuple[Ints, str]:
    """Put elements and texts in the order of the page: (nodes, text)."""
    text, text_start, text_end = _join(texts)
    first, last = np.searchsorted(texts.token, elements.start), np.searchsorted(texts.token, elements.end)
    element_row = np.arange(len(elements.start)) + first
    begun = np.searchsorted(elements.start, texts.token, side="right")
    text_row = np.arange(len(texts.token)) + begun
    row_of = np.append(element_row, -1)
    is_deep = elements.level > elements.max_depth
    level = np.minimum(elements.level - 1, elements.max_depth)
    here = np.append(text_end, 0)[first - 1]
    has_text = (last > first) & ~is_deep
    block = elements.block.innermost(np.maximum(elements.start - 1, -1))

    nodes = np.zeros((c.COLUMNS, len(element_row) + len(text_row)), np.int32)
    parent = elements.around(elements.start - 1, level) if is_deep.any() else elements.parent
    nodes[c.PARENT, element_row] = row_of[parent]
    ends = np.searchsorted(elements.start, elements.end, side="right") + last
    nodes[c.END, element_row] = np.where(is_deep, element_row + 1, ends)
    nodes[c.DEPTH, element_row] = level
    nodes[c.TAG, element_row] = elements.tag
    nodes[c.TEXT_START, element_row] = np.where(has_text, np.append(text_start, 0)[first], here)
    nodes[c.TEXT_END, element_row] = np.where(has_text, np.append(text_end, 0)[last - 1], here)
    nodes[c.ATTR_START, element_row] = offsets[:-1]
    nodes[c.ATTR_END, element_row] = offsets[1:]
    nodes[c.FLAGS, element_row] = elements.flags()
    nodes[c.CONTAINER, element_row] = np.where(elements.is_block, element_row, row_of[block])

    depth = np.minimum(elements.depth_after[texts.token], elements.max_depth)
    nodes[c.PARENT, text_row] = row_of[elements.around(texts.token, depth)]
    nodes[c.END, text_row] = text_row + 1
    nodes[c.DEPTH, text_row] = depth
    nodes[c.TEXT_START, text_row] = text_start
    nodes[c.TEXT_END, text_row] = text_end
    nodes[[c.ATTR_START, c.ATTR_END], text_row[:, None]] = offsets[begun][:, None]
    nodes[c.FLAGS, text_row] = texts.flags
    words = _words_before(text)
    nodes[c.WORDS, text_row] = words[text_end] - words[text_start]
    nodes[c.CONTAINER, text_row] = row_of[elements.block.innermost(texts.token)]
    return nodes, text


def _join(texts: _Texts) -> tuple[str, Places, Places]:
    """The whole text, and where each begins and ends in it."""
    gaps = [_GAPS[gap] for gap in texts.gap.tolist()]
    if gaps:
        gaps[0] = ""
    lengths = np.array([*map(len, texts.content)], np.int64)
    ends = np.cumsum(lengths + np.array([*map(len, gaps)], np.int64))
    return "".join(map(add, gaps, texts.content)), ends - lengths, ends


def _words_before(text: str) -> Places:
    """How many words begin before each place; a word that runs over two texts belongs to the first."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    is_word = _word_table()[np.minimum(codes, 0xFFFF)]
    for place in np.flatnonzero(codes > 0xFFFF).tolist():
        is_word[place] = text[place].isalnum()
    is_unspaced = np.zeros(len(codes), np.bool_)
    high = np.flatnonzero(codes >= UNSPACED_RANGES[0][0])
    for first, last in UNSPACED_RANGES if len(high) else ():
        is_unspaced[high] |= (codes[high] >= first) & (codes[high] <= last)
    goes_on = np.zeros(len(codes), np.bool_)
    goes_on[1:] = (is_word & ~is_unspaced)[:-1]
    return _running(is_word & (is_unspaced | ~goes_on))


@cache
def _word_table() -> Bools:
    return np.array([word_pattern().match(chr(code)) is not None for code in range(0x10000)], np.bool_)


_IS_SPACE = np.array([CONTROL.sub(" ", chr(code)).isspace() for code in range(256)], np.bool_)


def _is_space(markup: str, tokens: _Tokens, places: Places) -> Bools:
    found: Bools = _IS_SPACE[tokens.letters[places]]
    for i in np.flatnonzero(tokens.letters[places] == ord("?")).tolist():  # it may stand for a wide space
        found[i] = markup[places[i]].isspace()
    return found


def _running(column: npt.ArrayLike) -> Places:
    """Sums up to each place, so that the sum over a range is one subtraction."""
    return np.concatenate(([0], np.cumsum(column))).astype(np.int64)


def _cut(nodes: Ints) -> Ints:
    """Gather the text nodes into blocks: int32, one row for each of the block columns, one column a block."""
    rows = np.flatnonzero(nodes[c.TAG] == tags.TEXT)
    texts = nodes[:, rows]
    first = np.flatnonzero(texts[c.FLAGS] & c.STARTS_BLOCK)
    table = np.zeros((c.BLOCK_COLUMNS, len(first)), np.int32)
    if len(first) == 0:
        return table
    last = np.append(first[1:], len(rows)) - 1
    lengths = texts[c.TEXT_END] - texts[c.TEXT_START]
    table[c.NODE_START] = rows[first]
    table[c.NODE_END] = rows[last] + 1
    table[c.BLOCK_CONTAINER] = texts[c.CONTAINER, first]
    table[c.BLOCK_TEXT_START] = texts[c.TEXT_START, first]
    table[c.BLOCK_TEXT_END] = texts[c.TEXT_END, last]
    table[c.BLOCK_WORDS] = np.add.reduceat(texts[c.WORDS], first)
    table[c.CHARACTERS] = np.add.reduceat(lengths, first)
    table[c.LINK_CHARACTERS] = np.add.reduceat(np.where(texts[c.FLAGS] & c.IN_LINK, lengths, 0), first)
    table[c.HIDDEN_BY] = np.minimum.reduceat((texts[c.FLAGS] & c.HIDDEN_BITS) >> c.HIDDEN_SHIFT, first)
    return table
