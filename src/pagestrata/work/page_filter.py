"""Which pages of many are wanted."""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pagestrata.errors import UsageError
from pagestrata.extraction import Extraction

if TYPE_CHECKING:
    from pagestrata.metadata.merge import Metadata

_LANGUAGE_CODE = re.compile("[a-z]{2,3}")


@dataclass(frozen=True, slots=True)
class PageFilter:
    """What a page must have to be written; by default nothing."""

    languages: tuple[str, ...] = ()
    """One of these languages, in any regional variant."""
    with_metadata: bool = False
    """A title, a date of publication and an address."""

    def why_not(self, extraction: Extraction) -> str:
        """Why a page is not wanted; empty if it is."""
        if not is_in(self.languages, extraction.metadata.language if self.languages else None):
            return f"left out: its language is {extraction.metadata.language or 'unknown'}"
        missing = missing_metadata(extraction.metadata) if self.with_metadata else []
        return f"left out: it has no {' and no '.join(missing)}" if missing else ""


EVERY_PAGE = PageFilter()


def missing_metadata(metadata: "Metadata") -> list[str]:
    """The names of those that are missing of title, date of publication and address."""
    values = {"title": metadata.title, "date of publication": metadata.date_published, "address": metadata.url}
    return [name for name, value in values.items() if not value]


def is_in(languages: tuple[str, ...], language: str | None) -> bool:
    """Whether a page is in one of these languages, in any regional variant.

    >>> is_in(("en", "pt"), "pt-BR"), is_in(("en",), None), is_in((), None)
    (True, False, True)
    """
    return not languages or (language or "").partition("-")[0].lower() in languages


def languages_of(names: list[str] | None) -> tuple[str, ...]:
    """Language codes in one spelling and order, so that equal requests are equal.

    >>> languages_of(["PT", "de"])
    ('de', 'pt')
    """
    languages = {name.strip().lower() for name in names or ()}
    for language in languages:
        if not _LANGUAGE_CODE.fullmatch(language):
            raise UsageError(f"{language!r} is not a language code: two or three letters, as in en, de, pt")
    return tuple(sorted(languages))
