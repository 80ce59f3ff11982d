"""Which pages of many are wanted."""

from dataclasses import dataclass

from pagestrata.extraction import Extraction


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
        metadata = extraction.metadata if self.with_metadata else None
        if metadata and not (metadata.title and metadata.date_published and metadata.url):
            return "left out: it has no title, date or address"
        return ""


EVERY_PAGE = PageFilter()


def is_in(languages: tuple[str, ...], language: str | None) -> bool:
    """Whether a page is in one of these languages, in any regional variant.

    >>> is_in(("en", "pt"), "pt-BR"), is_in(("en",), None), is_in((), None)
    (True, False, True)
    """
    return not languages or (language or "").partition("-")[0].lower() in languages


def languages_of(names: list[str] | None) -> tuple[str, ...]:
    """The languages in one spelling and order, so that equal requests are equal."""
    return tuple(sorted({language.strip().lower() for language in names or ()}))
