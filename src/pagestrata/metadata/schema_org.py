"""schema.org: one vocabulary, whether it is written as JSON-LD or as microdata.

Both readers bring their items to the shape of JSON-LD objects; here it is decided which of them is about this page,
and what its properties answer.
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
"""What an item may be about, most telling first: a text, something described, the page as such."""
# Types beside those that end in Article, Posting or Page. Everything else says nothing of the page.
_OTHER_TYPES: Final = {
    ARTICLE: "Report Recipe HowTo Review CriticReview Guide Chapter Thesis Question".split(),
    THING: (
        "Product ProductGroup IndividualProduct Vehicle Car Event MusicEvent SportsEvent TheaterEvent Course Book "
        "Movie TVSeries TVEpisode PodcastEpisode VideoGame SoftwareApplication MobileApplication WebApplication "
        "Dataset SoftwareSourceCode"
    ).split(),
    PAGE: [],
}
_ENDINGS: Final = (("article", ARTICLE), ("posting", ARTICLE), ("page", PAGE))
_KINDS: Final = {name.lower(): kind for kind, names in _OTHER_TYPES.items() for name in names}
MOST_VALUES: Final = 200
"""Of one property; more are noise."""


@dataclass(frozen=True, slots=True)
class SchemaItems:
    """The items of a page as a source: those that describe the page, and those that name its site."""

    described: Sequence[Item] = ()
    """The items that describe the page, the most telling one first."""
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

    def _site_names(self) -> list[object]:
        """The names of the site: of each WebSite, and of who publishes."""
        sites = [item.get("name") for item in self.items if "website" in type_names(item)]
        return sites + [item["publisher"] for item in self.items if "publisher" in item and kind_of(item) is not None]


def read_items(items: Sequence[Item], page: Page, warnings: tuple[str, ...] = ()) -> SchemaItems:
    """Decide which of the items describe the page."""
    kinds = [(kind, item) for item in items if (kind := kind_of(item)) is not None]
    described = _choose(kinds, page.once(subject_of)) if kinds else []
    by_id = {item["@id"]: item for item in reversed(items) if isinstance(item.get("@id"), str) and len(item) > 1}
    return SchemaItems(described, items, by_id, warnings)


def _choose(kinds: Sequence[tuple[int, Item]], subject: Subject) -> list[Item]:
    """The item that describes the page, then those of the page as such."""
    pages = [item for kind, item in kinds if kind == PAGE and _place(item, subject) != _ELSEWHERE]
    for wanted in (ARTICLE, THING):
        group = [item for kind, item in kinds if kind == wanted]
        here = group if len(group) == 1 else [item for item in group if _place(item, subject) == _HERE]
        if here:
            return [here[0], *pages]
    return pages


def kind_of(item: Item) -> int | None:
    """What the item may be about; None if it is of no use here."""
    return min((kind for name in type_names(item) if (kind := _kind(name)) is not None), default=None)


def type_names(item: Item) -> list[str]:
    """The types in lower case, without the address of their vocabulary."""
    given = item.get("@type")
    names = given if isinstance(given, list) else [given]
    return [_last_part(name).strip().lower() for name in names if isinstance(name, str)]


def _last_part(name: str) -> str:
    for mark in "/#:":
        name = name.rpartition(mark)[2]
    return name


def _kind(name: str) -> int | None:
    if name in _KINDS:
        return _KINDS[name]
    return next((kind for ending, kind in _ENDINGS if name.endswith(ending)), None)


_HERE, _UNKNOWN, _ELSEWHERE = range(3)


def _place(item: Item, subject: Subject) -> int:
    """Whether the item says that it belongs to this page, to none, or to another one."""
    own = [link for name in ("url", "mainEntityOfPage", "@id") for link in links(item.get(name), {})]
    names = [name for key in ("headline", "name") for name in texts(item.get(key), {})]
    if subject.is_at(own) or any(subject.is_called(name) for name in names):
        return _HERE
    has_address = item.get("url") or item.get("mainEntityOfPage")
    return _ELSEWHERE if subject.addresses and has_address else _UNKNOWN


# ------------------------------------------------------------------------------------------- what properties answer

_ById = Mapping[str, Item]
_Reader = Callable[[object, _ById], list[str]]


def texts(value: object, by_id: _ById) -> list[str]:
    """A property as texts: strings as they are, objects by their names."""
    return list(_strings(value, by_id, _name_of))


def links(value: object, by_id: _ById) -> list[str]:
    """A property as addresses: strings as they are, objects by where they are found."""
    return list(_strings(value, by_id, _link_of))


def words(value: object, by_id: _ById) -> list[str]:
    """A property as a list of words, which may also be one string with commas."""
    return [part for text in texts(value, by_id) for part in split_list(text)]


PROPERTIES: Final[Mapping[str, tuple[tuple[str, _Reader], ...]]] = {
    "title": (("headline", texts), ("name", texts)),
    "authors": (("author", texts), ("creator", texts)),
    "date_published": (("datePublished", texts), ("dateCreated", texts), ("uploadDate", texts)),
    "date_modified": (("dateModified", texts),),
    "language": (("inLanguage", texts),),
    "description": (("description", texts),),
    "image": (("image", links), ("primaryImageOfPage", links), ("thumbnailUrl", links)),
    "url": (("url", links), ("mainEntityOfPage", links)),
    "licence": (("license", links),),
    "categories": (("articleSection", texts), ("recipeCategory", texts), ("category", texts)),
    "tags": (("keywords", words),),
}
"""The properties that stand for each field, most trusted first, and how their values are read."""


def _strings(value: object, by_id: _ById, inside: Callable[[Item, _ById], object]) -> Iterator[str]:
    """The strings of a value in order, with a stack in place of recursion and no more than a list may hold."""
    waiting = [value]
    for _ in range(MOST_VALUES):
        if not waiting:
            return
        value = waiting.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, list):
            waiting.extend(reversed(value[:MOST_VALUES]))
        elif isinstance(value, dict):
            waiting.append(inside(value, by_id))


def _name_of(item: Item, by_id: _ById) -> object:
    named = item if _has_name(item) else by_id.get(str(item.get("@id")), item)
    given = " ".join(part for key in ("givenName", "familyName") if isinstance(part := named.get(key), str))
    return named.get("name") or named.get("@value") or named.get("@list") or given


def _has_name(item: Item) -> bool:
    return any(item.get(key) for key in ("name", "@value", "@list", "givenName"))


def _link_of(item: Item, by_id: _ById) -> object:
    for one in (item, by_id.get(str(item.get("@id")), item)):
        link = one.get("url") or one.get("contentUrl") or one.get("@value") or one.get("@list")
        if link:
            return link
    return item.get("@id")
