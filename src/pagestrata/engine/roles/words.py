"""The words that tell the role of a section: in names of elements, in headings and short lines, in link targets.

All of them are in `engine/data/role_words.json`. They are votes among others (see `reader`): without any names, and in a
language that the table lacks, structure still decides.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from itertools import chain
from typing import Final

import msgspec

from pagestrata.native.keywords import MAX_NAME_LENGTH, NO_RANK
from pagestrata.page.text import words
from pagestrata.results import Role

MAX_HEADING_WORDS: Final = 10
"""A longer heading is about something of its own."""

_NAME_EDGE = re.compile(r"[^A-Za-z0-9]+|(?<=[a-z])(?=[A-Z])")


class _RoleEntry(msgspec.Struct, frozen=True):
    names: list[str]
    lines: list[str]
    bylines: list[str] = []


class _Table(msgspec.Struct, frozen=True):
    roles: dict[str, _RoleEntry]
    share_targets: list[str]
    advertisers: list[str]


Phrase = tuple[str, ...]
"""Words in a row."""


@dataclass(frozen=True, slots=True)
class RoleWords:
    """The table in the form in which it is looked up."""

    names: dict[str, list[tuple[Phrase, Role]]]
    """The phrases of class and id names, by their first word."""
    lines: dict[Phrase, Role]
    rank: dict[Role, int]
    """Precedence where a name holds words of several roles; the smallest wins."""
    longest_line: int
    """Words of the longest phrase in `lines`."""
    bylines: frozenset[str]
    """Words that a byline begins with."""
    share_targets: tuple[str, ...]
    advertisers: tuple[str, ...]
    share_pattern: re.Pattern[str]
    advertiser_pattern: re.Pattern[str]

    def role_of_line(self, line: str) -> Role | None:
        """Return the role of a line that consists of a phrase of the table and nothing else."""
        return self.lines.get(_phrase(line))

    def role_of_heading(self, line: str) -> Role | None:
        """Return the role of a heading that begins with a phrase of the table; the longest one decides."""
        phrase = _phrase(line)
        if len(phrase) > max(MAX_HEADING_WORDS, self.longest_line):
            return None
        sizes = range(min(len(phrase), self.longest_line), 0, -1)
        return next((self.lines[phrase[:size]] for size in sizes if phrase[:size] in self.lines), None)


@cache
def role_words() -> RoleWords:
    """Return the table that ships with the engine."""
    data = files("pagestrata.engine").joinpath("data/role_words.json").read_bytes()
    table = msgspec.json.decode(data, type=_Table)
    roles = [(Role(name), entry) for name, entry in table.roles.items()]
    lines = {_phrase(line): role for role, entry in reversed(roles) for line in entry.lines}
    names = dict[str, list[tuple[Phrase, Role]]]()
    for phrase, role in ((tuple(name.split()), role) for role, entry in roles for name in entry.names):
        names.setdefault(phrase[0], []).append((phrase, role))
    return RoleWords(
        names=names,
        lines=lines,
        rank={role: place for place, (role, _) in enumerate(roles)},
        longest_line=max(map(len, lines)),
        bylines=frozenset(word for _, entry in roles for word in entry.bylines),
        share_targets=tuple(table.share_targets),
        advertisers=tuple(table.advertisers),
        share_pattern=_any_of(table.share_targets),
        advertiser_pattern=_any_of(table.advertisers),
    )


def role_of_name(name: str) -> Role | None:
    """Return the role that a class or id is named for.

    >>> role_of_name("post-footer sharingButtons"), role_of_name("col-md-6"), role_of_name("table-of-contents")
    (<Role.SHARE: 'share'>, None, <Role.CONTENTS: 'contents'>)
    """
    rank = rank_of_name(name)
    return None if rank == NO_RANK else tuple(role_words().rank)[rank]


@lru_cache(maxsize=50_000)
def rank_of_name(name: str) -> int:
    """Return the rank of the role that a class or id is named for; `NO_RANK` if it is for none."""
    table = role_words()
    words = list(chain.from_iterable(map(_words_of_class, name[:MAX_NAME_LENGTH].split())))
    if table.names.keys().isdisjoint(words):
        return NO_RANK
    ranks = (
        table.rank[role]
        for start, word in enumerate(words)
        if word in table.names
        for phrase, role in table.names[word]
        if phrase == tuple(words[start : start + len(phrase)])
    )
    return min(ranks, default=NO_RANK)


@lru_cache(maxsize=50_000)
def _words_of_class(name: str) -> tuple[str, ...]:
    """Split one class into words; sites share many classes, and few combinations of them."""
    return tuple([word.lower() for word in _NAME_EDGE.split(name) if word])


def _phrase(line: str) -> Phrase:
    """Split a line into words without numbers: `3 Comments:` is `comments`."""
    return tuple(word for word in words(line.lower()) if not word.isdecimal())


def _any_of(pieces: Iterable[str]) -> re.Pattern[str]:
    """Compile a pattern that finds one of these pieces of an address where it does not begin inside a word."""
    return re.compile(r"(?<![a-z0-9])(?:" + "|".join(map(re.escape, pieces)) + ")")
