"""What both scanners give back: the columns of the arrays, the bits of the flags, the spelling of the stream."""

from typing import Final, NamedTuple

import numpy as np

from pagestrata.page import tags

COLUMNS: Final = 11
(PARENT, END, DEPTH, TAG, TEXT_START, TEXT_END, ATTR_START, ATTR_END, FLAGS, WORDS, CONTAINER) = range(COLUMNS)

# Flags of a node; bits 8 to 11 hold the number in `tags.HIDDEN_BY`.
STARTS_BLOCK: Final = 1
IN_LINK: Final = 2
IN_PRE: Final = 4
IS_BLOCK: Final = 8
UNREACHABLE: Final = 16
"""No path leads here in the page as a browser has it: inside a shadow root, or below the depth we keep."""
HIDDEN_SHIFT: Final = 8
HIDDEN_BITS: Final = 15 << HIDDEN_SHIFT
REASONS: Final = 16
"""Why something is hidden takes four bits."""
IS_UNSEEN: Final = np.isin(np.arange(REASONS), tags.UNSEEN)
"""Whether a browser shows nothing of what is hidden for each of the reasons."""

BLOCK_COLUMNS: Final = 9
(
    NODE_START,
    NODE_END,
    BLOCK_CONTAINER,
    BLOCK_TEXT_START,
    BLOCK_TEXT_END,
    BLOCK_WORDS,
    CHARACTERS,
    LINK_CHARACTERS,
    HIDDEN_BY,
) = range(BLOCK_COLUMNS)

TAG_KEY_BYTES: Final = 256
"""Tags are compared by as much of their text."""
HARMLESS_OPEN: Final = 16
"""Formatting tags that may stand open at no charge: pages of the nineties wrap everything in a few."""
MOST_OPEN: Final = 1_000
"""More than this many at once is no page that anyone wrote."""

# What is known of a page before it is parsed, as bits.
ODD_NAMES: Final = 1
"""A tag whose name no path could spell."""
TEMPLATES: Final = 2
MATHS: Final = 4
OPEN_FRAMES: Final = 8
"""A `noscript` that ends before the `iframe` in it does."""
EMPTIED: Final = 16
"""All that is never content was left out already."""


class Scan(NamedTuple):
    """What one scan gives. All arrays are int32."""

    nodes: np.ndarray
    """One row for each of the `COLUMNS`, one column for each node, in document order."""
    blocks: np.ndarray
    """One row for each of the `BLOCK_COLUMNS`, one column for each block."""
    attributes: np.ndarray
    """Rows: number of the name, start of the name, start and end of the value in the markup; in document order."""
    text: str
    """The text of all nodes. Between two stands a blank where there was white space, a line feed where a line or a
    block ended, nothing where the words touch."""
    names: tuple[str, ...]
    """Tags that are not in `tags.TAGS`; their numbers follow on."""
    deepest: int
    most_attributes: int
    """On one tag."""
    characters: int
    """Of all blocks."""
    words: tuple[int, ...]
    """Of the blocks that the markup hides for each of the reasons in `tags.HIDDEN_BY`; the first are seen. Counted
    where the blocks are made: asking the arrays, right after the parser had all caches, took as long as a survey."""


_UNESCAPES = (
    ("&lt;", "<"),
    ("&gt;", ">"),
    ("&quot;", '"'),
    ("&#9;", "\t"),
    ("&#10;", "\n"),
    ("&#13;", "\r"),
    ("&amp;", "&"),  # last, or "&amp;lt;" would be undone twice
)


def unescape(text: str) -> str:
    """Undo the escapes of the parser's XML form, which knows no others.

    >>> unescape("a &lt; b &amp;lt; c")
    'a < b &lt; c'
    """
    if "&" in text:
        for escaped, plain in _UNESCAPES:
            text = text.replace(escaped, plain)
    return text
