"""What the engine looks at: one row a feature, one column a block.

Most features are the same few measures taken over different stretches of the page: the block itself, the containers
around it, its branch of the core, its neighbours, the blocks with its tag path, the page. Sums over a stretch are one
subtraction, since a subtree is a range of nodes and so a range of blocks. The loops are in `measure`.
"""

from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

import numpy as np
import numpy.typing as npt

from pagestrata.engine import measure
from pagestrata.engine.kernel import Column, Measures, given, new, new_columns, words
from pagestrata.engine.lexicon import Lexicon, Words, line_words, name_words
from pagestrata.page import tags
from pagestrata.page.head import description_of
from pagestrata.page.page import Page

Table = npt.NDArray[np.float32]
Floats = npt.NDArray[np.float64]

DESCRIPTION_START: Final = 400
"""Characters of the description that are looked at."""
_MEANINGS: Final[dict[str, str]] = {
    "nav": "nav menu",
    "header": "header hgroup",
    "footer": "footer",
    "aside": "aside",
    "main": "main",
    "article": "article",
    "form": "form fieldset select button",
    "table": "table",
    "list": "ul ol dl",
    "figure": "figure picture",
    "quote": "blockquote",
    "section": "section",
    "code": "pre code",
}
_KINDS: Final[dict[str, str]] = {
    "is_paragraph": "p",
    "is_item": "li dt dd",
    "is_cell": "td th",
    "is_code": "pre",
    "is_caption": "figcaption caption",
    "is_control": "button select option input textarea label legend",
    "is_container": "div section article main body td",
}
_CONTROLS = "select option optgroup datalist button textarea input"
_NO_CORE = "p h1 h2 h3 h4 h5 h6 br a span b i em strong img pre font u li tr dt dd code small sub sup"
_NO_RECORD = "#text p h1 h2 h3 h4 h5 h6 br a span b i em strong img pre font u ul ol figure hr center code"
_LAYOUT = "table p div h1 h2 h3 h4 h5 h6 form section article"
_COUNTED = "p h1 h2 article main li td img form a pre".split()
_SAID = ("product", "article", "forum", "itemlist", "collection")

PAGE: Final = (
    *measure.PAGE,
    *(f"says_{name}" for name in _SAID),
    *("url_depth", "url_digits", "url_dashes"),
    *(f"page_{name}" for name in _COUNTED),
)
GROUPS: Final[dict[str, tuple[str, ...]]] = {
    "own": measure.OWN,
    "meanings": (*(f"in_{name}" for name in _MEANINGS), *_KINDS),
    "containers": tuple(f"{what}_{level}" for level in range(measure.LEVELS) for what in measure.CONTAINER),
    "core": measure.CORE,
    "branch": measure.BRANCH,
    "path": measure.PATH,
    "copies": measure.COPIES,
    "neighbours": (*measure.NEIGHBOURS, *measure.WINDOWS),
    "place": measure.PLACE,
    "talk": measure.TALK,
    "headings": measure.HEADINGS,
    "names": measure.NAMES,
    "lines": measure.LINES,
    "page": PAGE,
}
COLUMNS: Final = tuple(name for group in GROUPS.values() for name in group)
_ROW: Final = dict(zip(GROUPS, np.cumsum([0, *(len(group) for group in GROUPS.values())]).tolist(), strict=False))
"""The first row of each group."""
_USABLE: Final = COLUMNS.index("usable")
_PRICES: Final = PAGE.index("page_prices")


def _bits(*sets: str) -> npt.NDArray[np.int32]:
    """For each tag, one bit for each set that it is in; the last place is for tags without a number."""
    table = np.zeros(len(tags.TAGS) + 1, np.int32)
    for bit, names in enumerate(sets):
        table[[tags.TAG[name] for name in names.split()]] |= 1 << bit
    return table


def _meaning_of_tag() -> npt.NDArray[np.int32]:
    meaning = _bits(*_MEANINGS.values())
    meaning[_bits(_CONTROLS) > 0] |= measure.CONTROL
    meaning[_bits(_NO_CORE) == 0] |= measure.MAY_CORE
    meaning[_bits(_NO_RECORD) == 0] |= measure.MAY_RECORD
    return meaning


def _counted_of_tag() -> npt.NDArray[np.int32]:
    """For each tag, the place in `PAGE` where it is counted; 0 for those that are not."""
    counted = np.zeros(len(tags.TAGS) + 1, np.int32)
    counted[[tags.TAG[name] for name in _COUNTED]] = [PAGE.index(f"page_{name}") for name in _COUNTED]
    return counted


_MEANING_OF_TAG: Final = given(_meaning_of_tag())
_KIND_OF_TAG: Final = given(_bits(*_KINDS.values()))
_PART_OF_TAG: Final = given(_bits("ul ol dl", "table", _LAYOUT))
_COUNTED_OF_TAG: Final = given(_counted_of_tag())
_HEADINGS: Final = tags.TAG["h1"], tags.TAG["h6"]


