"""Microdata: the schema.org vocabulary in attributes of visible elements.

Items are built as the HTML standard defines: an `itemprop` belongs to the innermost item around it, so that the author
of a comment is not mistaken for the author of the article. Only properties that stand for a field are read. Themes
often write properties without any item around them; the first of each name is taken as a property of the page.
"""

from collections.abc import Collection
from typing import Any, Final

from pagestrata.metadata.markup import short_text, values_of
from pagestrata.metadata.schema_org import PROPERTIES, SchemaItems, read_items
from pagestrata.page import tags
from pagestrata.page.page import Page
from pagestrata.page.scan import places_of

MAX_TEXT_LENGTH: Final = 4_000
"""Characters of a property that are read; a longer one is the text of the page, and no field keeps more."""
MAX_MARKED: Final = 5_000
"""Items and used properties that are read. The page with most in wcxb has 800."""
_ENTITIES = frozenset(("mainEntity", "blogPost"))
"""The properties whose values may describe the page: a theme puts the post of a page into an item for its blog."""
_LINKS = frozenset(("image", "primaryImageOfPage", "thumbnailUrl", "url", "contentUrl", "mainEntityOfPage", "license"))
_USED = (
    frozenset(name for properties in PROPERTIES.values() for name, _ in properties)
    | _LINKS
    | {"publisher", "givenName", "familyName"}
    | _ENTITIES
)
_LINKED = _LINKS | {"availability", "itemCondition"}
"""The properties whose values are addresses, of pages or of terms of the vocabulary."""
_LINK_ATTRIBUTES = ("content", "href", "src", "data-src", "data-lazy-src")
_TEXT_ATTRIBUTES = ("content", "datetime", "value")

_MARKING_ATTRIBUTES = (tags.ATTRIBUTE["itemprop"], tags.ATTRIBUTE["itemscope"])

_Item = dict[str, Any]


def read(page: Page) -> SchemaItems:
    """The items in the microdata of the page, with the properties that stand for a field."""
    items, warnings = read_properties(page, _USED)
    return read_items(items, page, warnings) if items else SchemaItems()


def read_properties(page: Page, used: Collection[str]) -> tuple[list[_Item], tuple[str, ...]]:
    """The items that are not the value of a property, with the properties of these names, and warnings."""
    if not any(places_of(page.attributes[0], number) for number in _MARKING_ATTRIBUTES):
        return [], ()
    scopes = _scopes(page)
    names = ((node, [name for name in value.split() if name in used]) for node, value in values_of(page, "itemprop"))
    properties = {node: used_names for node, used_names in names if used_names or node in scopes}
    marked = sorted(scopes.keys() | properties.keys())
    limit = f"microdata: more than {MAX_MARKED:,} items and properties; the rest was not read"
    warnings = (limit,) if len(marked) > MAX_MARKED else ()
    return _items(page, marked[:MAX_MARKED], scopes, properties), warnings


def _scopes(page: Page) -> dict[int, _Item]:
    """An item, still without properties, for each element with `itemscope`."""
    nodes = [node for node, _ in values_of(page, "itemscope")]
    types = dict(values_of(page, "itemtype")) if nodes else {}
    return {node: {"@type": types.get(node, "").split()} for node in nodes}


def _items(page: Page, marked: list[int], scopes: dict[int, _Item], properties: dict[int, list[str]]) -> list[_Item]:
    """The items that are not the value of a property, and last an item of the properties outside any item."""
    loose: _Item = {"@type": "WebPage"}
    alone: list[_Item] = []
    around: list[int] = []
    ends = page.nodes.end.data
    for node in marked:
        while around and ends[around[-1]] <= node:
            around.pop()
        owner = scopes[around[-1]] if around else loose
        for name in properties.get(node, ()):
            if owner is not loose or name not in loose:
                owner.setdefault(name, []).append(scopes.get(node) or _value(page, node, name))
        if node in scopes:
            around.append(node)
            if not _ENTITIES.isdisjoint(properties.get(node, _ENTITIES)):
                alone.append(scopes[node])
    return [*alone, loose]


def _value(page: Page, node: int, name: str) -> str:
    attributes = _LINK_ATTRIBUTES if name in _LINKED else _TEXT_ATTRIBUTES
    values = (page.attribute(node, attribute) for attribute in attributes)
    return next((value for value in values if value), None) or short_text(page, node, MAX_TEXT_LENGTH)
