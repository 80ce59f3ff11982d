"""`<meta name>`, `<link rel>` and `<html lang>`: descriptions in plain HTML, and in older vocabularies.

Dublin Core, Highwire (`citation_`), Sailthru and Parse.ly tags are read beside the names of the HTML standard.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

import msgspec

from pagestrata.metadata.candidates import Candidate, as_candidates
from pagestrata.metadata.clean import split_list
from pagestrata.metadata.markup import contents_of, elements_tagged, link_targets, links_by_relation, values_of
from pagestrata.page import tags
from pagestrata.page.head import MAX_METAS, metas_by_name
from pagestrata.page.page import Page

# Names per field, most trusted first; all in lower case, with the dots and dashes that pages use.
NAMES: Final[dict[str, tuple[str, ...]]] = {
    "title": ("citation_title", "dc.title", "dcterms.title", "sailthru.title", "parsely-title", "title"),
    "authors": (
        "citation_author",
        "author",
        "byl",
        "dc.creator",
        "dcterms.creator",
        "dc.contributor",
        "sailthru.author",
        "parsely-author",
        "article.author",
        "authors",
    ),
    "date_published": (
        "citation_publication_date",
        "citation_date",
        "citation_online_date",
        "dc.date.issued",
        "dcterms.issued",
        "dc.date.created",
        "dcterms.created",
        "dc.date",
        "dcterms.date",
        "sailthru.date",
        "parsely-pub-date",
        "pubdate",
        "publishdate",
        "publish-date",
        "publish_date",
        "publication_date",
        "published_time",
        "published",
        "article.published",
        "datepublished",
        "rnews:datepublished",
        "originalpublicationdate",
        "article_date_original",
        "date",
    ),
    "date_modified": (
        "last-modified",
        "dcterms.modified",
        "dc.date.modified",
        "article.updated",
        "lastmod",
        "revised",
        "datemodified",
    ),
    "language": ("content-language", "dc.language", "dcterms.language", "language"),
    "site_name": ("application-name", "apple-mobile-web-app-title", "citation_journal_title"),
    "description": ("description", "dc.description", "dcterms.description", "sailthru.description", "abstract"),
    "image": ("thumbnail", "sailthru.image.full", "sailthru.image.thumb", "parsely-image-url"),
    "url": ("parsely-link",),
    "licence": ("dcterms.license", "dc.rights", "dcterms.rights", "rights"),
    "categories": ("parsely-section", "citation_section"),
    "tags": ("news_keywords", "keywords", "dc.subject", "dcterms.subject", "parsely-tags", "sailthru.tags"),
}

# Endings of names to which many systems add a prefix of their own; tried last.
ENDINGS: Final[dict[str, tuple[str, ...]]] = {
    "authors": ("author", "authors", "author_name"),
    "date_published": ("published-date", "publish_date", "publishdate", "publishtime", "published_time", "pubdate"),
}

FEED_TYPES: Final = ("application/rss+xml", "application/atom+xml", "application/feed+json")
_OPENGRAPH = ("og:", "article:", "book:", "twitter:")
"""Prefixes of the names that `opengraph` reads."""
_PARSELY_KEYS = {"title": "title", "authors": "author", "date_published": "pub_date", "image": "image_url"}
_RELATIONS = {"url": "canonical", "image": "image_src"}
_CREATIVE_COMMONS = "//creativecommons.org/"


@dataclass(frozen=True, slots=True)
class MetaTags:
    """The metas of a page, except those of OpenGraph and Twitter."""

    page: Page

    def candidates(self, field: str) -> Iterator[Candidate]:
        """The contents of the metas whose names stand for the field."""
        metas = self.page.once(metas_by_name)
        names = [name for name in NAMES.get(field, ()) if name in metas]
        for name in (*names, *_prefixed(metas, field)):
            contents = contents_of(self.page, name)
            if field == "tags":
                contents = [part for content in contents for part in split_list(content)]
            yield from as_candidates(field, contents)
        yield from as_candidates(field, self._parsely_values(field))

    def _parsely_values(self, field: str) -> list[str]:
        """The value for the field in the JSON object with which Parse.ly tags began; empty if there is none."""
        key = _PARSELY_KEYS.get(field)
        objects = contents_of(self.page, "parsely-page")[:1] if key else []
        try:
            value = msgspec.json.decode(objects[0]).get(key) if objects else None
        except (ValueError, AttributeError, RecursionError):
            value = None
        return [value] if isinstance(value, str) else []

    @property
    def warnings(self) -> tuple[str, ...]:
        """A warning if there are too many metas to read all."""
        count = len(elements_tagged(self.page, "meta"))
        limit = f"metas: {count:,} where {MAX_METAS:,} are allowed; the rest was not read"
        return (limit,) if count > MAX_METAS else ()


def _prefixed(names: Iterable[str], field: str) -> Iterator[str]:
    """The names with an ending for the field and an unknown prefix."""
    endings = ENDINGS.get(field)
    if endings:
        known = NAMES[field]
        others = (name for name in names if not name.startswith(_OPENGRAPH) and name not in known)
        yield from (name for name in others if name.endswith(endings))


@dataclass(frozen=True, slots=True)
class LinkTags:
    """The links of a page that have a relation to it (`rel`)."""

    page: Page

    def candidates(self, field: str) -> Iterator[Candidate]:
        """The addresses to which the links for the field lead."""
        if field in _RELATIONS:
            yield from as_candidates(field, link_targets(self.page, _RELATIONS[field]))
        elif field == "licence":
            yield from self._licences()
        elif field == "feeds":
            yield from as_candidates(field, self._feeds())

    def _licences(self) -> Iterator[Candidate]:
        nodes = self.page.once(links_by_relation).get("license", ())
        yield from as_candidates("licence", [self.page.attribute(node, "href") or "" for node in nodes])
        yield from as_candidates("licence", _creative_commons(self.page))

    def _feeds(self) -> list[str]:
        nodes = self.page.once(links_by_relation).get("alternate", ())
        links = [node for node in nodes if self.page.nodes.tag[node] == tags.TAG["link"]]
        return [self.page.attribute(node, "href") or "" for node in links if self._media_type(node) in FEED_TYPES]

    def _media_type(self, node: int) -> str:
        return (self.page.attribute(node, "type") or "").partition(";")[0].strip().lower()


def _creative_commons(page: Page) -> list[str]:
    """The Creative Commons licence to which links without `rel` lead, if all such links of the page lead to one."""
    if _CREATIVE_COMMONS not in page.markup:
        return []
    licences = {href.strip() for _, href in values_of(page, "href") if _is_creative_commons(href)}
    return list(licences) if len(licences) == 1 else []


def _is_creative_commons(href: str) -> bool:
    _, _, path = href.partition(_CREATIVE_COMMONS)
    return path.startswith(("licenses/", "publicdomain/"))


@dataclass(frozen=True, slots=True)
class RootElement:
    """The attributes of `<html>`, which declare the language."""

    page: Page

    def candidates(self, field: str) -> list[Candidate]:
        """The language of the root element."""
        if field != "language" or not len(self.page.nodes):
            return []
        return as_candidates(field, [self.page.attribute(0, name) or "" for name in ("lang", "xml:lang")])
