"""The scan of a page without a compiler: what the kernel must equal, and what runs where it could not be built.

`survey` (in `_survey.py`) looks at the bytes before the parser sees them; `scan` reads the stream that it writes. The
kernel (`native/_scan.pyx`) has the same functions, held equal by `tests/page/test_scan.py`. It walks; this one sorts
and searches whole arrays at once, which takes 3 times as long as the bare parse. The walk of the kernel in plain Python
would take 19 times as long (measured on 2026-11-18 with 20 pages of wcxb).
"""

import re
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from pagestrata.page import columns as c
from pagestrata.page import tags
from pagestrata.page._names import MAX_NAME_LENGTH, Bools, Ints, Letters, Names, Places
from pagestrata.page._names import next_letters as _next_letters
from pagestrata.page._survey import decode_utf8, is_utf8, survey
from pagestrata.page.columns import Scan, unescape
from pagestrata.page.text import CONTROL, UNSPACED_RANGES, word_pattern

__all__ = ["decode_utf8", "is_utf8", "places_of", "scan", "survey"]


_NAME_END = re.compile(r"[ />]|\Z")
_HIDING_STYLE = re.compile(r"(?i)display\s*:\s*none|visibility\s*:\s*hidden", re.ASCII)
_BLOCK_STYLE = re.compile(r"(?i)display\s*:\s*(?:block|flex|grid|table|list-item)", re.ASCII)
_BEHAVIOUR = np.array(tags.BEHAVIOUR, np.int32)
_HREF, _STYLE, _HIDDEN, _ARIA, _OPEN = (
    tags.ATTRIBUTE[name] for name in ("href", "style", "hidden", "aria-hidden", "open")
)
_NO_GAP, _SPACE, _LINE, _BLOCK = range(4)
_GAPS = np.array(("", " ", "\n", "\n"), np.object_)
_ESCAPED_SPACE = ("&#9;", "&#10;", "&#13;")


def scan(markup: str, max_depth: int, max_attributes: int) -> Scan:
    """Read the parser's XML form of a page into arrays."""
    tokens = _tokenise(markup)
    name_ends = _name_ends(markup, tokens)
    tag, names = _tag_numbers(markup, tokens, name_ends)
    attributes = _read_attributes(markup, tokens, name_ends, max_attributes)
    elements = _Elements(tokens, tag, attributes, max_depth)
    texts = _read_texts(markup, tokens, elements)
    nodes, text = _merge(elements, texts, attributes.offsets)
    deepest = int(elements.level.max()) if len(tag) else 0
    blocks = _cut(nodes)
    words = np.bincount(blocks[c.HIDDEN_BY], blocks[c.BLOCK_WORDS], c.REASONS).astype(np.int64)
    characters = int(blocks[c.CHARACTERS].sum())
    counts = (deepest, attributes.max_per_tag, characters, tuple(words.tolist()))
    return Scan(nodes, blocks, attributes.table, text, names, *counts)


@dataclass(slots=True)
class _Tokens:
    """The tags in order of the page, with the text that follows each. Starts and ends are numbered among the tags."""

    letters: Letters
    """The markup as Latin-1, with `?` for other characters, padded by the length of the longest short name."""
    opens: Places
    """The offset of each `<` in the markup."""
    closes: Places
    """The offset of each `>`."""
    is_start: Bools
    is_end: Bools
    is_closed: Bools
    """Whether a start tag closes itself."""


def _tokenise(markup: str) -> _Tokens:
    """Find all tags. Every `<` and every `>` is the edge of one, but for those inside comments, which are blanked."""
    encoded = bytearray(markup.encode("latin-1", "replace"))
    encoded.extend(bytes(MAX_NAME_LENGTH))
    letters = np.frombuffer(encoded, np.uint8)
    opens = np.flatnonzero(letters == ord("<"))
    _blank_comments(markup, letters, opens)
    opens, closes = opens[letters[opens] == ord("<")], np.flatnonzero(letters == ord(">"))
    follows = letters[opens + 1]
    is_end = follows == ord("/")
    is_start = ~is_end & (follows != ord("!")) & (follows != ord("?"))
    return _Tokens(letters, opens, closes, is_start, is_end, is_start & (letters[closes - 1] == ord("/")))


