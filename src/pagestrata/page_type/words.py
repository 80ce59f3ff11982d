"""The words that tell the type of a page, in seven places, as keys: see `native.type_text`."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, Final
from urllib.parse import SplitResult, urlsplit

import numpy as np

from pagestrata.native import kernel, type_text
from pagestrata.native.arrays import Column, as_column, zeros
from pagestrata.page import tags
from pagestrata.page.page import Page

Reader = Any
"""A `WordReader` of `native.type_text`, compiled or interpreted."""
Words = tuple[Column, ...]
"""The keys of the words in each of the `PLACES`; a key may occur more than once."""

PLACES: Final = ("address", "title", "names", "markup", "meta", "lines", "text")
MAX_TEXT: Final = 300_000
"""Characters of text, and of JSON-LD, that are read; the longest text of a wcxb page has about as many."""
MAX_NAME_SLOTS: Final = 8192
"""Slots of the table in which the words of class and id names are counted. A wcxb page has 1,600
different words at most; of a page with more words than fit, the last ones are dropped."""
MAX_STEPS: Final = 6
"""Steps of an address, and words of a step, above which their number is no longer told apart."""
KNOWN_LETTERS: Final = 0x590
"""Characters of Unicode with small and capital letters, nearly all of them: Latin, Greek, Cyrillic, Armenian."""

# Seeds tell words apart that stand in the same place.
_PLAIN, _LINK, _H1, _HEADING, _SCHEMA_TYPE, _SCHEMA_TYPE_OFTEN = 1, 2, 3, 4, 5, 6

_ADDRESS_WORD = re.compile(r"[a-z]{2,}")
_QUERY_NAME = re.compile(r"([a-z_]{1,15})=")
_ENDING = re.compile(r"\.([a-z]{2,5})$")
_TYPE_OF_SCHEMA = re.compile(r'"@type"\s*:\s*(?:\[\s*)?"(?:https?://schema\.org/)?([A-Za-z]{2,40})"')

HEADINGS: Final = "h1 h2 h3 h4 h5 h6"
UNDRAWN: Final = tags.numbers_of("script style template")
"""Tags of elements that say nothing of a page: a site may have any number of them."""
_TAG_COUNT = len(tags.TAGS) + 1
_META_NAMES = tuple(tags.ATTRIBUTE[name] for name in ("property", "name", "content"))
_loops = kernel("type_text")


def reader_of(page: Page) -> Reader:
    """Return a reader of the characters of a page."""
    nodes = page.nodes
    number, _, start, end = page.attributes
    tag = np.minimum(nodes.tag, _TAG_COUNT - 1)
    return _loops.WordReader(
        page.text,
        page.markup,
        tuple(map(as_column, (number, start, end))),
        tuple(map(as_column, (tag, nodes.attribute_start, nodes.attribute_end, nodes.text_start, nodes.text_end))),
        _small_letters(),
    )


@cache
def _small_letters() -> Column:
    """For each of the first characters of Unicode the code of its small letter, 0 for what is no letter."""
    codes = [ord(chr(code).lower()[0]) if chr(code).isalpha() else 0 for code in range(KNOWN_LETTERS)]
    return as_column(np.array(codes, np.int32))


def words_of(page: Page, reader: Reader) -> Words:
    """Return the keys of the words of a page, by the place where they stand."""
    return (
        _address(page, reader),
        _title(page, reader),
        _names(page, reader),
        _markup(page, reader),
        _meta(page, reader),
        *_lines(page, reader),
    )


def _begin(reader: Reader, room: int) -> Column:
    keys = zeros(room, np.int64)
    reader.begin(keys)
    return keys


def _address(page: Page, reader: Reader) -> Column:
    words = tuple(address_words(page.url)) if page.url else ()
    keys = _begin(reader, len(words))
    _add(reader, words, _PLAIN)
    return keys


def _add(reader: Reader, words: Iterable[str], seed: int) -> None:
    for word in words:
        reader.read_value(word, 0, len(word), seed)


def address_words(url: str) -> Iterator[str]:
    """Yield the words of an address, told apart by where they stand, and its shape."""
    parts = split_address(url)
    host = (parts.hostname or "").lower().removeprefix("www.").split(".")
    yield f"ends {host[-1]}"
    yield from (f"host {word}" for word in _ADDRESS_WORD.findall(" ".join(host[:-1])))
    steps = [step for step in parts.path.lower().split("/") if step]
    yield f"deep {min(MAX_STEPS, len(steps))}"
    for place, step in enumerate(steps):
        where = "last" if place == len(steps) - 1 else "step"
        words = step_words(step)
        yield from (f"{where} {word}" for word in words)
        yield f"{where} {'number' if step.isdigit() else min(MAX_STEPS, len(words))}"
    yield from (f"ending {word}" for word in _ENDING.findall(parts.path.lower()))
    yield from (f"asks {name}" for name in _QUERY_NAME.findall(parts.query.lower()))


def step_words(step: str) -> list[str]:
    """Return the words in one step of the path of an address."""
    return _ADDRESS_WORD.findall(step.lower())


def split_address(url: str) -> SplitResult:
    """Split an address into its parts; all are empty if it is none."""
    try:
        parts = urlsplit(url)
        parts.hostname  # noqa: B018 - reading it may raise as well
    except ValueError:  # "http://["
        return urlsplit("")
    return parts


def _title(page: Page, reader: Reader) -> Column:
    """The words of the title, every two that follow each other, and those of headings."""
    title = page.title[:MAX_TEXT]
    nodes = page.nodes
    headings = page.nodes_tagged(*HEADINGS.split())
    lengths = (nodes.text_end[headings] - nodes.text_start[headings]).clip(0, type_text.HEADING_START)
    keys = _begin(reader, len(title) + 2 + len(headings) + int(lengths.sum()) // 2)
    reader.read_title(title, len(title), _PLAIN)
    reader.read_headings(as_column(headings), tags.TAG["h1"], _H1, _HEADING)
    return keys[: reader.size]


def _attribute_table(*names: str) -> Column:
    """A column with a number for each attribute: its place among the names, 0 for all others."""
    table = np.zeros(len(tags.ATTRIBUTES), np.int32)
    for place, name in enumerate(names, 1):
        table[tags.ATTRIBUTE[name]] = place
    return as_column(table)


_IS_NAME = _attribute_table("class", "id")
_VALUE_SEEDS = _attribute_table("role", "itemprop", "rel", "itemtype")
_FIELD_SEEDS = as_column(np.asarray(_attribute_table("name", "type"), np.int32) * 8)
_IS_FIELD = as_column(
    np.isin(np.arange(_TAG_COUNT), tags.numbers_of("input textarea select button form")).astype(np.int32)
)


def _names(page: Page, reader: Reader) -> Column:
    """The words in class and id names, and again when they are used often."""
    number, _, start, end = page.attributes
    is_name = np.asarray(_IS_NAME, np.int32)[number] > 0
    lengths = (end - start)[is_name].clip(0, type_text.NAME_START)
    words = int(lengths.sum()) // type_text.MIN_LETTERS
    slots = min(table_size(words), MAX_NAME_SLOTS)
    keys = _begin(reader, 3 * min(words, slots))
    reader.read_names(_IS_NAME, zeros(slots, np.int64), zeros(slots, np.int32))
    return keys[: reader.size]


def table_size(entries: int) -> int:
    """Return the size of a table for so many entries: a power of two, at least twice as many."""
    return 1 << (2 * entries).bit_length()


def _markup(page: Page, reader: Reader) -> Column:
    """The tags, roles, kinds of links, form fields and microdata of a page, apart from how elements are named."""
    nodes = page.nodes
    present = [tag for tag in np.flatnonzero(np.bincount(nodes.tag)).tolist() if tag not in UNDRAWN]
    keys = _begin(reader, len(present) + page.attributes.shape[1])
    _add(reader, (nodes.names[tag] for tag in present), 0)
    reader.read_markup(_VALUE_SEEDS, _FIELD_SEEDS, _IS_FIELD, tags.ATTRIBUTE["itemtype"])
    return keys[: reader.size]


def hash_of(word: str) -> int:
    """Return the hash of a word, which its keys are made of."""
    nothing = zeros(0, np.int32)
    reader = _loops.WordReader("", "", (nothing,) * 3, (nothing,) * 5, _small_letters())
    return int(reader.hash_value(word, 0, len(word)))


@cache
def _content_kinds() -> dict[int, int]:
    """How the content of a meta tag is read, by the hash of its name."""
    kinds = {
        "og:type": type_text.VALUE,
        "twitter:card": type_text.VALUE,
        "generator": type_text.FIRST_WORDS,
        "description": type_text.WORDS,
        "og:description": type_text.WORDS,
    }
    return {hash_of(name): kind for name, kind in kinds.items()}


def _meta(page: Page, reader: Reader) -> Column:
    """What the head says of the page, and the types that JSON-LD names."""
    types = Counter(_TYPE_OF_SCHEMA.findall("\n".join(page.json_ld)[:MAX_TEXT])) if page.json_ld else Counter[str]()
    metas = page.nodes_tagged("meta")
    room = min(len(metas) * type_text.CONTENT_START, len(page.markup)) // 2 + 2 * len(metas)
    keys = _begin(reader, room + 2 * len(types))
    reader.read_meta(as_column(metas), _META_NAMES, _content_kinds(), _PLAIN)
    _add(reader, types, _SCHEMA_TYPE)
    _add(reader, (name for name, count in types.items() if count >= type_text.OFTEN), _SCHEMA_TYPE_OFTEN)
    return keys[: reader.size]


def _lines(page: Page, reader: Reader) -> tuple[Column, Column]:
    """The words of short lines, told apart by whether they are links, with the shortest lines whole; those of text."""
    blocks = page.blocks
    is_read = as_column((~blocks.is_unseen & (blocks.text_start < MAX_TEXT)).astype(np.int32))
    is_link = as_column((2 * blocks.link_characters > blocks.characters).astype(np.int32))
    start, end = as_column(blocks.text_start), as_column(np.minimum(blocks.text_end, MAX_TEXT))
    room = min(len(page.text), MAX_TEXT) // 2 + 2 * len(blocks)
    lines = _begin(reader, room)
    reader.read_lines(start, end, is_link, is_read, _PLAIN, _LINK)
    lines = lines[: reader.size]
    text = _begin(reader, room)
    reader.read_text(start, end, is_read, _PLAIN)
    return lines, text[: reader.size]
