"""The result of a scan: the columns of its arrays, the bits of its flags, the escapes of the stream that it reads."""

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
"""The number of reasons for which something may be hidden: four bits."""
IS_UNSEEN: Final = np.isin(np.arange(REASONS), tags.UNSEEN)
"""For each reason, whether a browser shows nothing of what is hidden for it."""
IS_SHOWN_BY_SCRIPTS: Final = np.isin(np.arange(REASONS), list(tags.SHOWN_BY_SCRIPTS.values()))
"""For each reason, whether what is hidden for it counts as seen, since scripts may show it."""

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

# Properties of a page before it is parsed, as bits.
ODD_NAMES: Final = 1
"""The page has a tag whose name cannot be written in a path."""
TEMPLATES: Final = 2
MATHS: Final = 4
OPEN_FRAMES: Final = 8
"""The page has a `noscript` that ends before the `iframe` in it."""
EMPTIED: Final = 16
"""Everything that is never content has been left out already."""


class Scan(NamedTuple):
    """The result of one scan. All arrays are int32."""

    nodes: np.ndarray
    """One row for each of the `COLUMNS`, one column for each node, in document order."""
    blocks: np.ndarray
    """One row for each of the `BLOCK_COLUMNS`, one column for each block."""
    attributes: np.ndarray
    """Rows: number of the name, start of the name, start and end of the value in the markup; in document order."""
    text: str
    """The text of all nodes. Two texts are separated by a blank where there was white space, by a line feed where a
    line or a block ended, and by nothing where the words touch."""
    names: tuple[str, ...]
    """Tags that are not in `tags.TAGS`; their numbers follow on."""
    deepest: int
    """The largest depth of an element, before the limit."""
    most_attributes: int
    """The largest number of attributes of one tag, before the limit."""
    characters: int
    """The number of characters of all blocks."""
    words: tuple[int, ...]
    """The number of words hidden for each of the reasons in `tags.HIDDEN_BY`; the first number is of visible words.
    They are counted while blocks are made: counting them in the arrays later took as long as a survey."""


def set_reasons(nodes: np.ndarray, blocks: np.ndarray, reasons: np.ndarray) -> None:
    """Write why nodes are hidden into the tables of a page; a block is as visible as its most visible text."""
    nodes[FLAGS] = (nodes[FLAGS] & ~HIDDEN_BITS) | (reasons << HIDDEN_SHIFT)
    if blocks.shape[1]:
        texts = np.flatnonzero(nodes[TAG] == tags.TEXT)
        first = np.searchsorted(texts, blocks[NODE_START])
        blocks[HIDDEN_BY] = np.minimum.reduceat(reasons[texts], first)


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
    """Undo the escapes of the parser's XML form, which uses no others.

    >>> unescape("a &lt; b &amp;lt; c")
    'a < b &lt; c'
    """
    if "&" in text:
        for escaped, plain in _UNESCAPES:
            text = text.replace(escaped, plain)
    return text
