"""What the engine looks at: one row a block, one column a feature, all of it computed with whole columns at once.

Most columns are the same few measures taken over different stretches of the page: the block itself, the containers
around it, its neighbours, the blocks with its tag path, the page. Sums over a stretch are one subtraction, since a
subtree is a range of nodes and so a range of blocks.
"""

from collections.abc import Iterator
from typing import Final
from urllib.parse import urlsplit

import numpy as np
import numpy.typing as npt

from pagestrata.engine.lexicon import Lexicon
from pagestrata.page import tags
from pagestrata.page.levels import Levels
from pagestrata.page.page import Page
from pagestrata.page.tag_paths import tag_paths
from pagestrata.page.titles import find_title
from pagestrata.sites.prose import core_shares, covered, find_records, inward_links, running_text, signed_records

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.intp]

LONG_LINE: Final = 12
"""Words from which a line is a sentence or more."""
LEVELS: Final = 5
"""Containers around a block that are measured, from the nearest on."""

_SEMANTIC: Final[dict[str, str]] = {
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
    "is_heading": "h1 h2 h3 h4 h5 h6",
    "is_item": "li dt dd",
    "is_cell": "td th",
    "is_code": "pre",
    "is_caption": "figcaption caption",
    "is_control": "button select option input textarea label legend",
    "is_container": "div section article main body td",
}


def _members(names: str) -> npt.NDArray[np.bool_]:
    """Whether each tag is one of these; the last place is for tags without a number."""
    table = np.zeros(len(tags.TAGS) + 1, np.bool_)
    table[[tags.TAG[name] for name in names.split()]] = True
    return table


_HEADING = _members("h1 h2 h3 h4 h5 h6")
_KIND_TABLES = {name: _members(members) for name, members in _KINDS.items()}
_MEANING = np.stack([_members(names) << bit for bit, names in enumerate(_SEMANTIC.values())]).sum(
    axis=0, dtype=np.int32
)
_SENTENCE_MARKS = ".!?。！？…"
_COMMAS = ",;:，；：、"


def features_of(page: Page, lexicon: Lexicon | None = None) -> tuple[Floats, tuple[str, ...]]:
    """The table of a page; float32, a row for each block; and the names of its columns."""
    measures = _Measures(page)
    columns = list(_columns(measures))
    if lexicon is not None:
        columns += lexicon.columns(page, measures.levels, measures.is_heading)
    names = tuple(name for name, _ in columns)
    table = np.empty((len(page.blocks), len(columns)), np.float32)
    for place, (_, column) in enumerate(columns):
        table[:, place] = column
    return table, names


def headings_of(page: Page) -> npt.NDArray[np.bool_]:
    """Whether each block is a heading."""
    return _HEADING[np.minimum(page.nodes.tag[page.blocks.container], len(tags.TAGS))]


class _Measures:
    """Running sums over the blocks of a page, and where its elements begin and end among them."""

    def __init__(self, page: Page) -> None:
        self.page = page
        nodes, blocks = page.nodes, page.blocks
        self.levels = Levels(nodes)
        self.tag = np.minimum(nodes.tag, len(tags.TAGS))
        """Tags that are not in our table are all alike."""
        self.count = len(blocks)
        self.words = blocks.words.astype(np.float64)
        self.seen = ~np.isin(blocks.hidden_by, tags.UNSEEN)
        self.first = np.searchsorted(blocks.node_start, np.arange(len(nodes) + 1))
        self.parent, self.end, self.depth = nodes.parent, nodes.end, nodes.depth
        self.container = blocks.container.astype(np.intp)
        self.own_tag = self.tag[self.container]
        self.is_heading = _HEADING[self.own_tag]
        self.links = blocks.link_characters / np.maximum(1, blocks.characters)
        self.prose = running_text(page)
        self.sums = {
            "words": _running(self.words),
            "characters": _running(blocks.characters),
            "link_characters": _running(blocks.link_characters),
            "prose": _running(self.prose),
            "long": _running(blocks.words >= LONG_LINE),
            "linked": _running(self.links > 0.5),
        }
        self.total = {name: max(1.0, float(sums[-1])) for name, sums in self.sums.items()}

    def over(self, name: str, start: Ints, end: Ints) -> npt.NDArray[np.float64]:
        """The sum of a measure over ranges of blocks."""
        sums = self.sums[name]
        return sums[end] - sums[start]


