"""`<meta name>`, `<link rel>` and `<html lang>`: what the head says in plain HTML, and in older vocabularies.

Dublin Core, Highwire (`citation_`), Sailthru and Parse.ly tags are read beside the names of the HTML standard.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from pagestrata.metadata.clean import listed
from pagestrata.metadata.found import WARNING, Found, answers
from pagestrata.metadata.markup import MOST_METAS, named_metas, related, tagged, values_of
from pagestrata.options import Options
from pagestrata.page import tags
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
        "article.published",
        "datepublished",
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

# How names end that many systems make up with a prefix of their own; tried last.
ENDINGS: Final[dict[str, tuple[str, ...]]] = {
    "authors": ("author", "authors", "author_name"),
    "date_published": ("published-date", "publish_date", "publishdate", "publishtime", "published_time", "pubdate"),
}

FEEDS: Final = ("application/rss+xml", "application/atom+xml", "application/feed+json")
_OPENGRAPH = ("og:", "article:", "book:", "twitter:")
"""Names that `opengraph` reads."""
_RELATIONS = {"canonical": "url", "image_src": "image"}
_CREATIVE_COMMONS = "//creativecommons.org/"


def read(page: Page, options: Options) -> list[Found]:
    """All that metas, links and the root element say."""
    return [*_warnings(page), *_of_metas(page), *_of_links(page), *_of_creative_commons(page), *_of_root(page)]


def _warnings(page: Page) -> Iterator[Found]:
    count = len(tagged(page, "meta"))
    if count > MOST_METAS:
        yield Found(WARNING, (f"metas: {count:,} where {MOST_METAS:,} are allowed; the rest was not read",), "meta")


def _of_metas(page: Page) -> Iterator[Found]:
    said = named_metas(page)
    for field, names in NAMES.items():
        for name in (*names, *_made_up(said, field)):
            if name in said:
                yield from answers(field, _parts(said[name]) if field == "tags" else said[name], "meta")


def _made_up(said: Iterable[str], field: str) -> list[str]:
    endings = ENDINGS.get(field)
    if not endings:
        return []
    known = (*_OPENGRAPH, *NAMES[field])
    return [name for name in said if name.endswith(endings) and not name.startswith(known)]


def _parts(contents: list[str]) -> list[str]:
    return [part for content in contents for part in listed(content)]


def _of_links(page: Page) -> Iterator[Found]:
    links = related(page)
    for relation, field in _RELATIONS.items():
        yield from answers(field, _addresses(page, links.get(relation, [])), "link")
    licences = [page.attribute(node, "href") or "" for node in links.get("license", [])]
    yield from answers("licence", licences, "link")
    feeds = [node for node in links.get("alternate", []) if _kind(page, node) in FEEDS]
    yield from answers("feeds", _addresses(page, feeds), "link")


def _addresses(page: Page, nodes: list[int]) -> list[str]:
    """Where `<link>` elements lead; an `<a>` in the text says nothing of the page."""
    links = [node for node in nodes if page.nodes.tag[node] == tags.TAG["link"]]
    return [page.attribute(node, "href") or "" for node in links]


def _of_creative_commons(page: Page) -> Iterator[Found]:
    """A link to a Creative Commons licence without `rel`, if all such links of the page lead to the same one."""
    if _CREATIVE_COMMONS not in page.markup:
        return
    licences = {href.strip() for _, href in values_of(page, "href") if _is_creative_commons(href)}
    if len(licences) == 1:
        yield Found("licence", (licences.pop(),), "link")


def _is_creative_commons(href: str) -> bool:
    _, _, path = href.partition(_CREATIVE_COMMONS)
    return path.startswith(("licenses/", "publicdomain/"))


def _kind(page: Page, node: int) -> str:
    return (page.attribute(node, "type") or "").partition(";")[0].strip().lower()


def _of_root(page: Page) -> Iterator[Found]:
    names = ("lang", "xml:lang") if len(page.nodes) else ()
    yield from answers("language", [page.attribute(0, name) or "" for name in names], "html")