def _blank_comments(markup: str, letters: Letters, opens: Places) -> None:
    follows = letters[opens + 1]
    end = 0
    for start in opens[(follows == ord("!")) | (follows == ord("?"))].tolist():
        if start >= end:
            closing = "-->" if markup.startswith("<!--", start) else "?>" if markup[start + 1] == "?" else ">"
            end = markup.index(closing, start + len(closing) + 1) + len(closing)
            letters[start + 2 : end - 1] = 0


def _name_ends(markup: str, tokens: _Tokens) -> Places:
    """Return where the name of each start tag ends."""
    starts = tokens.opens[tokens.is_start] + 1
    letters = _next_letters(tokens.letters, starts)
    lengths = ((letters == ord(" ")) | (letters == ord("/")) | (letters == ord(">"))).argmax(axis=1)
    ends: Places = starts + lengths
    for i in np.flatnonzero(lengths == 0).tolist():  # the end is not among the letters
        ends[i] = next(_NAME_END.finditer(markup, starts[i])).start()
    return ends


def _tag_numbers(markup: str, tokens: _Tokens, ends: Places) -> tuple[Ints, tuple[str, ...]]:
    """Return the number of each start tag, and the names that are not in `tags.TAGS`."""
    starts = tokens.opens[tokens.is_start] + 1
    numbers = _TAG_NAMES.numbers(tokens.letters, starts, ends)
    new_names: dict[str, int] = {}
    for i in np.flatnonzero(numbers == 0).tolist():
        name = markup[starts[i] : ends[i]]
        numbers[i] = tags.TAG.get(name) or new_names.setdefault(name, len(tags.TAGS) + len(new_names))
    return numbers, tuple(new_names)


_TAG_NAMES, _ATTRIBUTE_NAMES = Names(tags.TAG), Names(tags.ATTRIBUTE)


@dataclass(slots=True)
class _Attributes:
    """The attributes of all start tags, in document order."""

    markup: str
    table: Ints
    owners: Places
    """The start tag of each attribute."""
    offsets: Places
    """Where the attributes of each start tag begin in the table."""
    max_per_tag: int
    """The largest number of attributes of one tag, before the limit."""

    def having(self, number: int) -> Places:
        """Return the start tags that have an attribute."""
        owners: Places = self.owners[self.table[0] == number]
        return owners

    def values_of(self, number: int) -> list[tuple[int, str]]:
        """Return the start tags that have an attribute, each with its value."""
        _, _, starts, ends = self.table[:, self.table[0] == number].tolist()
        spans = zip(self.having(number).tolist(), starts, ends, strict=True)
        return [(owner, self.markup[start:end]) for owner, start, end in spans]


def _read_attributes(markup: str, tokens: _Tokens, name_ends: Places, max_attributes: int) -> _Attributes:
    """Read all attributes at once: in a tag every value stands between two quotes, and every name after a blank."""
    quotes = np.flatnonzero(tokens.letters == ord('"'))
    first = np.searchsorted(quotes, name_ends)
    counts = (np.searchsorted(quotes, tokens.closes[tokens.is_start]) - first) // 2
    max_per_tag = int(counts.max(initial=0))
    owners = np.repeat(np.arange(len(counts)), counts)
    offsets = _running_sum(counts)
    rank = np.arange(len(owners)) - offsets[owners]
    opening = first[owners] + 2 * rank
    values, ends = quotes[opening] + 1, quotes[opening + 1]
    names = np.append(0, ends[:-1] + 2)[: len(ends)]
    names[rank == 0] = name_ends[counts > 0] + 1
    if max_per_tag > max_attributes:
        is_read = rank < max_attributes
        owners, names, values, ends = owners[is_read], names[is_read], values[is_read], ends[is_read]
        offsets = _running_sum(np.minimum(counts, max_attributes))
    numbers = _ATTRIBUTE_NAMES.numbers(tokens.letters, names, values - 2)
    return _Attributes(markup, np.array((numbers, names, values, ends), np.int32), owners, offsets, max_per_tag)


