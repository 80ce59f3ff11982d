"""Strings made fit to be shown: one line, no markup, no controls, not endless."""

import html
import re
from typing import Final

from pagestrata.page.text import collapse, without_controls

TITLE_LENGTH: Final = 500
DESCRIPTION_LENGTH: Final = 2_000
NAME_LENGTH: Final = 100
"""Of an author, a site, a category or a tag."""
ADDRESS_LENGTH: Final = 2_000
LIST_LENGTH: Final = 50
MAX_LISTED: Final = 4 * LIST_LENGTH
"""What is looked at of a list, since many repeat themselves."""

LONGEST_LISTED: Final = 50
"""Characters of a part of a list; with longer parts it is a sentence."""

_COMMA = re.compile("[,;،、，]")
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_CLOSING = re.compile(r"</[a-zA-Z]|/>")
_ESCAPED_TIMES = 3
"""How often a value may have been escaped: once too often is common, twice too often is seen."""
_SLACK = 4
"""White space and entities may take this many times the length that is kept."""


def clean(text: str, length: int) -> str:
    """One line of plain text, no longer than allowed.

    >>> clean("  Salt &amp;amp; <b>sea</b>\\n", 100)
    'Salt & sea'
    """
    text = text[: _SLACK * length]
    for _ in range(_ESCAPED_TIMES):
        if "&" not in text:
            break
        text = html.unescape(text)
    if ">" in text and _CLOSING.search(text):  # markup as text; a title about "<br>" has no end tag
        text = _TAG.sub(" ", text)
    return collapse(without_controls(text))[:length].rstrip()


def distinct(texts: list[str]) -> tuple[str, ...]:
    """Each text once, whatever its case, in order; none that is empty; no more than a list may hold.

    >>> distinct(["Mud", "", "mud", "Tides"])
    ('Mud', 'Tides')
    """
    first = {text.casefold(): text for text in reversed(texts) if text}
    return tuple(text for text in dict.fromkeys(texts) if text and first[text.casefold()] == text)[:LIST_LENGTH]


def split_if_list(values: tuple[str, ...]) -> tuple[str, ...]:
    """The values, or the parts of a single one that is a list of several.

    One comma may be part of a name ("Helena, MT"), and so may two before an "and".

    >>> split_if_list(("mud, tide,eel",)), split_if_list(("Mud, Tides, & Eels",)), split_if_list(("Helena, MT",))
    (('mud', 'tide', 'eel'), ('Mud, Tides, & Eels',), ('Helena, MT',))
    """
    parts = tuple(part.strip() for part in split_list(values[0]))
    is_list = len(values) == 1 and len(parts) > 2 and not parts[-1].lower().startswith(("& ", "and "))
    is_list &= max(map(len, parts)) <= LONGEST_LISTED
    return parts if is_list else values


def split_list(text: str) -> list[str]:
    """The parts of a list in one string, whatever comma it is written with.

    >>> split_list("mud, tide;eel")
    ['mud', ' tide', 'eel']
    """
    return _COMMA.split(html.unescape(text), maxsplit=MAX_LISTED)
