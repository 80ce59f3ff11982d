"""A look at the bytes before the parser sees them, in pure Python; the kernel has the same function."""

import codecs
import re

from pagestrata.page import columns as c
from pagestrata.page import tags

_TAG = re.compile(rb"<(/?[A-Za-z][^\t\n\f\r /><]*)")
_TAG_OR_TAGS = re.compile(rb"<(/?[A-Za-z][^\t\n\f\r />]*)")
_PLAIN_NAME = re.compile(rb"/?[A-Za-z0-9:_.-]+")
_FORMATTING = frozenset(name.encode() for name in tags.FORMATTING)
_RAW = (b"script", b"style")
_SIGNS = {b"template": c.TEMPLATES, b"math": c.MATHS}


def survey(data: bytes, tag_budget: int, rebuild_budget: int) -> tuple[int, int, int, int]:
    """Count what would cost the parser too much, and note what needs care: (tags, cut, dissolve, signs).

    `cut` is the offset of the first tag past the budget, `dissolve` the offset from which formatting tags left open
    would be rebuilt more often than the budget allows; both are -1 when all is well. `signs` are bits of `columns`, of
    tags outside of scripts and styles. For the budgets everything that looks like a tag counts, in scripts too: a page
    must not be able to hide.
    """
    names = _names(data)
    cut = -1 if len(names) <= tag_budget else _offset_of_tag(data, tag_budget)
    dissolve = _dissolve_offset(data, rebuild_budget) if _may_be_rebuilt(names) else -1
    return len(names), cut, dissolve, _signs(names)


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


def _offset_of_tag(data: bytes, number: int) -> int:
    return next(match.start() for i, match in enumerate(_TAG.finditer(data)) if i == number)


def _names(data: bytes) -> list[bytes]:
    """The names of all tags, with a slash before those that close."""
    names = _TAG_OR_TAGS.findall(data)
    if any(b"<" in name for name in set(names)):
        return [_whole_name(data, match) for match in _TAG.finditer(data)]
    return names


def _whole_name(data: bytes, match: re.Match[bytes]) -> bytes:
    """A `<` right after the name of a start tag is part of it."""
    is_joined = data[match.end() : match.end() + 1] == b"<" and not match[1].startswith(b"/")
    return match[1] + b"<" if is_joined else match[1]


def _signs(names: list[bytes]) -> int:
    odd = {name for name in set(names) if not _PLAIN_NAME.fullmatch(name)}
    telling = odd.union(name for name in set(names) if name.lower().lstrip(b"/") in (*_RAW, *_SIGNS))
    signs = 0
    raw = b""
    for name in [name.lower() for name in names if name in telling]:
        if name.startswith(b"/"):
            raw = b"" if name[1:] == raw else raw
        elif not raw:
            raw = name if name in _RAW else b""
            signs |= 0 if raw else _SIGNS.get(name, c.ODD_NAMES)
    return signs


def _may_be_rebuilt(names: list[bytes]) -> bool:
    """Whether more formatting tags than are harmless could be open at once; quick, and never wrong to say yes."""
    formatting = {name: name.lower() for name in set(names) if name.lower().lstrip(b"/") in _FORMATTING}
    opened = dict.fromkeys(_FORMATTING, 0)
    total = most = 0
    for name in [formatting[name] for name in names if name in formatting]:
        if not name.startswith(b"/"):
            opened[name] += 1
            total += 1
            most = max(most, total)
        elif opened[name[1:]]:
            opened[name[1:]] -= 1
            total -= 1
    return most > c.HARMLESS_OPEN


def _dissolve_offset(data: bytes, rebuild_budget: int) -> int:
    """Follow the parser's list of open formatting elements, and say where rebuilding it gets too dear.

    Every other tag may make the parser open them all again. As in the standard, no more than three alike are open.
    """
    opened: list[tuple[bytes, bytes]] = []
    rebuilt = 0
    for match in _TAG.finditer(data):
        name = _whole_name(data, match).lower()
        if name.lstrip(b"/") not in _FORMATTING:
            rebuilt += max(0, len(opened) - c.HARMLESS_OPEN)
        elif name.startswith(b"/"):
            _close(opened, name[1:])
        else:
            _open(opened, name, _tag_key(data, match.start()))
        if rebuilt > rebuild_budget or len(opened) > c.MOST_OPEN:
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
    window = data[start : start + c.TAG_KEY_BYTES]
    end = window.find(b">")
    return window if end < 0 else window[:end]
