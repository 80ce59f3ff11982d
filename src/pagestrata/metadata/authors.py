"""Names of authors out of what pages put in their place."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from pagestrata.metadata.clean import NAME_LENGTH, clean, distinct
from pagestrata.metadata.dates import find_dates

MOST_WORDS: Final = 8
"""A name of more words is a sentence; one that only looks like a name may have `MOST_SHOWN_WORDS`."""
MOST_SHOWN_WORDS: Final = 5
SHORTEST_SHOWN: Final = 4
"""Letters of a shown name: shorter ones are weekdays and buttons."""

# The short lists of words that help to tell names from what stands around them. Collected from the bylines of wcxb;
# the words for "by" are those of the languages whose months `dates` reads, where they begin no other line.
_BY = "by von par por door av af di da autor author автор".split()
_VERBS = "written posted published started created authored words story guide recipe text article post".split()
_AFTER_NAME = "on in at for from updated published posted last reviewed edited view about".split()
_OFFICES = frozenset("ceo contributor director editor expert founder manager officer reporter writer".split())
_NOBODY = frozenset(
    "admin administrator auteur author authors autor autore автор contributor editor guest hello home login member "
    "menu none null profile root search share staff undefined unknown updated user view webmaster writer".split()
)
_PARTICLES = frozenset("al bin da das de del della den der di do dos du e el i la le ten ter van von y".split())
"""Parts of names that begin with a small letter."""

_LABEL = re.compile(rf"(?:(?:{'|'.join(_VERBS)})\s+)?by\b[\s:]*|authors?\s*:\s*", re.IGNORECASE)
# All cases are spelled out: a pattern that ignores case cannot skip to where it may begin.
_ANY_BY = "|".join(f"{word}|{word.title()}|{word.upper()}" for word in _BY)
_BYLINE = re.compile(rf"(?:{_ANY_BY})(?:[\s:|]+|(?<=y)(?=[A-Z]))")
_MARKS = "|•·–—,"
_COMMA = re.compile(r"\s*[,;|•·]\s*(?:(?:and|und|et|&)\s)?|\s/\s", re.IGNORECASE)
_AND = re.compile(r"\s(?:and|und|et|og|och|&)\s", re.IGNORECASE)
_BEHIND_NAME = re.compile(r"\s[-–—⋅]\s.*|<.*")
_SHOWN_NAME_ENDS = re.compile(rf"\s(?:{'|'.join(_AFTER_NAME)})\b|[|•·»–—⋅(<\d]|\s-\s|\w+\.?\s\d", re.IGNORECASE)
# Degrees behind a name, in capitals: PhD, M.D., CFA, RN.
_DEGREE = re.compile(r"(?:[A-Z][a-z]?\.?-?){1,6}|[JS]r\.?|I{2,3}")
_ADDRESS = re.compile(r"https?:|www\.|@|://", re.IGNORECASE)


def author_names(values: Iterable[str]) -> tuple[str, ...]:
    """The people (or teams) that are named, each once.

    >>> author_names(["By Signe Ødegarth and Théo Marchbank, PhD", "https://tidewater.example/signe"])
    ('Signe Ødegarth', 'Théo Marchbank')
    """
    return distinct([name for value in values for name in _names(clean(value, 4 * NAME_LENGTH)) if _is_name(name)])


def byline_names(line: str) -> list[str]:
    """The names after "By" or a like word in a line of the page; none if what follows is not written as a name.

    >>> byline_names("Published 17 May 2024 by Théo Marchbank on the quay"), byline_names("Go by boat")
    (['Théo Marchbank'], [])
    """
    line = _without_dates(line)
    labels = (label for label in _BYLINE.finditer(line) if _may_begin(line[: label.start()]))
    return next((shown_names(line[label.end() :]) for label in labels), [])


def announces_names(line: str) -> bool:
    """Whether a line ends in "By" or a like word, so that the names are in the next one."""
    words = line.rstrip(" :").split()
    return bool(words) and words[-1].lower() in _BY and _may_begin(line[: line.rindex(words[-1])])


def _may_begin(before: str) -> bool:
    """Whether a byline may begin after this: at the start, after a mark, after "written" and the like."""
    words = before.split()
    return not words or words[-1][-1] in _MARKS or (before[-1].isspace() and words[-1].lower() in _VERBS)


def shown_names(text: str) -> list[str]:
    """The names at the start of a text of the page, if it begins with one."""
    text = _without_dates(text)
    ends = _SHOWN_NAME_ENDS.search(text)
    names = _names(text[: ends.start()] if ends else text)
    return names if all(looks_like_name(name) for name in names) else []


def looks_like_name(text: str) -> bool:
    """Whether a text is written as names are: few words, each with a capital where the script has them.

    >>> looks_like_name("Ines de la Halloway"), looks_like_name("Read more"), looks_like_name("3 min")
    (True, False, False)
    """
    words = text.split()
    return (
        _is_name(text)
        and len(text) >= SHORTEST_SHOWN
        and len(words) <= MOST_SHOWN_WORDS
        and not words[0][0].islower()
        and all(word.casefold() not in _NOBODY and (not word[0].islower() or word in _PARTICLES) for word in words)
        and not any(letter.isdigit() for letter in text)
    )


def _without_dates(text: str) -> str:
    """The text with a bar in place of each date."""
    for found in reversed(list(find_dates(text))):
        text = f"{text[: found.start]}|{text[found.end :]}"
    return text


def _names(text: str) -> list[str]:
    """The names in an answer, which may hold several, and degrees and offices behind them."""
    if _ADDRESS.search(text):
        return []
    label = _LABEL.match(text)
    parts = [_BEHIND_NAME.sub("", part).strip(" .,:-–—") for part in _COMMA.split(text[label.end() if label else 0 :])]
    parts = [part for part in parts if part]
    if len(parts) == 2 and "," in text and _is_turned(*parts):
        return [f"{parts[1]} {parts[0]}"]
    return [name for i, part in enumerate(parts) if i == 0 or not _is_office(part) for name in _each(part)]


def _each(text: str) -> Iterator[str]:
    """Both sides of an "and", unless one of them is a single word ("Morgan & Sons" is one name) or a sentence."""
    names = _AND.split(text)
    return iter(names if all(1 < len(name.split()) <= MOST_SHOWN_WORDS for name in names) else [text])


def _is_turned(last: str, first: str) -> bool:
    """Whether a name stands as libraries write it: "Marchbank, Théo F."."""
    given = first.split()
    return " " not in last and (len(given) == 1 or len(given[-1]) <= 2) and not _is_office(first)


def _is_office(text: str) -> bool:
    """Whether what stands behind a name is a degree or an office."""
    return bool(_DEGREE.fullmatch(text)) or not _OFFICES.isdisjoint(text.casefold().split())


def _is_name(text: str) -> bool:
    return (
        0 < len(text) <= NAME_LENGTH
        and len(text.split()) <= MOST_WORDS
        and any(letter.isalpha() for letter in text)
        and ":" not in text
        and text.casefold() not in _NOBODY
    )
