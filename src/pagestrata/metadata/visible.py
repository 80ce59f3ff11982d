"""Headings, bylines and dates in the visible text near the title."""

import re
from collections.abc import Iterator
from functools import cached_property
from itertools import accumulate, islice, pairwise
from typing import Final

import numpy as np

from pagestrata.metadata.authors import author_names, byline_names, ends_in_byline_word, is_full_byline, leading_names
from pagestrata.metadata.candidates import Candidate, as_candidates
from pagestrata.metadata.clean import MAX_NAME_LENGTH
from pagestrata.metadata.markup import MAX_HEADING_LENGTH, elements_tagged, marked_elements, short_text
from pagestrata.metadata.title_place import MAX_LINE_LENGTH, Line, TitlePlace, lines_around, title_place
from pagestrata.metadata.visible_dates import FoundDate, dates_near, is_listing
from pagestrata.page import tags
from pagestrata.page.page import Page

MAX_HEADINGS: Final = 50
MAX_KICKERS: Final = 3
MAX_LABEL_WORDS: Final = 2
MAX_BYLINES: Final = 5
MAX_MARKED: Final = 100
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
_NAME_CLASS: Final = re.compile(r"[Uu]sername|[Aa]uthor[\w-]*[Nn]ame|(?:^|\s)[pu]-author(?:\s|$)")
"""Classes of what holds nothing but a name; `p-author` and `u-author` are those of microformats."""
_OTHERS: Final = re.compile("comment|repl[yi]|related|widget|card|photo|image", re.IGNORECASE)
"""Classes of what names the authors of something else."""
_AND = re.compile(r"\|(?:and|und|et|y|&|,)\|")
"""The text between two links to authors."""


def headings(page: Page) -> list[str]:
    """The texts of the first headings of level 1, except those that are links to the home page."""
    nodes = elements_tagged(page, "h1")[:MAX_HEADINGS]
    return list(_texts_of(page, [node for node in nodes if not page.leads_home(node)]))


def kickers(page: Page, heading: int) -> list[str]:
    """The texts with which a heading begins and that are apart in it: elements of their own, or a word and a colon."""
    label, colon, _ = page.text_of(heading)[:MAX_LINE_LENGTH].partition(":")
    is_label = colon and len(label.split()) <= MAX_LABEL_WORDS
    return [*accumulate(_texts(page, heading)[:MAX_KICKERS]), *([label] if is_label else [])]


def _texts_of(page: Page, nodes: list[int]) -> Iterator[str]:
    texts = (short_text(page, node, MAX_HEADING_LENGTH) for node in nodes[:MAX_HEADINGS])
    return (text for text in texts if text.strip())


class VisibleText:
    """The text around the title as a source of names and dates."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.place = title_place(page)
        self.lines = lines_around(page, self.place)

    def candidates(self, field: str) -> list[Candidate]:
        """The names or dates near the title; none if they are those of several pages that this one lists."""
        if self._is_listing:
            return []
        return self._authors if field == "authors" else [(date.iso,) for date in self._dates if date.field == field]

    @cached_property
    def _is_listing(self) -> bool:
        return is_listing(self._dates, self.place)

    @cached_property
    def _dates(self) -> list[FoundDate]:
        return dates_near(self.page, self.place, self.lines)

    @cached_property
    def _authors(self) -> list[Candidate]:
        return [*_marked_bylines(self.page, self.place), *_bylines(self.lines)]


# ---------------------------------------------------------------------------------------------------------- authors


def _marked_bylines(page: Page, place: TitlePlace) -> Iterator[Candidate]:
    """Names in elements whose attributes mark the place of an author, nearest to the title first."""
    nodes = marked_elements(page, place.near, _BYLINE_STEMS, _BYLINE_PATTERNS)
    distances = np.abs(page.nodes.text_start[nodes] - place.end).tolist() if nodes else []
    nearest = (node for _, node in sorted(zip(distances, nodes, strict=True)))
    names = (candidate for node in nearest for candidate in as_candidates("authors", _names_in(page, node)))
    yield from islice(names, MAX_BYLINES)


def _names_in(page: Page, node: int) -> list[str]:
    """The names after "By" in an element, or else its first text that is written like a name."""
    texts = _texts(page, node)
    short = (text for text in texts if len(text) <= MAX_NAME_LENGTH)
    names = byline_names(_AND.sub(", ", "|".join(texts))) or next(filter(None, map(leading_names, short)), [])
    return names or (list(author_names(texts)) if len(texts) == 1 and _is_name_only(page, node) else [])


def _is_name_only(page: Page, node: int) -> bool:
    """Whether an element has nothing but the name of an author, however it is written."""
    return "author" in (page.attribute(node, "rel") or "") or bool(
        _NAME_CLASS.search(page.attribute(node, "class") or "")
    )


def _texts(page: Page, node: int) -> list[str]:
    """The texts of the nodes in an element, separately, as names are often links or spans of their own."""
    end = min(int(page.nodes.end[node]), node + MAX_NODES)
    places = np.flatnonzero(page.nodes.tag[node:end] == tags.TEXT) + node
    spans = zip(page.nodes.text_start[places].tolist(), page.nodes.text_end[places].tolist(), strict=True)
    texts = (page.text[start : min(end, start + MAX_LINE_LENGTH)].strip() for start, end in spans)
    return [text for text in texts if text]


def _bylines(lines: list[Line]) -> Iterator[Candidate]:
    """The names after "By", in the same line or in the next one."""
    for line in lines:
        text = f"{line.above} {line.text}" if ends_in_byline_word(line.above) else line.text
        yield from as_candidates("authors", byline_names(text))


def names_elsewhere(page: Page) -> list[str]:
    """The authors away from the title: the only ones in all elements that mark some, or in all "Written by …" lines."""
    nodes = marked_elements(page, range(len(page.nodes)), _BYLINE_STEMS, _BYLINE_PATTERNS)[:MAX_MARKED]
    marked = (_names_in(page, node) for node in nodes if not _is_of_others(page, node))
    for groups in (marked, _full_bylines(page.text.split("\n"))):
        bylines = {" ".join(group).casefold(): group for group in islice(groups, MAX_MARKED) if group}
        if len(bylines) == 1:
            return next(iter(bylines.values()))
    return []


def _full_bylines(lines: list[str]) -> Iterator[list[str]]:
    """The names in each "Written by …" line, or in the line below it."""
    for line, below in pairwise([*lines, ""]):
        if " by" in line[:MAX_LINE_LENGTH].lower() and len(line) <= MAX_LINE_LENGTH and is_full_byline(line):
            yield byline_names(f"{line} {below[:MAX_LINE_LENGTH]}" if ends_in_byline_word(line) else line)


def _is_of_others(page: Page, node: int) -> bool:
    return bool(_OTHERS.search(page.attribute(node, "class") or ""))
