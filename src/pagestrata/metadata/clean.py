"""Cleaning of strings for display: one line, no markup, no control characters, limited length."""

import html
import re
from typing import Final

from pagestrata.page.text import collapse, without_controls

MAX_TITLE_LENGTH: Final = 500
MAX_DESCRIPTION_LENGTH: Final = 2_000
MAX_NAME_LENGTH: Final = 100
"""The limit for the name of an author, a site, a category or a tag."""
MAX_ADDRESS_LENGTH: Final = 2_000
MAX_ENTRIES: Final = 50
MAX_ENTRIES_READ: Final = 4 * MAX_ENTRIES
"""Entries of a list that are read; more than are kept, since many lists contain duplicates."""

MAX_ENTRY_LENGTH: Final = 50
"""Characters of an entry; a text with longer parts is a sentence, not a list."""

_COMMA = re.compile("[,;،、，]")
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_CLOSING = re.compile(r"</[a-zA-Z]|/>")
_MAX_ESCAPES = 3
"""How often a value may have been escaped: twice is common, three times occurs."""
_SLACK = 4
"""White space and entities may need this many times the length that is kept."""


def clean(text: str, length: int) -> str:
    """Reduce a text to one line of plain text of limited length.

    >>> clean("  Salt &amp;amp; <b>sea</b>\\n", 100)
    'Salt & sea'
    """
    text = text[: _SLACK * length]
    for _ in range(_MAX_ESCAPES):
        if "&" not in text:
            break
        text = html.unescape(text)
    if ">" in text and _CLOSING.search(text):  # markup as text; a title about "<br>" has no end tag
        text = _TAG.sub(" ", text)
    return collapse(without_controls(text))[:length].rstrip()


def distinct(texts: list[str]) -> tuple[str, ...]:
    """Drop empty texts and duplicates (ignoring case), and limit the list to `MAX_ENTRIES`.

    >>> distinct(["Mud", "", "mud", "Tides"])
    ('Mud', 'Tides')
    """
    first = {text.casefold(): text for text in reversed(texts) if text}
    return tuple(text for text in dict.fromkeys(texts) if text and first[text.casefold()] == text)[:MAX_ENTRIES]


def split_if_list(values: tuple[str, ...]) -> tuple[str, ...]:
    """Split a single value that is a list; other values are returned as they are.

    One comma may belong to a name ("Helena, MT"), and so may two before an "and".

    >>> split_if_list(("mud, tide,eel",)), split_if_list(("Mud, Tides, & Eels",)), split_if_list(("Helena, MT",))
    (('mud', 'tide', 'eel'), ('Mud, Tides, & Eels',), ('Helena, MT',))
    """
    parts = tuple(part.strip() for part in split_list(values[0]))
    is_list = len(values) == 1 and len(parts) > 2 and not parts[-1].lower().startswith(("& ", "and "))
    is_list &= max(map(len, parts)) <= MAX_ENTRY_LENGTH
    return parts if is_list else values


def split_list(text: str) -> list[str]:
    """Split a list that is written as one string, whichever kind of comma separates it.

    >>> split_list("mud, tide;eel")
    ['mud', ' tide', 'eel']
    """
    return _COMMA.split(html.unescape(text), maxsplit=MAX_ENTRIES_READ)
