"""Names of authors out of what pages put in their place."""

import re
from collections.abc import Iterable
from typing import Final

from pagestrata.metadata.clean import NAME_LENGTH, clean, distinct

MOST_WORDS: Final = 8
"""A name of more words is a sentence."""
_SAYS_AUTHOR = re.compile(r"(?:(?:written|posted|published|reviewed|words|story)\s+)?by\b[\s:]*|authors?\s*:\s*", re.IGNORECASE)
_BETWEEN = re.compile(r"\s*(?:[,;|•·/]|\s(?:and|und|et|&)\s)\s*(?:(?:and|und|et|&)\s)?", re.IGNORECASE)
# Degrees and offices behind a name, in capitals: PhD, M.D., CFA, RN.
_SUFFIX = re.compile(r"(?:[A-Z][a-z]?\.?){1,5}|[JS]r\.?|I{2,3}")
_ADDRESS = re.compile(r"https?:|www\.|@|://", re.IGNORECASE)
_NOBODY = frozenset("admin administrator author editor guest none null root staff undefined unknown user webmaster".split())


def author_names(values: Iterable[str], site_name: str | None) -> tuple[str, ...]:
    """The people (or teams) that are named, each once.

    >>> author_names(["By Signe Ødegarth and Théo Marchbank", "https://tidewater.example/signe"], None)
    ('Signe Ødegarth', 'Théo Marchbank')
    """
    names = [name for value in values for name in _names(clean(value, 4 * NAME_LENGTH))]
    site = (site_name or "").casefold()
    return distinct([name for name in names if _is_name(name) and name.casefold() != site])


def _names(text: str) -> list[str]:
    if _ADDRESS.search(text):
        return []
    start = _SAYS_AUTHOR.match(text)
    parts = [part.strip(" .,:-–—()") for part in _BETWEEN.split(text[start.end() if start else 0 :])]
    if len(parts) == 2 and "," in text and all(len(part.split()) == 1 for part in parts):
        return [f"{parts[1]} {parts[0]}"]  # "Marchbank, Théo", as libraries write it
    return [part for part in parts[:1] if part] + [part for part in parts[1:] if not _SUFFIX.fullmatch(part)]


def _is_name(text: str) -> bool:
    return (
        len(text) <= NAME_LENGTH
        and any(letter.isalpha() for letter in text)
        and len(text.split()) <= MOST_WORDS
        and text.casefold() not in _NOBODY
    )
