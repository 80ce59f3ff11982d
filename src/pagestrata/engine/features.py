"""The features of the engine: one row per feature, one column per block that is shown.

Most features are the same few measures taken over different stretches of the page: the block itself, the containers
around it, its branch of the core, its neighbours, the blocks with its tag path, the page. Sums over a stretch are one
subtraction, since a subtree is a range of nodes and so a range of blocks. All of them are read from the landmarks; the
loops are in `native.features`.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from pagestrata.engine.lexicon import Lexicon
from pagestrata.landmarks import REGIONS, Landmarks, tag_bits
from pagestrata.landmarks.comments import comment_regions_of, line_words_of, title_block
from pagestrata.landmarks.words import group_of_bucket, name_words
from pagestrata.native import features as rows
from pagestrata.native import kernel
from pagestrata.native.arrays import as_column, zeros
from pagestrata.native.features import COLUMNS as COLUMNS
from pagestrata.native.words import BUCKETS
from pagestrata.page import tags
from pagestrata.page.head import description_of, metas_by_name
from pagestrata.page.page import Page

_loops, _words = kernel("features"), kernel("words")

Table = npt.NDArray[np.float32]
"""A row for each of `COLUMNS`, a column for each block."""
Floats = npt.NDArray[np.float64]

DESCRIPTION_START: Final = 400
"""Characters of the description that are looked at."""
_KINDS: Final = (
    "p",
    "li dt dd",
    "td th",
    "pre",
    "figcaption caption",
    "button select option input textarea label legend",
    "div section article main body td",
)
"""The tags of each of `native.features.KINDS`."""


def _counter_of_tag() -> npt.NDArray[np.int32]:
    """For each tag, the place in `WHOLE_PAGE` where it is counted; 0 for those that are not."""
    counters = np.zeros(len(tags.TAGS) + 1, np.int32)
    for name in rows.COUNTED_TAGS:
        counters[tags.TAG[name]] = rows.WHOLE_PAGE.index(f"page_{name}")
    return counters


_KIND_OF_TAG: Final = as_column(tag_bits(*_KINDS))
_COUNTER_OF_TAG: Final = as_column(_counter_of_tag())
_FIRST_HEADING, _LAST_HEADING = tags.TAG["h1"], tags.TAG["h6"]


def features_of(landmarks: Landmarks, lexicon: Lexicon) -> Table:
    """Measure the blocks that a page shows; `is_strict` is no measure, and 0 for `engine.scope` to set."""
    landmarks = landmarks.shown
    page, size, count = landmarks.page, len(landmarks.page.nodes), len(landmarks.blocks)
    names, lines, title = page.once(name_words), landmarks.once(line_words_of), title_block(landmarks)
    table = zeros(len(COLUMNS) * count, np.float32)
    loops = _loops.FeatureLoops(*landmarks.columns, landmarks.core, table)
    loops.own(as_column(landmarks.blocks.hidden_by))
    loops.regions(len(REGIONS), _KIND_OF_TAG, len(_KINDS))
    loops.containers()
    loops.around_core()
    loops.branches()
    loops.same_path(zeros(count, np.int32), zeros(5 * count, np.float64))
    loops.copies(zeros(count, np.int32), zeros(count + 1, np.float64))
    loops.shingles(lines.place, lines.bucket, lines.count, zeros(BUCKETS, np.int32))
    loops.neighbours()
    loops.places(title)
    loops.bylines(title)
    loops.headings(_FIRST_HEADING, _LAST_HEADING)
    loops.titled_containers(title, zeros(size, np.int32))
    loops.articles(tags.TAG["article"], zeros(size, np.int32))
    loops.ranks(zeros(count, np.int32), zeros(count, np.float64), zeros(count, np.int32), zeros(count, np.int32))
    loops.comments(*comment_regions_of(landmarks).columns)
    loops.near_names(names.place, names.bucket, names.count, group_of_bucket(), zeros(size, np.int64))
    name_weights, line_weights, heading_weights = lexicon.tables
    loops.names(
        names.place, names.bucket, names.count, name_weights, zeros(size, np.float64), zeros(4 * size, np.float64)
    )
    said = _words.said_words((page.title, page.once(description_of)), DESCRIPTION_START)
    loops.lines(lines.place, lines.bucket, lines.count, line_weights, heading_weights, said)
    loops.whole_page(as_column(_page_values(landmarks)), _COUNTER_OF_TAG)
    return np.asarray(table, np.float32).reshape(len(COLUMNS), count)


def _page_values(landmarks: Landmarks) -> Floats:
    """Return the features that are the same for all blocks, with 0 for those that the loops compute."""
    page, blocks = landmarks.page, landmarks.blocks
    json_ld = " ".join(page.json_ld).lower()
    og_type = _og_type(page)
    values = np.zeros(len(rows.WHOLE_PAGE))
    values[rows.PAGE_PRICES] = _words.count_prices(page.text, blocks.text_start, blocks.text_end)
    stated = [name in json_ld for name in rows.SCHEMA_TYPES] + [name in og_type for name in rows.OG_TYPES]
    values[len(rows.PAGE) : len(rows.PAGE) + len(stated)] = stated
    return values


def _og_type(page: Page) -> str:
    """Return the type of the page that it states for social networks, in lower case; empty without one."""
    for node in page.once(metas_by_name).get("og:type", ()):
        return (page.attribute(node, "content") or "").lower()
    return ""
