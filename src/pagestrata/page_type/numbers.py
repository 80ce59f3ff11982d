"""The measures that tell the type of a page: of its text, tags, lines, records, links and address."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from pagestrata.landmarks import Landmarks, landmarks_of
from pagestrata.native import kernel, type_numbers, type_text
from pagestrata.native.arrays import Column, as_column, zeros
from pagestrata.page import tags
from pagestrata.page.page import Page
from pagestrata.page_type.words import (
    HEADINGS,
    MAX_TEXT,
    UNDRAWN,
    Reader,
    hash_of,
    split_address,
    step_words,
    table_size,
)

RANGES: Final = ("page", "core", "after")
"""The ranges that are measured separately: the page, its main container, the blocks after its title."""
RANGE_SUMS: Final = (
    "links paragraphs items cells headings code long very_long heads linked_heads prices times stamps".split()
)
"""Sums over the blocks of a range, as shares of its words; in the order of `native.type_numbers`."""
RANGE_TAGS: Final = "img a time button input code".split()
COUNTED_TAGS: Final = (
    "a p li img h2 h3 time code pre button input textarea form div span section article figure svg ul strong i br td "
    "iframe nav label video"
).split()
"""Tags that are counted on the page, those inside of the text as well as those around it."""
PERCENTILES: Final = (50, 75, 90)
MARKS: Final = "question exclamation comma colon equal money digit".split()
"""In the order of `native.type_text`."""
RECORDS: Final = (
    "records record_words records_signed records_linked records_pictured largest_group group group_share group_words "
    "group_signed group_linked group_pictured"
).split()
LINKS: Final = "links_out links_inside links_to_pages links_to_people links_to_cart links_to_call".split()
ADDRESS: Final = "address_steps address_last address_digits address_length".split()
NUMBERS: Final = (
    *(f"{part}_{name}" for part in RANGES for name in ("words", "blocks", *RANGE_SUMS, *RANGE_TAGS)),
    "core_share",
    *(f"tag_{name}" for name in COUNTED_TAGS),
    *(f"rate_{name}" for name in COUNTED_TAGS),
    *("nodes", "depth"),
    *(f"line_{share}" for share in PERCENTILES),
    *("lines_of_text", "line_of_text", "longest_line", "run", "run_share"),
    *RECORDS,
    *(f"mark_{name}" for name in MARKS),
    "json_ld",
    *LINKS,
    *ADDRESS,
    *("title_words", "heading_words"),
)
"""The names of all measures, in their order."""
AFTER_TITLE: Final = 30
"""Blocks after the title that are measured on their own."""
UNKNOWN: Final = -1.0
"""The value of a measure of something that the page does not have."""
_RECORD_SUMS = 9

_CONTAINERS: Final = {
    type_numbers.PARAGRAPH: "p",
    type_numbers.ITEM: "li dt dd",
    type_numbers.CELL: "td th",
    type_numbers.HEADING: HEADINGS,
    type_numbers.CODE: "pre code",
}
_LINK_WORDS: Final = {
    type_text.TO_PAGE: "page p start offset",
    type_text.TO_PERSON: "u user users member members profile profiles author authors",
    type_text.TO_CART: "cart basket checkout",
    type_text.TO_CALL: "tel mailto",
}
_loops, _text_loops = kernel("type_numbers"), kernel("type_text")


def numbers_of(page: Page, reader: Reader) -> npt.NDArray[np.float32]:
    """Return the measures of a page, in the order of `NUMBERS`."""
    landmarks = landmarks_of(page)
    blocks = _read_blocks(page, landmarks, reader)
    stretches = _stretches(page, landmarks)
    counts = [_tag_counts(page, stretch) for stretch in stretches]
    ranges = [list(_range_numbers(blocks, *pair)) for pair in zip(stretches, counts, strict=True)]
    words, core_words = ranges[0][0], ranges[1][0]
    tag_counts = counts[0][_COUNTED]
    numbers = [
        *(number for measured in ranges for number in measured),
        core_words / max(1.0, words),
        *tag_counts.tolist(),
        *(tag_counts / max(1.0, words)).tolist(),
        len(page.nodes) - int(counts[0][list(UNDRAWN)].sum()),
        int(page.nodes.depth.max(initial=0)),
        *_line_numbers(blocks, len(page.blocks), words),
        *_record_numbers(page, landmarks),
        *_mark_numbers(page, reader),
        len(page.json_ld),
        *_link_numbers(page, reader),
        *_address_numbers(page),
        *_title_numbers(page, reader),
    ]
    return np.array(numbers, np.float32)


@dataclass(frozen=True, slots=True)
class Stretch:
    """A range of blocks and of nodes."""

    block: int
    block_end: int
    node: int
    node_end: int


def _stretches(page: Page, landmarks: Landmarks) -> tuple[Stretch, Stretch, Stretch]:
    """The ranges that are measured, in the order of `RANGES`; one that the page does not have is empty."""
    nodes, blocks = page.nodes, page.blocks
    nothing = Stretch(0, 0, 0, 0)
    core = after = nothing
    if len(nodes):
        end = int(nodes.end[landmarks.core])
        core = Stretch(int(landmarks.first_block[landmarks.core]), int(landmarks.first_block[end]), landmarks.core, end)
    title = page.title_heading
    if title is not None:
        start = int(landmarks.first_block[title])
        stop = min(len(blocks), start + AFTER_TITLE)
        after = Stretch(start, stop, title, int(blocks.node_end[stop - 1]) if stop > start else title)
    return Stretch(0, len(blocks), 0, len(nodes)), core, after


def _tag_counts(page: Page, stretch: Stretch) -> npt.NDArray[np.intp]:
    return np.bincount(page.nodes.tag[stretch.node : stretch.node_end], minlength=len(tags.TAGS))


def _places(names: list[str]) -> npt.NDArray[np.intp]:
    return np.array([tags.TAG[name] for name in names], np.intp)


_COUNTED, _IN_RANGE = _places(COUNTED_TAGS), _places(RANGE_TAGS)


def _container_table() -> npt.NDArray[np.int32]:
    """What each tag is as the container of a block; the last entry is for tags without a number."""
    table = np.zeros(len(tags.TAGS) + 1, np.int32)
    for kind, names in _CONTAINERS.items():
        table[_places(names.split())] = kind
    return table


_CONTAINER_OF_TAG: Final = _container_table()


def _read_blocks(page: Page, landmarks: Landmarks, reader: Reader) -> Any:
    """A `BlockReader` of `native.type_numbers`, compiled or interpreted."""
    blocks = page.blocks
    *_, words, _, _ = landmarks.columns.blocks
    is_stamp, is_usable, *_ = landmarks.columns.of_blocks
    is_price = zeros(len(blocks), np.int32)
    reader.find_prices(*map(as_column, (blocks.text_start, blocks.text_end)), words, is_usable, is_price)
    container = _CONTAINER_OF_TAG.take(page.nodes.tag[blocks.container], mode="clip")
    tells_time = landmarks.tells_time.astype(np.int32)
    link_share, container = as_column(landmarks.link_share), as_column(container)
    return _loops.BlockReader(words, is_usable, link_share, container, is_price, as_column(tells_time), is_stamp)


def _range_numbers(blocks: Any, stretch: Stretch, tag_counts: npt.NDArray[np.intp]) -> Iterator[float]:
    """The words of a range, its sums as shares of them, and how often it has some tags."""
    sums = zeros(len(RANGE_SUMS), np.float64)
    words = blocks.add_up(stretch.block, stretch.block_end, sums)
    yield words
    yield stretch.block_end - stretch.block
    yield from (np.asarray(sums) / max(1, words)).tolist()
    yield from tag_counts[_IN_RANGE].tolist()


def _line_numbers(blocks: Any, count: int, words: float) -> Iterator[float]:
    """How the words are spread over lines, and the longest run of text that nothing interrupts."""
    lines, texts = zeros(count, np.int32), zeros(count, np.int32)
    sorted_lines = np.sort(np.asarray(lines[: blocks.list_lines(lines)], np.int32)).tolist()
    sorted_texts = np.sort(np.asarray(texts[: blocks.list_texts(texts)], np.int32)).tolist()
    yield from (percentile(sorted_lines, share) for share in PERCENTILES)
    yield len(sorted_texts)
    yield percentile(sorted_texts, 50)
    yield sorted_texts[-1] if sorted_texts else 0.0
    run = blocks.longest_run()
    yield run
    yield run / max(1.0, words)


def percentile(ascending: list[float], share: int) -> float:
    """Return the value below which this share of some sorted numbers is, 0 if there are none.

    >>> percentile([1, 2, 4, 8], 50), percentile([], 90)
    (3.0, 0.0)
    """
    if not ascending:
        return 0.0
    place, rest = divmod((len(ascending) - 1) * share, 100)
    following = ascending[min(place + 1, len(ascending) - 1)]
    return ascending[place] + (following - ascending[place]) * rest / 100


def _record_numbers(page: Page, landmarks: Landmarks) -> tuple[float, ...]:
    """Measures of the records that repeat, and of the group of them that has most words."""
    records = landmarks.records.astype(np.int32)
    if not len(records):
        return (0.0,) * len(RECORDS)
    nodes = page.nodes
    images = np.zeros(len(nodes) + 1, np.int32)
    np.cumsum(nodes.tag == tags.TAG["img"], out=images[1:])
    _, parent, end, _ = landmarks.columns.nodes
    words, characters, link_characters, *_ = landmarks.columns.sums
    sizes, measures = zeros(len(records), np.float64), zeros(_RECORD_SUMS, np.float64)
    _loops.measure_records(
        as_column(records),
        as_column(landmarks.is_signed.astype(np.int32)),
        end,
        parent,
        as_column(landmarks.first_block),
        words,
        characters,
        link_characters,
        as_column(images),
        zeros(len(nodes), np.int32),
        zeros(len(nodes), np.float64),
        sizes,
        measures,
    )
    signed, linked, pictured, largest, group, group_words, *of_group = map(float, measures)
    return (
        len(records),
        percentile(np.sort(np.asarray(sizes)).tolist(), 50),
        *(signed, linked, pictured, largest, group),
        group_words / max(1.0, float(words[-1])),
        group_words / group,
        *(count / group for count in of_group),
    )


def _mark_numbers(page: Page, reader: Reader) -> Iterator[float]:
    """How many of each of the `MARKS` there are in a thousand characters."""
    size = min(len(page.text), MAX_TEXT)
    counts = zeros(len(MARKS), np.int32)
    reader.count_marks(size, counts)
    return (int(count) * 1000 / max(1, size) for count in counts)


@cache
def _link_words() -> tuple[Column, Column, Column]:
    """The words in addresses that say where a link leads: their hashes, a table of them, and what each says."""
    pairs = [(hash_of(word), kind) for kind, words in _LINK_WORDS.items() for word in words.split()]
    keys = as_column(np.array([key for key, _ in pairs], np.int64))
    slots = zeros(table_size(len(pairs)), np.int32)
    _text_loops.fill_slots(keys, slots)
    return keys, slots, as_column(np.array([kind for _, kind in pairs], np.int32))


def _link_numbers(page: Page, reader: Reader) -> Iterator[float]:
    """Where the links lead: out of the site, around the page, to more pages, people, the cart, a phone."""
    size = table_size(int(np.count_nonzero(page.attributes[0] == tags.ATTRIBUTE["href"])))
    slots, uses, counts = zeros(size, np.int64), zeros(size, np.int32), zeros(7, np.int32)
    reader.read_links(tags.ATTRIBUTE["href"], tags.TAG["a"], _link_words(), slots, uses, counts)
    links, hosts, *others = map(int, counts)
    own = reader.host_key(page.url, 0, len(page.url)) if page.url else 0
    # A page that does not know its address is on the site that most of its links lead to.
    inward = int(np.asarray(uses)[np.asarray(slots) == own].sum()) if own else int(np.max(uses))
    yield (hosts - inward) / max(1, links)
    yield from others


def _address_numbers(page: Page) -> tuple[float, ...]:
    if not page.url:
        return (UNKNOWN,) * len(ADDRESS)
    path = split_address(page.url).path
    steps = [step for step in path.split("/") if step]
    last = len(step_words(steps[-1])) if steps else 0
    return len(steps), last, sum(map(str.isdigit, path)), len(path)


def _title_numbers(page: Page, reader: Reader) -> tuple[float, float]:
    """The words of the title, and of the heading that repeats it."""
    heading = page.title_heading
    title = page.title[:MAX_TEXT]
    return (
        _count_words(reader, title),
        UNKNOWN if heading is None else _count_words(reader, page.text_of(heading)[:MAX_TEXT]),
    )


def _count_words(reader: Reader, text: str) -> int:
    reader.begin(zeros(len(text) // 2 + 1, np.int64))
    return int(reader.read_words(text, 0, len(text), 0, len(text)))
