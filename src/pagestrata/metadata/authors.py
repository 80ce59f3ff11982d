"""Names of authors out of what pages put in their place."""

import re
from collections.abc import Iterable
from typing import Final

from pagestrata.metadata.clean import NAME_LENGTH, clean, distinct
from pagestrata.metadata.dates import find_dates

MOST_WORDS: Final = 8
"""A name of more words is a sentence; one that only looks like a name may have `MOST_SHOWN_WORDS`."""
MOST_SHOWN_WORDS: Final = 5
SHORTEST_SHOWN: Final = 4
"""Letters of a shown name of one word: shorter ones are weekdays and buttons."""

# The short lists of words that help to tell names from what stands around them.
_VERBS = "written|posted|published|started|created|authored|words|story|guide|recipe|text|article|post"
_BY = "by|von|par|por|door|av|af|di|da|autor|author|автор"
_AND = r"(?:and|und|et|y|e|og|och|en|&|with)"
_NAME_ENDS_AT = "on|in|at|for|from|updated|published|posted|last|reviewed|edited|view|about"
_NOBODY = frozenset(
    "admin administrator author authors contributor editor guest hello home login member menu none null profile root "
    "search share staff undefined unknown updated user view webmaster writer".split()
)
_OFFICES = frozenset("ceo contributor director editor expert founder manager officer reporter specialist writer".split())
_PARTICLES = frozenset("al bin da das de del della den der di do dos du e el i la le ten ter van von y".split())
"""Parts of names that begin with a small letter."""

_LABEL = re.compile(rf"(?:(?:{_VERBS})\s+)?by\b[\s:]*|authors?\s*:\s*", re.IGNORECASE)
_BYLINE = re.compile(
    rf"(?:^|[|•·–—,]\s*|\b(?i:{_VERBS})\s+)(?:(?i:{_BY})(?=[\s:|])|[Bb]y(?=[A-Z]))[\s:|]*"
)
_BETWEEN = re.compile(rf"\s*[,;|•·/]\s*(?:{_AND}\s)?|\s{_AND}\s", re.IGNORECASE)
_BEHIND_NAME = re.compile(r"\s+[-–—⋅]\s.*|\s*<.*|\s*\|.*")
_SHOWN_NAME_ENDS = re.compile(rf"\s(?:{_NAME_ENDS_AT})\b|[|•·»–—⋅(<\d]|\s-\s|\w+\.?\s\d|$", re.IGNORECASE)
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
    line = without_dates(line)
    label = _BYLINE.search(line)
    return shown_names(line[label.end() :]) if label else []


def shown_names(text: str) -> list[str]:
    """The names at the start of a text of the page, if it begins with one."""
    text = without_dates(text)
    ends = _SHOWN_NAME_ENDS.search(text)
    names = _names(text[: ends.start()] if ends else text)
    return names if names and all(looks_like_name(name) for name in names) else []


def without_dates(text: str) -> str:
    """The text with a bar in place of each date."""
    for found in reversed(list(find_dates(text))):
        text = f"{text[: found.start]}|{text[found.end :]}"
    return text


def looks_like_name(text: str) -> bool:
    """Whether a text is written as names are: few words, each with a capital where the script has them."""
    words = text.split()
    return (
        _is_name(text)
        and len(words) <= MOST_SHOWN_WORDS
        and len(text) >= SHORTEST_SHOWN
        and not words[0][0].islower()
        and all(word.casefold() not in _NOBODY and (not word[0].islower() or word in _PARTICLES) for word in words)
        and not any(letter.isdigit() for letter in text)
    )


def _names(text: str) -> list[str]:
    if _ADDRESS.search(text):
        return []
    label = _LABEL.match(text)
    parts = [_BEHIND_NAME.sub("", part).strip(" .,:-–—") for part in _BETWEEN.split(text[label.end() if label else 0 :])]
    parts = [part for part in parts if part]
    if len(parts) == 2 and "," in text and _is_turned(*parts):
        return [f"{parts[1]} {parts[0]}"]
    return parts[:1] + [part for part in parts[1:] if not _is_office(part)]


def _is_turned(last: str, first: str) -> bool:
    """Whether a name stands as libraries write it: "Marchbank, Théo F."."""
    given = first.split()
    return len(last.split()) == 1 and (len(given) == 1 or len(given[-1]) <= 2) and not _is_office(first)


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
