"""Many answers become one: which source is believed for which field, written down as a table."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from pagestrata.metadata import jsonld, language, meta_tags, microdata, opengraph, titles, visible
from pagestrata.metadata.addresses import absolute
from pagestrata.metadata.authors import author_names
from pagestrata.metadata.clean import DESCRIPTION_LENGTH, NAME_LENGTH, TITLE_LENGTH, clean, distinct
from pagestrata.metadata.dates import read_date
from pagestrata.metadata.found import WARNING, Found
from pagestrata.options import Options
from pagestrata.page.page import Page

if TYPE_CHECKING:
    from pagestrata.results import Section


@dataclass(frozen=True, slots=True)
class Metadata:
    """What a page says of itself. A field that no source answers is None, or empty where there may be several."""

    title: str | None = None
    authors: tuple[str, ...] = ()
    date_published: str | None = None
    """ISO 8601: a date, or a date and time with the offset that the page gives, if it gives one."""
    date_modified: str | None = None
    language: str | None = None
    """A BCP 47 tag, such as `en` or `pt-BR`."""
    site_name: str | None = None
    description: str | None = None
    image: str | None = None
    """The lead image, as an absolute address."""
    url: str | None = None
    """The canonical address."""
    licence: str | None = None
    categories: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    feeds: tuple[str, ...] = ()
    sources: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Where each field that is there came from: `json-ld`, `opengraph`, `visible` and the like."""
    warnings: tuple[str, ...] = ()
    """Limits that bit while the metadata was read."""

    def as_dict(self) -> dict[str, object]:
        """The fields that are there, as plain values that JSON can hold; without sources and warnings."""
        values = ((name, getattr(self, name)) for name in FIELDS)
        return {name: list(value) if isinstance(value, tuple) else value for name, value in values if value}


FIELDS: Final = tuple(name for name in Metadata.__dataclass_fields__ if name not in ("sources", "warnings"))

ORDER: Final[Mapping[str, tuple[str, ...]]] = {
    "title": ("opengraph", "json-ld", "microdata", "twitter", "meta"),
    "authors": ("json-ld", "microdata", "meta", "opengraph", "visible"),
    "date_published": ("json-ld", "opengraph", "microdata", "meta", "visible", "url"),
    "date_modified": ("json-ld", "opengraph", "microdata", "meta", "visible"),
    "language": ("html", "meta", "json-ld", "opengraph"),
    "site_name": ("opengraph", "json-ld", "microdata", "meta"),
    "description": ("opengraph", "meta", "json-ld", "twitter", "microdata"),
    "image": ("opengraph", "json-ld", "twitter", "microdata", "meta", "link"),
    "url": ("link", "opengraph", "json-ld", "meta"),
    "licence": ("link", "json-ld", "microdata", "meta"),
    "categories": ("json-ld", "opengraph", "microdata", "meta"),
    "tags": ("json-ld", "opengraph", "meta", "microdata"),
    "feeds": ("link",),
}


def read_metadata(page: Page, options: Options, title_section: "Section | None" = None) -> Metadata:
    """Read what the page says of itself; whatever is wrong with it, there is an answer."""
    found = [one for reader in (jsonld, opengraph, microdata, meta_tags) for one in reader.read(page, options)]
    found += visible.read(page, options)
    merged = _Merge(page, found)
    merged.title(([title_section.text] if title_section else []) + visible.headings(page))
    merged.fallbacks()
    warnings = tuple(text for one in found if one.field == WARNING for text in one.values)
    return Metadata(**merged.values, sources=merged.sources, warnings=warnings)  # type: ignore[arg-type]


class _Merge:
    """Values and their sources while they are chosen."""

    def __init__(self, page: Page, found: Sequence[Found]) -> None:
        self.page = page
        self.values: dict[str, object] = {}
        self.sources: dict[str, str] = {}
        self.found: dict[tuple[str, str], list[Found]] = {}
        for one in found:
            self.found.setdefault((one.field, one.source), []).append(one)
        for name in ("site_name", *(name for name in FIELDS if name not in ("site_name", "title"))):
            self.choose(name)

    def choose(self, name: str) -> None:
        for source in ORDER[name]:
            for one in self.found.get((name, source), ()):
                value = self.plain(one)
                if value:
                    self.values[name], self.sources[name] = value, source
                    return

    def title(self, shown: list[str]) -> None:
        site = self.values.get("site_name")
        headings = [clean(text, TITLE_LENGTH) for text in shown]
        told = [
            (clean(one.values[0], TITLE_LENGTH), source)
            for source in ORDER["title"]
            for one in self.found.get(("title", source), ())
        ]
        told.append((clean(self.page.title, TITLE_LENGTH), "title"))
        told = [(text, source) for text, source in told if text]
        chosen = titles.choose_title(headings, told, titles.Site.of(str(site or ""), self.page.url or ""))
        if chosen:
            self.values["title"], self.sources["title"] = chosen

    def fallbacks(self) -> None:
        if "language" not in self.values:
            code = language.detected(self.page)
            if code:
                self.values["language"], self.sources["language"] = code, "detected"
        if "url" not in self.values and self.page.url and absolute(self.page, self.page.url):
            self.values["url"], self.sources["url"] = self.page.url, "url"

    def plain(self, one: Found) -> object:
        page, first = self.page, one.values[0]
        if one.field in ("url", "image"):
            return absolute(page, first)
        if one.field in ("date_published", "date_modified"):
            return read_date(first)
        if one.field == "language":
            return language.language_tag(first)
        if one.field == "feeds":
            return distinct([absolute(page, value) or "" for value in one.values])
        if one.field == "authors":
            return author_names(one.values, str(self.values.get("site_name") or ""))
        if one.field in ("tags", "categories"):
            return distinct([clean(value, NAME_LENGTH) for value in one.values])
        if one.field == "site_name":
            return clean(first, NAME_LENGTH)
        if one.field == "licence":
            return absolute(page, first) or clean(first, DESCRIPTION_LENGTH)
        return clean(first, DESCRIPTION_LENGTH)
