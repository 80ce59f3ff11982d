"""What tells the type of a page: the words in seven places, and measures of its text, links and records.

No sign is needed: a page without an address, without class and id names or in a language that no model has seen has
the others left.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, pairwise
from typing import Any, Final
from urllib.parse import SplitResult, urlsplit

import numpy as np
import numpy.typing as npt

from pagestrata.engine.prose import (
    are_linked,
    are_signed,
    blocks_of,
    core_shares,
    covered,
    find_records,
    host_in,
    in_control,
    is_stamp,
    link_shares,
    own_host,
    running_sum,
    running_text,
    texts_of,
)
from pagestrata.page import tags
from pagestrata.page.nodes import Bools
from pagestrata.page.page import Page

Floats = npt.NDArray[np.float64]
Words = Mapping[str, frozenset[str]]
"""The different words in each of the `PLACES`."""

PLACES: Final = ("address", "title", "names", "markup", "meta", "lines", "text")
SHORT_LINE: Final = 100
"""Characters below which a line is a label, a link or a heading rather than text."""
LONG_LINE: Final = 12
"""Words from which a line is a sentence or more."""
SHORT_WORDS: Final = 16
"""Words up to which a line may be a price, a date or a signature, rather than mention one."""
LABEL: Final = 4
"""Words up to which a line is a word of its own: "add to cart"."""
OFTEN: Final = (5, 20)
"""Uses of a name from which it says something more: one "product" is no grid of them."""
MOST_TEXT: Final = 300_000
"""Characters of text, and of JSON-LD, that are looked at; the longest text of a wcxb page has about as many."""
LONGEST_NAME: Final = 200
"""Characters of a class or id that are looked at."""
LONGEST_LINE: Final = 200
"""Characters of a line in which a price or a date is looked for."""
AFTER_TITLE: Final = 30
"""Blocks after the title that are measured on their own."""
PLAIN: Final = 0.3
"""Share of links below which a line is text."""

_WORD_EDGE = re.compile(r"[^A-Za-z]+|(?<=[a-z])(?=[A-Z])")
_WORD = re.compile(r"[^\W\d_]{2,}")
_ADDRESS_WORD = re.compile(r"[a-z]{2,}")
_QUERY_NAME = re.compile(r"([a-z_]{1,15})=")
_ENDING = re.compile(r"\.([a-z]{2,5})$")
_SCHEMA_TYPE = re.compile(r'"@type"\s*:\s*(?:\[\s*)?"(?:https?://schema\.org/)?([A-Za-z]{2,40})"')
_PRICE = re.compile(r"[$€£¥₹]\s?\d|\d[\d.,]*\s?(?:€|£|kr\b|zł|USD|EUR|GBP)")
_DATE = re.compile(r"(?:19|20)\d\d|\bago\b|\d{1,2}[./-]\d{1,2}[./-]\d\d")
_MAY_TELL = re.compile(r"\d|ago|前")
"""What every price, date and signature has one of: most lines have none, and need no closer look."""
_NEXT_PAGE = re.compile(r"[?&/](?:page|p|start|offset)[=/-]?\d+")
_PERSON = re.compile(r"/(?:u|users?|members?|profiles?|authors?)/")
_CART = re.compile(r"cart|basket|checkout", re.IGNORECASE)

_HEADINGS = "h1 h2 h3 h4 h5 h6"
_FIELDS = tuple(tags.TAG[name] for name in "input textarea select button form".split())
_COUNTED: Final = (
    "a p li img h2 h3 time code pre button input textarea form div span section article figure svg ul strong i br td "
    "iframe nav label video"
).split()
"""Tags that are counted on the page, those inside of the text as well as those around it."""
_MARKS: Final = {"question": "?", "exclamation": "!", "comma": ",", "colon": ":", "equal": "=", "money": "$€£"}


def words_of(page: Page) -> Words:
    """The words of a page, by the place where they stand."""
    lines, text = _lines(page)
    found: dict[str, Iterable[str]] = {
        "address": _address_words(page.url) if page.url else (),
        "title": _title_words(page),
        "names": _names(page),
        "markup": _markup(page),
        "meta": _meta(page),
        "lines": lines,
        "text": text,
    }
    return {place: frozenset(found[place]) for place in PLACES}


def _split(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def _address_words(url: str) -> Iterator[str]:
    """The words of an address, told apart by where they stand, and its shape."""
    parts = _parts(url)
    host = (parts.hostname or "").lower().removeprefix("www.").split(".")
    yield f"ends {host[-1]}"
    yield from (f"host {word}" for word in _ADDRESS_WORD.findall(" ".join(host[:-1])))
    steps = [step for step in parts.path.lower().split("/") if step]
    yield f"deep {min(6, len(steps))}"
    for place, step in enumerate(steps):
        where = "last" if place == len(steps) - 1 else "step"
        found = _ADDRESS_WORD.findall(step)
        yield from (f"{where} {word}" for word in found)
        yield f"{where} {'number' if step.isdigit() else min(6, len(found))}"
    yield from (f"ending {word}" for word in _ENDING.findall(parts.path.lower()))
    yield from (f"asks {name}" for name in _QUERY_NAME.findall(parts.query.lower()))


def _parts(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        parts.hostname  # noqa: B018 - reading it may raise as well
    except ValueError:  # "http://[": no address that tells anything
        return urlsplit("")
    return parts


def _title_words(page: Page) -> Iterator[str]:
    title = _split(page.title[:MOST_TEXT])
    yield from title
    yield from (f"{first} {second}" for first, second in pairwise(title))
    for node in page.nodes_tagged(*_HEADINGS.split()).tolist():
        mark = "h1" if page.nodes.tag_name(node) == "h1" else "h"
        yield from (f"{mark}: {word}" for word in _split(page.text_of(node)[:LONGEST_LINE]))


@lru_cache(maxsize=50_000)
def _name_words(value: str) -> tuple[str, ...]:
    """The words in a class or id, each once; pages of a site share most of them.

    >>> _name_words("post-123 entryContent col-md-6")
    ('post', 'entry', 'content', 'col')
    """
    return tuple(dict.fromkeys(chain.from_iterable(map(_words_of, value[:LONGEST_NAME].split()))))


@lru_cache(maxsize=50_000)
def _words_of(one: str) -> tuple[str, ...]:
    """The words in one class; sites share many of these, and few of their combinations."""
    return tuple([word.lower() for word in _WORD_EDGE.split(one) if 2 < len(word) < 20])


def _names(page: Page) -> Iterator[str]:
    """The words in class and id names, and again when they are used often."""
    counts = Counter[str]()
    for value, uses in Counter(value for name in ("class", "id") for _, value in page.values_of(name)).items():
        for word in _name_words(value):
            counts[word] += uses
    yield from counts
    for often in OFTEN:
        yield from (f"{word} {often}" for word, count in counts.items() if count >= often)


def _markup(page: Page) -> Iterator[str]:
    """What the elements are, apart from how they are named: tags, roles, fields, microdata."""
    yield from (page.nodes.names[tag] for tag in np.unique(page.nodes.tag).tolist())
    for name in ("role", "itemprop", "rel"):
        yield from (f"{name} {value.lower()[:30]}" for _, value in page.values_of(name))
    yield from (f"item {value.lower().rsplit('/', 1)[-1][:30]}" for _, value in page.values_of("itemtype"))
    is_field = page.nodes.is_one_of(_FIELDS).tolist()
    for name in ("name", "type"):
        yield from (f"{name} {value.lower()[:30]}" for node, value in page.values_of(name) if is_field[node])


def _meta(page: Page) -> Iterator[str]:
    """What the head says of the page, and the types that JSON-LD names."""
    for node in page.nodes_tagged("meta").tolist():
        said = dict(page.attributes_of(node))
        name = (said.get("property") or said.get("name") or "").lower()[:40]
        content = said.get("content", "")[:300].lower()
        yield name
        if name in ("og:type", "twitter:card"):
            yield f"{name} {content[:30]}"
        elif name == "generator":
            yield from (f"made by {word}" for word in _split(content)[:2])
        elif name in ("description", "og:description"):
            yield from (f"says {word}" for word in _split(content))
    types = Counter(_SCHEMA_TYPE.findall("\n".join(page.json_ld)[:MOST_TEXT]))
    yield from (f"type {name.lower()}" for name in types)
    yield from (f"type {name.lower()} {OFTEN[0]}" for name, count in types.items() if count >= OFTEN[0])


def _lines(page: Page) -> tuple[set[str], set[str]]:
    """The words of short lines, told apart by whether they are links, with the shortest lines whole; those of text."""
    blocks = page.blocks
    seen = np.flatnonzero(~blocks.is_unseen & (blocks.text_start < MOST_TEXT))
    short: dict[bool, list[str]] = {True: [], False: []}
    labels, long = set(), []
    is_link = (link_shares(page)[seen] > 0.5).tolist()
    for line, linked in zip(texts_of(page, seen), is_link, strict=True):
        if len(line) < SHORT_LINE:
            short[linked].append(line)
            if line.count(" ") < LABEL:
                labels.add(" ".join(_split(line)))
        else:
            long.append(line)
    links = {f"to {word}" for word in _split("\n".join(short[True]))}
    return labels | links | set(_split("\n".join(short[False]))), set(_split("\n".join(long)[:MOST_TEXT]))


def numbers_of(page: Page) -> dict[str, float]:
    """The measures of a page by name, always the same names in the same order."""
    columns = _columns(page)
    records = find_records(page)
    signed, linked = are_signed(page, records), are_linked(page, records)
    core = _core(page, records[signed | linked])
    title = page.title_heading
    found: dict[str, float] = {}
    for stretch in (_whole(page), core, _after(page, title)):
        found |= {f"{stretch.name}_{name}": value for name, value in columns.measures(stretch)}
    found["core_share"] = found["core_words"] / max(1.0, found["page_words"])
    found |= _tag_counts(page, found["page_words"])
    found |= _line_lengths(page)
    found |= _record_numbers(page, records, signed, linked)
    found |= _mark_numbers(page)
    found |= _link_numbers(page)
    found |= _address_numbers(page)
    found["title_words"] = len(_split(page.title[:MOST_TEXT]))
    found["heading_words"] = len(_split(page.text_of(title))) if title is not None else -1
    return found


@dataclass(frozen=True, slots=True)
class Stretch:
    """A run of blocks and of nodes."""

    name: str
    block: int
    block_end: int
    node: int
    node_end: int


def _whole(page: Page) -> Stretch:
    return Stretch("page", 0, len(page.blocks), 0, len(page.nodes))


def _core(page: Page, other_records: npt.NDArray[np.intp]) -> Stretch:
    """The element that holds most of the running text."""
    if not len(page.nodes):
        return Stretch("core", 0, 0, 0, 0)
    core = int(core_shares(page, running_text(page), covered(page, other_records)).argmax())
    end = int(page.nodes.end[core])
    return Stretch("core", *page.blocks_of(core), core, end)


def _after(page: Page, title: int | None) -> Stretch:
    """The blocks from the title on; nothing if there is none."""
    if title is None:
        return Stretch("after", 0, 0, 0, 0)
    start = page.blocks_of(title)[0]
    stop = min(len(page.blocks), start + AFTER_TITLE)
    return Stretch("after", start, stop, title, int(page.blocks.node_end[stop - 1]) if stop > start else title)


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """Running sums over blocks and over nodes, so that a stretch costs one subtraction a column."""

    of_blocks: Mapping[str, Floats]
    of_nodes: Mapping[str, Floats]

    def measures(self, stretch: Stretch) -> Iterator[tuple[str, float]]:
        """Words, and all else as a share of them."""
        words = float(_between(self.of_blocks["words"], stretch.block, stretch.block_end))
        yield "words", words
        yield "blocks", stretch.block_end - stretch.block
        for name, sums in self.of_blocks.items():
            if name != "words":
                yield name, _between(sums, stretch.block, stretch.block_end) / max(1.0, words)
        for name, sums in self.of_nodes.items():
            yield name, _between(sums, stretch.node, stretch.node_end)


def _between(sums: Floats, start: int, end: int) -> float:
    return float(sums[end] - sums[start])


def _columns(page: Page) -> Columns:
    blocks, nodes = page.blocks, page.nodes
    seen = ~blocks.is_unseen & ~in_control(page)
    counted = blocks.even_words
    words, links = counted * seen, link_shares(page)
    container = nodes.tag[blocks.container]

    def stands_in(names: str) -> Bools:
        return np.asarray(np.isin(container, [tags.TAG[name] for name in names.split()]))

    short = np.flatnonzero(seen & (counted <= SHORT_WORDS)).tolist()
    starts = (line[:LONGEST_LINE] for line in texts_of(page, np.array(short, np.intp)))
    lines = [(place, line) for place, line in zip(short, starts, strict=True) if _MAY_TELL.search(line)]

    def says(test: Callable[[str], object]) -> Bools:
        found = np.zeros(len(blocks), np.bool_)
        found[[place for place, line in lines if test(line)]] = True
        return found

    heading = stands_in(_HEADINGS) & seen
    of_blocks: dict[str, npt.NDArray[Any]] = {
        "words": words,
        "links": words * links,
        "paragraphs": words * stands_in("p") * (links < PLAIN),
        "items": words * stands_in("li dt dd"),
        "cells": words * stands_in("td th"),
        "headings": words * heading,
        "code": words * stands_in("pre code"),
        "long": words * (counted >= LONG_LINE) * (links < PLAIN),
        "very_long": words * (counted >= 4 * LONG_LINE) * (links < PLAIN),
        "heads": heading,
        "linked_heads": heading & (links > 0.5),
        "prices": says(_PRICE.search),
        "dates": says(_DATE.search),
        "stamps": says(is_stamp),
    }
    of_nodes = {name: nodes.tag == tags.TAG[name] for name in ("img", "a", "time", "button", "input", "code")}
    return Columns(
        {name: running_sum(column) for name, column in of_blocks.items()},
        {name: running_sum(column) for name, column in of_nodes.items()},
    )


def _tag_counts(page: Page, words: float) -> dict[str, float]:
    counts = np.bincount(page.nodes.tag, minlength=len(tags.TAGS)) if len(page.nodes) else np.zeros(len(tags.TAGS))
    found = {f"tag_{name}": float(counts[tags.TAG[name]]) for name in _COUNTED}
    found |= {f"rate_{name}": float(counts[tags.TAG[name]]) / max(1.0, words) for name in _COUNTED}
    return found | {"nodes": len(page.nodes), "depth": float(page.nodes.depth.max(initial=0))}


def _line_lengths(page: Page) -> dict[str, float]:
    """How the words are spread over lines, and the longest run of text that nothing interrupts."""
    blocks = page.blocks
    seen = ~blocks.is_unseen & ~in_control(page)
    words, plain = blocks.even_words[seen], link_shares(page)[seen] < PLAIN
    text = words[plain & (words >= LONG_LINE)]
    found = {f"line_{share}": float(np.percentile(words, share)) if len(words) else 0.0 for share in (50, 75, 90)}
    found["lines_of_text"] = len(text)
    found["line_of_text"] = float(np.median(text)) if len(text) else 0.0
    found["longest_line"] = float(text.max(initial=0))
    heading = np.isin(page.nodes.tag[blocks.container[seen]], [tags.TAG[name] for name in _HEADINGS.split()])
    counted = ~(plain & heading) & (words > 1)
    broken = np.cumsum(~(plain & (words >= LONG_LINE))[counted])
    runs = np.bincount(broken, words[counted] * (plain & (words >= LONG_LINE))[counted]) if len(broken) else np.zeros(1)
    found["run"], found["run_share"] = float(runs.max()), float(runs.max() / max(1, words.sum()))
    return found


def _record_numbers(page: Page, records: npt.NDArray[np.intp], signed: Bools, linked: Bools) -> dict[str, float]:
    """Of the records that repeat, and of the group of them that has most words."""
    starts, ends = blocks_of(page, records)
    sums = running_sum(page.blocks.even_words * ~page.blocks.is_unseen)
    words = sums[ends] - sums[starts]
    images = running_sum(page.nodes.tag == tags.TAG["img"])
    has_image = images[page.nodes.end[records]] > images[records]
    parents, group = np.unique(page.nodes.parent[records], return_inverse=True)
    inside = group == (np.bincount(group, words).argmax() if len(parents) else -1)
    size = max(1, int(inside.sum()))
    return {
        "records": len(records),
        "records_signed": float(signed.sum()),
        "records_linked": float(linked.sum()),
        "records_pictured": float(has_image.sum()),
        "record_words": float(np.median(words)) if len(words) else 0.0,
        "largest_group": float(np.bincount(group).max(initial=0)),
        "group": float(inside.sum()),
        "group_share": float(words[inside].sum() / max(1.0, sums[-1])),
        "group_words": float(words[inside].sum() / size),
        "group_signed": float(signed[inside].sum() / size),
        "group_linked": float(linked[inside].sum() / size),
        "group_pictured": float(has_image[inside].sum() / size),
    }


def _mark_numbers(page: Page) -> dict[str, float]:
    text = page.text[:MOST_TEXT]
    size = max(1, len(text)) / 1000
    found = {f"mark_{name}": sum(map(text.count, marks)) / size for name, marks in _MARKS.items()}
    found["mark_digit"] = sum(map(text.count, "0123456789")) / size
    found["json_ld"] = len(page.json_ld)
    return found


def _link_numbers(page: Page) -> dict[str, float]:
    targets = [target for _, target in page.links]
    hosts = [host_in(target) for target in targets]
    own = own_host(page, hosts)
    outward = sum(1 for host in hosts if host and host != own)
    return {
        "links_out": outward / max(1, len(targets)),
        "links_inside": sum(1 for target in targets if len(target) > 1 and target[0] == "#"),
        "links_to_pages": sum(1 for target in targets if _NEXT_PAGE.search(target)),
        "links_to_people": sum(1 for target in targets if _PERSON.search(target)),
        "links_to_cart": sum(1 for target in targets if _CART.search(target)),
        "links_to_call": sum(1 for target in targets if target.startswith(("tel:", "mailto:"))),
    }


def _address_numbers(page: Page) -> dict[str, float]:
    """Of the address; -1 where it is not known."""
    if not page.url:
        return dict.fromkeys(("address_steps", "address_last", "address_digits", "address_length"), -1.0)
    path = _parts(page.url).path
    steps = [step for step in path.split("/") if step]
    return {
        "address_steps": len(steps),
        "address_last": len(_ADDRESS_WORD.findall(steps[-1].lower())) if steps else 0,
        "address_digits": sum(map(str.isdigit, path)),
        "address_length": len(path),
    }
