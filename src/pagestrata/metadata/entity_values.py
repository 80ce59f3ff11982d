"""The values of an entity, read from an item of schema.org."""

import re
from collections.abc import Iterator, Mapping
from enum import StrEnum
from itertools import islice
from typing import Final

from pagestrata.metadata.addresses import absolute
from pagestrata.metadata.clean import MAX_DESCRIPTION_LENGTH, MAX_TITLE_LENGTH, clean, distinct
from pagestrata.metadata.schema_org import Item, links, texts
from pagestrata.page.page import Page
from pagestrata.page.titles import letters_of

MAX_VALUES: Final = 200
"""Values of one property that are read."""
MAX_DEPTH: Final = 5
"""Levels of objects inside a property that are read."""


class EntityKind(StrEnum):
    """The kind of an entity."""

    PRODUCT = "product"
    RECIPE = "recipe"
    EVENT = "event"
    JOB = "job"


ATTRIBUTES: Final[Mapping[EntityKind, tuple[str, ...]]] = {
    EntityKind.PRODUCT: (
        *(
            "color",
            "size",
            "material",
            "pattern",
            "weight",
            "height",
            "width",
            "depth",
            "model",
            "mpn",
            "gtin",
            "gtin8",
        ),
        *("gtin12", "gtin13", "gtin14", "isbn", "category", "itemCondition"),
    ),
    EntityKind.RECIPE: (
        *("author", "recipeYield", "prepTime", "cookTime", "totalTime", "recipeIngredient", "recipeInstructions"),
        *("recipeCategory", "recipeCuisine", "nutrition"),
    ),
    EntityKind.EVENT: (
        *(
            "startDate",
            "endDate",
            "doorTime",
            "eventStatus",
            "eventAttendanceMode",
            "location",
            "organizer",
            "performer",
        ),
    ),
    EntityKind.JOB: (
        *("hiringOrganization", "jobLocation", "jobLocationType", "employmentType", "datePosted", "validThrough"),
        *("baseSalary", "industry"),
    ),
}
"""The further properties that are read of each kind."""
_OFFER: Final = ("offers", "price", "lowPrice", "highPrice", "priceCurrency", "priceSpecification", "availability")
_PARTS: Final = (
    *(
        "name",
        "title",
        "text",
        "description",
        "url",
        "image",
        "contentUrl",
        "brand",
        "manufacturer",
        "sku",
        "productID",
    ),
    *("aggregateRating", "ratingValue", "ratingCount", "reviewCount", "additionalProperty", "value", "minValue"),
    *("maxValue", "unitText", "unitCode", "currency", "address", "streetAddress", "addressLocality", "addressRegion"),
    *("postalCode", "addressCountry", "calories", "itemListElement"),
)
PROPERTIES: Final = frozenset((*_OFFER, *_PARTS, *(name for names in ATTRIBUTES.values() for name in names)))
"""All properties that are read here."""
_AVAILABILITIES: Final = {
    name.lower(): name
    for name in (
        *("InStock", "OutOfStock", "PreOrder", "PreSale", "BackOrder", "Discontinued", "InStoreOnly", "OnlineOnly"),
        *("LimitedAvailability", "SoldOut", "MadeToOrder", "Reserved"),
    )
}
_NUMBER = re.compile(r"\d[\d\s.,'’]*")
_DECIMALS = re.compile(r"[.,](\d{1,2})$")


def entity_values(page: Page, item: Item, kind: EntityKind) -> Iterator[tuple[str, object]]:
    """The fields of an entity and their values, which may be empty."""
    rating = next(iter(_objects(item.get("aggregateRating"))), {})
    yield "name", _first(item, "name", "title")
    yield "description", clean(" ".join(texts(item.get("description"), {})[:1]), MAX_DESCRIPTION_LENGTH)
    yield "url", next((absolute(page, link) for link in links(item.get("url"), {})), None)
    yield "images", distinct([absolute(page, link) or "" for link in links(item.get("image"), {})])
    yield "brand", _first(item, "brand", "manufacturer")
    yield "sku", _first(item, "sku", "productID")
    yield from _offer_values(item)
    yield "rating", _number(_first(rating, "ratingValue"))
    yield "rating_count", _count(_first(rating, "ratingCount", "reviewCount"))
    yield "attributes", dict(_attributes(item, kind))


