"""Text that is hidden until scripts have run, on pages that show little before.

Pages hide most of what they hide for good reasons: menus, dialogs, twins of what is seen. But some send their content
hidden, for scripts to show (React puts what it streams in `<div hidden>`), or only in `<noscript>`, for search engines
(forums do). No script is run here, so where much of the text is hidden it counts as seen, and is judged like any other.
"""

from itertools import compress
from typing import Final

import numpy as np

from pagestrata.page import columns, tags
from pagestrata.page.columns import Scan

MUCH: Final = 0.5
"""Words hidden for each that is seen. Among ½, 1, 2 and 4, this was best in cross-validation of the engine on wcxb:
word F1 .872, .871, .870, .869, and .851 where all of it counts as unseen."""
LEAST_WORDS: Final = 100
"""Fewer hidden words may just ask to turn scripts on."""
SHOWN: Final = "much of the text is hidden until scripts run: it counts as seen, since none was run"


def shown_by_scripts(found: Scan) -> Scan | None:
    """The page with what scripts may show as seen, if that is much of it."""
    hidden = sum([found.words[reason] for reason in tags.SHOWN_BY_SCRIPTS])
    if hidden < LEAST_WORDS or hidden < MUCH * sum(compress(found.words, _IS_SEEN)):
        return None
    nodes, blocks = found.nodes.copy(), found.blocks.copy()
    blocks[columns.HIDDEN_BY] = _AS_SHOWN[blocks[columns.HIDDEN_BY]]
    flags = nodes[columns.FLAGS]
    codes = (flags & columns.HIDDEN_BITS) >> columns.HIDDEN_SHIFT
    nodes[columns.FLAGS] = (flags & ~columns.HIDDEN_BITS) | (_AS_SHOWN[codes] << columns.HIDDEN_SHIFT)
    return found._replace(nodes=nodes, blocks=blocks)


_AS_SHOWN = np.arange(columns.REASONS, dtype=np.int32)
for _hidden, _shown in tags.SHOWN_BY_SCRIPTS.items():
    _AS_SHOWN[_hidden] = _shown
_IS_SEEN = (~columns.IS_UNSEEN).tolist()
