"""Survey the bytes of a page before the parser reads them, in pure Python; the kernel has the same functions."""

import codecs
import re
from dataclasses import dataclass

import numpy as np

from pagestrata.page import columns as c
from pagestrata.page import tags
from pagestrata.page._names import MASKS, MAX_NAME_LENGTH, Bools, Ints, Letters, Places, next_letters

_PLAIN_NAME = re.compile(rb"[A-Za-z0-9:_.-]+")
_NAME_END = re.compile(rb"[\t\n\f\r /><]|\Z")
_FORMATTING = len(tags.FORMATTING)
_SCRIPT, _STYLE, _TEMPLATE, _MATH, _IFRAME, _NOSCRIPT, _ODD = range(_FORMATTING + 1, _FORMATTING + 8)
_WATCHED_TAGS = (*tags.FORMATTING, "script", "style", "template", "math", "iframe", "noscript")
_PACKED = np.array([name.encode() for name in _WATCHED_TAGS], "S8").view(np.uint64)
_WATCHED_NUMBERS = np.argsort(_PACKED) + 1
_WATCHED_NAMES = np.sort(_PACKED)
_NAME_WINDOW = 9  # letters of the longest watched tag, and the character after it
_LOWER = np.uint64(0x2020202020202020)
_SIGN_OF_TAG = {_TEMPLATE: c.TEMPLATES, _MATH: c.MATHS, _ODD: c.ODD_NAMES}
_PLAIN, _UNUSUAL, _ENDS_NAME = range(3)
_KIND_OF_BYTE = np.full(256, _UNUSUAL, np.uint8)
_KIND_OF_BYTE[[*b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789:_.-"]] = _PLAIN
_KIND_OF_BYTE[[*b"\t\n\f\r /><"]] = _ENDS_NAME


def survey(data: bytes, tag_budget: int, rebuild_budget: int) -> tuple[int, int, int, int]:
    """Count what would cost the parser too much, and note what needs care: (tags, cut, dissolve, signs).

    `cut` is the offset of the first tag past the budget, `dissolve` the offset from which formatting tags left open
    would be rebuilt more often than the budget allows; both are -1 within the budgets. `signs` are bits of `columns`
    for tags outside scripts and styles. Everything that looks like a tag counts for the budgets, in scripts too, so
    that a page cannot evade them.
    """
    candidates = _find_tags(data)
    cut = int(candidates.opens[tag_budget]) if len(candidates.opens) > tag_budget else -1
    dissolve = _dissolve_offset(data, candidates, rebuild_budget) if _may_be_rebuilt(candidates) else -1
    return len(candidates.opens), cut, dissolve, _signs(candidates)


@dataclass(slots=True)
class _Tags:
    """Everything that looks like a tag, in document order."""

    opens: Places
    """The offset of each `<`."""
    closing: Bools
    number: Ints
    """The number of a watched tag, from 1 on; 0 for all others."""


def _find_tags(data: bytes) -> _Tags:
    letters = np.frombuffer(data + b">" * MAX_NAME_LENGTH, np.uint8)
    opens = np.flatnonzero(letters == ord("<"))
    closing = letters[opens + 1] == ord("/")
    names = opens + 1 + closing
    first = letters[names] | 32
    is_tag = (first >= ord("a")) & (first <= ord("z"))
    opens, closing, names = opens[is_tag], closing[is_tag], names[is_tag]
    rows = next_letters(letters, names)
    kinds = _KIND_OF_BYTE[rows[:, :_NAME_WINDOW]]
    lengths = (kinds != _PLAIN).argmax(axis=1)
    is_unusual = kinds[np.arange(len(kinds)), lengths] == _UNUSUAL
    number = _watched_numbers(rows, lengths)
    ends = names + lengths
    for i in np.flatnonzero(lengths == 0).tolist():  # the end is outside the window
        ends[i] = next(_NAME_END.finditer(data, names[i])).start()
        is_unusual[i] = not _PLAIN_NAME.fullmatch(data, names[i], ends[i])
    is_joined = ~closing & (letters[ends] == ord("<"))  # it is part of the name
    number[is_joined | is_unusual] = _ODD
    return _Tags(opens, closing, number)


def _watched_numbers(rows: Letters, lengths: Places) -> Ints:
    """Return the numbers of the watched tags that these rows begin with, in any case; 0 for all others."""
    packed = (np.ascontiguousarray(rows.view(np.uint64)[:, 0]) | _LOWER) & MASKS[lengths, 0]
    places = np.minimum(np.searchsorted(_WATCHED_NAMES, packed), len(_WATCHED_NAMES) - 1)
    return np.where(_WATCHED_NAMES[places] == packed, _WATCHED_NUMBERS[places], 0).astype(np.int32)


def is_utf8(data: bytes) -> bool:
    """Return whether the bytes are UTF-8; a character that is cut off at the end is ignored."""
    try:
        codecs.utf_8_decode(data, "strict", False)
    except UnicodeDecodeError:
        return False
    # Python waits for the third byte of a surrogate, though none can make it valid.
    return not (data[-2:-1] == b"\xed" and data[-1:] >= b"\xa0")


def decode_utf8(data: bytes) -> str | None:
    """Return the text, or None if the bytes are not UTF-8."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return None


def _signs(candidates: _Tags) -> int:
    chosen = np.flatnonzero(candidates.number > _FORMATTING)
    signs = raw = 0
    for number, closing in zip(candidates.number[chosen].tolist(), candidates.closing[chosen].tolist(), strict=True):
        if closing:
            raw = 0 if number == raw else raw
        elif not raw:
            raw = number if number in (_SCRIPT, _STYLE) else 0
            signs |= _SIGN_OF_TAG.get(number, 0)
    return signs | c.OPEN_FRAMES if _leaves_frames_open(candidates) else signs


def _leaves_frames_open(candidates: _Tags) -> bool:
    opened = (candidates.number[:-1] == _IFRAME) & ~candidates.closing[:-1]
    return bool((opened & (candidates.number[1:] == _NOSCRIPT) & candidates.closing[1:]).any())


def _may_be_rebuilt(candidates: _Tags) -> bool:
    """Whether more formatting tags than are harmless may be open at once; a fast upper bound."""
    chosen = np.flatnonzero((candidates.number > 0) & (candidates.number <= _FORMATTING))
    opened = [0] * (_FORMATTING + 1)
    total = max_open = 0
    for number, closing in zip(candidates.number[chosen].tolist(), candidates.closing[chosen].tolist(), strict=True):
        if not closing:
            opened[number] += 1
            total += 1
            max_open = max(max_open, total)
        elif opened[number]:
            opened[number] -= 1
            total -= 1
    return max_open > c.HARMLESS_OPEN


def _dissolve_offset(data: bytes, candidates: _Tags, rebuild_budget: int) -> int:
    """Follow the parser's list of open formatting elements, and return where rebuilding it exceeds the budget.

    Every other tag may make the parser open them all again. As in the standard, no more than three copies are open.
    """
    opened: list[tuple[int, bytes]] = []
    rebuilt = 0
    columns = (candidates.opens.tolist(), candidates.closing.tolist(), candidates.number.tolist())
    for start, closing, number in zip(*columns, strict=True):
        if not 0 < number <= _FORMATTING:
            rebuilt += max(0, len(opened) - c.HARMLESS_OPEN)
        elif closing:
            _close(opened, number)
        else:
            _open(opened, number, _tag_key(data, start))
        if rebuilt > rebuild_budget or len(opened) > c.MOST_OPEN:
            return int(start)
    return -1


def _open(opened: list[tuple[int, bytes]], name: int, key: bytes) -> None:
    copies = [place for place, entry in enumerate(opened) if entry == (name, key)]
    if len(copies) == 3:
        del opened[copies[0]]
    opened.append((name, key))


def _close(opened: list[tuple[int, bytes]], name: int) -> None:
    for place in range(len(opened) - 1, -1, -1):
        if opened[place][0] == name:
            del opened[place]
            return


def _tag_key(data: bytes, start: int) -> bytes:
    window = data[start : start + c.TAG_KEY_BYTES]
    end = window.find(b">")
    return window if end < 0 else window[:end]
