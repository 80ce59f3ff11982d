"""What a reader sees near the title: the heading itself, the line with a name, the line with a date.

Also the date in the address, which readers see first of all.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from pagestrata.metadata.authors import byline_names, looks_like_name, shown_names
from pagestrata.metadata.dates import date_in_address, find_dates, read_date
from pagestrata.metadata.found import Found
from pagestrata.metadata.markup import short_text, tagged, values_of
from pagestrata.options import Options
from pagestrata.page.page import Page
from pagestrata.page.text import words

SOURCE: Final = "visible"
HEADING_LENGTH: Final = 1_000
MOST_HEADINGS: Final = 50
MOST_TIMES: Final = 200
BEFORE: Final = 400
AFTER: Final = 1_500
"""Characters before and after the title in which its byline and date stand."""
LINES_BEFORE: Final = 5
LINES_AFTER: Final = 15
LINE_LENGTH: Final = 120
"""A longer line is running text."""
MOST_NODES: Final = 60
"""Of a byline that are looked through for a name."""

# What classes and ids call the place of the author's name.
BYLINE_CLASSES: Final = ("author", "byline", "username", "writer")
# What stands before the date of a change, in lower case: English, German, French, Spanish, Italian, Dutch.
CHANGED: Final = ("updat", "modif", "revis", "review", "aktualis", "geändert", "jour", "actualiz", "aggiorn", "bijgewerkt")


@dataclass(frozen=True, slots=True)
class _Place:
    """Where the title stands in the text of the page."""

    start: int
    end: int

    def is_near(self, start: int) -> bool:
        return self.start - BEFORE <= start <= self.end + AFTER


def headings(page: Page) -> list[str]:
    """The texts of the first headings of the first level."""
    texts = (short_text(page, node, HEADING_LENGTH) for node in tagged(page, "h1")[:MOST_HEADINGS])
    return [text for text in texts if text.strip()]


def read(page: Page, options: Options) -> list[Found]:
    """Names and dates near the title, and the date in the address."""
    place = _title_place(page)
    lines = _lines(page, place)
    return [*_marked_bylines(page, place), *_bylines(lines), *_times(page, place), *_dates(lines), *_address(page)]


def _title_place(page: Page) -> _Place:
    """The heading that has most of the title and nothing else; else the first one; else where the page begins."""
    title = set(words(page.title.lower()))
    best, most = None, 0
    for tag in ("h1", "h2", "h3"):
        for node in tagged(page, tag)[:MOST_HEADINGS]:
            heading = set(words(short_text(page, node, HEADING_LENGTH).lower()))
            if heading <= title and len(heading) > most:
                best, most = node, len(heading)
    first = tagged(page, "h1")[:1]
    node = best if best is not None else first[0] if first else None
    return _Place(0, 0) if node is None else _Place(int(page.nodes.text_start[node]), int(page.nodes.text_end[node]))


def _lines(page: Page, place: _Place) -> list[str]:
    """The short lines after the title, then those before it, nearest first."""
    after = page.text[place.end : place.end + AFTER].split("\n")[: LINES_AFTER + 1]
    before = page.text[max(0, place.start - BEFORE) : place.start].split("\n")[: -LINES_BEFORE - 2 : -1]
    return [line.strip() if len(line) <= LINE_LENGTH else "" for line in after + before]


# ---------------------------------------------------------------------------------------------------------- authors


def _marked_bylines(page: Page, place: _Place) -> Iterator[Found]:
    """Names in elements whose class says that an author stands there, nearest to the title first."""
    marked = [(node, value.lower()) for name in ("rel", "class", "id") for node, value in values_of(page, name)]
    nodes = {node for node, value in marked if any(word in value for word in BYLINE_CLASSES)}
    near = [(abs(start - place.end), node) for node in nodes if place.is_near(start := int(page.nodes.text_start[node]))]
    for _, node in sorted(near):
        names = _first_names(_texts(page, node))
        if names:
            yield Found("authors", tuple(names), SOURCE)


def _texts(page: Page, node: int) -> Iterable[str]:
    """The texts in an element, one by one, as names are links or spans of their own."""
    for inside in range(node, min(int(page.nodes.end[node]), node + MOST_NODES)):
        if page.nodes.tag[inside] == 0:
            yield short_text(page, inside, LINE_LENGTH).strip()


def _first_names(texts: Iterable[str]) -> list[str]:
    return next((names for text in texts if (names := byline_names(text) or shown_names(text))), [])


def _bylines(lines: list[str]) -> Iterator[Found]:
    """Names after "By", in the same line or in the next one."""
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        names = byline_names(line) or byline_names(f"{line} {following}")
        if names:
            yield Found("authors", tuple(names), SOURCE)


# ------------------------------------------------------------------------------------------------------------ dates


def _times(page: Page, place: _Place) -> Iterator[Found]:
    """What `<time>` elements say, nearest to the title first."""
    nodes = tagged(page, "time")[:MOST_TIMES]
    for node in sorted(nodes, key=lambda node: abs(int(page.nodes.text_start[node]) - place.end)):
        text = page.attribute(node, "datetime") or short_text(page, node, LINE_LENGTH)
        if read_date(text):
            yield Found("date_published", (text,), SOURCE)


def _dates(lines: list[str]) -> Iterator[Found]:
    """Dates in short lines; those of changes are told by the word before them."""
    before = ""
    for line in lines:
        end = 0
        for found in find_dates(line):
            label = line[end : found.start].strip() or before
            field = "date_modified" if any(word in label.lower() for word in CHANGED) else "date_published"
            yield Found(field, (found.iso,), SOURCE)
            end = found.end
        before = line


def _address(page: Page) -> Iterator[Found]:
    day = date_in_address(page.url) if page.url else None
    if day:
        yield Found("date_published", (day,), "url")