class _Elements:
    """The elements, numbered by their start tags, and what follows from tags and attributes alone."""

    def __init__(self, tokens: _Tokens, tag: Ints, attributes: _Attributes, max_depth: int) -> None:
        self.tag, self.max_depth = tag, max_depth
        self.behaviour = np.append(_BEHAVIOUR, 0)[np.minimum(tag, len(_BEHAVIOUR))]
        self.start = np.flatnonzero(tokens.is_start)  # the token that opens it
        # how many elements are open after each token, and on which level each element stands, 1 for the root
        self.depth_after = np.cumsum(tokens.is_start.astype(np.int64) - tokens.is_end - tokens.is_closed)
        self.level = self.depth_after[self.start] + tokens.is_closed[self.start]
        self.end = self._matching_ends(tokens)
        self._order = _by_level(self.level)
        self._keys = self._key(self.level, self.start)[self._order]
        self._classify(attributes)

    def _matching_ends(self, tokens: _Tokens) -> Places:
        """Return the token that closes each element: on one level, starts and ends alternate."""
        ends = np.flatnonzero(tokens.is_end | tokens.is_closed)
        matching = np.empty_like(self.start)
        matching[_by_level(self.level)] = ends[_by_level(self.depth_after[ends])]
        return matching

    def _key(self, level: Places, token: Places) -> Places:
        return level * (len(self.depth_after) + 1) + token

    def enclosing(self, tokens: Places, levels: Places) -> Places:
        """Return the element that is open on a level after a token: the last that began there; -1 on level 0."""
        places = np.searchsorted(self._keys, self._key(levels, tokens), side="right") - 1
        return np.where(levels > 0, np.append(self._order, -1)[places], -1)

    def _classify(self, attributes: _Attributes) -> None:
        """Find what hides, links or breaks lines by its own tag and attributes, and where on the page that applies."""
        hidden, veiled = np.zeros((2, len(self.tag)), np.int32)
        is_open, is_linked = np.zeros((2, len(self.tag)), np.bool_)
        is_linked[attributes.having(_HREF)] = True
        self.is_block = self.has_behaviour(tags.BLOCK)
        for element, style in attributes.values_of(_STYLE):
            lowered = style.lower()  # checked first, since case-insensitive expressions are slow
            if "display" in lowered or "visibility" in lowered:
                hidden[element] = tags.BY_STYLE if _HIDING_STYLE.search(style) else 0
                self.is_block[element] |= _BLOCK_STYLE.search(style) is not None
        hidden[attributes.having(_HIDDEN)] = tags.BY_ATTRIBUTE
        veiled[[element for element, value in attributes.values_of(_ARIA) if value == "true"]] = tags.BY_ARIA
        is_open[attributes.having(_OPEN)] = True
        hidden[self.has_behaviour(tags.DIALOG) & ~is_open] = tags.BY_DIALOG
        hidden[self.has_behaviour(tags.FALLBACK)] = tags.BY_FALLBACK
        hidden[self.has_behaviour(tags.SCRIPTLESS)] = tags.BY_NOSCRIPT
        self.closed_details = np.append(self.has_behaviour(tags.DETAILS) & ~is_open, False)
        self.parent = self.enclosing(self.start - 1, self.level - 1)
        veiled[self.closed_details[self.parent] & ~self.has_behaviour(tags.SUMMARY)] = tags.BY_DETAILS
        self.own_hidden, self.own_veiled = hidden, veiled
        self.hidden, self.veiled = _Cover(self, hidden > 0), _Cover(self, veiled > 0)
        self.silent = _Cover(self, self.has_behaviour(tags.SILENT))
        self.block = _Cover(self, self.is_block)
        self.inherited = (
            (c.IN_LINK, _Cover(self, self.has_behaviour(tags.LINK) & is_linked)),
            (c.IN_PRE, _Cover(self, self.has_behaviour(tags.PRE))),
            (c.UNREACHABLE, _Cover(self, self.has_behaviour(tags.OPAQUE) | (self.level > self.max_depth))),
        )

    def has_behaviour(self, bit: int) -> Bools:
        """Return which elements have a tag with this bit of `tags.BEHAVIOUR`."""
        is_set: Bools = (self.behaviour & bit) != 0
        return is_set

    def flags_after(self, tokens: Places) -> Ints:
        """Return the flags that a text after each of these tokens inherits from the elements that are open there."""
        hidden, veiled = self.hidden_after(tokens)
        return np.where(hidden, hidden, veiled) << c.HIDDEN_SHIFT | self._inherited_after(tokens)

    def hidden_after(self, tokens: Places) -> tuple[Ints, Ints]:
        """Return why a text after each of these tokens is hidden, and why it is veiled: the outermost reasons."""
        return self.hidden.outermost(tokens, self.own_hidden), self.veiled.outermost(tokens, self.own_veiled)

    def _inherited_after(self, tokens: Places) -> Ints:
        flags = np.zeros(len(tokens), np.int32)
        for bit, cover in self.inherited:
            if len(cover.which):
                flags[cover.after(tokens)] |= bit
        return flags

    def flags(self) -> Ints:
        """Return the flags of the elements themselves."""
        around, veiled = self.hidden_after(self.start - 1)
        hidden = around
        for reason in (self.own_hidden, veiled, self.own_veiled):
            hidden = np.where(hidden, hidden, reason)
        flags: Ints = hidden << c.HIDDEN_SHIFT | self._inherited_after(self.start - 1)
        flags[self.is_block] |= c.IS_BLOCK
        for bit, cover in self.inherited:
            flags[cover.which] |= bit
        return flags


