"""Where the running text of a page is: how much of it each block holds, and which container is its core.

Paragraphs vouch for the container they stand in, and less and less for those around it. Records that repeat and are
signed or full of links (comments, posts, teasers) vouch less, so that an article wins over the discussion below it.
Nothing here knows the site: the numbers of many pages are pooled by `learn`.
"""

import re
from collections import Counter
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from pagestrata.page import tags
from pagestrata.page.nodes import Bools
from pagestrata.page.nodes import Ints as Columns
from pagestrata.page.page import Page

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.intp]

LONG_LINE: Final = 8
"""Words from which a line is surely part of a text."""
SHORT_LINE_SHARE: Final = 0.3
"""What the words of a shorter line count."""
CLIMB: Final = (1.0, 0.9, 0.54, 0.216)
"""What a paragraph counts for its container, the one around that, and so on: each step keeps .9, .6, .4 of it.
Set by hand, with the other weights here; not swept one by one."""
RECORD_SHARE: Final = 0.4
"""What text inside repeated records counts that are signed or mostly links; once for each level of records. Others are
parts of one text: the cells of a notebook, the steps of a recipe."""
LINKED_RECORD: Final = 0.3
"""Share of links from which a record leads elsewhere."""
SIGNATURE_WORDS: Final = 16
"""A line of at most this many words may say who wrote something and when."""
LETTER_WORDS: Final = 3
"""Words without links from which a record says something."""

_NO_CORE = tuple(
    tags.TAG[name]
    for name in "p h1 h2 h3 h4 h5 h6 br a span b i em strong img pre font u li tr dt dd code small sub sup".split()
)
_NO_RECORD = tuple(
    tags.TAG[name]
    for name in "#text p h1 h2 h3 h4 h5 h6 br a span b i em strong img pre font u ul ol figure hr center code".split()
)
_HOST = re.compile(r"\s*(?:https?:)?//([^/?#:]+)", re.IGNORECASE)
_TIME = re.compile(r"\d{1,2}[:h.]\d\d|\d{4}|\d{1,2}[./-]\d{1,2}|\b\d+\s+\w+\s+ago\b|前")
_NUMBER = re.compile(r"\d+")
_CONTROLS = tuple(tags.TAG[name] for name in "select option optgroup datalist button textarea input".split())


@dataclass(frozen=True, slots=True, eq=False)
class Prose:
    """Where the text of one page is."""

    of_block: Floats
    """Words of running text; one per block."""
    seen: Bools
    """Whether it can be seen and is no control of a form; one per block."""
    core: Floats
    """How far each node is the container of the text, 1 for the one that is most; one per node."""
    records: Ints
    """The elements that repeat next to each other, in document order."""
    signed: Ints
    """Those that say who wrote them and when."""


def read_prose(page: Page, noise: Floats) -> Prose:
    """Find the running text of a page, given how sure each block is to be noise."""
    records = find_records(page)
    signed = are_signed(page, records)
    seen = are_seen(page)
    prose = plain_words(page) * seen * (1 - noise)
    others = covered(page, records[signed | are_linked(page, records)])
    return Prose(prose, seen, core_shares(page, prose, others), records, records[signed])


def running_text(page: Page) -> Floats:
    """The words of each block that read like text: no links, no controls, nothing unseen."""
    return np.asarray(plain_words(page) * are_seen(page), np.float64)


def plain_words(page: Page) -> Floats:
    """The words of each block that read like text, without links; whether they are seen or not."""
    words = page.blocks.even_words
    plain = (1 - link_shares(page)) ** 2 * np.where(words >= LONG_LINE, 1.0, SHORT_LINE_SHARE)
    return np.asarray(words * plain, np.float64)


def are_seen(page: Page) -> Bools:
    """Whether each block can be seen and is no control of a form."""
    return np.asarray(~page.blocks.is_unseen & ~in_control(page))


def link_shares(page: Page) -> Floats:
    """The share of link text in each block."""
    return np.asarray(page.blocks.link_characters / np.maximum(1, page.blocks.characters), np.float64)


def own_host(page: Page, hosts: list[str]) -> str:
    """The host of the page: by its address, or else the one that most links lead to."""
    known = host_in(page.url or "")
    if known:
        return known
    counts = Counter(filter(None, hosts))
    return min(counts, key=lambda host: (-counts[host], host), default="")


def host_in(address: str) -> str:
    """The host of an absolute address, without `www.`; nothing for any other.

    >>> host_in("https://www.tidewater.example/mud"), host_in("/mud"), host_in("mailto:a@b.example")
    ('tidewater.example', '', '')
    """
    found = _HOST.match(address) if "//" in address else None
    return found[1].lower().removeprefix("www.") if found else ""


def in_control(page: Page) -> Bools:
    """Whether a block belongs to a control of a form: what one could choose is no text."""
    controls = np.flatnonzero(page.nodes.is_one_of(_CONTROLS))
    inside: Bools = covered(page, controls)[page.blocks.node_start] > 0
    return inside


def find_records(page: Page) -> Ints:
    """The records that repeat next to each other, in document order.

    A record is an element of two blocks or more next to one of the same tag that holds the same kinds of elements.
    """
    nodes = page.nodes
    if len(nodes) == 0:
        return np.zeros(0, np.intp)
    first_block = blocks_before(page)
    may_be = (first_block[nodes.end] - first_block[:-1] >= 2) & ~nodes.is_one_of(_NO_RECORD)
    candidates = np.flatnonzero(may_be[1:]) + 1
    order = candidates[np.argsort(nodes.parent[candidates], kind="stable")]
    parent, tag = nodes.parent[order], nodes.tag[order]
    order = order[_like_a_neighbour((parent[1:] == parent[:-1]) & (tag[1:] == tag[:-1]))]
    parent, tag, kinds = nodes.parent[order], nodes.tag[order], _kinds_inside(page, order)
    alike = (parent[1:] == parent[:-1]) & (tag[1:] == tag[:-1]) & (kinds[1:] == kinds[:-1])
    return np.sort(order[_like_a_neighbour(alike)])