def _offer_values(item: Item) -> Iterator[tuple[str, object]]:
    """Price, currency and availability: each from the first offer that has it."""
    offers = list(_objects(item.get("offers")))
    priced = [*offers, *(spec for offer in offers for spec in _objects(offer.get("priceSpecification")))]
    yield "price", next(filter(None, (read_price(_first(offer, "price", "lowPrice")) for offer in priced)), None)
    yield "currency", next(filter(None, (_first(offer, "priceCurrency")[:3].upper() for offer in priced)), None)
    terms = (_first(offer, "availability") for offer in offers)
    yield "availability", next((_availability(term) for term in terms if term), None)


def _availability(term: str) -> str:
    """A term of schema.org from its address, or from the words of OpenGraph ("in stock").

    >>> _availability("http://schema.org/InStock"), _availability("out of stock"), _availability("on request")
    ('InStock', 'OutOfStock', 'on request')
    """
    name = term.rpartition("/")[2]
    return _AVAILABILITIES.get(letters_of(name), name)


def read_price(text: str) -> str | None:
    """The number in a price as a decimal number; None without one.

    >>> read_price("$1,299.00"), read_price("1.299,5 €"), read_price("1 299"), read_price("on request")
    ('1299.00', '1299.5', '1299', None)
    """
    match = _NUMBER.search(text)
    if not match:
        return None
    number = match[0].rstrip(" .,'’")
    decimals = _DECIMALS.search(number)
    whole = "".join(filter(str.isdecimal, number[: decimals.start()] if decimals else number))
    return f"{whole}.{decimals[1]}" if decimals else whole


def _number(text: str) -> float | None:
    price = read_price(text)
    return float(price) if price else None


def _count(text: str) -> int | None:
    digits = "".join(filter(str.isdecimal, text[:20]))
    return int(digits) if digits else None


def _attributes(item: Item, kind: EntityKind) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The further properties of an entity, and those that a shop adds as pairs of name and value."""
    for name in ATTRIBUTES[kind]:
        values = distinct([clean(text, MAX_DESCRIPTION_LENGTH) for text in _flat(item.get(name))])
        if values:
            yield name, values
    for pair in _objects(item.get("additionalProperty")):
        name, values = (
            _first(pair, "name"),
            distinct([clean(text, MAX_TITLE_LENGTH) for text in _flat(pair.get("value"))]),
        )
        if name and values:
            yield name, values


def _flat(value: object, depth: int = 0) -> Iterator[str]:
    """The texts of a property: one for each value; an object is its text, its name, or all that it consists of."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield str(value)
    elif isinstance(value, list):
        yield from (text for each in value[:MAX_VALUES] for text in islice(_flat(each, depth), MAX_VALUES))
    elif isinstance(value, dict) and depth < MAX_DEPTH:
        if "text" in value or ("name" in value and "address" not in value and "itemListElement" not in value):
            yield from _flat(value.get("text") or value.get("name"), depth + 1)
        elif "itemListElement" in value:
            yield from _flat(value["itemListElement"], depth + 1)
        else:
            yield ", ".join(_leaves(value, depth))


def _leaves(item: Item, depth: int) -> Iterator[str]:
    """All texts inside an object but types, identities and addresses."""
    for name, value in item.items():
        if not name.startswith("@"):
            yield from (text for text in _flat(value, depth + 1) if text and "://" not in text)


def _objects(value: object) -> Iterator[Item]:
    """The objects in the value of a property, which may be one or a list."""
    values = value[:MAX_VALUES] if isinstance(value, list) else [value]
    return (each for each in values if isinstance(each, dict))


def _first(item: Item, *names: str) -> str:
    """The first text of the first of these properties that has one."""
    found = (clean(text, MAX_TITLE_LENGTH) for name in names for text in _flat(item.get(name)))
    return next(filter(None, found), "")
