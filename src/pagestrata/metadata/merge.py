"""The metadata of a page, merged from several sources; a table defines which source has precedence for which field."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from pagestrata.metadata import jsonld, language, microdata, titles, visible
from pagestrata.metadata.addresses import absolute, is_home
from pagestrata.metadata.authors import author_names
from pagestrata.metadata.candidates import Candidate, Source
from pagestrata.metadata.clean import (
    MAX_DESCRIPTION_LENGTH,
    MAX_ENTRIES_READ,
    MAX_NAME_LENGTH,
    MAX_TITLE_LENGTH,
    clean,
    distinct,
    split_if_list,
)
from pagestrata.metadata.dates import date_in_address, local_day, read_date
from pagestrata.metadata.markup import title_of
from pagestrata.metadata.meta_tags import LinkTags, MetaTags, RootElement
from pagestrata.metadata.opengraph import TwitterCard, opengraph
from pagestrata.metadata.schema_org import SchemaItems
from pagestrata.metadata.title_place import title_place
from pagestrata.metadata.visible import VisibleText
from pagestrata.metadata.visible_dates import dates_elsewhere
from pagestrata.options import Options
from pagestrata.page.page import Page
from pagestrata.page.titles import confirms, letters_of

_Cleaner = Callable[[Page, Candidate], object]
"""Turns a candidate into the value of a field, or into something empty if it is not usable."""


@dataclass(frozen=True, slots=True)
class Metadata:
    """The description that a page gives of itself. A field without a value is None, a list field is empty."""

    title: str | None = None
    authors: tuple[str, ...] = ()
    date_published: str | None = None
    """ISO 8601: a date, or a date and time, with the offset if the page gives one."""
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
    """The source of each field that has a value: `json-ld`, `opengraph`, `visible` and so on."""
    warnings: tuple[str, ...] = ()
    """Limits that were hit while the metadata was read."""

    def as_dict(self) -> dict[str, object]:
        """The fields that have a value, as plain JSON values; without sources and warnings."""
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
    "description": ("meta", "opengraph", "json-ld", "twitter", "microdata"),
    "image": ("opengraph", "json-ld", "twitter", "microdata", "meta", "link"),
    "url": ("link", "opengraph", "json-ld", "meta"),
    "licence": ("link", "json-ld", "microdata", "meta"),
    "categories": ("json-ld", "opengraph", "microdata", "meta"),
    "tags": ("json-ld", "opengraph", "meta", "microdata"),
    "feeds": ("link",),
}


def read_metadata(page: Page, options: Options) -> Metadata:
    """Read the metadata of a page. Malformed input never raises; it only leaves fields without a value."""
    merge = _Merge(page, options)
    merge.choose_all()
    merge.choose_title()
    sources = {name: merge.chosen_from[name] for name in FIELDS if name in merge.chosen_from}
    return Metadata(**merge.values, sources=sources, warnings=merge.warnings)


def read_address(page: Page, options: Options) -> str | None:
    """Read the canonical address of a page, the same as in its metadata, and nothing else."""
    merge = _Merge(page, options)
    merge.choose_address()
    return merge.values.get("url")


class _Merge:
    """The sources of a page, and the values chosen so far with the name of their source."""

    def __init__(self, page: Page, options: Options) -> None:
        self.page, self.options = page, options
        self.values: dict[str, Any] = {}
        self.chosen_from: dict[str, str] = {}
        self.sources: dict[str, Source] = {}
        """Those that were needed so far."""

    @cached_property
    def json_ld(self) -> SchemaItems:
        return jsonld.read(self.page, self.options)

    @cached_property
    def microdata(self) -> SchemaItems:
        return microdata.read(self.page)

    @cached_property
    def warnings(self) -> tuple[str, ...]:
        return (*self.json_ld.warnings, *self.microdata.warnings, *MetaTags(self.page).warnings)

    @cached_property
    def organisations(self) -> set[str]:
        """The names of all organisations that schema.org data name."""
        return self.json_ld.organisations() | self.microdata.organisations()

    @cached_property
    def first_words(self) -> set[str]:
        return {name.partition(" ")[0] for name in self.organisations}

    def candidates(self, name: str) -> Iterator[tuple[Candidate, str]]:
        """The candidates for a field, each with the name of its source, in order of precedence."""
        for source in ORDER[name]:
            if source in _READERS and source not in self.sources:
                self.sources[source] = _READERS[source](self)
            if source in self.sources:
                for candidate in self.sources[source].candidates(name):
                    yield candidate, source

    def choose_all(self) -> None:
        """Choose all fields but the title; the visible text is read only if the head lacks author or date."""
        for name in CLEANED_FIELDS:
            self.choose(name, _CLEANERS[name])
        self.choose("authors", self.people)
        self.complete_authors()
        if not {"authors", "date_published"} <= self.values.keys() and not is_home(self.address):
            self.sources["visible"] = VisibleText(self.page)
            self.choose("date_published", _date)
            self.choose("date_modified", _date)
            self.choose("authors", self.people)
            self.take("authors", tuple(name for name in self.people_elsewhere if " " in name), "visible")
        self.choose("authors", _authors)
        self.guess()

    def choose(self, name: str, cleaner: _Cleaner) -> None:
        """Take the first candidate that is usable once cleaned, unless the field has a value already."""
        if name not in self.values:
            cleaned = ((cleaner(self.page, candidate), source) for candidate, source in self.candidates(name))
            self.take(name, *next((pair for pair in cleaned if pair[0]), (None, "")))

    def complete_authors(self) -> None:
        """Take the longest list of authors that begins with the chosen ones: some sources name only the first."""
        chosen = self.values.get("authors", ())
        others = ((self.people(self.page, values), source) for values, source in self.candidates("authors"))
        longer = [pair for pair in others if chosen and pair[0][: len(chosen)] == chosen]
        if longer:
            self.values["authors"], self.chosen_from["authors"] = max(longer, key=lambda pair: len(pair[0]))

    def take(self, name: str, value: object, source: str) -> None:
        """Keep a value, unless it is empty or the field has one already."""
        if value and name not in self.values:
            self.values[name], self.chosen_from[name] = value, source

    def people(self, page: Page, candidate: Candidate) -> tuple[str, ...]:
        """The authors that are neither the site nor an organisation, which count only if there is nobody else."""
        return tuple(name for name in author_names(candidate) if not self.is_site(name))

    @cached_property
    def people_elsewhere(self) -> tuple[str, ...]:
        """The people that the visible text away from the title names as its authors."""
        return () if "authors" in self.values else self.people(self.page, tuple(visible.names_elsewhere(self.page)))

    def is_site(self, name: str) -> bool:
        """Whether a name is that of the site or an organisation; one word may also be its first, or be in the host."""
        site, folded = self.values.get("site_name", "").casefold(), name.casefold()
        if folded == site or folded in self.organisations:
            return True
        if " " in name:
            return False
        is_first_word = folded == site.partition(" ")[0] or folded in self.first_words
        return is_first_word or letters_of(name) in titles.SiteNames.of("", self.address).names

    def choose_address(self) -> None:
        """Choose the canonical address, or else the one that the page came from."""
        self.choose("url", _CLEANERS["url"])
        self.take("url", absolute(self.page, self.page.url or ""), "url")

    def guess(self) -> None:
        """Infer what no source declares: from the address the page came from, its title and its text."""
        self.choose_address()
        self.guess_date()
        if "authors" not in self.values and not is_home(self.address):
            self.take("authors", self.people_elsewhere, "visible")
        if "site_name" not in self.values:
            self.take("site_name", titles.site_in_title(title_of(self.page), self.address), "title")
        if "language" not in self.values:
            self.take("language", language.detect(self.page), "detected")

    def guess_date(self) -> None:
        """Infer the date of publication: from the address, from the text, or as that of the only change it shows."""
        in_address = date_in_address(self.address)
        if "date_published" in self.values:
            day = local_day(self.values["date_published"], in_address)
            self.values["date_published"] = day or self.values["date_published"]
            return
        self.take("date_published", in_address, "url")
        if "date_published" not in self.values and not is_home(self.address):
            date = next(dates_elsewhere(self.page, title_place(self.page)), None)
            if date:
                self.take(date.field, date.iso, "visible")
        if self.chosen_from.get("date_modified") == "visible":
            self.take("date_published", self.values["date_modified"], "date_modified")

    @property
    def address(self) -> str:
        """The address of the page, as requested or else as declared; empty if there is neither."""
        return self.page.url or self.values.get("url", "")

    def choose_title(self) -> None:
        """Choose the title, on which headings and head have to agree; see `titles`."""
        node = self.page.title_heading
        shown = [] if node is None else [self.page.text_of(node)]
        headings = [clean(text, MAX_TITLE_LENGTH) for text in dict.fromkeys(shown + visible.headings(self.page))]
        candidates = [*self.candidates("title"), ((title_of(self.page),), "title")]
        head_titles = [(text, source) for (title,), source in candidates if (text := clean(title, MAX_TITLE_LENGTH))]
        site = titles.SiteNames.of(self.values.get("site_name", ""), self.address)
        kickers = [] if node is None else visible.kickers(self.page, node)
        chosen = titles.choose_title(headings, head_titles, site, kickers)
        if chosen:
            self.take("title", *(self.recipe_title(chosen[0]) or chosen))

    def recipe_title(self, title: str) -> tuple[str, str] | None:
        """The name of the only recipe on the page, with its source, if the title says it in other words."""
        for source, items in (("json-ld", self.json_ld), ("microdata", self.microdata)):
            name = clean(items.only_name("recipe"), MAX_TITLE_LENGTH)
            if name and confirms(title, name):
                return name, source
        return None


def _date(page: Page, values: Candidate) -> str | None:
    return read_date(values[0], language.writes_day_first(page))


def _language(page: Page, values: Candidate) -> str | None:
    return language.language_tag(values[0])


def _name(page: Page, values: Candidate) -> str:
    return clean(values[0], MAX_NAME_LENGTH)


def _names(page: Page, values: Candidate) -> tuple[str, ...]:
    return distinct([clean(value, MAX_NAME_LENGTH) for value in split_if_list(values)[:MAX_ENTRIES_READ]])


def _authors(page: Page, values: Candidate) -> tuple[str, ...]:
    return author_names(values)


def _description(page: Page, values: Candidate) -> str:
    return clean(values[0], MAX_DESCRIPTION_LENGTH)


def _address(page: Page, values: Candidate) -> str | None:
    return absolute(page, values[0])


def _addresses(page: Page, values: Candidate) -> tuple[str, ...]:
    return distinct([absolute(page, value) or "" for value in values])


def _licence(page: Page, values: Candidate) -> str | None:
    """The address or the text of a licence, as rights are often stated in a sentence."""
    is_address = "/" in values[0] and " " not in values[0].strip()
    return absolute(page, values[0]) if is_address else clean(values[0], MAX_DESCRIPTION_LENGTH)


_CLEANERS: Final[Mapping[str, _Cleaner]] = {
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
CLEANED_FIELDS: Final = tuple(_CLEANERS)
_READERS: Final[Mapping[str, Callable[[_Merge], Source]]] = {
    "json-ld": lambda merge: merge.json_ld,
    "microdata": lambda merge: merge.microdata,
    "opengraph": lambda merge: opengraph(merge.page),
    "twitter": lambda merge: TwitterCard(merge.page),
    "meta": lambda merge: MetaTags(merge.page),
    "link": lambda merge: LinkTags(merge.page),
    "html": lambda merge: RootElement(merge.page),
}
"""All sources but the visible text, which is read only if the head says too little."""
