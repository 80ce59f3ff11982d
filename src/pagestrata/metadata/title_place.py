"""The surroundings of the title: the lines and the elements in which bylines and dates are searched first."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from pagestrata.metadata.dates import find_dates
from pagestrata.metadata.markup import MAX_HEADING_LENGTH, elements_tagged, short_text, title_of
from pagestrata.page.page import Page
from pagestrata.page.titles import confirms

CHARACTERS_BEFORE: Final = 400
CHARACTERS_AFTER: Final = 1_500
"""Characters before and after the title that are searched for its byline and date."""
LINES_BEFORE: Final = 5
LINES_AFTER: Final = 15
MAX_LINE_LENGTH: Final = 120
"""A longer line is running text."""
MAX_HEADINGS: Final = 50
MAX_NEAR: Final = 5_000
"""Nodes near a title that are read; any number of elements without text can be near."""


@dataclass(frozen=True, slots=True)
class TitlePlace:
    """The span of the title in the text of the page, and the nodes near it."""

    start: int
    end: int
    near: range


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the page, and the line above it, which may be its label."""

    text: str
    above: str


def title_place(page: Page) -> TitlePlace:
    """The place of the title heading, or of the first `<h2>` that `<title>` confirms, or else the start of the page."""
    node = page.title_heading if page.title_heading is not None else _confirmed_heading(page)
    start, end = (0, 0) if node is None else (int(page.nodes.text_start[node]), int(page.nodes.text_end[node]))
    near = np.searchsorted(page.nodes.text_start, (start - CHARACTERS_BEFORE, end + CHARACTERS_AFTER))
    return TitlePlace(start, end, range(int(near[0]), int(near[1]))[:MAX_NEAR])


def _confirmed_heading(page: Page) -> int | None:
    nodes = elements_tagged(page, "h2")[:MAX_HEADINGS]
    texts = ((node, short_text(page, node, MAX_HEADING_LENGTH)) for node in nodes)
    return next((node for node, text in texts if confirms(title_of(page), text)), None)


def lines_around(page: Page, place: TitlePlace) -> list[Line]:
    """The short lines after the title, then those before it, nearest first."""
    after = page.text[place.end : place.end + CHARACTERS_AFTER].split("\n")[: LINES_AFTER + 1]
    before = page.text[max(0, place.start - CHARACTERS_BEFORE) : place.start].split("\n")[-LINES_BEFORE - 1 :]
    return [*_labelled_lines(after), *reversed(list(_labelled_lines(before)))]


def _labelled_lines(lines: list[str]) -> Iterator[Line]:
    return (Line(text, above) for above, text in pairwise(["", *map(_short_line, lines)]) if text)


def _short_line(line: str) -> str:
    """A short line; of running text only the date that it begins with, as in "(17.05.2024) The tide …"."""
    if len(line) <= MAX_LINE_LENGTH:
        return line.strip()
    first = next(find_dates(line[:MAX_LINE_LENGTH].lstrip()), None)
    return line.lstrip()[: first.end] if first and first.start <= len("(") else ""
