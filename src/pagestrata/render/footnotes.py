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
"""Characters of a reference without its brackets: "1", "†", "note 3"; longer ones are ordinary links."""
LONGEST_BACK_LINK: Final = 80
"""Characters of an element that may only lead back: a caret and letters for some twenty references."""
_NEAR: Final = 3
"""The most elements between the link of a reference and its `<sup>`."""

_A, _SUP, _LI, _P, _DIV, _DD, _ASIDE = (tags.TAG[name] for name in ("a", "sup", "li", "p", "div", "dd", "aside"))
_DT, _TD, _TABLE = (tags.TAG[name] for name in ("dt", "td", "table"))
_NOTES = frozenset((_LI, _P, _DIV, _DD, _TD, _ASIDE))
_NOT_IN_NOTES = tuple(tags.TAG[name] for name in "h1 h2 h3 h4 h5 h6 table article section main nav".split())
_NO_NOTES_IN = frozenset(tags.TAG[name] for name in "h1 h2 h3 h4 h5 h6 table dt pre".split())
_REFERENCE_NAME = re.compile(r"(?i)foot-?note|note-?ref|\bfn-?ref")
_MOST_BRACKETS: Final = 12
"""The most brackets and blanks around a reference."""
_NOTE_NAME = re.compile(r"(?:^|\s)(?:footnote|citation)(?=\s|$)")
_BACK_NAME = re.compile(r"(?i)back")
_BRACKETS: Final = "[](){}  "
_LABEL = re.compile(r"[A-Za-z0-9]+", re.ASCII)


@dataclass(frozen=True, slots=True)
class Footnotes:
    """The footnotes of a page, by node; empty on most pages."""

    references: dict[int, str] = field(default_factory=dict)
    """The element of each reference, and the label of its note."""
    notes: dict[int, str] = field(default_factory=dict)
    """The element that is a note, and its label."""
    back_links: frozenset[int] = frozenset()
    """Elements in notes that only link back to the text: links, and elements with only such links and marks."""
    labels: frozenset[int] = frozenset()
    """Elements in notes or beside them that only repeat their labels."""

    def without_labels(self, page: Page, shown: Marks) -> Marks:
        """The shown nodes without the labels, since Markdown writes its own."""
        for label in self.labels:
            shown[label : page.nodes.end[label]] = 0
        return shown


def find_footnotes(page: Page, shown: Marks) -> Footnotes:
    """Find the references and the notes among the shown elements."""
    anchors = page.nodes_tagged("a")
    anchors = anchors[shown[anchors] > 0]
    length = page.nodes.text_end[anchors] - page.nodes.text_start[anchors]
    short = anchors[(length > 0) & (length <= LONGEST_REFERENCE + _MOST_BRACKETS)].tolist()
    references = [(node, name) for node, name in _on_page(page, short) if _is_named_reference(page, node)]
    if not references:
        return Footnotes()
    links = list(_on_page(page, anchors.tolist()))
    places = _places(page, shown)
    targets = {node: _note_at(page, places.get(name), node) for node, name in references}
    suitable = _suitable_notes(page, {note for note in targets.values() if note is not None})
    pairs = {node: note for node, note in targets.items() if note in suitable}
    notes = _labelled(page, pairs)
    return Footnotes(
        {_reference_element(page, node): notes[note] for node, note in pairs.items()},
        notes,
        _back_link_elements(page, set(_back_links(page, links, notes, places)), notes),
        frozenset(label for note in notes if (label := _label_element(page, note, notes[note])) is not None),
    )


def _on_page(page: Page, links: Iterable[int]) -> Iterator[tuple[int, str]]:
    """The links to a place on this page, each with the name of that place."""
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


def _reference_element(page: Page, node: int) -> int:
    """The element that stands for a reference: the link, or the `<sup>` around it if that adds only brackets."""
    around = _sup_around(page, node)
    if around is None or page.text_of(around).strip(_BRACKETS) != page.text_of(node).strip(_BRACKETS):
        return node
    return around


