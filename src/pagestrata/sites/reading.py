"""A page read with a template: which slot each block fills, how sure it is noise, where the running text is."""

import re
from dataclasses import dataclass
from typing import Final

import numpy as np

from pagestrata.algorithms.template import Match, Template
from pagestrata.page.nodes import Bools
from pagestrata.page.page import Page
from pagestrata.sites.prose import Floats, Ints, Prose, link_shares, read_prose

SIGNATURE_WORDS: Final = 16
"""A line of at most this many words may say who wrote something and when."""
WHOLE: Final = 0.9
"""The share of a line that must recur for the line to recur: words of program code recur everywhere."""
LETTER_WORDS: Final = 3
"""Words without links from which a record says something."""

_TIME = re.compile(r"\d{1,2}[:h.]\d\d|\d{4}|\d{1,2}[./-]\d{1,2}|\b\d+\s+\w+\s+ago\b|前")
_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """What a template tells about a page; arrays have one entry per block unless said otherwise."""

    page: Page
    match: Match
    slot: Ints
    """The template node of the element around each block, or -1."""
    noise: Floats
    """How sure its text stands on most pages of the site, in [0, 1]."""
    recurs: Bools
    """Whether (nearly) all of its text stands on another page too."""
    links: Floats
    """The share of its text that is links."""
    prose: Prose
    signed: Ints
    """The records that say who wrote them and when."""


def read(template: Template, page: Page, match: Match | None = None, inside: bool = False) -> Reading:
    """Read a page with a template; `inside` if the template was learned from it."""
    match = match or template.match(page)
    leaves = np.asarray(template.noise(page, match, inside), np.float64)
    mean, covered = means(page, leaves), means(page, leaves > 0)
    noise = mean * covered
    slot = match.template_node[page.blocks.container].astype(np.intp)
    prose = read_prose(page, noise)
    signed = signed_records(page, prose.records)
    return Reading(page, match, slot, noise, covered >= WHOLE, link_shares(page), prose, signed)


def means(page: Page, of_text: Floats | Bools) -> Floats:
    """The mean over the texts of each block, by length."""
    nodes, blocks = page.nodes, page.blocks
    size = np.where(nodes.is_text, nodes.text_end - nodes.text_start, 0)
    total, sums = _running(size), _running(size * of_text)
    sizes = total[blocks.node_end] - total[blocks.node_start]
    return np.asarray((sums[blocks.node_end] - sums[blocks.node_start]) / np.maximum(1, sizes), np.float64)


def signed_records(page: Page, records: Ints) -> Ints:
    """The records with a line of name and time, and a text: comments, posts."""
    starts = np.searchsorted(page.blocks.node_start, records)
    ends = np.searchsorted(page.blocks.node_start, page.nodes.end[records])
    stamped = _running(stamps(page, starts, ends))
    plain = page.blocks.words * (1 - link_shares(page))
    texts = _running(plain >= LETTER_WORDS)
    return records[(stamped[ends] > stamped[starts]) & (texts[ends] - texts[starts] >= 1) & (ends - starts >= 2)]


def stamps(page: Page, starts: Ints, ends: Ints) -> Ints:
    """Whether each block inside these is a short line with a time in it."""
    found = np.zeros(len(page.blocks), np.intp)
    inside = np.zeros(len(page.blocks) + 1, np.intp)
    np.add.at(inside, starts, 1)
    np.subtract.at(inside, ends, 1)
    short = page.blocks.words <= SIGNATURE_WORDS
    for block in np.flatnonzero((np.cumsum(inside[:-1]) > 0) & short).tolist():
        text = page.text[page.blocks.text_start[block] : page.blocks.text_end[block]]
        found[block] = is_stamp(text[:200])
    return found


def is_stamp(line: str) -> bool:
    """Whether a short line tells a time: at least two numbers, or so many units ago.

    >>> is_stamp("Jeni on November 9, 2012"), is_stamp("3 days ago"), is_stamp("Chapter 4")
    (True, True, False)
    """
    numbers = len(_NUMBER.findall(line))
    return bool(_TIME.search(line)) and (numbers >= 2 or " ago" in line or "前" in line)


def _running(column: Ints | Floats | Bools) -> Floats:
    """Sums up to each place, so that the sum over a range is one subtraction."""
    return np.concatenate(([0.0], np.cumsum(column, dtype=np.float64)))
