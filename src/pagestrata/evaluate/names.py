"""Removes class and id names from pages: themes that many sites share would give the answer away."""

from typing import Final

import turbohtml

from pagestrata.page.decode import choose_encoding
from pagestrata.page.raw import RawPage
from pagestrata.page.unclosed import close_unclosed

NAMES: Final = ("class", "id")


def without_names(markup: bytes | str) -> str:
    """The page without `class` and `id` attributes, serialised again; text, tags and other attributes stay.

    Names in the templates of shadow roots go too, so these are left where they stand in the markup. Elements that were
    left open are closed, as `parse` does it: written out again, they could no longer be told from what they swallow.

    >>> without_names("<p class='lead' id=a title=b>Tea <b class=x>now</b>")
    '<html><head></head><body><p title="b">Tea <b>now</b></p></body></html>'
    """
    data = markup.encode() if isinstance(markup, str) else markup
    encoding = choose_encoding(markup, RawPage(markup)).name if isinstance(markup, bytes) else "utf-8"
    document = turbohtml.parse(
        close_unclosed(data)[0], encoding=encoding, positions=False, allow_declarative_shadow_roots=False
    )
    for name in NAMES:
        for element in document.select(f"[{name}]"):
            del element.attrs[name]
    return document.serialize()