def _places(page: Page, shown: Marks) -> dict[str, int]:
    """The shown elements that links may lead to, by name; the first element of a name counts, as in browsers."""
    named = [(int(node), "name") for node in page.nodes_with("name") if page.nodes.tag[node] == _A]
    identified = [(int(node), "id") for node in page.nodes_with("id")]
    places: dict[str, int] = {}
    for node, attribute in identified + named:
        if shown[page.nodes.container[node]]:
            places.setdefault(page.attribute(node, attribute) or "", node)
    return places


def _note_at(page: Page, place: int | None, reference: int) -> int | None:
    """The element that may hold the note, if the place is below the reference."""
    note = -1 if place is None else _beside_label(page, int(page.nodes.container[place]))
    return note if note > reference and page.nodes.tag[note] in _NOTES else None


def _beside_label(page: Page, place: int) -> int:
    """The element with the text of a note whose place is its label, or the table of both: docutils writes such."""
    nodes = page.nodes
    if nodes.tag[place] == _DT:
        following = int(nodes.end[place])
        return following if following < nodes.end[nodes.parent[place]] and nodes.tag[following] == _DD else place
    if _is_note_table(page, place):
        cells = [node for node in range(place, int(nodes.end[place])) if nodes.tag[node] == _TD]
        return cells[-1] if cells else place
    return place


def _is_note_table(page: Page, node: int) -> bool:
    return page.nodes.tag[node] == _TABLE and _NOTE_NAME.search(page.attribute(node, "class") or "") is not None


def _label_element(page: Page, note: int, label: str) -> int | None:
    """The element that shows the label: beside the note, as docutils has it, or raised at its beginning, as Quarto."""
    nodes = page.nodes
    if nodes.tag[note] in (_DD, _TD):
        before = [node for node in nodes.children(int(nodes.parent[note])) if node < note]
        return before[-1] if before and nodes.tag[before[-1]] in (_DT, _TD) else None
    for node in range(note + 1, min(note + 1 + _NEAR, int(nodes.end[note]))):
        if nodes.tag[node] == _SUP and page.text_of(node).strip(_BRACKETS) == label:
            return node if nodes.text_start[node] == nodes.text_start[note] else None
    return None


def _suitable_notes(page: Page, candidates: set[int]) -> set[int]:
    """Choose the elements that can be a note: with text, without headings, not in a table or another note."""
    unfit = np.concatenate(([0], np.cumsum(page.nodes.is_one_of(_NOT_IN_NOTES)))).tolist()
    suitable: set[int] = set()
    for note in sorted(candidates):
        around = list(page.nodes.ancestors(note))
        barred = [node for node in around if page.nodes.tag[node] in _NO_NOTES_IN and not _is_note_table(page, node)]
        alone = suitable.isdisjoint(around) and not barred
        if alone and page.text_of(note).strip() and unfit[page.nodes.end[note]] == unfit[note]:
            suitable.add(note)
    return suitable


def _labelled(page: Page, pairs: dict[int, int]) -> dict[int, str]:
    """Give each note a label of its own: the text of its first reference, or a number that is free."""
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
    """Find the links in notes that lead to a place above the note and have no text but a sign for "back"."""
    for node, name in links:
        note = next((around for around in page.nodes.ancestors(node) if around in notes), None)
        if note is None or places.get(name, note) >= note:
            continue
        named = " ".join(page.attribute(node, attribute) or "" for attribute in ("class", "role", "rev"))
        text = page.text_of(node).strip(_BRACKETS)
        if text and (len(text) <= 2 or _BACK_NAME.search(named)):
            yield node


def _back_link_elements(page: Page, back_links: set[int], notes: dict[int, str]) -> frozenset[int]:
    """Add the elements around whose other text has no letters and digits: "^ a b" on Wikipedia is one way back."""
    elements = set(back_links)
    for link in sorted(back_links, reverse=True):
        for around in page.nodes.ancestors(link):
            is_block = page.nodes.container[around] == around
            if around in notes or is_block or not _only_leads_back(page, around, elements):
                break
            elements.add(around)
    return frozenset(elements)


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
