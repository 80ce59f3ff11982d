"""Footnotes: a raised link in the text, the note it leads to, and the link back.

A reference and its note are a pair only if both are shown; else the page is written as it stands.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Final

import numpy as np

from pagestrata.page import tags
from pagestrata.page.page import Page
from pagestrata.page.permalinks import place_on_page
from pagestrata.render.walk import Marks

LONGEST_REFERENCE: Final = 12
"""Characters of a reference without its brackets: "1", "†", "note 3"; longer ones are links with something to say."""
LONGEST_BACK_LINK: Final = 80
"""Characters of an element that may only lead back: a caret and letters for some twenty references."""
_NEAR: Final = 3
"""A reference's `<sup>` is at most this many elements above it."""

_A, _SUP, _LI, _P, _DIV, _DD, _ASIDE = (tags.TAG[name] for name in ("a", "sup", "li", "p", "div", "dd", "aside"))
_NOTES = frozenset((_LI, _P, _DIV, _DD, _ASIDE))
_NOT_IN_NOTES = tuple(tags.TAG[name] for name in "h1 h2 h3 h4 h5 h6 table article section main nav".split())
_NO_NOTES_IN = frozenset(tags.TAG[name] for name in "h1 h2 h3 h4 h5 h6 table dt pre".split())
_REFERENCE_NAME = re.compile(r"(?i)foot-?note|note-?ref|\bfn-?ref")
_MOST_BRACKETS: Final = 12
"""Brackets and blanks that may stand around a reference."""
_BACK_NAME = re.compile(r"(?i)back")
_BRACKETS: Final = "[](){}  "
_LABEL = re.compile(r"[A-Za-z0-9]+", re.ASCII)


@dataclass(frozen=True, slots=True)
class Footnotes:
    """What was found, by node; empty on most pages."""

    references: dict[int, str] = field(default_factory=dict)
    """The element that stands for a reference, and the label of its note."""
    notes: dict[int, str] = field(default_factory=dict)
    """The element that is a note, and its label."""
    back_links: frozenset[int] = frozenset()
    """Elements in notes that only lead back: links, and what holds nothing but such links and marks."""


def find_footnotes(page: Page, shown: Marks) -> Footnotes:
    """Find the pairs among the shown elements."""
    anchors = page.nodes_tagged("a")
    anchors = anchors[shown[anchors] > 0]
    length = page.nodes.text_end[anchors] - page.nodes.text_start[anchors]
    short = anchors[(length > 0) & (length <= LONGEST_REFERENCE + _MOST_BRACKETS)].tolist()
    references = [(node, name) for node, name in _on_page(page, short) if _is_named_reference(page, node)]
    if not references:
        return Footnotes()
    links = list(_on_page(page, anchors.tolist()))
    places = _places(page, shown)
    found = {node: _note_at(page, places.get(name), node) for node, name in references}
    fit = _fit(page, {note for note in found.values() if note is not None})
    pairs = {node: note for node, note in found.items() if note in fit}
    notes = _labelled(page, pairs)
    return Footnotes(
        {_whole_reference(page, node): notes[note] for node, note in pairs.items()},
        notes,
        _whole_back_links(page, set(_back_links(page, links, notes, places)), notes),
    )


def _on_page(page: Page, links: Iterable[int]) -> Iterator[tuple[int, str]]:
    """The links that lead to a place on this page, each with the name of that place."""
    return ((node, name) for node in links if (name := place_on_page(page, node)))


def _is_named_reference(page: Page, node: int) -> bool:
    """Whether a short link is raised, or its attributes call it a reference."""
    if not 0 < len(page.text_of(node).strip(_BRACKETS)) <= LONGEST_REFERENCE:
        return False
    if _sup_around(page, node) is not None or any(page.nodes.tag[child] == _SUP for child in page.nodes.children(node)):
        return True
    named = " ".join(page.attribute(node, name) or "" for name in ("class", "role", "rel"))
    return _REFERENCE_NAME.search(named) is not None


def _sup_around(page: Page, node: int) -> int | None:
    for _, around in zip(range(_NEAR), page.nodes.ancestors(node), strict=False):
        if page.nodes.tag[around] == _SUP:
            return around
    return None