def _columns(m: _Measures) -> Iterator[tuple[str, npt.ArrayLike]]:
    yield from _own(m)
    yield from _letters(m)
    yield from _kinds(m)
    yield from _around(m)
    yield from _containers(m)
    yield from _core(m)
    yield from _same_path(m)
    yield from _neighbours(m)
    yield from _place(m)
    yield from _headings(m)
    yield from _whole_page(m)


def _own(m: _Measures) -> Iterator[tuple[str, npt.ArrayLike]]:
    blocks = m.page.blocks
    yield "words", np.log1p(m.words)
    yield "link_share", m.links
    yield "word_length", blocks.characters / np.maximum(1, m.words)
    yield "inward_links", inward_links(m.page)
    yield "seen", m.seen
    yield "hidden_by", blocks.hidden_by
    yield "prose", np.log1p(m.prose)
    yield "texts", blocks.node_end - blocks.node_start


def _letters(m: _Measures) -> Iterator[tuple[str, npt.ArrayLike]]:
    """Shares of kinds of letters, from running sums over the whole text."""
    page, blocks = m.page, m.page.blocks
    points = np.frombuffer(page.text.encode("utf-32-le", "surrogatepass"), np.uint32)
    start, end = blocks.text_start, blocks.text_end
    size = np.maximum(1, end - start)
    small = np.minimum(points, 255).astype(np.uint8)
    for name, table in _LETTER_TABLES.items():
        counts = np.concatenate(([0], np.cumsum(table[small], dtype=np.int32)))
        if name in _WIDE_MARKS:
            counts[1:] += (
                np.cumsum(np.isin(points, _WIDE_MARKS[name]), dtype=np.int32) if points.max(initial=0) > 0x2000 else 0
            )
        found = counts[end] - counts[start]
        yield f"{name}_share", found / size
        if name in ("commas", "stops"):
            yield name, np.minimum(found, 20)
    last = points[np.maximum(end - 1, 0)] if len(points) else np.zeros(m.count)
    yield "ends_sentence", np.isin(last, [ord(mark) for mark in _SENTENCE_MARKS])
    yield "ends_colon", np.isin(last, [ord(":"), ord("：")])
    first = points[np.minimum(start, max(0, len(points) - 1))] if len(points) else np.zeros(m.count)
    yield "starts_small", (first >= 97) & (first <= 122)


def _table(letters: str) -> npt.NDArray[np.uint8]:
    table = np.zeros(256, np.uint8)
    table[[ord(letter) for letter in letters if ord(letter) < 256]] = 1
    return table