class _Cover:
    """A subset of the elements, and where on the page one of them is open."""

    def __init__(self, elements: _Elements, chosen: Bools) -> None:
        self.which = np.flatnonzero(chosen)
        self.starts = elements.start[self.which]
        self.size = len(elements.depth_after) + 1
        self.ends = elements.end[self.which]
        self.open = np.zeros(self.size, np.int64)  # after each token, with a place in front for what is before them
        if len(self.which):
            self.open[self.starts + 1] = 1
            self.open[self.ends + 1] -= 1
            np.cumsum(self.open, out=self.open)

    def count_after(self, tokens: Places) -> Places:
        """Return how many elements of the subset are open after each token."""
        return self.open[tokens + 1]

    def after(self, tokens: Places) -> Bools:
        """Return whether an element of the subset is open after each token."""
        return self.count_after(tokens) > 0

    def depths(self) -> Places:
        """Return how many other elements of the subset enclose each of them."""
        return self.count_after(self.starts - 1)

    def outermost(self, tokens: Places, code: Ints) -> Ints:
        """Return the code of the outermost element that is open after each token; 0 where none is."""
        if len(self.which) == 0:
            return np.zeros(len(tokens), np.int32)
        outer = self.depths() == 0
        last = np.searchsorted(self.starts[outer], tokens, side="right") - 1
        return np.where(self.after(tokens), code[self.which[outer]][last], 0)

    def innermost(self, tokens: Places) -> Places:
        """Return the innermost element that is open after each token; -1 where none is."""
        depths = self.depths()
        order = _by_level(depths)
        keys = depths[order] * self.size + self.starts[order]
        levels = self.count_after(tokens) - 1
        places = np.searchsorted(keys, levels * self.size + tokens, side="right") - 1
        return np.where(levels >= 0, np.append(self.which[order], -1)[places], -1)

    def edges(self) -> Places:
        """Return how many starts and ends of the subset there are up to and including each token."""
        edges = np.zeros(self.size, np.int64)
        edges[self.starts + 1] = 1
        edges[self.ends + 1] += 1
        return np.cumsum(edges)[1:]


def _by_level(levels: Places) -> Places:
    """Sort by level, each level in document order. A small integer type makes the sort faster."""
    return np.argsort(levels.astype(np.min_scalar_type(int(levels.max(initial=0)))), kind="stable")


