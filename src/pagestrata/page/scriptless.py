"""What pages show to readers without scripts, when they show little to others until scripts have run.

Text in `<noscript>` is mostly a twin of what scripts put in, or asks to turn them on, so it counts as not seen. But
forums made by scripts hold whole threads there, for search engines: then it is the page.
"""

from typing import Final

from pagestrata.page import columns, tags
from pagestrata.page.columns import Scan

MOSTLY: Final = 4
"""Times as many words in `<noscript>` as are seen outside of it."""
LEAST_WORDS: Final = 100
"""Fewer may just ask to turn scripts on."""
SHOWN: Final = "nearly all text stands in <noscript>: it counts as seen, since no script was run"


def with_noscript(found: Scan) -> Scan | None:
    """The page with its text in `<noscript>` as seen, if that is nearly all of it."""
    words, hidden_by = found.blocks[columns.BLOCK_WORDS], found.blocks[columns.HIDDEN_BY]
    is_noscript = hidden_by == tags.BY_NOSCRIPT
    inside = int(words[is_noscript].sum())
    if inside < LEAST_WORDS or inside < MOSTLY * int(words[~columns.IS_UNSEEN[hidden_by]].sum()):
        return None
    nodes, blocks = found.nodes.copy(), found.blocks.copy()
    blocks[columns.HIDDEN_BY, is_noscript] = 0
    flags = nodes[columns.FLAGS]
    flags[(flags & columns.HIDDEN_BITS) >> columns.HIDDEN_SHIFT == tags.BY_NOSCRIPT] &= ~columns.HIDDEN_BITS
    return found._replace(nodes=nodes, blocks=blocks)
