"""Entities: the products, recipes, events and jobs that structured data of a page describe.

JSON-LD and microdata have them in the schema.org vocabulary, OpenGraph has products. What several sources say of one
thing is one entity, in which each value has the source that gave it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from pagestrata.metadata import jsonld, microdata
from pagestrata.metadata.entity_values import PROPERTIES, EntityKind, entity_values
from pagestrata.metadata.markup import contents_of
from pagestrata.metadata.schema_org import Item, type_names
from pagestrata.options import Options
from pagestrata.page.page import Page
from pagestrata.page.titles import letters_of

MAX_ENTITIES: Final = 500
MAX_OBJECTS: Final = 20_000
"""Objects that are searched for entities."""
_NESTED_UNDER: Final = ("@graph", "mainEntity", "mainEntityOfPage", "itemListElement", "item", "hasVariant")
"""The properties whose values may be entities themselves."""


@dataclass(frozen=True, slots=True)
class Entity:
    """A thing that structured data describe. A value that is not given is None or empty."""

    kind: EntityKind
    name: str
    description: str | None = None
    url: str | None = None
    images: tuple[str, ...] = ()
    brand: str | None = None
    sku: str | None = None
    price: str | None = None
    """A decimal number as text, such as `1299.00`; that of the first offer, or the lowest of a range."""
    currency: str | None = None
    """As ISO 4217 writes it, such as `EUR`."""
    availability: str | None = None
    """As schema.org writes it, such as `InStock`."""
    rating: float | None = None
    rating_count: int | None = None
    attributes: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)
    """Further properties by their schema.org names, such as `recipeIngredient`, and what a shop adds (`Colour`)."""
    sources: Mapping[str, str] = field(default_factory=dict, hash=False)
    """The source of each value: `json-ld`, `microdata`, `opengraph`, or `shown` for what the page shows."""


_TYPES: Final = {
    "product": EntityKind.PRODUCT,
    "productgroup": EntityKind.PRODUCT,
    "individualproduct": EntityKind.PRODUCT,
    "productmodel": EntityKind.PRODUCT,
    "vehicle": EntityKind.PRODUCT,
    "car": EntityKind.PRODUCT,
    "recipe": EntityKind.RECIPE,
    "jobposting": EntityKind.JOB,
    "festival": EntityKind.EVENT,
}
_OPENGRAPH: Final = {
    "price": ("product:price:amount", "og:price:amount", "product:sale_price:amount"),
    "priceCurrency": ("product:price:currency", "og:price:currency", "product:sale_price:currency"),
    "availability": ("product:availability", "og:availability"),
    "brand": ("product:brand", "og:brand"),
    "sku": ("product:retailer_item_id", "product:sku"),
    "name": ("og:title",),
    "description": ("og:description",),
    "url": ("og:url",),
    "image": ("og:image:secure_url", "og:image"),
}
"""The metas that stand for properties of schema.org."""
_READ: Final = PROPERTIES | frozenset(_NESTED_UNDER)
"""The properties that are read in microdata."""


def read_entities(page: Page, options: Options) -> tuple[Entity, ...]:
    """The entities of a page in the order of their sources; malformed data are left out, and never raise."""
    described = [
        *((item, "json-ld") for item in _entity_items(jsonld.read_values(page, options)[0])),
        *((item, "microdata") for item in _entity_items(microdata.read_properties(page, _READ)[0])),
    ]
    drafts: dict[tuple[EntityKind, str], list[_Draft]] = {}
    for item, source in described[:MAX_ENTITIES]:
        _add(drafts, _Draft.of(page, item, source, kind_of(item) or EntityKind.PRODUCT))
    found = [draft for group in drafts.values() for draft in group]
    _add_opengraph(found, page)
    return tuple(draft.entity() for draft in found)


@dataclass(frozen=True, slots=True)
class _Draft:
    """An entity that further sources may complete; its values by the names of its fields, and their sources."""

    kind: EntityKind
    values: dict[str, Any]
    sources: dict[str, str]

    @classmethod
    def of(cls, page: Page, item: Item, source: str, kind: EntityKind) -> "_Draft":
        values = {name: value for name, value in entity_values(page, item, kind) if value}
        return cls(kind, values, dict.fromkeys(values, source))

    @property
    def letters(self) -> str:
        """The letters of the name; empty without a name."""
        return letters_of(self.values.get("name", ""))

    def complete(self, other: "_Draft") -> None:
        """Add the values that this entity lacks."""
        for name, value in other.values.items():
            if name not in self.values:
                self.values[name], self.sources[name] = value, other.sources[name]

    def entity(self) -> Entity:
        return Entity(self.kind, **self.values, sources=self.sources)


def _add(drafts: dict[tuple[EntityKind, str], list[_Draft]], draft: _Draft) -> None:
    """Add an entity that has a name, or complete the one of that name, unless they have different SKUs."""
    if not draft.letters:
        return
    known = drafts.setdefault((draft.kind, draft.letters), [])
    sku = draft.values.get("sku")
    same = next((each for each in known if None in (sku, own := each.values.get("sku")) or sku == own), None)
    if same is None:
        known.append(draft)
    else:
        same.complete(draft)


def kind_of(item: Item) -> EntityKind | None:
    """The kind of an item; None if it is none of those that are read."""
    names = type_names(item)
    kind = next((_TYPES[name] for name in names if name in _TYPES), None)
    return EntityKind.EVENT if kind is None and any(name.endswith("event") for name in names) else kind


def _entity_items(values: Iterable[object]) -> list[Item]:
    """The items that are entities, in order; those inside an entity come after it."""
    waiting, items = list(values)[::-1], list[Item]()
    for _ in range(MAX_OBJECTS):
        if not waiting or len(items) == MAX_ENTITIES:
            break
        value = waiting.pop()
        if isinstance(value, list):
            waiting.extend(reversed(value[:MAX_OBJECTS]))
        elif isinstance(value, dict):
            if kind_of(value) is not None:
                items.append(value)
            waiting.extend(value[name] for name in reversed(_NESTED_UNDER) if name in value)
    return items


def _add_opengraph(found: list[_Draft], page: Page) -> None:
    """Add the product that OpenGraph describes, or complete the only product if its title has that name."""
    draft = _opengraph_product(page)
    if draft is None or not draft.letters:
        return
    products = [each for each in found if each.kind is EntityKind.PRODUCT]
    if len(products) == 1 and (products[0].letters in draft.letters or draft.letters in products[0].letters):
        products[0].complete(draft)
    elif not products:
        found.append(draft)


def _opengraph_product(page: Page) -> _Draft | None:
    """The product of a page whose type is product, or that has a price."""
    contents = {
        name: next(filter(None, (contents_of(page, meta) for meta in metas)), []) for name, metas in _OPENGRAPH.items()
    }
    is_product = any(kind.lower().endswith(("product", "product.item")) for kind in contents_of(page, "og:type"))
    if not (is_product or contents["price"]):
        return None
    offer = {name: contents[name] for name in ("price", "priceCurrency", "availability")}
    return _Draft.of(page, {**contents, "offers": [offer]}, "opengraph", EntityKind.PRODUCT)
