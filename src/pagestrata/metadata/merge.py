"""Many answers become one: which source is believed for which field, written down as a table."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from pagestrata.metadata import jsonld, language, meta_tags, microdata, opengraph, titles, visible
from pagestrata.metadata.addresses import absolute, is_home
from pagestrata.metadata.authors import author_names
from pagestrata.metadata.clean import (
    DESCRIPTION_LENGTH,
    MOST_LISTED,
    NAME_LENGTH,
    TITLE_LENGTH,
    clean,
    distinct,
    unlisted,
)
from pagestrata.metadata.dates import date_in_address, read_date
from pagestrata.metadata.found import WARNING, Found
from pagestrata.metadata.markup import title_of
from pagestrata.options import Options
from pagestrata.page.page import Page


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
    "authors": ("json-ld", "microdata", "meta", "opengraph", "twitter", "visible"),
    "date_published": ("json-ld", "opengraph", "microdata", "meta", "visible"),
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


def read_metadata(page: Page, options: Options) -> Metadata:
    """Read what the page says of itself; whatever is wrong with it, there is an answer."""
    merge = _Merge(page, options)
    merge.choose_all()
    merge.choose_title()
    sources = {name: merge.sources[name] for name in FIELDS if name in merge.sources}
    return Metadata(**merge.values, sources=sources, warnings=merge.warnings())


class _Merge:
    """The values chosen so far, with their sources, and all that was found."""

    def __init__(self, page: Page, options: Options) -> None:
        self.page, self.options = page, options
        self.values: dict[str, Any] = {}
        self.sources: dict[str, str] = {}
        self.found: dict[tuple[str, str], list[Found]] = {}
        for reader in (jsonld, opengraph, microdata, meta_tags):
            self.add(reader.read(page, options))

    def add(self, found: Iterable[Found]) -> None:
        for one in found:
            self.found.setdefault((one.field, one.source), []).append(one)

    def choose_all(self) -> None:
        """All fields; what only the shown page can answer is looked for when the head does not."""
        for name in PLAIN_FIELDS:
            self.choose(name)
        self.choose("authors", self.people)
        if not {"authors", "date_published"} <= self.values.keys() and not is_home(self.address):
            self.add(visible.read(self.page, self.options))
            self.choose("date_published")
            self.choose("date_modified")
            self.choose("authors", self.people)
        self.choose("authors", author_names)
        self.guess()

    def choose(self, name: str, clean_one: Callable[[tuple[str, ...]], object] | None = None) -> None:
        """Take the first answer of the first source that has a usable one, unless there is an answer already."""
        for source in ORDER[name] if name not in self.values else ():
            for one in self.found.get((name, source), ()):
                self.take(name, clean_one(one.values) if clean_one else _CLEANERS[name](self.page, one.values), source)
                if name in self.values:
                    return

    def take(self, name: str, value: object, source: str) -> None:
        """Keep a value, unless it is empty or there is one already."""
        if value and name not in self.values:
            self.values[name], self.sources[name] = value, source

    def people(self, values: tuple[str, ...]) -> tuple[str, ...]:
        """Authors other than the site itself, which is only named when nobody else is."""
        site = self.values.get("site_name", "").casefold()
        return tuple(name for name in author_names(values) if name.casefold() != site)

    def guess(self) -> None:
        """What may be known without being said: from the address we came by, the title, the text."""
        self.take("url", absolute(self.page, self.page.url or ""), "url")
        self.take("date_published", date_in_address(self.address), "url")
        self.take("site_name", titles.site_in_title(title_of(self.page), self.address), "title")
        if "language" not in self.values:
            self.take("language", language.detected(self.page), "detected")

    @property
    def address(self) -> str:
        """Where the page is, as far as known."""
        return self.page.url or self.values.get("url", "")

    def choose_title(self) -> None:
        """The title, for which headings and head have to agree; see `titles`."""
        node = self.page.title_heading
        shown = [] if node is None else [self.page.text_of(node)]
        headings = [clean(text, TITLE_LENGTH) for text in shown + visible.headings(self.page)]
        lower = [clean(text, TITLE_LENGTH) for text in visible.lower_headings(self.page)]
        told = [(one.values[0], source) for source in ORDER["title"] for one in self.found.get(("title", source), ())]
        told.append((title_of(self.page), "title"))
        plain = [(text, source) for title, source in told if (text := clean(title, TITLE_LENGTH))]
        site = titles.Site.of(self.values.get("site_name", ""), self.address)
        chosen = titles.choose_title(headings, plain, site, lower)
        if chosen:
            self.take("title", *chosen)

    def warnings(self) -> tuple[str, ...]:
        """What the readers have to say about their reading."""
        warnings = [one for (name, _), found in self.found.items() if name == WARNING for one in found]
        return tuple(text for one in warnings for text in one.values)


def _date(page: Page, values: tuple[str, ...]) -> str | None:
    return read_date(values[0])


def _language(page: Page, values: tuple[str, ...]) -> str | None:
    return language.language_tag(values[0])


def _name(page: Page, values: tuple[str, ...]) -> str:
    return clean(values[0], NAME_LENGTH)


def _names(page: Page, values: tuple[str, ...]) -> tuple[str, ...]:
    return distinct([clean(value, NAME_LENGTH) for value in unlisted(values)[:MOST_LISTED]])


def _description(page: Page, values: tuple[str, ...]) -> str:
    return clean(values[0], DESCRIPTION_LENGTH)


def _address(page: Page, values: tuple[str, ...]) -> str | None:
    return absolute(page, values[0])


def _addresses(page: Page, values: tuple[str, ...]) -> tuple[str, ...]:
    return distinct([absolute(page, value) or "" for value in values])


def _licence(page: Page, values: tuple[str, ...]) -> str | None:
    """The address of a licence, or its words: rights are often a sentence."""
    is_address = "/" in values[0] and " " not in values[0].strip()
    return absolute(page, values[0]) if is_address else clean(values[0], DESCRIPTION_LENGTH)


_CLEANERS: Final[Mapping[str, Callable[[Page, tuple[str, ...]], object]]] = {
    "date_published": _date,
    "date_modified": _date,
    "language": _language,
    "site_name": _name,
    "description": _description,
    "image": _address,
    "url": _address,
    "licence": _licence,
    "categories": _names,
    "tags": _names,
    "feeds": _addresses,
}
PLAIN_FIELDS: Final = tuple(_CLEANERS)