@dataclass(slots=True)
class _Texts:
    """The texts that become nodes."""

    token: Places
    """The tag that each text follows."""
    parent: Places
    """The element that each text is in."""
    content: list[str]
    gap: Ints
    """What separates each text from the one before: one of the four gaps."""
    flags: Ints


def _read_texts(markup: str, tokens: _Tokens, elements: _Elements) -> _Texts:
    """Collapse the white space of the texts, and find the gaps between them."""
    starts, stops = tokens.closes + 1, np.append(tokens.opens[1:], len(markup))[: len(tokens.closes)]
    token = np.flatnonzero((stops > starts) & (elements.silent.open[1:] == 0))
    starts, stops = starts[token], stops[token]
    is_pre = elements.inherited[1][1].after(token)
    leads, trails = _has_space_around(markup, tokens, starts, stops) & ~is_pre
    edges = np.stack((starts, stops), axis=1).ravel()
    is_solid = np.maximum.reduceat(tokens.letters, edges)[::2] > ord(" ") if len(edges) else is_pre
    chosen = np.flatnonzero(is_solid | is_pre)
    content = _contents(markup, tokens, starts[chosen], stops[chosen], is_pre[chosen])
    written = chosen[np.fromiter(map(bool, content), np.bool_, len(content))]
    blanks, trails, token = np.cumsum(leads)[written], trails[written], token[written]
    gap = _gaps(elements, token, blanks, trails)
    parent = elements.enclosing(token, elements.depth_after[token])
    flags = elements.flags_after(token)
    flags[elements.closed_details[parent] & ((flags & c.HIDDEN_BITS) == 0)] |= tags.BY_DETAILS << c.HIDDEN_SHIFT
    flags[gap == _BLOCK] |= c.STARTS_BLOCK
    return _Texts(token, parent, [*filter(None, content)], gap, flags)


def _contents(markup: str, tokens: _Tokens, starts: Places, stops: Places, is_pre: Bools) -> list[str]:
    """Return the texts between these places, escapes undone and white space collapsed."""
    texts = [markup[start:stop] for start, stop in zip(starts.tolist(), stops.tolist(), strict=True)]
    if (tokens.letters - 0x7F < 0x21).any():  # controls: what is less than the first of them wraps round
        texts = [CONTROL.sub(" ", text) for text in texts]
    texts = [unescape(text) if "&" in text else text for text in texts]
    content = [" ".join(text.split()) for text in texts]
    for i in np.flatnonzero(is_pre).tolist():
        content[i] = texts[i].replace("\r", "\n")
    return content


def _has_space_around(markup: str, tokens: _Tokens, starts: Places, stops: Places) -> Bools:
    """Return two rows: whether each text begins with white space, and whether it ends with it."""
    has_space = np.stack((_is_space(markup, tokens, starts), _is_space(markup, tokens, stops - 1)))
    for i in np.flatnonzero(tokens.letters[starts] == ord("&")).tolist():
        has_space[0, i] = markup.startswith(_ESCAPED_SPACE, starts[i])
    for i in np.flatnonzero(tokens.letters[stops - 1] == ord(";")).tolist():
        has_space[1, i] = markup.endswith(_ESCAPED_SPACE, starts[i], stops[i])
    return has_space


def _gaps(elements: _Elements, token: Places, blanks: Places, trails: Bools) -> Ints:
    """A block edge or two line breaks begin a block, one break a line, white space of any kind is a blank."""
    breaks = np.searchsorted(elements.start[elements.has_behaviour(tags.BREAK)], token, side="right")
    if len(token) == 0:
        return np.zeros(0, np.int32)
    gap = np.full(len(token), _NO_GAP, np.int32)
    breaks_between = np.diff(breaks)
    gap[1:][(np.diff(blanks) > 0) | trails[:-1]] = _SPACE
    gap[1:][breaks_between > 0] = _LINE
    gap[1:][(breaks_between > 1) | (np.diff(elements.block.edges()[token]) > 0)] = _BLOCK
    gap[0] = _BLOCK
    return gap


