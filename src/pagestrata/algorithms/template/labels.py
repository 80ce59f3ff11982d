"""The labels of nodes: tags, names from classes and ids, and the numbers that signatures are made of."""

import re
from functools import lru_cache
from typing import Final
from zlib import crc32

import numpy as np

from pagestrata.native.template import LEFT_OUT, MEDIUM, OTHER, TEXT
from pagestrata.page import tags
from pagestrata.page.columns import unescape
from pagestrata.page.text import without_controls

MEDIA: Final = frozenset("img video audio embed object".split())
"""Tags that are content without any text."""
SKIPPED: Final = frozenset(
    name for name, does in zip(tags.TAGS, tags.BEHAVIOUR, strict=True) if does & tags.SILENT or name == "noscript"
)
"""Tags that are no content whatever is in them."""
LINES: Final = frozenset("p li h1 h2 h3 h4 h5 h6 td th tr dt dd option label figcaption caption summary a".split())
"""Tags that hold a line or a run of lines: links inside of them say nothing about the structure."""
INLINE: Final = frozenset(
    name for name, does in zip(tags.TAGS, tags.BEHAVIOUR, strict=True) if not does & tags.BLOCK and name != "img"
)
ROLE_OF_TAG: Final = np.array(
    [
        TEXT if name == "#text" else MEDIUM if name in MEDIA else LEFT_OUT if name in SKIPPED else OTHER
        for name in (*tags.TAGS, "")
    ],
    np.int32,
)
"""The role of each tag in the structure, by its number; the last entry is for tags without a number."""
_PLAIN_NAME = re.compile(r"[a-z][a-z0-9:_-]*\Z|#text\Z")
_FIRST_NAME = re.compile(r"\s*([A-Za-z_][A-Za-z_-]*)")
_DIGITS = str.maketrans("", "", "0123456789")
ODD: Final = "odd"
"""Replaces tags whose names cannot be written in an expression."""
KNOWN_TAGS: Final = tuple(name if _PLAIN_NAME.match(name) else ODD for name in tags.TAGS)


def plain_tags(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the tags of a page by number, as an expression can hold them."""
    odd = names[len(tags.TAGS) :]
    return (*KNOWN_TAGS, *(name if _PLAIN_NAME.match(name) else ODD for name in odd)) if odd else KNOWN_TAGS


def plain_value(raw: str) -> str:
    """Return the value of an attribute without character references and control characters."""
    return without_controls(unescape(raw))


@lru_cache(maxsize=4096)
def id_name(value: str) -> str:
    """Return the name that an id gives, or nothing.

    >>> id_name("main-2")
    '#main-'
    """
    match = _FIRST_NAME.match(value.translate(_DIGITS))
    return f"#{match[1]}" if match else ""


@lru_cache(maxsize=4096)
def class_name(value: str) -> str:
    """Return the name that a class gives, or nothing.

    >>> class_name("post wide"), class_name("42")
    ('.post', '')
    """
    match = _FIRST_NAME.match(value.translate(_DIGITS))
    return f".{match[1]}" if match else ""


@lru_cache(maxsize=65_536)
def shape_bit(parent: str, tag: str) -> int:
    """Return the bit for an element inside another; 0 for what is formatting only."""
    if tag in INLINE and (tag != "a" or parent in LINES or parent in INLINE):
        return 0
    return 1 << (crc32(f"{parent}>{tag}".encode()) & 63)


@lru_cache(maxsize=4096)
def number(text: str) -> int:
    """Return a number of 64 bits for a tag or name."""
    return (crc32(text.encode()) + 1) * 0xD6E8FEB86659FD93 & (2**64 - 1)
