"""The language of a code block, from the classes that highlighters write."""

import re
from collections.abc import Iterator
from typing import Final

from pagestrata.page import tags
from pagestrata.page.page import Page

_WRAPPERS: Final = 3
"""Highlighters wrap their code in at most this many elements that may name the language."""
_NAMED = re.compile(
    r"(?i)(?:^|\s)(?:language|lang|highlight-source|highlight-text|brush:)[-\s]?([a-z0-9][a-z0-9+#._-]{0,30})(?=[\s;,]|$)"
)
# Sphinx and others write "highlight-python" on the wrapper, but "highlight-default" when they do not know.
_HIGHLIGHT = re.compile(r"(?:^|\s)highlight-(?!default|none|source)([a-z0-9][a-z0-9+#._-]{0,30})(?=\s|$)")
_LANGUAGE = re.compile(r"(?i)[a-z0-9][a-z0-9+#._-]{0,30}")
_CODE, _BODY = tags.TAG["code"], tags.TAG["body"]


def code_language(page: Page, node: int) -> str:
    """The language of a `<pre>` as one word that may stand behind a fence; empty when the page does not name it."""
    return next(filter(None, (_named_language(page, candidate) for candidate in _candidates(page, node))), "").lower()


def _candidates(page: Page, node: int) -> Iterator[int]:
    """The elements that may name the language: the code inside, the `<pre>` itself, and its nearest wrappers."""
    first = node + 1
    if first < page.nodes.end[node] and page.nodes.tag[first] == _CODE:
        yield first
    yield node
    for _, around in zip(range(_WRAPPERS), page.nodes.ancestors(node), strict=False):
        if page.nodes.tag[around] == _BODY:
            return
        yield around


def _named_language(page: Page, node: int) -> str:
    """The language that an attribute of one element names; empty if none does."""
    for attribute in ("data-lang", "data-language"):
        value = (page.attribute(node, attribute) or "").strip()
        if _LANGUAGE.fullmatch(value):
            return value
    classes = page.attribute(node, "class") or ""
    match = _NAMED.search(classes) or _HIGHLIGHT.search(classes)
    return match[1] if match else ""
