"""Nodes → Blocks: text nodes that stand on one line, or on lines parted by single `<br>`, are one block."""

import numpy as np

from pagestrata.page import blocks as b
from pagestrata.page import columns
from pagestrata.page.blocks import Blocks
from pagestrata.page.nodes import Ints, Nodes


def cut(nodes: Nodes, text: str) -> Blocks:
    """Gather the text nodes into blocks; white space alone (in `<pre>`) makes none."""
    texts = np.flatnonzero(nodes.is_text)
    flags = nodes.flags[texts]
    first = np.flatnonzero(flags & columns.STARTS_BLOCK)
    if len(first) == 0:
        return Blocks(np.zeros((b.BLOCK_COLUMNS, 0), np.int32))
    last = np.append(first[1:], len(texts)) - 1
    lengths = nodes.text_end[texts] - nodes.text_start[texts]
    hidden = (flags & columns.HIDDEN_BITS) >> columns.HIDDEN_SHIFT

    table = np.empty((b.BLOCK_COLUMNS, len(first)), np.int32)
    table[b.NODE_START] = texts[first]
    table[b.NODE_END] = texts[last] + 1
    table[b.CONTAINER] = nodes.container[texts[first]]
    table[b.TEXT_START] = nodes.text_start[texts[first]]
    table[b.TEXT_END] = nodes.text_end[texts[last]]
    table[b.WORDS] = np.add.reduceat(nodes.words[texts], first)
    table[b.CHARACTERS] = np.add.reduceat(lengths, first)
    table[b.LINK_CHARACTERS] = np.add.reduceat(np.where(flags & columns.IN_LINK, lengths, 0), first)
    table[b.HIDDEN_BY] = np.minimum.reduceat(hidden, first)
    return Blocks(_without_blank(table, flags[first], text))


def _without_blank(table: Ints, flags: Ints, text: str) -> Ints:
    """Drop the blocks of white space, which only preformatted text can make."""
    suspects = np.flatnonzero((table[b.WORDS] == 0) & ((flags & columns.IN_PRE) != 0))
    blank = [i for i in suspects if text[table[b.TEXT_START, i] : table[b.TEXT_END, i]].isspace()]
    return np.delete(table, blank, axis=1) if blank else table
