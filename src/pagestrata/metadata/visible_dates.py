"""Dates in the visible text: near the title, in elements that are marked as dates, in "Posted on 17 May 2024"."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final, NamedTuple

from pagestrata.metadata.dates import find_dates, read_date
from pagestrata.metadata.language import writes_day_first
from pagestrata.metadata.markup import elements_tagged, marked_elements, places_of_stems, short_text
from pagestrata.metadata.title_place import MAX_LINE_LENGTH, Line, TitlePlace
from pagestrata.page import tags
from pagestrata.page.page import Page

MAX_TIMES: Final = 200
MAX_MARKED: Final = 200
MAX_SENTENCES: Final = 50
MAX_LINES: Final = 500
MAX_LABEL_LENGTH: Final = 40
SENTENCE_LENGTH: Final = 60
"""Characters around "published" in which its date is."""
MIN_LISTING_DATES: Final = 4
"""A title with this many days near it is the title of a list. Swept over 2 to 5 on wcxb: 3 loses two articles."""
MAX_BESIDE_TITLE: Final = 20
"""Characters between a title and the date that belongs to it, whatever other dates are near."""

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
# Words beside the date of a publication in a sentence, in the same languages, Polish and Russian. "Dieser Beitrag
# wurde am … um … von …" is the form of a widely used system.
_PUBLICATION: Final = re.compile(
    r"\b(?:[Pp](?:ublished|UBLISHED|osted|OSTED|ubli[ée]|ublicado|ubblicato)|[Vv]eröffentlicht|[Gg]epubliceerd|[Gg]eplaatst"
    r"|[Oo]publikowan[aoey]|[Оо]публикован[ао]?|Dieser (?:Artikel|Beitrag) wurde)\b"
)
_PUBLICATION_STEMS: Final = (
    *("ublished", "UBLISHED", "osted", "OSTED", "ublié", "ublicado", "ubblicato", "eröffentlicht", "epubliceerd"),
    *("eplaatst", "publikowan", "публикован", "ieser Artikel wurde", "ieser Beitrag wurde"),
)
"""What each match has behind its first letter; searched first, as most texts have none."""
_DATE_PATTERNS: Final = {
    tags.ATTRIBUTE["class"]: re.compile(
        r"(?:(?<![a-zA-Z])|(?<=[a-z])(?=[DPT]))(?:[Dd]ate(?:line|time)?|[Pp]ub-?[Dd]ate|[Pp]ublished|[Pp]osted|[Tt]imestamp"
        r"|postmetadata|(?:article|entry|meta|post|story)[-_][Tt]ime)(?![a-z])"
    )
}
_DATE_STEMS: Final = ("date", "Date", "ublished", "osted", "imestamp", "postmeta", "-time", "_time", "-Time")
_OTHER_DATE_CLASS: Final = re.compile("comment|repl[yi]|related|widget|event|expir|birth|copyright", re.IGNORECASE)
_YEAR: Final = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_DATE_ATTRIBUTES: Final = ("datetime", "title", "content")


class FoundDate(NamedTuple):
    """A date in the text of the page."""

    field: str
    iso: str
    place: int
    """Where it is in the text of the page, as far as known; otherwise -1."""


def dates_near(page: Page, place: TitlePlace, lines: list[Line]) -> list[FoundDate]:
    """The dates near the title: those of `<time>` elements, nearest first, then those in short lines."""
    return [*_dates_of_times(page, place), *_dates_of_lines(lines, writes_day_first(page))]


def is_listing(dates: list[FoundDate], place: TitlePlace) -> bool:
    """Whether the dates near a title are those of several pages that this one lists."""
    days = {date.iso[:10] for date in dates if date.field == "date_published"}
    return len(days) >= MIN_LISTING_DATES and not any(
        place.end <= date.place <= place.end + MAX_BESIDE_TITLE for date in dates
    )


def dates_elsewhere(page: Page, place: TitlePlace) -> Iterator[FoundDate]:
    """The dates away from the title: in marked elements, nearest first, then in sentences, then the only one."""
    marked = [date for date in _marked_dates(page) if date.field == "date_published"]
    marked.sort(key=lambda date: abs(date.place - place.end))
    for dates in (marked, list(_dates_of_sentences(page))):
        if len({date.iso[:10] for date in dates}) < MIN_LISTING_DATES:
            yield from dates
    yield from _only_day(page)


def _dates_of_times(page: Page, place: TitlePlace) -> Iterator[FoundDate]:
    nodes = elements_tagged(page, "time")[:MAX_TIMES]
    dates = (_date_in(page, node) for node in nodes if node in place.near or _is_published(page, node))
    yield from sorted((date for date in dates if date), key=lambda date: abs(date.place - place.end))


def _is_published(page: Page, node: int) -> bool:
    """Whether a `<time>` is marked as the publication date, wherever it is."""
    return page.attribute(node, "pubdate") is not None or "publish" in (page.attribute(node, "class") or "")


def _marked_dates(page: Page) -> Iterator[FoundDate]:
    """The dates in elements with a class for dates, in document order."""
    for node in marked_elements(page, range(len(page.nodes)), _DATE_STEMS, _DATE_PATTERNS)[:MAX_MARKED]:
        if not _OTHER_DATE_CLASS.search(page.attribute(node, "class") or ""):
            date = _date_in(page, node)
            if date:
                yield date


def _date_in(page: Page, node: int) -> FoundDate | None:
    """The date of an element: in an attribute, or else in its text."""
    texts = [page.attribute(node, name) or "" for name in _DATE_ATTRIBUTES]
    texts.append(short_text(page, node, MAX_LINE_LENGTH))
    day_first = writes_day_first(page)
    iso = next((iso for text in texts if (iso := read_date(text, day_first))), None)
    return FoundDate(_date_field(_label_of(page, node)), iso, int(page.nodes.text_start[node])) if iso else None


def _label_of(page: Page, node: int) -> str:
    """The label of a date: its classes and properties, and the words before it in its line."""
    start = int(page.nodes.text_start[node])
    before = page.text[max(0, start - MAX_LABEL_LENGTH) : start].rstrip().rpartition("\n")[2]
    return " ".join((page.attribute(node, "class") or "", page.attribute(node, "itemprop") or "", before))


def _date_field(label: str) -> str:
    """The field of the date with this label; "published updated" is a date of publication."""
    label = label.lower()
    is_change = any(word in label for word in MODIFICATION_WORDS) and "publi" not in label
    return "date_modified" if is_change else "date_published"


def _dates_of_lines(lines: list[Line], day_first: bool | None) -> Iterator[FoundDate]:
    for line in lines:
        end = 0
        for match in find_dates(line.text, day_first):
            label = line.text[end : match.start].strip() or line.above
            yield FoundDate(_date_field(label), match.iso, -1)
            end = match.end


def _dates_of_sentences(page: Page) -> Iterator[FoundDate]:
    """The date behind each "published" and similar words, or else the one before it in the line."""
    text, day_first = page.text, writes_day_first(page)
    places = islice(places_of_stems(text, _PUBLICATION_STEMS), MAX_SENTENCES)
    for match in filter(None, (_PUBLICATION.match(text, place - 1) for place in places if place)):
        start, end = match.span()
        behind = next(find_dates(text[end : end + SENTENCE_LENGTH], day_first), None)
        before = list(find_dates(text[max(0, start - SENTENCE_LENGTH) : start].rpartition("\n")[2], day_first))
        date = behind or (before[-1] if before else None)
        if date:
            yield FoundDate("date_published", date.iso, start)


def _only_day(page: Page) -> list[FoundDate]:
    """The date in the short lines of the page, if all that have one name the same day."""
    lines = [Line(text, "") for text in page.text.split("\n") if len(text) <= MAX_LINE_LENGTH and _YEAR.search(text)]
    dates = list(_dates_of_lines(lines[:MAX_LINES], writes_day_first(page)))
    return dates[:1] if len({date.iso[:10] for date in dates}) == 1 else []
