"""The `<meta>` elements of a page by name, and the description among them.

Both the features of the engine and the metadata read them, so they are located once for each page (`Page.once`).
"""

from typing import Final

from pagestrata.page import tags
from pagestrata.page.columns import unescape
from pagestrata.page.page import Page
from pagestrata.page.scan import places_of

MAX_METAS: Final = 5_000
"""Further ones are ignored. The page with most in wcxb has 211."""
_NAMING_ATTRIBUTES: Final = frozenset(tags.ATTRIBUTE[name] for name in ("name", "property", "http-equiv"))
_DESCRIPTIONS: Final = ("description", "og:description")


def metas_by_name(page: Page) -> dict[str, list[int]]:
    """Return the `<meta>` elements of each name, in lower case, whichever attribute holds the name."""
    nodes, markup = page.nodes, page.markup
    starts, ends = nodes.attribute_start.data, nodes.attribute_end.data
    attributes = page.attributes
    numbers, value_starts, value_ends = attributes[0].data, attributes[2].data, attributes[3].data
    metas: dict[str, list[int]] = {}
    for node in places_of(nodes.tag, tags.TAG["meta"])[:MAX_METAS]:
        for i in range(starts[node], ends[node]):
            if numbers[i] in _NAMING_ATTRIBUTES:
                name = unescape(markup[value_starts[i] : value_ends[i]]).strip().lower()
                metas.setdefault(name, []).append(node)
    return metas


def description_of(page: Page) -> str:
    """Return the content of the first `<meta name="description">`, or else of `property="og:description"`, or "".

    Names in capitals do not count, since the engine was trained on descriptions that were read in this way.
    """
    metas = page.once(metas_by_name)
    nodes = sorted([*metas.get("description", ()), *metas.get("og:description", ())])
    for attribute in ("name", "property"):
        for node in nodes:
            if page.attribute(node, attribute) in _DESCRIPTIONS:
                return page.attribute(node, "content") or ""
    return ""
