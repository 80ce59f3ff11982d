"""Headings, bylines and dates in the visible text near the title."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, pairwise
from typing import Final

import numpy as np

from pagestrata.metadata.authors import byline_names, ends_in_byline_word, leading_names
from pagestrata.metadata.candidates import Candidate, as_candidates
from pagestrata.metadata.clean import MAX_NAME_LENGTH
from pagestrata.metadata.dates import find_dates, read_date
from pagestrata.metadata.markup import MAX_HEADING_LENGTH, elements_tagged, short_text, title_of
from pagestrata.page import tags
from pagestrata.page.page import Page
from pagestrata.page.titles import confirms

MAX_HEADINGS: Final = 50
MAX_TIMES: Final = 200
CHARACTERS_BEFORE: Final = 400
CHARACTERS_AFTER: Final = 1_500
"""Characters before and after the title that are searched for its byline and date."""
LINES_BEFORE: Final = 5
LINES_AFTER: Final = 15
MAX_LINE_LENGTH: Final = 120
"""A longer line is running text."""
MAX_LABEL_LENGTH: Final = 40
MAX_NEAR: Final = 5_000
"""Nodes near a title that are read; any number of elements without text can be near."""
MIN_LISTING_DATES: Final = 4
"""A title with this many days near it is the title of a list. Swept over 2 to 5 on wcxb: 3 loses two articles."""
MAX_BYLINES: Final = 5
MAX_NODES: Final = 60
"""Nodes of a byline that are searched for a name."""

# Relations, classes and ids that mark the author's name, and a part of the addresses of pages about authors.
_BYLINE_PATTERNS: Final = {
    tags.ATTRIBUTE["rel"]: re.compile("author"),
    tags.ATTRIBUTE["class"]: re.compile("[Aa]uthor(?!i[sz])|[Bb]yline|[Uu]sername|[Ww]riter"),
    tags.ATTRIBUTE["id"]: re.compile("[Aa]uthor(?!i[sz])|[Bb]yline"),
    tags.ATTRIBUTE["href"]: re.compile("/authors?/"),
}
_BYLINE_STEMS: Final = ("uthor", "yline", "sername", "riter")
"""Every match of the patterns contains one of these; they are searched first, as most elements contain none."""
# Words before the date of a modification, in lower case: English, German, French, Spanish, Italian, Dutch.
MODIFICATION_WORDS: Final = (
    "updat",
    "modif",
    "revise",
    "aktualis",
    "geändert",
    "à jour",
    "actualiz",
    "aggiorn",
    "bijgewerkt",
)
_AND = re.compile(r"\|(?:and|und|et|y|&|,)\|")
"""The text between two links to authors."""


@dataclass(frozen=True, slots=True)
class _Place:
    """The span of the title in the text of the page, and the nodes near it."""

    start: int
    end: int
    near: range


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of the page, and the line above it, which may be its label."""

    text: str
    above: str


def headings(page: Page) -> list[str]:
    """The texts of the first headings of level 1."""
    return list(_texts_of(page, elements_tagged(page, "h1")))


def _texts_of(page: Page, nodes: list[int]) -> Iterator[str]:
    texts = (short_text(page, node, MAX_HEADING_LENGTH) for node in nodes[:MAX_HEADINGS])
    return (text for text in texts if text.strip())


