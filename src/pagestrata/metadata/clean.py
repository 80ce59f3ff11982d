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
MOST_LISTED: Final = 4 * LIST_LENGTH
"""What is looked at of a list, since many repeat themselves."""

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
    if _CLOSING.search(text):  # markup that was given as text; a title about "<br>" has no end tag
        text = _TAG.sub(" ", text)
    return collapse(without_controls(text))[:length].rstrip()


def distinct(texts: list[str]) -> tuple[str, ...]:
    """Each text once, whatever its case, in order; none that is empty; no more than a list may hold.

    >>> distinct(["Mud", "", "mud", "Tides"])
    ('Mud', 'Tides')
    """
    first = {text.casefold(): text for text in reversed(texts) if text}
    return tuple(text for text in dict.fromkeys(texts) if text and first[text.casefold()] == text)[:LIST_LENGTH]


def listed(text: str) -> list[str]:
    """The parts of a list in one string, whatever comma it is written with.

    >>> listed("mud, tide;eel")
    ['mud', ' tide', 'eel']
    """
    return _COMMA.split(text, maxsplit=MOST_LISTED)
