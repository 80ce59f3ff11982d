"""OpenGraph and its `article:` names, and the cards of Twitter: what a page wants to look like when it is shared."""

from collections.abc import Iterator
from typing import Final

from pagestrata.metadata.found import Found, answers
from pagestrata.metadata.markup import named_metas
from pagestrata.options import Options
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


def read(page: Page, options: Options) -> list[Found]:
    """All that OpenGraph and Twitter metas say."""
    said = named_metas(page)
    return [*_answers(said, OPENGRAPH, "opengraph"), *_answers(said, TWITTER, "twitter"), *_card_author(said)]


def _card_author(said: dict[str, list[str]]) -> Iterator[Found]:
    """The author as widely used plug-ins put it on the card: a first label for the name, a second for the time to read.

    The labels are in the language of the site, so we go by what they label.
    """
    name, minutes = said.get("twitter:data1", [""])[0], said.get("twitter:data2", [""])[0]
    if minutes[:1].isdigit() and not any(letter.isdigit() for letter in name):
        yield Found("authors", (name,), "twitter")


def _answers(said: dict[str, list[str]], table: dict[str, tuple[str, ...]], source: str) -> Iterator[Found]:
    for field, names in table.items():
        for name in names:
            if name in said:
                yield from answers(field, said[name], source)
