"""Access to elements, attributes and short texts of the page, shared by the sources."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from pagestrata.metadata.candidates import Candidate, as_candidates
from pagestrata.page import tags
from pagestrata.page.head import metas_by_name
from pagestrata.page.page import Page
from pagestrata.page.scan import places_of

MAX_VALUES: Final = 20_000
"""Values of one attribute that are read. The page with most in wcxb has 7,741 times `class`."""
MAX_HEADING_LENGTH: Final = 2_000
"""Characters of a title or heading that are read; four times what is kept of it, for white space."""
MAX_RELATION_LENGTH: Final = 200
MAX_SAME_NAME: Final = 100
"""Metas of one name that are read, and links of one relation: more are noise, or an attack."""


def title_of(page: Page) -> str:
    """The text of `<title>`, as far as a title goes."""
    return page.title[:MAX_HEADING_LENGTH]


def values_of(page: Page, attribute: str, among: range | None = None) -> list[tuple[int, str]]:
    """Each element (among these) that has the attribute, and its value, in document order."""
    return page.values_of(attribute, among, MAX_VALUES)


def elements_tagged(page: Page, tag: str) -> list[int]:
    """The elements with this tag, in document order."""
    places: list[int] = places_of(page.nodes.tag, tags.TAG[tag])
    return places


def contents_of(page: Page, name: str) -> list[str]:
    """The contents of the metas with this name (in lower case) that have any."""
    nodes = page.once(metas_by_name).get(name, ())[:MAX_SAME_NAME]
    return [content for node in nodes if (content := (page.attribute(node, "content") or "").strip())]


def marked_elements(
    page: Page, among: range, stems: Iterable[str], patterns: Mapping[int, re.Pattern[str]]
) -> list[int]:
    """The elements (among these) with an attribute whose value matches the pattern for its number, in document order.

    Every match must contain one of the stems; they are searched first, as most elements contain none.
    """
    if not among:
        return []
    first, last = int(page.nodes.attribute_start[among[0]]), int(page.nodes.attribute_end[among[-1]])
    numbers, _, starts, ends = page.attributes[:, first:last]
    read = np.flatnonzero(np.isin(numbers, list(patterns)))
    spans = zip(starts[read].tolist(), ends[read].tolist(), strict=True)
    values = [page.markup[start:end] for start, end in spans]  # much shorter than the markup, and mostly ASCII
    joined = np.cumsum([0, *(len(value) + 1 for value in values)])
    hits = set((np.searchsorted(joined, list(places_of_stems("\n".join(values), stems)), side="right") - 1).tolist())
    marked = [first + int(read[hit]) for hit in hits if patterns[int(numbers[read[hit]])].search(values[hit])]
    return sorted(set(np.searchsorted(page.nodes.attribute_end, marked, side="right").tolist()))


def places_of_stems(text: str, stems: Iterable[str]) -> Iterator[int]:
    """The places at which one of the stems begins; those of the first stem, then those of the next."""
    for stem in stems:
        place = text.find(stem)
        while place >= 0:
            yield place
            place = text.find(stem, place + 1)


@dataclass(frozen=True, slots=True)
class MetaVocabulary:
    """A source made of the metas whose names belong to one vocabulary."""

    page: Page
    names: Mapping[str, tuple[str, ...]]
    """The names for each field, most trusted first."""

    def candidates(self, field: str) -> Iterator[Candidate]:
        """The contents of the metas whose names stand for the field."""
        metas = self.page.once(metas_by_name)
        for name in self.names.get(field, ()):
            if name in metas:
                yield from as_candidates(field, contents_of(self.page, name))


def links_by_relation(page: Page) -> dict[str, list[int]]:
    """The elements (`<link>` or `<a>`) that have each relation, in lower case; computed once with `Page.once`."""
    links: dict[str, list[int]] = {}
    relations: dict[str, list[str]] = {}
    for node, value in values_of(page, "rel"):
        if value not in relations:  # most links of a page have one of a few values
            relations[value] = value[:MAX_RELATION_LENGTH].lower().split()
        for relation in relations[value]:
            links.setdefault(relation, []).append(node)
    return {relation: nodes[:MAX_SAME_NAME] for relation, nodes in links.items()}


def link_targets(page: Page, relation: str) -> list[str]:
    """Where the `<link>` elements with this relation lead; an `<a>` in the text does not describe the page."""
    nodes = page.once(links_by_relation).get(relation, ())
    return [page.attribute(node, "href") or "" for node in nodes if page.nodes.tag[node] == tags.TAG["link"]]


def short_text(page: Page, node: int, limit: int) -> str:
    """The text of a subtree, cut at the limit so that nested elements cannot make us copy the page over and over."""
    start = page.nodes.text_start.data[node]
    return page.text[start : min(page.nodes.text_end.data[node], start + limit)]
