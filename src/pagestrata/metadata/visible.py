"""What a reader sees near the title: the heading itself, the line with a name, the line with a date."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Final

import numpy as np

from pagestrata.metadata.authors import announces_names, byline_names, shown_names
from pagestrata.metadata.clean import NAME_LENGTH
from pagestrata.metadata.dates import find_dates, read_date
from pagestrata.metadata.found import Found, answers
from pagestrata.metadata.markup import HEADING_LENGTH, short_text, tagged, title_of, values_of
from pagestrata.metadata.titles import confirms
from pagestrata.options import Options
from pagestrata.page import tags
from pagestrata.page.page import Page

SOURCE: Final = "visible"
MOST_HEADINGS: Final = 50
MOST_TIMES: Final = 200
BEFORE: Final = 400
AFTER: Final = 1_500
"""Characters before and after the title in which its byline and date stand."""
LINES_BEFORE: Final = 5
LINES_AFTER: Final = 15
LINE_LENGTH: Final = 120
"""A longer line is running text."""
LABEL_LENGTH: Final = 40
MOST_NEAR: Final = 5_000
"""Nodes that may be near a title; elements without text are near in any number."""
LISTING_DATES: Final = 4
"""Different days near a title that make it the title of a list. Swept over 2 to 5 on wcxb: 3 loses two articles."""
MOST_BYLINES: Final = 5
MOST_NODES: Final = 60
"""Of a byline that are looked through for a name."""

# What classes and ids call the place of the author's name, and what addresses of pages about authors have in them.
BYLINE_NAMES: Final = {
    "rel": re.compile("author"),
    "class": re.compile("[Aa]uthor(?!i[sz])|[Bb]yline|[Uu]sername|[Ww]riter"),
    "id": re.compile("[Aa]uthor(?!i[sz])|[Bb]yline"),
    "href": re.compile("/authors?/"),
}
# What stands before the date of a change, in lower case: English, German, French, Spanish, Italian, Dutch.
CHANGED: Final = ("updat", "modif", "revise", "aktualis", "geändert", "à jour", "actualiz", "aggiorn", "bijgewerkt")
_AND = re.compile(r"\|(?:and|und|et|y|&|,)\|")
"""Between two links to authors."""


@dataclass(frozen=True, slots=True)
class _Place:
    """Where the title stands in the text of the page, and which nodes are near it."""

    start: int
    end: int
    near: range


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of the page and what stands above it, which may be its label."""

    text: str
    above: str


def headings(page: Page) -> list[str]:
    """The texts of the first headings of the first level."""
    return _texts_of(page, tagged(page, "h1"))


def lower_headings(page: Page) -> list[str]:
    """The texts of the first headings of the next two levels below one of the first."""
    first = min(tagged(page, "h1"), default=len(page.nodes))
    nodes = sorted(node for tag in ("h2", "h3") for node in tagged(page, tag) if node > first)
    return _texts_of(page, nodes)


def _texts_of(page: Page, nodes: list[int]) -> list[str]:
    texts = (short_text(page, node, HEADING_LENGTH) for node in nodes[:MOST_HEADINGS])
    return [text for text in texts if text.strip()]


def read(page: Page, options: Options) -> list[Found]:
    """Names and dates near the title; nothing if they are those of several pages that this one lists."""
    place = _title_place(page)
    lines = _lines(page, place)
    dates = [*_times(page, place), *_dates(lines)]
    days = {read_date(one.values[0]) for one in dates if one.field == "date_published"}
    if len({day[:10] for day in days if day}) >= LISTING_DATES:
        return []
    return [*_marked_bylines(page, place), *_bylines(lines), *dates]


def _title_place(page: Page) -> _Place:
    """The first heading that the title of the head confirms, or the first of all; else where the page begins."""
    node = _title_node(page)
    start, end = (0, 0) if node is None else (int(page.nodes.text_start[node]), int(page.nodes.text_end[node]))
    near = np.searchsorted(page.nodes.text_start, (start - BEFORE, end + AFTER))
    return _Place(start, end, range(int(near[0]), int(near[1]))[:MOST_NEAR])


def _title_node(page: Page) -> int | None:
    for tag in ("h1", "h2"):
        texts = {node: short_text(page, node, HEADING_LENGTH) for node in tagged(page, tag)[:MOST_HEADINGS]}
        shown = [node for node, text in texts.items() if text.strip()]
        confirmed = [node for node in shown if confirms(title_of(page), texts[node])]
        if confirmed or (shown and tag == "h1"):
            return (confirmed or shown)[0]
    return None


