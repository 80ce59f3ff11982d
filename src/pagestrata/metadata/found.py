"""Found: one answer that one place of the page gives to one field, before anything is chosen."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

MANY: Final = frozenset(("authors", "categories", "tags", "feeds"))
"""The fields that hold several values."""
WARNING: Final = "warnings"
"""The field of what a reader has to say about its own reading."""


@dataclass(frozen=True, slots=True)
class Found:
    """A whole answer to a field, as the page spells it: one value, or all the authors, tags, categories or feeds."""

    field: str
    values: tuple[str, ...]
    source: str


def answers(field: str, values: Sequence[str], source: str) -> Iterator[Found]:
    """What one name says of a field: one answer of several values, or several answers of which one may be taken.

    >>> [one.values for one in answers("tags", ["mud", "tide"], "meta")]
    [('mud', 'tide')]
    >>> [one.values for one in answers("title", ["Mud", "Tide"], "meta")]
    [('Mud',), ('Tide',)]
    """
    given = [value for value in values if value]
    if field in MANY and given:
        yield Found(field, tuple(given), source)
    else:
        yield from (Found(field, (value,), source) for value in given)
