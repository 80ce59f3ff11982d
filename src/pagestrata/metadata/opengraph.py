"""OpenGraph and its `article:` names, and the cards of Twitter: how a page wants to look when it is shared."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from pagestrata.metadata.candidates import Candidate
from pagestrata.metadata.markup import MetaVocabulary, contents_of
from pagestrata.page.page import Page

# Names per field, most trusted first.
OPENGRAPH: Final[dict[str, tuple[str, ...]]] = {
    "title": ("og:title",),
    "authors": ("article:author", "og:article:author", "article:author_name", "og:author", "book:author"),
    "date_published": (
        "article:published_time",
        "og:article:published_time",
        "article:published",
        "og:published_time",
        "og:pubdate",
        "article:post_date",
    ),
    "date_modified": ("article:modified_time", "og:article:modified_time", "article:modified", "og:updated_time"),
    "language": ("og:locale",),
    "site_name": ("og:site_name",),
    "description": ("og:description",),
    "image": ("og:image:secure_url", "og:image", "og:image:url"),
    "url": ("og:url",),
    "categories": ("article:section", "og:article:section"),
    "tags": ("article:tag", "og:article:tag"),
}
TWITTER: Final[dict[str, tuple[str, ...]]] = {
    "title": ("twitter:title",),
    "description": ("twitter:description",),
    "image": ("twitter:image", "twitter:image:src"),
}

_AUTHOR_LABELS: Final = frozenset(("written by", "author", "verfasst von", "écrit par", "escrito por", "scritto da"))


def opengraph(page: Page) -> MetaVocabulary:
    """The OpenGraph metas of a page."""
    return MetaVocabulary(page, OPENGRAPH)


@dataclass(frozen=True, slots=True)
class TwitterCard:
    """The card that Twitter shows for a page."""

    page: Page

    def candidates(self, field: str) -> Iterator[Candidate]:
        """The contents of the metas for the field, or the author on the card."""
        if field == "authors":
            yield from self._author()
        yield from MetaVocabulary(self.page, TWITTER).candidates(field)

    def _author(self) -> Iterator[Candidate]:
        """The author as widely used plug-ins write it: the first label is for the name, the second for reading time.

        The labels are in the language of the site, so we go by what they label, if there are two.
        """
        names = ("twitter:label1", "twitter:data1", "twitter:data2")
        label, name, minutes = ((contents_of(self.page, name)[:1] or [""])[0] for name in names)
        is_author = minutes[:1].isdigit() or label.lower() in _AUTHOR_LABELS
        if name and is_author and not any(letter.isdigit() for letter in name):
            yield (name,)
