"""Candidates: what a source offers for a field of the metadata, before one of them is chosen."""

from collections.abc import Iterable, Sequence
from typing import Final, Protocol

LIST_FIELDS: Final = frozenset(("authors", "categories", "tags", "feeds"))
"""The fields that hold several values."""

Candidate = tuple[str, ...]
"""A complete value of a field as the page spells it: one string, or all the authors, tags, categories or feeds."""


class Source(Protocol):
    """A part of the page that describes the page, such as its JSON-LD or its OpenGraph metas."""

    def candidates(self, field: str) -> Iterable[Candidate]:
        """Return the values of this source for a field, the most trusted first."""
        ...


def as_candidates(field: str, values: Sequence[str]) -> list[Candidate]:
    """Values that stand under one name: one candidate for a list field, otherwise one candidate each.

    >>> as_candidates("tags", ["mud", "tide"])
    [('mud', 'tide')]
    >>> as_candidates("title", ["Mud", "Tide"])
    [('Mud',), ('Tide',)]
    """
    present = [value for value in values if value]
    if field in LIST_FIELDS:
        return [tuple(present)] if present else []
    return [(value,) for value in present]
