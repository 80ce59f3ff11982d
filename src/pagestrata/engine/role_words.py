"""What words tell of the purpose of a section: those of names, those of headings and short lines, those of addresses.

All of them stand in `data/role_words.json`. They are votes among others (see `roles`): with all names gone, and in a
language that the table does not know, structure still speaks.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from itertools import chain
from typing import Final

import msgspec

from pagestrata.page.text import words
from pagestrata.results import Role

LONGEST_NAME: Final = 200
"""Characters of a class or id that are looked at."""
HEADING_WORDS: Final = 10
"""A longer heading says something of its own."""

_NAME_EDGE = re.compile(r"[^A-Za-z0-9]+|(?<=[a-z])(?=[A-Z])")


class _Words(msgspec.Struct, frozen=True):
    names: list[str]
    lines: list[str]
    bylines: list[str] = []


class _Table(msgspec.Struct, frozen=True):
    roles: dict[str, _Words]
    share_targets: list[str]
    advertisers: list[str]


Phrase = tuple[str, ...]
"""Words one after another."""


@dataclass(frozen=True, slots=True)
class RoleWords:
    """The table, ready to be asked."""

    names: dict[str, list[tuple[Phrase, Role]]]
    """The phrases that begin with each word."""
    lines: dict[Phrase, Role]
    rank: dict[Role, int]
    """The smaller, the more a role says when several are named."""
    longest_line: int
    bylines: frozenset[str]
    share: re.Pattern[str]
    advertisers: re.Pattern[str]

    def line(self, line: str) -> Role | None:
        """What a line tells of which these are all the words."""
        return self.lines.get(_plain(line))

    def heading(self, line: str) -> Role | None:
        """What a heading tells by how it begins."""
        said = _plain(line)
        if len(said) > max(HEADING_WORDS, self.longest_line):
            return None
        sizes = range(min(len(said), self.longest_line), 0, -1)
        return next((self.lines[said[:size]] for size in sizes if said[:size] in self.lines), None)


@cache
def role_words() -> RoleWords:
    """The words that ship with the engine."""
    data = files(__package__).joinpath("data/role_words.json").read_bytes()
    table = msgspec.json.decode(data, type=_Table)
    roles = [(Role(name), found) for name, found in table.roles.items()]
    lines = {_plain(line): role for role, found in reversed(roles) for line in found.lines}
    names = dict[str, list[tuple[Phrase, Role]]]()
    for phrase, role in ((tuple(name.split()), role) for role, found in roles for name in found.names):
        names.setdefault(phrase[0], []).append((phrase, role))
    return RoleWords(
        names=names,
        lines=lines,
        rank={role: place for place, (role, _) in enumerate(roles)},
        longest_line=max(map(len, lines)),
        bylines=frozenset(word for _, found in roles for word in found.bylines),
        share=_any_of(table.share_targets),
        advertisers=_any_of(table.advertisers),
    )


@lru_cache(maxsize=50_000)
def role_of_name(name: str) -> Role | None:
    """What a class or id tells.

    >>> role_of_name("post-footer sharingButtons"), role_of_name("col-md-6"), role_of_name("table-of-contents")
    (<Role.SHARE: 'share'>, None, <Role.CONTENTS: 'contents'>)
    """
    table = role_words()
    said = list(chain.from_iterable(map(_words_of, name[:LONGEST_NAME].split())))
    if table.names.keys().isdisjoint(said):
        return None
    found = {
        role
        for start, word in enumerate(said)
        if word in table.names
        for phrase, role in table.names[word]
        if phrase == tuple(said[start : start + len(phrase)])
    }
    return min(found, key=table.rank.__getitem__, default=None)


@lru_cache(maxsize=50_000)
def _words_of(one: str) -> tuple[str, ...]:
    """The words in one class; sites share many of these, and few of their combinations."""
    return tuple([word.lower() for word in _NAME_EDGE.split(one) if word])


def _plain(line: str) -> tuple[str, ...]:
    """The words of a line without numbers: `3 Comments:` is `comments`."""
    return tuple(word for word in words(line.lower()) if not word.isdecimal())


def _any_of(pieces: Iterable[str]) -> re.Pattern[str]:
    """Finds one of these parts of an address; none begins inside of a word."""
    return re.compile(r"(?<![a-z0-9])(?:" + "|".join(map(re.escape, pieces)) + ")")