def _merge(elements: _Elements, texts: _Texts, offsets: Places) -> tuple[Ints, str]:
    """Merge elements and texts in document order: (nodes, text)."""
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
    container = np.where(elements.is_block, element_row, row_of[elements.block.innermost(elements.start - 1)])

    nodes = np.zeros((c.COLUMNS, len(element_row) + len(text_row)), np.int32)
    parent = elements.enclosing(elements.start - 1, level) if is_deep.any() else elements.parent
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
    nodes[c.CONTAINER, element_row] = container

    depth = np.minimum(elements.depth_after[texts.token], elements.max_depth)
    text_parent = elements.enclosing(texts.token, depth) if is_deep.any() else texts.parent
    nodes[c.PARENT, text_row] = row_of[text_parent]
    nodes[c.END, text_row] = text_row + 1
    nodes[c.DEPTH, text_row] = depth
    nodes[c.TEXT_START, text_row] = text_start
    nodes[c.TEXT_END, text_row] = text_end
    nodes[[c.ATTR_START, c.ATTR_END], text_row[:, None]] = offsets[begun][:, None]
    nodes[c.FLAGS, text_row] = texts.flags
    words = _word_starts(text)
    nodes[c.WORDS, text_row] = np.searchsorted(words, text_end) - np.searchsorted(words, text_start)
    nodes[c.CONTAINER, text_row] = np.append(container, -1)[texts.parent]
    return nodes, text


def _join(texts: _Texts) -> tuple[str, Places, Places]:
    """Join the texts; return the result, and where each text begins and ends in it."""
    has_gap = texts.gap != _NO_GAP
    has_gap[:1] = False
    lengths = np.fromiter(map(len, texts.content), np.int64, len(texts.content))
    ends = np.cumsum(lengths + has_gap)
    parts = [""] * (2 * len(lengths))
    parts[::2], parts[1::2] = _GAPS[texts.gap * has_gap].tolist(), texts.content
    return "".join(parts), ends - lengths, ends


def _word_starts(text: str) -> Places:
    """Return where words begin; a word that runs over two texts belongs to the first."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    highest = codes.max(initial=0)
    is_word = _word_table()[np.minimum(codes, 0xFFFF)]
    for place in np.flatnonzero(codes > 0xFFFF).tolist() if highest > 0xFFFF else ():
        is_word[place] = text[place].isalnum()
    begins = is_word.copy()
    begins[1:] &= ~is_word[:-1]
    if highest >= UNSPACED_RANGES[0][0]:
        alone = _unspaced_places(codes)
        after = alone[alone < len(codes) - 1] + 1
        begins[alone], begins[after] = is_word[alone], is_word[after]
    return np.flatnonzero(begins)


def _unspaced_places(codes: npt.NDArray[np.uint32]) -> Places:
    high = np.flatnonzero(codes >= UNSPACED_RANGES[0][0])
    is_unspaced = np.zeros(len(high), np.bool_)
    for first, last in UNSPACED_RANGES:
        is_unspaced |= (codes[high] >= first) & (codes[high] <= last)
    return high[is_unspaced]


@cache
def _word_table() -> Bools:
    return np.array([word_pattern().match(chr(code)) is not None for code in range(0x10000)], np.bool_)


_IS_SPACE = np.array([CONTROL.sub(" ", chr(code)).isspace() for code in range(256)], np.bool_)


def _is_space(markup: str, tokens: _Tokens, places: Places) -> Bools:
    is_space: Bools = _IS_SPACE[tokens.letters[places]]
    for i in np.flatnonzero(tokens.letters[places] == ord("?")).tolist():  # it may replace a wide space
        is_space[i] = markup[places[i]].isspace()
    return is_space


def _running_sum(column: npt.ArrayLike) -> Places:
    """Return the sums up to each place, so that the sum over a range is one subtraction."""
    counts = np.asarray(column)
    sums = np.zeros(len(counts) + 1, np.int64)
    np.cumsum(counts, out=sums[1:])
    return sums


def _cut(nodes: Ints) -> Ints:
    """Join the text nodes to blocks: int32, one row for each of the block columns, one column per block."""
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


def places_of(column: Ints, number: int) -> list[int]:
    """Return the places where a column has this number."""
    return np.flatnonzero(column == number).tolist()
