"""Removes class and id names from pages: themes that many sites share would give the answer away."""

from typing import Final

import turbohtml

from pagestrata.page.decode import choose_encoding
from pagestrata.page.raw import RawPage

NAMES: Final = ("class", "id")


def without_names(markup: bytes | str) -> str:
    """The page without `class` and `id` attributes, serialised again; text, tags and other attributes stay.

    Names in the templates of shadow roots go too, so these are left where they stand in the markup.

    >>> without_names("<p class='lead' id=a title=b>Tea <b class=x>now</b>")
    '<html><head></head><body><p title="b">Tea <b>now</b></p></body></html>'
    """
    encoding = choose_encoding(markup, RawPage(markup)).name if isinstance(markup, bytes) else None
    document = turbohtml.parse(markup, encoding=encoding, positions=False, allow_declarative_shadow_roots=False)
    for name in NAMES:
        for element in document.select(f"[{name}]"):
            del element.attrs[name]
    return document.serialize()
