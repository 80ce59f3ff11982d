"""Limit: a bound on what is read of a page, reported when it was hit."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limit:
    """A limit that was hit: what is allowed, what the page has, and what was done about it."""

    name: str
    allowed: int
    found: int
    effect: str

    def __str__(self) -> str:
        return f"{self.name}: {self.found:,} where {self.allowed:,} are allowed; {self.effect}"