class VisibleText:
    """The text around the title as a source of names and dates."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.place = _title_place(page)
        self.lines = _lines(page, self.place)

    def candidates(self, field: str) -> list[Candidate]:
        """The names or dates near the title; none if they are those of several pages that this one lists."""
        if self._is_listing:
            return []
        return self._authors if field == "authors" else [(text,) for name, text in self._dates if name == field]

    @cached_property
    def _is_listing(self) -> bool:
        days = {read_date(text) for name, text in self._dates if name == "date_published"}
        return len({day[:10] for day in days if day}) >= MIN_LISTING_DATES

    @cached_property
    def _dates(self) -> list[tuple[str, str]]:
        """The field and the text of each date."""
        return [*_dates_of_times(self.page, self.place), *_dates(self.lines)]

    @cached_property
    def _authors(self) -> list[Candidate]:
        return [*_marked_bylines(self.page, self.place), *_bylines(self.lines)]


def _title_place(page: Page) -> _Place:
    """The place of the first heading that `<title>` confirms, or of the first `<h1>`, or else the start of the page."""
    node = _title_node(page)
    start, end = (0, 0) if node is None else (int(page.nodes.text_start[node]), int(page.nodes.text_end[node]))
    near = np.searchsorted(page.nodes.text_start, (start - CHARACTERS_BEFORE, end + CHARACTERS_AFTER))
    return _Place(start, end, range(int(near[0]), int(near[1]))[:MAX_NEAR])


def _title_node(page: Page) -> int | None:
    for tag in ("h1", "h2"):
        nodes = elements_tagged(page, tag)[:MAX_HEADINGS]
        texts = {node: text for node in nodes if (text := short_text(page, node, MAX_HEADING_LENGTH)).strip()}
        first = next(iter(texts), None) if tag == "h1" else None
        confirmed = next((node for node, text in texts.items() if confirms(title_of(page), text)), first)
        if confirmed is not None:
            return confirmed
    return None


def _lines(page: Page, place: _Place) -> list[_Line]:
    """The short lines after the title, then those before it, nearest first."""
    after = page.text[place.end : place.end + CHARACTERS_AFTER].split("\n")[: LINES_AFTER + 1]
    before = page.text[max(0, place.start - CHARACTERS_BEFORE) : place.start].split("\n")[-LINES_BEFORE - 1 :]
    return [*_labelled_lines(after), *reversed(list(_labelled_lines(before)))]


def _labelled_lines(lines: list[str]) -> Iterator[_Line]:
    short = [line.strip() if len(line) <= MAX_LINE_LENGTH else "" for line in lines]
    return (_Line(text, above) for above, text in pairwise(["", *short]) if text)


# ---------------------------------------------------------------------------------------------------------- authors


def _marked_bylines(page: Page, place: _Place) -> Iterator[Candidate]:
    """Names in elements whose attributes mark the place of an author, nearest to the title first."""
    nodes = _marked_elements(page, place.near)
    distances = np.abs(page.nodes.text_start[nodes] - place.end).tolist() if nodes else []
    nearest = (node for _, node in sorted(zip(distances, nodes, strict=True)))
    names = (candidate for node in nearest for candidate in as_candidates("authors", _names_in(page, node)))
    yield from islice(names, MAX_BYLINES)


def _marked_elements(page: Page, near: range) -> list[int]:
    """The elements near the title whose attributes mark the place of an author."""
    first, last = (
        (int(page.nodes.attribute_start[near[0]]), int(page.nodes.attribute_end[near[-1]])) if near else (0, 0)
    )
    if first == last:
        return []
    numbers, _, starts, ends = page.attributes[:, first:last]
    start = int(starts[0])
    markup = page.markup[start : int(ends[-1])]
    places = [start + place for stem in _BYLINE_STEMS for place in _places(markup, stem)]
    attributes = set((np.searchsorted(starts, places, side="right") - 1).tolist())
    marked = [
        first + i
        for i in attributes
        if (pattern := _BYLINE_PATTERNS.get(int(numbers[i]))) and pattern.search(page.markup, starts[i], ends[i])
    ]
    return sorted(set(np.searchsorted(page.nodes.attribute_end, marked, side="right").tolist()))


def _places(text: str, stem: str) -> Iterator[int]:
    place = text.find(stem)
    while place >= 0:
        yield place
        place = text.find(stem, place + 1)


def _names_in(page: Page, node: int) -> list[str]:
    """The names after "By" in an element, or else its first text that is written like a name."""
    texts = _texts(page, node)
    short = (text for text in texts if len(text) <= MAX_NAME_LENGTH)
    return byline_names(_AND.sub(", ", "|".join(texts))) or next(filter(None, map(leading_names, short)), [])


def _texts(page: Page, node: int) -> list[str]:
    """The texts of the nodes in an element, separately, as names are often links or spans of their own."""
    end = min(int(page.nodes.end[node]), node + MAX_NODES)
    places = np.flatnonzero(page.nodes.tag[node:end] == tags.TEXT) + node
    spans = zip(page.nodes.text_start[places].tolist(), page.nodes.text_end[places].tolist(), strict=True)
    texts = (page.text[start : min(end, start + MAX_LINE_LENGTH)].strip() for start, end in spans)
    return [text for text in texts if text]


def _bylines(lines: list[_Line]) -> Iterator[Candidate]:
    """The names after "By", in the same line or in the next one."""
    for line in lines:
        text = f"{line.above} {line.text}" if ends_in_byline_word(line.above) else line.text
        yield from as_candidates("authors", byline_names(text))


# ------------------------------------------------------------------------------------------------------------ dates


def _dates_of_times(page: Page, place: _Place) -> Iterator[tuple[str, str]]:
    """The field and the text of the `<time>` elements near the title, nearest first."""
    nodes = [
        node for node in elements_tagged(page, "time")[:MAX_TIMES] if node in place.near or _is_published(page, node)
    ]
    for node in sorted(nodes, key=lambda node: abs(int(page.nodes.text_start[node]) - place.end)):
        text = page.attribute(node, "datetime") or short_text(page, node, MAX_LINE_LENGTH)
        yield _date_field(_label_of(page, node)), text


def _is_published(page: Page, node: int) -> bool:
    """Whether a `<time>` is marked as the publication date, wherever it is."""
    return page.attribute(node, "pubdate") is not None or "publish" in (page.attribute(node, "class") or "")


def _label_of(page: Page, node: int) -> str:
    """The label of a `<time>`: its classes and properties, and the words before it in its line."""
    start = int(page.nodes.text_start[node])
    before = page.text[max(0, start - MAX_LABEL_LENGTH) : start].rstrip().rpartition("\n")[2]
    return " ".join((page.attribute(node, "class") or "", page.attribute(node, "itemprop") or "", before))


def _date_field(label: str) -> str:
    """The field of the date with this label; "published updated" is a date of publication."""
    label = label.lower()
    is_change = any(word in label for word in MODIFICATION_WORDS) and "publi" not in label
    return "date_modified" if is_change else "date_published"


def _dates(lines: list[_Line]) -> Iterator[tuple[str, str]]:
    """The field and the ISO form of the dates in short lines."""
    for line in lines:
        end = 0
        for match in find_dates(line.text):
            label = line.text[end : match.start].strip() or line.above
            yield _date_field(label), match.iso
            end = match.end
