"""Names of authors out of what pages put in their place."""

import re
from collections.abc import Iterable
from typing import Final

from pagestrata.metadata.clean import NAME_LENGTH, clean, distinct

MOST_WORDS: Final = 8
"""A name of more words is a sentence; one that stands in running text may have `MOST_SHOWN_WORDS`."""
MOST_SHOWN_WORDS: Final = 5

_VERBS = "written|posted|published|started|created|authored|reviewed|words|story|guide|recipe|text|article|post|blog"
# How bylines begin, in the languages whose months `dates` reads and where the word is not common at such a place.
_BY = re.compile(
    rf"(?:\b(?i:{_VERBS})\s+|^)(?:[Bb]y(?=[A-Z\s:])|BY(?=[\s:])|(?i:von|par|por|door|av|af|di|autor|author|автор)\b)[\s:]*"
)
_AND = r"(?:and|und|et|&|with)"
_BETWEEN = re.compile(rf"\s*[,;|•·/]\s*(?:{_AND}\s)?|\s{_AND}\s", re.IGNORECASE)
_LABEL = re.compile(rf"(?:(?:{_VERBS})\s+)?by\b[\s:]*|authors?\s*:\s*", re.IGNORECASE)
# Degrees and offices behind a name, in capitals: PhD, M.D., CFA, RN.
_SUFFIX = re.compile(r"(?:[A-Z][a-z]?\.?-?){1,6}|[JS]r\.?|I{2,3}")
_ADDRESS = re.compile(r"https?:|www\.|@|://", re.IGNORECASE)
_NAME_ENDS = re.compile(r"\s(?:on|in|at|for|from|updated|published|posted|last|reviewed|edited)\b|[|•·»–—(\d]|\s-\s|$", re.I)
# What stands in place of a name and is none.
_NOBODY = frozenset("admin administrator author authors editor guest none null root undefined unknown user webmaster".split())
# Parts of names that begin with a small letter.
_PARTICLES = frozenset("al bin da das de del della den der di do dos du e el i la le ten ter van von y".split())


def author_names(values: Iterable[str], site_name: str | None) -> tuple[str, ...]:
    """The people (or teams) that are named, each once; the site itself only if it names nobody else.

    >>> author_names(["By Signe Ødegarth and Théo Marchbank", "https://tidewater.example/signe"], None)
    ('Signe Ødegarth', 'Théo Marchbank')
    """
    names = distinct([name for value in values for name in _names(clean(value, 4 * NAME_LENGTH)) if _is_name(name)])
    site = (site_name or "").casefold()
    return tuple(name for name in names if name.casefold() != site) or names


def byline_names(line: str) -> list[str]:
    """The names after "By" or a like word in a line of the page; none if what follows is not written as a name.

    >>> byline_names("Published by Théo Marchbank on Friday"), byline_names("Go by boat")
    (['Théo Marchbank'], [])
    """
    label = _BY.search(line)
    return shown_names(line[label.end() :]) if label else []


def shown_names(text: str) -> list[str]:
    """The names at the start of a text of the page, if it begins with one."""
    ends = _NAME_ENDS.search(text)
    names = _names(text[: ends.start()] if ends else text)
    return names if names and all(looks_like_name(name) for name in names) else []


def looks_like_name(text: str) -> bool:
    """Whether a text is written as names are: few words, each with a capital where the script has them."""
    words = text.split()
    return (
        0 < len(words) <= MOST_SHOWN_WORDS
        and 2 < len(text) <= NAME_LENGTH
        and _is_name(text)
        and not words[0][0].islower()
        and all(not word[0].islower() or word in _PARTICLES for word in words)
        and not any(letter.isdigit() for letter in text)
    )


def _names(text: str) -> list[str]:
    if _ADDRESS.search(text):
        return []
    label = _LABEL.match(text)
    parts = [part.strip(" .,:-–—()") for part in _BETWEEN.split(text[label.end() if label else 0 :])]
    parts = [part for part in parts if part]
    if len(parts) == 2 and "," in text and all(len(part.split()) == 1 for part in parts):
        return [f"{parts[1]} {parts[0]}"]  # "Marchbank, Théo", as libraries write it
    return parts[:1] + [part for part in parts[1:] if not _SUFFIX.fullmatch(part)]


def _is_name(text: str) -> bool:
    return (
        len(text) <= NAME_LENGTH
        and len(text.split()) <= MOST_WORDS
        and any(letter.isalpha() for letter in text)
        and text.casefold() not in _NOBODY
    )