def _like_a_neighbour(alike: Bools) -> Ints:
    """The places of a row that are like the one before or after, given which two neighbours are alike."""
    found = np.zeros(len(alike) + 1, np.bool_)
    found[1:] |= alike
    found[:-1] |= alike
    return np.flatnonzero(found)


def are_linked(page: Page, records: Ints) -> Bools:
    """Whether each record leads elsewhere: teasers."""
    starts, ends = blocks_of(page, records)
    links, characters = running_sum(page.blocks.link_characters), running_sum(page.blocks.characters)
    shares = (links[ends] - links[starts]) / np.maximum(1, characters[ends] - characters[starts])
    return np.asarray(shares >= LINKED_RECORD)


def signed_records(page: Page, records: Ints) -> Ints:
    """The records with a line of name and time, and a text: comments, posts."""
    found: Ints = records[are_signed(page, records)]
    return found


def are_signed(page: Page, records: Ints) -> Bools:
    """Whether each record has a line of name and time, and a text."""
    starts, ends = blocks_of(page, records)
    stamped = running_sum(stamps(page, starts, ends))
    plain = page.blocks.even_words * (1 - link_shares(page))
    texts = running_sum(plain >= LETTER_WORDS)
    return np.asarray((stamped[ends] > stamped[starts]) & (texts[ends] - texts[starts] >= 1) & (ends - starts >= 2))


def stamps(page: Page, starts: Ints, ends: Ints) -> Bools:
    """Whether each block inside these is a short line with a time in it."""
    inside = np.zeros(len(page.blocks) + 1, np.intp)
    np.add.at(inside, starts, 1)
    np.subtract.at(inside, ends, 1)
    found: Bools = (np.cumsum(inside[:-1]) > 0) & (page.blocks.even_words <= SIGNATURE_WORDS)
    found[found] = [is_stamp(text[:200]) for text in texts_of(page, np.flatnonzero(found))]
    return found


def texts_of(page: Page, blocks: Ints) -> list[str]:
    """What these blocks say."""
    spans = zip(page.blocks.text_start[blocks].tolist(), page.blocks.text_end[blocks].tolist(), strict=True)
    return [page.text[start:end] for start, end in spans]


def is_stamp(line: str) -> bool:
    """Whether a short line tells a time: at least two numbers, or so many units ago.

    >>> is_stamp("Jeni on November 9, 2012"), is_stamp("3 days ago"), is_stamp("Chapter 4")
    (True, True, False)
    """
    numbers = len(_NUMBER.findall(line))
    if not numbers and "前" not in line:
        return False
    return bool(_TIME.search(line)) and (numbers >= 2 or " ago" in line or "前" in line)


def blocks_of(page: Page, elements: Ints) -> tuple[Ints, Ints]:
    """The first block of each element, and one past its last."""
    starts, ends = np.searchsorted(page.blocks.node_start, (elements, page.nodes.end[elements]))
    return starts, ends


def running_sum(column: npt.NDArray[Any]) -> Floats:
    """Sums up to each place, so that the sum over a range is one subtraction."""
    sums = np.zeros((*column.shape[:-1], column.shape[-1] + 1))
    np.cumsum(column, axis=-1, dtype=np.float64, out=sums[..., 1:])
    return sums


def blocks_before(page: Page) -> Ints:
    """How many blocks begin before each node, and in all: the blocks of a node are from its own to that of its end."""
    before = np.zeros(len(page.nodes) + 1, np.intp)
    before[page.blocks.node_start + 1] = 1
    return np.cumsum(before)


def _kinds_inside(page: Page, elements: Ints) -> npt.NDArray[np.uint64]:
    """The tags of the children of each of these, as a set of bits."""
    nodes, kinds = page.nodes, np.zeros(len(page.nodes), np.uint64)
    is_asked = np.zeros(len(nodes), np.bool_)
    is_asked[elements] = True
    children = np.flatnonzero(is_asked[nodes.parent[1:]] & (nodes.tag[1:] != tags.TEXT)) + 1
    bits = np.uint64(1) << (nodes.tag[children] % 64).astype(np.uint64)
    np.bitwise_or.at(kinds, nodes.parent[children], bits)
    return kinds[elements]


def covered(page: Page, roots: Ints) -> Columns:
    """In how many of these subtrees each node lies; int32, one per node."""
    if len(roots) == 0:
        return np.zeros(len(page.nodes), np.int32)
    steps = np.zeros(len(page.nodes) + 1, np.int32)
    np.add.at(steps, roots, 1)
    np.subtract.at(steps, page.nodes.end[roots], 1)
    return np.cumsum(steps[:-1], dtype=np.int32)


def core_shares(page: Page, prose: Floats, depth: Columns) -> Floats:
    """How far each node is the container of the running text, given how many records each lies in; 1 for the best."""
    nodes = page.nodes
    shares = np.zeros(len(nodes))
    told = np.flatnonzero(prose > 0)
    container = page.blocks.container[told]
    weight = prose[told] * RECORD_SHARE ** depth[container]
    for share in CLIMB:
        np.add.at(shares, container, weight * share)
        weight, container = weight[container > 0], nodes.parent[container[container > 0]]
    shares[nodes.is_one_of(_NO_CORE)] = 0
    most = shares.max(initial=0)
    return shares / most if most > 0 else shares
