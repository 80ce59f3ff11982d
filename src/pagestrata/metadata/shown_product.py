"""The product that a page shows below its title: price, article number and availability, read from the lines there.

For product pages without structured data: what a line says is less sure than what a property says.
"""

import re
from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from pagestrata.metadata.entities import Entity
from pagestrata.metadata.entity_values import EntityKind, read_price
from pagestrata.page.page import Page
from pagestrata.page.permalinks import title_text
from pagestrata.page.prices import PRICE, currency_of
from pagestrata.page.text import collapse

MAX_LINES: Final = 60
"""Lines below the title in which the product is described."""
MAX_LENGTH: Final = 80
"""Characters up to which a line states a price, a number or the availability, rather than mentions it."""
_SKU = re.compile(
    r"(?:sku|mpn|art(?:icle|ikel)?[.\- ]*(?:no|nr|number|nummer)\.?|item (?:no\.?|number)|ref\.?)"
    r"\s*[:#]\s*(?!n/?a\b)(\S+).*",
    re.I,
)
_AVAILABILITY: Final = (
    (
        "OutOfStock",
        re.compile(r"\b(?:out of stock|sold out|ausverkauft|épuisé|rupture de stock|agotado|esaurito)\b", re.I),
    ),
    ("InStock", re.compile(r"\b(?:in stock|auf lager|lieferbar|en stock|disponible|disponibile)\b", re.I)),
)


def shown_products(page: Page) -> tuple[Entity, ...]:
    """Return the product that the title of a page names, with what the lines below say; none without a price."""
    if page.title_heading is None:
        return ()
    lines = list(_lines_below(page, page.title_heading))
    price = next((match[0] for line in lines if (match := PRICE.search(line))), None)
    values = {
        "name": title_text(page, page.title_heading),
        "price": read_price(price or ""),
        "currency": currency_of(price or ""),
        "sku": next((match[1] for line in lines if (match := _SKU.fullmatch(line))), None),
        "availability": next((term for term, words in _AVAILABILITY if any(map(words.search, lines))), None),
    }
    given: dict[str, Any] = {name: value for name, value in values.items() if value}
    is_product = {"name", "price"} <= given.keys()
    return (Entity(EntityKind.PRODUCT, **given, sources=dict.fromkeys(given, "shown")),) if is_product else ()


def _lines_below(page: Page, title: int) -> Iterator[str]:
    """Yield the short lines below the title, each from behind what is struck out in it."""
    blocks, nodes = page.blocks, page.nodes
    struck = page.nodes_tagged("del", "s", "strike")
    ends = np.maximum.accumulate(nodes.end[struck])
    first = int(np.searchsorted(blocks.node_start, nodes.end[title]))
    for block in range(first, min(first + MAX_LINES, len(blocks))):
        before, behind = blocks.node_start[block], blocks.node_end[block]
        inside = struck[np.searchsorted(ends, before, side="right") : np.searchsorted(struck, behind)]
        start = max((int(nodes.text_end[node]) for node in inside), default=int(blocks.text_start[block]))
        line = collapse(page.text[start : blocks.text_end[block]])
        if 0 < len(line) <= MAX_LENGTH:
            yield line
