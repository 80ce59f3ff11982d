"""Words and white space.

A word is a run of letters, digits and underscores. Scripts that are written without spaces are counted by character.
White space is defined by `str.isspace`, which includes no-break and ideographic spaces, plus control characters: all of
it collapses to one blank, as most of it does in a browser.
"""

import re
from functools import cache
from sys import getsizeof
from typing import Final

# Scripts written without spaces between words: Thai, Lao, Tibetan, Myanmar, Khmer, kana, Bopomofo, Han.
UNSPACED_RANGES: Final[tuple[tuple[int, int], ...]] = (
    (0x0E00, 0x0EFF),
    (0x0F00, 0x0FFF),
    (0x1000, 0x109F),
    (0x1780, 0x17FF),
    (0x3040, 0x312F),
    (0x31A0, 0x31FF),
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0x20000, 0x323AF),
)

# Joiners (U+200C, U+200D) and emoji selectors are left out: Persian, Indic scripts and emoji need them.
_INVISIBLE = (
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0d"
    "\ufeff\uffa0\ufff9-\ufffb\U0001d173-\U0001d17a\U000e0000-\U000e007f]"
)
_TAG_CHARACTERS = re.compile(
    "(\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{2,6}\U000e007f)"  # the flag of a part of a country
    "|[\U000e0000-\U000e007f]+|[\ufe00-\ufe0f\U000e0100-\U000e01ef]{2,}"
)
_TAG_CHARACTER = re.compile("[\U000e0000-\U000e01ef]")
_SHORT = 60
_FORBIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")

_ASCII_WORDS: Final = "".join(chr(code) if chr(code).isalnum() or chr(code) == "_" else " " for code in range(128))
"""Each ASCII character if it may stand in a word, or else a blank."""


@cache
def word_pattern() -> re.Pattern[str]:
    """Return the pattern of a word. It is compiled when first needed, since that takes milliseconds."""
    unspaced = "".join(f"{chr(low)}-{chr(high)}" for low, high in UNSPACED_RANGES)
    return re.compile(f"(?=\\w)[{unspaced}]|[^\\W{unspaced}]+")


def words(text: str) -> list[str]:
    """Split into words; where all characters are ASCII, this takes a third of the time.

    >>> words("Don't panic: 2026"), words("東京")
    (['Don', 't', 'panic', '2026'], ['東', '京'])
    """
    return text.translate(_ASCII_WORDS).split() if text.isascii() else word_pattern().findall(text)


def collapse(text: str) -> str:
    """Make each run of white space one blank, and none at the ends.

    >>> collapse("  two \\n words\\xa0")
    'two words'
    """
    return " ".join(text.split())


def shortened(text: str) -> str:
    """Return the beginning of a text as one line, for people.

    >>> shortened("A very long line " * 9)
    'A very long line A very long line A very long line A very l…'
    """
    line = collapse(text[: 4 * _SHORT])
    return line if len(line) <= _SHORT else f"{line[: _SHORT - 1]}…"


def has_tag_characters(text: str) -> bool:
    """Whether a text has letters with which `without_tag_characters` begins; most pages need no search for them.

    Python stores a text in four bytes a character only if one of them, such as an emoji or a tag, needs so many.
    """
    return getsizeof(text) >= 4 * len(text) and _TAG_CHARACTER.search(text) is not None


def without_tag_characters(text: str) -> str:
    """Remove letters that no font draws and that can spell any text: tags, and runs of variation selectors.

    A single selector after its letter stays, and so do the tags of a flag.

    >>> without_tag_characters("tea\U000e0068\U000e0069 \u2615\ufe0f")
    'tea \u2615\ufe0f'
    """
    return text if text.isascii() else _TAG_CHARACTERS.sub(lambda found: found[1] or "", text)


def without_controls(text: str) -> str:
    """Remove what must not be in printed text: control characters, terminal escapes, lone surrogates, tags.

    >>> without_controls("bell\\x07 and \\x1b[31mred\\x1b[0m, tab\\tkept")
    'bell and [31mred[0m, tab\\tkept'
    """
    return text if text.isprintable() else without_tag_characters(_FORBIDDEN.sub("", text))


def clean_line(text: str | None) -> str | None:
    """Return an address or a name without anything that does not belong in one line of text.

    >>> clean_line("https://a.example/\\x1b[2J\\tb\\ud800")
    'https://a.example/[2Jb'
    """
    if text is None or text.isprintable():
        return text
    return without_controls(text).translate({9: None, 10: None})


def invisible_characters(text: str) -> int:
    """Count the characters that show nothing or turn the direction of writing: zero-width, bidi, tags.

    >>> invisible_characters("pass\\u200bword")
    1
    """
    return 0 if text.isascii() else len(re.findall(_INVISIBLE, text))
