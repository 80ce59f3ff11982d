"""Microdata: schema.org's words as attributes of what is shown.

Items are built as the HTML standard says, an `itemprop` belonging to the innermost item around it, so that the author
of a comment is not taken for the author of the article. Only properties that answer a field are looked at.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from pagestrata.metadata.markup import short_text, values_of
from pagestrata.metadata.found import Found
from pagestrata.metadata.schema_org import PROPERTIES, describe
from pagestrata.metadata.subject import subject_of
from pagestrata.options import Options
from pagestrata.page.page import Page

SOURCE: Final = "microdata"
TEXT_LENGTH: Final = 4_000
"""No field keeps more; what is longer is the text of the page."""
_MAIN_ENTITY = "mainEntity"
_LINKS = frozenset(("image", "primaryImageOfPage", "thumbnailUrl", "url", "contentUrl", "mainEntityOfPage", "license"))
_USED = frozenset(name for _, name, _ in PROPERTIES) | _LINKS | {"publisher", "givenName", "familyName", _MAIN_ENTITY}
_ADDRESS_ATTRIBUTES = ("content", "href", "src", "data-src", "data-lazy-src")
_TEXT_ATTRIBUTES = ("content", "datetime", "value")


@dataclass(slots=True)
class _Open:
    """An item whose element is still open at some place of the walk."""

    end: int
    item: dict[str, Any]


@dataclass(slots=True)
class _Walk:
    """Items found so far: those that stand for themselves, and what belongs to no item at all."""

    items: list[dict[str, Any]] = field(default_factory=list)
    loose: dict[str, Any] = field(default_factory=lambda: {"@type": "WebPage"})


def read(page: Page, options: Options) -> list[Found]:
    """What the microdata of the page says of it."""
    items = _items(page)
    return describe(items, subject_of(page), SOURCE) if items else []


def _items(page: Page) -> list[dict[str, Any]]:
    """The items that are not the value of a property, and last the properties without an item."""
    names = {node: value.split() for node, value in values_of(page, "itemprop")}
    scopes = {node for node, _ in values_of(page, "itemscope")}
    walk, around = _Walk(), list[_Open]()
    for node in sorted(names.keys() | scopes):
        while around and around[-1].end <= node:
            around.pop()
        used = [name for name in names.get(node, ()) if name in _USED]
        owner = around[-1].item if around else walk.loose
        value: Any = None
        if node in scopes:
            value = {"@type": (page.attribute(node, "itemtype") or "").split()}
            around.append(_Open(int(page.nodes.end[node]), value))
            if node not in names or _MAIN_ENTITY in used:
                walk.items.append(value)
        for name in used:
            owner.setdefault(name, []).append(value or _value(page, node, name))
    return walk.items + ([walk.loose] if len(walk.loose) > 1 else [])


def _value(page: Page, node: int, name: str) -> str:
    attributes = _ADDRESS_ATTRIBUTES if name in _LINKS else _TEXT_ATTRIBUTES
    given = (page.attribute(node, attribute) for attribute in attributes)
    return next((value for value in given if value), None) or short_text(page, node, TEXT_LENGTH)
