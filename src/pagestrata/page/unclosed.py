"""Elements that their author left open and that hide the rest of the page: a `<title>` or `<video>` without its end.

A parser is right to take everything after such a tag as its content, but a reader wants the page. So where one of them
has swallowed much of a page, the source is read once more for what was left open, and each such element is closed
behind its own text: before the next tag that cannot be part of it. Pages that close what they open are never changed.
"""

import re
from typing import Final

import numpy as np

from pagestrata.page import columns, tags
from pagestrata.page.columns import Scan

_RAW: Final = ("title", "textarea", "iframe", "noembed", "noframes")
"""They have nothing but text in them, up to their end tag or to the end of the page."""
_HIDING: Final = tuple("button object select dialog video audio canvas datalist noscript template".split())
_EXCLUSIVE: Final = ("button", "select", "noscript")
"""They cannot be nested: a second start tag shows that the first is open."""
_PARTS: Final = "option|optgroup|source|track|param|embed"
"""Children that these elements have if they are well formed."""

SWALLOWED_SHARE: Final = 0.5
"""Share of a page's text in one element that hides it, from which the source is checked."""
MAX_CLOSED: Final = 100
"""Elements closed on one page. A page with more of them is made to waste time, not by mistake."""
_TAIL: Final = 16_384
"""Characters at the end of the stream that are looked at; twice what the end tags of 512 elements take."""

_RAW_END = re.compile(rf"</(?:{'|'.join(_RAW)})>|<template(?: [^<>]*)?/>")
_OTHER_END = re.compile(r"</[^<>]*>|<body(?: [^<>]*)?/>")
_TITLE_OF_ALL = re.compile(r"(?i)<title(?: [^>]*)?>[^<]*&lt;(?:/head|body)\b")
_IS_HIDING = np.zeros(len(tags.TAGS) + 1, np.bool_)
_IS_HIDING[[tags.TAG[name] for name in _HIDING]] = True

_TOKEN = re.compile(
    rb"(?is)<!--(?:.*?-->|.*)|<(script|style|xmp)\b(?:.*?</\1|.*)|<(/?)("
    + "|".join((*_RAW, *_HIDING)).encode()
    + rb")\b[^<>]*>"
)
_END_TAGS = {name: re.compile(rb"(?i)</" + name.encode() + rb"\b") for name in _RAW}
_HEAD_END = re.compile(rb"(?i)</head\b|<body\b")
_OWN_CONTENT = re.compile(rf"(?i)(?:[^<]+|</?(?:{_PARTS})\b[^<>]*>)*".encode())


def may_be_swallowed(markup: str, scan: Scan) -> bool:
    """Return whether an element that hides its content holds much of the page, or ends where the page ends."""
    head_end = max(0, markup.find("</head>"))
    if markup.find("&lt;", 0, head_end) >= 0 and _TITLE_OF_ALL.search(markup, 0, head_end):
        return True
    if _ends_with_raw(markup):
        return True
    nodes = scan.nodes
    hiding = _IS_HIDING.take(nodes[columns.TAG], mode="clip").nonzero()[0]
    if not len(hiding):
        return False
    lengths = nodes[columns.TEXT_END].take(hiding) - nodes[columns.TEXT_START].take(hiding)
    return bool(lengths.max() > SWALLOWED_SHARE * len(scan.text))


def _ends_with_raw(markup: str) -> bool:
    """Return whether nothing but end tags follows the end of a raw element or of a template."""
    end, first = len(markup), max(0, len(markup) - _TAIL)
    while (start := markup.rfind("<", first, end)) >= 0:
        if _RAW_END.fullmatch(markup, start, end):
            return True
        if not _OTHER_END.fullmatch(markup, start, end):
            return False
        end = start
    return False


def close_unclosed(data: bytes) -> tuple[bytes, tuple[str, ...]]:
    """Close what was left open; return the page, and the names of these elements in the order of the page.

    >>> close_unclosed(b"<title>Tea</head><p>Warm the <button>pot</button>.")
    (b'<title>Tea</title></head><p>Warm the <button>pot</button>.', ('title',))
    """
    places = sorted(_unclosed(data))[:MAX_CLOSED]
    pieces, last = [], 0
    for start, name in places:
        end = _OWN_CONTENT.match(data, start).end()  # type: ignore[union-attr]  # it matches nothing, at least
        pieces += [data[last:end], b"</" + name.encode() + b">"]
        last = end
    return b"".join([*pieces, data[last:]]), tuple(name for _, name in places)


def unclosed_warning(names: tuple[str, ...]) -> str:
    """Return the sentence that a page carries when elements of these names were closed.

    >>> unclosed_warning(("video", "button", "video"))
    '<video>, <button> without an end tag would hide the rest of the page: closed behind their own text'
    """
    unique = ", ".join(f"<{name}>" for name in dict.fromkeys(names))
    return f"{unique} without an end tag would hide the rest of the page: closed behind their own text"


def _unclosed(data: bytes) -> list[tuple[int, str]]:
    """Return where the content of each unclosed element starts, and its name."""
    unclosed: list[tuple[int, str]] = []
    opened: dict[str, list[int]] = {name: [] for name in (*_RAW, *_HIDING)}
    here = 0
    while token := _TOKEN.search(data, here):
        here = token.end()
        if token[3] is None:
            continue
        name = token[3].decode().lower()
        if token[2]:
            opened[name][-1:] = []
        elif name in _RAW and not opened[name] and (end := _raw_end(data, here, name)) is not None:
            here = end
        else:
            if name in _EXCLUSIVE and opened[name]:
                unclosed.append((opened[name].pop(), name))
            opened[name].append(here)
    return unclosed + [(start, name) for name, starts in opened.items() for start in starts]


def _raw_end(data: bytes, start: int, name: str) -> int | None:
    """Return where the text of a raw element ends, or None if it has no end; a title does not go beyond the head."""
    end = _END_TAGS[name].search(data, start)
    if end is None or (name == "title" and _HEAD_END.search(data, start, end.start())):
        return None
    return end.start()
