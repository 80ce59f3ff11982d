"""Rarer spellings of styles and classes that hide text, for where nothing hidden may be returned.

They are read with `Options(hidden="never")` only: the common spellings are known everywhere (see `page.concealed`), and
on most pages these ones belong to menus and pictures that move in.
"""

import re
from functools import lru_cache
from typing import Final

_COMMENT = re.compile(r"/\*.*?(?:\*/|$)", re.DOTALL)
_ESCAPE = re.compile(r"\\([0-9a-f]{1,6})\s?|\\(.)", re.DOTALL)
_ZERO: Final = r"[+-]?(?:0+(?:\.0+\d?)?|\.0+\d?)(?![\d.])(?:%|[a-z]*)"
_FAR: Final = r"(?:\d{4,9}|999)(?:\.\d{1,9})?(?:px|pt)|\d{3,9}(?:\.\d{1,9})?(?:em|rem|ch|vw|vh|%)"
_CLEAR: Final = (
    r"^(?:transparent|#[0-9a-f]{3}0(?![0-9a-f])|#[0-9a-f]{6}00(?![0-9a-f])"
    r"|(?:rgb|hsl)a?\((?:[^,/)]*,){3}0*(?:\.0+)?%?\)|[a-z]+\([^)]*/0*(?:\.0+)?%?\))"
)
_PLACE: Final = rf"^(?:calc\()?-?(?:{_FAR})"
_SHAPE: Final = (
    r"(?:ellipse|circle)\(0|rect\(|xywh\([^()]{0,99} 0|polygon\((?:0[a-z]* 0[a-z]*,?)+\)"
    r"|inset\([^()]{0,99}?(?:[5-9]\d|\d{3,9})%"
)
_DRAWING: Final[dict[str, re.Pattern[str]]] = {
    "display": re.compile("^none"),
    "visibility": re.compile("^(?:hidden|collapse)"),
    "content-visibility": re.compile("^hidden"),
}
"""Values of properties with which nothing of an element is drawn."""
_HIDING: Final[dict[str, re.Pattern[str]]] = {
    **_DRAWING,
    **dict.fromkeys(("clip-path", "-webkit-clip-path"), re.compile(_SHAPE)),
    **dict.fromkeys(("left", "right", "top", "bottom", "text-indent"), re.compile(_PLACE)),
    **dict.fromkeys(
        ("margin", "margin-inline", "margin-block", "margin-inline-start", "margin-inline-end", "inset-block-start"),
        re.compile(rf"-(?:{_FAR})"),
    ),
    **dict.fromkeys(("inset", "inset-inline", "inset-inline-start", "inset-block"), re.compile(rf"-(?:{_FAR})")),
    "translate": re.compile(_FAR),
    "transform": re.compile(
        rf"scale(?:x|y|3d)?\({_ZERO}[,)]|matrix\(0,|rotate[xy]\(-?90deg"
        rf"|translate(?:x|y|3d)?\([^()]{{0,99}}?(?:{_FAR})"
    ),
    "scale": re.compile(f"^{_ZERO}"),
    "zoom": re.compile(f"^{_ZERO}"),
    "filter": re.compile(rf"opacity\({_ZERO}\)"),
    "color": re.compile(_CLEAR),
    "-webkit-text-fill-color": re.compile(_CLEAR),
}
"""The same, and values that make what is drawn invisible. Each is searched in time linear in the value."""
_AROUND_SIGNS = re.compile(r"\s*([:;,()/])\s*")

HIDING_CLASSES: Final = frozenset("d-none hidden invisible is-hidden uk-hidden u-hidden visibility-hidden".split())
"""Classes of Bootstrap, Tailwind, Bulma and UIkit for what is not drawn."""
_CONDITION = re.compile(r"^(?:d-(?:sm|md|lg|xl|xxl|print)-|[\w-]+:)|@")
"""Classes that hold on wide screens only, for one: then what is hidden elsewhere is seen there."""


def hides_by_style(style: str) -> bool:
    r"""Return whether an inline style hides what it is on, however it is spelled.

    >>> hides_by_style("D\\69splay:/**/none"), hides_by_style("scale: 0"), hides_by_style("scale: .95")
    (True, True, False)
    """
    return _short_style_hides(style) if len(style) <= MAX_CACHED else _hides(style)


MAX_CACHED: Final = 200
"""Characters of a style that is remembered."""


@lru_cache(maxsize=4096)
def _short_style_hides(style: str) -> bool:
    return _hides(style)


def _hides(style: str) -> bool:
    declarations = _declarations(style)
    if "background-clip" in style.lower():  # the letters are cut out of the background
        declarations = [(name, value) for name, value in declarations if "color" not in name]
    return any(name in _HIDING and _HIDING[name].search(value) for name, value in declarations)


def is_drawn(style: str) -> bool:
    r"""Return whether an element with this style is drawn at all, be it where nobody sees it.

    >>> is_drawn("display\n:\tnone"), is_drawn("left: -9999px")
    (False, True)
    """
    return not any(name in _DRAWING and _DRAWING[name].search(value) for name, value in _declarations(style))


def _declarations(style: str) -> list[tuple[str, str]]:
    """Return the names and values of a style."""
    parts = (part.partition(":") for part in _plain(style).split(";"))
    return [(name, value) for name, _, value in parts]


def _plain(style: str) -> str:
    """Return a style in lower case without comments, escapes and needless blanks."""
    style = _ESCAPE.sub(_unescaped, _COMMENT.sub(" ", style.lower()))
    return _AROUND_SIGNS.sub(r"\1", " ".join(style.split()))


def _unescaped(escape: re.Match[str]) -> str:
    if escape[1] is None:
        return escape[2]
    code = int(escape[1], 16)
    return chr(code).lower() if 32 <= code < 0xD800 else ""


def hides_by_class(classes: str) -> bool:
    """Return whether a class hides what it is on, on screens of every size.

    >>> hides_by_class("card d-none"), hides_by_class("d-none d-md-block"), hides_by_class("hidden lg:flex")
    (True, False, False)
    """
    names = classes.lower().split()
    return not HIDING_CLASSES.isdisjoint(names) and not any(_CONDITION.search(name) for name in names)
