"""Escapes: text that Markdown would read as markup, and only that, gets a backslash or is spelled as an entity.

Inside a line only the characters around decide; what begins a block is looked for at the start of each line.
Addresses that stand in the text as words are left alone: readers may make links of them, but the words stay.

What could become a tag, an entity or code is always an entity: some readers know no backslash before these, and those
that make links of addresses take a backslash for a part of the address, and leave what it escaped alive. In a line with
an address all escapes are entities, for that reason.
"""

import re
from functools import cache
from typing import Final

_SPECIAL: Final = "\\`*_[]<&~$^{"
_BY_ENTITY: Final = {char: f"&#{ord(char)};" for char in _SPECIAL} | {"<": "&lt;", "&": "&amp;"}
_ESCAPED: Final = {char: _BY_ENTITY[char] if char in "<&`" else "\\" + char for char in _SPECIAL}
"""Created once: a page of only stars would contain millions of them."""
_ADDRESS_MARK = re.compile(r"://|www\.|@|mailto:|xmpp:")
"""The marks by which Markdown readers recognise addresses."""
_HAS_SPECIAL = re.compile(f"[{re.escape(_SPECIAL)}]")
_WORST: Final = "*"
"""The worst neighbour: it may be markup itself, and is neither a letter nor a blank."""
IMAGE_IN_LINK: Final = "!\\["
"""In the text of a link, marked takes this for the beginning of an image, in spite of the backslash."""
NO_IMAGE_IN_LINK: Final = "!&#91;"
_ENTITY = re.compile(r"&(?=#|[A-Za-z][A-Za-z0-9]{1,31};)")
"""What begins an entity, or might: after half a reference (`&#`) Python-Markdown no longer knows where code is."""

# When a special character may be read as markup. It comes first in each, so that the search runs from one to the next;
# and it is for the expression to look around, since a page may hold ten million bare ampersands.
_ALWAYS: Final = (
    "`",
    r"\\(?=[!-/:-@\[-`{-~]|.\Z)",
    r"\*(?:(?<!\s\*)|(?!\s))",
    r"_(?:(?<![^\W_]_)|(?![^\W_]))",
    r"<(?=[^\W\d_]|[/!?*])",
    rf"{_ENTITY.pattern}|&(?=[0-9A-Za-z]*\*\Z)",  # the next piece of the line may end the entity
    r"~(?:(?<!\s~)|(?=~))",
    r"\^(?=[\[*])",  # "^[" begins a note in the line
    r"\{(?=[:#.*])",  # some readers take "{.name}" for attributes of what stands before it
)
_OUT_OF_LINK: Final = (r"\[(?=[\^*])", r"\](?=[(\[:*])")
_IN_LINK: Final = (r"\[", r"\]")
_DOLLARS: Final = (r"\$",)
_BRACES: Final = (r"\{",)  # and so "{onclick=a}", also with other braces in it
_NEAR_ADDRESS: Final = ("<",)  # before any sign, it may begin an address in pointed brackets


@cache
def _markup(in_link: bool, dollars: bool, near_address: bool, braces: bool) -> re.Pattern[str]:
    """Finds all markup, but for the first and the last character."""
    ways = [*_ALWAYS, *(_IN_LINK if in_link else _OUT_OF_LINK)]
    ways += (_DOLLARS if dollars else ()) + (_NEAR_ADDRESS if near_address else ()) + (_BRACES if braces else ())
    return re.compile(f"(?s)(?:{'|'.join(ways)})(?<=..)(?=.)")


# What begins a block: heading, quote, bullet, number, definition, box to tick, and lines that rule off or underline.
_BLOCK_START = re.compile(
    r"(?P<mark>#{1,6}(?=\s|$)|>|[-+*:~](?=\s|$)|\[(?=[ xX]\](?:\s|$))|[-=:|](?=[-=:|\s]*\\?$))"
    r"|(?P<number>\d{1,9})(?=[.)](?:\s|$))"
)
_SPECIAL_IN_TITLE = re.compile(rf'[\\"<`$]|\](?=[(\[:])|{_ENTITY.pattern}')
_BY_ENTITY_IN_TITLE: Final = _BY_ENTITY | {'"': "&quot;"}
_LINK_TARGET = re.compile(r"""\S+(?:\s*$|\s+["'(])""")
_CLOSING_HASHES = re.compile(r"(^|\s)(#+)$")


def has_address(text: str) -> bool:
    """Whether readers may find an address in a text, and make a link of it."""
    return _ADDRESS_MARK.search(text) is not None


def escape(
    text: str,
    before: str = "",
    after: str = "",
    in_link: bool = False,
    dollars: bool = False,
    near_address: bool | None = None,
    braces: bool = False,
) -> str:
    """Escape what would be read as markup in a piece of a line.

    `before` and `after` are the characters around it, empty when unknown: then the worst is assumed. `near_address` is
    whether the line has an address; None if the text is the whole line. `braces` is whether another piece of the line
    has an equals sign: braces around one may be read as attributes.
    Dollars begin a formula only where there are two of them in a line.

    >>> escape("a_b *c* [d](e) <f> 2 < 3 &amp; C:\\\\g")
    'a_b \\\\*c\\\\* [d\\\\](e) &lt;f> 2 < 3 &amp;amp; C:\\\\g'
    """
    if _HAS_SPECIAL.search(text) is None:
        return text
    around = f"{before or _WORST}{text}{after or _WORST}"
    near_address = has_address(text) if near_address is None else near_address
    spelling = _BY_ENTITY if near_address else _ESCAPED
    braces = "{" in text and (braces or "=" in text)
    escaped = _markup(in_link, dollars, near_address, braces).sub(lambda special: spelling[special[0]], around)[1:-1]
    return escaped.replace(IMAGE_IN_LINK, NO_IMAGE_IN_LINK) if in_link else escaped


def escape_line(line: str) -> str:
    r"""Escape what would begin a block at the start of a line of a paragraph.

    >>> escape_line("1. May"), escape_line("# one"), escape_line("- - -"), escape_line("-1 degrees")
    ('1\\. May', '\\# one', '\\- - -', '-1 degrees')
    """
    match = _BLOCK_START.match(line)
    if match is None:
        return line
    if match["number"]:
        return f"{match['number']}\\{line[match.end() :]}"
    return "\\" + line


def escape_note(line: str) -> str:
    """Escape the first line of a footnote that readers without footnotes would take for the target of a link.

    They read `[^1]: word` and `[^1]: word "words"` as definitions, but not with one word more; a blank is not seen.
    """
    return f"&#32; {line}" if _LINK_TARGET.match(line) else line


def escape_heading(text: str) -> str:
    """Escape hashes at the end, which would be taken for the closing half of the heading."""
    return _CLOSING_HASHES.sub(r"\1\\\2", text) if text.endswith("#") else text


def escape_target(link: str) -> str:
    """Escape what would be read as an entity; all else was percent-encoded when the link was judged."""
    return _ENTITY.sub("&amp;", link)


def escape_title(title: str) -> str:
    """The title of a link or an image, with its quotes."""
    escaped = _SPECIAL_IN_TITLE.sub(lambda special: _BY_ENTITY_IN_TITLE[special[0]], title)
    return f'"{escaped}"'