@dataclass(frozen=True, slots=True, eq=False)
class Features:
    """What was measured on a page."""

    table: Table
    """A row for each of `COLUMNS`, a column for each block."""
    _first: Column
    """For each block the first with the same text."""
    _loops: Any

    @property
    def usable(self) -> npt.NDArray[np.float32]:
        """1 for blocks that can be seen and are no control of a form, else 0."""
        usable: npt.NDArray[np.float32] = self.table[_USABLE]
        return usable

    def evened(self, importance: Floats) -> tuple[Floats, Column]:
        """The importance of each block, in plain lists, tables of data and lines side by side their mean.

        Also which list or table each block is in.
        """
        count = len(importance)
        layout, whole, group = (new(size, np.int32) for size in (self._loops.nodes + 1, count, count))
        even = given(importance.copy())
        self._loops.even_out(even, _PART_OF_TAG, layout, whole)
        self._loops.even_paragraphs(even, given(self.usable), whole, group, new(3 * count, np.float64))
        return np.asarray(even, np.float64), whole

    def without_copies(self, importance: Floats, whole: Column) -> Floats:
        """The same, with 0 for what is said a second time: a text is given back once, from where it counts most."""
        left = given(importance.copy())
        self._loops.leave_copies(left, whole, self._first, new(len(importance), np.int32))
        return np.asarray(left, np.float64)

    def without_holes(self, importance: Floats, whole: Column, keep_from: float, lifted_to: float) -> Floats:
        """The same, with the few blocks lifted that are missing amid kept text.

        In cross-validation on wcxb this cost 0.0006 of F1, before lists and tables went uncounted; who reads the text
        misses them.
        """
        filled = given(importance.copy())
        self._loops.fill_holes(filled, given(self.usable), whole, keep_from, lifted_to)
        return np.asarray(filled, np.float64)


def features_of(page: Page, lexicon: Lexicon) -> Features:
    """Measure a page."""
    return measured(page, lexicon, name_words(page), line_words(page))


def measured(page: Page, lexicon: Lexicon, names: Words, lines: Words) -> Features:
    """Measure a page whose words are known."""
    nodes, blocks = page.nodes, page.blocks
    size, count = len(nodes), len(blocks)
    row = {name: place * count for name, place in _ROW.items()}
    tag = np.minimum(nodes.tag, len(tags.TAGS))
    table = new(len(COLUMNS) * count, np.float32)
    stamped, ended = new(3 * count + 2, np.int32), new(count, np.int32)
    lengths = given(blocks.even_words)
    starts, ends, first = given(blocks.text_start), given(blocks.text_end), new(count, np.int32)
    words.read_marks(page.text, starts, ends, lengths, stamped, ended)
    words.find_copies(page.text, starts, ends, first)
    steps = new(size, np.int32)
    m = Measures(
        (given(tag), given(nodes.parent), given(nodes.end), given(nodes.container)),
        (
            *(given(column) for column in (blocks.node_start, blocks.node_end, blocks.container)),
            lengths,
            *(given(column) for column in (blocks.characters, blocks.link_characters)),
        ),
        _MEANING_OF_TAG,
        new_columns(8, size + 1, np.int32),
        new_columns(6, count + 1, np.float64),
        new_columns(2, size, np.float64),
        table,
    )
    m.walk()
    hidden_by = given(blocks.hidden_by)
    m.add_up(row["own"], given(blocks.is_unseen.astype(np.int32)), hidden_by, stamped, ended)
    m.find_records(stamped, new(size, np.int64), new(size, np.int32))
    m.find_core()
    m.find_branches(steps)
    m.meanings(row["meanings"], len(_MEANINGS), _KIND_OF_TAG, len(_KINDS))
    m.containers(row["containers"])
    m.around_core(row["core"], steps)
    m.branches(row["branch"], stamped)
    m.same_path(row["path"], new(count, np.int32), new(5 * count, np.float64))
    m.copies(row["copies"], first, new(count, np.int32))
    m.neighbours(row["neighbours"])
    title = _title_block(page)
    m.places(row["place"], title)
    m.talk(row["talk"], stamped, title)
    m.headings(row["headings"], *_HEADINGS)
    name_weights, line_weights, heading_weights = lexicon.tables
    m.names(row["names"], names.place, names.bucket, names.count, name_weights, new(4 * size, np.float64))
    said = words.said_words((page.title, page.once(description_of)), DESCRIPTION_START)
    m.lines(row["lines"], lines.place, lines.bucket, lines.count, line_weights, heading_weights, said, row["headings"])
    m.whole(row["page"], given(_told_of_page(page)), stamped, _COUNTED_OF_TAG)
    return Features(np.asarray(table, np.float32).reshape(len(COLUMNS), count), first, m)


def _title_block(page: Page) -> int:
    title = page.title_heading
    return page.blocks_of(title)[0] if title is not None else -1


def _told_of_page(page: Page) -> Floats:
    """What is the same for all blocks: `PAGE`, with 0 for what `Measures.whole` finds."""
    says = " ".join(page.json_ld).lower()
    url = page.url or ""
    shape = urlsplit(url).path if "[" not in url else ""
    told = [0.0] * len(PAGE)
    told[_PRICES] = words.count_prices(page.text)
    told[len(measure.PAGE) : -len(_COUNTED)] = [
        *[name in says for name in _SAID],
        shape.strip("/").count("/") + bool(shape.strip("/")),
        sum([letter.isdigit() for letter in shape]),
        shape.rpartition("/")[2].count("-"),
    ]
    return np.array(told, np.float64)


def headings_of(page: Page) -> npt.NDArray[np.bool_]:
    """Whether each block is a heading."""
    tag = page.nodes.tag[page.blocks.container]
    return (tag >= _HEADINGS[0]) & (tag <= _HEADINGS[1])
