"""What a reader sees: headings, the line with the name and the date below the title, and the date in the address."""

from collections.abc import Iterator
from typing import Final

import numpy as np

from pagestrata.metadata.dates import date_in_address, read_date
from pagestrata.metadata.found import Found
from pagestrata.metadata.markup import short_text, values_of
from pagestrata.options import Options
from pagestrata.page.page import Page

SOURCE: Final = "visible"
MOST_HEADINGS: Final = 20
MOST_TIMES: Final = 100
BYLINE_LENGTH: Final = 120
NEAR: Final = 2_000
"""Characters around the title in which its byline and date are looked for."""
# What classes and ids call the place of the author's name.
BYLINE_NAMES: Final = ("author", "byline", "writer")


def read(page: Page, options: Options) -> list[Found]:
    """Everything we can read off the page itself."""
    return [*_headings(page), *_bylines(page), *_times(page), *_address(page)]


def _headings(page: Page) -> Iterator[Found]:
    for node in page.nodes_tagged("h1")[:MOST_HEADINGS].tolist():
        text = short_text(page, node, 1000).strip()
        if text:
            yield Found("title", (text,), SOURCE)


def _title_place(page: Page) -> int:
    nodes = page.nodes_tagged("h1")
    return int(page.nodes.text_end[nodes[0]]) if len(nodes) else 0


def _bylines(page: Page) -> Iterator[Found]:
    place = _title_place(page)
    marked = [
        node
        for attribute in ("rel", "itemprop", "class", "id")
        for node, value in values_of(page, attribute)
        if any(name in value.lower() for name in BYLINE_NAMES)
    ]
    near = [node for node in marked if abs(int(page.nodes.text_start[node]) - place) < NEAR]
    for node in near:
        text = short_text(page, node, BYLINE_LENGTH + 1).strip()
        if text and len(text) <= BYLINE_LENGTH:
            yield Found("authors", (text,), SOURCE)


def _times(page: Page) -> Iterator[Found]:
    place = _title_place(page)
    nodes = page.nodes_tagged("time")[:MOST_TIMES].tolist()
    for node in sorted(nodes, key=lambda node: abs(int(page.nodes.text_start[node]) - place)):
        text = page.attribute(node, "datetime") or short_text(page, node, BYLINE_LENGTH)
        if read_date(text):
            yield Found("date_published", (text,), SOURCE)


def _address(page: Page) -> Iterator[Found]:
    day = date_in_address(page.url) if page.url else None
    if day:
        yield Found("date_published", (day,), "url")
