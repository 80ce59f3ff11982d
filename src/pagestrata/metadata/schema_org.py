"""schema.org: the common vocabulary of JSON-LD and microdata.

Both readers produce items in the form of JSON-LD objects. This module decides which of them describe the page, and
which fields their properties stand for.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from pagestrata.metadata.candidates import Candidate, as_candidates
from pagestrata.metadata.clean import split_list
from pagestrata.metadata.subject import Subject, subject_of
from pagestrata.page.page import Page

Item = Mapping[str, Any]
"""An object of JSON-LD: properties by name, `@type`, `@id`."""

ARTICLE, THING, PAGE = range(3)
"""Kinds of items, the most specific first: a text, a described thing, the page as such."""
# Types besides those that end in Article, Posting or Page. No other type describes the page.
_OTHER_TYPES: Final = {
    ARTICLE: "CreativeWork Report Recipe HowTo Review CriticReview Guide Chapter Thesis Question".split(),
    THING: (
        "Product ProductGroup IndividualProduct Vehicle Car Event MusicEvent SportsEvent TheaterEvent Course Book "
        "Movie TVSeries TVEpisode PodcastEpisode VideoGame SoftwareApplication MobileApplication WebApplication "
        "Dataset SoftwareSourceCode"
    ).split(),
    PAGE: [],
}
_ENDINGS: Final = (("article", ARTICLE), ("posting", ARTICLE), ("page", PAGE))
_KINDS: Final = {name.lower(): kind for kind, names in _OTHER_TYPES.items() for name in names}
_CREDITS: Final = ("author", "creator", "publisher")
_ORGANISATION_ENDINGS: Final = ("organization", "corporation", "business")
MAX_PROPERTY_VALUES: Final = 200
"""Values of one property that are read; more are noise."""


@dataclass(frozen=True, slots=True)
class SchemaItems:
    """The items of a page as a source: those that describe the page, and those that name its site."""

    described: Sequence[Item] = ()
    """The items that describe the page, the most specific one first."""
    items: Sequence[Item] = ()
    by_id: Mapping[str, Item] = field(default_factory=dict)
    """The items to which others may refer."""
    warnings: tuple[str, ...] = ()

    def candidates(self, name: str) -> Iterator[Candidate]:
        """The values of the properties that stand for a field."""
        if name == "site_name":
            yield from ((text,) for value in self._site_names() for text in texts(value, self.by_id))
        for item in self.described:
            for key, reader in PROPERTIES.get(name, ()):
                if key in item:
                    yield from as_candidates(name, reader(item[key], self.by_id))

    def only_name(self, type_name: str) -> str:
        """The name of the only item of a type (in lower case); empty if there are several, or none."""
        items = [item for item in self.items if type_name in type_names(item)]
        names = texts(items[0].get("name"), self.by_id) if len(items) == 1 else []
        return names[0] if len(names) == 1 else ""

    def organisations(self) -> set[str]:
        """The names of all organisations, in lower case, that the items are, or are published or written by."""
        values = [*self.items, *(item.get(key) for item in self.items for key in _CREDITS)]
        credited = [item for value in values for item in (value if isinstance(value, list) else [value])]
        named = (item for item in credited if isinstance(item, dict) and _is_organisation(item))
        return {name.strip().casefold() for item in named for name in texts(item, self.by_id)}

    def _site_names(self) -> list[object]:
        """The values that name the site: the name of each WebSite, then the publishers."""
        sites = [item.get("name") for item in self.items if "website" in type_names(item)]
        return sites + [item["publisher"] for item in self.items if "publisher" in item and kind_of(item) is not None]


def _is_organisation(item: Item) -> bool:
    """Whether an item is an organisation; people who publish their own site are often declared as both."""
    names = type_names(item)
    return "person" not in names and any(name.endswith(_ORGANISATION_ENDINGS) for name in names)


def read_items(items: Sequence[Item], page: Page, warnings: tuple[str, ...] = ()) -> SchemaItems:
    """Decide which of the items describe the page."""
    kinds = [(kind, item) for item in items if (kind := kind_of(item)) is not None]
    described = _choose(kinds, page.once(subject_of)) if kinds else []
    by_id = {item["@id"]: item for item in reversed(items) if isinstance(item.get("@id"), str) and len(item) > 1}
    return SchemaItems(described, items, by_id, warnings)


def _choose(kinds: Sequence[tuple[int, Item]], subject: Subject) -> list[Item]:
    """The item that describes the content of the page, then those that describe the page as such."""
    pages = [item for kind, item in kinds if kind == PAGE and _relation_to(item, subject) != _OTHER_PAGE]
    for wanted in (ARTICLE, THING):
        group = [item for kind, item in kinds if kind == wanted]
        here = group if len(group) == 1 else [item for item in group if _relation_to(item, subject) == _THIS_PAGE]
        if here:
            return [here[0], *_only_recipe(kinds, here[0]), *pages]
    return pages


def _only_recipe(kinds: Sequence[tuple[int, Item]], described: Item) -> list[Item]:
    """The recipe of an article that describes one: its author is a person more often than that of the article."""
    recipes = [item for _, item in kinds if "recipe" in type_names(item)]
    return recipes if len(recipes) == 1 and recipes[0] is not described else []


def kind_of(item: Item) -> int | None:
    """The kind of an item; None if it does not describe a page."""
    return min((kind for name in type_names(item) if (kind := _kind_of_type(name)) is not None), default=None)


def type_names(item: Item) -> list[str]:
    """The types of an item in lower case, without the address of the vocabulary."""
    types = item.get("@type")
    names = types if isinstance(types, list) else [types]
    return [_last_part(name).strip().lower() for name in names if isinstance(name, str)]


def _last_part(name: str) -> str:
    for mark in "/#:":
        name = name.rpartition(mark)[2]
    return name


def _kind_of_type(name: str) -> int | None:
    if name in _KINDS:
        return _KINDS[name]
    return next((kind for ending, kind in _ENDINGS if name.endswith(ending)), None)


_THIS_PAGE, _UNSTATED, _OTHER_PAGE = range(3)


def _relation_to(item: Item, subject: Subject) -> int:
    """Whether an item is stated to describe this page or another one, or neither is stated."""
    own = [link for name in ("url", "mainEntityOfPage", "@id") for link in links(item.get(name), {})]
    names = [name for key in ("headline", "name") for name in texts(item.get(key), {})]
    if subject.has_address(own) or any(subject.is_titled(name) for name in names):
        return _THIS_PAGE
    has_address = item.get("url") or item.get("mainEntityOfPage")
    return _OTHER_PAGE if subject.addresses and has_address else _UNSTATED


# -------------------------------------------------------------------------------------------- values of properties

_ById = Mapping[str, Item]
_Reader = Callable[[object, _ById], list[str]]


def texts(value: object, by_id: _ById) -> list[str]:
    """The value of a property as texts: strings as they are, and the names of objects."""
    return list(_strings(value, by_id, _name_of))


def times(value: object, by_id: _ById) -> list[str]:
    """The value of a property as times: texts, or a number, which is Unix time."""
    return [str(value)] if isinstance(value, int) else texts(value, by_id)


def links(value: object, by_id: _ById) -> list[str]:
    """The value of a property as addresses: strings as they are, and the addresses of objects."""
    return list(_strings(value, by_id, _link_of))


def keywords(value: object, by_id: _ById) -> list[str]:
    """The value of a property as a list of keywords, which may be one string with commas."""
    return [part for text in texts(value, by_id) for part in split_list(text)]


PROPERTIES: Final[Mapping[str, tuple[tuple[str, _Reader], ...]]] = {
    "title": (("headline", texts), ("name", texts)),
    "authors": (("author", texts), ("creator", texts)),
    "date_published": (("datePublished", times), ("dateCreated", times), ("uploadDate", times)),
    "date_modified": (("dateModified", times),),
    "language": (("inLanguage", texts),),
    "description": (("description", texts),),
    "image": (("image", links), ("primaryImageOfPage", links), ("thumbnailUrl", links)),
    "url": (("url", links), ("mainEntityOfPage", links)),
    "licence": (("license", links),),
    "categories": (("articleSection", texts), ("recipeCategory", texts), ("category", texts)),
    "tags": (("keywords", keywords),),
}
"""The properties that stand for each field, most trusted first, and how their values are read."""


def _strings(value: object, by_id: _ById, inside: Callable[[Item, _ById], object]) -> Iterator[str]:
    """The strings in a value, in order and limited in number; a stack replaces recursion."""
    waiting = [value]
    for _ in range(MAX_PROPERTY_VALUES):
        if not waiting:
            return
        value = waiting.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, list):
            waiting.extend(reversed(value[:MAX_PROPERTY_VALUES]))
        elif isinstance(value, dict):
            waiting.append(inside(value, by_id))


def _name_of(item: Item, by_id: _ById) -> object:
    named = item if _has_name(item) else by_id.get(str(item.get("@id")), item)
    parts = " ".join(part for key in ("givenName", "familyName") if isinstance(part := named.get(key), str))
    return named.get("name") or named.get("@value") or named.get("@list") or parts


def _has_name(item: Item) -> bool:
    return any(item.get(key) for key in ("name", "@value", "@list", "givenName"))


def _link_of(item: Item, by_id: _ById) -> object:
    for holder in (item, by_id.get(str(item.get("@id")), item)):
        link = holder.get("url") or holder.get("contentUrl") or holder.get("@value") or holder.get("@list")
        if link:
            return link
    return item.get("@id")
