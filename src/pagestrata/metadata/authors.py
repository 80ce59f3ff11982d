"""Names of authors, extracted from the values and bylines that contain them."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from pagestrata.metadata.clean import MAX_NAME_LENGTH, clean, distinct
from pagestrata.metadata.dates import find_dates

MAX_NAME_WORDS: Final = 8
"""A declared name of more words is a sentence; in visible text the limit is `MAX_VISIBLE_NAME_WORDS`."""
MAX_VISIBLE_NAME_WORDS: Final = 5
MIN_VISIBLE_NAME_LENGTH: Final = 4
"""Characters of a name in visible text; shorter ones are weekdays and buttons."""

# Short lists of words that distinguish names from the text around them, collected from the bylines of wcxb. The words
# for "by" are those of the languages whose months `dates` reads, unless they also begin other lines.
_BYLINE_WORDS = "by von par por door av af di da autor author автор".split()
_VERBS = "written posted published started created authored words story guide recipe text article post".split()
_AFTER_NAME = "on in at for from updated published posted last reviewed edited view about".split()
_JOB_TITLES = frozenset("ceo contributor director editor expert founder manager officer reporter writer".split())
_NOT_NAMES = frozenset(
    "admin administrator auteur author authors autor autore автор contributor editor facebook guest hello here home "
    "insights instagram last linkedin login member menu news none null post posted posts profile reply root search "
    "share staff twitter undefined unknown updated user username view webmaster website writer youtube 기자".split()
)
_PARTICLES = frozenset("al bin da das de del della den der di do dos du e el i la le ten ter van von y".split())
"""Parts of names that begin with a small letter."""

_LABEL = re.compile(rf"(?:(?:{'|'.join(_VERBS)})\s+)?by\b[\s:]*|authors?\s*:\s*", re.IGNORECASE)
_FULL_BYLINE = re.compile(rf"(?:(?:this|the|blog|was|{'|'.join(_VERBS)})\s+){{1,4}}by\b", re.IGNORECASE)
# All cases are spelled out: a pattern that ignores case cannot skip to where it may begin.
_ANY_BYLINE_WORD = "|".join(f"{word}|{word.title()}|{word.upper()}" for word in _BYLINE_WORDS)
_BYLINE = re.compile(rf"(?:{_ANY_BYLINE_WORD})(?:[\s:|]+|(?<=y)(?=[A-Z]))")
_MARKS = "|•·–—,"
_COMMA = re.compile(r"\s*[,;|•·]\s*(?:(?:and|und|et|&)\s)?|\s/\s", re.IGNORECASE)
_AND = re.compile(r"\s(?:and|und|et|og|och|&)\s", re.IGNORECASE)
_BEHIND_NAME = re.compile(r"\s[-–—⋅]\s.*|<.*")
_SHOWN_NAME_ENDS = re.compile(rf"\s(?:{'|'.join(_AFTER_NAME)})\b|[|•·»–—⋅(<\d]|\s-\s|\w+\.?\s\d", re.IGNORECASE)
# Degrees behind a name, in capitals: PhD, M.D., CFA, RN.
_DEGREE = re.compile(r"(?:[A-Z][a-z]?\.?-?){1,6}|[JS]r\.?|I{2,3}")
_ADDRESS = re.compile(r"https?:|www\.|\S@|@\S|://|\.(?:com|net|org)/", re.IGNORECASE)


def author_names(values: Iterable[str]) -> tuple[str, ...]:
    """The people (or teams) that the values name, each once.

    >>> author_names(["By Signe Ødegarth and Théo Marchbank, PhD", "https://tidewater.example/signe"])
    ('Signe Ødegarth', 'Théo Marchbank')
    """
    return distinct([name for value in values for name in _names(clean(value, 4 * MAX_NAME_LENGTH)) if _is_name(name)])


def byline_names(line: str) -> list[str]:
    """The names after "By" or a similar word in a line; none if what follows is not written like a name.

    >>> byline_names("Published 17 May 2024 by Théo Marchbank on the quay"), byline_names("Go by boat")
    (['Théo Marchbank'], [])
    """
    line = _without_dates(line)
    labels = (label for label in _BYLINE.finditer(line) if _can_precede_byline(line[: label.start()]))
    return next((leading_names(line[label.end() :]) for label in labels), [])


def is_full_byline(line: str) -> bool:
    """Whether a line begins with "Written by" or the like, which hardly begins anything but a byline.

    >>> is_full_byline("This post was written by Signe Ødegarth"), is_full_byline("By boat")
    (True, False)
    """
    return bool(_FULL_BYLINE.match(line))


def ends_in_byline_word(line: str) -> bool:
    """Whether a line ends in "By" or a similar word, so that the names are in the next line."""
    words = line.rstrip(" :").split()
    return bool(words) and words[-1].lower() in _BYLINE_WORDS and _can_precede_byline(line[: line.rindex(words[-1])])


def _can_precede_byline(before: str) -> bool:
    """Whether a byline can begin after this text: at the start, after punctuation, after "written" or similar."""
    words = before.split()
    return not words or words[-1][-1] in _MARKS or (before[-1].isspace() and words[-1].lower() in _VERBS)


def leading_names(text: str) -> list[str]:
    """The names at the start of a visible text; none if it does not begin with a name."""
    text = _without_dates(text).lstrip(f" {_MARKS}")  # a date may be before the name
    ends = _SHOWN_NAME_ENDS.search(text)
    names = _names(text[: ends.start()] if ends else text)
    return names if all(looks_like_name(name) for name in names) else []


def looks_like_name(text: str) -> bool:
    """Whether a text is written like a name: few words, each capitalised if the script has capitals.

    >>> looks_like_name("Ines de la Halloway"), looks_like_name("Read more"), looks_like_name("3 min")
    (True, False, False)
    """
    words = text.split()
    return (
        _is_name(text)
        and len(text) >= MIN_VISIBLE_NAME_LENGTH
        and len(words) <= MAX_VISIBLE_NAME_WORDS
        and not words[0][0].islower()
        and all(word.casefold() not in _NOT_NAMES and (not word[0].islower() or word in _PARTICLES) for word in words)
        and not any(letter.isdigit() for letter in text)
    )


def _without_dates(text: str) -> str:
    """Replace each date in a text by a bar."""
    for match in reversed(list(find_dates(text))):
        text = f"{text[: match.start]}|{text[match.end :]}"
    return text


def _names(text: str) -> list[str]:
    """The names in a value, which may list several, without the degrees and job titles behind them."""
    if _ADDRESS.search(text):
        return []
    label = _LABEL.match(text)
    parts = [_BEHIND_NAME.sub("", part).strip(" .,:-–—") for part in _COMMA.split(text[label.end() if label else 0 :])]
    parts = [part for part in parts if part]
    if len(parts) == 2 and "," in text and _is_inverted(*parts):
        return [f"{parts[1]} {parts[0]}"]
    return [
        name for i, part in enumerate(parts) if i == 0 or not _is_degree_or_job(part) for name in _split_at_and(part)
    ]


def _split_at_and(text: str) -> Iterator[str]:
    """Split a text at "and", unless a side is a single word ("Morgan & Sons" is one name) or a sentence."""
    names = _AND.split(text)
    return iter(names if all(1 < len(name.split()) <= MAX_VISIBLE_NAME_WORDS for name in names) else [text])


def _is_inverted(last: str, first: str) -> bool:
    """Whether a name is in the order of library catalogues: "Marchbank, Théo F."."""
    first_names = first.split()
    return " " not in last and (len(first_names) == 1 or len(first_names[-1]) <= 2) and not _is_degree_or_job(first)


def _is_degree_or_job(text: str) -> bool:
    """Whether a text behind a name is an academic degree or a job title."""
    return bool(_DEGREE.fullmatch(text)) or not _JOB_TITLES.isdisjoint(text.casefold().split())


def _is_name(text: str) -> bool:
    return (
        0 < len(text) <= MAX_NAME_LENGTH
        and len(text.split()) <= MAX_NAME_WORDS
        and any(letter.isalpha() for letter in text)
        and ":" not in text
        and text.casefold() not in _NOT_NAMES
    )