def _lines(page: Page, place: _Place) -> list[_Line]:
    """The short lines after the title, then those before it, nearest first."""
    after = page.text[place.end : place.end + AFTER].split("\n")[: LINES_AFTER + 1]
    before = page.text[max(0, place.start - BEFORE) : place.start].split("\n")[-LINES_BEFORE - 1 :]
    return [*_pairs(after), *reversed(list(_pairs(before)))]


def _pairs(lines: list[str]) -> Iterator[_Line]:
    short = [line.strip() if len(line) <= LINE_LENGTH else "" for line in lines]
    return (_Line(text, above) for above, text in pairwise(["", *short]) if text)


# ---------------------------------------------------------------------------------------------------------- authors


def _marked_bylines(page: Page, place: _Place) -> Iterator[Found]:
    """Names in elements whose attributes say that an author stands there, nearest to the title first."""
    marked = {
        node
        for attribute, pattern in BYLINE_NAMES.items()
        for node, value in values_of(page, attribute, place.near)
        if pattern.search(value)
    }
    nodes = sorted(marked)
    distances = np.abs(page.nodes.text_start[nodes] - place.end).tolist() if nodes else []
    nearest = (node for _, node in sorted(zip(distances, nodes, strict=True)))
    found = (one for node in nearest for one in answers("authors", _names_in(page, node), SOURCE))
    yield from islice(found, MOST_BYLINES)


def _names_in(page: Page, node: int) -> list[str]:
    """What follows "By" in an element, or else the first of its texts that is written as a name."""
    texts = _texts(page, node)
    short = (text for text in texts if len(text) <= NAME_LENGTH)
    return byline_names(_AND.sub(", ", "|".join(texts))) or next(filter(None, map(shown_names, short)), [])


def _texts(page: Page, node: int) -> list[str]:
    """The texts in an element, one by one, as names are links or spans of their own."""
    end = min(int(page.nodes.end[node]), node + MOST_NODES)
    places = np.flatnonzero(page.nodes.tag[node:end] == tags.TEXT) + node
    spans = zip(page.nodes.text_start[places].tolist(), page.nodes.text_end[places].tolist(), strict=True)
    texts = (page.text[start : min(end, start + LINE_LENGTH)].strip() for start, end in spans)
    return [text for text in texts if text]


def _bylines(lines: list[_Line]) -> Iterator[Found]:
    """Names after "By", in the same line or in the next one."""
    for line in lines:
        text = f"{line.above} {line.text}" if announces_names(line.above) else line.text
        yield from answers("authors", byline_names(text), SOURCE)


# ------------------------------------------------------------------------------------------------------------ dates


def _times(page: Page, place: _Place) -> Iterator[Found]:
    """What the `<time>` elements near the title say, nearest first."""
    nodes = [node for node in tagged(page, "time")[:MOST_TIMES] if node in place.near or _is_published(page, node)]
    for node in sorted(nodes, key=lambda node: abs(int(page.nodes.text_start[node]) - place.end)):
        text = page.attribute(node, "datetime") or short_text(page, node, LINE_LENGTH)
        yield Found(_field(_label_of(page, node)), (text,), SOURCE)


def _is_published(page: Page, node: int) -> bool:
    """Whether a `<time>` says itself that it is when the page was published, wherever it stands."""
    return page.attribute(node, "pubdate") is not None or "publish" in (page.attribute(node, "class") or "")


def _label_of(page: Page, node: int) -> str:
    """What tells which date a `<time>` is: the names it has, and the words before it in its line."""
    start = int(page.nodes.text_start[node])
    before = page.text[max(0, start - LABEL_LENGTH) : start].rstrip().rpartition("\n")[2]
    return " ".join((page.attribute(node, "class") or "", page.attribute(node, "itemprop") or "", before))


def _field(label: str) -> str:
    """Which date a label announces; one that is both ("published updated") is the first."""
    label = label.lower()
    is_change = any(word in label for word in CHANGED) and "publi" not in label
    return "date_modified" if is_change else "date_published"


def _dates(lines: list[_Line]) -> Iterator[Found]:
    """Dates in short lines; those of changes are told by the words before them."""
    for line in lines:
        end = 0
        for found in find_dates(line.text):
            label = line.text[end : found.start].strip() or line.above
            yield Found(_field(label), (found.iso,), SOURCE)
            end = found.end