_LETTER_TABLES = {
    "digits": _table("0123456789"),
    "capitals": _table("ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
    "commas": _table(_COMMAS),
    "stops": _table(_SENTENCE_MARKS),
    "signs": _table("|/»«›‹·•<>[]{}©®#@$€£+=*&%~^_\\→"),
}
_WIDE_MARKS = {
    name: [ord(mark) for mark in marks if ord(mark) > 255]
    for name, marks in (("commas", _COMMAS), ("stops", _SENTENCE_MARKS))
}


def _kinds(m: _Measures) -> Iterator[tuple[str, npt.ArrayLike]]:
    for name, members in _KIND_TABLES.items():
        yield name, members[m.own_tag]
    yield "heading_level", np.where(m.is_heading, m.own_tag - tags.TAG["h1"] + 1, 0)


def _around(m: _Measures) -> Iterator[tuple[str, npt.ArrayLike]]:
    """In elements of which meaning each block lies, and how deep."""
    around = m.levels.down(_MEANING[m.tag], np.bitwise_or)[m.container]
    for bit, name in enumerate(_SEMANTIC):
        yield f"in_{name}", (around >> bit) & 1
    yield "depth", m.depth[m.container]


def _containers(m: _Measures) -> Iterator[tuple[str, npt.ArrayLike]]:
    """The block-level elements around a block: how much they hold, of what kind."""
    around = m.container
    is_block = m.page.nodes.container == np.arange(len(m.page.nodes))
    for level in range(LEVELS):
        start, end = m.first[around], m.first[m.end[around]]
        words = m.over("words", start, end)
        blocks = np.maximum(1, end - start)
        yield f"words_{level}", np.log1p(words)
        yield f"share_{level}", words / m.total["words"]
        yield f"links_{level}", m.over("link_characters", start, end) / np.maximum(1, m.over("characters", start, end))
        yield f"prose_{level}", m.over("prose", start, end) / np.maximum(1, words)
        yield f"long_{level}", m.over("long", start, end) / blocks
        yield f"blocks_{level}", np.log1p(blocks)
        around = np.maximum(0, m.parent[around]).astype(np.intp)
        around = m.page.nodes.container[around].astype(np.intp) if not is_block[around].all() else around


def _core(m: _Measures) -> Iterator[tuple[str, npt.ArrayLike]]:
    """Where the block stands to the container of the running text, and among repeated records."""
    page = m.page
    records = find_records(page)
    depth = covered(page, records)
    shares = core_shares(page, m.prose, depth)
    core = int(shares.argmax()) if len(shares) else 0
    at = page.blocks.node_start
    inside = (at >= core) & (at < m.end[core]) if len(m.end) else np.zeros(m.count, np.bool_)
    yield "in_core", inside
    yield "after_core", at >= m.end[core] if len(m.end) else inside
    yield "core_share", shares[m.container]
    yield "core_share_1", shares[np.maximum(0, m.parent[m.container])]
    yield "core_steps", _steps_to(m, core)
    first, last = (int(m.first[core]), int(m.first[m.end[core]])) if len(m.end) else (0, 0)
    yield "core_words", (m.sums["words"][last] - m.sums["words"][first]) / m.total["words"]
    yield (
        "core_links",
        (m.sums["link_characters"][last] - m.sums["link_characters"][first])
        / max(1.0, m.sums["characters"][last] - m.sums["characters"][first]),
    )
    yield "records", depth[at]
    yield "signed", covered(page, signed_records(page, records))[at]
    yield from _record(m, records)


def _steps_to(m: _Measures, core: int) -> npt.NDArray[np.float64]:
    """How many elements above a block one meets the first that holds the core too."""
    above = np.zeros(len(m.end), np.bool_)
    node = core
    while node >= 0 and len(m.end):
        above[node] = True
        node = int(m.parent[node])
    steps = np.zeros(m.count)
    at = m.container.copy()
    for _ in range(12):
        far = ~above[at]
        if not far.any():
            break
        steps += far
        at = np.where(far, np.maximum(0, m.parent[at]), at)
    return steps


def _record(m: _Measures, records: Ints) -> Iterator[tuple[str, npt.ArrayLike]]:
    """The innermost record around a block, and how many like it stand beside it."""
    inner = np.full(len(m.end) + 1, -1, np.intp)
    for record in records.tolist():  # in document order, so that inner ones overwrite outer ones
        inner[record : m.end[record]] = record
    mine = inner[m.page.blocks.node_start]
    beside = np.bincount(m.parent[records], minlength=len(m.end) + 1) if len(records) else np.zeros(len(m.end) + 1)
    is_in = mine >= 0
    around = np.maximum(mine, 0)
    start, end = m.first[around], m.first[m.end[around]] if len(m.end) else m.first[around]
    yield "records_beside", np.where(is_in, np.log1p(beside[np.maximum(0, m.parent[around])]), 0)
    yield "record_words", np.where(is_in, np.log1p(m.over("words", start, end)), 0)
    links = m.over("link_characters", start, end) / np.maximum(1, m.over("characters", start, end))
    yield "record_links", np.where(is_in, links, 0)


def _same_path(m: _Measures) -> Iterator[tuple[str, npt.ArrayLike]]:
    """What the blocks with the same tag path have together."""
    _, group = np.unique(tag_paths(m.page.nodes, m.levels)[m.container], return_inverse=True)
    size = np.bincount(group, minlength=1)
    words = np.bincount(group, m.words, minlength=1)
    prose = np.bincount(group, m.prose, minlength=1)
    links = np.bincount(group, m.page.blocks.link_characters, minlength=1)
    characters = np.bincount(group, m.page.blocks.characters, minlength=1)
    yield "path_blocks", np.log1p(size)[group]
    yield "path_words", (words / np.maximum(1, size))[group]
    yield "path_share", (words / m.total["words"])[group]
    yield "path_prose", (prose / m.total["prose"])[group]
    yield "path_links", (links / np.maximum(1, characters))[group]


def _neighbours(m: _Measures) -> Iterator[tuple[str, npt.ArrayLike]]:
    """The blocks before and after, and means over windows of them."""
    words, kind, around = np.log1p(m.words), m.own_tag, m.parent[m.container].astype(np.float64)
    for step in (-2, -1, 1, 2):
        yield f"words_at_{step}", _shifted(words, step)
        yield f"links_at_{step}", _shifted(m.links, step, 1.0)
    for step in (-1, 1):
        yield f"same_tag_at_{step}", _shifted(kind.astype(np.float64), step) == kind
        yield f"same_container_at_{step}", _shifted(around, step, -1) == around
    places = np.arange(m.count)
    for width in (4, 12):
        start, end = np.maximum(0, places - width), np.minimum(m.count, places + width + 1)
        all_words = np.maximum(1, m.over("words", start, end))
        yield f"prose_window_{width}", m.over("prose", start, end) / all_words
        yield f"long_window_{width}", m.over("long", start, end) / (end - start)
        yield (
            f"links_window_{width}",
            m.over("link_characters", start, end) / np.maximum(1, m.over("characters", start, end)),
        )


def _place(m: _Measures) -> Iterator[tuple[str, npt.ArrayLike]]:
    """Where on the page a block stands, and where from the title."""
    places, before = np.arange(m.count), m.sums["words"][:-1]
    yield "place", places / max(1, m.count)
    yield "words_before", before / m.total["words"]
    yield "prose_before", m.sums["prose"][:-1] / m.total["prose"]
    yield "prose_after", 1 - m.sums["prose"][1:] / m.total["prose"]
    title = find_title(m.page)
    at = int(m.first[title]) if title is not None else -1
    yield "has_title", title is not None
    yield "blocks_from_title", np.clip(places - at, -50, 200) if at >= 0 else -60
    yield "words_from_title", (before - before[min(at, m.count - 1)]) / m.total["words"] if at >= 0 and m.count else -1


def _headings(m: _Measures) -> Iterator[tuple[str, npt.ArrayLike]]:
    """The last heading before a block."""
    tag, places = m.own_tag, np.arange(m.count)
    last = np.maximum.accumulate(np.where(m.is_heading, places, -1)) if m.count else places
    yield "since_heading", np.where(last >= 0, np.minimum(places - last, 100), 101)
    yield (
        "words_since_heading",
        np.where(last >= 0, np.log1p(m.sums["words"][:-1] - m.sums["words"][np.maximum(last, 0)]), 10),
    )
    yield "last_level", np.where(last >= 0, tag[np.maximum(last, 0)] - tags.TAG["h1"] + 1, 0) if m.count else places
    yield "last_linked", np.where(last >= 0, m.links[np.maximum(last, 0)], 0) if m.count else places


def _whole_page(m: _Measures) -> Iterator[tuple[str, npt.ArrayLike]]:
    """The same for all blocks: what sort of page it is."""
    yield "page_words", np.log1p(m.total["words"])
    yield "page_blocks", np.log1p(m.count)
    yield "page_links", m.total["link_characters"] / m.total["characters"]
    yield "page_prose", m.total["prose"] / m.total["words"]
    yield "page_long", m.total["long"] / max(1, m.count)
    yield "page_prices", np.log1p(sum(m.page.text.count(sign) for sign in "$€£¥"))
    says = " ".join(m.page.json_ld).lower()
    for name in "article product forum itemlist collection faq recipe review".split():
        yield f"says_{name}", name in says
    shape = urlsplit(m.page.url or "").path if "[" not in (m.page.url or "") else ""
    yield "url_depth", shape.strip("/").count("/") + bool(shape.strip("/"))
    yield "url_digits", sum(letter.isdigit() for letter in shape)
    yield "url_dashes", shape.rpartition("/")[2].count("-")
    counts = np.bincount(m.tag, minlength=len(tags.TAGS) + 1)
    for name in "p h1 h2 article main li td img form a".split():
        yield f"page_{name}", np.log1p(counts[tags.TAG[name]])


def _running(column: npt.ArrayLike) -> npt.NDArray[np.float64]:
    return np.concatenate(([0.0], np.cumsum(column, dtype=np.float64)))


def _shifted(column: npt.NDArray[np.float64], step: int, otherwise: float = 0.0) -> npt.NDArray[np.float64]:
    """The column as seen from `step` blocks earlier."""
    shifted = np.full(len(column), otherwise, np.float64)
    if step > 0:
        shifted[:-step] = column[step:]
    else:
        shifted[-step:] = column[:step]
    return shifted
