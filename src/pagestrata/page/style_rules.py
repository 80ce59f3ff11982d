"""The classes, ids and tags that a page's own `<style>` hides: the rules with the simplest selectors, and no others.

A style sheet is not interpreted here. Only `.name` and `#name`, alone or behind a tag, and tags are read, also in a
list, outside of blocks for other media than all screens: enough to notice text that a page hides from its visitors
under a name of its own. Often another rule or a script shows it again, so that this is read only where nothing hidden
may be returned: on wcxb, taking such text as hidden everywhere costs word F1 .0007, and parsing two and a half times as
long.
"""

import re
from typing import Final, NamedTuple

MAX_CHARACTERS: Final = 200_000
"""Of all `<style>` elements of a page; what follows is not read."""

_STYLE_ELEMENT = re.compile(rb"(?is)<noscript\b(?:.*?</noscript|.*)|<style\b([^>]*)>(?:(.*?)</style|.*)")
_COMMENT = re.compile(r"(?s)/\*(?:.*?\*/|.*)|<!--|-->")
_NAME = re.compile(r"[a-zA-Z][\w-]*(?:[.#][A-Za-z_][\w-]*)?|[.#][A-Za-z_][\w-]*")
_ALWAYS_DRAWN: Final = frozenset(("html", "body", "main", "article", "header"))
"""Tags that pages hide only until they are loaded."""
_OTHER_MEDIA = re.compile(rb"(?i)\bmedia\s*=\s*[\"']?\s*(?!all\b|screen\s*(?:[\"'>]|$))")
_ALWAYS = re.compile(r"(?i)@(?:media\s+(?:all|screen)|layer\b[^{}]*|supports\b[^{}]*)\s*")
"""What opens a block of rules that hold for everyone at a screen."""
_BRACE = re.compile(r"[{}]")


class HidingRules(NamedTuple):
    """Names that a style sheet hides, with the tag and the sign before them if they do so on one tag only."""

    classes: frozenset[str] = frozenset()
    ids: frozenset[str] = frozenset()
    tags: frozenset[str] = frozenset()
    """In lower case."""


def hiding_rules(data: bytes, is_hiding: re.Pattern[str]) -> HidingRules:
    """Return the names whose rules have a declaration that matches the pattern.

    >>> sheet = b"<style>.a, p#b, ASIDE, .c p {display:none} @media print {.d {display:none}}</style>"
    >>> hiding_rules(sheet, re.compile("none"))
    HidingRules(classes=frozenset({'a'}), ids=frozenset({'p#b'}), tags=frozenset({'aside'}))
    """
    sheets = (
        sheet for attributes, sheet in _STYLE_ELEMENT.findall(data) if sheet and not _OTHER_MEDIA.search(attributes)
    )
    text = b"\n".join(sheets)[:MAX_CHARACTERS].decode("latin-1")
    names = _hidden_names(_COMMENT.sub("", text), is_hiding)
    classes, ids = ([name.removeprefix(sign) for name in names if sign in name] for sign in ".#")
    hidden_tags = {name.lower() for name in names if "." not in name and "#" not in name} - _ALWAYS_DRAWN
    return HidingRules(frozenset(classes), frozenset(ids), frozenset(hidden_tags))


def _hidden_names(text: str, is_hiding: re.Pattern[str]) -> set[str]:
    """Return the selectors of hiding rules that are a name, with its sign and maybe a tag before it."""
    selectors = (part.strip() for whole in _hiding_selectors(text, is_hiding) for part in whole.split(","))
    return {selector for selector in selectors if _NAME.fullmatch(selector)}


def _hiding_selectors(text: str, is_hiding: re.Pattern[str]) -> list[str]:
    """Return the selectors of the hiding rules outside of all blocks, but those that hold at every screen."""
    found = []
    depth = start = opened = 0
    for brace in _BRACE.finditer(text):
        if brace[0] == "{":
            if depth == 0 and _ALWAYS.fullmatch(text[start : brace.start()].rpartition(";")[2].strip()):
                start = brace.end()
                continue
            depth += 1
            opened = brace.end() if depth == 1 else opened
        else:
            if depth == 1 and is_hiding.search(text, opened, brace.start()):
                found.append(text[start : opened - 1].rpartition(";")[2])
            depth = max(0, depth - 1)
            start = brace.end() if depth == 0 else start
    return found
