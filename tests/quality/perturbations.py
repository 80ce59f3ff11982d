"""Pages as they come otherwise: cut off, minified, written in capitals, wrapped once more, without names.

Each of these leaves what a reader sees as it was, but for the page that is cut off.
"""

import re
from collections.abc import Callable
from typing import Final

import turbohtml

from pagestrata.evaluate.names import without_names

READ: Final = 0.9
"""The part of the markup that arrives before the connection breaks."""
WRAPPERS: Final = 2
"""Elements put around each: page builders seldom put one."""

_KEPT = re.compile(r"(?is)<(pre|textarea|script|style)\b.*?</\1\s*>")
_SPACE = re.compile(r"[ \t\r\n\f]+")
_BLOCKS = "address|article|aside|body|dd|div|dl|dt|figure|footer|form|h[1-6]|head|header|hr|html|li|link|main|meta|nav"
_AROUND_BLOCKS = re.compile(rf"(?i) ?(</?(?:{_BLOCKS}|ol|p|section|table|tbody|td|th|thead|tr|ul)\b[^<>]*>) ?")
_TAG = re.compile(r"(</?)([A-Za-z][A-Za-z0-9]*)(?=[\s/>])")


def truncated(markup: str) -> str:
    """The first nine tenths of the markup."""
    return markup[: int(READ * len(markup))]


def minified(markup: str) -> str:
    """White space collapsed to one space, and to none around tags of blocks; not where it is shown or is code."""
    pieces, end = [], 0
    for kept in _KEPT.finditer(markup):
        pieces += [_squeezed(markup[end : kept.start()]), kept[0]]
        end = kept.end()
    return "".join((*pieces, _squeezed(markup[end:])))


def _squeezed(markup: str) -> str:
    return _AROUND_BLOCKS.sub(r"\1", _SPACE.sub(" ", markup))


def in_capitals(markup: str) -> str:
    """Names of tags in capitals, as they were written in 1998."""
    return _TAG.sub(lambda tag: tag[1] + tag[2].upper(), markup)


def wrapped(markup: str) -> str:
    """More elements around all that is in the body, and around every `article` and `main`."""
    document = turbohtml.parse(markup, positions=False, allow_declarative_shadow_roots=False)
    for _ in range(WRAPPERS):
        for element in document.select("article, main"):
            element.wrap(turbohtml.Element("div"))
        for body in document.select("body"):
            body.wrap_children(turbohtml.Element("div"))
    return document.serialize()


PERTURBATIONS: Final[dict[str, Callable[[str], str]]] = {
    "truncated": truncated,
    "minified": minified,
    "in capitals": in_capitals,
    "wrapped": wrapped,
    "names removed": without_names,
}