def _whole_reference(page: Page, node: int) -> int:
    """The raised element around the link if it adds no more than brackets."""
    around = _sup_around(page, node)
    if around is None or page.text_of(around).strip(_BRACKETS) != page.text_of(node).strip(_BRACKETS):
        return node
    return around


def _places(page: Page, shown: Marks) -> dict[str, int]:
    """Names that links may lead to; the first place of a name counts, as in browsers."""
    named = [(int(node), "name") for node in page.nodes_with("name") if page.nodes.tag[node] == _A]
    identified = [(int(node), "id") for node in page.nodes_with("id")]
    places: dict[str, int] = {}
    for node, attribute in identified + named:
        if shown[page.nodes.container[node]]:
            places.setdefault(page.attribute(node, attribute) or "", node)
    return places


def _note_at(page: Page, place: int | None, reference: int) -> int | None:
    """The element that may hold the note, if the place is below the reference."""
    note = -1 if place is None else int(page.nodes.container[place])
    return note if note > reference and page.nodes.tag[note] in _NOTES else None


def _fit(page: Page, candidates: set[int]) -> set[int]:
    """Those that are no more than a note: with text, without headings and the like, not in a table or another note."""
    unfit = np.concatenate(([0], np.cumsum(page.nodes.is_one_of(_NOT_IN_NOTES)))).tolist()
    fit: set[int] = set()
    for note in sorted(candidates):
        around = list(page.nodes.ancestors(note))
        alone = fit.isdisjoint(around) and _NO_NOTES_IN.isdisjoint(page.nodes.tag[around].tolist())
        if alone and page.text_of(note).strip() and unfit[page.nodes.end[note]] == unfit[note]:
            fit.add(note)
    return fit


def _labelled(page: Page, pairs: dict[int, int]) -> dict[int, str]:
    """Each note with a label of its own: what its first reference says, or a number that is free."""
    wanted: dict[int, str] = {}
    for reference, note in pairs.items():
        wanted.setdefault(note, page.text_of(reference).strip(_BRACKETS))
    labels = set(wanted.values())
    free = (str(number) for number in count(1) if str(number) not in labels)
    notes: dict[int, str] = {}
    taken: set[str] = set()
    for note, label in wanted.items():
        notes[note] = label if _LABEL.fullmatch(label) and label not in taken else next(free)
        taken.add(notes[note])
    return notes


def _back_links(
    page: Page, links: list[tuple[int, str]], notes: dict[int, str], places: dict[str, int]
) -> Iterator[int]:
    """Links in a note to a place above it that say nothing but "back"."""
    for node, name in links:
        note = next((around for around in page.nodes.ancestors(node) if around in notes), None)
        if note is None or places.get(name, note) >= note:
            continue
        named = " ".join(page.attribute(node, attribute) or "" for attribute in ("class", "role", "rev"))
        text = page.text_of(node).strip(_BRACKETS)
        if text and (len(text) <= 2 or _BACK_NAME.search(named)):
            yield node


def _whole_back_links(page: Page, back_links: set[int], notes: dict[int, str]) -> frozenset[int]:
    """Add the elements around whose other text has no letters and digits: "^ a b" on Wikipedia is one way back."""
    whole = set(back_links)
    for link in sorted(back_links, reverse=True):
        for around in page.nodes.ancestors(link):
            if around in notes or page.nodes.container[around] == around or not _only_leads_back(page, around, whole):
                break
            whole.add(around)
    return frozenset(whole)


def _only_leads_back(page: Page, around: int, back_links: set[int]) -> bool:
    start, end = int(page.nodes.text_start[around]), int(page.nodes.text_end[around])
    if end - start > LONGEST_BACK_LINK or page.nodes.end[around] - around > 2 * LONGEST_BACK_LINK:
        return False
    rest = page.text_of(around)
    for node in range(around + 1, int(page.nodes.end[around])):
        if node in back_links:
            first, last = (int(side[node]) - start for side in (page.nodes.text_start, page.nodes.text_end))
            rest = rest[:first] + " " * (last - first) + rest[last:]
    return not any(char.isalnum() for char in rest)
