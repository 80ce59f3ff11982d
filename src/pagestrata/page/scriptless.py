"""Text that is hidden until scripts have run, on pages that show little before.

Most hidden text is hidden for good reasons: menus, dialogs, copies of visible text. But some pages send their content
hidden, for scripts to show (React puts what it streams in `<div hidden>`), or only in `<noscript>`, for search engines
(forums do). No script is run here, so where much of the text is hidden it is treated as visible.
"""

from itertools import compress
from typing import Final

import numpy as np

from pagestrata.page import columns, tags
from pagestrata.page.columns import Scan

MIN_HIDDEN_RATIO: Final = 0.5
"""Hidden words per visible word. Among ½, 1, 2 and 4, this was best in cross-validation of the engine on wcxb: word F1
.872, .871, .870, .869, and .851 if hidden text is never shown."""
MIN_HIDDEN_WORDS: Final = 100
"""Fewer hidden words may be a request to turn scripts on."""
SHOWN_WARNING: Final = "much of the text is hidden until scripts run: it counts as seen, since none was run"


def shown_by_scripts(scan: Scan) -> Scan | None:
    """Return the scan with text that scripts may show made visible, or None if there is little of it."""
    hidden = sum([scan.words[reason] for reason in tags.SHOWN_BY_SCRIPTS])
    if hidden < MIN_HIDDEN_WORDS or hidden < MIN_HIDDEN_RATIO * sum(compress(scan.words, _IS_VISIBLE)):
        return None
    nodes, blocks = scan.nodes.copy(), scan.blocks.copy()
    blocks[columns.HIDDEN_BY] = _REASON_IF_SHOWN[blocks[columns.HIDDEN_BY]]
    flags = nodes[columns.FLAGS]
    codes = (flags & columns.HIDDEN_BITS) >> columns.HIDDEN_SHIFT
    nodes[columns.FLAGS] = (flags & ~columns.HIDDEN_BITS) | (_REASON_IF_SHOWN[codes] << columns.HIDDEN_SHIFT)
    return scan._replace(nodes=nodes, blocks=blocks)


_REASON_IF_SHOWN = np.arange(columns.REASONS, dtype=np.int32)
for _hidden, _shown in tags.SHOWN_BY_SCRIPTS.items():
    _REASON_IF_SHOWN[_hidden] = _shown
_IS_VISIBLE = (~columns.IS_UNSEEN).tolist()
