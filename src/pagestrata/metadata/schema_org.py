"""schema.org: one vocabulary, whether it is written as JSON-LD or as microdata.

Both readers bring their items to the shape of JSON-LD objects; here it is decided which of them is about this page,
and what its properties answer.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from pagestrata.metadata.clean import listed
from pagestrata.metadata.found import Found, answers
from pagestrata.metadata.subject import Subject

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


def describe(items: Sequence[Item], subject: Subject, source: str) -> list[Found]:
    """What the items say of the page."""
    by_id = {item["@id"]: item for item in reversed(items) if isinstance(item.get("@id"), str) and len(item) > 1}
    found = [one for item in choose(items, subject) for one in _answers(item, by_id, source)]
    return found + _site_names(items, by_id, source)


def choose(items: Sequence[Item], subject: Subject) -> list[Item]:
    """The item that describes the page, then what else is said of the page as such."""
    kinds = [(kind, item) for item in items if (kind := kind_of(item)) is not None]
    pages = [item for kind, item in kinds if kind == PAGE and _place(item, subject) != _ELSEWHERE]
    for wanted in (ARTICLE, THING):
        group = [item for kind, item in kinds if kind == wanted]
        here = [item for item in group if _place(item, subject) == _HERE] or (group if len(group) == 1 else [])
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
    return [part for text in texts(value, by_id) for part in listed(text)]


PROPERTIES: Final[tuple[tuple[str, str, _Reader], ...]] = (
    ("title", "headline", texts),
    ("title", "name", texts),
    ("authors", "author", texts),
    ("authors", "creator", texts),
    ("date_published", "datePublished", texts),
    ("date_published", "dateCreated", texts),
    ("date_published", "uploadDate", texts),
    ("date_modified", "dateModified", texts),
    ("language", "inLanguage", texts),
    ("description", "description", texts),
    ("image", "image", links),
    ("image", "primaryImageOfPage", links),
    ("image", "thumbnailUrl", links),
    ("url", "url", links),
    ("url", "mainEntityOfPage", links),
    ("licence", "license", links),
    ("categories", "articleSection", texts),
    ("categories", "recipeCategory", texts),
    ("categories", "category", texts),
    ("tags", "keywords", words),
)


def _answers(item: Item, by_id: _ById, source: str) -> Iterator[Found]:
    for field, name, reader in PROPERTIES:
        if name in item:
            yield from answers(field, reader(item[name], by_id), source)


def _site_names(items: Sequence[Item], by_id: _ById, source: str) -> list[Found]:
    """The name of the site: what a WebSite calls itself, or who publishes."""
    sites = [item.get("name") for item in items if "website" in type_names(item)]
    publishers = [item.get("publisher") for item in items if kind_of(item) is not None]
    return [Found("site_name", (name,), source) for value in sites + publishers for name in texts(value, by_id)]


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
