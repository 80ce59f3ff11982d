"""A look at the bytes before the parser sees them, in pure Python; the kernel has the same function."""

import codecs
import re
from dataclasses import dataclass

import numpy as np

from pagestrata.page import columns as c
from pagestrata.page import tags
from pagestrata.page._names import MASKS, SHORT, Bools, Ints, Letters, Places, next_letters

_PLAIN_NAME = re.compile(rb"[A-Za-z0-9:_.-]+")
_NAME_END = re.compile(rb"[\t\n\f\r /><]|\Z")
_FORMATTING = len(tags.FORMATTING)
_SCRIPT, _STYLE, _TEMPLATE, _MATH, _IFRAME, _NOSCRIPT, _ODD = range(_FORMATTING + 1, _FORMATTING + 8)
_TELLING_TAGS = (*tags.FORMATTING, "script", "style", "template", "math", "iframe", "noscript")
_SPELLED = np.array([name.encode() for name in _TELLING_TAGS], "S8").view(np.uint64)
_TELLING_NUMBERS = np.argsort(_SPELLED) + 1
_TELLING_NAMES = np.sort(_SPELLED)
_MOST_TELLING = 9  # letters: the longest of them, and what ends it
_LOWER = np.uint64(0x2020202020202020)
_SIGNS = {_TEMPLATE: c.TEMPLATES, _MATH: c.MATHS, _ODD: c.ODD_NAMES}
_PLAIN, _UNUSUAL, _ENDS_NAME = range(3)
_IN_NAME = np.full(256, _UNUSUAL, np.uint8)
_IN_NAME[[*b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789:_.-"]] = _PLAIN
_IN_NAME[[*b"\t\n\f\r /><"]] = _ENDS_NAME


def survey(data: bytes, tag_budget: int, rebuild_budget: int) -> tuple[int, int, int, int]:
    """Count what would cost the parser too much, and note what needs care: (tags, cut, dissolve, signs).

    `cut` is the offset of the first tag past the budget, `dissolve` the offset from which formatting tags left open
    would be rebuilt more often than the budget allows; both are -1 when all is well. `signs` are bits of `columns`, of
    tags outside of scripts and styles. For the budgets everything that looks like a tag counts, in scripts too: a page
    must not be able to hide.
    """
    found = _find_tags(data)
    cut = int(found.opens[tag_budget]) if len(found.opens) > tag_budget else -1
    dissolve = _dissolve_offset(data, found, rebuild_budget) if _may_be_rebuilt(found) else -1
    return len(found.opens), cut, dissolve, _signs(found)


@dataclass(slots=True)
class _Tags:
    """All that looks like a tag."""

    opens: Places
    """Where each begins."""
    closing: Bools
    number: Ints
    """Which of those that tell something it is; 0 for the others."""


def _find_tags(data: bytes) -> _Tags:
    letters = np.frombuffer(data + b">" * SHORT, np.uint8)
    opens = np.flatnonzero(letters == ord("<"))
    closing = letters[opens + 1] == ord("/")
    names = opens + 1 + closing
    first = letters[names] | 32
    is_tag = (first >= ord("a")) & (first <= ord("z"))
    opens, closing, names = opens[is_tag], closing[is_tag], names[is_tag]
    rows = next_letters(letters, names)
    kinds = _IN_NAME[rows[:, :_MOST_TELLING]]
    lengths = (kinds != _PLAIN).argmax(axis=1)
    is_odd = kinds[np.arange(len(kinds)), lengths] == _UNUSUAL
    number = _telling_numbers(rows, lengths)
    ends = names + lengths
    for i in np.flatnonzero(lengths == 0).tolist():  # the end is not in sight
        ends[i] = next(_NAME_END.finditer(data, names[i])).start()
        is_odd[i] = not _PLAIN_NAME.fullmatch(data, names[i], ends[i])
    is_joined = ~closing & (letters[ends] == ord("<"))  # it is part of the name
    number[is_joined | is_odd] = _ODD
    return _Tags(opens, closing, number)


def _telling_numbers(rows: Letters, lengths: Places) -> Ints:
    """The numbers of the names that begin these rows, letters in any case."""
    spelled = (np.ascontiguousarray(rows.view(np.uint64)[:, 0]) | _LOWER) & MASKS[lengths, 0]
    places = np.minimum(np.searchsorted(_TELLING_NAMES, spelled), len(_TELLING_NAMES) - 1)
    return np.where(_TELLING_NAMES[places] == spelled, _TELLING_NUMBERS[places], 0).astype(np.int32)


def is_utf8(data: bytes) -> bool:
    """Whether all of it is UTF-8; a character cut off at the end does not count."""
    try:
        codecs.utf_8_decode(data, "strict", False)
    except UnicodeDecodeError:
        return False
    # Python waits for the third byte of a surrogate, though none can make it valid.
    return not (data[-2:-1] == b"\xed" and data[-1:] >= b"\xa0")


def decode_utf8(data: bytes) -> str | None:
    """The text, or None where not all of it is UTF-8."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return None


def _signs(found: _Tags) -> int:
    chosen = np.flatnonzero(found.number > _FORMATTING)
    signs = raw = 0
    for number, closing in zip(found.number[chosen].tolist(), found.closing[chosen].tolist(), strict=True):
        if closing:
            raw = 0 if number == raw else raw
        elif not raw:
            raw = number if number in (_SCRIPT, _STYLE) else 0
            signs |= _SIGNS.get(number, 0)
    return signs | c.OPEN_FRAMES if _leaves_frames_open(found) else signs


def _leaves_frames_open(found: _Tags) -> bool:
    opened = (found.number[:-1] == _IFRAME) & ~found.closing[:-1]
    return bool((opened & (found.number[1:] == _NOSCRIPT) & found.closing[1:]).any())


def _may_be_rebuilt(found: _Tags) -> bool:
    """Whether more formatting tags than are harmless could be open at once; quick, and never wrong to say yes."""
    chosen = np.flatnonzero((found.number > 0) & (found.number <= _FORMATTING))
    opened = [0] * (_FORMATTING + 1)
    total = most = 0
    for number, closing in zip(found.number[chosen].tolist(), found.closing[chosen].tolist(), strict=True):
        if not closing:
            opened[number] += 1
            total += 1
            most = max(most, total)
        elif opened[number]:
            opened[number] -= 1
            total -= 1
    return most > c.HARMLESS_OPEN


def _dissolve_offset(data: bytes, found: _Tags, rebuild_budget: int) -> int:
    """Follow the parser's list of open formatting elements, and say where rebuilding it gets too dear.

    Every other tag may make the parser open them all again. As in the standard, no more than three alike are open.
    """
    opened: list[tuple[int, bytes]] = []
    rebuilt = 0
    columns = (found.opens.tolist(), found.closing.tolist(), found.number.tolist())
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
    alike = [place for place, entry in enumerate(opened) if entry == (name, key)]
    if len(alike) == 3:
        del opened[alike[0]]
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
