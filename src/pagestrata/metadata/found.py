"""Found: one answer that one place of the page gives to one field, before anything is chosen."""

from dataclasses import dataclass
from typing import Final

WARNING: Final = "warnings"
"""The field of what a reader has to say about its own reading."""


@dataclass(frozen=True, slots=True)
class Found:
    """A whole answer to a field, as the page spells it: one value, or all the authors, tags, categories or feeds."""

    field: str
    values: tuple[str, ...]
    source: str
